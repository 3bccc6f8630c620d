"""A rank refers to the printed list, whatever changes in the database meanwhile."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from advisor import progress
from advisor.cli.main import main
from tests.wire.conftest import Server

pytestmark = pytest.mark.full

INTERVAL_S = 300


def _first(list_: str) -> tuple[str, list[str]]:
    first = json.loads(list_)["recommendations"][0]
    return first["rule"], [step["text"] for step in first["actions"]]


def test_a_ticket_is_of_the_list_that_was_shown(
    steered: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "pause", steered.advance)
    monkeypatch.setenv("DB2TUNE_RUNS", str(tmp_path))
    shown = steered.tune("advise", "--interval", str(INTERVAL_S), "--format", "json")
    assert shown.stderr.endswith("Kept as run 1: db2tune ticket --run 1 --rank 1\n")
    rule, (command,) = _first(shown.stdout)
    steered.say(command)
    now = steered.tune("advise", "--interval", str(INTERVAL_S), "--format", "json")
    assert _first(now.stdout)[0] != rule
    for run in ("1", "2"):
        ticket = CliRunner().invoke(main, ["ticket", "--run", run, "--rank", "1"])
        assert (ticket.exit_code, rule in ticket.stdout) == (0, run == "1")


def test_a_run_inside_is_read_again(installed: Server) -> None:
    inside = ["--in-database", "--format", "json"]
    shown = installed.tune("advise", *inside, "--interval", "0")
    assert shown.exit_code == 0, shown.output
    installed.advance(INTERVAL_S)
    drawn = installed.tune("advise", "--in-database", "--interval", "0", "--format", "html")
    assert (drawn.exit_code, 'id="containers"' in drawn.stdout, "Not drawn here" in drawn.stdout) == (0, True, False)
    again = installed.tune("advise", *inside, "--run", "1")
    assert (again.exit_code, again.stdout) == (0, shown.stdout)
    last, second = (installed.tune("advise", *inside, "--run", run) for run in ("last", "2"))
    assert last.stdout == second.stdout
    for run, said in (("3", "no such run"), ("x.capture", "use a number of TUNE.RUN")):
        done = installed.tune("advise", *inside, "--run", run)
        assert (done.exit_code, done.stdout, said in done.stderr) == (2, "", True), done.output
