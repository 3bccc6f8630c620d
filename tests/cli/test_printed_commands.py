"""Every db2tune command that a report prints runs, with the same source."""

import re
import shlex
from pathlib import Path

import pytest
from click import Group, Option
from click.testing import CliRunner

from advisor.cli.main import main
from tests.support.paths import CAPTURES, FIXTURES, KEPT, NAMES

# A command with its arguments. Without arguments it is a command and not its name in a sentence where nothing follows.
_ARGUMENT = r"(?:--[a-z-]+|'[^']*'|[\w.*-]*[/.][\w./*-]*\w|[A-Z]{2,}|\d+|last)"
_PRINTED = re.compile(rf"db2tune [a-z]+(?:(?: {_ARGUMENT})+|(?= {{2}}|$|\.|\)| \(|'|`))")
_FOR_A_PERSON = re.compile(r" [A-Z]{2,}| --database ")  # FILE, or a server that the test lacks
_EXAMPLES = {"capture", "help"}  # print examples with files of a user
_HINT = re.compile(r"(?<![\w-])--(?:all|top|ticket)\b")
_TEXTS = sorted(path for path in (FIXTURES / "imports").iterdir() if path.suffix in (".txt", ".csv", ".yaml"))
_ALL = [*KEPT, *_TEXTS, *(CAPTURES / name for name in NAMES)]
_FEW = [KEPT[0], FIXTURES / "imports" / "db2exfmt.txt", FIXTURES / "imports" / "configuration-kept.txt"]


def _commands(output: str) -> list[str]:
    lines = (line for line in output.splitlines() if "With db2tune verify" not in line)
    return [found[0] for line in lines for found in _PRINTED.finditer(line)]


def _follow(starts: list[list[str]]) -> None:
    """Run commands, and each kind of command that their output prints."""
    assert isinstance(main, Group)
    waiting, known = [(words, True) for words in starts], set[str]()
    while waiting:
        words, first = waiting.pop()
        result = CliRunner().invoke(main, words)
        assert result.exit_code in {0, 1} or first, f"{shlex.join(words)}: {result.output}"
        options = {name for each in main.commands[words[0]].params if isinstance(each, Option) for name in each.opts}
        hints = {hint for line in result.output.splitlines() if "db2tune " not in line for hint in _HINT.findall(line)}
        assert hints <= options, shlex.join(words)
        for command in [] if words[0] in _EXAMPLES else _commands(result.output):
            kind = re.sub(r"\d+", "9", command)
            if kind not in known and not _FOR_A_PERSON.search(command):
                known.add(kind)
                waiting.append((shlex.split(command)[1:], False))


@pytest.fixture(autouse=True)
def _kept_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DB2TUNE_RUNS", str(tmp_path / "runs"))


def test_printed_commands_of_the_demo_run() -> None:
    _follow([["demo"], ["demo", "--all"], ["runs"], ["learned"], ["help"], ["sql"], ["rules"], ["rules", "memory.nix"],
             ["doctor", "--database", "db2://a@localhost:1/X"], ["history"], ["options"]])  # fmt: skip


@pytest.mark.parametrize(
    "path", [each if each in _FEW else pytest.param(each, marks=pytest.mark.full) for each in _ALL]
)
def test_printed_commands_of_a_source_run(path: Path) -> None:
    name = str(path)
    _follow([["advise", name], ["advise", name, "--all", "--no-keep"], ["advise", name, "--format", "markdown"],
             ["indexes", name], *([["import", name, "--explain"]] if path in _TEXTS else [])])  # fmt: skip
