"""The command ``selftest``: what only a real server can prove, into a file that can be given away."""

import json
from pathlib import Path

import click

from advisor.cli.connection import Connect, connection_options
from advisor.cli.progress import bar
from advisor.errors import EXIT_FOUND


@click.command()
@connection_options()
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    default=Path("db2tune-selftest.json"),
    show_default=True,
    metavar="FILE",
    help="Write to FILE.",
)
def selftest(connect: Connect, output: Path) -> int:
    """Try everything on this server, take all of it back, and write what it said: codes, times and counts, no names."""
    from advisor.report.output import checked, emit
    from advisor.selftest.run import PARTS, refused, selftest

    checked(output)
    with connect() as connection, bar("Testing", PARTS) as shown:
        document = selftest(connection, lambda: shown.update(1))
    emit(json.dumps(document, indent=1, default=str) + "\n", output)
    found = refused(document)
    click.echo(f"{output}: {len(found)} refused; look it through, and send it. Nothing was changed")
    if document["ended"]:
        click.echo(f"it ended early, by {document['ended']}: what follows in it was not tried", err=True)
    return EXIT_FOUND if found or document["ended"] else 0
