"""Every rule by its cases: tests/rules/<area>/<rule>.yml gives states in which it fires and stays silent."""

from pathlib import Path
from typing import Any

import pytest

from advisor.catalogue.rules import Rule, all_rules
from advisor.judge.advice import Advice
from advisor.judge.run import advise
from tests.support.carrying_out import CASES, cases_of, comes_to_rest, settled
from tests.support.states import base_state, state_of, write_capture
from tests.support.together import Steps, together
from tests.support.written import written

FIRST = {param.values[0].name: param for param in reversed(cases_of("fires"))}


@pytest.mark.parametrize(("rule", "case"), cases_of("fires"))
@together
def test_fires(rule: Rule, case: dict[str, Any]) -> Steps:
    """It gives the commands that are expected, is silent when they are carried out, and its undo takes them back."""
    state = settled(state_of(case))
    advice = yield state, [rule]
    _is_expected(advice, case["expect"])
    yield from comes_to_rest(state, advice, [rule])


@pytest.mark.parametrize(("rule", "case"), FIRST.values())
def test_fires_by_itself(rule: Rule, case: dict[str, Any], tmp_path: Path) -> None:
    """A capture on disk, judged alone by the one rule, gets the same."""
    _is_expected(advise(write_capture(settled(state_of(case)), tmp_path), [rule]), case["expect"])


def _is_expected(advice: Advice, items: list[dict[str, Any]]) -> None:
    assert advice.not_run == []
    found = [
        {
            "object": f"{item.object_type} {item.object_name}",
            "lane": item.lane,
            "action": item.actions,
            "undo": item.undo,
            "benefit": round(item.benefit, 1),
        }
        for item in advice.recommendations
        if item.superseded_by != "benefit below the floor"
    ]
    expected = [
        {key: [value] if key in ("action", "undo") and isinstance(value, str) else value for key, value in item.items()}
        for item in items
    ]
    assert all({"action", "undo"} <= item.keys() for item in expected), "a firing case says its command and undo"
    assert [{key: have[key] for key in want} for have, want in zip(found, expected, strict=False)] == expected
    assert len(found) == len(expected), found


@pytest.mark.parametrize(("rule", "case"), cases_of("silent"))
@together
def test_silent(rule: Rule, case: dict[str, Any]) -> Steps:
    advice = yield state_of(case), [rule]
    assert [item.actions for item in advice.recommendations] == []
    if "not_run" in case:
        assert [reason for _, reason in advice.not_run] == [case["not_run"]]
    else:
        assert advice.not_run == []


@together
def test_base_state_is_silent() -> Steps:
    advice = yield base_state()
    assert [(item.rule.name, item.actions) for item in advice.recommendations] == []
    assert [why for why in advice.not_run if "host fact" not in why[1]] == []


@pytest.mark.parametrize("name", all_rules())
def test_every_rule_has_cases(name: str) -> None:
    rule = all_rules()[name]
    cases = written(CASES / rule.path.parent.name / f"{rule.path.stem}.yml")
    assert cases["fires"], "a state in which it must fire"
    assert cases["silent"], "a state in which it must not"
