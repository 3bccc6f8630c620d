"""The local store of runs: an SQLite file with a checksum on each page, which one process at a time opens, briefly.

All that happens between its opening and its closing is one transaction.
"""

import json
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import astuple
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from advisor import files
from advisor.errors import UserError
from advisor.nightly import old_history
from advisor.nightly.runs import Line, Metric, Run, Spent
from advisor.patience import pause
from advisor.verify.nights import list_same_database
from advisor.verify.store import Lessons, Measurements, insert_parts, insert_rows, local_time, names_of, read_row

if TYPE_CHECKING:
    import apsw

SCHEMA_VERSION = 3  # 1 was a DuckDB file; 2 lacks the promises of indexes
FILE = "history.sqlite"
COPY = "history.copy.sqlite"  # the store as the last night found it, complete and readable
APPLICATION_ID = 0x44543254  # identifies a store of db2tune
PATIENCE_S = 60  # longest wait for another process
KEPT_AT_LEAST = 2  # nights: the last one and the previous one

TABLES = Path(__file__).with_name("history.sql")
_POLL_S = 0.05
_CHECKSUM_BYTES = 8  # of each page
_RUN = "run_id, database, started_epoch, about, identity, interval_text, discarded, capture, says"

Kind = TypeVar("Kind")


class History:
    """An open store."""

    def __init__(self, connection: "apsw.Connection") -> None:
        self._connection = connection
        self.measurements = Measurements(connection)
        self.lessons = Lessons(connection)

    def add(self, run: Run) -> int:
        """Store a run and return its number."""
        values = (run.database, run.started_at.date(), run.started_at.timestamp(), run.about, run.identity)
        row = (None, *values, run.interval, run.discarded, run.capture, run.says)  # SQLite chooses the number
        insert_rows(self._connection, {"run": [row]})
        number = self._connection.last_insert_rowid()
        parts = {
            "advice": (astuple(each) for each in run.lines),
            "metric": (astuple(each) for each in run.metrics),
            "not_run": run.not_run,
            "time_spent": (astuple(each) for each in run.time_spent),
        }
        insert_parts(self._connection, number, parts)
        return number

    def runs(self, database: str | None = None, last: int | None = None) -> list[Run]:
        """Return the runs of one or all databases, oldest first; ``last`` limits them to the newest ones per database."""
        rows = self._connection.execute(
            f"SELECT {_RUN} FROM (SELECT *, row_number() OVER (PARTITION BY database ORDER BY run_id DESC) AS nth FROM run)"
            " WHERE (?1 IS NULL OR database = ?1) AND (?2 IS NULL OR nth <= ?2) ORDER BY run_id",
            [database, last],
        )
        return [self._run(row) for row in rows]

    def course(self, metric: str, last: int) -> dict[str, tuple[float, ...]]:
        """Return a metric over the last usable runs of each database, oldest first, since it is on its server."""
        rows = self._connection.execute(
            "SELECT database, value FROM (SELECT R.run_id, R.database, R.identity, M.value, row_number() OVER latest AS nth,"
            " first_value(R.identity) OVER latest AS own FROM run AS R INNER JOIN metric AS M ON R.run_id = M.run_id"
            " WHERE M.name = ? AND M.value IS NOT NULL AND R.discarded IS NULL"
            " WINDOW latest AS (PARTITION BY R.database ORDER BY R.run_id DESC))"
            " WHERE nth <= ? AND identity = own ORDER BY run_id",
            [metric, last],
        )
        found: dict[str, tuple[float, ...]] = {}
        for database, value in rows:
            found[database] = (*found.get(database, ()), value)
        return found

    def load_last_numbers(self) -> dict[str, int]:
        """Return the number of each database's last run."""
        return dict(self._connection.execute("SELECT database, max(run_id) FROM run GROUP BY database"))

    def load_notifications(self, way: str) -> dict[str, str]:
        """Return the last notification of each database through one channel."""
        return dict(self._connection.execute("SELECT database, what FROM told WHERE way = ?", [way]))

    def record_notifications(self, way: str, what: Mapping[str, str]) -> None:
        """Store the notifications that were sent through one channel."""
        for database, said in what.items():
            self._connection.execute("INSERT OR REPLACE INTO told VALUES (?, ?, ?)", [way, database, said])

    def prune(self, database: str, nights: int) -> None:
        """Delete all runs except those of the last N ``nights`` that have a run.

        It counts nights and ignores the clock, so that a wrong clock deletes nothing too early.
        """
        self._connection.execute(
            "DELETE FROM run WHERE database = ?1 AND night NOT IN (SELECT night FROM run WHERE database = ?1"
            " GROUP BY night ORDER BY max(run_id) DESC LIMIT ?2)",
            [database, max(nights, KEPT_AT_LEAST)],
        )

    def _run(self, row: tuple[Any, ...]) -> Run:
        number, database, started, about, identity, interval, discarded, capture, says = row
        return Run(
            database=database,
            started_at=local_time(started),
            about=about,
            identity=tuple(json.loads(identity)),
            interval=interval,
            discarded=discarded,
            lines=self._load_part(number, Line, "advice", "rank NULLS LAST, rule, object_name"),
            metrics=self._load_part(number, Metric, "metric", "name"),
            not_run=tuple(self._load_rows(number, "rule, reason", "not_run", "rule")),
            capture=capture,
            time_spent=self._load_part(number, Spent, "time_spent", "pct DESC, bucket"),
            says=says,
        )

    def _load_part(self, number: int, made: type[Kind], table: str, order: str) -> tuple[Kind, ...]:
        return tuple(read_row(made, row) for row in self._load_rows(number, names_of(made), table, order))

    def _load_rows(self, number: int, columns: str, table: str, order: str) -> "apsw.Cursor":
        query = f"SELECT {columns} FROM {table} WHERE run_id = ? ORDER BY {order}"
        return self._connection.execute(query, [number])


