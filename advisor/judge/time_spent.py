"""Where the database's time went, and what a list means that says nothing of it: TUNE.TIME_SPENT and TUNE.SILENCE."""

from dataclasses import dataclass
from typing import Any

WORK, BESIDE = "work", "beside"
SEEN = "seen"


@dataclass(frozen=True)
class Look:
    """What a large share is that no recommendation claims, what usually causes it, and the query that shows more."""

    what: str
    causes: str
    query: str


@dataclass(frozen=True)
class Share:
    """One bucket of time, in percent of database time; ``look`` where it is a finding by itself.

    ``kind`` is wait, overhead, work, unknown, or beside for what overlaps the others.
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
    """Where the time went, the largest share first. ``state`` is that of TUNE.SILENCE, ``says`` its sentence."""

    state: str
    says: str
    shares: tuple[Share, ...]

    @property
    def judged(self) -> bool:
        """Whether enough was seen."""
        return self.state in ("unexplained", SEEN)

    @property
    def unexplained(self) -> list[Share]:
        """Large shares that are no work of statements, and that no recommendation claims."""
        return [share for share in self.shares if share.look and share.kind != WORK]

    @property
    def work(self) -> Share | None:
        """The largest share of what statements do, where it is large enough to look at."""
        return next((share for share in self.shares if share.look and share.kind == WORK), None)


def time_spent(shares: list[dict[str, Any]], silence: list[dict[str, Any]]) -> TimeSpent:
    """What the rows of the two views say."""
    found = tuple(_share(row) for row in sorted(shares, key=lambda row: int(row["POSITION"])))
    return TimeSpent(silence[0]["STATE"], silence[0]["SAYS"], found)


def _share(row: dict[str, Any]) -> Share:
    look = Look(row["WHAT"], row["CAUSES"], row["LOOK_AT"]) if row["NOTED"] == 1 else None
    return Share(
        row["BUCKET"],
        row["KIND"],
        row["TITLE"],
        row["MS"],
        row["PCT"],
        row["CLAIMED_PCT"],
        row["UNCLAIMED_PCT"],
        look,
    )
