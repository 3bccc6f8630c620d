"""The start of a regression: a rise of database time per activity without a known change.

Each night of the last four weeks is a candidate. The best one is the step with the highest likelihood in the models of
``statistics``; the bounds of these models decide whether it is a regression. Their level is ``LEVEL``: the search
tries many nights, again every night, so bounds of 95 % would find a regression in every quiet database.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from statistics import median

from advisor.verify.comparable import Sided, select_usual
from advisor.verify.days import group_days
from advisor.verify.measured import DAY, PRIMARY, SPAN, Interval
from advisor.verify.statistics import change, find_step
from advisor.verify.verdict import SMALL, Figure, figure_of, point_of

LEVEL = 0.998  # of the bounds; tests/verify/regressions.py measures its error rates
LEAST_SLOWER = 0.9  # part of the days since then that are slower than usual on their weekday: a few bursts are less
BEFORE, AFTER = 14, 6  # least days: two weeks, and more than a short burst
WINDOW, CANDIDATES = 56, 28  # last days in the search, and the last ones that can be the first worse one


@dataclass(frozen=True)
class Regression:
    """A regression with its most likely start ``begin``; any start from ``earliest`` to ``latest`` is as likely.

    Times are from the server's clock. ``last_good`` is the interval before ``earliest``; ``first_bad`` begins at
    ``latest``. The cause is between the begin of ``last_good`` and the end of ``first_bad``. ``figure`` is the size with
    bounds of ``LEVEL``, ``series`` the kind of interval, and ``sided`` all compared intervals.
    """

    begin: datetime
    earliest: datetime
    latest: datetime
    last_good: Interval
    first_bad: Interval
    series: str
    figure: Figure
    sided: tuple[Sided, ...]


def regression(intervals: Sequence[Interval]) -> Regression | None:
    """Return the regression if its lower bound is above 2 %; None if it is not, or with too few days."""
    for kind in (DAY, SPAN):
        of = select_usual(sorted((each for each in intervals if each.kind == kind), key=lambda each: each.end))
        days = sorted({each.interval.middle.date() for each in of})[-WINDOW:]
        if len(days) >= BEFORE + AFTER:
            return _search_series([each for each in of if each.interval.middle.date() >= days[0]], days, kind)
    return None


def _search_series(of: Sequence[Sided], days: Sequence[date], series: str) -> Regression | None:
    values = [value.value for each in of if (value := each.interval.value(PRIMARY)) and value.value]
    points = [point_of(each, value) for each, value in zip(of, values, strict=True)]
    found = find_step(group_days(points), max(BEFORE, len(days) - CANDIDATES), len(days) - 1)
    if found is None or found.at > len(days) - AFTER:
        return None  # the last nights may be a burst, so more nights are needed
    sided = tuple(
        Sided(each.interval, each.interval.middle.date() >= days[found.at], each.kind, each.slot) for each in of
    )
    if _measure_slower(sided, values) < LEAST_SLOWER:
        return None
    made = change([point_of(each, value) for each, value in zip(sided, values, strict=True)], LEVEL)
    if made is None or made.low <= SMALL:
        return None
    by_day = {day: [each.interval for each in of if each.interval.middle.date() == day] for day in days}
    return Regression(
        begin=by_day[days[found.at]][0].begin,
        earliest=by_day[days[found.first]][0].begin,
        latest=by_day[days[found.last]][0].begin,
        last_good=by_day[days[found.first - 1]][-1],
        first_bad=by_day[days[found.last]][0],
        series=series,
        figure=figure_of(PRIMARY, "ms", list(zip(sided, values, strict=True)), made),
        sided=sided,
    )


def _measure_slower(sided: Sequence[Sided], values: Sequence[float]) -> float:
    """Return the part of the days after the step that are slower than the median of their weekday before it."""
    of_weekday: dict[int, list[float]] = {}
    for each, value in zip(sided, values, strict=True):
        if not each.after:
            of_weekday.setdefault(each.interval.middle.weekday(), []).append(value)
    usual = {weekday: median(found) for weekday, found in of_weekday.items()}
    slower = [
        value > usual[weekday]
        for each, value in zip(sided, values, strict=True)
        if each.after and (weekday := each.interval.middle.weekday()) in usual
    ]
    return sum(slower) / len(slower) if slower else 0.0
