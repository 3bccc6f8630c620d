"""The verdict on a change: confirmed, no effect, harmful or inconclusive, from metrics and guards."""

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from math import exp, log
from statistics import median
from typing import NamedTuple

from advisor.capture.lessons import CONFIRMED, HARMFUL, INCONCLUSIVE, NO_EFFECT
from advisor.verify.comparable import Comparable, Moment, Sided, load, select_around, select_between
from advisor.verify.days import Point
from advisor.verify.measured import DAY, PRIMARY, SPAN, Executed, Interval
from advisor.verify.promises import Fulfilment
from advisor.verify.statistics import FEWEST, LEVEL, Effect, change, project_half_width

SMALL = log(1.02)  # a smaller change has no effect
WORSE = 0.05  # least rise of a guard or statement that counts as worse
SLOW_SHARE_PCT = 5.0  # of the statements' time: most that slower statements may have
FURTHER = (1, 2, 3, 4, 5, 7, 10, 14, 21, 28, 42)  # days: waits that are recommended


@dataclass(frozen=True)
class Figure:
    """A metric on both sides: medians in its unit, the change at the same hours and its bounds in percent.

    ``low_pct`` and ``high_pct`` are bounds at the verdict's level.
    """

    metric: str
    unit: str
    before: float
    after: float
    change_pct: float
    low_pct: float
    high_pct: float
    days_before: int
    days_after: int


@dataclass(frozen=True)
class Guard:
    """A metric that must not get worse; ``figure`` is None if it was not measured."""

    metric: str
    worse: bool
    figure: Figure | None


@dataclass(frozen=True)
class StatementChange:
    """A statement that got significantly ``slower`` or faster, with its share of the statements' time before."""

    statement: str
    text: str | None
    share_pct: float
    slower: bool
    figure: Figure


class Seen(NamedTuple):
    """The value of one compared interval, with its begin by the server's clock and its side."""

    begin: datetime
    value: float
    after: bool


@dataclass(frozen=True)
class Verdict:
    """The verdict with its measurements.

    ``series`` is the kind of compared interval. ``further`` is the number of days after the change that will probably
    decide, or None if the verdict is decided or no reasonable number will. ``reasons`` explain a harmful or
    inconclusive verdict, ``statements`` is the number of judged statements, and ``course`` are the intervals of the
    figure. ``promised`` are the statements that a created index should make faster.
    """

    verdict: str
    series: str
    level: float
    figure: Figure | None
    others: tuple[Figure, ...]
    guards: tuple[Guard, ...]
    statements: int
    changed: tuple[StatementChange, ...]
    left_out: tuple[tuple[str, int], ...]
    further: int | None
    reasons: tuple[str, ...] = ()
    course: tuple[Seen, ...] = ()
    promised: tuple[Fulfilment, ...] = ()

    @property
    def is_decided(self) -> bool:
        return self.verdict != INCONCLUSIVE


def judge(intervals: Sequence[Interval], moment: Moment, level: float = LEVEL) -> Verdict:
    """Return the verdict on a change at a known moment."""
    return _judge_by_longest(intervals, lambda of: select_around(of, moment), level)


def judge_sides(before: Sequence[Interval], after: Sequence[Interval]) -> Verdict:
    """Return the verdict on the changes between two sets of intervals."""
    sides = {id(each): False for each in before} | {id(each): True for each in after}

    def split(of: Sequence[Interval]) -> Comparable:
        return select_between([each for each in of if not sides[id(each)]], [each for each in of if sides[id(each)]])

    return _judge_by_longest([*before, *after], split, LEVEL)


def _judge_by_longest(
    intervals: Sequence[Interval], split: Callable[[Sequence[Interval]], Comparable], level: float
) -> Verdict:
    """Judge by whole days if there are enough, because a day's work counts most; otherwise by shorter intervals."""
    days = split([each for each in intervals if each.kind == DAY])
    spans = [each for each in intervals if each.kind == SPAN]
    if not spans or min(days.count(False), days.count(True)) >= FEWEST:
        return _verdict(days, DAY, level)
    return _verdict(split(spans), SPAN, level)


def _verdict(found: Comparable, series: str, level: float) -> Verdict:
    sided = found.intervals
    primary = _metric(sided, PRIMARY, level)
    metrics = {value.metric: value for each in sided for value in each.interval.values}
    others = tuple(
        made[1]
        for name, value in sorted(metrics.items())
        if value.low_is_good and not value.guard and name != PRIMARY and (made := _metric(sided, name, level))
    )
    guards = _guards(sided, [name for name, value in sorted(metrics.items()) if value.guard], level)
    statements, changed = statements_changed(sided, level)
    verdict, reasons = _decide(primary[0] if primary else None, guards, changed, found)
    return Verdict(
        verdict=verdict,
        series=series,
        level=level,
        figure=primary[1] if primary else None,
        others=others,
        guards=guards,
        statements=statements,
        changed=changed,
        left_out=tuple(sorted(found.left_out.items(), key=lambda item: (-item[1], item[0]))),
        further=_estimate_missing(primary[0] if primary else None, found) if verdict == INCONCLUSIVE else None,
        reasons=reasons,
        course=_course(sided) if primary else (),
    )


