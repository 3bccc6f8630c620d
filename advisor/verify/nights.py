"""Verdicts on a database's changes, night by night, from the runs in the store.

A verdict that is checked every night becomes significant by chance at some point. It is therefore judged only on six
nights, with wider bounds; between them it stays as it is. The next change ends it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import takewhile

from advisor.capture.lessons import HARMFUL, DatabaseKey, Lesson, Percent, Thing, Turned
from advisor.errors import can_calculate_verdicts
from advisor.verify import show
from advisor.verify.changed import Change
from advisor.verify.comparable import Moment
from advisor.verify.measured import SPAN, Interval
from advisor.verify.promises import find_ratios, judge_promises
from advisor.verify.store import Head, Measurements
from advisor.verify.verdict import Verdict, judge

NIGHTS = (4, 7, 10, 14, 21, 28)  # nights on which a verdict is judged
LEVEL = 0.99  # of the bounds; tests/verify/rates.py measures the error rates of all nights together


@dataclass(frozen=True)
class Verified:
    """The verdict on the changes before a run, after N ``nights``; ``says`` is its sentence.

    ``verdict`` is None if it became final in an earlier night.
    """

    database: str
    number: int
    seen_at: datetime
    changed: tuple[Change, ...]
    kind: str
    says: str
    nights: int
    final: bool
    verdict: Verdict | None = None


def verify_changes(kept: Measurements, database: str, anew: bool = False) -> list[Verified]:
    """Return the verdict on each change in the store, oldest first; ``anew`` also recalculates final verdicts.

    Without the extra ``verify``, return only final verdicts.
    """
    changes, decided = kept.load_changes(database), kept.load_verdicts(database)
    if not changes:
        return []
    known = list_same_database(kept, database)
    numbers = [run.number for run in known]
    open_ = can_calculate_verdicts() and (anew or not changes.keys() <= decided.keys())
    measured = kept.load_intervals(numbers) if open_ else {}
    found = []
    for place, run in enumerate(known):
        if run.number not in changes:
            continue
        seen = database, run.number, run.started_at, changes[run.number]
        since = [run, *takewhile(lambda later: later.number not in changes, known[place + 1 :])]
        nights = len({each.started_at.date() for each in since})
        if run.number in decided and not anew:
            found.append(Verified(*seen, *decided[run.number], nights, True))
        elif open_ and (moment := moment_of(measured, numbers, place)):
            ended = place + len(since) < len(known)
            until = None if ended else _find_look(since, nights)
            verdict = judge(_select_intervals(measured, numbers, place, changes, until), moment, LEVEL)
            promises = [promise for change in changes[run.number] for promise in change.promises]
            figures = kept.load_figures(each.number for each in since)
            verdict = replace(verdict, promised=judge_promises(promises, figures))
            final = ended or verdict.is_decided or nights >= NIGHTS[-1]
            found.append(Verified(*seen, verdict.verdict, show.headline(verdict), nights, final, verdict))
    return found


def count_open_changes(kept: Measurements, database: str) -> int:
    """Return the number of changes without a final verdict."""
    return len(kept.load_changes(database).keys() - kept.load_verdicts(database).keys())


def list_same_database(kept: Measurements, database: str) -> list[Head]:
    """Return the runs that read the same database as the last run under this name."""
    runs = kept.load_heads(database)
    return [run for run in runs if run.identity == runs[-1].identity]


def settle(kept: Measurements, found: Iterable[Verified], database: DatabaseKey) -> None:
    """Store the final verdicts and their lessons."""
    for each in found:
        if each.final and each.verdict:
            taught = lesson(each.verdict, each.changed, database, each.seen_at.date().isoformat())
            kept.add_verdict(each.number, each.kind, each.says, taught)


def _find_look(since: Sequence[Head], nights: int) -> int | None:
    """Return the number of the last run that the verdict includes: of the last night in ``NIGHTS``, or None before it."""
    look = max((night for night in NIGHTS if night <= nights), default=None)
    if look is None:
        return None
    last = sorted({run.started_at.date() for run in since})[look - 1]
    return max(run.number for run in since if run.started_at.date() <= last)


def moment_of(measured: dict[int, tuple[Interval, ...]], numbers: Sequence[int], place: int) -> Moment | None:
    """Return the time range of a change: from the end of the previous run to the start of the run that found it."""
    ends = [each.end for number in numbers[:place] for each in measured[number]]
    begins = [each.begin for each in measured[numbers[place]] if each.kind == SPAN]
    return Moment(max(ends), min(begins)) if ends and begins else None


def _select_intervals(
    measured: dict[int, tuple[Interval, ...]],
    numbers: Sequence[int],
    place: int,
    changes: dict[int, tuple[Change, ...]],
    until: int | None,
) -> list[Interval]:
    """Return the intervals between the previous and the next change, without those that contain one of the two.

    ``until`` is the last run to include, if any.
    """
    first = max((n for n, number in enumerate(numbers[:place]) if number in changes), default=0)
    last = min((n for n, number in enumerate(numbers) if n > place and number in changes), default=len(numbers))
    begin = min((each.begin for each in measured[numbers[first]] if each.kind == SPAN), default=datetime.min)
    return [
        each
        for number in numbers[first:last]
        if until is None or number <= until
        for each in measured[number]
        if each.begin >= begin
    ]


def lesson(verdict: Verdict, changed: Sequence[Change], database: DatabaseKey, made_on: str) -> Lesson | None:
    """Return the lesson of a change; ``made_on`` is its day in ISO 8601.

    An undecided change is a lesson too: without it, only changes with large measured effects would count. Return None
    if nothing was measured, if several changes share the verdict, or if the change is harmless and no advice asked for
    it. All settings of one recommendation, on all members, count as one change.
    """
    if not changed or len({_identify_change(change) for change in changed}) > 1:
        return None
    first = changed[0]
    brought = _get_saving(verdict, first)
    if verdict.verdict != HARMFUL and (first.rule is None or brought is None):
        return None
    named = first.object_type is not None and first.object_name is not None
    return Lesson(
        database,
        made_on,
        first.rule,
        Thing(str(first.object_type), str(first.object_name)) if named else None,
        tuple(dict.fromkeys(Turned(change.target, change.old, change.new) for change in changed)),
        _get_promise(first),
        brought,
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


def _get_saving(verdict: Verdict, change: Change) -> Percent | None:
    """Return the promised benefit times the part that its statements reached, or the reduction of time per activity."""
    ratios = find_ratios(verdict.promised)
    if ratios and change.benefit is not None:
        return Percent(*(min(100.0, ratio * change.benefit) for ratio in ratios))
    figure = verdict.figure
    return None if figure is None else Percent(-figure.high_pct, -figure.change_pct, -figure.low_pct)
