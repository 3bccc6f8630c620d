"""The command ``watch`` over the wire."""

import pytest

from advisor import progress
from advisor.report.summary import LINES
from tests.wire.conftest import Server

pytestmark = pytest.mark.full


def test_watch_marks_changes_and_ends_with_ctrl_c(steered: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    rounds = []

    def wait(seconds: float) -> None:
        rounds.append(seconds)
        if len(rounds) == 3:
            raise KeyboardInterrupt
        if len(rounds) == 2:
            steered.say('ALTER TABLESPACE "EMPLOYEE_TABLE" PREFETCHSIZE 48')
        steered.advance(seconds)

    monkeypatch.setattr(progress, "pause", wait)
    done = steered.tune("watch", "--interval", "300")
    assert (done.exit_code, done.stderr, rounds) == (0, "", [300, 300, 300])
    first, second = done.stdout.split("HRDB on ")[1:]
    assert max(first.count("\n"), second.count("\n")) <= LINES + 8
    title = "Prefetch size does not use all disks: table space EMPLOYEE_TABLE"
    (gone,) = [line for line in second.splitlines() if title in line]
    assert gone.startswith("Gone        #")
    assert title[:36] in first
    assert "Gone" not in first
    assert not any(line.startswith("New ") for line in first.splitlines())
