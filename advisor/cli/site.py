"""The commands about what a site says and what changed: options, accept, diff."""

import getpass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from advisor.cli.connection import Connect, connection_options
from advisor.cli.database import hostfacts_option
from advisor.cli.origin import CAPTURE_HELP, site_option
from advisor.errors import UserError

if TYPE_CHECKING:
    from advisor.capture.site import Accepted, Site

FORMATS = ("table", "json")

format_option = click.option(
    "--format", "form", type=click.Choice(FORMATS), default=FORMATS[0], help="The first one by default."
)


@click.command()
@click.option("--capture", type=click.Path(path_type=Path), help=CAPTURE_HELP)
@connection_options(required=False)
@site_option
@format_option
@click.argument("owner", metavar="[RULE|site]", required=False)
def options(capture: Path | None, connect: Connect | None, site: Path | None, form: str, owner: str | None) -> int:
    """Every option with its value, default, provenance, and where the site set it."""
    from advisor.report import options as report
    from advisor.report.output import emit, paint, width
    from advisor.site.settings import of_owner, settings

    if capture is not None and connect is not None:
        raise click.UsageError("name either --capture or --database")
    layers = _layers(capture, connect, site)
    found = settings(layers)
    risks = [(place, risk) for place, said in layers for risk in said.accepted]
    if owner is not None:
        found = of_owner(found, owner)
        risks = [(place, risk) for place, risk in risks if risk.rule == owner]
    if form == "json":
        emit(report.as_json(found, risks))
    else:
        emit(report.render(found, risks, width(), paint(), meaning=owner is not None))
    return 0


def _layers(capture: Path | None, connect: Connect | None, site: Path | None) -> "list[tuple[str, Site]]":
    """Where options can be set, the one that counts most last."""
    from advisor.site.files import read
    from advisor.site.settings import IN_DATABASE, of_capture, of_database

    layers = []
    if capture is not None:
        layers.append((capture.name, of_capture(capture)))
    if connect is not None:
        with connect() as connection:
            layers.append((IN_DATABASE, of_database(connection)))
    if site is not None:
        layers.append((site.name, read(site)))
    return layers


@click.command()
@click.argument("rule")
@click.argument("object_pattern", metavar="OBJECT")
@click.option("--reason", required=True, metavar="TEXT", help="Why the risk is accepted.")
@click.option("--until", type=click.DateTime(["%Y-%m-%d"]), metavar="DAY", help="The last day, as 2027-06-30.")
@click.option("--by", metavar="NAME", help="Who accepts it, in a file; you by default.")
@connection_options(required=False)
@click.option(
    "--options", "file", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE", help="The site's TOML file."
)
def accept(  # noqa: PLR0913, PLR0917 -- click hands over each option
    rule: str,
    object_pattern: str,
    reason: str,
    until: datetime | None,
    by: str | None,
    connect: Connect | None,
    file: Path | None,
) -> int:
    """Accept what RULE says of OBJECT (a name, its beginning with *, or * for all): it stays visible, but unranked.

    The acceptance is kept in schema TUNE of the database, or in the TOML file of the site.
    """
    from advisor.capture.site import Accepted
    from advisor.report.catalogue import known_rule

    known_rule(rule)
    if (file is None) == (connect is None):
        raise click.UsageError("name either --options FILE or --database")
    if connect is not None and by is not None:
        raise click.UsageError("in a database, who connects accepts; leave out --by")
    risk = Accepted(rule, object_pattern, reason, by or getpass.getuser(), until.date() if until else None)
    if file is not None:
        _write(file, risk)
    elif connect is not None:
        with connect() as connection:
            connection.call("TUNE.ACCEPT", [risk.rule, risk.object, risk.reason, risk.until])
            connection.commit()
    return 0


def _write(file: Path, risk: "Accepted") -> None:
    from advisor.report.output import emit
    from advisor.site.files import with_risk

    try:
        text = with_risk(file.read_text(encoding="utf-8") if file.exists() else "", risk)
    except UnicodeDecodeError:
        raise UserError(f"{file.name}: not in UTF-8; write it as UTF-8 first") from None
    except UserError as error:
        raise UserError(f"{file.name}: {error}") from None
    emit(text, file)


@click.command()
@click.argument("before", type=click.Path(path_type=Path))
@click.argument("after", type=click.Path(path_type=Path))
@hostfacts_option
@site_option
@format_option
@click.option("-o", "--output", "target", type=click.Path(path_type=Path), metavar="FILE", help="Write to FILE.")
def diff(  # noqa: PLR0913, PLR0917 -- click hands over each option
    before: Path, after: Path, hostfacts: tuple[Path, ...], site: Path | None, form: str, target: Path | None
) -> int:
    """What changed between two captures of one database: settings first, then the advice."""
    from advisor.hostfacts.files import read
    from advisor.judge.changes import difference
    from advisor.report import diff as report
    from advisor.report.output import emit, paint, width
    from advisor.site.files import site_of

    found = difference(before, after, read(hostfacts), site_of(site))
    emit(report.as_json(found) if form == "json" else report.render(found, width(), paint(target)), target)
    return 0
