"""docs/commands.md and docs/db2tune.1, the manual page: every command with its options, and the exit statuses."""

from collections import Counter
from typing import NamedTuple

import click

from advisor.cli.completion import PROGRAM
from advisor.cli.main import DEBUG, main
from advisor.cli.sections import OPTIONS, group_by_section
from advisor.cli.site_input import LEARNED
from advisor.db2 import password
from advisor.errors import EXIT_BAD_INPUT, EXIT_FAULT, EXIT_FOUND, EXIT_NO_CONNECTION
from advisor.kept import store
from tools.reference.markdown import environment

STATUSES = (
    ("0", "success: nothing found at or above --fail-on, or the request is done"),
    (str(EXIT_FOUND), "findings at or above --fail-on; for nightly and fleet, see their pages"),
    (str(EXIT_BAD_INPUT), "bad usage or bad input: one line states the error and the remedy"),
    (str(EXIT_NO_CONNECTION), "cannot connect, or not authorised"),
    (str(EXIT_FAULT), "internal error: set DB2TUNE_DEBUG=1 for a traceback"),
    ("129, 130, 143", "ended by SIGHUP, SIGINT or SIGTERM, after a rollback"),
)
VARIABLES = (
    (password.VARIABLE, "the password of --database"),
    ("DB2TUNE_STORE", "the folder of --store"),
    (store.FOLDER, "the folder of kept runs; if empty, no runs are kept"),
    (LEARNED, "the value of --learned"),
    (DEBUG, "1 shows the traceback of an internal error"),
    ("NO_COLOR", "if not empty, output has no colour"),
)
SHARED = 3  # commands: an option of these is described once
_WIDE = 10_000  # characters: the viewer of the page wraps help


Option = tuple[str, str]  # how to write it, and what it does


class Told(NamedTuple):
    """A command in the form for the page."""

    name: str
    says: str
    usage: str
    options: list[Option]
    shared: tuple[str, ...] = ()


def page() -> str:
    """Return the page, which describes once what several commands share."""
    commands = _all()
    used = Counter(option for command in commands for option in command.options)
    often = {option: option for option, commands in used.items() if commands >= SHARED}
    shared = dict(group_by_section(OPTIONS, {_name(option): option for option in often}.items()))
    told = [_refer_to(shared, command) for command in commands]
    return environment().get_template("commands.md.j2").render(commands=told, shared=shared, statuses=STATUSES)


def manual() -> str:
    """Return the manual page, in the man macros of troff."""
    written = environment().get_template("db2tune.1.j2")
    return written.render(says=main.help, commands=_all(), statuses=STATUSES, variables=VARIABLES) + "\n"


def _refer_to(shared: dict[str, list[Option]], command: Told) -> Told:
    """Return the command without shared options, but with their names or the heading of all of them."""
    names: list[str] = []
    for heading, options in shared.items():
        there = [option for option in options if option in command.options]
        names += [f"{heading} options"] if there == options else [f"`--{_name(option)}`" for option in there]
    own = [each for each in command.options if not any(each in options for options in shared.values())]
    return command._replace(options=own, shared=tuple(names))


def _name(option: Option) -> str:
    return option[0].partition("--")[2].split()[0]


def _all() -> list[Told]:
    return [_told(name, command) for name, command in sorted(main.commands.items())]


def _told(name: str, command: click.Command) -> Told:
    context = click.Context(command, info_name=f"{PROGRAM} {name}", terminal_width=_WIDE, max_content_width=_WIDE)
    usage = command.get_usage(context).removeprefix("Usage: ")
    records = [parameter.get_help_record(context) for parameter in command.params]
    options = [record for record in records if record and record[1]]
    return Told(name, " ".join((command.help or "").split()), usage, options)
