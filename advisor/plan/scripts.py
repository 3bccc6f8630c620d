"""The scripts of a step: what makes the change, and what takes it back.

``apply.sql`` and ``undo.sql`` are for the command line processor of Db2; ``apply.sh`` and ``undo.sh`` are for the owner
of the instance, ``apply-root.sh`` and ``undo-root.sh`` for root, in the shell of a host. A file is there where a step has
lines for it; what one of them has to do after another did is in a file that ends in ``-then``. Each begins with what a
person needs to know and with its checks (advisor/plan/checks.py), and stops before any change where a setting is no
longer what the advice took it for. Root's also look at what came of the change: a kernel gives less than it is asked for.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from advisor import files
from advisor.errors import UserError
from advisor.judge.advice import BY_HAND, Advice, Recommendation, Setting
from advisor.plan.checks import (
    AFTER_THE_CHANGE,
    SHELL_FUNCTION,
    STATE,
    Check,
    checks,
    command,
    look_at,
    statements,
    typed,
)
from advisor.plan.steps import Step
from advisor.report.text import count, database, interval, title, wrap

WIDTH = 118

# What the command line processor takes; everything else is typed into a shell.
FOR_CLP = (
    *("ACTIVATE", "ALTER", "CALL", "CREATE", "DROP", "REDISTRIBUTE"),
    *("REORG", "RUNSTATS", "UPDATE"),
)
# How the commands begin that the owner of the instance types; those of the system are for root.
FOR_OWNER = "db2"
AGAIN = "-then"  # in the name of a file, after the other one that somebody else had to run first
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
    def typed_by(self) -> str:
        if self.name.endswith(".sql"):
            return "database"
        return "root" if "-root" in self.name else "owner"

    @property
    def on_host(self) -> bool:
        return self.typed_by != "database"

    @property
    def checks(self) -> list[Check]:
        return self._checks_of(self.parts) if self.has_commands else []

    @property
    def results(self) -> list[Check]:
        """What its own commands must have left behind."""
        own = [setting for item, lines in self.parts for setting in _set_in(item, lines)]
        return checks(own, changed=not self.undo, typed_by="root") if self.typed_by == "root" else []

    @property
    def has_commands(self) -> bool:
        return any(not line.startswith(BY_HAND) for _, lines in self.parts for line in lines)

    @property
    def unchecked(self) -> list[Recommendation]:
        """The changes about which nothing is asked first."""
        return [
            item
            for item, lines in self.parts
            if any(not line.startswith(BY_HAND) for line in lines) and not self._checks_of([(item, lines)])
        ]

    def _checks_of(self, parts: Iterable[ItemLines]) -> list[Check]:
        """What it changes itself, and in the first file of its kind what no command of another one does."""
        settings: list[Setting] = []
        for item, lines in parts:
            own = _set_in(item, lines)
            others = [one for made in item.commands for one in made.settings if one not in own]
            settings += own if AGAIN in self.name else [one for one in item.settings if one not in others]
        return checks(settings, changed=self.undo, typed_by=self.typed_by)


def _set_in(item: Recommendation, lines: list[str]) -> list[Setting]:
    """The settings that some lines of a recommendation change."""
    return [one for made in item.commands if {made.action, made.undo} & set(lines) for one in made.settings]


def texts(step: Step, advice: Advice) -> dict[str, str]:
    """The scripts of a step by the names of their files, those of the change first, each way in the order to run.

    Raises UserError where the names leave no character that could end a statement.
    """
    apply = _Way("apply", "the change", tuple((item, item.actions) for item in step.items))
    undo = _Way("undo", "the way back", tuple((item, item.undo) for item in reversed(step.items)))
    hosts = list(dict.fromkeys(item.object_name for item in step.items if item.object_type == "HOST"))
    return _scripts(step, advice, apply, hosts) | _scripts(step, advice, undo, hosts)


def write(step: Step, advice: Advice, directory: Path) -> list[Path]:
    """Write the scripts of a step into a directory, which is made; raises UserError where that cannot be done.

    Each is there whole or not at all, and the way back before the change.
    """
    found = texts(step, advice)
    for name in reversed(found):
        path = directory / name
        try:
            files.folder(directory, 0o777)
            files.replace(path, found[name], 0o755 if path.suffix == ".sh" else None)
        except OSError as error:
            raise UserError(f"{path}: cannot be written ({error.strerror}); choose another directory") from None
    return [directory / name for name in found]


def _scripts(step: Step, advice: Advice, way: _Way, hosts: list[str]) -> dict[str, str]:
    parts_of = _by_file(way, hosts)
    found = {}
    for name, parts in parts_of.items():
        file = _File(name, parts, way.name == "undo")
        head = list(_head(step, advice, way, file, list(parts_of)))
        found[name] = _shell_script(file, head) if file.on_host else _clp_script(step, file, head)
    return found


def _by_file(way: _Way, hosts: list[str]) -> dict[str, list[ItemLines]]:
    """Every line in the file of who runs it, and a line for a person beside the command before it, or the first.

    One file is for one host: those after the first have a number.
    """
    known = [(item, list(_filed(way.name, item, lines, hosts))) for item, lines in way.parts]
    first = next((name for _, lines in known for name, _ in lines if name), f"{way.name}.sql")
    parts_of: dict[str, list[ItemLines]] = {}
    for item, lines in known:
        place = next((name for name, _ in lines if name), first)
        for name, line in lines:
            place = name or place
            parts = parts_of.setdefault(place, [])
            if not parts or parts[-1][0] is not item:
                parts.append((item, []))
            parts[-1][1].append(line)
    return parts_of


def _filed(way: str, item: Recommendation, lines: list[str], hosts: list[str]) -> Iterator[tuple[str | None, str]]:
    """The lines of a recommendation with their files: what comes after another one's is in one of its own."""
    last: str | None = None
    again, seen = False, set[str]()
    for line in lines:
        name = _file_of(way, item, line, hosts)
        if name and name != last:
            last, again = name, name in seen
            seen.add(name)
        stem, dot, ending = (name or "").rpartition(".")
        yield (f"{stem}{AGAIN}{dot}{ending}" if name and again else name), line


