"""What a workload gives and gets: statements with measured times, and indexes with what each saves and costs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from advisor.indexes.building import Build
from advisor.indexes.pricing import Confidence, Measured
from advisor.indexes.runstats import Runstats
from advisor.indexes.shapes import Candidate

if TYPE_CHECKING:
    from advisor.indexes.workload import Workload


@dataclass(frozen=True)
class Query:
    """A statement text with its executions in the interval and what one takes.

    ``cached_s`` is how long its plan has been in the package cache. ``times`` are the milliseconds of all executions in
    each of several intervals.
    """

    key: str
    text: str
    executions: float
    measured: Measured
    schema: str = ""
    cached_s: float | None = None
    times: tuple[float, ...] = ()

    @property
    def time(self) -> float:
        """Return the time of all executions in milliseconds."""
        return self.executions * max(0.0, self.measured.elapsed_ms)


class Interval(NamedTuple):
    """One of several intervals: its end in ISO 8601, the time of all its statements, and its length if it is known."""

    end: str
    total_ms: float
    seconds: float = 0.0


class Outcome(StrEnum):
    """What the analysis of a statement came to."""

    HELPED = "an index helps"
    BEYOND = "an index beyond the limits helps"
    SERVED = "no index helps"
    LEFT_OUT = "not analyzed"


@dataclass(frozen=True)
class Account:
    """A statement of the workload, its time in the interval, and what the analysis came to, with the reason.

    ``remedy`` is what helps instead of an index.
    """

    key: str
    ms: float
    outcome: Outcome
    reason: str = ""
    remedy: str = ""


@dataclass(frozen=True)
class Helped:
    """A statement that an index makes faster: milliseconds per execution now and with all chosen indexes.

    ``saved_ms`` is what would return without this index, ``rows_read`` are rows per execution now.
    """

    key: str
    before_ms: float
    after_ms: float
    saved_ms: float
    rows_read: float | None


@dataclass(frozen=True)
class Chosen:
    """An index to create, with a name that is free in its schema.

    ``saved_ms`` is the time in the interval that would return without this index next to the other chosen ones, and
    ``low_ms`` and ``high_ms`` are its bounds. ``share`` is its part of the time of all statements, and ``read_part`` the
    part of the saving that is read time. The write cost is not subtracted. ``intervals`` are those in which it saves its
    least share.
    """

    index: Candidate
    name: str
    saved_ms: float
    low_ms: float
    high_ms: float
    share: float
    read_part: float
    write_ms: float
    bytes: int
    build: Build
    helped: tuple[Helped, ...]
    confidence: Confidence
    reasons: tuple[str, ...] = ()
    intervals: tuple[Interval, ...] = ()


@dataclass(frozen=True)
class Declined:
    """An index that saves time but is not chosen: its saving in the interval alone, and next to the chosen ones.

    ``by`` is the chosen index that serves instead.
    """

    index: Candidate
    reason: str
    alone_ms: float
    beside_ms: float
    write_ms: float
    by: Candidate | None = None


@dataclass(frozen=True)
class Point:
    """A point of the curve: what the indexes up to this one save in the interval, and their size and write cost."""

    index: Candidate
    saved_ms: float
    write_ms: float
    bytes: int


@dataclass(frozen=True)
class Changed:
    """A statement of a what-if: milliseconds per execution now and with the given indexes."""

    key: str
    executions: float
    before_ms: float
    after_ms: float


@dataclass(frozen=True)
class WhatIf:
    """What given indexes would do next to the existing ones, without those that are dropped.

    ``changed`` are the statements that gain or lose, the largest difference first; ``unaffected`` is the number of the
    other statements that were analyzed. ``write_ms`` is the time to maintain the new indexes less that of the dropped
    ones, ``bytes`` their size less that of the dropped ones.
    """

    before_ms: float
    after_ms: float
    changed: tuple[Changed, ...]
    unaffected: int
    write_ms: float
    bytes: int


@dataclass(frozen=True)
class IndexAdvice:
    """The indexes for a workload. ``before_ms`` and ``after_ms`` are the time of all statements, without write cost.

    ``curve`` has the chosen indexes, then further ones that would save most next to them, without the limits.
    ``writes_known`` is false if the number of changed rows is unknown. ``budget`` are the bytes and ``most`` the number of
    indexes that limit the choice. ``accounts`` has each statement once, the most time first. ``texts`` are the statement
    texts by key.
    """

    before_ms: float
    after_ms: float
    chosen: tuple[Chosen, ...] = ()
    declined: tuple[Declined, ...] = ()
    statistics: tuple[Runstats, ...] = ()
    accounts: tuple[Account, ...] = ()
    curve: tuple[Point, ...] = ()
    budget: int = 0
    most: int | None = None
    texts: Mapping[str, str] = field(default_factory=dict)
    writes_known: bool = True
    workload: "Workload | None" = field(default=None, compare=False, repr=False)

    @cached_property
    def left_out(self) -> Sequence[Account]:
        """Return the statements that were not analyzed."""
        return [each for each in self.accounts if each.outcome is Outcome.LEFT_OUT]

    @property
    def analyzed(self) -> int:
        """Return the number of statements that were analyzed."""
        return len(self.accounts) - len(self.left_out)

    @property
    def analyzed_ms(self) -> float:
        """Return the time of the statements that were analyzed."""
        return sum(each.ms for each in self.accounts) - sum(each.ms for each in self.left_out)

    @property
    def unseen_ms(self) -> float:
        """Return the time of statements that were not collected."""
        return max(0.0, self.before_ms - sum(each.ms for each in self.accounts))
