"""The local store of runs: a DuckDB file that one process at a time opens, briefly.

Each run is one transaction.
"""

import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import astuple, fields
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from filelock import FileLock, Timeout

from advisor import files
from advisor.catalogue.embedded import NO_EXTENSIONS, lock
from advisor.errors import UserError
from advisor.nightly.runs import Line, Metric, Run, Spent
from advisor.quoting import quoted
from advisor.verify.store import Lessons, Measurements, insert_rows, local_time

if TYPE_CHECKING:
    import duckdb

SCHEMA_VERSION = 1
FILE = "history.duckdb"
COPY = "history.copy.duckdb"  # the store as the last night found it, complete and readable
_MAGIC = slice(8, 12)  # bytes that identify a DuckDB file
_HELD = "Could not set lock"  # start of DuckDB's error if another program has the file open
PATIENCE_S = 60  # longest wait for another process
KEPT_AT_LEAST = 2  # nights: the last one and the previous one

TABLES, SINCE = (Path(__file__).with_name(name) for name in ("history.sql", "history_since.sql"))
_RUN = "run_id, database, started_epoch, about, identity, interval_text, discarded, capture, says"
_PARTS = (
    *("advice", "metric", "not_run", "time_spent"),
    *("measured", "measured_value", "measured_statement", "changed", "verdict", "regression", "beside"),
)


