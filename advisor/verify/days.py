"""Days from intervals: the unit of the statistics.

Intervals of one day share its special events, so 24 of them tell little more than one. Each day therefore counts once,
with the mean of its intervals after the usual difference between hours is removed.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Numbers = NDArray[np.floating[Any]]

MOST = 56  # days per side, nearest to the change
SATURDAY = 5  # of the days of a week


@dataclass(frozen=True)
class Point:
    """An interval for the statistics: its day since 1970, logarithms of value and load, kind of hour."""

    day: int
    log_value: float
    hour: str
    after: bool
    log_load: float | None = None


@dataclass(frozen=True)
class Days:
    """The days of a comparison in order: numbers since 1970, sides, logarithms of value and load.

    ``load`` is None if a load is unknown. A day with the change is on both sides.
    """

    number: "NDArray[np.int64]"
    after: "NDArray[np.bool_]"
    value: "Numbers"
    load: "Numbers | None" = None

    @cached_property
    def weekday(self) -> "NDArray[np.int64]":
        """Return 0 for Monday to 6 for Sunday."""
        return weekdays(self.number)

    @property
    def weekend(self) -> "NDArray[np.bool_]":
        return self.weekday >= SATURDAY

    def count(self, after: bool) -> int:
        return int((self.after == after).sum())


def weekdays(number: "NDArray[np.int64]") -> "NDArray[np.int64]":
    """Return the day of the week of each day since 1970: 0 for Monday to 6 for Sunday."""
    return (number + 3) % 7  # 1970 began on a Thursday


def group_days(points: Sequence[Point]) -> Days:
    """Return the days of the points, at most ``MOST`` per side."""
    import numpy as np

    ends = max((point.day for point in points if not point.after), default=0)
    begins = min((point.day for point in points if point.after), default=0)
    near = sorted(
        (point.after, point.day, point.hour, point.log_value, point.log_load)
        for point in points
        if (point.day < begins + MOST if point.after else point.day > ends - MOST)
    )
    units = sorted({(after, day) for after, day, *_ in near})
    place = {unit: n for n, unit in enumerate(units)}
    of = np.array([place[after, day] for after, day, *_ in near], dtype=int)
    number = np.array([day for _, day in units], dtype=int)
    weekend = weekdays(number) >= SATURDAY
    hours = np.array([f"{weekend[place[after, day]]} {hour}" for after, day, hour, *_ in near])
    value, load = (
        None if None in values else _average_days(of, hours, weekend, np.array(values, dtype=float))
        for values in ([point[3] for point in near], [point[4] for point in near])
    )
    assert value is not None
    return Days(number, np.array([after for after, _ in units], dtype=bool), value, load)


def _average_days(
    of: "NDArray[np.int64]", hours: "NDArray[np.str_]", weekend: "NDArray[np.bool_]", values: "Numbers"
) -> "Numbers":
    """Return the mean of each day; if days have different hours, without the differences between hours."""
    import numpy as np

    if not len(of):
        return values
    days, (names, hour) = int(of.max()) + 1, np.unique(hours, return_inverse=True)
    present, sums = np.zeros((days, len(names))), np.zeros(days)
    np.add.at(present, (of, hour), 1)
    np.add.at(sums, of, values)
    if len(np.unique(present > 0, axis=0)) == len(set(weekend.tolist())):  # the same hours on every day
        sums /= present.sum(axis=1)
        return sums
    rows = np.zeros((len(of), days + len(names)))
    rows[np.arange(len(of)), of] = rows[np.arange(len(of)), days + hour] = 1
    found = np.linalg.lstsq(rows, values, rcond=None)[0]
    of_hour = np.zeros(len(names), dtype=bool)
    of_hour[hour] = weekend[of]
    usual = {each: found[days:][of_hour == each].mean() for each in set(weekend.tolist())}
    means: Numbers = found[:days] + np.array([usual[each] for each in weekend.tolist()])
    return means
