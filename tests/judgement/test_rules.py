"""Every rule with its cases: tests/rules/<area>/<rule>.yml contains states in which it fires and stays silent."""

from pathlib import Path
from typing import Any

import pytest

from advisor.catalogue.rules import Rule, all_rules
from advisor.judgement.cases import FIRES, SILENT, find_differences, read_cases
from advisor.judgement.run import advise
from tests.support.carrying_out import cases_of, edges, fires, first_cases, is_at_edge, is_silent, settle_state
from tests.support.paths import CASES
from tests.support.states import base_state, state_of, write_capture
from tests.support.stepwise import Steps, stepwise

ONE_PER_AREA = {param.values[0].path.parent.name: param for param in first_cases()}.values()


@pytest.mark.parametrize(("rule", "case"), cases_of("fires"))
@stepwise
def test_fires(rule: Rule, case: dict[str, Any]) -> Steps:
    yield from fires(rule, case)


@pytest.mark.full
@pytest.mark.parametrize(("rule", "case"), ONE_PER_AREA)
def test_fires_by_itself(rule: Rule, case: dict[str, Any], tmp_path: Path) -> None:
    """A capture on disk, judged by this rule alone, gets the same result."""
    assert find_differences(FIRES, case, advise(write_capture(settle_state(state_of(case)), tmp_path), [rule])) == []


@pytest.mark.parametrize(("rule", "case"), cases_of("silent"))
@stepwise
def test_silent(rule: Rule, case: dict[str, Any]) -> Steps:
    yield from is_silent(rule, case)


@pytest.mark.parametrize(("rule", "kind", "case"), edges())
@stepwise
def test_edge(rule: Rule, kind: str, case: dict[str, Any]) -> Steps:
    yield from is_at_edge(rule, kind, case)


@stepwise
def test_base_state_is_silent() -> Steps:
    advice = yield base_state()
    assert [(item.rule.name, item.actions) for item in advice.recommendations] == []
    assert [why for why in advice.not_run if "host fact" not in why[1]] == []


FILES = {f"{path.parent.name}.{path.stem}": path for path in CASES.glob("*/*.yml")}


@pytest.mark.parametrize("name", sorted(all_rules().keys() | FILES))
def test_every_rule_has_cases(name: str) -> None:
    area, _, file = name.partition(".")
    assert name in all_rules(), f"add the rule of these cases: sql/rules/{area}/{file}.sql"
    assert name in FILES, f"add the cases of this rule: tests/rules/{area}/{file}.yml"
    kinds = {kind for kind, _ in read_cases(FILES[name])}
    assert kinds == {FIRES, SILENT}, f"tests/rules/{area}/{file}.yml: add states in which it fires, and is silent"
