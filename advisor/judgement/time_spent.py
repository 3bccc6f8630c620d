"""Database time by bucket, and the meaning of an empty list: TUNE.TIME_SPENT and TUNE.SILENCE."""

from dataclasses import dataclass
from typing import Any

WORK, BESIDE = "work", "beside"
SEEN = "seen"


@dataclass(frozen=True)
class Look:
    """A large share that no recommendation claims: its description, usual causes and a query for details."""

    what: str
    causes: str
    query: str


@dataclass(frozen=True)
class Share:
    """One bucket of time, in percent of database time; ``look`` is set if the bucket itself is a finding.

    ``kind`` is wait, overhead, work, unknown, or "beside" if it overlaps other buckets.
    """

    bucket: str
    kind: str
    title: str
    ms: int
    pct: float
    claimed_pct: float
    unclaimed_pct: float
    look: Look | None


@dataclass(frozen=True)
class TimeSpent:
    """Database time by bucket, largest first. ``state`` and its sentence ``says`` are from TUNE.SILENCE."""

    state: str
    says: str
    shares: tuple[Share, ...]

    @property
    def is_judged(self) -> bool:
        """Whether the interval has enough activity."""
        return self.state in ("unexplained", SEEN)

    @property
    def unexplained(self) -> list[Share]:
        """Large shares other than statements' work that no recommendation claims."""
        return [share for share in self.shares if share.look and share.kind != WORK]

    @property
    def work(self) -> Share | None:
        """The largest share of statements' work, if it is large enough to report."""
        return next((share for share in self.shares if share.look and share.kind == WORK), None)


def time_spent(shares: list[dict[str, Any]], silence: list[dict[str, Any]]) -> TimeSpent:
    """Return the time spent from the rows of both views."""
    found = tuple(_share(row) for row in sorted(shares, key=lambda row: int(row["POSITION"])))
    return TimeSpent(silence[0]["STATE"], silence[0]["SAYS"], found)


def _share(row: dict[str, Any]) -> Share:
    look = Look(row["WHAT"], row["CAUSES"], row["LOOK_AT"]) if row["NOTED"] == 1 else None
    return Share(
        row["BUCKET"], row["KIND"], row["TITLE"], row["MS"], row["PCT"], row["CLAIMED_PCT"], row["UNCLAIMED_PCT"], look
    )
