"""What the doctor says of one thing that it looked at."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum

from advisor.db2.failures import Db2Failure


class Verdict(Enum):
    """What the matter is; a note is a fact that needs no judgement."""

    OK = "ok"
    MISSING = "missing"
    UNKNOWN = "unknown"
    NOTE = "note"


@dataclass(frozen=True)
class Diagnosis:
    """One line: what was looked at, what was found, and the commands that would mend it."""

    area: str
    what: str
    verdict: Verdict
    found: str
    commands: tuple[str, ...] = ()


def answered(area: str, what: str, ask: Callable[[], Iterator[Diagnosis]]) -> Iterator[Diagnosis]:
    """What was asked; or, where Db2 does not answer, one that says why."""
    try:
        yield from list(ask())
    except Db2Failure as failure:
        if failure.dropped:
            raise
        yield Diagnosis(area, what, Verdict.UNKNOWN, failure.reason)
