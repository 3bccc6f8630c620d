"""The command ``doctor``: what a server is, and what is missing there."""

import click

from advisor.cli.connection import Connect, connection_options
from advisor.errors import EXIT_FOUND


@click.command()
@connection_options()
def doctor(connect: Connect) -> int:
    """What this server is, and what db2tune lacks there, with the GRANT for it."""
    from advisor.doctor.examination import examine
    from advisor.report import doctor as report
    from advisor.report.output import emit, width

    with connect() as connection:
        found = examine(connection)
    emit(report.render(found, width()))
    return EXIT_FOUND if found.missing else 0
