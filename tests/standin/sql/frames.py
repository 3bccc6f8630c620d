"""What names mean inside one query: its tables, those of the queries around it, and common table expressions."""

from __future__ import annotations

from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from tests.standin.errors import Db2Error
from tests.standin.sql.conversions import distinct_key
from tests.standin.sql.values import Value

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tests.standin.types import SqlType


@dataclass(frozen=True)
class Item:
    """A column that a table in a FROM clause offers, and the text that reads it."""

    name: str
    type: SqlType
    nullable: bool
    text: str

    def value(self, nullable: bool = False) -> Value:
        return Value(self.text, self.type, self.nullable or nullable, self.name, frozenset((self.text,)))


@dataclass(frozen=True)
class Exposed:
    """A table in a FROM clause under the name by which columns may be qualified."""

    name: str
    schema: str | None
    items: tuple[Item, ...]


@dataclass(frozen=True)
class Common:
    """A common table expression: its text in a FROM clause and its columns, the texts without their table.

    ``some`` is that of its query (queries.Query).
    """

    text: str
    items: tuple[Item, ...]
    some: str = ""


@dataclass
class Frame:
    """One query while it is bound; ``groups`` are the texts of its GROUP BY, None without one.

    ``aggregated`` are the operands of its aggregates, ``window_keys`` the sort keys of its window functions. ``reads``
    counts the reads of each common table expression, ``written`` holds their texts. ``aggregating`` is true while the
    operand of an aggregate is bound. ``keys_below`` is true if a nested query reads one of the group keys.
    """

    parent: Frame | None = None
    tables: list[Exposed] = field(default_factory=list)
    commons: dict[str, Common] = field(default_factory=dict)
    groups: frozenset[str] | None = None
    aggregated: list[Value] = field(default_factory=list)
    window_keys: list[Value] = field(default_factory=list)
    reads: Counter[str] = field(default_factory=Counter)
    written: list[str] = field(default_factory=list)
    aggregating: bool = False
    keys_below: bool = False

    def chain(self) -> Iterator[Frame]:
        frame: Frame | None = self
        while frame is not None:
            yield frame
            frame = frame.parent

    def common(self, name: str) -> Common | None:
        for frame in self.chain():
            if name in frame.commons:
                frame.reads[name] += 1
                return frame.commons[name]
        return None

    def without_tables(self) -> Frame:
        """The same common table expressions, and no columns."""
        outer = self.parent.without_tables() if self.parent else None
        return Frame(outer, commons=self.commons, reads=self.reads, written=self.written)

    def some(self, first: str, clauses: Sequence[str]) -> str:
        """Return ``Query.some``, a complete query of its own.

        It is the first table's if no clause filters its rows or the query is the outermost; otherwise the query from
        FROM on.
        """
        if first and (len(clauses) == 1 or self.parent is None):
            return first
        written = [text for frame in reversed([*self.chain()]) for text in frame.written]
        return f"{with_clause(written)}SELECT 1 {' '.join(clauses)}" if self.parent or written else ""

    def column(self, schema: str | None, table: str | None, name: str) -> Value | None:
        """The column of the nearest query that has it; None if none has. Raises -203 where two of its tables do."""
        for frame in self.chain():
            found = [
                item
                for exposed in frame.tables
                if table in {None, exposed.name} and schema in {None, exposed.schema}
                for item in exposed.items
                if item.name == name
            ]
            if len(found) > 1:
                raise Db2Error(-203, "42702", f"{table}.{name}" if table else name)
            if found:
                return found[0].value()
        return None

    def grouped(self, value: Value) -> Value:
        """Return a value as its group shows it if it is a group key: texts of a group may differ in trailing blanks."""
        found = next((frame for frame in self.chain() if frame.groups and value.text in frame.groups), None)
        if found is None:
            return value
        found.keys_below = found.keys_below or found is not self
        shown = f"min({value.text})" if found is self and not self.aggregating else value.text
        text = value.text if distinct_key("", value.type) == "" else shown
        return replace(value, free=frozenset(), text=text)

    @contextmanager
    def aggregate(self) -> Iterator[None]:
        """While the operand of an aggregate is bound: it is computed for each row, not for a group."""
        before, self.aggregating = self.aggregating, True
        try:
            yield
        finally:
            self.aggregating = before

    def own(self, columns: frozenset[str]) -> frozenset[str]:
        """Those of some columns that are this query's own."""
        texts = {item.text for exposed in self.tables for item in exposed.items}
        return columns & texts

    def name_of(self, text: str) -> str:
        return next((item.name for exposed in self.tables for item in exposed.items if item.text == text), text)


def with_clause(texts: Sequence[str]) -> str:
    return f"WITH RECURSIVE {', '.join(texts)} " if texts else ""
