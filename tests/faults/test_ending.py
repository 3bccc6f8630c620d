"""Termination of the program by a signal; ``python -m tools.trials.faults signals`` tries more cases."""

import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from advisor import patience
from advisor.nightly import config, database
from advisor.nightly.clock import Clock
from tests.support.paths import ROOT

WORK = """
import os, signal, sys, threading, time
from advisor import ending
from advisor.cli import main
@main.main.command("work")
def work():
    {}
{}
main.program()
"""
LONG = """from advisor.catalogue.embedded import Tables
    tables = Tables()
    print("begun", flush=True)
    tables.execute("WITH RECURSIVE N (I) AS (VALUES (1) UNION ALL SELECT I + 1 FROM N) SELECT COUNT(*) FROM N")"""
STUCK = """try:
        print("begun", flush=True)
        time.sleep(60)
    finally:
        time.sleep(60)"""
IGNORED = """print("begun", flush=True)
    time.sleep(0.5)"""


def _told(work: str, number: signal.Signals, before: str = "") -> tuple[int, str]:
    """Return the exit status and output of a command that gets a signal during its work."""
    command = [sys.executable, "-c", WORK.format(work, before), "work"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, cwd=ROOT) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "begun\n"
        time.sleep(0.2)
        process.send_signal(number)
        _, said = process.communicate(timeout=30)
    return process.returncode, said


EARLY = """
import os, signal, sys
class Interrupted:
    def find_spec(self, name, *_):
        if name == "advisor.cli":
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Interrupted())
from advisor.start import program
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows ends a process with another status")
def test_interrupt_during_the_imports_prints_no_traceback() -> None:
    done = subprocess.run([sys.executable, "-c", EARLY], check=False, capture_output=True, text=True, cwd=ROOT)
    assert (done.returncode, done.stderr) == (-signal.SIGINT, "")


def test_ended_statement_is_not_an_internal_error() -> None:
    assert _told(LONG, signal.SIGTERM) == (143, "db2tune: ended by SIGTERM\n")


def test_what_does_not_end_is_left() -> None:
    """Processes of tests under nohup would ignore the signal too."""
    before = "signal.signal(signal.SIGHUP, signal.SIG_DFL); ending.GRACE_S = 0.2"
    assert _told(STUCK, signal.SIGHUP, before) == (129, "db2tune: ended by SIGHUP\n")


def test_nohup_is_respected() -> None:
    assert _told(IGNORED, signal.SIGHUP, "signal.signal(signal.SIGHUP, signal.SIG_IGN)") == (0, "")


class End(BaseException):
    """The exception that a signal raises."""


@pytest.fixture
def nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    """Empty the list of threads to wake, during and after the test."""
    monkeypatch.setattr(patience, "_woken", [])


def test_threads_that_wait_are_woken_once(nobody: None) -> None:
    said: list[str] = []

    def work() -> None:
        for seconds in (30, 0.01):  # the second signal arrives during the exit
            try:
                patience.pause(seconds)
                said.append("waited")
            except End:
                said.append("woken")

    thread = threading.Thread(target=work)
    thread.start()
    while not patience._waiting:
        time.sleep(0.001)
    patience.wake(End())
    thread.join(10)
    assert said == ["woken", "waited"]


def test_night_ended_by_a_signal_is_not_a_failed_one(
    nobody: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def run(*_: object) -> None:
        patience.wake(End())
        raise RuntimeError("Query interrupted")

    monkeypatch.setattr(database, "_run", run)
    text = '[store]\npath = "store"\n[[database]]\nname = "A"\nurl = "db2://me@127.0.0.1:1/A"\n'
    (tmp_path / "nightly.toml").write_text(text, encoding="utf-8")
    (one,) = config.read(tmp_path / "nightly.toml").databases
    with pytest.raises(End):
        database.run(one, tmp_path, Clock())


def _survived(*what: str) -> None:
    command = [sys.executable, "-m", "tools.trials.faults", *what]
    done = subprocess.run(command, check=False, capture_output=True, text=True, cwd=ROOT, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr


def test_signals_at_some_moments() -> None:
    _survived("signals", "2")


@pytest.mark.full
def test_signals_at_some_requests() -> None:
    _survived("requests", "3")


@pytest.mark.full
def test_commands_against_themselves() -> None:
    _survived("once", "2")
