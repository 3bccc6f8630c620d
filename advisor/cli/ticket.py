"""The command ``ticket``: chosen ranks as the text of a change ticket."""

from pathlib import Path

import click

from advisor.cli.arguments import format_option, report_option
from advisor.cli.origin import Origin, origin_options

FORMATS = ("markdown", "html", "jira", "text")


def _ranks(context: click.Context, param: click.Parameter, value: str) -> tuple[int, ...]:
    """The numbers of --rank, each once."""
    numbers = [part.strip() for part in value.split(",")]
    if not all(number.isascii() and number.isdecimal() for number in numbers):
        raise click.BadParameter(f"{value!r} is not a list of ranks, such as 1,3")
    return tuple(dict.fromkeys(int(number) for number in numbers))


@click.command()
@origin_options
@click.option("--rank", "ranks", required=True, callback=_ranks, metavar="N,N", help="The ranks to change, as 1,3.")
@format_option(*FORMATS)
@click.option(
    "--templates",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    metavar="DIR",
    help="Templates of the site, in place of those of the same name.",
)
@report_option
def ticket(origin: Origin, ranks: tuple[int, ...], form: str, templates: Path | None, output: Path | None) -> int:
    """A change ticket for some ranks of the advice: reason, evidence, risk, steps, verification, rollback."""
    from advisor.report.output import emit
    from advisor.ticket import template
    from advisor.ticket.content import ticket as content

    chosen = template.find(form, templates)  # a template that cannot be read says so before a database is read
    emit(template.fill(content(origin.advice(), ranks), chosen, templates), output)
    return 0
