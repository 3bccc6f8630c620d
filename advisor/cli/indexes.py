"""The command ``indexes``: indexes to create and to drop for the statements of a run."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from advisor.cli.arguments import format_option, report_option
from advisor.cli.keeping import print_at_end
from advisor.cli.origin import Origin, several_origin_options
from advisor.cli.sections import Command

if TYPE_CHECKING:
    from advisor.judgement.advice import Advice

NO_LIMIT = 1 << 62  # bytes


@click.command(cls=Command)
@several_origin_options
@click.option("--confirm", is_flag=True, help="Let Db2 estimate the indexes with EXPLAIN, and recommend its own.")
@click.option(
    "--create-explain-tables", is_flag=True, help="With --confirm, create missing explain tables for this user."
)
@click.option("--count", type=click.IntRange(min=1), help="Most indexes.  [default: 10]")
@click.option("--megabytes", type=click.IntRange(min=1), help="Most space.  [default: half of their tables]")
@click.option("--with", "added", multiple=True, metavar="DDL", help="Try this index: a CREATE INDEX statement.")
@click.option("--without", "dropped", multiple=True, metavar="INDEX", help="Try without this index.")
@format_option("text", "json")
@report_option
def indexes(  # noqa: PLR0913 -- the options
    origin: Origin,
    *,
    confirm: bool,
    create_explain_tables: bool,
    count: int | None,
    megabytes: int | None,
    added: tuple[str, ...],
    dropped: tuple[str, ...],
    form: str,
    output: Path | None,
) -> int:
    """Propose indexes for all statements together, with the gain per statement and rejected ones.

    It needs statement texts and column statistics. Several captures, runs or nights get one list.
    """
    from advisor.report import indexes as report
    from advisor.report import what_if
    from advisor.report.jsonout import describe_run
    from advisor.report.output import emit, paint, width
    from advisor.report.text import json_text
    from advisor.report.values import head

    if origin.in_database:
        raise click.UsageError("TUNE.ADVISE cannot propose indexes: use --database without --in-database")
    if confirm and origin.sources.connect is None:
        raise click.UsageError("--confirm requires --database")
    advice, confirmed = _advise(origin), None
    if (given := advice.indexes) is not None and given.workload is not None:
        if added or dropped:
            tried = what_if.what_if(given, added, dropped)
            document = {**head(), **describe_run(advice), "what_if": what_if.document(tried)}
            text = "\n".join(what_if.lines(tried, given, width(), paint(output))) + "\n"
            emit(json_text(document) if form == "json" else text, output)
            return 0
        if count or megabytes:
            budget = 1_000_000 * megabytes if megabytes else NO_LIMIT
            advice = replace(advice, indexes=given.workload.advise(budget, count))
    if confirm and advice.indexes is not None and origin.sources.connect is not None:
        from advisor.db2 import explaining

        with origin.sources.connect() as connection:
            found, confirmed = explaining.confirm(connection, advice.indexes, create_explain_tables)
        advice = replace(advice, indexes=found)
    if form == "json":
        emit(json_text({**head(), **describe_run(advice), "indexes": report.document(advice, confirmed)}), output)
    else:
        emit("\n".join(report.lines(advice, width(), paint(output), confirmed)) + "\n", output)
    return 0


def _advise(origin: Origin) -> "Advice":
    """Return the advice for a capture, or for the newest one with indexes for all of them."""
    if not origin.sources.older:
        return origin.advice()
    from advisor.judgement.weeks import advise_over

    with origin.open() as given:
        paths = [given.capture, *origin.sources.older]
        return advise_over(paths, given.hostfacts, given.site, lambda line: print_at_end(f"db2tune: {line}"))
