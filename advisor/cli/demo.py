"""The command ``demo``: advice for a sample server."""

from pathlib import Path

import click

from advisor.cli.arguments import pager_option
from advisor.cli.sections import Command


@click.command(cls=Command)
@click.option(
    "--ticket",
    "output",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write the HTML change ticket of the first recommendation with commands to FILE.",
)
@click.option(
    "--paper", is_flag=True, help="Use the server of the first paper: a warehouse of 2004 with eight partitions."
)
@click.option("--all", "everything", is_flag=True, help="Show housekeeping advice and complete lists of rules.")
@pager_option
def demo(output: Path | None, paper: bool, everything: bool, no_pager: bool) -> int:
    """Show the advice for a sample server: an online shop on Db2 12.1."""
    from advisor.judgement import run
    from advisor.quoting import shell
    from advisor.report import table
    from advisor.report.output import emit, paint, width
    from advisor.report.selection import select
    from advisor.report.summary import find_first_with_commands
    from advisor.resources import DEMO_CAPTURE, PAPER_CAPTURE

    capture = PAPER_CAPTURE if paper else DEMO_CAPTURE
    advice = run.advise(capture)
    source = f"--capture {shell(str(capture), 'FILE')}"
    emit(table.render(select(advice), width(), paint(), everything, source), pager=not no_pager)
    if output is not None:
        from advisor.ticket import content, template

        rank = find_first_with_commands(advice.ranked).rank
        assert rank is not None  # ranked advice only
        emit(template.fill(content.ticket(advice, (rank,)), template.find("html")), output)
    return 0
