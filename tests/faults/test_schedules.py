"""Faults at every point of file writes; ``python -m tools.trials.faults.schedules`` tries more."""

import subprocess
import sys

import pytest

from tests.support.paths import ROOT


def _survived(*arguments: str) -> None:
    command = [sys.executable, "-m", "tools.trials.faults.schedules", *arguments]
    done = subprocess.run(command, check=False, capture_output=True, text=True, cwd=ROOT, timeout=1800)
    assert done.returncode == 0, done.stdout + done.stderr


def test_some_faults_survive() -> None:
    _survived("60")


@pytest.mark.full
def test_more_faults_survive() -> None:
    """Run 200 schedules; ``make trust`` runs all."""
    _survived("200")
