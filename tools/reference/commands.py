"""docs/commands.md and docs/db2tune.1, its manual page: every command with its options, and the exit statuses."""

from typing import NamedTuple

import click

from advisor.cli.completion import PROGRAM
from advisor.cli.main import DEBUG, main
from advisor.cli.origin import LEARNED
from advisor.db2 import password
from advisor.errors import EXIT_BAD_INPUT, EXIT_FAULT, EXIT_FOUND, EXIT_NO_CONNECTION
from advisor.kept import store
from advisor.parallel import THREADS
from tools.reference.markdown import environment

STATUSES = (
    ("0", "nothing was found at or above --fail-on, or what was asked for is done"),
    (str(EXIT_FOUND), "something was found at or above --fail-on; of nightly and fleet, see their pages"),
    (str(EXIT_BAD_INPUT), "bad usage or bad input: one line says what is wrong and what to do"),
    (str(EXIT_NO_CONNECTION), "it cannot connect, or is not authorised"),
    (str(EXIT_FAULT), "internal error: set DB2TUNE_DEBUG=1 for a traceback"),
    ("129, 130, 143", "ended by SIGHUP, SIGINT or SIGTERM; what it was about is taken back"),
)
VARIABLES = (
    (password.VARIABLE, "the password of --database"),
    ("DB2TUNE_STORE", "the folder of --store"),
    (store.FOLDER, "the folder in which runs are kept; empty, none are"),
    (LEARNED, "what --learned names"),
    (THREADS, "how many processors judge at once"),
    (DEBUG, "1 shows where a fault of the program came up"),
    ("NO_COLOR", "not empty, nothing has colour"),
)
_WIDE = 10_000  # characters: help is wrapped by whoever shows the page


class Told(NamedTuple):
    """A command as the page shows it."""

    name: str
    says: str
    usage: str
    options: list[tuple[str, str]]


def page() -> str:
    return environment().get_template("commands.md.j2").render(commands=_all(), statuses=STATUSES)


def manual() -> str:
    """The manual page, in the man macros of troff."""
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
