"""The scripts of a step: the change and its undo.

``apply.sql`` and ``undo.sql`` are for the command line processor of Db2. ``apply.sh`` and ``undo.sh`` are shell scripts
for the instance owner, ``apply-root.sh`` and ``undo-root.sh`` for root. A file is only written if the step has lines for
it. A file that must run after another user's file ends in ``-then``. Each file begins with instructions and checks
(advisor/plan/checks.py), and stops before any change if a setting no longer has the expected value. Scripts for root
also check the result, because a kernel may grant less than requested.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from advisor import files
from advisor.catalogue.commands import BY_HAND, FOR_CLP, recipient
from advisor.errors import UserError
from advisor.judgement.advice import Advice, Recommendation, Setting
from advisor.plan.checks import (
    AFTER_THE_CHANGE,
    SHELL_FUNCTION,
    STATE,
    Check,
    checks,
    command,
    look_at,
    quote_host_command,
    statements,
)
from advisor.plan.platform_scripts import HOW_TO_RUN, body, check_in_shell, user_of
from advisor.plan.steps import Step
from advisor.report.text import count, database, interval, title, wrap

WIDTH = 118

# Start of commands for the instance owner; other shell commands are for root.
FOR_OWNER = "db2"
AGAIN = "-then"  # in the name of a file that must run after another user's file
# Characters that can end a statement and have no meaning for a shell in "-td@".
TERMINATORS = "@%^~#+:{}[]_"

ItemLines = tuple[Recommendation, list[str]]


@dataclass(frozen=True)
class _Way:
    """The change or its undo: a name, a description, and the lines in order."""

    name: str
    what: str
    parts: tuple[ItemLines, ...]


@dataclass(frozen=True)
class _File:
    """One script file of the change, or of its undo."""

    name: str
    parts: list[ItemLines]
    undo: bool

    @property
    def user(self) -> str:
        if self.name.endswith(".sql"):
            return "database"
        if named := user_of(self.name):
            return named
        return "root" if "-root" in self.name else "owner"

    @property
    def on_host(self) -> bool:
        return self.user in ("owner", "root")

    @property
    def checks(self) -> list[Check]:
        return self._checks_of(self.parts) if self.has_commands else []

    @property
    def results(self) -> list[Check]:
        """The checks after the file's own commands."""
        if self.user not in ("root", "rdsadmin"):
            return []
        own = [
            setting
            for item, lines in self.parts
            if self.user == "root" or item.effect == "ON"  # a complete task has changed only those
            for setting in _list_settings(item, lines)
        ]
        return checks(own, changed=not self.undo, typed_by=self._typed_by)

    @property
    def _typed_by(self) -> str:
        """The recipient of the settings in setting_kinds.csv."""
        return "database" if self.user == "rdsadmin" else self.user

    @property
    def has_commands(self) -> bool:
        return any(not line.startswith(BY_HAND) for _, lines in self.parts for line in lines)

    @property
    def unchecked(self) -> list[Recommendation]:
        """The changes without a check."""
        return [
            item
            for item, lines in self.parts
            if any(not line.startswith(BY_HAND) for line in lines) and not self._checks_of([(item, lines)])
        ]

    def _checks_of(self, parts: Iterable[ItemLines]) -> list[Check]:
        """Return checks of the file's own settings; in the first file of its kind also of settings without a command."""
        settings: list[Setting] = []
        for item, lines in parts:
            own = _list_settings(item, lines)
            others = [one for made in item.commands for one in made.settings if one not in own]
            settings += own if AGAIN in self.name else [one for one in item.settings if one not in others]
        return checks(settings, changed=self.undo, typed_by=self._typed_by)


def _list_settings(item: Recommendation, lines: list[str]) -> list[Setting]:
    """Return the settings that these lines of a recommendation change."""
    return [one for made in item.commands if {made.action, made.undo} & set(lines) for one in made.settings]


