"""The command ``uninstall``: schema TUNE out of a database, or as a script."""

import click

from advisor.cli.arguments import script_option
from advisor.cli.connection import Connect, connection_options, unless_script


@click.command()
@connection_options(required=False)
@click.option("--yes", is_flag=True, help="Do not ask.")
@script_option
def uninstall(connect: Connect | None, yes: bool, script: bool) -> int:
    """Take schema TUNE out of the database, with its history."""
    from advisor.install import installer, statements

    if script:
        click.echo(statements.script(statements.uninstall_statements(), statements.UNINSTALL_TITLE), nl=False)
        return 0
    wanted = unless_script(connect)
    if not yes:
        click.confirm("All snapshots, runs, options and accepted risks go. Continue?", abort=True, err=True)
    with wanted() as connection:
        there = installer.uninstall(connection)
    click.echo("Schema TUNE is gone." if there else "Schema TUNE was not there.")
    return 0
