"""The options of every command that connects: which database, as whom, how encrypted, how long to wait.

@main.command()
@connection_options()
def doctor(connect: Connect) -> int:
    with connect() as connection:
        ...
"""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from advisor.cli.arguments import Command, argument

if TYPE_CHECKING:
    from advisor.db2.connection import Connection

Connect = Callable[[], "Connection"]


def connection_options(required: bool = True) -> Callable[[Command], Command]:
    """Add the options; the command gets them as one argument ``connect``, which opens nothing until it is entered.

    Where they are not ``required``, ``connect`` is None without --database.
    """
    return argument(
        "connect",
        _connect,
        click.option(
            "--database",
            required=required,
            metavar="DB",
            help="db2://USER@HOST:PORT/NAME, an alias of db2dsdriver.cfg, or HOSTNAME=...;PORT=...;DATABASE=...",
        ),
        click.option("--user", metavar="NAME", help="Connect as NAME, where --database does not say it."),
        click.option(
            "--password-fd",
            type=click.IntRange(min=0),
            metavar="N",
            help="Read the password from file descriptor N; otherwise DB2TUNE_PASSWORD, the keyring or a prompt has it.",
        ),
        click.option("--tls", is_flag=True, help="Encrypt the connection."),
        click.option(
            "--tls-ca",
            type=click.Path(path_type=Path),
            metavar="FILE",
            help="Encrypt, and check the server against this certificate, its own or its authority's.",
        ),
        click.option(
            "--tls-hostname-check/--no-tls-hostname-check",
            default=True,
            help="Whether the certificate must name the host; it must by default.",
        ),
        click.option(
            "--connect-timeout",
            type=click.IntRange(1, 3600),
            default=15,
            show_default=True,
            metavar="S",
            help="Seconds to wait for a connection.",
        ),
        click.option(
            "--statement-timeout",
            type=click.IntRange(1, 86_400),
            default=60,
            show_default=True,
            metavar="S",
            help="Seconds that one statement may take.",
        ),
    )


def _connect(  # noqa: PLR0913 -- click hands over each option
    *,
    database: str | None,
    user: str | None,
    password_fd: int | None,
    tls: bool,
    tls_ca: Path | None,
    tls_hostname_check: bool,
    connect_timeout: int,
    statement_timeout: int,
) -> Connect | None:
    if database is None:
        return None

    def connect() -> "Connection":
        from advisor.db2 import password
        from advisor.db2.address import Tls, parse_address
        from advisor.db2.connection import Connection

        address = parse_address(database, user, Tls(tls, tls_ca, tls_hostname_check))
        # without a user the driver connects as the user of the operating system, which has no password here
        secret = password.find(address.user, address.label, password_fd) if address.user else None
        return Connection(address, secret, connect_timeout_s=connect_timeout, statement_timeout_s=statement_timeout)

    return connect


def unless_script(connect: Connect | None) -> Connect:
    """The connection of a command that can print a script instead, and then needs none."""
    if connect is None:
        raise click.UsageError("name --database, or ask for the --script")
    return connect
