"""The commands of the nightly job: nightly, history."""

from pathlib import Path

import click

STORE = "DB2TUNE_STORE"


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
    from advisor.nightly import config, job, summary
    from advisor.report.output import emit
    from advisor.report.text import safe

    night = job.run(config.read(file), only, again)
    emit(summary.render(night.started_at, night.outcomes))
    for line in night.unheard:
        click.echo(f"db2tune: {safe(line)}", err=True)
    return night.exit_status


@click.command()
@click.argument("database", required=False)
@click.option(
    "--store",
    type=click.Path(path_type=Path, file_okay=False),
    envvar=STORE,
    default=Path("/var/lib/db2tune"),
    show_default=True,
    metavar="PATH",
    help=f"The folder that [store] of nightly.toml names; {STORE} sets it, too.",
)
@click.option("--last", type=click.IntRange(min=1), metavar="N", help="Only the last N runs of each database.")
@click.option("--format", "form", type=click.Choice(("table", "json")), default="table", help="table by default.")
def history(database: str | None, store: Path, last: int | None, form: str) -> int:
    """Runs, advice and metrics over time, of DATABASE as nightly.toml names it or of all."""
    from advisor.errors import UserError
    from advisor.nightly import history as store_of_runs
    from advisor.nightly import show
    from advisor.report.output import emit, width

    with store_of_runs.opened(store, create=False) as kept:
        runs = kept.runs(database, last)
    if database is not None and not runs:
        raise UserError(f"{database}: no run is kept of it in {store}")
    emit(show.as_json(runs) if form == "json" else show.render(runs, width()))
    return 0
