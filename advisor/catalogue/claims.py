"""What a rule claims of database time, as its header says it.

    claims: POOL_READ = SAVED_READS x SYNC_READ_MS, POOL_WRITE = SAVED_WRITES x 0.5

Counted: events that could be avoided in the interval, on all members, and the milliseconds that one takes; each a figure
of the SELECT or a number. Their product is the claim.

    claims: PROCESSING <= 7

Published: nothing can be counted, so the SELECT says in CLAIM_PROCESSING of how many percent of database time it speaks,
and what somebody measured once, here 7 %, is the most that counts; such a rule has low confidence.
"""

import re
from dataclasses import dataclass

MOST = 3  # time buckets of one rule
PUBLISHED_CONFIDENCE = 0.3

_CLAIM = re.compile(
    r"(?P<bucket>[A-Z][A-Z_0-9]*)"
    r"(?: = (?P<events>\w+) x (?P<cost_ms>[A-Z]\w*|[0-9.]+)| <= (?P<most_pct>[0-9.]+))?"
)


@dataclass(frozen=True)
class Claim:
    """What is claimed of one time bucket: events and the milliseconds of each, or at most so many percent."""

    bucket: str
    events: str | None = None
    cost_ms: str | None = None
    most_pct: float | None = None

    @property
    def column(self) -> str:
        """The column with the percent of database time: of the SELECT, or generated where the claim is counted."""
        return f"CLAIM_{self.bucket}"

    @property
    def counted(self) -> bool:
        return self.events is not None

    @property
    def said(self) -> str:
        """The arithmetic, for people."""
        if self.counted:
            return f"{self.bucket} = {self.events} x {self.cost_ms} ms"
        return f"{self.bucket}" if self.most_pct is None else f"{self.bucket}, at most {self.most_pct:g} % as published"


def read(text: str) -> list[Claim]:
    """The claims of a header field. Raises ValueError for more than three, and for one that cannot be read."""
    claims = []
    for item in filter(None, (part.strip() for part in text.split(","))):
        found = _CLAIM.fullmatch(item)
        if found is None:
            raise ValueError(f"claims reads 'BUCKET = EVENTS x MILLISECONDS' or 'BUCKET <= PERCENT', not {item!r}")
        most = None if found["most_pct"] is None else float(found["most_pct"])
        claims.append(Claim(found["bucket"], found["events"], found["cost_ms"], most))
    if len(claims) > MOST:
        raise ValueError("claims names three time buckets at most")
    return claims
