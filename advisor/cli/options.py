"""The command ``options``: every option with its value and origin."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from advisor.cli.arguments import capture_option, format_option, rule_and_area_names, site_option
from advisor.cli.connection import Connect, connection_options
from advisor.cli.sections import Command

if TYPE_CHECKING:
    from advisor.capture.site import Site


@click.command(cls=Command)
@capture_option()
@connection_options(required=False)
@site_option
@format_option("text", "json")
@click.argument("owner", metavar="[AREA|RULE|site|all]", required=False, shell_complete=rule_and_area_names)
def options(capture: Path | None, connect: Connect | None, site: Path | None, form: str, owner: str | None) -> int:
    """Explain options: value, meaning, origin of the default, and the site's file that sets it.

    Without an argument, list the areas, the options that the site sets and the accepted risks.
    """
    from advisor.report import options as report
    from advisor.report.output import emit, paint, width
    from advisor.site.settings import rules_of, select_by_owner, settings

    if capture is not None and connect is not None:
        raise click.UsageError("use either --capture or --database")
    layers = _layers(capture, connect, site)
    found = settings(layers)
    risks = [(place, risk) for place, said in layers for risk in said.accepted]
    if owner not in (None, "all"):
        found = select_by_owner(found, owner, rules_of(layers))
        risks = [(place, risk) for place, risk in risks if f"{risk.rule}.".startswith(f"{owner}.")]
    if form == "json":
        emit(report.as_json(found, risks))
    else:
        changed = [setting for setting in found if setting.place] if owner is None else found
        areas = report.render_areas(found, paint()) if owner is None else ""
        emit(areas + report.render(changed, risks, width(), paint()), pager=True)
    return 0


def _layers(capture: Path | None, connect: Connect | None, site: Path | None) -> "list[tuple[str, Site]]":
    """Return the layers that can set options, in ascending precedence."""
    from advisor.site.files import read_site
    from advisor.site.settings import IN_DATABASE, read_capture_site, read_database_site

    layers = []
    if capture is not None:
        layers.append((capture.name, read_capture_site(capture)))
    if connect is not None:
        with connect() as connection:
            layers.append((IN_DATABASE, read_database_site(connection)))
    if site is not None:
        layers.append((site.name, read_site(site)))
    return layers
