"""The tables of a capture, checked on their way into a DuckDB."""

import csv
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from advisor.capture.hostfacts import COLUMNS, Facts, over, renamed
from advisor.capture.manifest import Collected, Snapshot
from advisor.capture.site import Accepted, Site
from advisor.catalogue.options import Overrides
from advisor.catalogue.sources import Source, all_sources
from advisor.errors import UserError
from advisor.parallel import in_sessions

if TYPE_CHECKING:
    import duckdb


@dataclass
class Capture:
    """A manifest that was read and checked, and the files that belong to it; ``hostfacts`` come over its own."""

    directory: Path
    snapshots: list[Snapshot]
    options: Overrides
    not_collected: dict[str, str]
    declared: Mapping[str, Collected]
    files: dict[str, Path]
    columns: dict[str, list[str]] = field(default_factory=dict)
    hostfacts: Facts = field(default_factory=dict)
    accepted: tuple[Accepted, ...] = ()

    @property
    def database(self) -> dict[str, Any]:
        return self.snapshots[-1].database

    def adopt(self, site: Site) -> None:
        """Take over what the site says: its options come over those of the capture."""
        for owner, values in site.options.items():
            self.options[owner] = self.options.get(owner, {}) | values
        self.accepted = site.accepted

    def load(self, connection: "duckdb.DuckDBPyConnection", wanted: Collection[str] | None = None) -> None:
        """Create and fill the snapshot table of every source, or of those ``wanted``; absent sources stay empty."""

        def load(session: "duckdb.DuckDBPyConnection", source: Source) -> list[str]:
            path = self.files.get(source.name)
            present = self._header(session, source, path) if path else []
            expected = self.declared.get(source.name, Collected()).rows
            if path and (expected or not _is_empty(path)):
                _fill(session, source, path, present)
                self._check_rows(session, source, path, expected)
            return present

        sources = [source for source in all_sources().values() if wanted is None or source.name in wanted]
        for source in sources:
            _create(connection, source)
        for source, present in zip(sources, in_sessions(connection, load, sources), strict=True):
            self.columns[source.name] = present
        if self.hostfacts:
            self._lay_over(connection)

    def _lay_over(self, connection: "duckdb.DuckDBPyConnection") -> None:
        """The facts that were given besides, in every snapshot."""
        hosts = {str(row[0]) for row in connection.execute("SELECT DISTINCT HOST_NAME FROM TUNE.S_SYSTEM").fetchall()}
        given = renamed(self.hostfacts, hosts | {self.database["host"]})
        names = ", ".join(COLUMNS)
        rows = []
        for snapshot in self.snapshots:
            own = connection.execute(f"SELECT {names} FROM TUNE.S_HOSTFACT WHERE SNAP_ID = ?", [snapshot.id]).fetchall()
            rows += [[snapshot.id, *key, value] for key, value in over(own, given).items()]
        connection.execute("DELETE FROM TUNE.S_HOSTFACT")
        connection.executemany(f"INSERT INTO TUNE.S_HOSTFACT (SNAP_ID, {names}) VALUES (?, ?, ?, ?, ?)", rows)
        self.columns["hostfact"] = list(COLUMNS)

    def _header(self, connection: "duckdb.DuckDBPyConnection", source: Source, path: Path) -> list[str]:
        names = _csv_header(path) if path.suffix == ".csv" else _parquet_header(connection, path)
        known = {"SNAP_ID", *source.names("key", "gauge", "hwm", "counter")}
        if unknown := [name for name in names if name not in known]:
            raise UserError(f"{path.name}: source {source.name} has no column {unknown[0][:60]!r}; remove it")
        wanted = ["SNAP_ID", *source.names("key"), *self.declared.get(source.name, Collected()).columns]
        if missing := [name for name in wanted if name not in names]:
            raise UserError(f"{path.name}: column {missing[0]} is missing; capture {source.name} again")
        if len(set(names)) < len(names):
            raise UserError(f"{path.name}: a column is named twice; remove one of them")
        return names

    def _check_rows(
        self, connection: "duckdb.DuckDBPyConnection", source: Source, path: Path, expected: int | None
    ) -> None:
        unkeyed = " OR ".join(f"{name} IS NULL" for name in source.names("key"))
        found, foreign, empty, keys = _counted(
            connection,
            f"SELECT COUNT(*), COUNT(*) FILTER (SNAP_ID NOT IN ({_ids(self.snapshots)}) OR SNAP_ID IS NULL),"
            f" COUNT(*) FILTER ({unkeyed}),"
            f" COUNT(DISTINCT HASH({', '.join(['SNAP_ID', *source.names('key')])})) FROM {source.table}",
        )
        if expected is not None and found != expected:
            raise UserError(f"{path.name}: {found} rows where the manifest says {expected}; the file is incomplete")
        if foreign:
            raise UserError(f"{path.name}: SNAP_ID is none of the manifest's snapshots; capture again")
        if empty:
            key = ", ".join(source.names("key"))
            raise UserError(f"{path.name}: a row lacks a part of its key ({key}); capture {source.name} again")
        if keys < found:
            key = ", ".join(source.names("key"))
            raise UserError(f"{path.name}: two rows have the same key ({key}) in one snapshot; remove one")


