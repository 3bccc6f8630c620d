"""The command ``rules``: list rules, print one, test one with its cases, or create one."""

from pathlib import Path

import click

from advisor.cli.arguments import area_option, format_option, rule_and_area_names, site_option
from advisor.cli.sections import Command
from advisor.errors import EXIT_FOUND, UserError


@click.command(cls=Command)
@click.argument("name", required=False, shell_complete=rule_and_area_names)
@click.option(
    "--sql", is_flag=True, help="Print only the SQL of one rule, including the part generated from its header."
)
@click.option(
    "--check",
    "file",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    metavar="FILE",
    help="Test the rule in FILE with the cases in the .yml file of the same name. Exit with 1 if a case fails.",
)
@click.option(
    "--new", metavar="AREA.NAME", help="Create a rule and its cases in the current folder, as a starting point."
)
@area_option
@site_option
@format_option("text", "json")
def rules(  # noqa: PLR0913, PLR0917 -- click passes each option
    name: str | None,
    sql: bool,
    file: Path | None,
    new: str | None,
    areas: tuple[str, ...],
    site: Path | None,
    form: str,
) -> int:
    """List all rules, or print one rule (NAME), an area, or the options of the site ('site')."""
    if file is not None:
        return _check(file)
    if new is not None:
        return _create_rule(new)
    from advisor.report import catalogue
    from advisor.report.output import emit, paint, width
    from advisor.report.selection import areas_of
    from advisor.site.files import site_of

    said = site_of(site)
    if name is not None and name in areas_of(said.rules):
        areas, name = (*areas, name), None
    if sql:
        if name is None:
            raise UserError("--sql needs the NAME of a rule")
        emit(catalogue.find_rule(name, said.rules).statement + "\n")
        return 0
    if form == "json":
        emit(catalogue.as_json(name, areas, said))
    elif name is None:
        emit(catalogue.listing(areas, width(), said))
    else:
        emit(catalogue.entry(name, width(), paint(), said.rules))
    return 0


def _create_rule(name: str) -> int:

    from advisor.quoting import shell
    from advisor.report.output import emit
    from advisor.site.new_rule import write_rule

    rule, cases = write_rule(name, Path())
    emit(f"Wrote {rule} and {cases}. Test them: db2tune rules --check {shell(str(rule), 'FILE')}\n")
    return 0


def _check(file: Path) -> int:
    from advisor.catalogue.site_rules import read_rule
    from advisor.judgement.cases import check
    from advisor.judgement.sql_faults import rule_fault
    from advisor.report.output import emit

    try:
        rule = read_rule(file)
    except UserError as error:
        raise UserError(f"{file.name}: {error}") from None
    if fault := rule_fault(rule):
        raise UserError(f"{file.name}: {fault}")
    outcomes = check(rule, file.with_suffix(".yml"))
    for outcome in outcomes:
        emit(f"{'differs' if outcome.differences else 'ok':<8}{outcome.kind:<7} {outcome.name}\n")
        for difference in outcome.differences:
            emit(f"        {difference}\n")
    failed = sum(bool(outcome.differences) for outcome in outcomes)
    emit(f"{len(outcomes)} cases, {failed} failed; commands are only compared with the expected text, not run\n")
    return EXIT_FOUND if failed else 0
