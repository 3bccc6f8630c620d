"""A sample of the rates in docs/verification.md; ``python -m tests.verify.rates`` measures it on more histories."""

from dataclasses import replace

import pytest

from advisor.verify.verdict import CONFIRMED, HARMFUL
from tests.verify.histories import Kind
from tests.verify.rates import NOTHING, followed, rates


@pytest.mark.parametrize(
    ("effect", "expected"), [(0.1, HARMFUL), (-0.07, CONFIRMED), (-0.14, CONFIRMED), (-0.43, CONFIRMED)]
)
def test_an_effect_is_found_night_after_night(effect: float, expected: str) -> None:
    assert {followed(replace(Kind(), effect=effect), seed)[0] for seed in range(5000, 5004)} == {expected}


@pytest.mark.full
@pytest.mark.parametrize(
    "name", ["nights that differ by 3 %", "30 % less load after the change, which speeds everything up"]
)
def test_false_alarms_are_few(name: str) -> None:
    found = rates(NOTHING[name], range(7000, 7040))
    assert found.share(HARMFUL) + found.share(CONFIRMED) <= 0.1  # 5 % of 40, plus a margin for chance


@pytest.mark.full
def test_harm_is_found() -> None:
    assert rates(Kind(effect=0.1), range(8000, 8040)).share(HARMFUL) >= 0.95
