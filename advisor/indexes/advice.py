"""What a workload gives and gets: statements with measured times, and indexes with what each saves and costs."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from advisor.indexes.candidates import Skipped
from advisor.indexes.pricing import Confidence, Measured
from advisor.indexes.runstats import Runstats
from advisor.indexes.shapes import Candidate


@dataclass(frozen=True)
class Query:
    """A statement text with its executions in the interval and what one takes."""

    key: str
    text: str
    executions: float
    measured: Measured
    schema: str = ""


@dataclass(frozen=True)
class Helped:
    """A statement that an index makes faster: milliseconds per execution now and with all chosen indexes."""

    key: str
    before_ms: float
    after_ms: float


@dataclass(frozen=True)
class Chosen:
    """An index to create, with a name that is free in its schema.

    ``saved_ms`` is the time in the interval that would return without this index next to the other chosen ones, and
    ``low_ms`` and ``high_ms`` are its bounds. ``share`` is its part of the time of all statements, and ``read_part`` the
    part of the saving that is read time. The write cost is not subtracted.
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
    helped: tuple[Helped, ...]
    confidence: Confidence
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True)
class Declined:
    """An index that saves time but is not chosen, its saving alone in the interval, and the chosen one instead of it."""

    index: Candidate
    reason: str
    alone_ms: float
    write_ms: float
    by: Candidate | None = None


@dataclass(frozen=True)
class Unread:
    """A statement that was not read, and the reason."""

    key: str
    reason: str


@dataclass(frozen=True)
class IndexAdvice:
    """The indexes for a workload. ``before_ms`` and ``after_ms`` are the time of all statements, without write cost.

    ``texts`` are the statement texts by key. ``again`` repeats the advice with ``more`` candidates.
    """

    before_ms: float
    after_ms: float
    chosen: tuple[Chosen, ...] = ()
    declined: tuple[Declined, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    unread: tuple[Unread, ...] = ()
    statistics: tuple[Runstats, ...] = ()
    texts: Mapping[str, str] = field(default_factory=dict)
    again: "Callable[..., IndexAdvice] | None" = field(default=None, compare=False, repr=False)
