"""The command ``history``: the runs that ``nightly`` kept."""

from pathlib import Path

import click

from advisor.cli.arguments import format_option, report_option, store_option


@click.command()
@click.argument("database", required=False)
@store_option
@click.option("--last", type=click.IntRange(min=1), metavar="N", help="Only the last N runs of each database.")
@format_option("table", "json", "html")
@report_option
def history(database: str | None, store: Path, last: int | None, form: str, output: Path | None) -> int:
    """Runs, advice and metrics over time, of DATABASE as nightly.toml names it or of all."""
    from advisor.errors import UserError
    from advisor.nightly import history as kept_runs
    from advisor.nightly import page, show
    from advisor.nightly.verified import verified
    from advisor.report.output import emit, width

    with kept_runs.opened(store, create=False) as kept:
        runs = kept.runs(database, last)
        names = list(dict.fromkeys(run.database for run in runs))
        changes = [each for name in names for each in verified(kept, name)]
        regressions = {name: list(kept.regressions(name).values()) for name in names}
    if database is not None and not runs:
        raise UserError(f"{database}: no run is kept of it in {store}")
    if form == "json":
        text = show.as_json(runs, changes, regressions)
    elif form == "html":
        text = page.render(runs, changes, regressions)
    else:
        text = show.render(runs, width(), changes=changes, regressions=regressions)
    emit(text, output)
    return 0
