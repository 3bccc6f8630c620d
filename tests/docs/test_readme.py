"""The first screen of the README matches the demo; every command of README and quick start works."""

import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from advisor.cli.main import main
from tests.support.paths import ROOT
from tools.reference.first_screen import PAGE, page, readme, screen

README = (ROOT / "README.md").read_text(encoding="utf-8")
QUICK_START = (ROOT / "docs" / "quick-start.md").read_text(encoding="utf-8")


def _commands(page: str) -> list[str]:
    return [line for block in re.findall(r"```sh\n(.*?)```", page, re.DOTALL) for line in block.splitlines()]


COMMANDS = _commands(README)


@pytest.mark.parametrize(
    "command", [line.removeprefix(".venv/bin/") for line in COMMANDS + _commands(QUICK_START) if "db2tune " in line]
)
def test_commands_work(command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "fixtures").symlink_to(ROOT / "fixtures")
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(main, shlex.split(command)[1:])
    assert result.exit_code == 0, result.output


def test_make_targets_exist() -> None:
    targets = re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    wanted = [line.split()[1] for line in COMMANDS if line.startswith("make ")]
    assert wanted == ["demo", "test"]
    assert set(wanted) <= set(targets)


def test_first_screen_is_the_demo() -> None:
    assert readme() == README, "run make docs"
    result = CliRunner(env={"COLUMNS": "100"}).invoke(main, ["demo"])
    printed = result.output.replace(str(ROOT / "fixtures"), "fixtures").splitlines()
    shown = screen().splitlines()
    assert len(shown) <= 30
    assert [line for line in shown if not line.startswith((" " * 12, "Next"))] == [
        line for line in printed[: len(shown)] if not line.startswith((" " * 12, "Next"))
    ]


def test_page_of_first_screens_matches_the_summary() -> None:
    shown = PAGE.read_text(encoding="utf-8")
    assert shown == page(), "run make docs"
    blocks = re.findall(r"COLUMNS=(\d+) LINES=(\d+) db2tune demo\n(.*?)```", shown, re.DOTALL)
    assert [(width, lines) for width, lines, _ in blocks] == [("80", "24")]
    for width, lines, block in blocks:
        assert max(map(len, block.splitlines())) <= int(width)
        assert len(block.splitlines()) < int(lines)
        assert "Urgent" in block
        assert "Total" in block


def test_install_commands_are_in_the_first_15_lines() -> None:
    top = README.splitlines()[:15]
    for command in ("make demo", "make test", ".venv/bin/pip install '.[db2]'"):
        assert any(line.startswith(command) for line in top), command


def test_readme_has_at_most_900_words() -> None:
    assert len(README.split()) <= 900


def test_quick_start_has_at_most_300_words() -> None:
    assert len(QUICK_START.split()) <= 300
