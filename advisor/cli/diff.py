"""The command ``diff``: differences between two captures."""

from pathlib import Path

import click

from advisor.cli.arguments import format_option, hostfacts_option, report_option, site_option
from advisor.cli.sections import Command


@click.command(cls=Command)
@click.argument("before", type=click.Path(path_type=Path))
@click.argument("after", type=click.Path(path_type=Path))
@hostfacts_option
@site_option
@format_option("text", "json", "html")
@report_option
def diff(  # noqa: PLR0913, PLR0917 -- click hands over each option
    before: Path, after: Path, hostfacts: tuple[Path, ...], site: Path | None, form: str, output: Path | None
) -> int:
    """Compare two captures of one database: settings first, then the advice."""
    from advisor.hostfacts.files import read_facts
    from advisor.judgement.changes import difference
    from advisor.report import diff as report
    from advisor.report import diff_page
    from advisor.report.output import emit, paint, width
    from advisor.site.files import site_of

    found = difference(before, after, read_facts(hostfacts), site_of(site))
    if form == "json":
        said = report.as_json(found)
    elif form == "html":
        said = diff_page.render(found)
    else:
        said = report.render(found, width(), paint(output))
    emit(said, output)
    return 0
