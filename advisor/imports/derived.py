"""Columns of a capture that follow from several texts: statements over the input (F_) and the output (O_).

The age of a backup is measured at the time of its own text, and the latest backup counts. A container, a storage path,
the log or its archive is on the file system with the longest path above it; it is on / only if all file systems are
listed.
"""

from collections.abc import Collection

from advisor.imports.sources import ALTERED_SPACE, FILE_SYSTEM, KILOBYTES, LAST_BACKUP
from advisor.quoting import literal

# Columns that a source needs in addition to those that were read, to fill the columns of a capture.
FILLED = {
    "database": ("BACKED_UP", "BACKUP_AGE_S", LAST_BACKUP),
    "container": ("FS_TOTAL_SIZE", "FS_USED_SIZE", "FS_ID"),
    "storage_path": ("FS_TOTAL_SIZE", "FS_USED_SIZE"),
}
_PATHS = {
    "container": ("CONTAINER_NAME", "COALESCE(CONTAINER_TYPE, '') NOT LIKE 'DISK%'"),
    "storage_path": ("DB_STORAGE_PATH", "true"),
}
_ABOVE = "F.MOUNT = '/' AND F.IS_WHOLE = 1 OR P.PATH = F.MOUNT OR STARTS_WITH(P.PATH, F.MOUNT || '/')"
_MB = 1 << 20


def backups() -> list[str]:
    """Return statements for the age of each member's last backup at the time of its text."""
    latest = f"(SELECT MEMBER AS M, MAX({LAST_BACKUP}) AS LATEST FROM F_database GROUP BY MEMBER) AS L"
    return [
        f"UPDATE F_database SET BACKUP_AGE_S = DATE_DIFF('second', {LAST_BACKUP}, R.TAKEN_AT) FROM REPORT AS R"
        f" WHERE F_database.REPORT = R.NUMBER AND R.TAKEN_AT >= {LAST_BACKUP}",
        f"UPDATE F_database SET BACKED_UP = 1, BACKUP_AGE_S = CASE WHEN {LAST_BACKUP} = LATEST THEN BACKUP_AGE_S END"
        f" FROM {latest} WHERE MEMBER = M AND LATEST IS NOT NULL",
    ]


def number_indexes(columns: Collection[str]) -> list[str]:
    """Return the statements that number the indexes of DDL, which has only their names.

    An index gets the number that another text has, or one after all numbers of its table.
    """
    if "INDNAME" not in columns or "INDSCHEMA" not in columns:
        return []
    name = ("TABSCHEMA", "TABNAME", "INDSCHEMA", "INDNAME")
    same = " AND ".join(f"F_index.{column} = N.{column}" for column in name)
    named = f"SELECT {', '.join(name)}, MAX(IID) AS IID FROM F_index WHERE INDNAME IS NOT NULL GROUP BY ALL"
    table = "OVER (PARTITION BY TABSCHEMA, TABNAME"
    return [
        f"UPDATE F_index SET IID = N.NUMBER FROM (SELECT *, COALESCE(IID, COALESCE(MAX(IID) {table}), 0)"
        f" + ROW_NUMBER() {table} ORDER BY IID IS NOT NULL, INDSCHEMA, INDNAME)) AS NUMBER FROM ({named})) AS N"
        f" WHERE F_index.IID IS NULL AND N.NUMBER <= 32767 AND {same}"
    ]


