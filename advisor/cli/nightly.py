"""The command ``nightly``: every database of a list, judged and compared with the run before."""

import sys
from pathlib import Path

import click


@click.command()
@click.option(
    "--config",
    "file",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    required=True,
    metavar="FILE",
    help="nightly.toml: the databases, where runs are kept, who is told.",
)
@click.option("--only", metavar="NAME", help="Only this database of the list.")
@click.option("--now", "again", is_flag=True, help="Also where a run of this night was made already.")
def nightly(file: Path, only: str | None, again: bool) -> int:
    """Judge every database of a list, compare with the run before, and tell what changed."""
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
    """For whoever waits at a terminal; names are of letters and digits."""
    click.echo(f"{name} is read", err=True)
