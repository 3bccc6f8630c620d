"""Connection data of a server, and a CONNECT that ends in bounded time whatever the server does.

The driver is C code: while it waits for a server, Python can handle neither Ctrl-C nor a time-out. A server
that may not be ready is therefore tried from another process, which gets the password on its standard
input: ``python -m tools.container.login``.
"""

import subprocess
import sys
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parents[2]


class ConnectError(Exception):
    """The driver's reason in one line."""


@dataclass(frozen=True)
class Login:
    """A server, a database and a user; printed texts never contain the password."""

    host: str
    port: int
    database: str
    user: str
    password: str = field(repr=False)

    @property
    def url(self) -> str:
        """Return the target for ``--database``, without the password."""
        return f"db2://{self.user}@{self.host}:{self.port}/{self.database}"

    def keywords(self) -> str:
        """Return the driver's connection string; it contains the password."""
        return (
            f"DATABASE={self.database};HOSTNAME={self.host};PORT={self.port};PROTOCOL=TCPIP;"
            f"UID={self.user};PWD={self.password};ConnectTimeout=10;"
        )


@contextmanager
def connected(keywords: str) -> "Iterator[Any]":
    """Yield a connection of ibm_db and close it at the end. Raise ConnectError on failure."""
    import ibm_db

    try:
        connection = ibm_db.connect(keywords, "", "")
    except Exception as error:  # ibm_db raises plain Exception
        raise ConnectError(_reason(ibm_db.conn_errormsg() or str(error))) from None
    try:
        yield connection
    finally:
        ibm_db.close(connection)


def refusal(login: Login, within_s: float) -> str | None:
    """Return why the server refuses a CONNECT and a first query, or None if it accepts them."""
    probe = [sys.executable, "-m", "tools.container.login"]
    try:
        done = subprocess.run(
            probe, input=login.keywords(), capture_output=True, text=True, timeout=within_s, cwd=ROOT, check=False
        )
    except subprocess.TimeoutExpired:
        return f"no answer to CONNECT within {within_s:.0f} s"
    if done.returncode == 0:
        return None
    return done.stdout.strip() or f"the driver's process ended with status {done.returncode}"


def _reason(message: str) -> str:
    return " ".join(message.replace("[IBM][CLI Driver]", "").split())


def _probe() -> int:
    import ibm_db

    try:
        with connected(sys.stdin.read()) as connection:
            ibm_db.exec_immediate(connection, "SELECT 1 FROM SYSIBM.SYSDUMMY1")
    except ConnectError as error:
        print(error)
        return 1
    except Exception:  # for the query
        print(_reason(ibm_db.stmt_errormsg()))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(_probe())
