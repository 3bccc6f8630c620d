"""Checked import of a capture's tables into DuckDB."""

import csv
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from advisor.capture.hostfacts import COLUMNS, Facts, overlay_facts, rename_hosts
from advisor.capture.lessons import Lesson
from advisor.capture.manifest import MANIFEST, NOT_IN_TEXT, Collected, Snapshot, checksum
from advisor.capture.site import Accepted, Site
from advisor.catalogue.options import Overrides
from advisor.catalogue.sources import Source, all_sources
from advisor.errors import UserError
from advisor.parallel import run_in_sessions
from advisor.quoting import quote_path

if TYPE_CHECKING:
    import duckdb

LONGEST = 300  # characters of an error message, which may quote a whole cell
MOST_ROWS = 10_000_000  # of a Parquet file, which can repeat a value in a few bytes
_HEX = "CASE WHEN regexp_full_match({0}, '(TEXT-)?[0-9A-Fa-f]+') THEN {0} END"
_PARQUET = "read_parquet(?, hive_partitioning = false)"
_BYTES = {".csv": 100, ".parquet": 10}  # approximate bytes per row


@dataclass
class Capture:
    """A checked manifest and its files. ``hostfacts`` override the capture's own facts."""

    directory: Path
    snapshots: list[Snapshot]
    options: Overrides
    not_collected: dict[str, str]
    declared: Mapping[str, Collected]
    files: dict[str, Path]
    columns: dict[str, list[str]] = field(default_factory=dict)
    hostfacts: Facts = field(default_factory=dict)
    accepted: tuple[Accepted, ...] = ()
    lessons: tuple[Lesson, ...] = ()

    @property
    def database(self) -> dict[str, Any]:
        return self.snapshots[-1].database

    @property
    def imported_rows(self) -> dict[str, int]:
        """Return the rows per source if the capture was imported from texts, else an empty dict."""
        if NOT_IN_TEXT not in self.not_collected.values():
            return {}
        return {name: collected.rows or 0 for name, collected in self.declared.items()}

    def adopt(self, site: Site) -> None:
        """Apply the site: merge its options and accepted risks into the capture's, and replace the lessons."""
        for owner, values in site.options.items():
            self.options[owner] = self.options.get(owner, {}) | values
        risks = {(risk.rule, risk.object): risk for risk in (*self.accepted, *site.accepted)}
        self.accepted = tuple(risks.values())
        if site.lessons is not None:
            self.lessons = site.lessons

    def load(self, connection: "duckdb.DuckDBPyConnection", wanted: Collection[str] | None = None) -> None:
        """Create and fill the snapshot tables of all or the ``wanted`` sources. Missing sources remain empty."""

        def load(session: "duckdb.DuckDBPyConnection", source: Source) -> list[str]:
            path = self.files.get(source.name)
            present = self.header(session, source, path) if path else []
            expected = self.declared.get(source.name, Collected()).rows
            if path and (expected or not _is_empty(path)):
                _fill(session, source, path, present)
                self._check_rows(session, source, path, expected)
            return present

        sources = [source for source in all_sources().values() if wanted is None or source.name in wanted]
        for source in sources:
            _create(connection, source)
        for source, present in zip(sources, run_in_sessions(connection, load, sources), strict=True):
            self.columns[source.name] = present
        if self.hostfacts:
            self._lay_over(connection)

    def _lay_over(self, connection: "duckdb.DuckDBPyConnection") -> None:
        """Merge the given host facts into every snapshot."""
        hosts = connection.execute("SELECT DISTINCT HOST_NAME FROM TUNE.S_SYSTEM").fetchall()
        own = connection.execute(f"SELECT SNAP_ID, {', '.join(COLUMNS)} FROM TUNE.S_HOSTFACT").fetchall()
        rows = self.add_hostfacts({str(host) for (host,) in hosts}, own)
        connection.execute("DELETE FROM TUNE.S_HOSTFACT")
        marks = "?, ?, ?, ?, ?"
        connection.executemany(f"INSERT INTO TUNE.S_HOSTFACT (SNAP_ID, {', '.join(COLUMNS)}) VALUES ({marks})", rows)

    def add_hostfacts(self, hosts: set[str], own: Iterable[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
        """Return rows of host facts (snapshot, host, fact, item, value): the ``own`` ones and, over them, the given.

        ``hosts`` are the hosts that Db2 reports.
        """
        given = rename_hosts(self.hostfacts, hosts | {self.database["host"]})
        facts: dict[int, list[tuple[str, ...]]] = {snapshot.id: [] for snapshot in self.snapshots}
        for snapshot, *fact in own:
            facts[snapshot].append(tuple(fact))
        self.columns["hostfact"] = list(COLUMNS)
        return [
            (snapshot, *key, value)
            for snapshot, old in facts.items()
            for key, value in overlay_facts(old, given).items()
        ]

    @property
    def rows(self) -> int:
        """Return the rows of the files. Estimate them from the file size if the manifest does not list them."""
        guessed = {name: path.stat().st_size // _BYTES[path.suffix] for name, path in self.files.items()}
        return sum(self.declared.get(name, Collected()).rows or rows for name, rows in guessed.items())

    def header(self, connection: "duckdb.DuckDBPyConnection", source: Source, path: Path) -> list[str]:
        """Return the columns of a source's file. Raise UserError if the file is invalid."""
        said = self.declared.get(source.name, Collected())
        if said.sha256 not in (None, checksum(path)):
            raise UserError(f"{path.name}: its sha256 differs from the one in {MANIFEST}; copy or capture it again")
        names = _csv_header(path) if path.suffix == ".csv" else _parquet_header(connection, path)
        known = {"SNAP_ID", *source.names("key", "gauge", "hwm", "counter")}
        if unknown := [name for name in names if name not in known]:
            raise UserError(f"{path.name}: source {source.name} has no column {unknown[0][:60]!r}; remove it")
        wanted = ["SNAP_ID", *source.names("key"), *said.columns]
        if missing := [name for name in wanted if name not in names]:
            raise UserError(f"{path.name}: column {missing[0]} is missing; capture {source.name} again")
        if len(set(names)) < len(names):
            raise UserError(f"{path.name}: a column name occurs twice; remove one of the columns")
        return names

    def _check_rows(
        self, connection: "duckdb.DuckDBPyConnection", source: Source, path: Path, expected: int | None
    ) -> None:
        unkeyed = " OR ".join(f"{name} IS NULL" for name in source.names("key"))
        found, foreign, empty, keys = _read_counts(
            connection,
            f"SELECT COUNT(*), COUNT(*) FILTER (SNAP_ID NOT IN ({_ids(self.snapshots)}) OR SNAP_ID IS NULL),"
            f" COUNT(*) FILTER ({unkeyed}),"
            f" COUNT(DISTINCT HASH({', '.join(['SNAP_ID', *source.names('key')])})) FROM {source.table}",
        )
        if expected is not None and found != expected:
            raise UserError(f"{path.name}: {found} rows instead of the manifest's {expected}; the file is incomplete")
        if foreign:
            raise UserError(f"{path.name}: the manifest does not list a SNAP_ID of this file; capture again")
        if empty:
            key = ", ".join(source.names("key"))
            raise UserError(f"{path.name}: a row's key ({key}) is missing or damaged; capture {source.name} again")
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
    """Return whether a CSV file contains only its header."""
    if path.suffix != ".csv":
        return False
    with path.open("rb") as file:
        file.readline()
        return not file.read(1)


def _parquet_header(connection: "duckdb.DuckDBPyConnection", path: Path) -> list[str]:
    import duckdb

    rows = "SELECT SUM(num_rows) FROM parquet_file_metadata(?)"
    try:
        names = [
            row[0] for row in connection.execute(f"DESCRIBE SELECT * FROM {_PARQUET}", [quote_path(path)]).fetchall()
        ]
        (count,) = _read_counts(connection, rows, quote_path(path))
    except duckdb.Error as error:
        raise UserError(f"{path.name}: not a complete Parquet file; capture or copy it again") from error
    if count > MOST_ROWS:
        raise UserError(f"{path.name}: {count} rows; no source has more than {MOST_ROWS}")
    return names


def _create(connection: "duckdb.DuckDBPyConnection", source: Source) -> None:
    columns = ", ".join(f"{column.name} {column.type}" for column in source.columns)
    connection.execute(f"CREATE TABLE {source.table} (SNAP_ID INTEGER, {columns})")


def _fill(connection: "duckdb.DuckDBPyConnection", source: Source, path: Path, present: list[str]) -> None:
    import duckdb

    try:
        connection.execute(
            f"INSERT INTO {source.table} ({', '.join(present)}) {reading(source, path.suffix, present)}",
            [quote_path(path)],
        )
    except duckdb.Error as error:
        raise UserError(f"{path.name}: {_reason(str(error))}; capture {source.name} again") from error


def reading(source: Source, suffix: str, present: list[str], also: str = "") -> str:
    """Return the SELECT of the ``present`` and ``also`` columns from files with that header.

    Its last parameter is the file or list of files, as ``one_file`` returns it. Identifiers that are not hexadecimal
    become NULL, because commands contain them in quotes.
    """
    types = {"SNAP_ID": "INTEGER"} | {column.name: column.type for column in source.columns}
    hexadecimal = {column.name for column in source.columns if column.is_hex}
    read = [_HEX.format(name) if name in hexadecimal else name for name in present]
    if suffix == ".parquet":
        values = ", ".join(f"CAST({value} AS {types[name]})" for name, value in zip(present, read, strict=True))
        return f"SELECT {values}{also} FROM {_PARQUET}"
    columns = ", ".join(f"'{name}': '{types[name]}'" for name in present)
    return (
        f"SELECT {', '.join(read)}{also} FROM read_csv(?, header = true, auto_detect = false, delim = ',',"
        f" quote = '\"', escape = '\"', allow_quoted_nulls = false, hive_partitioning = false, columns = {{{columns}}})"
    )


def _reason(message: str) -> str:
    """Return the relevant lines of DuckDB's message about a bad value."""
    lines = [line.strip() for line in message.splitlines() if line.strip()]
    telling = [
        line for line in lines if line.startswith(("CSV Error on Line", "Error when converting", "Expected Number"))
    ]
    return ", ".join(line[:LONGEST] for line in telling[:2]).rstrip(".") or lines[0][:LONGEST]


def _read_counts(connection: "duckdb.DuckDBPyConnection", sql: str, *parameters: str) -> tuple[int, ...]:
    row = connection.execute(sql, parameters).fetchone()
    assert row is not None  # an aggregate without GROUP BY returns a row
    return row


def _ids(snapshots: list[Snapshot]) -> str:
    return ", ".join(str(snapshot.id) for snapshot in snapshots)
