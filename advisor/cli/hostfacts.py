"""The command ``hostfacts``: prints the collector of host facts, and loads what it found into a database."""

from pathlib import Path

import click

from advisor.cli.arguments import capture_option
from advisor.cli.connection import Connect, connection_options


@click.command()
@capture_option(help_text="Write the paths of this capture's database into the script.")
@connection_options(required=False)
@click.option(
    "--load",
    "files",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    multiple=True,
    metavar="FILE",
    help="Put the facts of FILE into schema TUNE of the database instead. Can be repeated.",
)
def hostfacts(capture: Path | None, connect: Connect | None, files: tuple[Path, ...]) -> int:
    """Print a shell script that collects what Db2 cannot see of its host.

    Run it on each host of the database, best as the instance owner: sh collector.sh > hostfacts.json. With --capture or
    --database it knows the database's containers, logs and storage paths; others can be given as its arguments.
    """
    from advisor.hostfacts import loading, paths
    from advisor.hostfacts.collector import script
    from advisor.hostfacts.files import read_facts

    if capture is not None and connect is not None:
        raise click.UsageError("name either --capture or --database")
    if files:
        if connect is None:
            raise click.UsageError("--load needs --database")
        facts = read_facts(files)
        with connect() as connection:
            loading.load(connection, facts)
        click.echo(f"{len(facts)} host facts are in TUNE.HOSTFACT.")
        return 0
    names = []
    if capture is not None:
        names = paths.of_capture(capture)
    elif connect is not None:
        with connect() as connection:
            names = paths.of_database(connection)
    click.echo(script(names), nl=False)
    return 0
