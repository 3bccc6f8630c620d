"""The command ``demo``: the advice for a machine that comes with the program."""

from pathlib import Path

import click


@click.command()
@click.option(
    "--ticket",
    "output",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write the change ticket of the first recommendation to FILE, in HTML.",
)
def demo(output: Path | None) -> int:
    """Show the advice for a machine that comes with db2tune."""
    import shlex

    from advisor.judge import run
    from advisor.report import table
    from advisor.report.output import emit, paint, width
    from advisor.report.selection import select
    from advisor.resources import DEMO_CAPTURE

    advice = run.advise(DEMO_CAPTURE)
    report = table.render(select(advice), width(), paint())
    emit(f"{report}\nOne of these in full: db2tune explain --capture {shlex.quote(str(DEMO_CAPTURE))} 1\n")
    if output is not None:
        from advisor.ticket import content, template

        emit(template.fill(content.ticket(advice, (1,)), template.find("html")), output)
        emit(f"The change ticket of the first: {output}\n")
    return 0
