"""The command ``demo``: the advice for a machine that comes with the program."""

from pathlib import Path

import click


@click.command()
@click.option(
    "--ticket",
    "output",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write the change ticket of the first one with commands to FILE, in HTML.",
)
@click.option(
    "--paper", is_flag=True, help="The machine of the first paper, a warehouse of 2004 with eight partitions."
)
def demo(output: Path | None, paper: bool) -> int:
    """Show the advice for a machine that comes with db2tune: an online shop on Db2 12.1."""
    import shlex

    from advisor.judge import run
    from advisor.report import table
    from advisor.report.output import emit, paint, width
    from advisor.report.selection import select
    from advisor.resources import DEMO_CAPTURE, PAPER_CAPTURE

    capture = PAPER_CAPTURE if paper else DEMO_CAPTURE
    advice = run.advise(capture)
    first = next(item.rank for item in advice.ranked if item.claimed_pct)
    report = table.render(select(advice), width(), paint())
    emit(f"{report}\nOne of these in full: db2tune explain --capture {shlex.quote(str(capture))} {first}\n")
    if output is not None:
        from advisor.ticket import content, template

        rank = next(item.rank for item in advice.ranked if item.claimed_pct and item.settings)
        assert rank is not None  # it is of the ranked ones
        emit(template.fill(content.ticket(advice, (rank,)), template.find("html")), output)
        emit(f"The change ticket of rank {rank}: {output}\n")
    return 0
