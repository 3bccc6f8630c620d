"""Databases on which rules compete: contests.yml lists the recommendations that win."""

from typing import Any

import pytest

from tests.support.carrying_out import settle_state
from tests.support.data_files import written
from tests.support.paths import ROOT
from tests.support.states import state_of
from tests.support.stepwise import Steps, stepwise

CASES = written(ROOT / "tests" / "judgement" / "contests.yml")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
@stepwise
def test_the_right_recommendation_wins(case: dict[str, Any]) -> Steps:
    state = {name: value for name, value in case.items() if name not in ("expect", "without")}
    advice = yield settle_state(state_of(state))
    found = [
        {
            "rule": item.rule.name,
            "object": f"{item.object_type} {item.object_name}",
            "lane": item.lane,
            "benefit": round(item.benefit, 1),
            "action": item.actions,
        }
        for item in advice.ranked
    ]
    listed = iter(found)
    for wanted in case["expect"]:
        assert any(item.items() >= wanted.items() for item in listed), (wanted, found)
    assert {item["rule"] for item in found}.isdisjoint(case.get("without", ()))
