"""The first contact with a server, against the fake server: every step works, and nothing secret is kept."""

import re
import tarfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from advisor.cli.main import main
from advisor.nightly.clock import Clock
from tests.support.clp import install_program
from tests.wire.conftest import CAPTURES, Server, standin
from tools.container import sample
from tools.container.__main__ import prepare_standin
from tools.container.clp import LocalClp
from tools.container.contact import TABLE, Contact, Ended, Step, find_reason, pack, read_steps
from tools.container.kinds import create_database, db2, read_data
from tools.container.login import Login

INTERVAL_S = 1
HARMLESS = {"settings": 'db2 connect to $DB\ndb2 "UPDATE DB CFG FOR $DB USING MON_REQ_METRICS NONE"\n'}


def _run_here(arguments: Sequence[str], folder: Path, password: str) -> Ended:
    """Run db2tune in this process, which knows few rules."""
    runner = CliRunner(env={"DB2TUNE_PASSWORD": password})
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        done = runner.invoke(main, arguments)
    return done.exit_code, done.output


@pytest.fixture
def server() -> Iterator[Server]:
    yield from standin(CAPTURES / "webshop")


def _contact(server: Server, folder: Path) -> Contact:
    assert server.standin is not None
    login = Login("127.0.0.1", server.standin.port, server.standin.database, "db2inst1", server.password)
    (folder / "programs").mkdir()
    return Contact(login, prepare_standin(login, folder / "programs"), folder / "results", INTERVAL_S, _run_here)


@pytest.mark.full
def test_every_step_works_on_the_fake_server(
    server: Server, compiled: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, number in (("ORDERS", 300), ("ROUNDS", 1), ("LITERALS", 10)):
        monkeypatch.setattr(sample, name, number)
    monkeypatch.setattr(Clock.__init__, "__defaults__", (Clock.now, server.advance))
    steps = [replace(step, command=HARMLESS.get(step.name, step.command)) for step in read_steps()]
    contact = _contact(server, tmp_path)
    results = contact.run(str, steps)
    assert [f"{result.step.name}: {result.reason}" for result in results if result.reason] == []
    assert (contact.folder / TABLE).read_text().count("| worked |") == len(steps)
    assert all((contact.folder / step.file).exists() for step in steps)
    with tarfile.open(pack(contact.folder)) as archive:
        packed = {entry.name for entry in archive}
        contents = [file.read() for entry in archive if (file := archive.extractfile(entry))]
    assert {f"results/{step.file}" for step in steps} <= packed
    assert not [text for text in contents if server.password.encode() in text]


def test_steps_continue_after_errors_and_hide_the_password(tmp_path: Path) -> None:
    steps = [
        Step("ends", "tune", "1.txt", "sql no-such-option"),
        Step("raises", "nothing", "2.txt"),
        Step("prints", "text", "3.txt", "secret and more"),
    ]
    contact = Contact(Login("127.0.0.1", 1, "X", "u", "secret"), LocalClp(tmp_path), tmp_path / "results")
    ends, raises, prints = contact.run(str, steps)
    assert ends.reason.startswith("failed with exit status 2: ")
    assert raises.reason.startswith("failed with exit status 1: AttributeError")
    assert (prints.reason, (contact.folder / "3.txt").read_text()) == ("", "******** and more")


def test_success_is_an_exit_status_and_a_line() -> None:
    step = Step("s", "clp", "f", ends=(0, 1), shows="^ready$")
    assert find_reason(step, 1, "so\nready\n") == ""
    assert find_reason(step, 2, "ready\n\n") == "failed with exit status 2: ready"
    assert find_reason(step, 0, "already\n") == "failed, the output lacks '^ready$': already"


def test_clp_finds_no_connection_in_a_subshell(server: Server, tmp_path: Path) -> None:
    install_program(tmp_path, server.url, server.password)
    clp = LocalClp(tmp_path)
    here = clp.run('db2 connect to X\ndb2 -x "VALUES 1"\n', tmp_path, 60)
    assert (here[0], here[1].split()[-1]) == (0, "1")
    _, output = clp.run('db2 connect to X\nfound=$(db2 -x "VALUES 1")\necho "$found"\n', tmp_path, 60)
    assert "SQL1024N" in output


def test_tags_are_pinned_and_modes_create_a_database() -> None:
    data = read_data()
    assert all(re.fullmatch(r"\d+\.\d+\.\d+\.\d+", tag) for tag in data["tags"])
    assert db2(data["tags"][0]).image == f"{data['repository']}:{data['tags'][0]}"
    scripts = {mode: create_database("X", **values) for mode, values in data["modes"].items()}
    assert scripts["oracle"].index("DB2_COMPATIBILITY_VECTOR=ORA") < scripts["oracle"].index("create database X")
    assert scripts["column"].endswith("update db cfg for X using DFT_TABLE_ORG COLUMN")
