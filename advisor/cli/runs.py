"""The command ``runs``: the runs to which ``--run`` refers."""

import click

from advisor.cli.arguments import format_option


@click.command()
@format_option("table", "json")
def runs(form: str) -> int:
    """The runs that advise kept on this machine, the last one first: what --run N refers to.

    db2tune history shows those of the nightly job.
    """
    from advisor.kept.store import entries
    from advisor.report import runs as report
    from advisor.report.output import emit, width

    kept = entries()
    emit(report.as_json(kept) if form == "json" else report.render(kept, width()))
    return 0
