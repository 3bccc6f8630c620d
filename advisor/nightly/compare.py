"""Two runs of one database: what is new, gone, worse and accepted since the run before."""

from dataclasses import dataclass

from advisor.judge.changes import larger
from advisor.nightly.runs import Line, Run


@dataclass(frozen=True)
class Difference:
    """``unknown`` was advised before and could not be judged this time: it is not gone."""

    new: list[Line]
    gone: list[Line]
    worse: list[tuple[Line, Line]]
    accepted: list[Line]
    unknown: list[Line]

    @property
    def nothing(self) -> bool:
        return not (self.new or self.gone or self.worse or self.accepted or self.unknown)


def difference(before: Run, after: Run) -> Difference:
    """What became of the advice from one run to the next."""
    old = {line.key: line for line in before.ranked}
    now = {line.key: line for line in after.ranked}
    accepted = {line.key for line in after.lines if line.accepted}
    blind = {rule for rule, _ in after.not_run}
    missing = [line for key, line in old.items() if key not in now and key not in accepted]
    return Difference(
        new=[line for key, line in now.items() if key not in old],
        gone=[line for line in missing if line.rule not in blind],
        worse=[(old[key], line) for key, line in now.items() if key in old and larger(line.benefit, old[key].benefit)],
        accepted=[line for key, line in old.items() if key in accepted],
        unknown=[line for line in missing if line.rule in blind],
    )