class History:
    """An open store."""

    def __init__(self, connection: "duckdb.DuckDBPyConnection") -> None:
        self._connection = connection
        self.measurements = Measurements(connection)
        self.lessons = Lessons(connection)

    def add(self, run: Run) -> int:
        """Store a run and return its number."""
        values = [run.database, run.started_at.date(), run.started_at.timestamp(), run.about, list(run.identity)]
        values += [run.interval, run.discarded, run.capture, run.says]
        names = "database, night, started_epoch, about, identity, interval_text, discarded, capture, says"
        self._connection.begin()
        try:
            self._connection.execute(f"INSERT INTO run ({names}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", values)
            number = self._fetch_one("SELECT currval('run_number')")
            insert_rows(
                self._connection,
                number,
                {
                    "advice": map(astuple, run.lines),
                    "metric": map(astuple, run.metrics),
                    "not_run": run.not_run,
                    "time_spent": map(astuple, run.time_spent),
                },
            )
            self._connection.commit()
        except BaseException:
            self._connection.rollback()
            raise
        return int(number)

    def runs(self, database: str | None = None, last: int | None = None) -> list[Run]:
        """Return the runs of one or all databases, oldest first; ``last`` limits them to the newest ones per database."""
        rows = self._connection.execute(
            f"SELECT {_RUN} FROM run WHERE ? IS NULL OR database = ?"
            " QUALIFY ? IS NULL OR row_number() OVER (PARTITION BY database ORDER BY run_id DESC) <= ? ORDER BY run_id",
            [database, database, last, last],
        ).fetchall()
        return [self._run(row) for row in rows]

    def course(self, metric: str, last: int) -> dict[str, tuple[float, ...]]:
        """Return a metric over the last usable runs of each database, oldest first, since it is on its server."""
        rows = self._connection.execute(
            "SELECT R.database, M.value FROM run AS R INNER JOIN metric AS M ON R.run_id = M.run_id"
            " WHERE M.name = ? AND M.value IS NOT NULL AND R.discarded IS NULL"
            " QUALIFY row_number() OVER (PARTITION BY R.database ORDER BY R.run_id DESC) <= ?"
            " AND R.identity = first_value(R.identity) OVER (PARTITION BY R.database ORDER BY R.run_id DESC)"
            " ORDER BY R.run_id",
            [metric, last],
        ).fetchall()
        found: dict[str, tuple[float, ...]] = {}
        for database, value in rows:
            found[database] = (*found.get(database, ()), value)
        return found

    def load_last_numbers(self) -> dict[str, int]:
        """Return the number of each database's last run."""
        return dict(self._connection.execute("SELECT database, max(run_id) FROM run GROUP BY database").fetchall())

    def load_notifications(self, way: str) -> dict[str, str]:
        """Return the last notification of each database through one channel."""
        return dict(self._connection.execute("SELECT database, what FROM told WHERE way = ?", [way]).fetchall())

    def record_notifications(self, way: str, what: Mapping[str, str]) -> None:
        """Store the notifications that were sent through one channel."""
        self._connection.begin()
        self._connection.execute("DELETE FROM told WHERE way = ? AND database IN (SELECT unnest(?))", [way, list(what)])
        for database, said in what.items():
            self._connection.execute("INSERT INTO told VALUES (?, ?, ?)", [way, database, said])
        self._connection.commit()

    def prune(self, database: str, nights: int) -> None:
        """Delete all runs except those of the last N ``nights`` that have a run.

        It counts nights and ignores the clock, so that a wrong clock deletes nothing too early.
        """
        old = (
            "SELECT run_id FROM run WHERE database = $1 AND night NOT IN (SELECT night FROM run WHERE database = $1"
            " GROUP BY night ORDER BY max(run_id) DESC LIMIT $2)"
        )
        kept = max(nights, KEPT_AT_LEAST)
        gone = [row[0] for row in self._connection.execute(old, [database, kept]).fetchall()]
        self._connection.begin()
        for table in (*_PARTS, "run"):
            self._connection.execute(f"DELETE FROM {table} WHERE run_id IN (SELECT unnest(?::BIGINT[]))", [gone])
        self._connection.commit()

    def _run(self, row: tuple[Any, ...]) -> Run:
        number, database, started, about, identity, interval, discarded, capture, says = row
        lines, spent = (", ".join(field.name for field in fields(kind)) for kind in (Line, Spent))
        return Run(
            database=database,
            started_at=local_time(started),
            about=about,
            identity=tuple(identity),
            interval=interval,
            discarded=discarded,
            lines=tuple(Line(*values) for values in self._part(number, lines, "advice", "rank, rule, object_name")),
            metrics=tuple(Metric(*values) for values in self._part(number, "name, unit, value", "metric", "name")),
            not_run=tuple(self._part(number, "rule, reason", "not_run", "rule")),
            capture=capture,
            time_spent=tuple(Spent(*values) for values in self._part(number, spent, "time_spent", "pct DESC, bucket")),
            says=says,
        )

    def _part(self, number: int, columns: str, table: str, order: str) -> list[Any]:
        query = f"SELECT {columns} FROM {table} WHERE run_id = ? ORDER BY {order}"
        return self._connection.execute(query, [number]).fetchall()

    def _fetch_one(self, query: str) -> Any:
        row = self._connection.execute(query).fetchone()
        assert row is not None  # a function of the session
        return row[0]


@contextmanager
def open_history(store: Path, create: bool = True, copy: bool = False) -> Iterator[History]:
    """Open the store in a folder; create it if it is missing. Raise UserError if it cannot be read.

    ``copy`` reads all of it, and replaces the copy of the store next to it.
    """
    import duckdb

    if not create and not (store / FILE).is_file():
        raise UserError(f"{store}: contains no history; run db2tune nightly first, or name its folder with --store")
    file = files.resolve_file(files.folder(store) / FILE)
    try:
        # DuckDB creates history.duckdb.wal itself
        with FileLock(store / "history.lock", timeout=PATIENCE_S), files.create_private_files():
            files.tidy(store)
            if not file.exists() or file.stat().st_size == 0:
                _create(file)
            with _connect(file) as connection:
                _check(connection, file)
                if copy:
                    _read_all(connection)
                yield History(connection)
            if copy:  # after the connection: closing a second descriptor would release DuckDB's lock
                _save_copy(file)
    except Timeout:
        raise UserError(f"{file}: another process has locked it for {PATIENCE_S} s; try again later") from None
    except duckdb.Error as error:
        reason = str(error).splitlines()[0]
        if _HELD in reason:
            raise UserError(
                f"{file}: another program has it open ({reason}); end that program, or try again later"
            ) from None
        raise UserError(f"{file}: is damaged or not a history ({reason}); {_remedy(file)}") from None


