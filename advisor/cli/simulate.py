"""The command ``simulate``: the list after some changes, without making them."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from advisor.cli.arguments import format_option, ranks_option, report_option
from advisor.cli.origin import Origin, check_run, origin_options
from advisor.cli.sections import Command
from advisor.errors import UserError

if TYPE_CHECKING:
    from advisor.whatif.settings import Wanted


def _settings(context: click.Context, param: click.Parameter, values: tuple[str, ...]) -> "list[Wanted]":
    from advisor.whatif.settings import parse_wanted

    return [parse_wanted(value) for value in values]


@click.command(cls=Command)
@origin_options
@ranks_option("--apply", "Ranks to simulate, such as 1,3 or 1-3.")
@click.option(
    "--set",
    "settings",
    multiple=True,
    callback=_settings,
    metavar="[KIND:[OBJECT:]]NAME=VALUE",
    help="A setting to simulate, such as SORTHEAP=20000, DBMCFG:SHEAPTHRES=0 or BUFFERPOOL:BP1:SIZE=50000. Can be repeated.",
)
@format_option("text", "markdown", "json")
@report_option
def simulate(origin: Origin, ranks: tuple[int, ...], settings: "list[Wanted]", form: str, output: Path | None) -> int:
    """Show memory, log space, conflicts and the list after some changes, without making them.

    db2tune changes the settings in the data that it read and analyzes it again. Counters remain as measured.
    """
    from advisor.report.output import emit, paint, width
    from advisor.whatif import show
    from advisor.whatif.simulate import simulate as simulated

    if not ranks and not settings:
        raise click.UsageError("use --apply RANKS or --set SETTING")
    if origin.in_database:
        raise UserError("simulate cannot use --in-database; use a capture, --run, or --database alone")
    with origin.open() as given:
        found = simulated(given.capture, ranks, settings, given.hostfacts, given.site)
        check_run(given.capture, found.before, ranks)
    if form == "json":
        report = show.as_json(found)
    else:
        report = show.markdown(found) if form == "markdown" else show.render(found, width(), paint(output))
    emit(report, output)
    return 0
