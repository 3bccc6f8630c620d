"""The command ``rules``: the list of them, one in full, or a test of one by its cases."""

from pathlib import Path

import click

from advisor.cli.arguments import area_option, rule_and_area_names, site_option
from advisor.errors import EXIT_FOUND, UserError


@click.command()
@click.argument("name", required=False, shell_complete=rule_and_area_names)
@click.option(
    "--sql", is_flag=True, help="Of one rule: only its SQL as it is run, with what is generated of the header."
)
@click.option(
    "--check",
    "file",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    metavar="FILE",
    help="Test the rule in FILE by the cases beside it, in the .yml of the same name; 1 where one differs.",
)
@area_option
@site_option
def rules(name: str | None, sql: bool, file: Path | None, areas: tuple[str, ...], site: Path | None) -> int:
    """The rules, also those of the site; with NAME one rule in full, or those of an area; with 'site' the options of the site."""
    if file is not None:
        return _check(file)
    from advisor.report import catalogue
    from advisor.report.output import emit, paint, width
    from advisor.report.selection import areas_of
    from advisor.site.files import site_of

    said = site_of(site)
    if name is not None and name in areas_of(said.rules):
        areas, name = (*areas, name), None
    if sql:
        if name is None:
            raise UserError("--sql shows one rule: name it")
        emit(catalogue.known_rule(name, said.rules).statement + "\n")
        return 0
    if name is None:
        emit(catalogue.listing(areas, width(), said))
    else:
        emit(catalogue.entry(name, width(), paint(), said.rules))
    return 0


def _check(file: Path) -> int:
    from advisor.catalogue.site_rules import read_rule
    from advisor.judge.cases import check
    from advisor.report.output import emit

    try:
        rule = read_rule(file)
    except UserError as error:
        raise UserError(f"{file.name}: {error}") from None
    outcomes = check(rule, file.with_suffix(".yml"))
    for outcome in outcomes:
        emit(f"{'differs' if outcome.differences else 'ok':<8}{outcome.kind:<7} {outcome.name}\n")
        for difference in outcome.differences:
            emit(f"        {difference}\n")
    failed = sum(bool(outcome.differences) for outcome in outcomes)
    emit(f"{len(outcomes)} cases, {failed} differ; commands are compared with what is expected, not carried out\n")
    return EXIT_FOUND if failed else 0
