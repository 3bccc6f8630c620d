"""The lesson of a final verdict on a single change."""

from collections.abc import Sequence

from advisor.capture.lessons import HARMFUL, DatabaseKey, Lesson, Percent, Thing, Turned
from advisor.verify.changed import Change
from advisor.verify.verdict import Figure, Verdict


def lesson(verdict: Verdict, changed: Sequence[Change], database: DatabaseKey, made_on: str) -> Lesson | None:
    """Return the lesson of a change; ``made_on`` is its day in ISO 8601.

    An undecided change is a lesson too: without it, only changes with large measured effects would count. Return None
    if nothing was measured, if several changes share the verdict, or if the change is harmless and no advice asked for
    it. All settings of one recommendation, on all members, count as one change.
    """
    if not changed or len({_identify_change(change) for change in changed}) > 1:
        return None
    first = changed[0]
    if verdict.verdict != HARMFUL and (first.rule is None or verdict.figure is None):
        return None
    named = first.object_type is not None and first.object_name is not None
    return Lesson(
        database,
        made_on,
        first.rule,
        Thing(str(first.object_type), str(first.object_name)) if named else None,
        tuple(dict.fromkeys(Turned(change.target, change.old, change.new) for change in changed)),
        _get_promise(first),
        _get_saving(verdict.figure),
        verdict.verdict,
    )


def _identify_change(change: Change) -> tuple[str | None, ...]:
    """Return the identity of a change: its advice, or its setting if no advice asked for it."""
    if change.rule is None:
        return None, change.target
    return change.rule, change.object_type, change.object_name or change.target


def _get_promise(change: Change) -> Percent | None:
    if change.own_benefit is None:
        return None
    low, high = change.benefit_low, change.benefit_high
    return Percent(
        change.own_benefit if low is None else low, change.own_benefit, change.own_benefit if high is None else high
    )


def _get_saving(figure: Figure | None) -> Percent | None:
    """Return the reduction of database time per activity."""
    return None if figure is None else Percent(-figure.high_pct, -figure.change_pct, -figure.low_pct)
