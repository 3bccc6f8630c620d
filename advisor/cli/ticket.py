"""The command ``ticket``: chosen ranks as the text of a change ticket."""

from pathlib import Path

import click

from advisor.cli.arguments import TICKET_FORMATS, format_option, ranks_option, report_option
from advisor.cli.origin import Origin, origin_options


@click.command()
@origin_options
@ranks_option("--rank", "The ranks to change, as 1,3.")
@click.option("--rule", metavar="RULE", help="What this rule advises, whatever its rank.")
@click.option("--object", "object_name", metavar="NAME", help="With --rule: only this table space, pool, table, ...")
@format_option(*TICKET_FORMATS)
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
    templates: Path | None,
    output: Path | None,
) -> int:
    """A change ticket for some ranks of the advice: reason, evidence, risk, steps, verification, rollback.

    --database measures anew, and ranks are those of what is measured then: --run takes the list that you have seen.
    """
    from advisor.report.catalogue import known_rule
    from advisor.report.output import emit
    from advisor.site.files import site_of
    from advisor.ticket import template
    from advisor.ticket.content import ranks_of
    from advisor.ticket.content import ticket as content

    if bool(ranks) == bool(rule):
        raise click.UsageError("name either --rank or --rule")
    if object_name is not None and not rule:
        raise click.UsageError("--object says which one of those of a --rule")
    # what is wrong with the arguments is said before a database is read
    chosen = template.find(form, templates)
    if rule:
        known_rule(rule, site_of(origin.site).rules)
    advice = origin.advice(ranks)
    if rule:
        ranks = ranks_of(advice, rule, object_name)
    emit(template.fill(content(advice, ranks), chosen, templates), output)
    return 0
