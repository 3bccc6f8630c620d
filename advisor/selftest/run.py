"""The selftest: everything that only a real server proves, in one unit of work that is rolled back."""

import platform
from collections.abc import Callable, Iterable, Iterator
from time import monotonic
from typing import Any

from advisor import __version__
from advisor.db2.connection import Connection
from advisor.db2.failures import Db2Failure
from advisor.install.check import NO_ROOM
from advisor.install.installer import installed_version, may_install
from advisor.selftest import parts
from advisor.selftest.measure import Entry

SCHEMA = 1  # of the document
OWN_STATES = "70"  # refusals of our own procedures: what they are there to say

Part = tuple[str, Callable[[Connection], Iterator[Entry]]]

_READS: tuple[Part, ...] = (("server", parts.server), ("sources", parts.sources), ("settings", parts.settings))
_INSTALLS: tuple[Part, ...] = (("log before", parts.log), ("installation", parts.installation))
_CALLS: tuple[Part, ...] = (
    ("log after the installation", parts.log),
    ("calls", parts.calls),
    ("errors", parts.errors),
    ("views", parts.views),
    ("log at the end", parts.log),
)
PARTS = len(_READS) + len(_INSTALLS) + len(_CALLS)


def selftest(connection: Connection, done: Callable[[], None] = lambda: None) -> dict[str, Any]:
    """The document: what was tried and what Db2 said, part by part. ``done`` is told of each part.

    Where schema TUNE is not there it is installed for the trial; nothing stays. ``ended`` says by which code it had to
    end early. Raises UserError where the schema is somebody else's, Db2Failure where there is no connection.
    """
    begun = monotonic()
    may_install(connection)
    before = installed_version(connection)
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


def _try(
    connection: Connection, wanted: Iterable[Part], document: dict[str, Any], done: Callable[[], None]
) -> str | None:
    """Put the parts into the document; the code of what ended it, where nothing could follow."""
    for name, part in wanted:
        entries: list[Entry] = document.setdefault(name, [])
        for entry in part(connection):
            entries.append(entry)
            if _ends(name, entry):
                return str(entry["sqlcode"])
        done()
    return None


def _ends(part: str, entry: Entry) -> bool:
    """Whether the unit of work is gone (class 40), or has no room for what is to be installed."""
    state = str(entry.get("sqlstate", ""))
    return state.startswith("40") or (part == "installation" and state == NO_ROOM)


def refused(document: dict[str, Any]) -> list[Entry]:
    """The entries that Db2 refused; what our own procedures refuse they are there to say."""
    entries = [entry for part in document.values() if isinstance(part, list) for entry in part]
    return [entry for entry in entries if "sqlcode" in entry and not str(entry["sqlstate"]).startswith(OWN_STATES)]
