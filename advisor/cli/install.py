"""The command ``install``: install schema TUNE, print its script, or try it and roll back."""

from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from advisor.cli.arguments import script_option
from advisor.cli.connection import Connect, connection_options, require_connection
from advisor.cli.sections import Command
from advisor.errors import EXIT_FOUND
from advisor.progress import bar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from advisor.catalogue.rules import Rule
    from advisor.db2.connection import Connection

_MOST_SHOWN = 10  # refusals


@click.command(cls=Command)
@connection_options(required=False)
@click.option("--tablespace", metavar="NAME", help="Table space for the tables, with pages of at least 8 KB.")
@click.option(
    "--create-tablespace",
    "creates",
    is_flag=True,
    help="Create that table space (TUNE without --tablespace) and its buffer pool if missing; needs SYSCTRL.",
)
@click.option(
    "--rules",
    "folder",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    metavar="DIR",
    help="The site's own rules. They replace those of an earlier installation; without --rules, these are disabled.",
)
@click.option(
    "--check", is_flag=True, help="Try every statement, list those that this server rejects, and roll back all of them."
)
@script_option
def install(  # noqa: PLR0913, PLR0917 -- click hands over each option
    connect: Connect | None, tablespace: str | None, creates: bool, folder: Path | None, check: bool, script: bool
) -> int:
    """Install or upgrade schema TUNE. An upgrade preserves history and options. To complete an interrupted one, run it again."""
    from advisor.catalogue.site_rules import RuleFolder, read_folder
    from advisor.install.space import NAME

    own = RuleFolder() if folder is None else read_folder(folder)
    for broken in own.broken:
        click.echo(f"{broken.file} was not installed: {broken.reason}", err=True)
    if creates and tablespace is None:
        tablespace = NAME
    if script:
        click.echo(_script(tablespace, own.rules, creates, check), nl=False)
        return 0
    do = _check if check else _install
    return do(require_connection(connect), tablespace, own.rules, creates)


def _script(tablespace: str | None, own: "Sequence[Rule]", creates: bool, check: bool) -> str:
    from advisor.install.check import check_script
    from advisor.install.statements import INSTALL_TITLE, NOT_COMPILED, STOP_ON_ERROR, install_statements, script

    made = install_statements(tablespace, own, creates)
    return check_script(made, own) if check else script([STOP_ON_ERROR, *made, NOT_COMPILED], INSTALL_TITLE)


def _check(connect: Connect, tablespace: str | None, own: "Sequence[Rule]", creates: bool) -> int:
    from advisor.install.check import check
    from advisor.report import check as report
    from advisor.report.output import emit, width

    with _open_connection(connect, "Checking") as (connection, done):
        found = check(connection, tablespace, done, own, creates)
    emit(report.render(found, width()))
    return EXIT_FOUND if found.rejected else 0


def _install(connect: Connect, tablespace: str | None, own: "Sequence[Rule]", creates: bool) -> int:
    from advisor.install.installer import install
    from advisor.report.text import make_printable

    with _open_connection(connect, "Installing") as (connection, done):
        refused, granted = install(connection, tablespace, done, own, creates)
    for grant in granted:
        click.echo(f"Granted again: {make_printable(grant)}", err=True)
    for each in refused[:_MOST_SHOWN]:
        what = f"Rule {each.name} cannot run" if each.kind == "rule" else f"TUNE.{each.name} is missing"
        click.echo(f"{what} on this server: {each.reason}", err=True)
    if len(refused) > _MOST_SHOWN:
        click.echo(f"{len(refused) - _MOST_SHOWN} more: db2tune doctor lists all", err=True)
    click.echo('Schema TUNE is installed. Next: db2 "CALL TUNE.ADVISE()"')
    return 0


@contextmanager
def _open_connection(connect: Connect, label: str) -> "Iterator[tuple[Connection, Callable[[int, int], None]]]":
    """Yield a connection and a callback for progress, which takes the statements done and their total."""
    with connect() as connection, bar(label, 1) as shown:

        def done(number: int, of: int) -> None:
            shown.length = of
            shown.update(number - shown.pos)

        yield connection, done
