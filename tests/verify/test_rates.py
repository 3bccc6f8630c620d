"""A sample of the rates in docs/verification.md; ``python -m tests.verify.rates`` measures it on more histories."""

from collections import Counter
from dataclasses import replace
from functools import partial

import pytest

from advisor.capture.lessons import CONFIRMED, HARMFUL, INCONCLUSIVE
from advisor.verify.verdict import judge
from tests.verify.histories import Kind, history
from tests.verify.rates import HOURS, NOTHING, compare_captures, follow_nights, rates

WALK = Kind(walk=0.01, deviation=0.01)


@pytest.mark.parametrize(
    ("kind", "days", "most"),
    [
        (HOURS, 1, 0), (HOURS, 2, 0), (HOURS, 4, 1), (Kind(growth=0.005), 7, 2), (Kind(growth=-0.005), 14, 3),
        (WALK, 14, 2),
    ],
)  # fmt: skip
def test_false_verdicts_on_captures_are_few(kind: Kind, days: int, most: int) -> None:
    """Allow 5 % of 40; intervals as units gave 3 to 17 of 60 false verdicts."""
    found = Counter(compare_captures(kind, days, seed)[0] for seed in range(40))
    assert found[HARMFUL] + found[CONFIRMED] <= most


def test_hours_of_two_days_are_not_compared() -> None:
    verdict = judge(*history(HOURS, 1, 2, 2))
    assert (verdict.verdict, verdict.figure, verdict.further) == (INCONCLUSIVE, None, None)
    assert judge(*history(HOURS, 1, 4, 1)).further == 2


@pytest.mark.parametrize(("effect", "expected"), [(0.2, HARMFUL), (-0.2, CONFIRMED), (-0.43, CONFIRMED)])
def test_an_effect_is_found_night_after_night(effect: float, expected: str) -> None:
    assert {follow_nights(replace(Kind(), effect=effect), seed)[0] for seed in range(5000, 5004)} == {expected}


@pytest.mark.full
@pytest.mark.parametrize("name", ["days that differ by 3 %", "growth of 0.5 % per day", "a random walk of 1 % per day"])
def test_false_verdicts_night_after_night_are_few(name: str) -> None:
    found = rates(partial(follow_nights, NOTHING[name]), range(7000, 7060))
    assert found.share(HARMFUL) + found.share(CONFIRMED) <= 0.1  # 5 % of 60, plus a margin for chance
