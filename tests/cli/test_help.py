"""Help in sections."""

import pytest
from click.testing import CliRunner

from advisor.cli.main import main
from advisor.cli.sections import COMMANDS


def _help(*arguments: str) -> str:
    done = CliRunner().invoke(main, [*arguments], terminal_width=100)
    assert done.exit_code == 0, done.output
    return done.stdout


def test_help_of_the_program_lists_each_command_in_a_section() -> None:
    shown = _help("--help")
    assert "Commands:" not in shown
    assert all(f"\n  {name} " in shown for name in main.commands)
    assert [line[:-1] for line in shown.splitlines() if line.endswith(":")] == ["Options", *COMMANDS]


def test_help_of_the_program_has_whole_summaries() -> None:
    assert "..." not in _help("--help").partition("Options:")[2]
    assert "undo, and the advice that deferred to it." in " ".join(_help("--help").split())


def test_help_of_advise_has_its_own_options_first() -> None:
    shown = _help("advise", "--help")
    assert [line[:-1] for line in shown.splitlines() if line.endswith(":") and line[0] != " "] == [
        "Options",
        "Source",
        "Connection",
        "Lessons and kept runs",
    ]
    assert shown.index("--top N") < shown.index("--capture PATH") < shown.index("--tls ")


@pytest.mark.parametrize("name", ["", "advise"])
def test_help_command_prints_the_help_option(name: str) -> None:
    assert _help("help", *name.split()) == _help(*name.split(), "--help")


def test_help_command_without_such_command_fails() -> None:
    done = CliRunner().invoke(main, ["help", "advice"])
    assert (done.exit_code, done.stderr) == (2, "db2tune: advice: no such command; db2tune help lists them\n")