def sizes(source: str, columns: Collection[str]) -> list[str]:
    """Return the statement that adds sizes from df to a source with paths, if no other text has them."""
    if source not in _PATHS or _PATHS[source][0] not in columns:
        return []
    path, where = _PATHS[source]
    if "CONTAINER_TYPE" in where and "CONTAINER_TYPE" not in columns:
        where = "TRUE"  # no text has it
    taken = "MAX_BY(F.{0}, LENGTH(F.MOUNT)) AS {0}"
    numbered = f"(SELECT *, CAST(ROW_NUMBER() OVER (ORDER BY MOUNT) AS VARCHAR) AS NUMBER FROM O_{FILE_SYSTEM}) AS F"
    items = ", ".join(taken.format(name) for name in ("TOTAL_SIZE", "USED_SIZE", "NUMBER"))
    number = ", FS_ID = NUMBER" if source == "container" else ""
    return [
        f"UPDATE O_{source} SET FS_TOTAL_SIZE = TOTAL_SIZE, FS_USED_SIZE = USED_SIZE{number} FROM (SELECT P.PATH, {items}"
        f" FROM (SELECT DISTINCT {path} AS PATH FROM O_{source}) AS P INNER JOIN {numbered} ON {_ABOVE} GROUP BY P.PATH)"
        f" AS ON_IT WHERE {path} = PATH AND FS_TOTAL_SIZE IS NULL AND {where} AND STARTS_WITH({path}, '/') AND NOT STARTS_WITH({path}, '/dev/')"
    ]


_DISK = "DISK:"
_SETTINGS = {
    "dbcfg": f"NAME = 'logpath' OR NAME IN ('logarchmeth1', 'logarchmeth2') AND VALUE LIKE '{_DISK}%'",
    "dbmcfg": "NAME = 'diagpath'",
}


# The columns of SYSIBMADM.TBSP_UTILIZATION in KB, and the same columns in pages.
IN_PAGES = {name: name.replace("SIZE_KB", "PAGES") for name in KILOBYTES}
SIZED = (*IN_PAGES, *IN_PAGES.values(), "TBSP_PAGE_TOP", "TBSP_TYPE", "TBSP_PAGE_SIZE")
_LARGEST_PAGE = 32 << 10
_TOTAL, _USABLE, _USED, _FREE = KILOBYTES
_SIZE = "(SELECT TBSP_NAME AS SPACE, MAX(TBSP_PAGE_SIZE) AS BYTES FROM F_tablespace GROUP BY TBSP_NAME) AS S"
_PAGES = ", ".join(
    f"{pages} = COALESCE({pages}, {kb} * 1024 // COALESCE(BYTES, {_LARGEST_PAGE}))" for kb, pages in IN_PAGES.items()
)
# Only DMS table spaces have free pages and a high-water mark.
WHAT_SPACES_HOLD = (
    f"UPDATE F_tablespace SET {_USABLE} = COALESCE({_USABLE}, {_USED} + {_FREE}, {_TOTAL})",
    f"UPDATE F_tablespace SET {_PAGES} FROM {_SIZE} WHERE TBSP_NAME = SPACE AND {_USABLE} IS NOT NULL",
    "UPDATE F_tablespace SET TBSP_USED_PAGES = TBSP_USABLE_PAGES - TBSP_FREE_PAGES WHERE TBSP_USED_PAGES IS NULL",
    "UPDATE F_tablespace SET TBSP_TYPE = 'DMS' WHERE TBSP_TYPE IS NULL"
    " AND (TBSP_USABLE_PAGES > TBSP_USED_PAGES OR TBSP_PAGE_TOP > 0)",
)
UNSIZED_SPACES = (
    f"SELECT DISTINCT TBSP_NAME FROM F_tablespace, {_SIZE} WHERE TBSP_NAME = SPACE AND BYTES IS NULL"
    f" AND {_USABLE} IS NOT NULL ORDER BY 1"
)


def note_unsized(found: list[tuple[str]]) -> list[str]:
    """Return a note on table spaces that have a size in KB but no page size."""
    if not found:
        return []
    names = ", ".join(name for (name,) in found[:_MOST_CALLED])
    more = ", ..." if len(found) > _MOST_CALLED else ""
    return [f"no text contains the page size of {names}{more}: their sizes are converted to pages of 32 KB"]


