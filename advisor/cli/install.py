"""The command ``install``: schema TUNE, into a database or as a script."""

import click

from advisor.cli.arguments import script_option
from advisor.cli.connection import Connect, connection_options, unless_script
from advisor.cli.progress import bar


@click.command()
@connection_options(required=False)
@click.option("--tablespace", metavar="NAME", help="Put the tables there; its pages have 8 KB at least.")
@script_option
def install(connect: Connect | None, tablespace: str | None, script: bool) -> int:
    """Install schema TUNE, or upgrade it in place; history and options stay."""
    from advisor.install import installer, statements

    if script:
        click.echo(statements.script(statements.install_statements(tablespace), statements.INSTALL_TITLE), nl=False)
        return 0
    with unless_script(connect)() as connection, bar("Installing", 1) as shown:

        def done(number: int, of: int) -> None:
            shown.length = of
            shown.update(number - shown.pos)

        refused = installer.install(connection, tablespace, done)
    for rule, reason in refused:
        click.echo(f"rule {rule} cannot run here: {reason}", err=True)
    click.echo('Schema TUNE is in place. Next: db2 "CALL TUNE.ADVISE()"')
    return 0
