"""The command ``indexes``: indexes to create and to drop for the statements of a run."""

from dataclasses import replace
from pathlib import Path

import click

from advisor.cli.arguments import format_option, report_option
from advisor.cli.origin import Origin, origin_options
from advisor.cli.sections import Command


@click.command(cls=Command)
@origin_options
@click.option(
    "--confirm",
    is_flag=True,
    help="Let Db2 estimate the proposed indexes with EXPLAIN, and recommend its own. Needs --database and explain tables;"
    " all their rows are rolled back.",
)
@click.option(
    "--create-explain-tables", is_flag=True, help="With --confirm, create missing explain tables for this user."
)
@format_option("text", "json")
@report_option
def indexes(origin: Origin, confirm: bool, create_explain_tables: bool, form: str, output: Path | None) -> int:
    """Propose indexes for all statements together, with the gain per statement and rejected ones.

    It needs statement texts and column statistics: from --database, a capture, the output of tune-collect.sql, or of
    db2look -e -m and a package cache listing. The gains are estimates; db2tune verify measures them afterwards.
    """
    from advisor.report import indexes as report
    from advisor.report.jsonout import describe_run
    from advisor.report.output import emit, paint, width
    from advisor.report.text import json_text

    if origin.in_database:
        raise click.UsageError("TUNE.ADVISE cannot propose indexes: use --database without --in-database")
    if confirm and origin.sources.connect is None:
        raise click.UsageError("--confirm requires --database")
    advice, confirmed = origin.advice(), None
    if confirm and advice.indexes is not None and origin.sources.connect is not None:
        from advisor.db2 import explaining

        with origin.sources.connect() as connection:
            found, confirmed = explaining.confirm(connection, advice.indexes, create_explain_tables)
        advice = replace(advice, indexes=found)
    if form == "json":
        emit(json_text({**describe_run(advice), "indexes": report.document(advice, confirmed)}), output)
    else:
        emit("\n".join(report.lines(advice, width(), paint(output), confirmed)) + "\n", output)
    return 0
