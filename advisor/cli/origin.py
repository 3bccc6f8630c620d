"""Where a command has its advice from: a capture, a database that is read twice, or schema TUNE inside of it.

@main.command()
@origin_options
def plan(origin: Origin) -> int:
    steps = plan(origin.advice())
"""

import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from advisor.cli.arguments import argument
from advisor.cli.connection import Connect, connection_options
from advisor.cli.database import hostfacts_option, interval_option, take

if TYPE_CHECKING:
    from advisor.judge.advice import Advice

CAPTURE_HELP = "Capture directory or .capture file."

site_option = click.option(
    "--options",
    "site",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    metavar="FILE",
    help="TOML of the site: options, thresholds of rules, accepted risks.",
)


@dataclass(frozen=True)
class Origin:
    """What was asked for; nothing is read before ``advice``."""

    capture: Path | None
    connect: Connect | None
    interval_s: int
    hostfacts: tuple[Path, ...]
    site: Path | None
    in_database: bool

    def advice(self) -> "Advice":
        """Judge. Raises UserError for what cannot be read, click.UsageError for options that do not go together."""
        from advisor.hostfacts.files import read
        from advisor.judge.run import advise
        from advisor.site.files import site_of

        if (self.capture is None) == (self.connect is None):
            raise click.UsageError("name either --capture or --database")
        if self.in_database and self.hostfacts:
            raise click.UsageError("with --in-database, load them first: db2tune hostfacts --load FILE --database DB")
        if self.in_database and self.site:
            raise click.UsageError("with --in-database, the options are those of TUNE.OPTION: CALL TUNE.SET_OPTION")
        facts, site = read(self.hostfacts), site_of(self.site)
        if self.connect is None:
            assert self.capture is not None  # the other one of the two
            return advise(self.capture, hostfacts=facts, site=site)
        if self.in_database:
            return _inside(self.connect, self.interval_s)
        with tempfile.TemporaryDirectory(prefix="db2tune-") as folder:
            with self.connect() as connection:
                take(connection, Path(folder), self.interval_s, facts)
            return advise(Path(folder), site=site)


def _inside(connect: Connect, interval_s: int) -> "Advice":
    from advisor.db2 import in_database as inside

    with connect() as connection:
        return inside.advise(connection, interval_s or None, "PREVIOUS" if interval_s else "ACTIVATION")


origin_options = argument(
    "origin",
    Origin,
    click.option("--capture", type=click.Path(path_type=Path), help=CAPTURE_HELP),
    connection_options(required=False),
    interval_option,
    hostfacts_option,
    site_option,
    click.option("--in-database", is_flag=True, help="Let TUNE.ADVISE judge inside the database, which keeps the run."),
)
