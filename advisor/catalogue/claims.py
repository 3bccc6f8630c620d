"""Claims of database time in a rule's header.

    claims: {POOL_READ: {events: SAVED_READS, cost_ms: SYNC_READ_MS}, POOL_WRITE: {events: SAVED_WRITES, cost_ms: 0.5}}

Counted: avoidable events in the interval on all members, and the milliseconds of one; each is a figure of the SELECT
or a number. Their product is the claim.

    claims: {PROCESSING: {at_most_pct: 7}}

Published: nothing can be counted, so the SELECT returns the affected percentage of database time in CLAIM_PROCESSING, and
the published effect, here 7 %, is its limit; such a rule has low confidence.
"""

from dataclasses import dataclass

PUBLISHED_CONFIDENCE = 0.3


@dataclass(frozen=True)
class Claim:
    """A claim on one time bucket: events and their unit cost in ms, or a limit in percent of database time."""

    bucket: str
    events: str | None = None
    cost_ms: str | float | None = None
    at_most_pct: float | None = None

    @property
    def column(self) -> str:
        """The column with the percentage of database time: in the SELECT, or generated if the claim is counted."""
        return f"CLAIM_{self.bucket}"

    @property
    def is_counted(self) -> bool:
        return self.events is not None

    @property
    def description(self) -> str:
        """The calculation, for people."""
        if self.is_counted:
            return f"{self.bucket} = {self.events} x {self.cost_ms} ms"
        return (
            self.bucket if self.at_most_pct is None else f"{self.bucket}, at most {self.at_most_pct:g} % as published"
        )
