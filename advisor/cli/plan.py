"""The command ``plan``: the order of the changes."""

from pathlib import Path

import click

from advisor.cli.arguments import format_option, report_option
from advisor.cli.keeping import Keep, keep_options
from advisor.cli.origin import Origin, origin_options
from advisor.cli.sections import Command

BATCHES = ("recycle",)


@click.command(cls=Command)
@origin_options
@keep_options
@click.option(
    "--batch",
    type=click.Choice(BATCHES),
    help="Combine changes that need the same restart. They are then verified together.",
)
@click.option("--all", "everything", is_flag=True, help="Include housekeeping advice.")
@format_option("text", "markdown", "json", "html")
@report_option
@click.option(
    "--scripts",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Write the scripts for each step's change and undo to DIR/step-N.",
)
def plan(  # noqa: PLR0913, PLR0917 -- click hands over each option
    origin: Origin,
    keep: Keep,
    batch: str | None,
    everything: bool,
    form: str,
    output: Path | None,
    scripts: Path | None,
) -> int:
    """Show the advice in the order of execution, one change per step."""
    from advisor.plan import page, show
    from advisor.plan.scripts import write
    from advisor.plan.steps import plan as steps_of
    from advisor.report import account
    from advisor.report.output import emit, paint, width

    advice = origin.judge(keep=keep, also=account.statements() if form == "text" else None)[0]
    steps = steps_of(advice, batch is not None, everything)
    if form == "json":
        text = show.as_json(steps, advice)
    elif form == "markdown":
        text = show.markdown(steps, advice)
    elif form == "html":
        text = page.render(steps, advice)
    else:
        text = show.render(steps, advice, width(), paint(output))
    if scripts is not None:
        for step in steps:
            write(step, advice, scripts / f"step-{step.number}")
    emit(text, output)
    return 0
