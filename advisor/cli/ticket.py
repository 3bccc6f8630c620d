"""The command ``ticket``: chosen ranks as the text of a change ticket."""

from pathlib import Path

import click

from advisor.cli.arguments import RECORD_FORMATS, TICKET_FORMATS, format_option, ranks_option, report_option, rule_names
from advisor.cli.origin import Origin, origin_options


def _given(_: click.Context, __: click.Parameter, texts: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    pairs = []
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not all(name.split(".")):
            raise click.BadParameter(f"'{text}' is not NAME=VALUE")
        pairs.append((name, value))
    return tuple(pairs)


@click.command()
@origin_options
@ranks_option("--rank", "The ranks to change, as 1,3.")
@click.option("--rule", metavar="RULE", shell_complete=rule_names, help="What this rule advises, whatever its rank.")
@click.option("--object", "object_name", metavar="NAME", help="With --rule: only this table space, pool, table, ...")
@format_option(*TICKET_FORMATS, *RECORD_FORMATS)
@click.option(
    "--field",
    "given",
    multiple=True,
    metavar="NAME=VALUE",
    callback=_given,
    help="With --format servicenow or jira-issue: a field of the site, such as assignment_group=DBA or"
    " fields.project.key=OPS. Can be repeated.",
)
@click.option(
    "--templates",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    metavar="DIR",
    help="Templates of the site, in place of those of the same name.",
)
@report_option
def ticket(  # noqa: PLR0913, PLR0917 -- click hands over each option
    origin: Origin,
    ranks: tuple[int, ...],
    rule: str | None,
    object_name: str | None,
    form: str,
    given: tuple[tuple[str, str], ...],
    templates: Path | None,
    output: Path | None,
) -> int:
    """A change ticket for some ranks of the advice: reason, evidence, risk, steps, verification, rollback.

    --database measures anew, and ranks are those of what is measured then: --run takes the list that you have seen.
    """
    from advisor.report.catalogue import known_rule
    from advisor.report.output import emit
    from advisor.site.files import site_of
    from advisor.ticket import records, template
    from advisor.ticket.content import ranks_of
    from advisor.ticket.content import ticket as content

    if bool(ranks) == bool(rule):
        raise click.UsageError("name either --rank or --rule")
    if object_name is not None and not rule:
        raise click.UsageError("--object says which one of those of a --rule")
    if given and form not in records.WRITTEN_AS:
        raise click.UsageError("--field is for --format servicenow and jira-issue")
    # what is wrong with the arguments is said before a database is read
    chosen = None if form == records.JSON else template.find(records.WRITTEN_AS.get(form, form), templates)
    site = site_of(origin.site)
    if rule:
        known_rule(rule, site.rules)
    advice = origin.advice(ranks)
    if rule:
        ranks = ranks_of(advice, rule, object_name)
    written = content(advice, ranks, site.window)
    if form in TICKET_FORMATS and chosen:
        emit(template.fill(written, chosen, templates), output)
    else:
        emit(records.record(written, form, given, templates), output)
    return 0
