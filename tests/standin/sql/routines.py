"""How a scalar function is described: as a template over its arguments."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from tests.standin.errors import Db2Error
from tests.standin.sql.conversions import TEXTS, as_string, cast
from tests.standin.sql.sqltypes import DATE, DOUBLE, INTEGER, TIME, TIMESTAMP, is_binary, is_datetime, varchar
from tests.standin.sql.values import Statement, Value, made_of
from tests.standin.types import SqlType

Result = SqlType | Callable[[Sequence[Value]], SqlType]
Routine = Callable[[str, list[Value], Statement], Value]


@dataclass(frozen=True)
class Template:
    """A function whose DuckDB text is a template over its arguments.

    ``takes`` has a letter for each argument: s a string, t text, n a number, i an integer, f a number as DOUBLE, d a
    DATE, m a TIME, p a TIMESTAMP (or text of these), a any of the three, x anything. Arguments after the first
    ``least`` are optional; ``defaults`` replace the last of them. ``unsafe`` marks a DOUBLE that may have overflowed.
    """

    takes: str
    result: Result
    text: str
    least: int = -1
    defaults: tuple[str, ...] = ()
    unsafe: bool = False
    nullable: bool | None = None

    def __call__(self, name: str, arguments: list[Value], statement: Statement) -> Value:
        least = len(self.takes) if self.least < 0 else self.least
        if not least <= len(arguments) <= len(self.takes):
            raise no_function(name)
        fitted = [argument(kind, value, name, statement) for kind, value in zip(self.takes, arguments, strict=False)]
        missing = len(self.takes) - len(fitted)
        texts = [value.text for value in fitted] + list(
            self.defaults[len(self.defaults) - missing :] if missing else ()
        )
        kind = self.result if isinstance(self.result, SqlType) else self.result(fitted)
        value = made_of(fitted, self.text.format(*texts), kind, self.nullable)
        return replace(value, unsafe=value.unsafe or self.unsafe)


def no_function(name: str) -> Db2Error:
    """No function of that name takes these arguments."""
    return Db2Error(-440, "42884", name, "FUNCTION")


NULLS = {"s": varchar(1), "t": varchar(1), "n": DOUBLE, "i": INTEGER, "f": DOUBLE, "d": DATE, "m": TIME, "p": TIMESTAMP}
NULLS |= {"a": TIMESTAMP, "x": varchar(1)}
"""The type of an untyped NULL as an argument."""


def argument(takes: str, value: Value, name: str, statement: Statement) -> Value:
    """An argument converted to what the function takes. Raises -440, and -418 for an untyped marker."""
    if value.marker is not None and value.type is None:
        raise Db2Error(-418, "42610")
    value = statement.typed(value, NULLS[takes])
    converted = _TAKEN[takes](value, value.known)
    if converted is None:
        raise no_function(name)
    return converted


def _string(value: Value, kind: SqlType) -> Value | None:
    return None if kind.name == "BOOLEAN" else as_string(value, "")


def _text(value: Value, kind: SqlType) -> Value | None:
    return None if is_binary(kind) else _string(value, kind)


def _number(value: Value, kind: SqlType) -> Value | None:
    return value if kind.is_number else None


def _integer(value: Value, kind: SqlType) -> Value | None:
    return cast(value, INTEGER) if kind.is_number and kind.name != "INTEGER" else _number(value, kind)


def _double(value: Value, kind: SqlType) -> Value | None:
    return cast(value, DOUBLE) if kind.is_number and kind.name != "DOUBLE" else _number(value, kind)


def _moment(to: SqlType) -> Callable[[Value, SqlType], Value | None]:
    def taken(value: Value, kind: SqlType) -> Value | None:
        fits = is_datetime(kind) and {kind.name, to.name} != {"DATE", "TIME"}
        return cast(value, to) if fits or (kind.name in TEXTS and not kind.bit_data) else None

    return taken


def _any_moment(value: Value, kind: SqlType) -> Value | None:
    if is_datetime(kind):
        return value
    return cast(value, TIMESTAMP) if kind.name in TEXTS and not kind.bit_data else None


_TAKEN: dict[str, Callable[[Value, SqlType], Value | None]] = {
    "s": _string,
    "t": _text,
    "n": _number,
    "i": _integer,
    "f": _double,
    "d": _moment(DATE),
    "m": _moment(TIME),
    "p": _moment(TIMESTAMP),
    "a": _any_moment,
    "x": lambda value, _: value,
}
