"""The command ``sql``: query the views that rules read."""

from pathlib import Path

import click

from advisor.cli.arguments import capture_option, format_option, pager_option, report_option, site_option
from advisor.cli.sections import Command


@click.command(cls=Command)
@click.argument("statement", metavar="[SELECT]", required=False)
@capture_option()
@site_option
@format_option("text", "csv", "json")
@report_option
@pager_option
def sql(  # noqa: PLR0913, PLR0917 -- click passes each option
    statement: str | None, capture: Path | None, site: Path | None, form: str, output: Path | None, no_pager: bool
) -> int:
    """Run one SELECT over the views of the rules, on a capture; without SELECT, list these views.

    The SQL must work in both Db2 and SQLite, as in rules. It cannot change anything or read files.
    """
    from advisor.judgement.queries import list_views, query
    from advisor.report import queries
    from advisor.report.output import emit, paint, width
    from advisor.resources import DEMO_CAPTURE
    from advisor.site.files import site_of

    if statement is None:
        report = queries.views(list_views(capture or DEMO_CAPTURE), form, width(), paint(output))
    elif capture is None:
        raise click.UsageError("a SELECT needs --capture")
    else:
        report = queries.render(query(capture, statement, site_of(site)), form)
    emit(report, output, pager=form == "text" and not no_pager)
    return 0
