"""Server in a container for a developer or the tests: ``python -m tools.container up | down | status | test | first``."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import click

from advisor.errors import EXIT_NO_CONNECTION
from tools.container import developer
from tools.container.clp import ContainerClp, LocalClp
from tools.container.contact import TABLE, Contact, pack, read_steps
from tools.container.errors import ContainerError, ImageAbsentError
from tools.container.harness import Db2Container
from tools.container.kinds import STANDIN, Kind, db2, read_data
from tools.container.login import ROOT, Login, connected

TESTS = "tests/real"
URL_VARIABLE = "DB2TUNE_TEST_URL"
PASSWORD_VARIABLE = "DB2TUNE_PASSWORD"
RESULTS = ROOT / "build" / "first"

standin_option = click.option("--standin", is_flag=True, help="The stand-in's image, built here, instead of Db2's.")


tag_option = click.option("--tag", help=f"Tag of Db2's image, such as {', '.join(read_data()['tags'])}.")
mode_option = click.option(
    "--mode", type=click.Choice(list(read_data()["modes"])), default="plain", help="Kind of database."
)


def kind_of(standin: bool, tag: str | None = None, mode: str = "plain") -> Kind:
    return STANDIN if standin else db2(tag, mode)


class NoContainer(click.ClickException):
    """A missing container; the exit status is the product's for a server that cannot be reached."""

    exit_code = EXIT_NO_CONNECTION


class Commands(click.Group):
    """The commands; they print one line if a container cannot run."""

    def invoke(self, context: click.Context) -> Any:
        try:
            return super().invoke(context)
        except ContainerError as error:
            raise NoContainer(str(error)) from error


@click.group(cls=Commands, help=__doc__)
def main() -> None: ...


@main.command()
@standin_option
def up(standin: bool) -> None:
    """Start the container and print how to connect to it. Starting Db2's image accepts its licence."""
    try:
        login = developer.up(kind_of(standin))
    except ImageAbsentError as error:
        raise ContainerError(f"{error}; up --standin starts an image with the stand-in instead") from None
    _say_how(login)


@main.command()
def down() -> None:
    """Remove the container with its data."""
    click.echo(f"{developer.NAME} is removed" if developer.down() else f"there is no {developer.NAME}")


@main.command()
def status() -> None:
    """Print whether the container runs, and how to connect to it."""
    state, login = developer.status()
    click.echo(f"{developer.NAME} is {state}")
    if login:
        _say_how(login)


@main.command(context_settings={"ignore_unknown_options": True})
@standin_option
@tag_option
@mode_option
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def test(standin: bool, tag: str | None, mode: str, arguments: tuple[str, ...]) -> None:
    """Run the tests marked real against their own container; further arguments go to pytest."""
    with Db2Container(kind_of(standin, tag, mode)) as server:
        found = {URL_VARIABLE: server.login.url, PASSWORD_VARIABLE: server.login.password}
        words = [sys.executable, "-m", "pytest", "-n", "0", TESTS, *arguments]
        done = subprocess.run(words, cwd=ROOT, env=os.environ | found, check=False)
    sys.exit(done.returncode)


@main.command()
@standin_option
@tag_option
@mode_option
@click.option("--interval", default=60, show_default=True, help="Seconds between two snapshots.")
@click.option("--step", "names", multiple=True, help="Run only this step. Can be repeated.")
@click.option("-o", "--output", type=click.Path(path_type=Path), default=RESULTS, help="Folder of the results.")
def first(standin: bool, tag: str | None, mode: str, interval: int, names: tuple[str, ...], output: Path) -> None:
    """Try everything on a new server, and write a table and one archive to send. Exit with 1 if a step failed."""
    kind = kind_of(standin, tag, mode)
    folder = output / f"{kind.database.lower() if standin else (tag or read_data()['tags'][-1])}-{mode}"
    with Db2Container(kind) as server, tempfile.TemporaryDirectory() as programs:
        clp = prepare_standin(server.login, Path(programs)) if standin else ContainerClp(server.container)
        contact = Contact(server.login, clp, folder, interval)
        results = contact.run(click.echo, [step for step in read_steps() if step.name in names or not names])
        contact.keep("container.log", server.container.logs().decode(errors="replace"))
    click.echo(f"\n{(folder / TABLE).read_text()}\nTo send: {pack(folder)}")
    sys.exit(any(result.reason for result in results))


def prepare_standin(login: Login, programs: Path) -> LocalClp:
    """Return a command line processor for the fake server, whose image has none."""
    import ibm_db

    from tests.support.clp import install_program

    install_program(programs, login.url, login.password)
    with connected(login.keywords()) as connection:
        for call in ("HOST_COMMAND('db2set DB2_ATS_ENABLE=YES')", "RESTART()"):
            ibm_db.exec_immediate(connection, f"CALL STANDIN.{call}")
    return LocalClp(programs)


def _say_how(login: Login) -> None:
    click.echo(f"host {login.host}, port {login.port}, database {login.database}, user {login.user}")
    click.echo(f"password in {developer.PASSWORD_FILE} (mode 600); for db2tune:")
    click.echo(f'  export {PASSWORD_VARIABLE}="$(cat {developer.PASSWORD_FILE})"')
    click.echo(f"  db2tune doctor --database {login.url}")


if __name__ == "__main__":
    main(prog_name="python -m tools.container")
