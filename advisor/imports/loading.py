"""Tables from the rows that were read: REPORT, and F_<SOURCE> for each source."""

import csv
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from advisor.catalogue.sources import Source
from advisor.imports.databases import ACTIVATION, RESTART
from advisor.imports.derived import FILLED, SIZED
from advisor.imports.lock_tables import FILLED as BY_LOCK_TABLES
from advisor.imports.lock_waits import FILLED as BY_LOCK_WAITS
from advisor.imports.readings import NTH, Report
from advisor.imports.snapshots import moments
from advisor.imports.sources import FILE_SYSTEM, KILOBYTES, LOCK_EVENT, LOCKS, all_sources
from advisor.imports.versions import find_not_followed, has_versions
from advisor.quoting import literal, quote_path

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection as Connection

# Columns that are filled here.
_CONFIGURED = ("VALUE", "VALUE_FLAGS", "DEFERRED_VALUE", "DEFERRED_VALUE_FLAGS")
_ALWAYS = {"database": ("DB_CONN_TIME", "UPTIME_S", *FILLED["database"]), "dbcfg": _CONFIGURED, "dbmcfg": _CONFIGURED}
LONGEST_ROW = 1 << 24  # bytes

_REPORT = {
    "NUMBER": "INTEGER",
    "PLACE": "INTEGER",
    "MEMBER": "SMALLINT",
    "COMMAND": "BOOLEAN",
    "SINCE_ACTIVATION": "BOOLEAN",
    "SINCE_START": "BOOLEAN",
    "TAKEN_AT": "TIMESTAMP",
}


def load_reports(connection: "Connection", reports: list[Report], folder: Path) -> None:
    """Create the table REPORT, through a file: a year of daily reports, or a long log of commands, has many rows."""
    times = moments(reports)
    columns = [
        [item.number for item in reports],
        [*range(len(reports))],
        [item.member for item in reports],
        [item.command for item in reports],
        find_not_followed(reports, (ACTIVATION, RESTART)),
        find_not_followed(reports, (RESTART,)),
        [times[item.number] for item in reports],
    ]
    path = folder / ".reports"
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(zip(*columns, strict=True))
    declared = ", ".join(f"'{name}': '{type}'" for name, type in _REPORT.items())
    connection.execute(
        f"CREATE TABLE REPORT AS SELECT *, false AS AT_BEGIN, false AS AT_END FROM read_csv({literal(quote_path(path))},"
        f" header = false, auto_detect = false, delim = ',', columns = {{{declared}}})"
    )
    path.unlink()


def sources_of(files: Iterable[tuple[str, ...]]) -> dict[str, Source]:
    """Return the sources with rows, their keys and the columns that were read."""
    found: dict[str, set[str]] = {}
    for name, *columns in files:
        found.setdefault(name, {*_ALWAYS.get(name, ())}).update(columns)
    if not found.get("tablespace", set()).isdisjoint((*KILOBYTES, "TBSP_FREE_PAGES")):
        found["tablespace"].update(SIZED)
    if FILE_SYSTEM in found:
        for name, filled in FILLED.items():
            found.get(name, set()).update(filled)
    if not found.keys().isdisjoint(LOCKS):
        for name, filled in BY_LOCK_WAITS.items():
            found.setdefault(name, set()).update(filled)
    if LOCK_EVENT in found:
        for name, filled in BY_LOCK_TABLES.items():
            found.setdefault(name, set()).update(filled)
    return {
        name: replace(source, columns=tuple(c for c in source.columns if c.kind == "key" or c.name in found[name]))
        for name, source in all_sources().items()
        if name in found
    }


def load(connection: "Connection", source: Source, files: Mapping[tuple[str, ...], Path]) -> None:
    """Create the table F_<SOURCE> with all rows of a source."""
    parts = [_text(shape, path) for shape, path in files.items() if shape[0] == source.name]
    raw = "\nUNION ALL BY NAME\n".join(f"SELECT * FROM {part}" for part in parts) or "SELECT 0 AS REPORT WHERE false"
    read = {column for shape in files if shape[0] == source.name for column in shape[1:]}
    values = ", ".join(
        f"TRY_CAST({f'R.{column.name}' if column.name in read else 'NULL'} AS {column.type}) AS {column.name}"
        for column in source.columns
    )
    nth = f"{f'CAST(R.{NTH} AS BIGINT)' if NTH in read else 'NULL'} AS {NTH}, " if has_versions(source) else ""
    connection.execute(
        f"CREATE TABLE F_{source.name} AS SELECT P.NUMBER AS REPORT, P.MEMBER AS REPORT_MEMBER, {nth}{values}"
        f" FROM ({raw}) AS R INNER JOIN REPORT AS P ON CAST(R.REPORT AS INTEGER) = P.NUMBER"
    )


def _text(shape: tuple[str, ...], path: Path) -> str:
    """Return the table function that reads the rows of a source as text."""
    columns = ", ".join(f"'{column}': 'VARCHAR'" for column in ("REPORT", *shape[1:]))
    return (
        f"read_csv({literal(quote_path(path))}, header = true, auto_detect = false, delim = ',', quote = '\"', escape = '\"',"
        f" max_line_size = {LONGEST_ROW}, buffer_size = {LONGEST_ROW}, columns = {{{columns}}})"
    )
