"""The command ``fleet``: the state of many databases, and the best changes across them."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from advisor.cli.arguments import area_option, fail_on_option, format_option, report_option, rule_names, site_option
from advisor.cli.sections import Command
from advisor.errors import EXIT_BAD_INPUT, EXIT_FOUND, EXIT_NO_CONNECTION
from advisor.report.fail_on import FailOn

if TYPE_CHECKING:
    from advisor.capture.site import Site
    from advisor.fleet.estate import Surveyed


@click.command(cls=Command)
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@click.option(
    "--store",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="PATH",
    help="Use the last run of each database in this store of the nightly job, instead of captures.",
)
@click.option(
    "--databases",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    metavar="FILE",
    help="Read and analyze the databases of a nightly.toml now. Keep nothing, and send no notification.",
)
@click.option("--each", is_flag=True, help="Show one line per capture, even for captures of the same database.")
@click.option(
    "--scheduler",
    metavar="ADDRESS",
    help="Analyze on the workers of a Dask cluster, such as tcp://host:8786 or tls://host:8786.",
)
@click.option(
    "--results",
    metavar="PATH",
    help="Keep results in PATH, as JSON Lines. Captures with a kept result are not analyzed again.",
)
@site_option
@area_option
@click.option(
    "--rule",
    "rules",
    multiple=True,
    metavar="RULE",
    shell_complete=rule_names,
    help="Show only this rule. Can be repeated.",
)
@fail_on_option
@format_option("text", "markdown", "json", "html")
@click.option("--all", "everything", is_flag=True, help="Show every change and every name, with housekeeping advice.")
@report_option
def fleet(  # noqa: PLR0913, PLR0917 -- click hands over each option
    paths: tuple[str, ...],
    store: Path | None,
    databases: Path | None,
    each: bool,
    scheduler: str | None,
    results: str | None,
    site: Path | None,
    areas: tuple[str, ...],
    rules: tuple[str, ...],
    fail_on: tuple[FailOn, ...],
    form: str,
    everything: bool,
    output: Path | None,
) -> int:
    """Show the databases of a fleet, worst first, and the changes that save most across them.

    PATHs are captures, folders with captures at any depth, or URLs of these, such as s3://. The last capture of each
    database counts.
    """
    from advisor.fleet import page, show
    from advisor.fleet.estate import estate
    from advisor.report.catalogue import find_rule
    from advisor.report.output import checked, emit, paint, width
    from advisor.report.selection import check_areas
    from advisor.site.files import site_of

    if sum(map(bool, (paths, store, databases))) != 1:
        raise click.UsageError("use one of: captures or folders of captures, --store PATH, --databases FILE")
    if not paths and (each or site or scheduler or results):
        raise click.UsageError(
            "--each, --options, --scheduler and --results require captures; nightly.toml sets the nightly job's options"
        )
    if output is not None:
        checked(output)
    said = site_of(site)
    check_areas(areas, said.rules)
    for rule in rules:
        find_rule(rule, said.rules)

    def wanted(rule: str) -> bool:
        return (not areas or rule.partition(".")[0] in areas) and (not rules or rule in rules)

    found = estate(_survey(paths, store, databases, said, each, scheduler, results), wanted)
    if form == "json":
        text = show.as_json(found)
    elif form == "markdown":
        text = show.markdown(found, everything)
    elif form == "html":
        text = page.render(found)
    else:
        text = show.render(found, width(), paint(output), everything)
    emit(text, output)
    if found.failed:
        return EXIT_BAD_INPUT if databases is None else EXIT_NO_CONNECTION
    return EXIT_FOUND if found.reaches_threshold(fail_on) else 0


def _survey(  # noqa: PLR0913, PLR0917 -- the options of each source
    paths: tuple[str, ...],
    store: Path | None,
    databases: Path | None,
    site: "Site",
    each: bool,
    scheduler: str | None,
    results: str | None,
) -> "list[Surveyed]":
    """Return the databases of the chosen source."""
    from advisor.fleet.captures import survey
    from advisor.fleet.places import place
    from advisor.nightly import config, job
    from advisor.nightly.estate import load_last_runs, survey_outcomes

    if store is not None:
        return load_last_runs(store)
    if databases is not None:
        return survey_outcomes(job.survey(config.read(databases)))
    places = [place(path) for path in paths]
    return survey(places, site, each, scheduler, place(results) if results else None)
