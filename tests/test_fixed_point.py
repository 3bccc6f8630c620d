"""Advice that is carried out is not given again, is not contradicted, and can be taken back exactly.

Commands are carried out by tests/interpreter.py. What a person must do changes no state, so a rule whose
action is text alone has nothing to prove here.
"""

from pathlib import Path
from typing import Any

import pytest

from advisor.engine import advise
from advisor.rulebook import Rule
from tests.carrying_out import (
    carry_out,
    difference,
    files,
    firing_cases,
    has_commands,
    returned,
    settled,
    take_back,
)
from tests.interpreter import Interpreter
from tests.states import State, read_state, state_of, write_capture

FIXTURES = Path(__file__).parent.parent / "fixtures"
MOST_STEPS = 12  # doublings from the smallest size that is ever met to the largest that is advised


def _check(state: State, rules: list[Rule] | None, target: Path) -> None:
    state = settled(state)
    advice = before = advise(write_capture(state, target / "before"), rules)
    interpreter = Interpreter(state.copy())
    for number in range(MOST_STEPS):
        done = carry_out(interpreter, advice)
        if not done:
            break
        advice = advise(write_capture(interpreter.state, target / str(number)), rules)
        assert returned(done, advice) == []
    else:
        assert not done, "goes on for ever"

    interpreter = Interpreter(state.copy())
    take_back(interpreter, carry_out(interpreter, before, reversible=True))
    assert difference(files(state, target / "old"), files(interpreter.state, target / "undone")) == []

    for item in before.ranked:
        assert item.undo or not has_commands(item.actions), f"{item.rule.name} does not say how to take it back"


@pytest.mark.parametrize("fixture", sorted(path.name for path in FIXTURES.iterdir() if path.is_dir()))
def test_of_a_capture(fixture: str, tmp_path: Path) -> None:
    _check(read_state(FIXTURES / fixture), None, tmp_path)


@pytest.mark.parametrize(("rule", "case"), firing_cases())
def test_of_a_rule(rule: Rule, case: dict[str, Any], tmp_path: Path) -> None:
    _check(state_of(case), [rule], tmp_path)


@pytest.mark.parametrize("fixture", sorted(path.name for path in FIXTURES.iterdir() if path.is_dir()))
def test_a_capture_read_is_the_capture_written(fixture: str, tmp_path: Path) -> None:
    written = write_capture(read_state(FIXTURES / fixture), tmp_path)
    assert {path.name: path.read_bytes() for path in written.iterdir()} == {
        path.name: path.read_bytes() for path in (FIXTURES / fixture).iterdir()
    }


def test_the_papers_machine_needs_one_round(tmp_path: Path) -> None:
    interpreter = Interpreter(settled(read_state(FIXTURES / "x445-8way")))
    done = carry_out(interpreter, advise(FIXTURES / "x445-8way"))
    assert len(done) == 5
    assert [item.actions for item in advise(write_capture(interpreter.state, tmp_path)).ranked] == []
