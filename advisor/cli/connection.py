"""Options of every command that connects: database, user, password, encryption and timeouts.

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
    """Add the options. The command receives them as one argument, ``connect``, which connects when it is called.

    ``connect`` is None if --database is missing and not ``required``.
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
        click.option("--user", metavar="NAME", help="Connect as NAME if --database contains no user."),
        click.option(
            "--password-fd",
            type=click.IntRange(min=0),
            metavar="N",
            help="Read the password from file descriptor N instead of DB2TUNE_PASSWORD, the keyring or a prompt.",
        ),
        click.option("--tls", is_flag=True, help="Encrypt the connection."),
        click.option(
            "--tls-ca",
            type=click.Path(path_type=Path),
            metavar="FILE",
            help="Encrypt, and verify the server with its or its CA's certificate.",
        ),
        click.option(
            "--tls-hostname-check/--no-tls-hostname-check",
            default=True,
            help="Require that the certificate names the host; the default.",
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
            show_default="60; 900 for DDL; 3600 for procedures",
            metavar="S",
            help="Maximum seconds per statement.",
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
    statement_timeout: int | None,
) -> Connect | None:
    if database is None:
        return None

    def connect() -> "Connection":
        from advisor.db2 import password
        from advisor.db2.address import Tls, parse_address
        from advisor.db2.connection import DDL_TIMEOUT_S, PROCEDURE_TIMEOUT_S, STATEMENT_TIMEOUT_S, Connection

        address = parse_address(database, user, Tls(tls, tls_ca, tls_hostname_check))
        # without a user, the driver connects as the operating system user without a password
        secret = password.find(address.user, address.label, password_fd) if address.user else None
        return Connection(
            address,
            secret,
            connect_timeout_s=connect_timeout,
            statement_timeout_s=statement_timeout or STATEMENT_TIMEOUT_S,
            procedure_timeout_s=statement_timeout or PROCEDURE_TIMEOUT_S,
            ddl_timeout_s=statement_timeout or DDL_TIMEOUT_S,
        )

    return connect


def require_connection(connect: Connect | None) -> Connect:
    """Return ``connect``. Raise UsageError if it is None: such a command needs --database or --script."""
    if connect is None:
        raise click.UsageError("use --database or --script")
    return connect
