"""The command ``fleet``: a whole estate of databases, and what would help most over all of them."""

from pathlib import Path

import click

from advisor.cli.arguments import area_option, fail_on_option, format_option, report_option, rule_names, site_option
from advisor.errors import EXIT_BAD_INPUT, EXIT_FOUND
from advisor.report.fail_on import FailOn


@click.command()
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path), metavar="[PATH]...")
@click.option(
    "--store",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="PATH",
    help="The last run of each database that the nightly job keeps there, instead of captures.",
)
@click.option("--each", is_flag=True, help="Every capture is a line, also several of one database.")
@site_option
@area_option
@click.option(
    "--rule",
    "rules",
    multiple=True,
    metavar="RULE",
    shell_complete=rule_names,
    help="Only what this rule says; can be repeated.",
)
@fail_on_option
@format_option("table", "json", "html")
@click.option("--all", "everything", is_flag=True, help="Every change and every name, with housekeeping.")
@report_option
def fleet(  # noqa: PLR0913, PLR0917 -- click hands over each option
    paths: tuple[Path, ...],
    store: Path | None,
    each: bool,
    site: Path | None,
    areas: tuple[str, ...],
    rules: tuple[str, ...],
    fail_on: tuple[FailOn, ...],
    form: str,
    everything: bool,
    output: Path | None,
) -> int:
    """How each database of an estate is, the worst first, and the changes that save most over all of them.

    PATHs are captures, or folders of them at any depth; of each database the last capture counts.
    """
    from advisor.fleet import page, show
    from advisor.fleet.captures import survey
    from advisor.fleet.estate import estate
    from advisor.nightly.last_runs import last_runs
    from advisor.report.catalogue import known_rule
    from advisor.report.output import emit, paint, width
    from advisor.report.selection import check_areas
    from advisor.site.files import site_of

    if bool(paths) == (store is not None):
        raise click.UsageError("name captures or folders of them, or --store PATH")
    if store is not None and (each or site):
        raise click.UsageError("--each and --options are for captures; what the store has was judged already")
    said = site_of(site)
    check_areas(areas, said.rules)
    for rule in rules:
        known_rule(rule, said.rules)

    def wanted(rule: str) -> bool:
        return (not areas or rule.partition(".")[0] in areas) and (not rules or rule in rules)

    found = estate(last_runs(store) if store is not None else survey(paths, said, each), wanted)
    if form == "json":
        text = show.as_json(found)
    elif form == "html":
        text = page.render(found)
    else:
        text = show.render(found, width(), paint(output), everything)
    emit(text, output)
    if found.failed:
        return EXIT_BAD_INPUT
    return EXIT_FOUND if found.reaches(fail_on) else 0
