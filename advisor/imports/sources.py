"""The sources as texts fill them: with what texts say in place of a column, which follows when all of them are read.

A capture has how long ago the last backup was, texts say when it was; a capture has the size of the file system of each
container, texts list the file systems; a capture has table spaces in pages, SYSIBMADM.TBSP_UTILIZATION in KB, too; a
script changes what a listing before it shows.
"""

from dataclasses import replace
from functools import cache

from advisor.catalogue import sources as catalogue
from advisor.catalogue.sources import Column, Source

SETTINGS = frozenset({"dbcfg", "dbmcfg", "registry"})
LAST_BACKUP = "LAST_BACKUP"
FILE_SYSTEM = "file_system"
ALTERED_SPACE = "altered_space"

KILOBYTES = tuple(f"TBSP_{of}_SIZE_KB" for of in ("TOTAL", "USABLE", "USED", "FREE"))
_HELD = {
    "database": (Column(LAST_BACKUP, "gauge", "TIMESTAMP", f"T.{LAST_BACKUP}"),),
    "tablespace": tuple(Column(name, "gauge", "BIGINT", f"T.{name}") for name in KILOBYTES),
}
# Sizes are bytes. IS_WHOLE is 1 where all file systems of the host are listed: then what is on no other is on /.
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

# What of the containers of a table space was changed: SIZE, or the SET of them.
_ALTERED_SPACE = Source(
    ALTERED_SPACE,
    "ALTER TABLESPACE",
    "void",
    (Column("TBSP_NAME", "key", "VARCHAR(128)", "T.TBSP_NAME"), Column("WHAT", "gauge", "VARCHAR", "T.WHAT")),
    "",
    "",
)
HELPERS = {source.name: source for source in (_FILE_SYSTEM, _ALTERED_SPACE)}


@cache
def all_sources() -> dict[str, Source]:
    """Every source by its name."""
    found = {
        name: replace(source, columns=(*source.columns, *_HELD[name])) if name in _HELD else source
        for name, source in catalogue.all_sources().items()
    }
    return found | HELPERS


def in_capture(source: Source) -> list[Column]:
    """The columns of a source that a capture has."""
    known = catalogue.all_sources()[source.name].names("key", "gauge", "hwm", "counter")
    return [column for column in source.columns if column.name in known]