@contextmanager
def _connect(file: Path) -> Iterator["duckdb.DuckDBPyConnection"]:
    """Open the file, and prevent its contents from making DuckDB open other files or load extensions."""
    import duckdb

    with file.open("rb") as opened_:
        head = opened_.read(_MAGIC.stop)
    if head[_MAGIC] != b"DUCK":
        raise UserError(f"{file}: is damaged or not a history (it is not a DuckDB file); {_remedy(file)}")
    connection = duckdb.connect(str(file), config=NO_EXTENSIONS)
    try:
        lock(connection)
        yield connection
    finally:
        connection.close()


def _read_all(connection: "duckdb.DuckDBPyConnection") -> None:
    """Read each block: DuckDB checks the checksum of a block when it reads it. Raise duckdb.Error if one is damaged."""
    for (table,) in connection.execute("SELECT table_name FROM duckdb_tables()").fetchall():
        connection.execute(f"SELECT MAX(HASH(T)) FROM {quoted(table)} AS T").fetchall()


def _save_copy(file: Path) -> None:
    """Replace the copy of the store. Keep the older copy if the disk has no room for two."""
    copy = file.with_name(COPY)
    with suppress(OSError, UserError), files.create_folder_beside(file) as folder:
        shutil.copyfile(file, folder / COPY)
        (folder / COPY).chmod(files.PRIVATE)
        copy.unlink(missing_ok=True)
        files.place(folder / COPY, copy)


def _remedy(file: Path) -> str:
    """Return the next step with a damaged store."""
    copy = file.with_name(COPY)
    if not copy.is_file():
        return "move it away to start a new one"
    saved = datetime.fromtimestamp(copy.stat().st_mtime).astimezone()
    return (
        f"replace it with {COPY}, which has the runs before {saved:%Y-%m-%d %H:%M}, and delete {FILE}.wal if it exists"
    )


def _create(file: Path) -> None:
    """Create an empty store under another name, and rename it after it was written and read back."""
    import duckdb

    with files.create_folder_beside(file) as folder:
        new = folder / FILE
        try:
            with duckdb.connect(str(new), config=NO_EXTENSIONS) as connection:
                connection.begin()
                connection.execute(TABLES.read_text(encoding="utf-8"))
                connection.execute("INSERT INTO version VALUES (?)", [SCHEMA_VERSION])
                connection.execute(SINCE.read_text(encoding="utf-8"))
                connection.commit()
                connection.execute("CHECKPOINT")  # DuckDB reports a full disk here, but not when it closes
            with _connect(new) as connection:
                _check(connection, new)
        except (duckdb.Error, UserError) as error:
            reason = str(error).splitlines()[0]
            raise UserError(
                f"{file}: cannot be created ({reason}); free disk space, then run the command again"
            ) from None
        new.chmod(files.PRIVATE)
        file.unlink(missing_ok=True)  # an empty file
        files.place(new, file)


def _check(connection: "duckdb.DuckDBPyConnection", file: Path) -> None:
    """Check the version, and add the tables and columns that older versions of db2tune lack."""
    names = {row[0] for row in connection.execute("SELECT table_name FROM duckdb_tables()").fetchall()}
    row = connection.execute("SELECT version FROM version").fetchone() if "version" in names else None
    if row is None:
        raise UserError(f"{file}: is not a db2tune history; move it away to start a new one")
    if row[0] > SCHEMA_VERSION:
        raise UserError(
            f"{file}: version {row[0]} is newer than this db2tune supports ({SCHEMA_VERSION}); upgrade db2tune"
        )
    connection.execute(SINCE.read_text(encoding="utf-8"))
