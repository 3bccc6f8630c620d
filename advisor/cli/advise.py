"""The command ``advise``: the ranked list, in one of its formats."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from advisor.cli.arguments import area_option, fail_on_option, format_option, pager_option, report_option
from advisor.cli.keeping import Keep, keep_options
from advisor.cli.origin import Origin, origin_options
from advisor.cli.sections import Command
from advisor.errors import EXIT_FOUND, UserError
from advisor.report.fail_on import FailOn, reaches_one_of

if TYPE_CHECKING:
    from advisor.report.selection import Selection


@click.command(cls=Command)
@origin_options
@keep_options
@area_option
@click.option("--top", type=click.IntRange(min=1), metavar="N", help="Show only the first N recommendations.")
@click.option(
    "--min-benefit",
    type=click.FloatRange(0, 100),
    default=0,
    metavar="PCT",
    help="Show only performance advice with an estimated benefit of at least PCT percent of database time.",
)
@fail_on_option
@format_option("text", "markdown", "json", "csv", "html", "junit", "sarif")
@click.option("--all", "everything", is_flag=True, help="Show housekeeping advice and complete lists of rules.")
@report_option
@pager_option
def advise(  # noqa: PLR0913, PLR0917 -- click hands over each option
    origin: Origin,
    keep: Keep,
    areas: tuple[str, ...],
    top: int | None,
    min_benefit: float,
    fail_on: tuple[FailOn, ...],
    form: str,
    everything: bool,
    output: Path | None,
    no_pager: bool,
) -> int:
    """Print ranked advice for a database, a capture, or pasted Db2 output.

    --database needs no installation: db2tune reads the database twice, --interval seconds apart, and creates nothing
    there. FILE is a capture or Db2 output. Except for a capture, db2tune keeps the run: pass its number to explain,
    plan, ticket and simulate with --run.
    """
    from advisor.report.output import emit
    from advisor.report.selection import check_areas, select

    rules = origin.site.rules
    check_areas(areas, rules)
    one, is_plan = _one_statement(origin) if form == "text" else ("", False)
    try:
        advice, source = origin.judge(keep=keep, also=_more(form, areas))
    except UserError:
        if not one:
            raise
        emit(one, output, pager=not no_pager)
        return 0
    selection = select(advice, areas, top, min_benefit)
    if form == "junit":
        from advisor.report import pipelines

        report = pipelines.render_junit(selection, rules, fail_on)
    else:
        report = _report(selection, form, output, everything, source)
    if one and not selection.considered and (is_plan or not advice.passed):
        report = one  # an empty list would be read as one about the statement
    elif is_plan:
        report = f"{one}\n{report}"
    emit(report, output, pager=form == "text" and not no_pager)
    # --top shortens only the output
    return EXIT_FOUND if any(reaches_one_of(fail_on, item) for item in selection.considered) else 0


def _one_statement(origin: Origin) -> tuple[str, bool]:
    """Return the answer of the command query for a pasted statement, and whether it has a plan; empty for other inputs."""
    from advisor.diagnosis.door import answer_files
    from advisor.report import query
    from advisor.report.output import width

    found = answer_files(origin.sources.files)
    if found is None or not (found.proposals or found.right):
        return "", False
    return "\n".join(query.lines(found, width())) + "\n", found.case.plan is not None


def _more(form: str, areas: tuple[str, ...]) -> dict[str, str] | None:
    """Return the statements whose rows a report needs next to the advice."""
    if form == "html":
        from advisor.report import pictures

        return pictures.statements()
    if form == "text" and "memory" in areas:
        from advisor.report import account

        return account.statements()
    return None


def _report(selection: "Selection", form: str, output: Path | None, everything: bool, source: str) -> str:
    """Return the list in a format, for which only its own modules are loaded."""
    if form == "text":
        from advisor.report import table
        from advisor.report.output import paint, width

        return table.render(selection, width(), paint(output), everything, source)
    if form == "markdown":
        from advisor.report import markdown

        return markdown.render(selection, everything)
    if form == "json":
        from advisor.report import jsonout

        return jsonout.render(selection)
    if form == "html":
        from advisor.report import page

        return page.render(selection)
    if form == "sarif":
        from advisor.report import pipelines

        return pipelines.render_sarif(selection)
    from advisor.report import csvout, text

    # CSV rows cannot hold facts about the whole list
    click.echo(f"interval {text.interval(selection.advice.window)}; {selection.count_not_run()}", err=True)
    return csvout.render(selection)
