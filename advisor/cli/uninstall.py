"""The command ``uninstall``: remove schema TUNE from a database, or print the script."""

import sys

import click

from advisor.cli.arguments import script_option
from advisor.cli.connection import Connect, connection_options, require_connection
from advisor.cli.sections import Command
from advisor.errors import UserError


@click.command(cls=Command)
@connection_options(required=False)
@click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
@script_option
def uninstall(connect: Connect | None, yes: bool, script: bool) -> int:
    """Remove schema TUNE and its history from the database."""
    from advisor.install import installer, statements

    if script:
        click.echo(statements.script(statements.uninstall_statements(), statements.UNINSTALL_TITLE), nl=False)
        return 0
    wanted = require_connection(connect)
    if not yes:
        _confirm()
    with wanted() as connection:
        there = installer.uninstall(connection)
    click.echo("Schema TUNE is removed." if there else "Schema TUNE was not installed.")
    return 0


def _confirm() -> None:
    """Ask on a terminal. Raise Abort unless the answer is yes, and UserError without a terminal."""
    if not sys.stdin.isatty():
        raise UserError("uninstall deletes all snapshots, runs, options and accepted risks; confirm with --yes")
    click.confirm(
        "This deletes all snapshots, runs, options and accepted risks (--yes skips this question). Continue?",
        abort=True,
        err=True,
    )
