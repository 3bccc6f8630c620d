"""The command ``accept``: accept a risk in a site's file or in schema TUNE."""

import getpass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from advisor.cli.arguments import rule_names
from advisor.cli.connection import Connect, connection_options
from advisor.cli.sections import Command

if TYPE_CHECKING:
    from advisor.capture.site import Accepted


@click.command(cls=Command)
@click.argument("rule", shell_complete=rule_names)
@click.argument("object_pattern", metavar="OBJECT")
@click.option("--reason", required=True, metavar="TEXT", help="Why the risk is accepted.")
@click.option(
    "--until", type=click.DateTime(["%Y-%m-%d"]), metavar="DAY", help="Last day of the acceptance, such as 2035-06-30."
)
@click.option("--by", metavar="NAME", help="With --options: the person who accepts the risk; default: your user name.")
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
    """Accept the advice of RULE for OBJECT. It remains visible, but gets no rank.

    OBJECT is a name, a prefix followed by *, or * for all objects. Schema TUNE of the database or the site's TOML file
    stores the acceptance.
    """
    from advisor.capture.site import Accepted
    from advisor.report.text import make_printable

    if (file is None) == (connect is None):
        raise click.UsageError("use either --options FILE or --database")
    if connect is not None and by is not None:
        raise click.UsageError("a database records the connected user; omit --by")
    if file is not None and until is not None and until.date() < datetime.now().astimezone().date():
        raise click.BadParameter(f"{until:%Y-%m-%d} has passed", param_hint="--until")
    risk = Accepted(rule, object_pattern, reason, by or getpass.getuser(), until.date() if until else None)
    if file is not None:
        _write(file, risk)
    elif connect is not None:
        with connect() as connection:
            connection.call("TUNE.ACCEPT", [risk.rule, risk.object, risk.reason, risk.until])
            connection.commit()
    last = f" until {risk.until}" if risk.until else ""
    click.echo(make_printable(f"Accepted {rule} for {object_pattern}{last}: {reason}"), err=True)
    return 0


def _write(file: Path, risk: "Accepted") -> None:
    from advisor.files import lock_folder
    from advisor.report.output import checked, emit
    from advisor.site.files import append_risk

    with lock_folder(checked(file).resolve().parent):  # keep what other processes add meanwhile
        emit(append_risk(file.read_bytes() if file.exists() else b"", risk, file), file, quiet=True)
