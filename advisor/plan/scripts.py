"""The scripts of a step: what makes the change, and what takes it back.

``apply.sql`` and ``undo.sql`` are for the command line processor of Db2, ``apply.sh`` and ``undo.sh`` for the shell of
a host; a file is there where a step has lines for it. Each begins with what a person needs to know and with its checks
(advisor/plan/checks.py), and stops before any change where a setting is no longer what the advice took it for.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from advisor.errors import UserError
from advisor.judge.advice import BY_HAND, Advice, Recommendation
from advisor.plan.checks import SHELL_FUNCTION, STATE, Check, checks, command, look_at, statements, typed
from advisor.plan.steps import Step
from advisor.report.text import count, database, interval, title, wrap

WIDTH = 118

# What the command line processor takes; everything else is typed into a shell.
FOR_CLP = (
    *("ACTIVATE", "ALTER", "CALL", "CREATE", "DROP", "REDISTRIBUTE"),
    *("REORG", "RUNSTATS", "UPDATE"),
)
# What can end a statement: in "-td@" no shell makes anything of these.
TERMINATORS = "@%^~#+:{}[]_"

ItemLines = tuple[Recommendation, list[str]]


@dataclass(frozen=True)
class _Way:
    """One of the two ways through a step: its lines in the order in which they run, and what it is."""

    name: str
    what: str
    parts: tuple[ItemLines, ...]


@dataclass(frozen=True)
class _File:
    """What a file holds of its way, ``undo`` or not."""

    name: str
    parts: list[ItemLines]
    undo: bool

    @property
    def on_host(self) -> bool:
        return self.name.endswith(".sh")

    @property
    def checks(self) -> list[Check]:
        return self._checks_of(item for item, _ in self.parts) if self.has_commands else []

    @property
    def has_commands(self) -> bool:
        return any(not line.startswith(BY_HAND) for _, lines in self.parts for line in lines)

    @property
    def unchecked(self) -> list[Recommendation]:
        """The changes about which nothing is asked first."""
        return [
            item
            for item, lines in self.parts
            if any(not line.startswith(BY_HAND) for line in lines) and not self._checks_of([item])
        ]

    def _checks_of(self, items: Iterable[Recommendation]) -> list[Check]:
        return checks(items, changed=self.undo, on_host=self.on_host)


def texts(step: Step, advice: Advice) -> dict[str, str]:
    """The scripts of a step by the names of their files, those of the change first, each way in the order to run.

    Raises UserError where the names leave no character that could end a statement.
    """
    apply = _Way("apply", "the change", tuple((item, item.actions) for item in step.items))
    undo = _Way("undo", "the way back", tuple((item, item.undo) for item in reversed(step.items)))
    hosts = list(dict.fromkeys(item.object_name for item in step.items if item.object_type == "HOST"))
    return _scripts(step, advice, apply, hosts) | _scripts(step, advice, undo, hosts)


def write(step: Step, advice: Advice, directory: Path) -> list[Path]:
    """Write the scripts of a step into a directory, which is made; raises UserError where that cannot be done."""
    paths = []
    for name, text in texts(step, advice).items():
        path = directory / name
        try:
            directory.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="\n")
            if path.suffix == ".sh":
                path.chmod(0o755)
        except OSError as error:
            raise UserError(f"{path}: cannot be written ({error.strerror}); choose another directory") from None
        paths.append(path)
    return paths


def _scripts(step: Step, advice: Advice, way: _Way, hosts: list[str]) -> dict[str, str]:
    files = _by_file(way, hosts)
    found = {}
    for name, parts in files.items():
        file = _File(name, parts, way.name == "undo")
        head = list(_head(step, advice, way, file, list(files)))
        found[name] = _shell_script(file, head) if file.on_host else _clp_script(step, file, head)
    return found


def _by_file(way: _Way, hosts: list[str]) -> dict[str, list[ItemLines]]:
    """Every line in the file of what runs it, and a line for a person beside the command before it, or the first.

    One file is for one host: those after the first have a number.
    """
    known = [(item, [(_file_of(way.name, item, line, hosts), line) for line in lines]) for item, lines in way.parts]
    first = next((name for _, lines in known for name, _ in lines if name), f"{way.name}.sql")
    files: dict[str, list[ItemLines]] = {}
    for item, lines in known:
        place = next((name for name, _ in lines if name), first)
        for name, line in lines:
            place = name or place
            parts = files.setdefault(place, [])
            if not parts or parts[-1][0] is not item:
                parts.append((item, []))
            parts[-1][1].append(line)
    return files


def _file_of(way: str, item: Recommendation, line: str, hosts: list[str]) -> str | None:
    """The file of a command; None for a line for a person."""
    if line.startswith(BY_HAND):
        return None
    if line.split(" ", 1)[0] in FOR_CLP:
        return f"{way}.sql"
    number = hosts.index(item.object_name) + 1 if item.object_name in hosts else 1
    return f"{way}.sh" if number == 1 else f"{way}-{number}.sh"


def _head(step: Step, advice: Advice, way: _Way, file: _File, files: list[str]) -> Iterator[str]:
    """What a person needs to know first, a paragraph each."""
    ranks = ", ".join(str(item.rank) for item in step.items)
    yield f"Step {step.number}, {way.what}: {count(len(step.items), 'recommendation')}, rank {ranks}"
    yield f"Database: {database(advice)}"
    yield f"Advised on: {interval(advice.window)}"
    hosts = dict.fromkeys(item.object_name for item, _ in file.parts if item.object_type == "HOST")
    if file.on_host and hosts:
        yield f"Host: {', '.join(hosts)}"
    if file.on_host and advice.database["platform"] == "Windows":
        yield "The host runs Windows: type what follows the checks into a Db2 command window (db2cmd)."
    for item in step.items:
        yield f"{title(item)}. {item.finding}"
    yield f"Effect: {step.meaning}"
    for needed in step.prerequisites:
        yield f"Needs: {needed.needs}"
        if needed.query:
            yield f"    shown by: {' '.join(x for x in needed.query.splitlines() if not x.startswith('-- '))}"
    if len(files) > 1:
        yield f"Order: {', then '.join(files)}, and only then the restart, where one is needed"
    if not file.has_commands:
        yield "There is nothing to run here: what follows is for a person."
        return
    yield "It stops at the first error, and what ran before that stays done."
    state = "" if file.on_host else f", with SQLSTATE {STATE},"
    if way.name == "apply":
        yield f"It stops before any change{state} where a setting is no longer what the advice took it for."
    else:
        yield (
            f"It stops before any change{state} where a setting is no longer what the change has set: where that"
            " stopped halfway, run one by one what is to be taken back."
        )


def _clp_script(step: Step, file: _File, head: list[str]) -> str:
    """A script for the command line processor; what ends a statement occurs nowhere else, in no comment either."""
    asked = list(statements(file.checks))
    used = "\n".join([*head, *asked, *_commands("-- ", file, lambda line, _: line)])
    end = next((character for character in TERMINATORS if character not in used), None)
    if end is None:
        raise UserError(
            f"step {step.number}: its names leave no character that can end a statement;"
            " carry its commands out one by one"
        )
    if file.has_commands:
        head.append(f"Run it after CONNECT with: db2 -td{end} -svf {file.name}")
    body = [*_comments("-- ", *head), ""]
    for check in asked:
        body += [f"{check} {end}", ""]
    return "\n".join([*body, *_commands("-- ", file, lambda line, _: f"{line} {end}")]) + "\n"


def _shell_script(file: _File, head: list[str]) -> str:
    body = ["#!/bin/sh", *_comments("# ", *head, f"Run it with: sh {file.name}"), "", "set -eu", ""]
    if asked := file.checks:
        body += [SHELL_FUNCTION, "", *map(command, asked), ""]
    return "\n".join([*body, *_commands("# ", file, typed)]) + "\n"


def _commands(mark: str, file: _File, written: Callable[[str, Recommendation], str]) -> Iterator[str]:
    """The lines of a file, under what they are for; those for a person are comments."""
    unchecked = file.unchecked
    for item, lines in file.parts:
        yield from _comments(mark, f"{item.rank}. {title(item)}")
        if item in unchecked:
            yield from _comments(mark, _not_checked(item, file.name))
        for line in lines:
            if line.startswith(BY_HAND):
                yield from _comments(mark, f"BY HAND: {line.removeprefix(BY_HAND)}")
            else:
                yield written(line, item)


def _not_checked(item: Recommendation, name: str) -> str:
    """What to look at before a change that no check guards."""
    if item.target is None:
        return "Not checked: no single setting shows whether this still holds."
    value = item.current if name.startswith("apply") else item.proposed
    place = look_at(item)
    shown = f"; look at {place}" if place else ""
    return f"Not checked: {item.target} is taken to be {value or 'unset'} {item.unit or ''}".rstrip() + shown


def _comments(mark: str, *paragraphs: str) -> Iterator[str]:
    for text in paragraphs:
        yield from wrap(text, WIDTH, mark, f"{mark}    ")
