"""The virtual time of the machine, and how far its counters have come by it."""

from dataclasses import dataclass
from datetime import datetime, timedelta

MICROSECOND = timedelta(microseconds=1)


@dataclass
class Clock:
    """The server's clock; it moves only on request.

    Counters run from their values at ``begin`` to those at ``end``, and on at that rate. After a restart at
    ``restarted`` they run from zero.
    """

    begin: datetime
    end: datetime
    now: datetime
    restarted: datetime | None = None

    def advance(self, seconds: float) -> None:
        if seconds < 0:
            raise ValueError("the clock does not go back")
        self.now += timedelta(seconds=seconds)

    def restart(self) -> None:
        self.restarted = self.now

    @property
    def late(self) -> bool:
        """Whether the second snapshot's moment has come."""
        return self.now >= self.end

    @property
    def span(self) -> int:
        """Microseconds from the begin to the end."""
        return max((self.end - self.begin) // MICROSECOND, 1)

    @property
    def passed(self) -> int:
        """Microseconds for which the counters have run."""
        return (self.now - (self.restarted or self.begin)) // MICROSECOND
