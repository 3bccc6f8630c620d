"""The command ``statements``: the costliest statements, and a file for the Db2 Design Advisor."""

from pathlib import Path

import click

from advisor.cli.arguments import format_option, report_option
from advisor.cli.origin import Origin, origin_options
from advisor.cli.sections import Command


@click.command(cls=Command)
@origin_options
@click.option(
    "--advis",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Write the statements to FILE, for db2advis -d DB -i FILE.",
)
@format_option("text", "json")
@report_option
def statements(origin: Origin, advis: Path | None, form: str, output: Path | None) -> int:
    """Show the costliest statements: time, CPU, reads, spills, text, tables and the calls that show plans."""
    from advisor.report import advis as design
    from advisor.report import statements as report
    from advisor.report.jsonout import describe_run
    from advisor.report.output import emit, paint, width
    from advisor.report.text import json_text
    from advisor.report.values import head

    advice, source = origin.judge()
    name = advice.database["name"]
    if advis is not None:
        emit(design.render(advice.statements, name), advis)
    if form == "json":
        emit(json_text({**head(), **describe_run(advice), "statements": report.document(advice.statements)}), output)
    else:
        emit("\n".join(report.list_all(advice.statements, name, width(), paint(output), source)) + "\n", output)
    return 0
