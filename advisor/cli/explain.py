"""The command ``explain``: one recommendation in full."""

from pathlib import Path

import click

from advisor.cli.arguments import capture_option, hostfacts_option, site_option


@click.command()
@capture_option(required=True)
@hostfacts_option
@site_option
@click.argument("what", metavar="RANK|RULE")
def explain(capture: Path, hostfacts: tuple[Path, ...], site: Path | None, what: str) -> int:
    """One recommendation in full: evidence, arithmetic, commands, undo, and what gave way to it."""
    from advisor.hostfacts.files import read_facts
    from advisor.judge import run
    from advisor.report import explain as explanation
    from advisor.report.output import emit, paint, width
    from advisor.site.files import site_of

    said = site_of(site)
    advice = run.advise(capture, hostfacts=read_facts(hostfacts), site=said)
    emit(explanation.render(advice, what, width(), paint(), said.rules))
    return 0
