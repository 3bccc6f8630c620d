"""Server in a container for a developer or the tests: ``python -m tools.container up | down | status | test``."""

import sys
from typing import Any

import click

from advisor.errors import EXIT_NO_CONNECTION
from tools.container import developer, suite
from tools.container.errors import ContainerError, ImageAbsentError
from tools.container.kinds import STANDIN, Kind, db2
from tools.container.login import Login

standin_option = click.option("--standin", is_flag=True, help="The stand-in's image, built here, instead of Db2's.")


def kind_of(standin: bool) -> Kind:
    return STANDIN if standin else db2()


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
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def test(standin: bool, arguments: tuple[str, ...]) -> None:
    """Run the wire tests against their own container; further arguments go to pytest."""
    sys.exit(suite.run(kind_of(standin), arguments))


def _say_how(login: Login) -> None:
    click.echo(f"host {login.host}, port {login.port}, database {login.database}, user {login.user}")
    click.echo(f"password in {developer.PASSWORD_FILE} (mode 600); for db2tune:")
    click.echo(f'  export {suite.PASSWORD_VARIABLE}="$(cat {developer.PASSWORD_FILE})"')
    click.echo(f"  db2tune doctor --database {login.url}")


if __name__ == "__main__":
    main(prog_name="python -m tools.container")
