"""The command ``runs``: the kept runs that ``--run`` accepts."""

import click

from advisor.cli.arguments import format_option
from advisor.cli.sections import Command


@click.command(cls=Command)
@format_option("text", "json")
def runs(form: str) -> int:
    """List the runs that advise kept on this machine, latest first. Use their numbers with --run.

    db2tune history shows the runs of the nightly job.
    """
    from advisor.kept.store import entries
    from advisor.report import runs as report
    from advisor.report.output import emit, width

    kept = entries()
    emit(report.as_json(kept) if form == "json" else report.render(kept, width()))
    return 0
