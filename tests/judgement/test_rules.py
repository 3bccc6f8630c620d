"""Every rule by its cases: tests/rules/<area>/<rule>.yml gives states in which it fires and stays silent."""

from pathlib import Path
from typing import Any

import pytest

from advisor.catalogue.rules import Rule, all_rules
from advisor.judge.run import advise
from tests.support.carrying_out import CASES, can_be_undone, cases_of, comes_to_rest, settled
from tests.support.states import state_of, write_capture
from tests.support.written import written

# To judge again what was carried out takes longer than all else, so only the first state of each rule is.
FIRST = {param.values[0].name: param.values[1] for param in reversed(cases_of("fires"))}


@pytest.mark.parametrize(("rule", "case"), cases_of("fires"))
def test_fires(rule: Rule, case: dict[str, Any], tmp_path: Path) -> None:
    """It gives the commands that are expected, is silent when they are carried out, and its undo takes them back."""
    state = settled(state_of(case))
    advice = advise(write_capture(state, tmp_path / "before"), [rule])
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
        for item in case["expect"]
    ]
    assert all({"action", "undo"} <= item.keys() for item in expected), "a firing case says its command and undo"
    assert [{key: have[key] for key in want} for have, want in zip(found, expected, strict=False)] == expected
    assert len(found) == len(expected), found
    if case == FIRST[rule.name]:
        comes_to_rest(state, advice, [rule], tmp_path)
    else:
        can_be_undone(state, advice, tmp_path)


@pytest.mark.parametrize(("rule", "case"), cases_of("silent"))
def test_silent(rule: Rule, case: dict[str, Any], tmp_path: Path) -> None:
    advice = advise(write_capture(state_of(case), tmp_path), [rule])
    assert [item.actions for item in advice.recommendations] == []
    if "not_run" in case:
        assert [reason for _, reason in advice.not_run] == [case["not_run"]]
    else:
        assert advice.not_run == []


def test_base_state_is_silent(tmp_path: Path) -> None:
    advice = advise(write_capture(state_of({}), tmp_path))
    assert [(item.rule.name, item.actions) for item in advice.recommendations] == []
    assert [why for why in advice.not_run if "host fact" not in why[1]] == []


@pytest.mark.parametrize("name", all_rules())
def test_every_rule_has_cases(name: str) -> None:
    rule = all_rules()[name]
    cases = written(CASES / rule.path.parent.name / f"{rule.path.stem}.yml")
    assert cases["fires"], "a state in which it must fire"
    assert cases["silent"], "a state in which it must not"
