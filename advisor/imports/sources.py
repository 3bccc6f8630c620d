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
# Sources from which others follow, by name: the object that texts print, and the kind and type of each column.
_HELPERS = {
    # sizes in bytes; IS_WHOLE is 1 if all file systems of the host are listed: then / has every path that no other has
    FILE_SYSTEM: (
        "df",
        {
            "MOUNT": "key VARCHAR",
            "TOTAL_SIZE": "gauge BIGINT",
            "USED_SIZE": "gauge BIGINT",
            "IS_WHOLE": "gauge SMALLINT",
        },
    ),
    # what was changed in the containers of a table space: SIZE, or the SET of them
    ALTERED_SPACE: ("ALTER TABLESPACE", {"TBSP_NAME": "key VARCHAR(128)", "WHAT": "gauge VARCHAR"}),
    # a lock that an application holds (STATUS G), waits for (W), or holds in LOCK_MODE and waits for in MODE_WANTED (C)
    LOCK_ENTRY: (
        "db2pd -wlocks",
        {
            "LOCK_NAME": "key VARCHAR(32)",
            "APPLICATION_HANDLE": "key BIGINT",
            "MEMBER": "key SMALLINT",
            "STATUS": "gauge VARCHAR(1)",
            "LOCK_MODE": "gauge VARCHAR(3)",
            "MODE_WANTED": "gauge VARCHAR(3)",
        },
    ),
    # an application that waits for a lock, and one that holds it; seconds
    LOCK_PAIR: (
        "MON_LOCKWAITS",
        {
            "WAITER": "key BIGINT",
            "HOLDER": "key BIGINT",
            "MEMBER": "key SMALLINT",
            "MODE_REQUESTED": "gauge VARCHAR(3)",
            "MODE_HELD": "gauge VARCHAR(3)",
            "WAIT_S": "gauge BIGINT",
        },
    ),
    # a deadlock, lock timeout or lock wait of a locking event monitor, and its participants
    LOCK_EVENT: (
        "LOCK_EVENT",
        {
            "XMLID": "key VARCHAR(256)",
            "EVENT_ID": "gauge BIGINT",
            "EVENT_TYPE": "gauge VARCHAR(128)",
            "EVENT_TIMESTAMP": "gauge TIMESTAMP",
            "MEMBER": "gauge SMALLINT",
            "ROLLED_BACK_PARTICIPANT_NO": "gauge INTEGER",
        },
    ),
    LOCK_PARTICIPANT: (
        "LOCK_PARTICIPANTS",
        {
            "XMLID": "key VARCHAR(256)",
            "PARTICIPANT_NO": "key INTEGER",
            "PARTICIPANT_TYPE": "gauge VARCHAR(10)",
            "APPLICATION_HANDLE": "gauge BIGINT",
            "TABLE_SCHEMA": "gauge VARCHAR(128)",
            "TABLE_NAME": "gauge VARCHAR(128)",
        },
    ),
}


def _column(name: str, declared: str) -> Column:
    kind, type = declared.split()
    return Column(name, kind, type, f"T.{name}")


HELPERS = {
    name: Source(name, printed, "void", tuple(_column(*item) for item in columns.items()), "", "")
    for name, (printed, columns) in _HELPERS.items()
}


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