def _file_of(way: str, item: Recommendation, line: str, hosts: list[str]) -> str | None:
    """The file of a command; None for a line for a person."""
    if line.startswith(BY_HAND):
        return None
    if line.split(" ", 1)[0] in FOR_CLP:
        return f"{way}.sql"
    number = hosts.index(item.object_name) + 1 if item.object_name in hosts else 1
    who = way if line.startswith(FOR_OWNER) else f"{way}-root"
    return f"{who}.sh" if number == 1 else f"{who}-{number}.sh"


def _head(step: Step, advice: Advice, way: _Way, file: _File, order: list[str]) -> Iterator[str]:
    """What a person needs to know first, a paragraph each."""
    ranks = ", ".join(str(item.rank) for item in step.items)
    yield f"Step {step.number}, {way.what}: {count(len(step.items), 'recommendation')}, rank {ranks}"
    yield f"Database: {database(advice)}"
    yield f"Advised on: {interval(advice.window)}"
    hosts = dict.fromkeys(item.object_name for item, _ in file.parts if item.object_type == "HOST")
    if file.on_host and hosts:
        yield f"Host: {', '.join(hosts)}"
    if file.on_host and advice.database["platform"] != "Windows":
        yield "For root." if file.typed_by == "root" else "For the owner of the instance."
    if file.on_host and advice.database["platform"] == "Windows":
        yield "The host runs Windows: type what follows the checks into a Db2 command window (db2cmd)."
    for item in step.items:
        yield f"{title(item)}. {item.finding}"
    yield f"Effect: {step.meaning}"
    for needed in step.prerequisites:
        yield f"Needs: {needed.needs}"
        if needed.query:
            lines = (line.strip() for line in needed.query.splitlines() if not line.startswith("-- "))
            yield f"    shown by: {' '.join(lines)}"
    if len(order) > 1:
        yield f"Order: {', then '.join(order)}, and only then the restart, where one is needed"
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
    asked, left = file.checks, file.results
    if asked or left:
        body += [SHELL_FUNCTION, "", *map(command, asked), ""]
    body += _commands("# ", file, typed)
    if left:
        body += ["", AFTER_THE_CHANGE, *map(command, left)]
    return "\n".join(body) + "\n"


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
