"""The configured databases that tools may read: those of nightly.toml, and aliases of db2dsdriver.cfg."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from advisor.db2.address import Address, parse_address
from advisor.db2.password import VARIABLE
from advisor.errors import UserError
from advisor.nightly import config
from advisor.nightly.config import PasswordFrom

_ALIAS = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.#$-]*")


@dataclass(frozen=True)
class Reachable:
    """A database that tools may read. Its password is read when it is needed."""

    address: Address
    password: PasswordFrom | None = None
    hostfacts: tuple[Path, ...] = ()
    options: Path | None = None

    @property
    def arguments(self) -> list[str]:
        """The options of the command line. They contain no password."""
        address = self.address
        words = address.alias or ";".join(f"{name}={value}" for name, value in address.keywords.items())
        return [
            f"--database={words}",
            *([f"--user={address.user}"] if address.user else []),
            *(f"--hostfacts={path}" for path in self.hostfacts),
            *([f"--options={self.options}"] if self.options else []),
        ]

    def environment(self) -> dict[str, str]:
        """Return the variable with the password. Raise UserError if the configured password is missing."""
        secret = self.password.find(self.address) if self.password else None
        return {VARIABLE: secret.reveal()} if secret else {}


def configured(file: Path | None, aliases: Iterable[str]) -> dict[str, Reachable]:
    """Return the databases by name. Raise UserError for an invalid file or alias."""
    found: dict[str, Reachable] = {}
    if file is not None:
        for each in config.read(file).databases:
            found[each.name] = Reachable(each.address, each.password, each.hostfacts, each.options)
    for alias in aliases:
        if not _ALIAS.fullmatch(alias):
            raise UserError("--database must be an alias of db2dsdriver.cfg; put other databases into --config FILE")
        found.setdefault(alias, Reachable(parse_address(alias)))
    return found


def find(name: str, databases: Mapping[str, Reachable]) -> Reachable:
    """Return a configured database. Raise UserError without the given name, which may be a password by mistake."""
    if name in databases:
        return databases[name]
    known = f"it reads {', '.join(databases)}" if databases else "it reads none"
    raise UserError(
        f"database: not configured for this server; {known}. Configure one, and its password, in nightly.toml"
        " (db2tune mcp --config FILE), or as an alias of db2dsdriver.cfg (db2tune mcp --database ALIAS)"
    )
