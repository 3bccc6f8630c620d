"""The command ``history``: the runs that ``nightly`` kept."""

from pathlib import Path

import click

from advisor.cli.arguments import format_option, store_option


@click.command()
@click.argument("database", required=False)
@store_option
@click.option("--last", type=click.IntRange(min=1), metavar="N", help="Only the last N runs of each database.")
@format_option("table", "json")
def history(database: str | None, store: Path, last: int | None, form: str) -> int:
    """Runs, advice and metrics over time, of DATABASE as nightly.toml names it or of all."""
    from advisor.errors import UserError
    from advisor.nightly import history as kept_runs
    from advisor.nightly import show
    from advisor.nightly.verified import verified
    from advisor.report.output import emit, width

    with kept_runs.opened(store, create=False) as kept:
        runs = kept.runs(database, last)
        names = list(dict.fromkeys(run.database for run in runs))
        changes = [each for name in names for each in verified(kept, name)]
        regressions = {name: list(kept.regressions(name).values()) for name in names}
    if database is not None and not runs:
        raise UserError(f"{database}: no run is kept of it in {store}")
    emit(
        show.as_json(runs, changes, regressions)
        if form == "json"
        else show.render(runs, width(), changes=changes, regressions=regressions)
    )
    return 0
