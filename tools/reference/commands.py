"""docs/commands.md and docs/db2tune.1, the manual page: every command with its options, and the exit statuses."""

from typing import NamedTuple

import click

from advisor.cli.completion import PROGRAM
from advisor.cli.main import DEBUG, main
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
_WIDE = 10_000  # characters: the viewer of the page wraps help


class Told(NamedTuple):
    """A command in the form for the page."""

    name: str
    says: str
    usage: str
    options: list[tuple[str, str]]


def page() -> str:
    return environment().get_template("commands.md.j2").render(commands=_all(), statuses=STATUSES)


def manual() -> str:
    """Return the manual page, in the man macros of troff."""
    written = environment().get_template("db2tune.1.j2")
    return written.render(says=main.help, commands=_all(), statuses=STATUSES, variables=VARIABLES) + "\n"


def _all() -> list[Told]:
    return [_told(name, command) for name, command in sorted(main.commands.items())]


def _told(name: str, command: click.Command) -> Told:
    context = click.Context(command, info_name=f"{PROGRAM} {name}", terminal_width=_WIDE, max_content_width=_WIDE)
    usage = command.get_usage(context).removeprefix("Usage: ")
    records = [parameter.get_help_record(context) for parameter in command.params]
    options = [record for record in records if record and record[1]]
    return Told(name, " ".join((command.help or "").split()), usage, options)
