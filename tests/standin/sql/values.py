"""What the binder knows of an expression, and of the statement that it is in."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from tests.standin.api import Names, Scope, Temporary, Use
from tests.standin.errors import Db2Error
from tests.standin.sql.sqltypes import BOOLEAN, duck_type
from tests.standin.types import Column, SqlType

_INPUT = re.compile("\x01(\\d+)\x02")


@dataclass(frozen=True)
class Value:
    """A bound expression.

    ``type`` is None for an untyped NULL or marker. ``free`` are the columns that it reads outside of
    aggregates, by their text; ``aggregate`` and ``olap`` tell what it is made of; ``unsafe`` that a DOUBLE
    in it may have overflowed; ``constant`` is the value of a literal.
    """

    text: str
    type: SqlType | None
    nullable: bool = True
    name: str = ""
    free: frozenset[str] = frozenset()
    aggregate: bool = False
    olap: bool = False
    unsafe: bool = False
    marker: int | None = None
    constant: Any = None

    @property
    def is_null(self) -> bool:
        return self.type is None and self.marker is None

    @property
    def known(self) -> SqlType:
        """Return the type, which the caller requires. Raise -418 if it is unknown."""
        if self.type is None:
            raise Db2Error(-418, "42610")
        return self.type


def made_of(parts: Iterable[Value], text: str, kind: SqlType | None, nullable: bool | None = None) -> Value:
    """An expression over others: it reads what they read."""
    parts = tuple(parts)
    return Value(
        text,
        kind,
        any(part.nullable for part in parts) if nullable is None else nullable,
        free=frozenset().union(*(part.free for part in parts)),
        aggregate=any(part.aggregate for part in parts),
        olap=any(part.olap for part in parts),
        unsafe=any(part.unsafe for part in parts),
    )


def condition(parts: Iterable[Value], text: str) -> Value:
    return made_of(parts, text, BOOLEAN)


def retyped(value: Value, text: str, kind: SqlType) -> Value:
    """The same expression converted to another type; a number stays the constant that it is."""
    same = value.type is not None and value.type.is_number and kind.name in {value.type.name, "DOUBLE", "BIGINT"}
    constant = value.constant if same or text == value.text else None
    return replace(value, text=text, type=kind, name="", marker=None, constant=constant)


NOT_ZERO = "not zero"
"""The constant of an expression that is NULL or some number other than zero, so that it may divide."""


def quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def failing(code: int, state: str, token: str = "") -> str:
    """DuckDB text that raises an error of Db2 when it is reached; ``token`` is DuckDB text too."""
    prefix = literal(f"SQL{code:04d}N|{state}|")
    return f"error({prefix} || {token})" if token else f"error({prefix})"


def let(text: str, body: str) -> str:
    """``body`` with ``v`` standing for an expression that is to be written once only."""
    return f"list_transform([{text}], lambda v: {body})[1]"


@dataclass
class Statement:
    """What is gathered while one statement is bound: its inputs, and what it uses.

    The query ``of_view`` reads other views by their names. Any other statement has their queries in it: to make a view
    in DuckDB takes as long as to plan a statement, and most are read by one.
    """

    names: Names
    scope: Scope | None
    of_view: bool = False
    uses: set[Use] = field(default_factory=set)
    markers: list[SqlType | None] = field(default_factory=list)
    inputs: list[int | tuple[str | None, str]] = field(default_factory=list)
    changed: Any = None
    temporaries: list[Temporary] = field(default_factory=list)
    _aliases: int = 0

    def alias(self, name: str) -> str:
        """A correlation name that nothing else in the statement has."""
        self._aliases += 1
        return quoted(f"{name}#{self._aliases}")

    def marker(self) -> Value:
        """The next parameter marker."""
        self.markers.append(None)
        number = len(self.markers) - 1
        return Value(self._input(number), None, marker=number)

    def variable(self, qualifier: str | None, column: Column, name: str) -> Value:
        """An SQL PL variable."""
        text = f"CAST({self._input((qualifier, name))} AS {duck_type(column.type)})"
        return Value(text, column.type, name=column.name)

    def _input(self, wanted: int | tuple[str | None, str]) -> str:
        if wanted not in self.inputs:
            self.inputs.append(wanted)
        return f"\x01{self.inputs.index(wanted)}\x02"

    def typed(self, value: Value, kind: SqlType) -> Value:
        """An untyped NULL or marker takes the type that its place asks for; anything else stays."""
        if value.type is not None:
            return value
        if value.marker is not None:
            self.markers[value.marker] = kind
        return self.by_mode(retyped(value, f"CAST({value.text} AS {duck_type(kind)})", kind))

    def by_mode(self, value: Value) -> Value:
        """A value of a function, literal or marker as varchar2_compat and date_compat have it: no empty text, no DATE."""
        kind = value.type
        if kind is None:
            return value
        if kind.name in {"CHAR", "VARCHAR"} and not kind.bit_data and self.names.mode("varchar2_compat"):
            return replace(value, text=let(value.text, "CASE WHEN v <> '' THEN v END"), nullable=True)
        if kind.name == "DATE" and self.names.mode("date_compat"):
            return replace(value, text=f"CAST({value.text} AS TIMESTAMP)", type=self.names.written(kind))
        return value

    def marker_columns(self) -> tuple[Column, ...]:
        """The markers as they are described. Raises -418 for one that no place gave a type."""
        columns = []
        for number, kind in enumerate(self.markers, 1):
            if kind is None:
                raise Db2Error(-418, "42610")
            columns.append(Column(str(number), kind))
        return tuple(columns)

    def finished(self, text: str) -> tuple[str, tuple[int | tuple[str | None, str], ...]]:
        """The text with numbered placeholders, and the inputs that it really reads, in their order."""
        used = sorted({int(match) for match in _INPUT.findall(text)})
        place = {number: position for position, number in enumerate(used, 1)}
        numbered = _INPUT.sub(lambda match: f"${place[int(match[1])]}", text)
        return numbered, tuple(self.inputs[number] for number in used)
