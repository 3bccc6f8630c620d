"""Advice that is carried out is not given again, is not contradicted, and can be taken back exactly.

Here of whole captures; of each rule by itself in tests/judgement/test_rules.py.
"""

from pathlib import Path

import pytest

from advisor.judge.run import advise
from tests.support.carrying_out import carry_out, comes_to_rest, settled
from tests.support.interpreter import Interpreter
from tests.support.paths import FIXTURES
from tests.support.states import read_state, write_capture


@pytest.mark.parametrize("fixture", sorted(path.parent.name for path in FIXTURES.glob("*/manifest.json")))
def test_of_a_capture(fixture: str, tmp_path: Path) -> None:
    state = settled(read_state(FIXTURES / fixture))
    comes_to_rest(state, advise(write_capture(state, tmp_path / "before")), None, tmp_path)


@pytest.mark.parametrize("fixture", sorted(path.parent.name for path in FIXTURES.glob("*/manifest.json")))
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
