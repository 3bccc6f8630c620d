"""The command ``uninstall``: remove schema TUNE from a database, or print the script."""

import click

from advisor.cli.arguments import script_option
from advisor.cli.connection import Connect, connection_options, unless_script
from advisor.cli.sections import Command


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
    wanted = unless_script(connect)
    if not yes:
        click.confirm("This deletes all snapshots, runs, options and accepted risks. Continue?", abort=True, err=True)
    with wanted() as connection:
        there = installer.uninstall(connection)
    click.echo("Schema TUNE is removed." if there else "Schema TUNE was not installed.")
    return 0
