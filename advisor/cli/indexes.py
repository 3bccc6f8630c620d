"""The command ``indexes``: indexes to create and to drop for the statements of a run."""

from pathlib import Path

import click

from advisor.cli.arguments import format_option, report_option
from advisor.cli.origin import Origin, origin_options
from advisor.cli.sections import Command


@click.command(cls=Command)
@origin_options
@format_option("text", "json")
@report_option
def indexes(origin: Origin, form: str, output: Path | None) -> int:
    """Propose indexes for all statements together, with the gain per statement and rejected ones.

    It needs statement texts and column statistics, which --database, captures and tune-collect.sql read. The gains are
    estimates; db2tune verify measures them afterwards.
    """
    from advisor.report import indexes as report
    from advisor.report.jsonout import describe_run
    from advisor.report.output import emit, paint, width
    from advisor.report.text import json_text

    advice = origin.advice()
    if form == "json":
        emit(json_text({**describe_run(advice), "indexes": report.document(advice)}), output)
    else:
        emit("\n".join(report.lines(advice, width(), paint(output))) + "\n", output)
    return 0