def places(source: str, columns: Collection[str]) -> list[str]:
    """Return statements that keep the paths of the log, of its archive, and of the shared diagnostic directory."""
    if source not in _SETTINGS or "VALUE" not in columns:
        return []
    path = f"regexp_replace(VALUE, '^{_DISK}|\"| \\$.*$', '', 'g')"
    return [
        f"INSERT INTO PLACES SELECT DISTINCT {path} FROM O_{source} WHERE ({_SETTINGS[source]}) AND {path} LIKE '/%'"
    ]


def room(number: int, host: str) -> str:
    """Return the statement for host facts: the sizes from df of the file systems that settings name."""
    total, free = (
        f"MAX_BY({size}, LENGTH(F.MOUNT)) // {_MB}" for size in ("F.TOTAL_SIZE", "F.TOTAL_SIZE - F.USED_SIZE")
    )
    return (
        f"SELECT {number} AS SNAP_ID, {literal(host)} AS HOST, 'path:' || PATH AS FACT_KEY, ITEM, CAST(VALUE AS VARCHAR)"
        f" AS VALUE FROM (UNPIVOT (SELECT P.PATH, {total} AS fs_total_mb, {free} AS fs_free_mb FROM PLACES AS P"
        f" INNER JOIN O_{FILE_SYSTEM} AS F ON {_ABOVE} GROUP BY P.PATH)"
        " ON fs_total_mb, fs_free_mb INTO NAME ITEM VALUE VALUE)"
    )


_SIZES = {
    "tablespace": (
        *("TBSP_TOTAL_PAGES", "TBSP_USABLE_PAGES", "TBSP_USED_PAGES", "TBSP_FREE_PAGES", "TBSP_PAGE_TOP"),
        *("TBSP_NUM_CONTAINERS", "TBSP_LAST_RESIZE_FAILED"),
    ),
    "container": ("TOTAL_PAGES", "USABLE_PAGES"),
}


def remove_outdated(source: str, columns: Collection[str]) -> list[str]:
    """Return statements that remove values that a later ALTER TABLESPACE made invalid."""
    if source not in _SIZES or "TBSP_NAME" not in columns:
        return []
    later = (
        f"(SELECT A.TBSP_NAME AS SPACE, R.PLACE, A.WHAT FROM F_{ALTERED_SPACE} AS A"
        " INNER JOIN REPORT AS R ON A.REPORT = R.NUMBER) AS L, REPORT AS R"
    )
    before = f"F_{source}.REPORT = R.NUMBER AND R.PLACE < L.PLACE AND F_{source}.TBSP_NAME = L.SPACE"
    nothing = ", ".join(f"{name} = NULL" for name in _SIZES[source] if name in columns)
    result = [f"UPDATE F_{source} SET {nothing} FROM {later} WHERE {before}"] if nothing else []
    if source == "container":
        result.append(f"DELETE FROM F_{source} USING {later} WHERE {before} AND L.WHAT = 'SET'")
    return result


# The prefix of a name for a table space of which only the number is known.
_CALLED = "TBSPACEID_"
_MOST_CALLED = 5
CALL_CATALOG = "UPDATE F_tablespace SET TBSP_NAME = 'SYSCATSPACE' WHERE TBSP_NAME IS NULL AND TBSP_ID = 0"
UNNAMED_SPACES = "SELECT DISTINCT TBSP_ID FROM F_tablespace WHERE TBSP_NAME IS NULL AND TBSP_ID IS NOT NULL ORDER BY 1"
CALL_SPACES = f"UPDATE F_tablespace SET TBSP_NAME = '{_CALLED}' || TBSP_ID WHERE TBSP_NAME IS NULL"


def note_unnamed(found: list[tuple[int]]) -> list[str]:
    """Return a note on table spaces that no text names."""
    if not found:
        return []
    numbers = [str(number) for (number,) in found]
    more = ", ..." if len(found) > _MOST_CALLED else ""
    return [
        f"no text names the table spaces {', '.join(numbers[:_MOST_CALLED])}{more}: {_CALLED}{numbers[0]} is the"
        f" first; SELECT TBSPACEID, TBSPACE FROM SYSCAT.TABLESPACES shows their names"
    ]