def _course(sided: Sequence[Sided]) -> tuple[Seen, ...]:
    """Return the value of each interval, oldest first."""
    found = ((each, each.interval.value(PRIMARY)) for each in sided)
    return tuple(sorted(Seen(each.interval.begin, of.value, each.after) for each, of in found if of and of.value))


def _decide(
    primary: Effect | None, guards: Sequence[Guard], changed: Sequence[StatementChange], found: Comparable
) -> tuple[str, tuple[str, ...]]:
    slower = [each for each in changed if each.slower]
    slow_pct = sum(each.share_pct for each in slower)
    worse = [f"{guard.metric} got worse" for guard in guards if guard.worse]
    if slow_pct > SLOW_SHARE_PCT:
        worse.append(f"statements with {slow_pct:.0f} % of the time before got slower")
    if primary and primary.low > 0 and primary.estimate >= SMALL:
        worse.insert(0, f"{PRIMARY} got worse")
    if worse:
        return HARMFUL, tuple(worse)
    if primary is None:
        return INCONCLUSIVE, (f"too few comparable days: each side needs {FEWEST} with the same hours and kind of day",)
    if primary.high < 0 and primary.estimate <= -SMALL:
        return CONFIRMED, ()
    if primary.low > -SMALL and primary.high < SMALL:
        return NO_EFFECT, ()
    return INCONCLUSIVE, ("the days differ too much to decide",)


def _metric(sided: Sequence[Sided], metric: str, level: float) -> tuple[Effect, Figure] | None:
    """Return the change of a metric. Add a negligible value to both sides, so that no change is infinite."""
    values = [(each, value) for each in sided if (value := each.interval.value(metric)) and value.value is not None]
    if not values:
        return None
    little = values[0][1].too_little
    known = [(each, float(value.value) + little) for each, value in values if value.value is not None]
    made = change([point_of(each, value) for each, value in known if value > 0], level)
    if made is None:
        return None
    return made, figure_of(metric, values[0][1].unit, [(each, value - little) for each, value in known], made)


def point_of(each: Sided, value: float) -> Point:
    """Return an interval's value of a metric or statement as a point for the statistics."""
    day = (each.interval.middle - datetime(1970, 1, 1)).days
    return Point(day, log(value), each.kind, each.after, log(load(each.interval)))


def figure_of(metric: str, unit: str, values: Sequence[tuple[Sided, float]], made: Effect) -> Figure:
    """Return a change in the metric's unit and in percent."""
    return Figure(
        metric,
        unit,
        median([value for each, value in values if not each.after]),
        median([value for each, value in values if each.after]),
        _pct(made.estimate),
        _pct(made.low),
        _pct(made.high),
        made.before,
        made.after,
    )


def _pct(logarithm: float) -> float:
    return 100 * (exp(min(logarithm, 20)) - 1)


def _guards(sided: Sequence[Sided], metrics: Sequence[str], level: float) -> tuple[Guard, ...]:
    """Judge each guard with bounds that hold for all guards together."""
    shared = 1 - (1 - level) / max(1, len(metrics))
    guards = []
    for metric in metrics:
        made = _metric(sided, metric, shared)
        worse = made is not None and made[0].low > log(1 + WORSE)
        guards.append(Guard(metric, worse, made[1] if made else None))
    return tuple(guards)


def statements_changed(sided: Sequence[Sided], level: float) -> tuple[int, tuple[StatementChange, ...]]:
    """Return the number of statements with enough days on both sides, and those that changed significantly."""
    runs: dict[str, list[tuple[Sided, Executed]]] = {}
    for each in sided:
        for executed in each.interval.executed:
            runs.setdefault(executed.statement, []).append((each, executed))
    enough = {
        statement: of
        for statement, of in runs.items()
        if min(Comparable([each for each, _ in of]).count(after) for after in (False, True)) >= FEWEST
    }
    total = sum(executed.ms for of in runs.values() for each, executed in of if not each.after) or 1
    shared = 1 - (1 - level) / max(1, len(enough))
    changed = []
    for statement, of in enough.items():
        values = [(each, executed.ms / executed.executions) for each, executed in of if executed.ms > 0]
        made = change([point_of(each, value) for each, value in values], shared)
        if made is None or (made.low <= log(1 + WORSE) and made.high >= -log(1 + WORSE)):
            continue
        share = 100 * sum(executed.ms for each, executed in of if not each.after) / total
        text = next((executed.text for _, executed in of if executed.text), None)
        figure = figure_of("time per execution", "ms", values, made)
        changed.append(StatementChange(statement, text, share, made.estimate > 0, figure))
    return len(enough), tuple(sorted(changed, key=lambda each: (not each.slower, -each.share_pct, each.statement)))


def _estimate_missing(primary: Effect | None, found: Comparable) -> int | None:
    """Estimate the number of days after the change that will probably decide, if the change stays as large."""
    if primary is None:
        return found.missing or None
    size = abs(primary.estimate)

    def decides(days: int) -> bool:
        half_width = project_half_width(primary, days)
        return half_width < size if size >= SMALL else half_width < SMALL - size

    place = bisect_left(FURTHER, True, key=decides)
    return FURTHER[place] if place < len(FURTHER) else None
