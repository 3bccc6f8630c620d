"""The verdicts on the changes of a database, night by night, from what the store has of its runs.

A verdict that is looked at every night until it is sure would be sure by chance some time. So it is final after a whole
number of weeks, with bounds of 98 %, and on other nights only where bounds of 99.5 % say so.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from advisor.capture.lessons import Place
from advisor.nightly.history import Head, History
from advisor.verify import show
from advisor.verify.changed import Changed
from advisor.verify.comparable import Moment
from advisor.verify.lessons import lesson
from advisor.verify.measured import SPAN, Interval
from advisor.verify.verdict import Verdict, judge

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
    known = same_database(kept, database)
    numbers = [run.number for run in known]
    open_ = anew or not changes.keys() <= decided.keys()
    measured = kept.intervals(numbers) if open_ else {}
    found = []
    for place, run in enumerate(known):
        if run.number not in changes:
            continue
        seen = database, run.number, run.started_at, changes[run.number]
        nights = _nights(known[place:], changes)
        if run.number in decided and not anew:
            found.append(Verified(*seen, *decided[run.number], nights, True))
        elif moment := moment_of(measured, numbers, place):
            verdict = judge(_around(measured, numbers, place, changes), moment, level(nights))
            final = verdict.decided or nights >= NIGHTS[-1]
            found.append(Verified(*seen, verdict.verdict, show.headline(verdict), nights, final, verdict))
    return found


def same_database(kept: History, database: str) -> list[Head]:
    """The runs of the database that the last one found under its name."""
    runs = kept.heads(database)
    return [run for run in runs if run.identity == runs[-1].identity]


def settle(kept: History, found: Iterable[Verified], database: Place) -> None:
    """Keep the verdicts that are final, and what they teach."""
    for each in found:
        if each.final and each.verdict:
            taught = lesson(each.verdict, each.changed, database, each.seen_at.date().isoformat())
            kept.decided(each.number, each.kind, each.says, taught)


def level(nights: int) -> float:
    return AT_NIGHTS if nights in NIGHTS or nights > NIGHTS[-1] else AT_ONCE


def _nights(since: Sequence[Head], changes: dict[int, tuple[Changed, ...]]) -> int:
    """How many nights a change was in force before the next one was made."""
    dates = [since[0].started_at.date()]
    for run in since[1:]:
        if run.number in changes:
            break
        dates.append(run.started_at.date())
    return len(set(dates))


def moment_of(measured: dict[int, tuple[Interval, ...]], numbers: Sequence[int], place: int) -> Moment | None:
    """When a change was made: between the end of the run before and the begin of the one that saw it."""
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
