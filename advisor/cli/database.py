"""The commands that connect to a database: install, uninstall, doctor, capture."""

import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from advisor.cli.arguments import Command
from advisor.cli.connection import Connect, connection_options
from advisor.errors import EXIT_FOUND

if TYPE_CHECKING:
    from advisor.capture.hostfacts import Facts
    from advisor.db2.connection import Connection

DEFAULT_INTERVAL_S = 60

interval_option = click.option(
    "--interval",
    "interval_s",
    type=click.IntRange(0, 86_400),
    default=DEFAULT_INTERVAL_S,
    show_default=True,
    metavar="S",
    help="Seconds between two snapshots; 0 takes one and judges the time since activation.",
)
hostfacts_option = click.option(
    "--hostfacts",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    multiple=True,
    metavar="FILE",
    help="Facts about the hosts: JSON of the collector that 'db2tune hostfacts' prints, or TOML. Can be repeated.",
)


anonymize_option = click.option(
    "--anonymize",
    is_flag=True,
    help="Replace names of databases, schemas, tables, hosts, users and paths, so that the capture can be given away.",
)


def output_option(required: bool) -> Callable[[Command], Command]:
    """-o FILE: where a capture is written to."""
    return click.option(
        "-o",
        "--output",
        "target",
        type=click.Path(path_type=Path),
        required=required,
        metavar="FILE",
        help="A directory, or a single file when the name ends in .capture.",
    )


script_option = click.option(
    "--script", is_flag=True, help="Print the statements for the command line processor of Db2 instead of running them."
)


@click.command()
@connection_options(required=False)
@click.option("--tablespace", metavar="NAME", help="Put the tables there; its pages have 8 KB at least.")
@script_option
def install(connect: Connect | None, tablespace: str | None, script: bool) -> int:
    """Install schema TUNE, or upgrade it in place; history and options stay."""
    from advisor.install import installer, statements

    if script:
        click.echo(statements.script(statements.install_statements(tablespace), statements.INSTALL_TITLE), nl=False)
        return 0
    with _wanted(connect)() as connection, _bar("Installing", 1) as bar:

        def done(number: int, of: int) -> None:
            bar.length = of
            bar.update(number - bar.pos)

        refused = installer.install(connection, tablespace, done)
    for rule, reason in refused:
        click.echo(f"rule {rule} cannot run here: {reason}", err=True)
    click.echo('Schema TUNE is in place. Next: db2 "CALL TUNE.ADVISE()"')
    return 0


@click.command()
@connection_options(required=False)
@click.option("--yes", is_flag=True, help="Do not ask.")
@script_option
def uninstall(connect: Connect | None, yes: bool, script: bool) -> int:
    """Take schema TUNE out of the database, with its history."""
    from advisor.install import installer, statements

    if script:
        click.echo(statements.script(statements.uninstall_statements(), statements.UNINSTALL_TITLE), nl=False)
        return 0
    wanted = _wanted(connect)
    if not yes:
        click.confirm("All snapshots, runs, options and accepted risks go. Continue?", abort=True, err=True)
    with wanted() as connection:
        there = installer.uninstall(connection)
    click.echo("Schema TUNE is gone." if there else "Schema TUNE was not there.")
    return 0


def _wanted(connect: Connect | None) -> Connect:
    if connect is None:
        raise click.UsageError("name --database, or ask for the --script")
    return connect


@click.command()
@connection_options()
def doctor(connect: Connect) -> int:
    """What this server is, and what db2tune lacks there, with the GRANT for it."""
    from advisor.doctor import checks as examination
    from advisor.report import doctor as report
    from advisor.report.output import emit, width

    with connect() as connection:
        found = examination.report(connection)
    emit(report.render(found, width()))
    return EXIT_FOUND if found.missing else 0


@click.command()
@connection_options()
@interval_option
@hostfacts_option
@output_option(required=True)
@anonymize_option
def capture(connect: Connect, interval_s: int, hostfacts: tuple[Path, ...], target: Path, anonymize: bool) -> int:
    """Read the database once or twice and keep what it said, to be judged elsewhere."""
    from advisor.anonymize import anonymized
    from advisor.capture import written
    from advisor.hostfacts.files import read

    facts = read(hostfacts)
    with written(target, anonymized if anonymize else None) as folder, connect() as connection:
        take(connection, folder, interval_s, facts)
    return 0


def take(  # noqa: PLR0913, PLR0917 -- the last two are for who passes the time otherwise
    connection: "Connection",
    folder: Path,
    interval_s: int,
    hostfacts: "Facts",
    wait: Callable[[int], None] | None = None,
    options: dict[str, dict[str, str | float]] | None = None,
) -> None:
    """Take one snapshot, or two with ``interval_s`` seconds between them, into a capture directory.

    ``wait`` is what passes the time, ``options`` are what the site says.
    """
    from advisor.db2.collector import Collector

    collector = Collector(connection, folder, hostfacts)
    collector.snapshot()
    if interval_s:
        (wait or pause)(interval_s)
        collector.snapshot()
    collector.finish(options)


def pause(seconds: int) -> None:
    """Wait between two snapshots, with a bar for whoever watches."""
    with _bar("Second snapshot in", seconds) as bar:
        for _ in range(seconds):
            time.sleep(1)
            bar.update(1)


def _bar(label: str, length: int) -> "click._termui_impl.ProgressBar[int]":
    return click.progressbar(length=length, label=label, file=sys.stderr, hidden=not sys.stderr.isatty())
