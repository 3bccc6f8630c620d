"""Managed platforms: every command is one that the platform accepts, takes effect there and can be undone."""

from typing import Any

import pytest

from advisor.catalogue.rules import Rule, all_rules
from tests.standin.commands.platforms import ManagedHands
from tests.support.carrying_out import carry_out, difference, files, first_cases, has_commands, settle_state, take_back
from tests.support.paths import CAPTURES, NAMES
from tests.support.states import State, read_state, state_of
from tests.support.together import Steps, together

PLATFORMS = ("rds", "saas", "db2u")


def managed(state: State, runs_on: str) -> State:
    state = settle_state(state)
    state.site = {**state.site, "runs_on": runs_on.upper()}
    return state


def can_be_carried_out(state: State, runs_on: str, rules: list[Rule]) -> Steps:
    """Assert that a platform accepts each command and each undo, and that the undo restores the state."""
    advice = yield state, rules
    hands = ManagedHands(runs_on, state.copy())
    done = carry_out(hands, advice, reversible=True)
    carry_out(ManagedHands(runs_on, state.copy()), advice)
    take_back(hands, done)
    assert difference(files(state), files(hands.state)) == []
    for item in advice.ranked:
        assert item.actions, f"{item.rule.name}: nothing to do"
        assert item.undo or not has_commands(item.actions), f"{item.rule.name}: no undo"


@pytest.mark.full
@pytest.mark.parametrize("runs_on", PLATFORMS)
@pytest.mark.parametrize(("rule", "case"), first_cases())
@together
def test_of_a_rule(rule: Rule, case: dict[str, Any], runs_on: str) -> Steps:
    yield from can_be_carried_out(managed(state_of(case), runs_on), runs_on, [rule])


@pytest.mark.parametrize("runs_on", PLATFORMS)
@pytest.mark.parametrize("fixture", NAMES)
@together
def test_of_a_capture(fixture: str, runs_on: str) -> Steps:
    yield from can_be_carried_out(managed(read_state(CAPTURES / fixture), runs_on), runs_on, list(all_rules().values()))
