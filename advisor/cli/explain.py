"""The command ``explain``: one recommendation in full."""

import click

from advisor.cli.arguments import format_option
from advisor.cli.origin import Origin, origin_options
from advisor.cli.sections import Command


@click.command(cls=Command)
@origin_options
@click.argument("what", metavar="RANK|RULE")
@format_option("text", "json")
def explain(origin: Origin, what: str, form: str) -> int:
    """Explain one recommendation: evidence, arithmetic, commands, undo, and the advice that deferred to it."""
    from advisor.report import explain as explanation
    from advisor.report.output import emit, paint, width

    advice = origin.advice([int(what)] if what.isascii() and what.isdecimal() else [])
    if form == "json":
        emit(explanation.as_json(advice, what, origin.site.rules))
    else:
        emit(explanation.render(advice, what, width(), paint(), origin.site.rules))
    return 0
