"""The command ``install``: schema TUNE, into a database or as a script."""

from pathlib import Path

import click

from advisor.cli.arguments import script_option
from advisor.cli.connection import Connect, connection_options, unless_script
from advisor.cli.progress import bar


@click.command()
@connection_options(required=False)
@click.option("--tablespace", metavar="NAME", help="Put the tables there; its pages have 8 KB at least.")
@click.option(
    "--rules",
    "folder",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    metavar="DIR",
    help="The rules of the site. What is installed is what is given: without it, those of before judge no longer.",
)
@script_option
def install(connect: Connect | None, tablespace: str | None, folder: Path | None, script: bool) -> int:
    """Install schema TUNE, or upgrade it in place; history and options stay."""
    from advisor.catalogue.site_rules import RuleFolder, read_folder
    from advisor.install import installer, statements

    own = RuleFolder() if folder is None else read_folder(folder)
    for broken in own.broken:
        click.echo(f"{broken.file} is not installed: {broken.reason}", err=True)
    if script:
        made = statements.install_statements(tablespace, own.rules)
        click.echo(statements.script(made, statements.INSTALL_TITLE), nl=False)
        return 0
    with unless_script(connect)() as connection, bar("Installing", 1) as shown:

        def done(number: int, of: int) -> None:
            shown.length = of
            shown.update(number - shown.pos)

        refused = installer.install(connection, tablespace, done, own.rules)
    for rule, reason in refused:
        click.echo(f"rule {rule} cannot run here: {reason}", err=True)
    click.echo('Schema TUNE is in place. Next: db2 "CALL TUNE.ADVISE()"')
    return 0
