"""The command ``rules``: the list of them, or one in full."""

import click

from advisor.cli.arguments import area_option


@click.command()
@click.argument("name", required=False)
@area_option
def rules(name: str | None, areas: tuple[str, ...]) -> int:
    """The rules; with NAME one rule in full, with 'site' the options of the site."""
    from advisor.report import catalogue
    from advisor.report.output import emit, paint, width

    emit(catalogue.listing(areas, width()) if name is None else catalogue.entry(name, width(), paint()))
    return 0
