"""The command ``doctor``: check a server for missing privileges and functions."""

import click

from advisor.cli.connection import Connect, connection_options
from advisor.cli.sections import Command
from advisor.errors import EXIT_FOUND


@click.command(cls=Command)
@connection_options()
def doctor(connect: Connect) -> int:
    """Check the server and print the GRANTs that are missing.

    The exit status is 1 if advise or install lacks something. Scheduling inside Db2 is optional.
    """
    from advisor.doctor.examination import examine
    from advisor.report import doctor as report
    from advisor.report.output import emit, width

    with connect() as connection:
        found = examine(connection)
    emit(report.render(found, width()))
    return 0 if found.ready else EXIT_FOUND
