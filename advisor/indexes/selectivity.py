"""The share of a table's rows that satisfies predicates, from column and index statistics.

Selinger et al., "Access path selection in a relational database management system", SIGMOD 1979, table 1: a value has the
share 1 / distinct values, a range is interpolated between the lowest and highest value, and conditions are independent.
A column group, or an index whose first columns are compared, replaces the assumption of independence by its number of
distinct values.
"""

import re
from collections.abc import Collection, Sequence
from datetime import date
from enum import IntEnum
from itertools import takewhile
from typing import NamedTuple

from advisor.indexes.catalog import Column, Table
from advisor.indexes.statement import Bound, Equal, TableUse

UNKNOWN_DISTINCT = 25  # of a column or key without statistics (Db2 default of FIRSTKEYCARD and FULLKEYCARD)
RANGE = 1 / 3  # one bound of unknown value (Selinger 1979)
BETWEEN = 1 / 4  # two bounds of unknown value (Selinger 1979)
FIRST_LETTER = 0.10  # LIKE 'a%': default filter factor of LIKE in Db2 for z/OS
NEXT_LETTER = 0.20  # each further letter (PostgreSQL, FIXED_CHAR_SEL in like_support.c)
FREQUENT = 0.9  # own: share of the rows with the most frequent value that makes the other values rare
SKEW = 3.0  # own: the rows of one value may be three times fewer or more than average
GUESS = 10.0  # own: a default may be wrong by this factor
INTERPOLATED = 2.0  # own: so may an interpolated range
_MOMENT = re.compile(r".{10}[-T ](\d\d)[.:](\d\d)(?:[.:](\d\d))?")


class Share(NamedTuple):
    """The share of rows that satisfies a condition: low, expected and high."""

    low: float
    expected: float
    high: float


class Case(IntEnum):
    """The place of an estimate in a share: the least, the expected or the most rows."""

    LOW = 0
    EXPECTED = 1
    HIGH = 2


ALL = Share(1.0, 1.0, 1.0)


def doubt(share: float, factor: float) -> Share:
    """Return a share that may be wrong by a factor."""
    share = min(1.0, max(0.0, share))
    return Share(share / factor, share, min(1.0, share * factor))


def equal_share(column: Column, rows: int, equal: Equal) -> Share:
    """Return the share of rows with one of some values, or with NULL."""
    nulls = column.nulls if column.nulls is not None and column.nulls >= 0 else None
    if equal.is_null:
        return doubt(nulls / rows, 1.0) if nulls is not None else doubt(1 / UNKNOWN_DISTINCT, GUESS)
    filled = 1 - min(rows, nulls or 0) / rows
    if column.distinct is None or column.distinct < 0:
        return doubt(equal.values * filled / UNKNOWN_DISTINCT, GUESS)
    found = doubt(equal.values * filled / max(1, column.distinct), 1.0 if column.distinct >= rows else SKEW)
    if column.frequent is None:
        return found
    others = rare_share(column, rows, filled)
    if equal.value is not None and column.frequent_value is not None:
        if _same(equal.value, column.frequent_value):
            return doubt(column.frequent / rows, 1.0)
        return doubt(others, SKEW if column.distinct > 2 else 1.0)
    return Share(
        min(found.expected, equal.values * others),
        found.expected,
        min(1.0, max(found.expected, equal.values * column.frequent / rows)),
    )


def range_share(column: Column, bounds: Sequence[Bound]) -> Share:
    """Return the share of rows in a range, interpolated if its values and those of the column are numbers or dates."""
    low, high = (_number(text) for text in (column.low, column.high))
    sides = {bound.kind: _number(bound.value) for bound in bounds}
    if low is None or high is None or high <= low or None in sides.values() or not sides:
        return doubt(BETWEEN if len(sides) > 1 else RANGE, GUESS)
    given = {kind: value for kind, value in sides.items() if value is not None}
    start, end = max(low, given.get("low", low)), min(high, given.get("high", high))
    least = 1 / max(1, column.distinct or UNKNOWN_DISTINCT)
    return doubt(max(least, (end - start) / (high - low)), INTERPOLATED)


def like_share(column: Column, prefix: str) -> Share:
    """Return the share of rows that start with a prefix. Letters that all values begin with select nothing."""
    least = 1 / max(1, column.distinct) if column.distinct is not None and column.distinct >= 0 else 0.0
    low, high = ((text or "").strip().strip("'") for text in (column.low, column.high))
    shared = takewhile(lambda same: len(set(same)) == 1, zip(prefix, low, high, strict=False))
    letters = len(prefix) - sum(1 for _ in shared)
    return doubt(max(least, FIRST_LETTER * NEXT_LETTER ** (letters - 1) if letters > 0 else 1.0), GUESS)


def rare_share(column: Column, rows: int, filled: float) -> float:
    """Return the average share of the values other than the most frequent one, of the rows that are not NULL."""
    return max(0.0, filled - (column.frequent or 0) / rows) / max(1, (column.distinct or 0) - 1)


def _same(one: str, other: str) -> bool:
    """Return whether two constants are equal, as numbers or without quotes and trailing blanks."""
    first, second = (text.strip().strip("'").rstrip() for text in (one, other))
    return first == second or (_number(one) is not None and _number(one) == _number(other))


