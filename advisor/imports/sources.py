"""The sources as texts fill them, with columns from which others are derived after all texts are read.

Texts differ from a capture. They have the time of the last backup instead of its age, and file systems instead of their
size for each container. SYSIBMADM.TBSP_UTILIZATION has KB instead of pages, and a script changes an earlier listing.
"""

from dataclasses import replace
from functools import cache

from advisor.catalogue import sources as catalogue
from advisor.catalogue.sources import Column, Source

SETTINGS = frozenset({"dbcfg", "dbmcfg", "registry"})
LAST_BACKUP = "LAST_BACKUP"
FILE_SYSTEM = "file_system"
ALTERED_SPACE = "altered_space"
LOCK_ENTRY = "lock_entry"
LOCK_PAIR = "lock_pair"
LOCK_EVENT = "lock_event"
LOCK_PARTICIPANT = "lock_participant"
LOCKS = (LOCK_ENTRY, LOCK_PAIR)  # lock waits and units of work follow from them

KILOBYTES = tuple(f"TBSP_{of}_SIZE_KB" for of in ("TOTAL", "USABLE", "USED", "FREE"))
_HELD = {
    "database": (Column(LAST_BACKUP, "gauge", "TIMESTAMP", f"T.{LAST_BACKUP}"),),
    "tablespace": tuple(Column(name, "gauge", "BIGINT", f"T.{name}") for name in KILOBYTES),
}
# Sizes are in bytes. IS_WHOLE is 1 if all file systems of the host are listed: then / has every path that no other
# has.
_FILE_SYSTEM = Source(
    FILE_SYSTEM,
    "df",
    "void",
    (
        Column("MOUNT", "key", "VARCHAR", "T.MOUNT"),
        Column("TOTAL_SIZE", "gauge", "BIGINT", "T.TOTAL_SIZE"),
        Column("USED_SIZE", "gauge", "BIGINT", "T.USED_SIZE"),
        Column("IS_WHOLE", "gauge", "SMALLINT", "T.IS_WHOLE"),
    ),
    "",
    "",
)

# What was changed in the containers of a table space: SIZE, or the SET of them.
_ALTERED_SPACE = Source(
    ALTERED_SPACE,
    "ALTER TABLESPACE",
    "void",
    (Column("TBSP_NAME", "key", "VARCHAR(128)", "T.TBSP_NAME"), Column("WHAT", "gauge", "VARCHAR", "T.WHAT")),
    "",
    "",
)
# A lock that an application holds (STATUS G), waits for (W), or holds in LOCK_MODE and waits for in MODE_WANTED (C).
_LOCK_ENTRY = Source(
    LOCK_ENTRY,
    "db2pd -wlocks",
    "void",
    (
        Column("LOCK_NAME", "key", "VARCHAR(32)", "T.LOCK_NAME"),
        Column("APPLICATION_HANDLE", "key", "BIGINT", "T.APPLICATION_HANDLE"),
        Column("MEMBER", "key", "SMALLINT", "T.MEMBER"),
        Column("STATUS", "gauge", "VARCHAR(1)", "T.STATUS"),
        Column("LOCK_MODE", "gauge", "VARCHAR(3)", "T.LOCK_MODE"),
        Column("MODE_WANTED", "gauge", "VARCHAR(3)", "T.MODE_WANTED"),
    ),
    "",
    "",
)

# An application that waits for a lock, and one that holds it; seconds.
_LOCK_PAIR = Source(
    LOCK_PAIR,
    "MON_LOCKWAITS",
    "void",
    (
        Column("WAITER", "key", "BIGINT", "T.WAITER"),
        Column("HOLDER", "key", "BIGINT", "T.HOLDER"),
        Column("MEMBER", "key", "SMALLINT", "T.MEMBER"),
        Column("MODE_REQUESTED", "gauge", "VARCHAR(3)", "T.MODE_REQUESTED"),
        Column("MODE_HELD", "gauge", "VARCHAR(3)", "T.MODE_HELD"),
        Column("WAIT_S", "gauge", "BIGINT", "T.WAIT_S"),
    ),
    "",
    "",
)
# A deadlock, lock timeout or lock wait of a locking event monitor, and its participants.
_LOCK_EVENT = Source(
    LOCK_EVENT,
    "LOCK_EVENT",
    "void",
    (
        Column("XMLID", "key", "VARCHAR(256)", "T.XMLID"),
        Column("EVENT_ID", "gauge", "BIGINT", "T.EVENT_ID"),
        Column("EVENT_TYPE", "gauge", "VARCHAR(128)", "T.EVENT_TYPE"),
        Column("EVENT_TIMESTAMP", "gauge", "TIMESTAMP", "T.EVENT_TIMESTAMP"),
        Column("MEMBER", "gauge", "SMALLINT", "T.MEMBER"),
        Column("ROLLED_BACK_PARTICIPANT_NO", "gauge", "INTEGER", "T.ROLLED_BACK_PARTICIPANT_NO"),
    ),
    "",
    "",
)
_LOCK_PARTICIPANT = Source(
    LOCK_PARTICIPANT,
    "LOCK_PARTICIPANTS",
    "void",
    (
        Column("XMLID", "key", "VARCHAR(256)", "T.XMLID"),
        Column("PARTICIPANT_NO", "key", "INTEGER", "T.PARTICIPANT_NO"),
        Column("PARTICIPANT_TYPE", "gauge", "VARCHAR(10)", "T.PARTICIPANT_TYPE"),
        Column("APPLICATION_HANDLE", "gauge", "BIGINT", "T.APPLICATION_HANDLE"),
        Column("TABLE_SCHEMA", "gauge", "VARCHAR(128)", "T.TABLE_SCHEMA"),
        Column("TABLE_NAME", "gauge", "VARCHAR(128)", "T.TABLE_NAME"),
    ),
    "",
    "",
)
_HELPERS = (_FILE_SYSTEM, _ALTERED_SPACE, _LOCK_ENTRY, _LOCK_PAIR, _LOCK_EVENT, _LOCK_PARTICIPANT)
HELPERS = {source.name: source for source in _HELPERS}


@cache
def all_sources() -> dict[str, Source]:
    """Return every source by its name."""
    found = {
        name: replace(source, columns=(*source.columns, *_HELD[name])) if name in _HELD else source
        for name, source in catalogue.all_sources().items()
    }
    return found | HELPERS


def list_capture_columns(source: Source) -> list[Column]:
    """Return the columns of a source that a capture has."""
    known = catalogue.all_sources()[source.name].names("key", "gauge", "hwm", "counter")
    return [column for column in source.columns if column.name in known]
