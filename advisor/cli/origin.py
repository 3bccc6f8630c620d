"""Where a command has its advice from: a capture, a database that is read twice, schema TUNE inside of it, or texts.

@main.command()
@origin_options
def plan(origin: Origin) -> int:
    steps = plan(origin.advice())
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from advisor.cli import progress
from advisor.cli.arguments import argument, capture_option, hostfacts_option, interval_option, site_option
from advisor.cli.connection import Connect, connection_options

if TYPE_CHECKING:
    from advisor.capture.site import Site
    from advisor.imports.texts import Known
    from advisor.judge.advice import Advice

_LEVEL = re.compile(r"\d{1,2}(?:\.\d{1,3}){1,3}")
PLATFORMS = ("AIX", "Linux", "Solaris", "HP-UX", "Windows")


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
        from advisor.db2.collector import collect
        from advisor.files import temporary
        from advisor.hostfacts.files import read_facts
        from advisor.judge.run import advise
        from advisor.site.files import site_of

        if (self.capture is None) == (self.connect is None):
            raise click.UsageError("name either --capture or --database")
        if self.in_database and self.hostfacts:
            raise click.UsageError("with --in-database, load them first: db2tune hostfacts --load FILE --database DB")
        facts, site = read_facts(self.hostfacts), site_of(self.site)
        if self.in_database and self.site and not site.own.rules:
            raise click.UsageError("with --in-database, the options are those of TUNE.OPTION: CALL TUNE.SET_OPTION")
        if self.connect is None:
            assert self.capture is not None  # the other one of the two
            return advise(self.capture, hostfacts=facts, site=site)
        if self.in_database:
            return _judged_in_database(self.connect, self.interval_s, site)
        with temporary() as folder:
            with self.connect() as connection:
                collect(connection, folder, self.interval_s, facts, progress.pause, texts=site.texts)
            return advise(folder, site=site)


def _judged_in_database(connect: Connect, interval_s: int, site: "Site") -> "Advice":
    """The tables of TUNE say what counts; the rules of the site are there, and known here."""
    from advisor.db2 import in_database

    with connect() as connection:
        window = "PREVIOUS" if interval_s else "ACTIVATION"
        return in_database.advise(connection, interval_s or None, window, site.rules)


origin_options = argument(
    "origin",
    Origin,
    capture_option(),
    connection_options(required=False),
    interval_option,
    hostfacts_option,
    site_option,
    click.option("--in-database", is_flag=True, help="Let TUNE.ADVISE judge inside the database, which keeps the run."),
)


def _known(name: str | None, db2_level: str | None, platform: str | None) -> "Known":
    from advisor.imports.texts import Known

    if db2_level is not None and _LEVEL.fullmatch(db2_level) is None:
        raise click.BadParameter(
            f"{db2_level!r} is no level of Db2; write it as 11.5 or 11.5.9", param_hint="--db2-level"
        )
    return Known(name, db2_level, platform)


known_options = argument(
    "known",
    _known,
    click.option("--name", metavar="DB", help="The database, where the texts name none or several."),
    click.option(
        "--db2-level", metavar="V.R.M", help="The level of Db2, such as 11.5.9, where the texts do not say it."
    ),
    click.option(
        "--platform",
        type=click.Choice(PLATFORMS, case_sensitive=False),
        help="The platform of the server, where the texts do not say it.",
    ),
)


@contextmanager
def imported(origin: Origin, files: tuple[Path, ...], known: "Known") -> Iterator[Origin]:
    """The origin with the capture that was made of the files, for as long as the context lasts."""
    if not files:
        yield origin
        return
    from advisor.files import temporary
    from advisor.imports.inputs import is_capture
    from advisor.imports.texts import import_texts
    from advisor.report.imported import notes

    if origin.capture is not None or origin.connect is not None:
        raise click.UsageError("name files, --capture or --database, one of the three")
    if len(files) == 1 and is_capture(files[0]):
        yield replace(origin, capture=files[0])
        return
    with temporary() as folder:
        result = import_texts(files, folder, known)
        click.echo(notes(result), err=True, nl=False)
        yield replace(origin, capture=folder)
