"""The sources as texts fill them, with columns from which others are derived after all texts are read.

Texts differ from a capture. They have the time of the last backup instead of its age, and file systems instead of their
size for each container. SYSIBMADM.TBSP_UTILIZATION has KB instead of pages, and a script changes an earlier listing.
"""

from dataclasses import replace
from functools import cache
from itertools import groupby
from operator import itemgetter

from advisor.catalogue import sources as catalogue
from advisor.catalogue.sources import Column, Source
from advisor.imports.values import columns

SETTINGS = frozenset({"dbcfg", "dbmcfg", "registry"})
LAST_BACKUP = "LAST_BACKUP"
FILE_SYSTEM = "file_system"
ALTERED_SPACE = "altered_space"
LOCK_ENTRY = "lock_entry"
LOCK_PAIR = "lock_pair"
LOCK_EVENT = "lock_event"
LOCKS = (LOCK_ENTRY, LOCK_PAIR)  # lock waits and units of work follow from them

KILOBYTES = tuple(f"TBSP_{of}_SIZE_KB" for of in ("TOTAL", "USABLE", "USED", "FREE"))
# columns/helpers.csv has further columns of sources, and whole sources from which others follow: the object that texts
# print, and the kind and type of each column.
#
# file_system: sizes in bytes. IS_WHOLE is 1 if all file systems of the host are listed: then / has every path that no
# other has. altered_space: what was changed in the containers of a table space, SIZE or the SET of them. lock_entry: a
# lock that an application holds (STATUS G), waits for (W), or holds in LOCK_MODE and waits for in MODE_WANTED (C).
# lock_pair: an application that waits for a lock, and one that holds it; seconds. lock_event, lock_participant: a
# deadlock, lock timeout or lock wait of a locking event monitor, and its participants.
_OBJECTS = {row["SOURCE"]: row["OBJECT"] for row in columns("helpers")}
_COLUMNS = {
    source: tuple(Column(row["COLUMN"], row["KIND"], row["TYPE"], f"T.{row['COLUMN']}") for row in rows)
    for source, rows in groupby(columns("helpers"), key=itemgetter("SOURCE"))
}
HELPERS = {name: Source(name, printed, "void", _COLUMNS[name], "", "") for name, printed in _OBJECTS.items() if printed}


@cache
def all_sources() -> dict[str, Source]:
    """Return every source by its name."""
    found = {
        name: replace(source, columns=(*source.columns, *_COLUMNS.get(name, ())))
        for name, source in catalogue.all_sources().items()
    }
    return found | HELPERS


def list_capture_columns(source: Source) -> list[Column]:
    """Return the columns of a source that a capture has."""
    known = catalogue.all_sources()[source.name].names("key", "gauge", "hwm", "counter")
    return [column for column in source.columns if column.name in known]
