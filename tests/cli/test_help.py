"""Help: sections, examples and options."""

import re
import shlex
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from advisor.catalogue.rules import all_rules
from advisor.cli.main import main
from advisor.cli.sections import COMMANDS, EXAMPLES, RARE

SUFFIXES = (".toml", ".json", ".html", ".txt", ".capture", ".sql", ".pem")


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
    shown = _help("advise", "--help-all")
    assert [line[:-1] for line in shown.splitlines() if line.endswith(":") and line[0] != " "] == [
        "Examples",
        "Options",
        "Connection",
        "Source",
        "Lessons and kept runs",
        "Help",
    ]
    assert shown.index("--top N") < shown.index("--tls ") < shown.index("--capture PATH")


@pytest.mark.parametrize("name", main.commands)
def test_help_of_a_command_has_30_lines_at_most(name: str) -> None:
    lines = _help(name, "--help").splitlines()
    assert len(lines) <= 30
    assert max(map(len, lines)) <= 100
    first = lines.index("Examples:") + 1
    assert lines[first : first + 3] == [*(f"  {line}" for line in EXAMPLES[name]), ""]


@pytest.mark.parametrize("name", main.commands)
def test_help_hides_only_rare_options(name: str) -> None:
    for switch, hidden in (("--help", RARE.split()), ("--help-all", [])):
        shown = {line.split()[0].strip(",") for line in _help(name, switch).splitlines() if line.startswith("  -")}
        for option in main.commands[name].get_params(click.Context(main.commands[name])):
            if option.param_type_name == "option":
                assert (option.opts[0] in shown) == (option.opts[-1].strip("-") not in hidden), (switch, option.name)


def test_every_rare_option_exists() -> None:
    assert set(RARE.split()) <= {
        each.opts[-1].strip("-") for command in main.commands.values() for each in command.params
    }


@pytest.mark.parametrize("line", [line for pair in EXAMPLES.values() for line in pair])
def test_example_has_valid_arguments(line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for file in ("hostfacts.json", "nightly.toml", "site.toml"):
        Path(file).touch()
    program, name, *arguments = shlex.split(line.partition(" > ")[0])
    assert (program, EXAMPLES[name].count(line)) == ("db2tune", 1)
    main.commands[name].make_context(name, arguments)
    rules = [word for word in arguments if re.fullmatch(r"[a-z]+\.[a-z-]+", word) and not word.endswith(SUFFIXES)]
    assert set(rules) <= all_rules().keys()


@pytest.mark.parametrize("name", ["", "advise"])
def test_help_command_prints_the_help_option(name: str) -> None:
    assert _help("help", *name.split()) == _help(*name.split(), "--help")


def test_help_command_without_such_command_fails() -> None:
    done = CliRunner().invoke(main, ["help", "advice"])
    assert (done.exit_code, done.stderr) == (2, "db2tune: advice: no such command; db2tune help lists them\n")
