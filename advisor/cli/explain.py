"""The command ``explain``: one recommendation in full."""

import click

from advisor.cli.origin import Origin, origin_options
from advisor.cli.sections import Command


@click.command(cls=Command)
@origin_options
@click.argument("what", metavar="RANK|RULE")
def explain(origin: Origin, what: str) -> int:
    """Explain one recommendation: evidence, arithmetic, commands, undo, and the advice that deferred to it."""
    from advisor.report import explain as explanation
    from advisor.report.output import emit, paint, width

    advice = origin.advice([int(what)] if what.isascii() and what.isdecimal() else [])
    emit(explanation.render(advice, what, width(), paint(), origin.site.rules))
    return 0
