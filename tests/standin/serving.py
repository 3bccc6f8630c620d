"""A stand-in inside of the process of a test."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from ssl import SSLContext
from typing import Any

from tests.standin.backend import OWNER, PASSWORD, Backend, User
from tests.standin.drda import Server
from tests.standin.objects.modes import Options


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
    tls: SSLContext | None = None,
    port: int = 0,
    **options: Any,
) -> Iterator[Served]:
    """Serve the machine of a capture until the block ends; ``options`` are those of the database (modes.Options)."""
    backend = Backend.of(capture, users, level, Options(**options))
    with Server(backend, port=port, tls=tls) as server:
        yield Served(server, backend)
