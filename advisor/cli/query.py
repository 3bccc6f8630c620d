"""The command ``query``: one slow statement, answered."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from advisor.cli.arguments import format_option, report_option
from advisor.cli.connection import Connect
from advisor.cli.origin import Origin, origin_options
from advisor.cli.sections import Command
from advisor.errors import UserError

if TYPE_CHECKING:
    from advisor.diagnosis.door import Explain


def _explain(connect: Connect) -> "Explain":
    """Return the function that lets Db2 explain a statement; without explain tables, it has no rows."""
    from advisor.db2.explaining import read_plan

    def explain(key: str, text: str) -> list[tuple[object, ...]]:
        with connect() as connection:
            try:
                return read_plan(connection, key, text)
            except UserError as error:
                click.echo(f"db2tune: without the plan: {error}", err=True)
                return []

    return explain


@click.command(cls=Command)
@origin_options
@click.option("--statement", metavar="SQL", help="The statement, if it is not in a file.")
@click.option("--rank", "key", metavar="N|NAME", help="One of the statements of a capture, run, database or report.")
@format_option("text", "json")
@report_option
def query(origin: Origin, statement: str | None, key: str | None, form: str, output: Path | None) -> int:
    """Explain why one statement is slow, and what helps: indexes, statistics, a rewrite, a setting.

    FILE has the statement, its plan (db2exfmt, db2expln), or both, with more about its tables. With --rank, or a rank
    behind --capture, --run or --database, it is one of the statements that 'db2tune statements' lists. With --database
    and explain tables, Db2 explains it. It never runs.
    """
    from advisor.diagnosis.door import answer_from, answer_text, read_texts
    from advisor.imports.inputs import only_capture
    from advisor.report import query as report
    from advisor.report.jsonout import describe_run
    from advisor.report.output import emit, paint, width
    from advisor.report.text import json_text
    from advisor.report.values import head

    source, about = origin.sources, {}
    is_collected = bool(source.capture or source.run or source.connect)
    if is_collected and not key and len(source.files) == 1:  # db2tune query --run last 1
        key, source = str(source.files[0]), replace(source, files=())
    if is_collected or key:
        if bool(key) == bool(statement) or (is_collected and source.files):
            raise click.UsageError("name one statement: its rank or name in 'db2tune statements', or --statement")
        advice = replace(origin, sources=source).advice()
        found = answer_from(advice, key or "", statement or "", _explain(source.connect) if source.connect else None)
        about = describe_run(advice)
    else:
        if not source.files and not statement:
            raise click.UsageError("name a file, '-' for standard input, or --statement")
        if source.files and only_capture(source.files):
            raise click.UsageError("--rank: name one of the statements of the capture")
        found = answer_text(read_texts(source.files) if source.files else "", statement or "")
    if form == "json":
        emit(json_text({**head(), **about, "query": report.document(found)}), output)
    else:
        emit("\n".join(report.lines(found, width(), paint(output))) + "\n", output)
    return 0 if found.is_understood else 2
