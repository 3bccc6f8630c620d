"""Executed advice on whole captures: not repeated, not contradicted, and exactly undone.

tests/judgement/test_rules.py checks each rule alone.
"""

import pytest

from tests.standin.commands import Interpreter
from tests.support.advised import advised
from tests.support.carrying_out import carry_out, comes_to_rest, returned, settle_state
from tests.support.paths import CAPTURES, NAMES
from tests.support.states import capture_files, read_state
from tests.support.stepwise import Steps, stepwise


@pytest.mark.parametrize("fixture", NAMES)
@stepwise
def test_of_a_capture(fixture: str) -> Steps:
    state = settle_state(read_state(CAPTURES / fixture))
    advice = yield state
    yield from comes_to_rest(state, advice)


@pytest.mark.parametrize("fixture", NAMES)
def test_a_capture_read_is_the_capture_written(fixture: str) -> None:
    files = {path.name: path.read_bytes().decode() for path in (CAPTURES / fixture).iterdir()}
    assert capture_files(read_state(CAPTURES / fixture)) == files


@stepwise
def test_the_papers_machine_needs_one_round() -> Steps:
    interpreter = Interpreter(settle_state(read_state(CAPTURES / "x445-8way")))
    done = carry_out(interpreter, advised("x445-8way"))
    assert len(done) == 5
    advice = yield interpreter.state
    # its counters still show spills: the rest is the next step of the sort size
    assert returned(done, advice) == []
    assert {item.rule.name for item in advice.ranked} == {"memory.sort-overflow"}
