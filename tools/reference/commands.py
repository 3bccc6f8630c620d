"""docs/commands.md: every command with its options, and the exit statuses."""

from typing import NamedTuple

import click

from advisor.cli.completion import PROGRAM
from advisor.cli.main import main
from advisor.errors import EXIT_BAD_INPUT, EXIT_FAULT, EXIT_FOUND, EXIT_NO_CONNECTION
from tools.reference.markdown import environment

STATUSES = (
    ("0", "nothing was found at or above --fail-on, or what was asked for is done"),
    (str(EXIT_FOUND), "something was found at or above --fail-on; of nightly and fleet, see their pages"),
    (str(EXIT_BAD_INPUT), "bad usage or bad input: one line says what is wrong and what to do"),
    (str(EXIT_NO_CONNECTION), "it cannot connect, or is not authorised"),
    (str(EXIT_FAULT), "a fault of the program: DB2TUNE_DEBUG=1 shows where"),
    ("129, 130, 143", "ended by SIGHUP, SIGINT or SIGTERM; what it was about is taken back"),
)
_WIDE = 10_000  # characters: help is wrapped by whoever shows the page


class Told(NamedTuple):
    """A command as the page shows it."""

    name: str
    says: str
    usage: str
    options: list[tuple[str, str]]


def page() -> str:
    found = [_told(name, command) for name, command in sorted(main.commands.items())]
    return environment().get_template("commands.md.j2").render(commands=found, statuses=STATUSES)


def _told(name: str, command: click.Command) -> Told:
    context = click.Context(command, info_name=f"{PROGRAM} {name}", terminal_width=_WIDE, max_content_width=_WIDE)
    usage = command.get_usage(context).removeprefix("Usage: ")
    records = [parameter.get_help_record(context) for parameter in command.params]
    options = [record for record in records if record and record[1]]
    return Told(name, " ".join((command.help or "").split()), usage, options)
