"""Regressions that no verdict on a change explains, and other changes at the same time."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from advisor.capture.lessons import CONFIRMED, HARMFUL
from advisor.errors import UserError
from advisor.judgement.objects import DEFINED, SIZED, objects
from advisor.verify.measured import Interval
from advisor.verify.nights import Verified, list_same_database, moment_of
from advisor.verify.regressed import Beside, Regressed
from advisor.verify.regression import Regression, regression
from advisor.verify.statements import MIX, PLANS, SLOWER, describe_statements
from advisor.verify.store import Head, Measurements

SETTINGS, SAME, UNKNOWN = "settings", "not changed", "not known"
MAX_SENTENCES = 5  # sentences listed per kind


def find_regression(kept: Measurements, database: str, changes: Sequence[Verified], folder: Path) -> Regressed | None:
    """Return the regression that the last run shows first, or None.

    ``changes`` are all changes in the store; ``folder`` contains the captures.
    """
    known = list_same_database(kept, database)
    numbers = [run.number for run in known]
    measured = kept.load_intervals(numbers)
    begin = max([each.begin_at for each in kept.load_regressions(database).values()], default=None)
    moments = {each.number: moment_of(measured, numbers, numbers.index(each.number)) for each in changes}
    for each in changes:
        moment = moments[each.number]
        if each.kind in (CONFIRMED, HARMFUL) and moment and (begin is None or moment.latest > begin):
            begin = moment.latest
    intervals = [each for of in measured.values() for each in of if begin is None or each.begin >= begin]
    found = regression(intervals)
    if found is None:
        return None
    near = [
        each
        for each in changes
        if (moment := moments[each.number])
        and moment.latest > found.last_good.begin
        and moment.earliest < found.first_bad.end
    ]
    last_is_open = any(not each.final and each.verdict and each.verdict.figure for each in changes[-1:])
    if any(each.kind == HARMFUL or (each is changes[-1] and last_is_open) for each in near):
        return None  # the verdict reports it
    figure = found.figure
    return Regressed(
        begin_at=found.begin,
        earliest=found.earliest,
        latest=found.latest,
        series=found.series,
        before=figure.before,
        after=figure.after,
        unit=figure.unit,
        change_pct=figure.change_pct,
        low_pct=figure.low_pct,
        high_pct=figure.high_pct,
        beside=tuple(_list_nearby_changes(found, near, _captures(found, known, measured), folder)),
    )


def _captures(
    found: Regression, known: Sequence[Head], measured: dict[int, tuple[Interval, ...]]
) -> tuple[str | None, str | None]:
    """Return the captures around a regression: before the last good interval, and of the first bad one."""
    places = [place for place, run in enumerate(known) for each in measured[run.number] if each == found.last_good]
    first = known[max(0, min(places) - 1)].capture
    return first, next((run.capture for run in known if found.first_bad in measured[run.number]), None)


def _list_nearby_changes(
    found: Regression, near: Sequence[Verified], captures: tuple[str | None, str | None], folder: Path
) -> Iterator[Beside]:
    """Yield changed, unchanged and unknown kinds of things, in this order."""
    said: dict[str, list[str]] = {
        SETTINGS: [f"{change.text} ({each.kind})" for each in near for change in each.changed]
    }
    unknown: dict[str, str] = {}
    before, after = ((folder / name if name else None) for name in captures)
    if before and after and before.exists() and after.exists():
        try:
            became = objects(before, after)
        except UserError as error:
            unknown |= dict.fromkeys((DEFINED, SIZED), str(error))
        else:
            said |= became.said
            unknown |= became.not_compared
    else:
        unknown |= dict.fromkeys((DEFINED, SIZED), "the captures of those nights no longer exist")
    statements = describe_statements(found.sided)
    if statements is None:
        unknown |= dict.fromkeys((MIX, SLOWER, PLANS), "too few intervals contain statements")
    said |= statements or {}
    for about, texts in said.items():
        yield from (Beside(about, text) for text in texts[:MAX_SENTENCES])
        if len(texts) > MAX_SENTENCES:
            yield Beside(about, f"and {len(texts) - MAX_SENTENCES} more")
    if same := [about for about, texts in said.items() if not texts and about not in unknown]:
        yield Beside(SAME, ", ".join(same))
    for why in dict.fromkeys(unknown.values()):
        yield Beside(UNKNOWN, f"{', '.join(about for about in unknown if unknown[about] == why)}: {why}")
