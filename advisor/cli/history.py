"""The command ``history``: runs that ``nightly`` kept."""

from pathlib import Path

import click

from advisor.cli.arguments import format_option, report_option, store_option
from advisor.cli.sections import Command


@click.command(cls=Command)
@click.argument("database", required=False)
@store_option
@click.option("--last", type=click.IntRange(min=1), metavar="N", help="Show only the last N runs of each database.")
@format_option("text", "json", "html")
@report_option
def history(database: str | None, store: Path, last: int | None, form: str, output: Path | None) -> int:
    """Show runs, advice and metrics over time, for DATABASE (its name in nightly.toml) or for all databases."""
    from advisor.errors import INSTALL_VERIFY, UserError, can_calculate_verdicts
    from advisor.nightly import history as kept_runs
    from advisor.nightly import history_page, history_show
    from advisor.report.output import emit, width
    from advisor.verify.nights import count_open_changes, verify_changes

    with kept_runs.open_history(store, create=False) as kept:
        runs = kept.runs(database, last)
        names = list(dict.fromkeys(run.database for run in runs))
        changes = [each for name in names for each in verify_changes(kept.measurements, name)]
        open_ = 0 if can_calculate_verdicts() else sum(count_open_changes(kept.measurements, name) for name in names)
        regressions = {name: list(kept.measurements.load_regressions(name).values()) for name in names}
    if database is not None and not runs:
        raise UserError(f"{database}: {store} contains no run of this database")
    if form == "json":
        text = history_show.as_json(runs, changes, regressions)
    elif form == "html":
        text = history_page.render(runs, changes, regressions)
    else:
        text = history_show.render(runs, width(), changes=changes, regressions=regressions)
    emit(text, output)
    if open_:
        click.echo(f"db2tune: changes without a final verdict, not shown: {open_}; {INSTALL_VERIFY}", err=True)
    return 0
