"""A stand-in inside of the process of a test."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from ssl import SSLContext

from tests.standin.backend import OWNER, PASSWORD, Backend, User
from tests.standin.drda import Server
from tests.standin.objects.database import Options


@dataclass(frozen=True)
class Served:
    """A running stand-in, and how to reach it."""

    server: Server
    backend: Backend

    @property
    def port(self) -> int:
        return self.server.port

    @property
    def database(self) -> str:
        return self.backend.database.name

    def dsn(self, user: str = OWNER, password: str = PASSWORD, database: str | None = None) -> str:
        """A connection string for ibm_db."""
        name = database or self.database
        return f"DATABASE={name};HOSTNAME=127.0.0.1;PORT={self.port};PROTOCOL=TCPIP;UID={user};PWD={password};"


@contextmanager
def serving(
    capture: Path | str,
    users: dict[str, User] | None = None,
    level: str | None = None,
    page_size: int = 8,
    user_temporary: bool = False,
    tls: SSLContext | None = None,
    port: int = 0,
) -> Iterator[Served]:
    """Serve the machine of a capture until the block ends."""
    backend = Backend.of(capture, users, level, Options(page_size, user_temporary))
    with Server(backend, port=port, tls=tls) as server:
        yield Served(server, backend)