def texts(step: Step, advice: Advice, manual: bool = True) -> dict[str, str]:
    """Return the scripts of a step by file name: the change first, then the undo, each in running order.

    ``manual`` includes files without commands. Raise UserError if the object names leave no character that can end a
    statement.
    """
    apply = _Way("apply", "the change", tuple((item, item.actions) for item in step.items))
    undo = _Way("undo", "the undo", tuple((item, item.undo) for item in reversed(step.items)))
    hosts = list(dict.fromkeys(item.object_name for item in step.items if item.object_type == "HOST"))
    return _scripts(step, advice, apply, hosts, manual) | _scripts(step, advice, undo, hosts, manual)


def write(step: Step, advice: Advice, directory: Path) -> list[Path]:
    """Write the scripts of a step into a directory, and create it. Raise UserError if that fails."""
    return save(texts(step, advice), directory)


def save(found: dict[str, str], directory: Path) -> list[Path]:
    """Write scripts by their names in a directory. Each is complete or missing, and the undo precedes the change."""
    for name in reversed(found):
        path = directory / name
        try:
            files.folder(path.parent, 0o777)
            files.replace(path, found[name], 0o755 if path.suffix == ".sh" else None)
        except OSError as error:
            raise UserError(f"{path}: cannot be written ({error.strerror}); choose another directory") from None
    return [directory / name for name in found]


def _scripts(step: Step, advice: Advice, way: _Way, hosts: list[str], manual: bool) -> dict[str, str]:
    parts_of = _group_by_file(way, hosts)
    found = {}
    for name, parts in parts_of.items():
        file = _File(name, parts, way.name == "undo")
        if file.has_commands or manual:
            head = list(_head(step, advice, way, file, list(parts_of)))
            if file.user in HOW_TO_RUN:
                found[name] = _platform_script(step, file, head, advice.database["name"])
            else:
                found[name] = _shell_script(file, head) if file.on_host else _clp_script(step, file, head)
    return found


def _group_by_file(way: _Way, hosts: list[str]) -> dict[str, list[ItemLines]]:
    """Sort lines into files by the user who runs them. A manual line follows the command before it, or comes first.

    Each host has its own file: the second and later hosts have a number.
    """
    known = [(item, list(_assign_files(way.name, item, lines, hosts))) for item, lines in way.parts]
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


def _assign_files(
    way: str, item: Recommendation, lines: list[str], hosts: list[str]
) -> Iterator[tuple[str | None, str]]:
    """Yield the lines of a recommendation with their files. A user's later commands are in a ``-then`` file."""
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
    """Return the file of a command, or None for a manual line."""
    if line.startswith(BY_HAND):
        return None
    if other := recipient(line):
        return f"{way}{other['ENDING']}"
    if line.split(" ", 1)[0] in FOR_CLP:
        return f"{way}.sql"
    number = hosts.index(item.object_name) + 1 if item.object_name in hosts else 1
    who = way if line.startswith(FOR_OWNER) else f"{way}-root"
    return f"{who}.sh" if number == 1 else f"{who}-{number}.sh"


def _head(step: Step, advice: Advice, way: _Way, file: _File, order: list[str]) -> Iterator[str]:
    """Yield the paragraphs at the top of a file."""
    ranks = ", ".join(str(item.rank) for item in step.items)
    yield f"Step {step.number}, {way.what}: {count(len(step.items), 'recommendation')}, rank {ranks}"
    yield f"Database: {database(advice)}"
    yield f"Advised on: {interval(advice.window)}"
    hosts = dict.fromkeys(item.object_name for item, _ in file.parts if item.object_type == "HOST")
    if file.on_host and hosts:
        yield f"Host: {', '.join(hosts)}"
    if file.on_host and advice.database["platform"] != "Windows":
        yield "Run as root." if file.user == "root" else "Run as the instance owner."
    if file.on_host and advice.database["platform"] == "Windows":
        yield "The host runs Windows: enter the commands after the checks in a Db2 command window (db2cmd)."
    for item in step.items:
        yield f"{title(item)}. {item.finding}"
    yield f"Effect: {step.meaning}"
    for needed in step.prerequisites:
        yield f"Needs: {needed.needs}"
        if needed.query:
            lines = (line.strip() for line in needed.query.splitlines() if not line.startswith("-- "))
            yield f"    shown by: {' '.join(lines)}"
    if len(order) > 1:
        yield f"Order: {', then '.join(order)}; restart only afterwards, if necessary"
    if not file.has_commands:
        yield "This file contains no commands, only manual steps."
        return
    if file.user == "cluster":
        return
    yield "The script stops at the first error. Commands that ran before stay in effect."
    if file.user in ("aws", "service"):
        return
    state = "" if file.on_host else f", with SQLSTATE {STATE},"
    if way.name == "apply":
        yield f"It stops before any change{state} if a setting differs from its value in the advice."
    else:
        yield (
            f"It stops before any change{state} if a setting differs from the value that the change set. If the change"
            " stopped halfway, run the necessary undo commands one by one."
        )


