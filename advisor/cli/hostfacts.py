"""The command ``hostfacts``: print the collector of host facts, or load its facts into a database."""

from pathlib import Path

import click

from advisor.cli.arguments import capture_option
from advisor.cli.connection import Connect, connection_options
from advisor.cli.sections import Command


@click.command(cls=Command)
@capture_option(help_text="Add the paths of this capture's database to the script.")
@connection_options(required=False)
@click.option(
    "--load",
    "files",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    multiple=True,
    metavar="FILE",
    help="Load the facts of FILE into schema TUNE of the database instead. Can be repeated.",
)
def hostfacts(capture: Path | None, connect: Connect | None, files: tuple[Path, ...]) -> int:
    """Print a shell script that collects facts about the host that Db2 does not report.

    Run it on each host of the database, preferably as the instance owner: sh collector.sh > hostfacts.json. With
    --capture or --database, it contains the paths of the containers, logs and storage. Pass more paths as arguments.
    """
    from advisor.hostfacts import collector, loading
    from advisor.hostfacts.collector import script
    from advisor.hostfacts.files import read_facts

    if capture is not None and connect is not None:
        raise click.UsageError("use either --capture or --database")
    if files:
        if connect is None:
            raise click.UsageError("--load needs --database")
        facts = read_facts(files)
        with connect() as connection:
            loading.load(connection, facts)
        click.echo(f"Loaded {len(facts)} host facts into TUNE.HOSTFACT.")
        return 0
    names = []
    if capture is not None:
        names = collector.read_capture_paths(capture)
    elif connect is not None:
        with connect() as connection:
            names = collector.read_database_paths(connection)
    click.echo(script(names), nl=False)
    return 0
