"""The rows that a query has written into temporary tables: what is sorted, grouped, or kept to be read again.

A window function is computed over rows with its keys, all columns that the select list reads, and its result; a grouping
over its keys and what is aggregated. DISTINCT, UNION and ORDER BY sort whole results, and a common table expression that
is read more than once is kept whole. That is the most that Db2 may write: it can choose to do less.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol

from tests.standin.api import Temporary
from tests.standin.sql.frames import Frame
from tests.standin.sql.sqltypes import varchar
from tests.standin.sql.values import Value
from tests.standin.types import Column, SqlType


class Typed(Protocol):
    """A column of a result, an item of a FROM clause, or an expression."""

    @property
    def name(self) -> str: ...
    @property
    def type(self) -> SqlType | None: ...
    @property
    def nullable(self) -> bool: ...


def columns(items: Iterable[Typed]) -> tuple[Column, ...]:
    return tuple(Column(item.name, item.type or varchar(1), item.nullable) for item in items)


def read_twice(frame: Frame) -> Iterator[Temporary]:
    """The common table expressions of a query that more than one other reads."""
    for name, common in frame.commons.items():
        if frame.reads[name] > 1:
            yield Temporary(name, "read twice", columns(common.items))


def of_select(
    query: str, frame: Frame, groups: Sequence[Value], values: Sequence[tuple[str, Value]], distinct: bool
) -> Iterator[Temporary]:
    """What a SELECT sorts for its groups, its window functions and for DISTINCT."""
    listed = [value for _, value in values]
    if groups or frame.aggregated:
        yield Temporary(query, "GROUP BY", columns(_once([*groups, *frame.aggregated])))
    if any(value.olap for value in listed):
        read = listed if frame.groups is not None else [*_read(frame, listed), *(item for item in listed if item.olap)]
        keys = columns(_once(frame.window_keys))
        yield Temporary(query, "OVER", columns(_once([*read, *frame.window_keys])), keys)
    if distinct:
        yield Temporary(query, "DISTINCT", columns(listed))


def _read(frame: Frame, values: Sequence[Value]) -> list[Value]:
    """The columns of its tables that expressions read."""
    texts = frozenset().union(*(value.free for value in values))
    return [item.value() for exposed in frame.tables for item in exposed.items if item.text in texts]


def _once(values: Sequence[Value]) -> Iterable[Value]:
    return {value.text: value for value in values}.values()
