"""The command ``help``: the help of the program or of one command."""

import click

from advisor.cli.sections import Command
from advisor.errors import UserError


@click.command("help", cls=Command)
@click.argument("name", metavar="[COMMAND]", required=False)
@click.pass_context
def help_command(context: click.Context, name: str | None) -> int:
    """Show the help of db2tune or of COMMAND."""
    root = context.find_root()
    if name is None:
        click.echo(root.get_help())
        return 0
    assert isinstance(root.command, click.Group)
    command = root.command.get_command(root, name)
    if command is None:
        raise UserError(f"{name}: no such command; db2tune help lists them")
    click.echo(click.Context(command, parent=root, info_name=name).get_help())
    return 0
