"""The command ``watch``: the summary of a database, again after each interval."""

from typing import TYPE_CHECKING

import click

from advisor import progress
from advisor.cli.arguments import make_interval_option
from advisor.cli.connection import Connect, connection_options
from advisor.cli.sections import Command
from advisor.cli.site_input import SiteInput, site_input_options
from advisor.ending import until_interrupt

if TYPE_CHECKING:
    from advisor.judgement.advice import Advice


@click.command(cls=Command)
@connection_options()
@make_interval_option(10, "Seconds between two summaries.")
@site_input_options
def watch(connect: Connect, interval_s: int, site_input: SiteInput) -> int:
    """Print the summary of a database again after each interval, and the differences from the last one.

    db2tune reads the database twice per interval with SELECTs, as advise does, and keeps nothing. In a terminal, each
    summary replaces the last one. End it with Ctrl-C.
    """
    from advisor.db2.collector import collect
    from advisor.files import temporary
    from advisor.hostfacts.files import read_facts
    from advisor.judgement.run import advise
    from advisor.report.output import emit

    site, facts = site_input.load(kept_run=False), read_facts(site_input.hostfacts)
    before: Advice | None = None
    with until_interrupt(), connect() as connection:
        while True:
            with temporary() as folder:
                collect(connection, folder, interval_s, facts, progress.pause, texts=site.texts)
                advice = advise(folder, site=site)
            click.clear()
            emit("\n".join([*_list_lines(advice, before), "", ""]))
            before = advice
    return 0


def _list_lines(advice: "Advice", before: "Advice | None") -> list[str]:
    """Return the summary, with the differences from the one before."""
    from advisor.judgement.changes import compare_advice
    from advisor.report import output, summary
    from advisor.report.diff import format_item
    from advisor.report.selection import select
    from advisor.report.text import wrap

    width, paint = output.width(), output.paint()
    lines = summary.lines(select(advice), width, paint, source=None)
    if before is None:
        return lines
    found = compare_advice(before, advice)
    marked = [("New", item) for item in found.new] + [("Gone", item) for item in found.gone]
    marked += [("Worse", pair.after) for pair in found.worsened] + [("Better", pair.after) for pair in found.improved]
    news = [line for label, item in marked for line in wrap(format_item(item), width, f"{label:<12}")]
    return [*lines, "", *(paint(line, bold=True) for line in news or ["Same advice as before."])]
