"""The command ``capture``: what a database says, kept to be judged elsewhere."""

from pathlib import Path

import click

from advisor.cli import progress
from advisor.cli.arguments import anonymize_option, hostfacts_option, interval_option, kept_option
from advisor.cli.connection import Connect, connection_options


@click.command()
@connection_options()
@interval_option
@hostfacts_option
@kept_option(required=True)
@anonymize_option
@click.option(
    "--statement-text/--no-statement-text",
    default=True,
    help="Whether to keep the texts of statements, which may hold secrets; with --anonymize they are never kept.",
)
def capture(  # noqa: PLR0913, PLR0917 -- click hands over each option
    connect: Connect,
    interval_s: int,
    hostfacts: tuple[Path, ...],
    output: Path,
    anonymize: bool,
    statement_text: bool,
) -> int:
    """Read the database once or twice and keep what it said, to be judged elsewhere."""
    from advisor.anonymize import anonymized
    from advisor.capture import written
    from advisor.db2.collector import collect
    from advisor.hostfacts.files import read_facts

    facts = read_facts(hostfacts)
    with written(output, anonymized if anonymize else None) as folder, connect() as connection:
        collect(connection, folder, interval_s, facts, progress.pause, texts=statement_text and not anonymize)
    return 0
