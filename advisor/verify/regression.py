"""Since when database time per unit of work is worse, looked for without anybody saying that something was changed.

Every night of the last four weeks may be the one. Which it is, is where a step takes most from what the model of
``statistics`` leaves over without one; whether it is one, the bounds of that model say. They are those of ``LEVEL``:
so many nights are tried, every night anew, that bounds of 95 % would find something in every quiet database.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from math import log

from advisor.verify.comparable import Sided, usual
from advisor.verify.measured import DAY, PRIMARY, SPAN, Interval
from advisor.verify.statistics import change, steps
from advisor.verify.verdict import SMALL, Figure, figure_of, point_of

LEVEL = 0.998  # of the bounds; tests/verify/regressions.py measures what comes of it
BEFORE, AFTER = 14, 6  # intervals that are needed: two weeks, and more than a few bursts in a row
WINDOW, CANDIDATES = 56, 28  # intervals that are looked at, and of them the last that may be the first worse one


@dataclass(frozen=True)
class Regression:
    """Since ``begin``, the first interval that is worse, and as likely since any from ``earliest`` to ``latest``.

    All of the server's clock. ``last_good`` is the interval before ``earliest``, ``first_bad`` that which begins at
    ``latest``: whatever made it worse is between the begin of one and the end of the other. ``figure`` is by how much,
    with its bounds of ``LEVEL``, ``series`` what kind of interval was compared, and ``sided`` all that were.
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
    """Since when it is worse by more than 2 % for sure; None where it is not, or where too little is known."""
    for kind in (DAY, SPAN):
        of = usual(sorted((each for each in intervals if each.kind == kind), key=lambda each: each.end)[-WINDOW:])
        if len(of) >= BEFORE + AFTER:
            return _searched(of, kind)
    return None


def _searched(of: Sequence[Sided], series: str) -> Regression | None:
    values = [value.value for each in of if (value := each.interval.value(PRIMARY)) and value.value]
    points = [point_of(each, value) for each, value in zip(of, values, strict=True)]
    found = steps(points, max(BEFORE, len(points) - CANDIDATES), len(points) - 1)
    if found is None or found.at > len(points) - AFTER:
        return None  # the last nights may be a burst: it is waited for one more
    sided = tuple(Sided(each.interval, n >= found.at, each.kind, each.slot) for n, each in enumerate(of))
    made = change([point_of(each, value) for each, value in zip(sided, values, strict=True)], LEVEL)
    if made is None or made.low <= log(1 + SMALL):
        return None
    ends = [each.interval for each in of]
    return Regression(
        begin=ends[found.at].begin,
        earliest=ends[found.first].begin,
        latest=ends[found.last].begin,
        last_good=ends[found.first - 1],
        first_bad=ends[found.last],
        series=series,
        figure=figure_of(PRIMARY, "ms", list(zip(sided, values, strict=True)), made),
        sided=sided,
    )
