"""The arithmetic of verification, against known results."""

from itertools import product
from math import log

import numpy as np
import pytest
from scipy.stats import mannwhitneyu, wilcoxon

from advisor.verify import statistics
from advisor.verify.statistics import Point, change, steps

CHANCE = np.random.default_rng(7)
SLOTS = {"night": 0.0, "morning": 0.1, "noon": -0.05}


def series(step: float = 0.0, noise: float = 0.0, days: int = 12, load: bool = False) -> list[Point]:
    """Return days of three slots, changed half-way; with ``load``, the load doubles after the change."""
    found = []
    for day, (slot, offset) in product(range(days), SLOTS.items()):
        after = day >= days // 2
        more = log(2) * after if load else 0.0
        value = offset + step * after + noise * float(CHANCE.normal()) + 0.5 * more
        found.append(Point(day, value, slot, after, more if load else None))
    return found


def autoregressive(correlation: float, count: int) -> "np.ndarray[tuple[int], np.dtype[np.float64]]":
    found = np.zeros(count + 50)
    for number in range(1, count + 50):
        found[number] = correlation * found[number - 1] + CHANCE.normal()
    return found[50:]


def test_a_step_is_found_as_large_as_it_is() -> None:
    found = change(series(0.2))
    assert found and found.estimate == pytest.approx(0.2, abs=1e-3)
    assert (found.before, found.after) == (18, 18)


def test_two_sides_of_other_slots_do_not_differ_for_that() -> None:
    points = [point for point in series() if point.after or point.slot != "noon"]
    found = change(points)
    assert found and found.estimate == pytest.approx(0, abs=0.01)


def test_before_and_after_exchanged_is_the_opposite() -> None:
    points = series(0.1, 0.03)
    there = change(points)
    back = change([Point(-point.day, point.log_value, point.slot, not point.after) for point in points])
    assert there and back and back.estimate == pytest.approx(-there.estimate, rel=1e-6)
    assert there.low < there.estimate < there.high
    assert there.high - there.estimate == pytest.approx(there.estimate - there.low)
    assert change(points, 0.5).error == there.error  # type: ignore[union-attr]
    assert change(points, 0.5).high < there.high  # type: ignore[union-attr]


def test_two_intervals_are_not_a_side() -> None:
    points = [Point(day, 0.01 * day, "night", day >= 3) for day in range(6)]
    assert change(points) and not change(points[:5]) and not change(points[1:])


@pytest.mark.parametrize("correlation", [0.0, 0.5])
def test_correlation_of_neighbours_is_unbiased(correlation: float) -> None:
    found = [
        statistics._correlation(left - left.mean(), 1) for left in (autoregressive(correlation, 60) for _ in range(200))
    ]
    assert np.mean(found) == pytest.approx(correlation, abs=0.08)


def test_the_less_they_are_the_more_is_taken_for_lost() -> None:
    left = np.array([1.0, 2.0, 1.0, -1.0, -2.0, -1.0, 1.0, 0.0])
    assert statistics._correlation(left, 4) > statistics._correlation(left, 1) > 0
    assert statistics._correlation(np.zeros(8), 1) == 0


def test_blocks_grow_with_the_correlation_of_neighbours() -> None:
    lengths = [statistics._block(correlation, 1000) for correlation in (0, 0.2, 0.5, 0.8)]
    assert lengths[0] == 0 and lengths == sorted(lengths)
    # Politis and White (2004): (2 rho / (1 - rho^2))^(2/3) (3/2 n)^(1/3) for the circular bootstrap, as 1.5 x n^(1/3) here
    assert lengths[2] == pytest.approx(1.5 * (4 / 3) ** (2 / 3) * 10)
    assert statistics._block(0.9, 20) == 5  # 25 % at most


def test_error_of_correlated_values_is_their_covariances() -> None:
    left, pull, rho = CHANCE.normal(size=9), CHANCE.normal(size=9), 0.4
    squares = sum(pull[i] * pull[j] * rho ** abs(i - j) for i, j in product(range(9), range(9))) * np.mean(left**2)
    assert statistics._regressive(left, pull, rho) == pytest.approx(squares**0.5)


@pytest.mark.parametrize("block", [1, 4])
def test_blocks_of_unordered_values_have_their_error(block: int) -> None:
    left, pull = CHANCE.normal(size=200), np.repeat([-0.01, 0.01], 100)
    error = (np.mean((left - left.mean()) ** 2) * np.sum(pull**2)) ** 0.5
    assert statistics._bootstrap(left, pull, block) == pytest.approx(error, rel=0.2)


def test_pairs_are_of_one_slot_in_their_order() -> None:
    points = series(0.1, 0.03, days=6)
    sides = {
        slot: [[p.log_value for p in points if p.slot == slot and p.after is after] for after in (False, True)]
        for slot in SLOTS
    }
    pairs = [after - before for earlier, later in sides.values() for before, after in zip(earlier, later, strict=True)]
    assert statistics._test(points) == (9, wilcoxon(pairs).pvalue)
    alone = [Point(p.day, p.log_value, str(p.day), p.after) for p in points]
    before, after = ([p.log_value for p in points if p.after is side] for side in (False, True))
    assert statistics._test(alone) == (0, mannwhitneyu(before, after).pvalue)
    assert statistics._test([Point(day, 1.0, "night", day >= 5) for day in range(10)]) == (5, 1.0)


def test_step_in_time_is_located_but_not_one_of_the_load() -> None:
    points = series(0.3, 0.01)
    found = steps(points, 3, len(points) - 3)
    assert found and found.first <= found.at == 18 <= found.last and found.last - found.first <= 2
    assert steps(series(-0.3, 0.01), 3, 33) is None or steps(series(-0.3, 0.01), 3, 33).at != 18  # type: ignore[union-attr]
    explained = steps(series(0, 0.001, load=True), 3, 33)
    assert explained is None or explained.last - explained.first > 20  # it may be at any position
    assert steps(points, 5, 4) is None
