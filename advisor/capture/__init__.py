"""A capture: what one snapshot of a database or more held, on disk.

A directory (or a zip of one) with ``manifest.json`` and one CSV or Parquet file per snapshot table,
named like the source in sql/collect/. Every file has the column SNAP_ID and the source's key; other
columns may be absent, and then the rules that need them say so. Anything else that is wrong raises
UserError with one line that names the file and what to do.
"""

import csv
import json
import shutil
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from advisor.capture.hostfacts import COLUMNS, Facts, over, renamed
from advisor.capture.site import Accepted, Site
from advisor.catalogue.options import Overrides
from advisor.catalogue.sources import Source, all_sources
from advisor.errors import UserError
from advisor.parallel import in_sessions

if TYPE_CHECKING:
    import duckdb

SCHEMA_VERSION = 1
MANIFEST = "manifest.json"


@dataclass(frozen=True)
class Snapshot:
    """One snapshot: its id, and when it was taken by the server's clock."""

    id: int
    taken_at: datetime
    database: dict[str, Any]

    @property
    def epoch_s(self) -> float:
        """Seconds since 1970 of the server's clock; one without a time zone is read as UTC."""
        moment = self.taken_at if self.taken_at.tzinfo else self.taken_at.replace(tzinfo=UTC)
        return moment.timestamp()


@dataclass
class Capture:
    """A manifest that was read and checked, and the files that belong to it; ``hostfacts`` come over its own."""

    directory: Path
    snapshots: list[Snapshot]
    options: Overrides
    not_collected: dict[str, str]
    declared: dict[str, dict[str, Any]]
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
            expected = self.declared.get(source.name, {}).get("rows")
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
        wanted = ["SNAP_ID", *source.names("key"), *self.declared.get(source.name, {}).get("columns", [])]
        if missing := [name for name in wanted if name not in names]:
            raise UserError(f"{path.name}: column {missing[0]} is missing; capture {source.name} again")
        if len(set(names)) < len(names):
            raise UserError(f"{path.name}: a column is named twice; remove one of them")
        return names

    def _check_rows(
        self, connection: "duckdb.DuckDBPyConnection", source: Source, path: Path, expected: int | None
    ) -> None:
        unkeyed = " OR ".join(f"{name} IS NULL" for name in source.names("key"))
        found, foreign, empty, keys = _row(
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


@contextmanager
def opened(path: Path) -> Iterator[Capture]:
    """Open a capture directory or zip; a zip is unpacked for as long as the context lasts."""
    if path.is_dir():
        yield _read(path)
    elif path.is_file():
        with tempfile.TemporaryDirectory(prefix="db2tune-") as unpacked:
            _unpack(path, Path(unpacked))
            yield _read(Path(unpacked))
    else:
        raise UserError(f"{path}: no such capture; name a capture directory or a .capture file")


@contextmanager
def written(target: Path, copied: Callable[[Path, Path], None] | None = None) -> Iterator[Path]:
    """A directory to write a capture into, which becomes ``target`` when the context ends without an error.

    It is a single file where its name ends in .capture, else a directory. With ``copied`` that makes of what was
    written what is kept, such as a copy without names.
    """
    if target.exists():
        raise UserError(f"{target}: is there already; name another file or remove it")
    with tempfile.TemporaryDirectory(prefix="db2tune-") as folder:
        raw = Path(folder) / ("original" if copied else "capture")
        raw.mkdir()
        yield raw
        if copied:
            original, raw = raw, Path(folder) / "capture"
            copied(original, raw)
        if target.suffix == ".capture":
            raw = Path(shutil.make_archive(str(Path(folder) / "packed"), "zip", raw))
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.move(raw, target)


def _unpack(path: Path, target: Path) -> None:
    try:
        with zipfile.ZipFile(path) as archive:
            for member in archive.infolist():
                if member.is_dir():
                    continue
                if Path(member.filename).name != member.filename:
                    raise UserError(f"{path.name}: holds {member.filename!r}; a capture has no folders inside")
                archive.extract(member, target)
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError) as error:  # RuntimeError: encrypted
        raise UserError(f"{path.name}: not a complete zip file ({error}); capture or copy it again") from error


def _read(directory: Path) -> Capture:
    manifest = _manifest(directory)
    snapshots = [_snapshot(item) for item in manifest["snapshots"]]
    _check_identity(snapshots)
    files: dict[str, Path] = {}
    for path in sorted(directory.iterdir()):
        if path.name == MANIFEST:
            continue
        if not path.is_file() or path.suffix not in (".csv", ".parquet") or path.stem not in all_sources():
            raise UserError(f"{path.name}: not a file of a capture; remove it or use a newer db2tune")
        if path.stem in files:
            raise UserError(f"{path.name}: {path.stem} is there as CSV and as Parquet; remove one")
        files[path.stem] = path
    declared = manifest.get("sources", {})
    if lost := [name for name in declared if name not in files]:
        raise UserError(f"{directory.name}: the manifest lists {lost[0]} but its file is missing; capture again")
    return Capture(
        directory, snapshots, manifest.get("options", {}), manifest.get("not_collected", {}), declared, files
    )


def _manifest(directory: Path) -> dict[str, Any]:
    import jsonschema

    path = directory / MANIFEST
    if not path.is_file():
        raise UserError(f"{directory.name}: has no {MANIFEST}; this is not a capture")
    try:
        manifest = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise UserError(f"{MANIFEST}: not valid JSON ({error}); capture again") from error
    if isinstance(manifest, dict) and isinstance(manifest.get("schema"), int) and manifest["schema"] > SCHEMA_VERSION:
        raise UserError(
            f"{MANIFEST}: schema {manifest['schema']} is newer than this db2tune reads ({SCHEMA_VERSION});"
            " upgrade db2tune"
        )
    schema = json.loads((Path(__file__).parent / "capture.schema.json").read_text(encoding="utf-8"))
    fault = jsonschema.exceptions.best_match(jsonschema.Draft202012Validator(schema).iter_errors(manifest))
    if fault is not None:
        raise UserError(f"{MANIFEST}: {fault.json_path}: {fault.message[:200]}")
    return dict(manifest)


def _snapshot(item: dict[str, Any]) -> Snapshot:
    try:
        taken_at = datetime.fromisoformat(item["taken_at"])
    except ValueError as error:
        raise UserError(f"{MANIFEST}: taken_at {item['taken_at']!r} is not a date and time in ISO 8601") from error
    return Snapshot(item["id"], taken_at, item["database"])


def _check_identity(snapshots: list[Snapshot]) -> None:
    ids = [snapshot.id for snapshot in snapshots]
    if len(set(ids)) < len(ids):
        raise UserError(f"{MANIFEST}: two snapshots have the same id")
    if len(ids) > 2 and ids != sorted(ids):
        raise UserError(f"{MANIFEST}: the ids of the snapshots do not rise; list them in the order they were taken")
    for first, second in pairwise(snapshots):
        for part in ("name", "host", "instance"):
            if first.database[part] != second.database[part]:
                raise UserError(
                    f"{MANIFEST}: the snapshots are of different databases"
                    f" ({part} {first.database[part]!r} and {second.database[part]!r});"
                    " compare two snapshots of one database"
                )


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


def _row(connection: "duckdb.DuckDBPyConnection", sql: str) -> tuple[int, ...]:
    row = connection.execute(sql).fetchone()
    assert row is not None  # an aggregate without GROUP BY has a row
    return row


def _ids(snapshots: list[Snapshot]) -> str:
    return ", ".join(str(snapshot.id) for snapshot in snapshots)
