"""The database as the wire protocol uses it: checks logins, opens sessions, and serves for the time of a test."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from ssl import SSLContext
from typing import Any

from tests.standin.drda import Server
from tests.standin.machine import Machine
from tests.standin.objects.builtin import procedures
from tests.standin.objects.database import Database
from tests.standin.objects.definitions import Grant
from tests.standin.objects.modes import Options
from tests.standin.objects.registry import DATABASE
from tests.standin.session import Session

OWNER = "db2inst1"
PASSWORD = "standin"  # the owner's default; test equipment guards nothing


@dataclass(frozen=True)
class User:
    """A user of the machine; ``authorities`` are those of the database that they are granted from the start."""

    password: str
    authorities: frozenset[str] = field(default_factory=frozenset)
    is_sysadm: bool = False


class Backend:
    """api.Backend over one database. Names of users are as on the host, their authorization IDs in upper case."""

    def __init__(self, machine: Machine, users: dict[str, User] | None = None, options: Options | None = None) -> None:
        self.users = users or {OWNER: User(PASSWORD, is_sysadm=True)}
        owners = frozenset(name.upper() for name, user in self.users.items() if user.is_sysadm)
        self.database = Database(machine, owners, options or Options())
        self.database.built_in = procedures()
        self.database.registry.grants |= {
            Grant(DATABASE, "", "", authority, name.upper())
            for name, user in self.users.items()
            for authority in user.authorities
        }

    @classmethod
    def of(
        cls,
        capture: Path | str,
        users: dict[str, User] | None = None,
        level: str | None = None,
        options: Options | None = None,
    ) -> "Backend":
        """The backend of a capture, directory or zip."""
        return cls(Machine.from_capture(capture, level), users, options)

    def has_database(self, name: str) -> bool:
        return name.strip().upper() == self.database.name.upper()

    def connect(self, database: str, user: str, password: str) -> Session | None:
        known = self.users.get(user) or self.users.get(user.lower())
        if not self.has_database(database) or known is None or known.password != password:
            return None
        return Session(self.database, user.upper())


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
