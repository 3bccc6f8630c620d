"""What it takes to build an index: time, sort, log, and space in its table space."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from advisor.indexes.catalog import Table
from advisor.indexes.costs import RANDOM, System
from advisor.indexes.ddl import PREFIX
from advisor.indexes.paths import Path

ROW_MS = 0.003  # own: CPU time to read, sort and write an entry
LOG_ENTRY = 64  # own: bytes of log per page of an index whose build is not logged

NOT_LOGGED = (
    "LOGINDEXBUILD is OFF: the standby cannot use the index before it is rebuilt after a takeover. Set it to ON first."
)


@dataclass(frozen=True)
class Surroundings:
    """What a build depends on. Unknown values are None.

    ``spaces`` are the table spaces of indexes by schema and table, ``rooms`` the free bytes per table space, automatic
    growth included. ``logs_builds`` is LOGINDEXBUILD. ``log_bytes`` is the size of the active log.
    ``prefix`` is the start of the index's name.
    """

    spaces: Mapping[tuple[str, str], str] = field(default_factory=dict)
    rooms: Mapping[str, float] = field(default_factory=dict)
    logs_builds: bool | None = None
    has_standby: bool = False
    log_bytes: float | None = None
    prefix: str = PREFIX


NOTHING_KNOWN = Surroundings()


@dataclass(frozen=True)
class Build:
    """The build of an index: seconds, bytes of log, bytes of a sort that does not fit in SORTHEAP, and its table space.

    ``room`` are the free bytes of the table space. ``warnings`` are reasons not to start yet.
    """

    seconds: float
    log_bytes: int
    sort_bytes: int
    space: str | None
    room: float | None
    warnings: tuple[str, ...] = ()


def estimate_build(table: Table, path: Path, system: System, around: Surroundings) -> Build:
    """Return what the build of an index takes."""
    space = around.spaces.get((table.schema, table.name))
    room = around.rooms.get(space or "")
    seconds = ((table.pages or 0) * system.page_ms / RANDOM + path.entries * ROW_MS) / 1000
    log = path.bytes if around.logs_builds else int(path.leaf_pages * LOG_ENTRY)
    spills = path.bytes if path.bytes > 4096 * system.sort_pages else 0
    warnings = []
    if room is not None and path.bytes > room:
        warnings.append(f"Table space {space} has only {room / 1e6:,.0f} MB left.")
    if around.log_bytes is not None and log > around.log_bytes / 2:
        warnings.append(f"The build writes {log / 1e6:,.0f} MB of log; the log has {around.log_bytes / 1e6:,.0f} MB.")
    if around.has_standby and around.logs_builds is False:
        warnings.append(NOT_LOGGED)
    return Build(seconds, log, spills, space, room, tuple(warnings))
