"""The command ``selftest``: tests that need a real server, with results in a file that you can share."""

import json
from pathlib import Path

import click

from advisor.cli.connection import Connect, connection_options
from advisor.cli.sections import Command
from advisor.errors import EXIT_FOUND
from advisor.progress import bar


@click.command(cls=Command)
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
    """Test all functions on this server and roll back. Write codes, times and counts to a file, without names."""
    from advisor.report.output import checked, emit
    from advisor.selftest.run import PARTS, list_rejected, selftest

    checked(output)
    with connect() as connection, bar("Testing", PARTS) as shown:
        document = selftest(connection, lambda: shown.update(1))
    emit(json.dumps(document, indent=1, default=str) + "\n", output)
    found = list_rejected(document)
    click.echo(f"{output}: {len(found)} rejected. Nothing was changed. Review the file, then send it")
    if document["ended"]:
        click.echo(f"The test ended early, by {document['ended']}; the remaining parts did not run", err=True)
    return EXIT_FOUND if found or document["ended"] else 0
