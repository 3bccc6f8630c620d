"""One result of the doctor."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum

from advisor.db2.failures import Db2Failure
from advisor.quoting import holds_control


class Verdict(Enum):
    """The result of a check. A note is a fact without a verdict."""

    OK = "ok"
    MISSING = "missing"
    UNKNOWN = "unknown"
    NOTE = "note"


@dataclass(frozen=True)
class Diagnosis:
    """One line: the checked item, the result, and the commands that fix it."""

    area: str
    what: str
    verdict: Verdict
    found: str
    commands: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if any(map(holds_control, self.commands)):
            object.__setattr__(self, "commands", ())
            object.__setattr__(self, "found", f"{self.found}; a name in the command holds a control character")


def diagnose_or_explain(area: str, what: str, ask: Callable[[], Iterator[Diagnosis]]) -> Iterator[Diagnosis]:
    """Yield the diagnoses of ``ask``, or one with the reason if Db2 returns an error."""
    try:
        yield from list(ask())
    except Db2Failure as failure:
        if failure.dropped:
            raise
        yield Diagnosis(area, what, Verdict.UNKNOWN, failure.reason)
