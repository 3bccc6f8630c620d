"""The command ``capture``: read a database into a capture, for analysis elsewhere."""

from pathlib import Path

import click

from advisor import progress
from advisor.cli.arguments import anonymize_option, hostfacts_option, interval_option, kept_option, script_option
from advisor.cli.connection import Connect, connection_options, require_connection
from advisor.cli.sections import Command


@click.command(cls=Command)
@connection_options(required=False)
@interval_option
@hostfacts_option
@kept_option(required=False)
@anonymize_option
@click.option(
    "--statement-text/--no-statement-text",
    default=None,
    help="Keep statement texts, which may contain secrets. Default: keep them, except with --script. --anonymize never"
    " keeps them.",
)
@script_option
def capture(  # noqa: PLR0913, PLR0917 -- click hands over each option
    connect: Connect | None,
    interval_s: int,
    hostfacts: tuple[Path, ...],
    output: Path | None,
    anonymize: bool,
    statement_text: bool | None,
    script: bool,
) -> int:
    """Read a database into a capture, for analysis elsewhere.

    With --script, print the queries that read it once. db2tune import makes a capture of their output.
    """
    if script:
        from advisor.imports.collect_script import collect_script

        click.echo(collect_script(texts=bool(statement_text)), nl=False)
        return 0
    from advisor.anonymize import anonymize_capture
    from advisor.capture import write_capture
    from advisor.db2.collector import collect
    from advisor.hostfacts.files import read_facts

    connected = require_connection(connect)
    if output is None:
        raise click.UsageError("name the capture to write with -o")
    facts, texts = read_facts(hostfacts), statement_text is not False and not anonymize
    with write_capture(output, anonymize_capture if anonymize else None) as folder, connected() as connection:
        collect(connection, folder, interval_s, facts, progress.pause, texts=texts)
    return 0
