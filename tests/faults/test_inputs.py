"""Damaged inputs, and losses on the way to the database; ``python -m tools.trials.faults`` tries more."""

import subprocess
import sys

import pytest

from tests.support.paths import ROOT
from tools.trials.faults import fuzz


@pytest.mark.parametrize("kind", fuzz.QUICK, ids=lambda kind: kind.name)
def test_what_is_damaged_is_refused_in_a_line(kind: fuzz.Input) -> None:
    assert [str(each) for each in fuzz.tried(kind, range(30)) if each.why] == []


@pytest.mark.parametrize(
    ("name", "seed"),
    [
        pytest.param("texts", 656, id="containers without their type next to file systems"),
        pytest.param("texts", 681, id="the column that identifies the database is missing"),
        pytest.param("captures in a file", 244, id="a file without a name in a zip"),
        pytest.param("CSV", 73, id="a cell as long as a book"),
        pytest.param("options of a site", 240, id="an option as long as a page"),
    ],
)
def test_what_once_failed(name: str, seed: int) -> None:
    (kind,) = (each for each in fuzz.INPUTS if each.name == name)
    assert [str(each) for each in fuzz.tried(kind, range(seed, seed + 1)) if each.why] == []


@pytest.mark.full
@pytest.mark.parametrize("kind", fuzz.INPUTS, ids=lambda kind: kind.name)
def test_sample_of_the_pages_faults(kind: fuzz.Input) -> None:
    assert [str(each) for each in fuzz.tried(kind, range(kind.seeds // 10)) if each.why] == []


@pytest.mark.full
@pytest.mark.parametrize("what", [("numbers", "80"), ("wire", "8")], ids=lambda what: what[0])
def test_some_of_it_survives(what: tuple[str, ...]) -> None:
    """Run in another process: IBM's driver may crash on a garbled answer, and hang on a missing one."""
    command = [sys.executable, "-m", "tools.trials.faults", *what]
    done = subprocess.run(command, check=False, capture_output=True, text=True, cwd=ROOT, timeout=1200)
    assert done.returncode == 0, done.stdout + done.stderr
