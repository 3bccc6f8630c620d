"""What Db2 shows of a machine whose load changes: counters add up over all that was, gauges are of now.

Each stretch of time at one load (and one configuration) is shown as if nothing else had been since the activation;
counters of all stretches are added, high-water marks are the greatest, everything else is what the last one shows.
Kinds of columns are those of `sql/collect`.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from typing import TYPE_CHECKING, Any

from advisor.catalogue.sources import all_sources
from tests.twin.monitored import Shown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from tests.twin.days import Solved
    from tests.twin.monitored import Row

ONCE = ("TOTAL_CONNECT_REQUESTS",)  # all who are connected have been so since the activation
Stretch = tuple["Solved", float]
"""A machine at one load, and seconds of it since activation."""


@cache
def _columns(source: str) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """Keys, counters, high-water marks of a source."""
    known = all_sources()[source]
    once = [name for name in known.names("counter") if name in ONCE]
    counters = [name for name in known.names("counter") if name not in ONCE]
    return tuple(known.names("key")), tuple(counters), (*known.names("hwm"), *once)


@dataclass(frozen=True)
class Moment:
    """A snapshot: when the database was activated, and what was since then; the last stretch is now."""

    activated: datetime
    stretches: tuple[Stretch, ...]

    @property
    def uptime(self) -> float:
        """Seconds since activation."""
        return round(sum(seconds for _, seconds in self.stretches), 3)

    @property
    def taken(self) -> datetime:
        """When the snapshot was taken."""
        return self.activated + timedelta(seconds=self.uptime)

    def now(self) -> Shown:
        """What is shown but for counters and high-water marks."""
        last = self.stretches[-1][0]
        return Shown(last.machine, last.outcome, last.found, self.uptime, self.activated)


def rows(source: str, rows_of: Callable[[Shown], list[Row]], moment: Moment) -> list[Row]:
    """The rows of a source in a snapshot."""
    keys, counters, marks = _columns(source)
    current = {_key(row, keys): row for row in rows_of(moment.now())}
    if not (counters or marks) or len(moment.stretches) == 1:
        return list(current.values())
    result = {key: row | dict.fromkeys((n for n in counters if n in row), 0) for key, row in current.items()}
    for solved, seconds in moment.stretches:
        for row in rows_of(Shown(solved.machine, solved.outcome, solved.found, seconds)):
            key = _key(row, keys)
            into = result.setdefault(key, row | dict.fromkeys((n for n in counters if n in row), 0))
            _add(into, row, counters, marks)
    return list(result.values())


def _key(row: Row, keys: Iterable[str]) -> tuple[Any, ...]:
    return tuple(row.get(name) for name in keys)


def _add(into: Row, row: Row, counters: Iterable[str], marks: Iterable[str]) -> None:
    for name in counters:
        if name in row:
            into[name] += row[name]
    for name in marks:
        if name in row:
            into[name] = max(into[name], row[name])