def _number(text: str | None) -> float | None:
    """Return a number, or the days of a date or timestamp."""
    text = (text or "").strip().strip("'").strip()
    try:
        return float(text)
    except ValueError:
        pass
    parts = _MOMENT.match(text)
    try:
        day = date.fromisoformat(text[:10]).toordinal()
    except ValueError:
        return None
    hours, minutes, seconds = (float(part or 0) for part in parts.groups()) if parts else (0.0, 0.0, 0.0)
    return day + (hours + (minutes + seconds / 60) / 60) / 24


class Predicates:
    """The predicates of one table reference on a table with statistics."""

    def __init__(self, use: TableUse, table: Table, matches: float | None = None) -> None:
        self.table = table
        self.measured: float | None = None
        self.is_skewed = False
        self.rows = max(1, table.rows or 1)
        self.values: dict[str, int] = {}
        self.shares: dict[str, Share] = {}
        for equal in use.equal:
            if equal.column in table.columns:
                self._add(equal.column, equal_share(table.columns[equal.column], self.rows, equal))
                if not equal.is_null:
                    self.values[equal.column] = min(equal.values, self.values.get(equal.column, equal.values))
        self.equal = frozenset(self.shares)
        self.constant = frozenset(column for column in self.shares if self.values.get(column, 1) == 1)
        for name in dict.fromkeys((*use.ranges, *use.likes)):
            if name in table.columns and name not in self.equal:
                bounds = [bound for bound in use.bounds if bound.column == name]
                prefix = next((bound.value for bound in bounds if bound.kind == "prefix" and bound.value), None)
                column = table.columns[name]
                self._add(name, like_share(column, prefix) if prefix else range_share(column, bounds))
        if matches is not None and self.shares:
            self._calibrate(min(1.0, max(1.0, matches) / self.rows), use.more_predicates)

    def _calibrate(self, measured: float, more_predicates: bool) -> None:
        """Use the measured share of matching rows, unless further predicates make it smaller than estimated.

        A much smaller share is skew. If one compared column has a frequent value, the statement compares it with another
        one, whose share is at least the average of the others.
        """
        expected = self.share(self.shares).expected
        self.is_skewed = measured * GUESS < expected and not more_predicates
        self.measured = measured if measured > expected or not more_predicates else None
        skewed = [name for name in self.equal if (self.table.columns[name].frequent or 0) >= FREQUENT * self.rows]
        if self.is_skewed and len(skewed) == 1:
            others = self.share(self.shares.keys() - set(skewed)).expected
            column = self.table.columns[skewed[0]]
            rare = rare_share(column, self.rows, max(0.0, 1 - (column.nulls or 0) / self.rows))
            share = max(measured / others, rare)
            if share < self.shares[skewed[0]].expected:
                self.shares[skewed[0]] = doubt(share, SKEW)
            return
        unsure = [name for name, share in self.shares.items() if share.low < share.expected]
        ratio = measured / expected
        if unsure and (not more_predicates if ratio < 1 else len(unsure) == 1):
            for name in unsure:
                self.shares[name] = doubt(self.shares[name].expected * ratio ** (1 / len(unsure)), SKEW)

    def _add(self, column: str, share: Share) -> None:
        before = self.shares.get(column, ALL)
        self.shares[column] = min(before, share, key=lambda each: each.expected)

    def share(self, columns: Collection[str], joined: Collection[str] = ()) -> Share:
        """Return the share of rows that satisfy the predicates on columns and equal one value per joined column."""
        shares = {column: share for column, share in self.shares.items() if column in columns}
        for column in joined:
            if column in columns and column not in shares:
                shares[column] = equal_share(self.table.columns[column], self.rows, Equal(column))
        if not shares:
            return ALL
        single = {column for column in shares if column in self.values or column not in self.shares}
        known, distinct = self._known(single)
        low = expected = 1.0
        for column, share in shares.items():
            if column not in known:
                low, expected = low * share.low, expected * share.expected
        high = min(share.high for share in shares.values())
        if known:
            values = 1
            for column in known:
                values *= self.values.get(column, 1)
            group = doubt(values / distinct, 1.0 if distinct >= self.rows else SKEW)
            low, expected, high = low * group.low, expected * group.expected, min(high, group.high)
        if self.measured is not None and self.measured < expected and shares.keys() >= self.shares.keys():
            return doubt(self.measured, SKEW)
        least = max(1 / self.rows, self.measured or 0.0)
        expected = max(least, expected) if any(share.expected > 0 for share in shares.values()) else expected
        return Share(min(low, expected), expected, max(high, expected))

    def _known(self, single: set[str]) -> tuple[frozenset[str], int]:
        """Return the largest group of columns whose number of combinations is known, and that number."""
        best: tuple[frozenset[str], int] = (frozenset(), 1)
        for columns, combinations in self.table.groups.items():
            if columns <= single and combinations > 0 and len(columns) > len(best[0]):
                best = columns, combinations
        for index in self.table.indexes:
            names = [key.column for key in index.keys]
            known = [*index.first_distinct[: len(names)], *([None] * len(names))][: len(names)]
            known[-1:] = [self.rows if index.is_unique else index.distinct or known[-1]]
            for size, distinct in enumerate(known, 1):
                group = frozenset(names[:size])
                if distinct and distinct > 0 and group <= single and (len(group), distinct) > (len(best[0]), best[1]):
                    best = group, distinct
        return best
