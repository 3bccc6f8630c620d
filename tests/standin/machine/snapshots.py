"""The rows of a capture in DuckDB, and the virtual time up to which their counters have come.

For each source, one table holds the begin and the end side by side. A row has its key, ``B$`` and ``E$`` (whether it is
there at the begin, at the end), and ``B$X`` and ``E$X`` for every other column X. Over it lies a view, named like the
source, of the rows as they are now: counters as far as the clock says, everything else as at the begin until the end has
come.
"""

import csv
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import duckdb

from advisor.capture import Capture
from advisor.catalogue.sources import Source, all_sources
from tests.standin.commands.storage import Row

MICROSECOND = timedelta(microseconds=1)


@dataclass
class Clock:
    """The server's clock; it moves only on request.

    Counters run from their values at ``begin`` to those at ``end``, and on at that rate. After a restart at
    ``restarted`` they run from zero.
    """

    begin: datetime
    end: datetime
    now: datetime
    restarted: datetime | None = None

    def advance(self, seconds: float) -> None:
        if seconds < 0:
            raise ValueError("the clock does not go back")
        self.now += timedelta(seconds=seconds)

    def restart(self) -> None:
        self.restarted = self.now

    @property
    def late(self) -> bool:
        """Whether the second snapshot's moment has come."""
        return self.now >= self.end

    @property
    def span(self) -> int:
        """Microseconds from the begin to the end."""
        return max((self.end - self.begin) // MICROSECOND, 1)

    @property
    def passed(self) -> int:
        """Microseconds for which the counters have run."""
        return (self.now - (self.restarted or self.begin)) // MICROSECOND


SCHEMA = '"$MACHINE"'
BEGIN, END = 1, 2

_CLOCK = f"""
CREATE TABLE {SCHEMA}."CLOCK" (LATE BOOLEAN, PASSED HUGEINT, SPAN HUGEINT, RESTARTED TIMESTAMP);
INSERT INTO {SCHEMA}."CLOCK" VALUES (FALSE, 0, 1, NULL);
"""

# What does not grow, because its rate is unknown or it fell, is as at the begin until the end.
_COUNTED = f"""
CREATE MACRO {SCHEMA}.COUNTED(B, E, LATE, PASSED, SPAN, RESTARTED) AS
CASE
    WHEN CASE WHEN LATE THEN E ELSE B END IS NULL THEN NULL
    WHEN B IS NULL OR E IS NULL OR E < B THEN
        CASE WHEN RESTARTED IS NOT NULL THEN 0 WHEN LATE THEN E ELSE B END
    ELSE CASE WHEN RESTARTED IS NULL THEN B ELSE 0 END
        + (2 * (CAST(E AS HUGEINT) - B) * PASSED + SPAN) // (2 * SPAN)
END
"""


class Snapshots:
    """The begin and end rows of every source that a capture has, with the columns that it has of them."""

    def __init__(self, capture: Capture) -> None:
        self._ids = [snapshot.id for snapshot in capture.snapshots]
        self._files = {name: path for name, path in capture.files.items() if name != "hostfact"}
        headers = {name: set(_header(path)) for name, path in self._files.items()}
        self.columns = {
            name: [column.name for column in all_sources()[name].columns if column.name in header]
            for name, header in headers.items()
        }

    def load(self, connection: duckdb.DuckDBPyConnection) -> None:
        """Create and fill the tables and views of every source."""
        connection.execute(f"CREATE SCHEMA {SCHEMA}")
        connection.execute(_CLOCK)
        connection.execute(_COUNTED)
        for name, path in self._files.items():
            source, columns = all_sources()[name], self.columns[name]
            types = {"SNAP_ID": "INTEGER"} | _types(source, columns)
            self._store(connection, name, _reader(path, types, self._ids))
            connection.execute(f'CREATE VIEW {SCHEMA}."{name}" AS {_now(source, columns)}')

    def set_clock(self, connection: duckdb.DuckDBPyConnection, clock: Clock) -> None:
        connection.execute(
            f'UPDATE {SCHEMA}."CLOCK" SET LATE = $1, PASSED = $2, SPAN = $3, RESTARTED = $4',
            [clock.late, clock.passed, clock.span, clock.restarted],
        )

    def rows(self, connection: duckdb.DuckDBPyConnection, name: str, which: int) -> list[Row]:
        """The rows of a source at the begin or the end."""
        side = "B" if which == BEGIN else "E"
        keys = all_sources()[name].names("key")
        items = ", ".join(f'"{x}"' if x in keys else f'"{side}${x}"' for x in self.columns[name])
        return self._read(connection, name, f'SELECT {items} FROM {SCHEMA}."ROWS {name}" WHERE "{side}$"')

    def now(self, connection: duckdb.DuckDBPyConnection, name: str) -> list[Row]:
        """The rows of a source as they are now."""
        return self._read(connection, name, f'FROM {SCHEMA}."{name}"')

    def _read(self, connection: duckdb.DuckDBPyConnection, name: str, query: str) -> list[Row]:
        return [dict(zip(self.columns[name], row, strict=True)) for row in connection.execute(query).fetchall()]

    def write(self, connection: duckdb.DuckDBPyConnection, name: str, begin: list[Row], end: list[Row]) -> None:
        """Replace the rows of one source."""
        types = {"SNAP_ID": "INTEGER"} | _types(all_sources()[name], self.columns[name])
        rows = [(number, row) for number, kept in ((BEGIN, begin), (END, end)) for row in kept]
        values = [[number for number, _ in rows], *([row.get(x) for _, row in rows] for x in self.columns[name])]
        lists = ", ".join(
            f'UNNEST(CAST(${place} AS {kind}[])) AS "{column}"' for place, (column, kind) in enumerate(types.items(), 1)
        )
        self._store(connection, name, f"SELECT {lists}", values)

    def _store(
        self, connection: duckdb.DuckDBPyConnection, name: str, query: str, values: Iterable[Any] | None = None
    ) -> None:
        """Put the begin and end rows that a query gives, told apart by SNAP_ID, side by side."""
        source, columns = all_sources()[name], self.columns[name]
        keys = [column for column in columns if column in source.names("key")]
        others = [column for column in columns if column not in keys]
        sides = [f'B."{keys[0]}" IS NOT NULL AS "B$"', f'E."{keys[0]}" IS NOT NULL AS "E$"']
        items = [f'"{key}"' for key in keys] + sides + [f'{s}."{x}" AS "{s}${x}"' for x in others for s in "BE"]
        on = ", ".join(f'"{key}"' for key in keys)
        connection.execute(
            f'CREATE OR REPLACE TABLE {SCHEMA}."ROWS {name}" AS WITH S AS MATERIALIZED ({query})'
            f" SELECT {', '.join(items)} FROM (FROM S WHERE SNAP_ID = {BEGIN}) AS B"
            f" FULL JOIN (FROM S WHERE SNAP_ID = {END}) AS E USING ({on})",
            values,
        )
        if len(self._ids) == 1 and values is None:
            self._count_from_nothing(connection, source, columns)

    def _count_from_nothing(self, connection: duckdb.DuckDBPyConnection, source: Source, columns: list[str]) -> None:
        """A single snapshot counts since the activation: the begin has its rows, with counters of zero."""
        others = [column for column in columns if column not in source.names("key")]
        counters = source.names("counter")
        sets = [f'"B${x}" = ' + ("0" if x in counters else f'"E${x}"') for x in others]
        connection.execute(f'UPDATE {SCHEMA}."ROWS {source.name}" SET {", ".join(["B$ = TRUE", *sets])}')


def _now(source: Source, columns: list[str]) -> str:
    """The query of a source's rows at the time of the clock."""
    kinds = {column.name: column.kind for column in source.columns}
    items = []
    for column in columns:
        pair = f'R."B${column}", R."E${column}"'
        if kinds[column] == "key":
            items.append(f'R."{column}"')
        elif kinds[column] == "counter":
            counted = f"{SCHEMA}.COUNTED({pair}, C.LATE, C.PASSED, C.SPAN, C.RESTARTED)"
            items.append(f'CAST({counted} AS BIGINT) AS "{column}"')
        else:
            value = f'CASE WHEN C.LATE THEN R."E${column}" ELSE R."B${column}" END'
            if column == "DB_CONN_TIME":
                value = f"COALESCE(C.RESTARTED, {value})"
            items.append(f'{value} AS "{column}"')
    return (
        f'SELECT {", ".join(items)} FROM {SCHEMA}."ROWS {source.name}" AS R, {SCHEMA}."CLOCK" AS C'
        ' WHERE CASE WHEN C.LATE THEN R."E$" ELSE R."B$" END'
    )


def _types(source: Source, columns: list[str]) -> dict[str, str]:
    return {column.name: column.type for column in source.columns if column.name in columns}


def _header(path: Path) -> list[str]:
    with path.open(encoding="utf-8", newline="") as file:
        return next(csv.reader(file))


def _reader(path: Path, types: dict[str, str], ids: list[int]) -> str:
    """The query of a file's rows; SNAP_ID becomes BEGIN and END, of a single snapshot END."""
    file = "'" + str(path).replace("'", "''") + "'"
    columns = ", ".join(f"'{name}': '{types[name]}'" for name in _header(path))
    reader = (
        f"read_csv({file}, header = true, auto_detect = false, delim = ',', quote = '\"', escape = '\"',"
        f" allow_quoted_nulls = false, columns = {{{columns}}})"
    )
    values = ", ".join(f'CAST("{name}" AS {kind}) AS "{name}"' for name, kind in types.items() if name != "SNAP_ID")
    which = f"CASE SNAP_ID WHEN {ids[-1]} THEN {END} ELSE {BEGIN} END"
    return f"SELECT {which} AS SNAP_ID, {values} FROM {reader}"
