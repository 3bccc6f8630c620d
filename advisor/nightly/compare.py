"""Comparison of the advice of two runs of one database."""

from dataclasses import replace

from advisor.judgement.comparison import Comparison, compare
from advisor.nightly.runs import Line, Run


def compare_runs(before: Run, after: Run) -> Comparison[Line]:
    """Compare the advice of two runs. Advice whose rule did not run again is unknown, not gone."""
    accepted = {line.key for line in after.lines if line.accepted}
    not_judged = {rule for rule, _ in after.not_run}
    found = compare(before.ranked, after.ranked, [line for line in before.ranked if line.key in accepted])
    missing = [line for line in found.gone if line.key not in accepted]
    return replace(
        found,
        gone=[line for line in missing if line.rule not in not_judged],
        unknown=[line for line in missing if line.rule in not_judged],
    )