def _clp_script(step: Step, file: _File, head: list[str]) -> str:
    """Return a script for the command line processor. Its terminator occurs nowhere else, not even in comments."""
    asked = list(statements(file.checks))
    attaches = any(line.startswith("ATTACH ") for _, lines in file.parts for line in lines)
    end = _terminator(step, [*head, *asked, *_commands("-- ", file, lambda line, _: line)])
    if file.has_commands:
        where = "on the server, where ATTACH finds the instance, " if attaches else ""
        head.append(f"Run it {where}after CONNECT with: db2 -td{end} -svf {file.name}")
    body = [*_comments("-- ", *head), ""]
    for check in asked:
        body += [f"{check} {end}", ""]
    body += _commands("-- ", file, lambda line, _: f"{line} {end}")
    if attaches:
        body.append(f"DETACH {end}")
    return "\n".join(body) + "\n"


def _terminator(step: Step, lines: list[str]) -> str:
    """Return a character that ends statements and occurs in none of the lines."""
    used = "\n".join(lines)
    end = next((character for character in TERMINATORS if character not in used), None)
    if end is None:
        raise UserError(
            f"step {step.number}: its object names contain every character that can end a statement;"
            " run its commands one by one"
        )
    return end


def _shell_script(file: _File, head: list[str]) -> str:
    body = ["#!/bin/sh", *_comments("# ", *head, f"Run it with: sh {file.name}"), "", "set -eu", ""]
    asked, left = file.checks, file.results
    if asked or left:
        body += [SHELL_FUNCTION, "", *map(command, asked), ""]
    body += _commands("# ", file, quote_host_command)
    if left:
        body += ["", AFTER_THE_CHANGE, *map(command, left)]
    return "\n".join(body) + "\n"


def _platform_script(step: Step, file: _File, head: list[str], database: str) -> str:
    how = HOW_TO_RUN[file.user].format(name=file.name)
    lines = list(_commands("# ", file, lambda line, _: line))
    first = [] if file.user == "cluster" else ["#!/bin/sh"]
    asked, left = list(statements(file.checks)), list(statements(file.results))
    end = _terminator(step, [*asked, *left])
    before, after = ([check_in_shell(statement, end) for statement in group] for group in (asked, left))
    made = body(file.user, lines, database, before, after)
    return "\n".join([*first, *_comments("# ", *head, how), "", *made]) + "\n"


def _commands(mark: str, file: _File, written: Callable[[str, Recommendation], str]) -> Iterator[str]:
    """Yield the lines of a file under the titles of their recommendations; manual lines are comments."""
    unchecked = file.unchecked
    for item, lines in file.parts:
        yield from _comments(mark, f"{item.rank}. {title(item)}")
        if item in unchecked:
            yield from _comments(mark, _explain_manual_check(item, file.name))
        for line in lines:
            if line.startswith(BY_HAND):
                yield from _comments(mark, f"MANUAL: {line.removeprefix(BY_HAND)}")
            else:
                yield written(line, item)


def _explain_manual_check(item: Recommendation, name: str) -> str:
    """Return what to check manually before a change without a check."""
    if item.target is None:
        return "Not checked: no single setting shows whether this is still true."
    value = item.current if name.startswith("apply") else item.proposed
    place = look_at(item)
    shown = f"; see {place}" if place else ""
    return f"Not checked: {item.target} should be {value or 'unset'} {item.unit or ''}".rstrip() + shown


def _comments(mark: str, *paragraphs: str) -> Iterator[str]:
    for text in paragraphs:
        yield from wrap(text, WIDTH, mark, f"{mark}    ")
