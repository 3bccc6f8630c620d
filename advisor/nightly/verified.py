"""The verdicts on the changes of a database, night by night, from what the store has of its runs.

A verdict that is looked at every night until it is sure would be sure by chance some time. So it is final after a whole
number of weeks, with bounds of 98 %, and on other nights only where bounds of 99.5 % say so.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from advisor.nightly.history import History
from advisor.nightly.runs import Run
from advisor.verify import show
from advisor.verify.changed import Changed
from advisor.verify.comparable import Moment
from advisor.verify.measured import SPAN, Interval
from advisor.verify.verdict import INCONCLUSIVE, Verdict, judge

NIGHTS = (7, 14, 28)  # after which is decided
AT_NIGHTS, AT_ONCE = 0.98, 0.995  # levels of the bounds then, and on other nights


@dataclass(frozen=True)
class Verified:
    """The verdict on what changed before a run; ``says`` is it in one sentence, after so many ``nights``.

    ``verdict`` is None where it was decided in an earlier night.
    """

    database: str
    number: int
    seen_at: datetime
    changed: tuple[Changed, ...]
    kind: str
    says: str
    nights: int
    final: bool
    verdict: Verdict | None = None


def verified(kept: History, database: str, anew: bool = False) -> list[Verified]:
    """The verdict on every change that the store saw, the oldest first; ``anew`` also where it was decided before."""
    changes, decided = kept.changed(database), kept.verdicts(database)
    if not changes:
        return []
    runs = kept.runs(database)
    known = [
        (number, run)
        for number, run in zip(kept.numbers(database), runs, strict=True)
        if run.identity == runs[-1].identity
    ]
    numbers = [number for number, _ in known]
    open_ = anew or not changes.keys() <= decided.keys()
    measured = kept.intervals(numbers) if open_ else {}
    found = []
    for place, (number, run) in enumerate(known):
        if number not in changes:
            continue
        nights = _nights(known[place:], changes)
        if number in decided and not anew:
            found.append(
                Verified(run.database, number, run.started_at, changes[number], *decided[number], nights, True)
            )
        elif moment := _moment(measured, numbers, place):
            verdict = judge(_around(measured, numbers, place, changes), moment, level(nights))
            found.append(_verified(number, run, changes[number], verdict, nights))
    return found


def _verified(number: int, run: Run, changed: tuple[Changed, ...], verdict: Verdict, nights: int) -> Verified:
    final = verdict.verdict != INCONCLUSIVE or nights >= NIGHTS[-1]
    return Verified(
        run.database, number, run.started_at, changed, verdict.verdict, show.headline(verdict), nights, final, verdict
    )


def level(nights: int) -> float:
    return AT_NIGHTS if nights in NIGHTS or nights > NIGHTS[-1] else AT_ONCE


def _nights(since: Sequence[tuple[int, Run]], changes: dict[int, tuple[Changed, ...]]) -> int:
    """How many nights a change was in force before the next one was made."""
    dates = [since[0][1].started_at.date()]
    for number, run in since[1:]:
        if number in changes:
            break
        dates.append(run.started_at.date())
    return len(set(dates))


def _moment(measured: dict[int, tuple[Interval, ...]], numbers: Sequence[int], place: int) -> Moment | None:
    """Between the end of the run before and the begin of the one that saw the change."""
    ends = [each.end for number in numbers[:place] for each in measured[number]]
    begins = [each.begin for each in measured[numbers[place]] if each.kind == SPAN]
    return Moment(max(ends), min(begins)) if ends and begins else None


def _around(
    measured: dict[int, tuple[Interval, ...]],
    numbers: Sequence[int],
    place: int,
    changes: dict[int, tuple[Changed, ...]],
) -> list[Interval]:
    """The intervals from the change before to the one after; those in which one of these was made are in neither."""
    first = max((n for n, number in enumerate(numbers[:place]) if number in changes), default=0)
    last = min((n for n, number in enumerate(numbers) if n > place and number in changes), default=len(numbers))
    begin = min((each.begin for each in measured[numbers[first]] if each.kind == SPAN), default=datetime.min)
    return [each for number in numbers[first:last] for each in measured[number] if each.begin >= begin]
