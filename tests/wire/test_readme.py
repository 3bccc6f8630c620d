"""The README's commands, unchanged, on a database of our own server."""

import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from advisor import progress
from advisor.cli.main import main
from tests.support.paths import ROOT
from tests.wire.conftest import Server

pytestmark = pytest.mark.full

README = (ROOT / "README.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"^db2tune .*db2://.*$", README, re.MULTILINE)


def test_the_readmes_commands_work(steered: Server, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(progress, "pause", steered.advance)
    runner = CliRunner(env={"DB2TUNE_PASSWORD": steered.password})
    assert len(COMMANDS) == 6
    for command in COMMANDS:
        words = [steered.url if "db2://" in word else word for word in shlex.split(command, comments=True)]
        done = runner.invoke(main, words[1:])
        # doctor exits with 1 if something is missing, here a source that this machine lacks
        assert done.exit_code in ((0, 1) if words[1] == "doctor" else (0,)), f"{command}: {done.output}"