@contextmanager
def open_history(store: Path, create: bool = True, copy: bool = False) -> Iterator[History]:
    """Open the store in a folder; create it if it is missing. Raise UserError if it cannot be read.

    ``copy`` reads all of it, and replaces the copy of the store next to it.
    """
    import apsw

    if not create and not any((store / name).is_file() for name in (FILE, old_history.FILE)):
        raise UserError(f"{store}: contains no history; run db2tune nightly first, or name its folder with --store")
    file = files.resolve_file(files.folder(store) / FILE)
    files.tidy(store)
    try:
        if not file.exists():
            _create(file)
        with _connect(file) as connection:
            connection.execute("BEGIN IMMEDIATE")  # never through apsw's "with", which hides a signal while it waits
            _check(connection, file)
            if copy and (fault := connection.pragma("integrity_check")) != "ok":
                raise apsw.CorruptError(fault)
            yield History(connection)
            connection.execute("COMMIT")
            if copy:
                _save_copy(connection, file)
    except apsw.Error as error:
        raise _explain(error, file) from None


def list_captures(store: Path, database: str) -> list[Path]:
    """Return the kept captures of a database. Raise UserError without any."""
    with open_history(store, create=False) as kept:
        runs = list_same_database(kept.measurements, database)
    found = [store / database / run.capture for run in runs if run.capture]
    found = [path for path in found if path.exists()]
    if not found:
        raise UserError(f"{database}: {store} contains no capture of this database")
    return found


