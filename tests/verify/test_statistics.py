"""The arithmetic of verification, against known results."""

from dataclasses import replace

import numpy as np
import pytest

from advisor.verify import statistics
from advisor.verify.days import MOST, Point, group_days
from advisor.verify.statistics import change, find_step, project_half_width

MONDAY = 4  # 1970-01-05
HOURS = {"09h": 0.0, "10h": 0.1, "11h": -0.05}


def series(
    step: float = 0.0,
    noise: float = 0.0,
    before: int = 14,
    after: int = 14,
    growth: float = 0.0,
    load: float = 0.0,
    seed: int = 7,
) -> list[Point]:
    """Return one interval per day with a change; the load grows by ``load`` and slows each activity by half of it."""
    draw = np.random.default_rng(seed)
    found = []
    for day in range(-before, after):
        changed = day >= 0
        busy = load * changed + 0.1 * float(draw.normal())
        value = step * changed + growth * day + noise * float(draw.normal()) + 0.5 * busy * bool(load)
        found.append(Point(MONDAY + 700 + day, value, "", changed, busy if load else None))
    return found


def by_hour(points: list[Point], hours: dict[str, float], per_hour: float = 0.0) -> list[Point]:
    """Return several intervals of each day, with their hours' differences and a deviation of each."""
    draw = np.random.default_rng(1)
    return [
        replace(point, hour=hour, log_value=point.log_value + offset + per_hour * float(draw.normal()))
        for point in points
        for hour, offset in hours.items()
    ]


@pytest.mark.parametrize("step", [0.2, -0.2])
def test_step_without_noise_is_measured_exactly(step: float) -> None:
    found = change(series(step))
    assert found
    assert found.estimate == pytest.approx(step, abs=1e-3)
    assert (found.before, found.after) == (14, 14)
    assert found.high - found.low < 0.01


def test_more_intervals_of_a_day_do_not_narrow_bounds() -> None:
    points = series(0.1, 0.03)
    one, many = change(points), change(by_hour(points, HOURS))
    assert one and many
    assert (many.low, many.high) == pytest.approx((one.low, one.high))
    assert (many.before, many.after) == (one.before, one.after)


def test_different_hours_of_days_are_not_a_change() -> None:
    points = [
        point for point in by_hour(series(0.0, 0.001), HOURS) if point.hour != ("10h" if point.day % 2 else "11h")
    ]
    found = change(points)
    assert found
    assert found.estimate == pytest.approx(0, abs=0.003)
    assert found.high - found.low < 0.02


def test_growth_over_both_sides_is_not_a_change() -> None:
    found = change(series(0.0, 0.005, growth=0.01))
    assert found
    assert abs(found.estimate) < 0.02
    assert found.low < 0 < found.high


def test_random_walk_widens_the_bounds() -> None:
    draw = np.random.default_rng(3)
    walk = np.cumsum(0.02 * draw.normal(size=28))
    points = [replace(point, log_value=float(value)) for point, value in zip(series(), walk, strict=True)]
    shuffled = [
        replace(point, log_value=float(value)) for point, value in zip(points, draw.permutation(walk), strict=True)
    ]
    found, other = change(points), change(shuffled)
    assert found and other
    assert found.fit.weight[-2:].sum() > other.fit.weight[-2:].sum()


def test_weekdays_alike_on_both_sides_cancel_out() -> None:
    points = [replace(p, log_value=p.log_value + 0.3 * (p.day % 7 == MONDAY)) for p in series(0.05, 0.005)]
    found = change(points)
    assert found
    assert found.estimate == pytest.approx(0.05, abs=0.02)
    assert found.low > 0


def test_swapping_the_sides_gives_the_opposite() -> None:
    points = series(0.1, 0.03)
    there = change(points)
    back = change([replace(point, day=2 * (MONDAY + 700) - 1 - point.day, after=not point.after) for point in points])
    assert there and back
    assert back.estimate == pytest.approx(-there.estimate, abs=0.01)  # weekdays and the walk's begin differ
    assert there.high - there.estimate == pytest.approx(there.estimate - there.low)


def test_higher_level_widens_the_bounds() -> None:
    points = series(0.1, 0.03)
    wide, narrow = change(points, 0.99), change(points, 0.5)
    assert wide and narrow
    assert wide.estimate == narrow.estimate
    assert wide.low < narrow.low < narrow.high < wide.high


def test_side_with_two_days_gives_no_change() -> None:
    assert change(series(before=3, after=3))
    assert change(series(before=3, after=2)) is None
    assert change(by_hour(series(before=2, after=14), HOURS)) is None


def test_outliers_count_as_three_deviations() -> None:
    points = series(0.0, 0.01)
    burst = [replace(point, log_value=point.log_value + 2.0 * (n in (3, 20))) for n, point in enumerate(points)]
    calm, found = change(points), change(burst)
    assert calm and found
    assert abs(found.estimate - calm.estimate) < 0.02
    assert found.high - found.low < 2 * (calm.high - calm.low)


def test_effect_of_the_load_is_not_a_change() -> None:
    found = change(series(0.0, 0.002, load=0.2))
    assert found
    assert abs(found.estimate) < 0.02
    without = change([replace(point, log_load=None) for point in series(0.0, 0.002, load=0.2)])
    assert without
    assert without.estimate > 0.05


def test_load_that_speeds_up_is_ignored() -> None:
    points = [replace(point, log_value=-point.log_value) for point in series(0.0, 0.002, load=0.2)]
    assert change(points) == change([replace(point, log_load=None) for point in points])


def test_only_the_nearest_days_count() -> None:
    days = group_days(series(before=MOST + 10, after=MOST + 5))
    assert (days.count(False), days.count(True)) == (MOST, MOST)
    assert int(days.number[MOST]) == MONDAY + 700


def test_hours_are_averaged_within_their_kind_of_day() -> None:
    points = by_hour(series(before=14, after=7), HOURS)
    weekend = [replace(p, hour=f"weekend {p.hour}", log_value=p.log_value + 1) for p in points if (p.day + 3) % 7 >= 5]
    days = group_days([p for p in points if (p.day + 3) % 7 < 5] + weekend)
    mean = sum(HOURS.values()) / 3
    assert days.value == pytest.approx([mean + float(each >= 5) for each in days.weekday])


def test_expected_bounds_narrow_with_more_days() -> None:
    found = change(series(0.0, 0.03, after=4))
    assert found
    widths = [project_half_width(found, more) for more in (1, 7, 28)]
    assert widths == sorted(widths, reverse=True)
    longer = change(series(0.0, 0.03, after=32))
    assert longer
    assert widths[-1] == pytest.approx((longer.high - longer.low) / 2, rel=0.6)


def test_step_in_time_is_located() -> None:
    days = group_days([replace(point, after=False) for point in series(0.3, 0.02)])
    found = find_step(days, 3, 25)
    assert found
    assert found.first <= found.at == 14 <= found.last
    assert found.last - found.first <= 2


def test_fall_and_growth_are_not_a_rise() -> None:
    fall = find_step(group_days([replace(p, after=False) for p in series(-0.3, 0.02)]), 3, 25)
    assert fall is None or fall.at != 14
    growth = find_step(group_days([replace(p, after=False) for p in series(0.0, 0.02, growth=0.01)]), 3, 25)
    assert growth is None or growth.last - growth.first > 5
    assert find_step(group_days(series()), 5, 4) is None


def test_student_quantile_needs_a_degree_of_freedom() -> None:
    assert statistics._quantile(0.95, 0) == statistics._quantile(0.95, 1) == pytest.approx(12.706, abs=1e-3)
