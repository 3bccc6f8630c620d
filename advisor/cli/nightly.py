"""The command ``nightly``: analyze every database of a list and compare with the previous run."""

import sys
from pathlib import Path

import click

from advisor.cli.sections import Command


@click.command(cls=Command)
@click.option(
    "--config",
    "file",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    required=True,
    metavar="FILE",
    help="nightly.toml: databases, the store for runs, and notifications.",
)
@click.option("--only", metavar="NAME", help="Run only this database of the list.")
@click.option("--now", "again", is_flag=True, help="Run databases again that already have a run of this night.")
def nightly(file: Path, only: str | None, again: bool) -> int:
    """Analyze every database of a list, compare with the previous run, and report changes."""
    from advisor.cli import progress
    from advisor.nightly import config, job, summary
    from advisor.nightly.clock import Clock
    from advisor.report.output import emit
    from advisor.report.text import safe

    read, watched = config.read(file), sys.stderr.isatty()
    clock = Clock(wait=progress.pause) if watched and read.parallel == 1 else Clock()  # one bar at a time
    begun = _say if watched else str
    night = job.run(read, only, again, clock, begun)
    emit(summary.render(night.started_at, night.outcomes))
    for line in night.failed:
        click.echo(f"db2tune: {safe(line)}", err=True)
    return night.exit_status


def _say(name: str) -> None:
    """Print the current database; names contain only letters and digits."""
    click.echo(f"Reading {name}", err=True)