@contextmanager
def _connect(file: Path, more: int = 0) -> "Iterator[apsw.Connection]":
    """Open the file with checksums. Prevent its contents from changing its schema or calling functions."""
    import apsw

    flags = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_NOFOLLOW | more
    connection = apsw.Connection(str(file), flags, _load_checksums())
    try:
        connection.set_busy_handler(_wait)
        connection.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 1)
        connection.config(apsw.SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
        connection.execute("PRAGMA foreign_keys = ON; PRAGMA synchronous = FULL")
        yield connection
    finally:
        with suppress(apsw.Error):  # it moves the log to the file; a later opening can do so too
            connection.close()


@cache
def _load_checksums() -> str:
    """Load SQLite's checksums of pages, and return their name."""
    import apsw
    from apsw import sqlite_extra

    try:
        with closing(apsw.Connection(":memory:")) as connection:
            sqlite_extra.load(connection, "cksumvfs")
    except (sqlite_extra.NotAvailable, LookupError):
        raise UserError("apsw lacks its extension cksumvfs; run pip install --force-reinstall apsw") from None
    return "cksmvfs"


def _wait(tries: int) -> bool:
    """Return whether to try again to get a lock. Signals interrupt this wait, but not SQLite's own."""
    pause(_POLL_S)
    return tries * _POLL_S < PATIENCE_S


def _save_copy(connection: "apsw.Connection", file: Path) -> None:
    """Replace the copy of the store. Keep the older copy if the disk has no room for two."""
    import apsw

    with suppress(OSError, UserError, apsw.Error), files.create_folder_beside(file) as folder:
        new = folder / COPY
        with _connect(new, apsw.SQLITE_OPEN_CREATE) as copy, copy.backup("main", connection, "main") as backup:
            backup.step()
        new.chmod(files.PRIVATE)
        new.replace(file.with_name(COPY))


def _explain(error: "apsw.Error", file: Path) -> UserError:
    """Return the line for an error of SQLite."""
    import apsw

    damaged = getattr(error, "extendedresult", None) == apsw.SQLITE_IOERR_DATA
    reason = "a page has a wrong checksum" if damaged else str(error).splitlines()[0]
    if isinstance(error, apsw.BusyError):
        return UserError(f"{file}: another process has locked it for {PATIENCE_S} s; try again later")
    if isinstance(error, apsw.FullError | apsw.IOError | apsw.CantOpenError | apsw.ReadOnlyError) and not damaged:
        return UserError(f"{file}: cannot be written ({reason}); free disk space or change its mode, then try again")
    return UserError(f"{file}: is damaged or not a history ({reason}); {_remedy(file)}")


def _remedy(file: Path) -> str:
    """Return the next step with a damaged store."""
    copy = file.with_name(COPY)
    if not copy.is_file():
        return "move it away to start a new one"
    saved = datetime.fromtimestamp(copy.stat().st_mtime).astimezone()
    others = f"delete {FILE}-wal and {FILE}-shm if they exist"
    return f"replace it with {COPY}, which has the runs before {saved:%Y-%m-%d %H:%M}, and {others}"


def _create(file: Path) -> None:
    """Create a store, with the runs of an old one, under another name, and rename it after it was written."""
    import apsw

    old = file.with_name(old_history.FILE)
    with files.create_folder_beside(file) as folder:
        new = folder / FILE
        try:
            with _connect(new, apsw.SQLITE_OPEN_CREATE) as connection:
                connection.reserve_bytes("main", _CHECKSUM_BYTES)
                connection.execute(f"BEGIN; {TABLES.read_text(encoding='utf-8')}")
                connection.pragma("application_id", APPLICATION_ID)
                connection.pragma("user_version", SCHEMA_VERSION)
                old_history.convert(old, connection)
                connection.execute("COMMIT")
                connection.pragma("journal_mode", "WAL")
        except apsw.Error as error:
            raise UserError(
                f"{file}: cannot be created ({str(error).splitlines()[0]}); free disk space, then run the command again"
            ) from None
        new.chmod(files.PRIVATE)
        try:
            files.place(new, file)
        except UserError:
            if not file.exists():  # else another process created it
                raise
    old_history.retire(old)


def _check(connection: "apsw.Connection", file: Path) -> None:
    """Check that the file is a store of this version, and contains nothing else that SQLite would execute."""
    version = connection.pragma("user_version")
    if connection.pragma("application_id") == APPLICATION_ID and version > SCHEMA_VERSION:
        raise UserError(
            f"{file}: version {version} is newer than this db2tune supports ({SCHEMA_VERSION}); upgrade db2tune"
        )
    if connection.pragma("application_id") == APPLICATION_ID and version == 2:
        for row in _list_own_schema():
            if row not in _list_schema(connection):
                connection.execute(row[-1])
        connection.pragma("user_version", SCHEMA_VERSION)
    if connection.pragma("application_id") != APPLICATION_ID or _list_schema(connection) != _list_own_schema():
        raise UserError(f"{file}: is not a db2tune history; move it away to start a new one")


@cache
def _list_own_schema() -> list[Any]:
    import apsw

    with closing(apsw.Connection(":memory:")) as connection:
        connection.execute(TABLES.read_text(encoding="utf-8"))
        return _list_schema(connection)


def _list_schema(connection: "apsw.Connection") -> list[Any]:
    return connection.execute("SELECT type, name, sql FROM sqlite_schema ORDER BY name").fetchall()
