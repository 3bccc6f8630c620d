"""The measurements of an interval: its times, metrics and most expensive statements."""

from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property

PRIMARY = "database time per activity"  # TUNE.METRIC
SPAN, DAY = "interval", "whole day"  # between snapshots of a capture; between the ends of neighbouring captures


@dataclass(frozen=True)
class Value:
    """A row of TUNE.METRIC; ``value`` is None if the interval has no events to measure."""

    metric: str
    unit: str
    value: float | None
    events: float | None
    low_is_good: bool
    guard: bool
    too_little: float


@dataclass(frozen=True)
class Executed:
    """A row of TUNE.STATEMENT_CLASS: executions, their total milliseconds and rows read, and the plan if one ran."""

    statement: str
    text: str | None
    executions: int
    ms: float
    time_pct: float | None
    rows_read: float | None = None
    planid: int | None = None


@dataclass(frozen=True)
class Interval:
    """``begin`` and ``end`` are from the server's clock; ``uptime_s`` is the database's uptime at the begin.

    ``discarded`` is the reason why the interval cannot be used, or None. ``origins`` are the captures of its begin and
    end.
    """

    kind: str
    begin: datetime
    end: datetime
    seconds: float
    uptime_s: float | None
    values: tuple[Value, ...] = ()
    executed: tuple[Executed, ...] = ()
    discarded: str | None = None
    origins: tuple[str, ...] = field(default=(), compare=False)

    @cached_property
    def middle(self) -> datetime:
        return self.begin + (self.end - self.begin) / 2

    def value(self, metric: str) -> Value | None:
        return next((value for value in self.values if value.metric == metric), None)

    @cached_property
    def activities(self) -> float:
        found = self.value(PRIMARY)
        return float(found.events or 0) if found else 0.0