def _csv_header(path: Path) -> list[str]:
    try:
        with path.open(encoding="utf-8", newline="") as file:
            return next(csv.reader(file), [])
    except (UnicodeDecodeError, csv.Error) as error:
        raise UserError(f"{path.name}: not a CSV file in UTF-8 ({error})") from error


def _is_empty(path: Path) -> bool:
    """Whether a CSV file has nothing but its header."""
    if path.suffix != ".csv":
        return False
    with path.open("rb") as file:
        file.readline()
        return not file.read(1)


def _parquet_header(connection: "duckdb.DuckDBPyConnection", path: Path) -> list[str]:
    import duckdb

    try:
        return [row[0] for row in connection.execute("DESCRIBE SELECT * FROM read_parquet(?)", [str(path)]).fetchall()]
    except duckdb.Error as error:
        raise UserError(f"{path.name}: not a complete Parquet file; capture or copy it again") from error


def _create(connection: "duckdb.DuckDBPyConnection", source: Source) -> None:
    columns = ", ".join(f"{column.name} {column.type}" for column in source.columns)
    connection.execute(f"CREATE TABLE {source.table} (SNAP_ID INTEGER, {columns})")


def _fill(connection: "duckdb.DuckDBPyConnection", source: Source, path: Path, present: list[str]) -> None:
    import duckdb

    types = {"SNAP_ID": "INTEGER"} | {column.name: column.type for column in source.columns}
    values, reader = ", ".join(f"CAST({name} AS {types[name]})" for name in present), "read_parquet(?)"
    if path.suffix == ".csv":
        columns = ", ".join(f"'{name}': '{types[name]}'" for name in present)
        reader = (
            f"read_csv(?, header = true, auto_detect = false, delim = ',', quote = '\"', escape = '\"',"
            f" allow_quoted_nulls = false, columns = {{{columns}}})"
        )
        values = "*"
    try:
        connection.execute(
            f"INSERT INTO {source.table} ({', '.join(present)}) SELECT {values} FROM {reader}", [str(path)]
        )
    except duckdb.Error as error:
        raise UserError(f"{path.name}: {_reason(str(error))}; capture {source.name} again") from error


def _reason(message: str) -> str:
    """The telling lines of DuckDB's many-line message about a bad value."""
    lines = [line.strip() for line in message.splitlines() if line.strip()]
    telling = [
        line for line in lines if line.startswith(("CSV Error on Line", "Error when converting", "Expected Number"))
    ]
    return ", ".join(telling[:2]).rstrip(".") or lines[0]


def _counted(connection: "duckdb.DuckDBPyConnection", sql: str) -> tuple[int, ...]:
    row = connection.execute(sql).fetchone()
    assert row is not None  # an aggregate without GROUP BY has a row
    return row


def _ids(snapshots: list[Snapshot]) -> str:
    return ", ".join(str(snapshot.id) for snapshot in snapshots)
