"""The command ``ticket``: a change ticket for chosen ranks."""

from pathlib import Path

import click

from advisor.cli.arguments import RECORD_FORMATS, TICKET_FORMATS, format_option, ranks_option, report_option, rule_names
from advisor.cli.origin import Origin, origin_options
from advisor.cli.sections import Command


def _parse_answers(_: click.Context, __: click.Parameter, texts: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    pairs = []
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not all(name.split(".")):
            raise click.BadParameter(f"'{text}' is not NAME=VALUE")
        pairs.append((name, value))
    return tuple(pairs)


@click.command(cls=Command)
@origin_options
@ranks_option("--rank", "Ranks to change, such as 1,3 or 1-3.")
@click.option("--rule", metavar="RULE", shell_complete=rule_names, help="Use the advice of this rule, at any rank.")
@click.option(
    "--object", "object_name", metavar="NAME", help="With --rule: only this table space, buffer pool, table, ..."
)
@format_option(*TICKET_FORMATS, *RECORD_FORMATS)
@click.option(
    "--field",
    "given",
    multiple=True,
    metavar="NAME=VALUE",
    callback=_parse_answers,
    help="With --format servicenow or jira-issue: a field that your site needs, such as assignment_group=DBA or"
    " fields.project.key=OPS. Can be repeated.",
)
@click.option(
    "--templates",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    metavar="DIR",
    help="The site's own templates, which replace those of the same name.",
)
@report_option
@click.option(
    "--scripts",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Write the scripts that the ticket names to DIR, to attach them.",
)
def ticket(  # noqa: PLR0913, PLR0917 -- click hands over each option
    origin: Origin,
    ranks: tuple[int, ...],
    rule: str | None,
    object_name: str | None,
    form: str,
    given: tuple[tuple[str, str], ...],
    templates: Path | None,
    output: Path | None,
    scripts: Path | None,
) -> int:
    """Print a change ticket for some ranks: reason, evidence, risk, steps, verification, rollback.

    --database measures again, so ranks can change. Use --run for the list that you have seen.
    """
    from advisor.report.catalogue import find_rule
    from advisor.report.output import emit
    from advisor.ticket import records, template
    from advisor.ticket.content import ranks_of, write_scripts
    from advisor.ticket.content import ticket as content

    if bool(ranks) == bool(rule):
        raise click.UsageError("use either --rank or --rule")
    if object_name is not None and not rule:
        raise click.UsageError("--object requires --rule")
    if given and form not in records.WRITTEN_AS:
        raise click.UsageError("--field requires --format servicenow or jira-issue")
    # check the arguments before reading a database
    chosen = None if form == records.JSON else template.find(records.WRITTEN_AS.get(form, form), templates)
    site = origin.site
    if rule:
        find_rule(rule, site.rules)
    advice = origin.advice(ranks)
    if rule:
        ranks = ranks_of(advice, rule, object_name)
    written = content(advice, ranks, site.window)
    if scripts is not None:
        write_scripts(written, scripts)
    if form in TICKET_FORMATS and chosen:
        emit(template.fill(written, chosen, templates), output)
    else:
        emit(records.record(written, form, given, templates), output)
    return 0
