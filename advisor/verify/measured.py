"""An interval as a change is judged by it: when, how long, what was measured, and the statements that took most time."""

from dataclasses import dataclass, field
from datetime import datetime

PRIMARY = "database time per activity"  # TUNE.METRIC
SPAN, DAY = "interval", "whole day"  # between snapshots of a capture; between the ends of neighbouring captures


@dataclass(frozen=True)
class Value:
    """A row of TUNE.METRIC; ``value`` is None where nothing happened that it is measured by."""

    metric: str
    unit: str
    value: float | None
    events: float | None
    low_is_good: bool
    guard: bool
    too_little: float


@dataclass(frozen=True)
class Executed:
    """A row of TUNE.STATEMENT_CLASS: executions, and milliseconds and rows read of all of them."""

    statement: str
    text: str | None
    executions: int
    ms: float
    time_pct: float | None
    rows_read: float | None = None


@dataclass(frozen=True)
class Interval:
    """``begin`` and ``end`` are of the server's clock; ``uptime_s`` is how long the database was up at its begin.

    ``discarded`` says why nothing can be said of it, None where it can be used. ``origins`` are the captures that it begins
    and ends in.
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

    def value(self, metric: str) -> Value | None:
        return next((value for value in self.values if value.metric == metric), None)

    @property
    def activities(self) -> float:
        found = self.value(PRIMARY)
        return float(found.events or 0) if found else 0.0
