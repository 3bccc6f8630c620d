"""The selftest: tests that need a real server, in one unit of work with a rollback."""

import platform
from collections.abc import Callable, Iterable, Iterator
from time import monotonic
from typing import Any

from advisor import __version__
from advisor.db2.connection import Connection
from advisor.db2.failures import Db2Failure
from advisor.errors import UserError
from advisor.install.check import NO_ROOM
from advisor.install.installer import read_installed_version, require_installable
from advisor.install.space import estimate_log
from advisor.install.statements import install_statements
from advisor.selftest import parts
from advisor.selftest.measure import Entry, query_rows

SCHEMA = 1  # of the document
OWN_STATES = "70"  # expected errors of our own procedures

Part = tuple[str, Callable[[Connection], Iterator[Entry]]]

_READS: tuple[Part, ...] = (("server", parts.server), ("sources", parts.sources), ("settings", parts.settings))
_INSTALLS: tuple[Part, ...] = (("cost before", parts.cost), ("installation", parts.installation))
_CALLS: tuple[Part, ...] = (
    ("cost after the installation", parts.cost),
    ("calls", parts.calls),
    ("errors", parts.errors),
    ("views", parts.views),
    ("cost at the end", parts.cost),
)
PARTS = len(_READS) + len(_INSTALLS) + len(_CALLS)


def selftest(connection: Connection, done: Callable[[], None] = lambda: None) -> dict[str, Any]:
    """Return the results of all parts. Call ``done`` after each part.

    Install schema TUNE for the test if it is missing; roll back in any case. ``ended`` is the code that ended the test
    early. Raise UserError if schema TUNE contains other tables or the log is too small, and Db2Failure without a connection.
    """
    begun = monotonic()
    require_installable(connection)
    before = read_installed_version(connection)
    if before is None:
        _require_log(connection)
    document: dict[str, Any] = {
        "selftest": SCHEMA,
        "db2tune": __version__,
        "python": platform.python_version(),
        "installed": before,
    }
    wanted = (*_READS, *(_INSTALLS if before is None else ()), *_CALLS)
    try:
        document["ended"] = _try(connection, wanted, document, done)
        connection.rollback()
    except Db2Failure as failure:
        if not failure.dropped:
            raise
        document["ended"] = failure.id or failure.sqlstate
    return document | {"seconds": round(monotonic() - begun, 1)}


def _require_log(connection: Connection) -> None:
    """Raise UserError if an installation in one unit of work needs more log than is free, by estimate."""
    try:
        free = next(query_rows(connection, "log_free"))[0]
    except Db2Failure as failure:
        if failure.dropped:
            raise
        return
    needed = estimate_log(install_statements())
    if free is not None and 0 <= free < needed:
        raise UserError(
            f"the test needs about {needed // 1024**2} MB of log in one unit of work, and {free // 1024**2} MB are free;"
            " run 'db2tune install' first, or raise LOGSECOND"
        )


def _try(
    connection: Connection, wanted: Iterable[Part], document: dict[str, Any], done: Callable[[], None]
) -> str | None:
    """Add the parts to the document. Return the code that ended the test early, or None."""
    for name, part in wanted:
        entries: list[Entry] = document.setdefault(name, [])
        for entry in part(connection):
            entries.append(entry)
            if _ends_part(name, entry):
                return str(entry["sqlcode"])
        done()
    return None


def _ends_part(part: str, entry: Entry) -> bool:
    """Return whether the unit of work was rolled back (class 40), or lacks resources for the installation."""
    state = str(entry.get("sqlstate", ""))
    return state.startswith("40") or (part == "installation" and state == NO_ROOM)


def list_rejected(document: dict[str, Any]) -> list[Entry]:
    """Return the entries that Db2 rejected, except for expected errors of our own procedures."""
    entries = [entry for part in document.values() if isinstance(part, list) for entry in part]
    return [entry for entry in entries if "sqlcode" in entry and not str(entry["sqlstate"]).startswith(OWN_STATES)]
