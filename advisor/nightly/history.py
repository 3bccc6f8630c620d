"""The local store of runs: a DuckDB file that one process at a time opens, briefly.

Each run is one transaction.
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import astuple, fields, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from filelock import FileLock, Timeout

from advisor import files
from advisor.capture.lessons import Lesson, entry, lesson_of
from advisor.catalogue.embedded import NO_EXTENSIONS, lock
from advisor.errors import UserError
from advisor.nightly.runs import Beside, Line, Metric, Regressed, Run, Spent
from advisor.verify.changed import Changed
from advisor.verify.measured import Executed, Interval, Value

if TYPE_CHECKING:
    import duckdb

SCHEMA_VERSION = 1
FILE = "history.duckdb"
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


class Head(NamedTuple):
    """A run without its findings. ``capture`` is the name of its capture file, or None."""

    number: int
    started_at: datetime
    identity: tuple[str, ...]
    capture: str | None


class History:
    """An open store."""

    def __init__(self, connection: "duckdb.DuckDBPyConnection") -> None:
        self._connection = connection

    def add(self, run: Run) -> int:
        """Store a run and return its number."""
        values = [run.database, run.started_at.date(), run.started_at.timestamp(), run.about, list(run.identity)]
        values += [run.interval, run.discarded, run.capture, run.says]
        names = "database, night, started_epoch, about, identity, interval_text, discarded, capture, says"
        self._connection.begin()
        try:
            self._connection.execute(f"INSERT INTO run ({names}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", values)
            number = self._one("SELECT currval('run_number')")
            self._put(
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

    def measured(self, number: int, intervals: Iterable[Interval], changed: Iterable[Changed]) -> None:
        """Store the measurements that end with a run, and the changes since the previous one."""
        rows: dict[str, list[tuple[Any, ...]]] = {"changed": [astuple(change) for change in changed]}
        for each in intervals:
            whole = (each.kind, each.begin, each.end, each.seconds, each.uptime_s, each.discarded)
            rows.setdefault("measured", []).append(whole)
            rows.setdefault("measured_value", []).extend((each.kind, *astuple(value)) for value in each.values)
            rows.setdefault("measured_statement", []).extend((each.kind, *astuple(one)) for one in each.executed)
        self._connection.begin()
        self._put(number, rows)
        self._connection.commit()

    def intervals(self, numbers: Iterable[int]) -> dict[int, tuple[Interval, ...]]:
        """Return the measurements that end with each of these runs."""
        these = list(numbers)
        values, executed = (
            self._by_run(these, made, table, ", ".join(field.name for field in fields(made)))
            for made, table in ((Value, "measured_value"), (Executed, "measured_statement"))
        )
        names = "run_id, kind, begin_at, end_at, seconds, uptime_s, discarded"
        query = f"SELECT {names} FROM measured WHERE run_id IN (SELECT unnest(?::BIGINT[])) ORDER BY run_id, begin_at"
        found: dict[int, tuple[Interval, ...]] = dict.fromkeys(these, ())
        for number, kind, begin, end, seconds, uptime, discarded in self._connection.execute(query, [these]).fetchall():
            what = tuple(values.get((number, kind), ())), tuple(executed.get((number, kind), ()))
            found[number] += (Interval(kind, begin, end, seconds, uptime, *what, discarded),)
        return found

    def _by_run(self, numbers: list[int], made: type[Any], table: str, names: str) -> dict[tuple[int, str], list[Any]]:
        """Return the rows of a table of measurements by run and kind of interval."""
        found: dict[tuple[int, str], list[Any]] = {}
        query = f"SELECT run_id, kind, {names} FROM {table} WHERE run_id IN (SELECT unnest(?::BIGINT[])) ORDER BY ALL"
        for number, kind, *row in self._connection.execute(query, [numbers]).fetchall():
            found.setdefault((number, kind), []).append(made(*row))
        return found

    def changed(self, database: str) -> dict[int, tuple[Changed, ...]]:
        """Return the changes since the previous run, by run number; runs without a change are missing."""
        columns = ", ".join(f"C.{field.name}" for field in fields(Changed))
        query = (
            f"SELECT C.run_id, {columns} FROM changed AS C"
            " INNER JOIN run AS R ON C.run_id = R.run_id WHERE R.database = ? ORDER BY C.run_id, C.text"
        )
        found: dict[int, tuple[Changed, ...]] = {}
        for number, *values in self._connection.execute(query, [database]).fetchall():
            change = Changed(*values)
            found[number] = (*found.get(number, ()), replace(change, undo=tuple(change.undo)))
        return found

    def verdicts(self, database: str) -> dict[int, tuple[str, str]]:
        """Return the final verdicts, each with its sentence, by the number of the first run after the change."""
        query = "SELECT V.run_id, V.verdict, V.says FROM verdict AS V INNER JOIN run AS R ON V.run_id = R.run_id WHERE R.database = ?"
        return {
            number: (verdict, says) for number, verdict, says in self._connection.execute(query, [database]).fetchall()
        }

    def decided(self, number: int, verdict: str, says: str, taught: Lesson | None) -> None:
        """Store a final verdict and its lesson in one transaction, so that each lesson is stored once."""
        self._connection.begin()
        self._connection.execute("INSERT INTO verdict VALUES (?, ?, ?)", [number, verdict, says])
        self._learn([taught] if taught else [])
        self._connection.commit()

    def lessons(self) -> tuple[Lesson, ...]:
        """Return the lessons of all databases, including those from other stores. Pruning keeps lessons."""
        names = [field.name for field in fields(Lesson)]
        query = f"SELECT {', '.join(names)} FROM lesson ORDER BY made_on, database, rule, object, settings"
        rows = self._connection.execute(query).fetchall()
        return tuple(dict.fromkeys(lesson_of(dict(zip(names, row, strict=True))) for row in rows))

    def learn(self, lessons: Iterable[Lesson]) -> list[Lesson]:
        """Store lessons and return the new ones."""
        known = set(self.lessons())
        new = [lesson for lesson in dict.fromkeys(lessons) if lesson not in known]
        self._connection.begin()
        self._learn(new)
        self._connection.commit()
        return new

    def _learn(self, lessons: Iterable[Lesson]) -> None:
        for lesson in lessons:
            self._connection.execute("INSERT INTO lesson VALUES (?, ?, ?, ?, ?, ?, ?, ?)", list(entry(lesson).values()))

    def forget(self, rule: str | None = None) -> None:
        """Delete the lessons of a rule, or all of them."""
        self._connection.execute("DELETE FROM lesson WHERE ? IS NULL OR rule = ?", [rule, rule])

    def regressed(self, number: int, found: Regressed) -> None:
        """Store the regression that a run found."""
        beside = ((place, *astuple(each)) for place, each in enumerate(found.beside))
        self._connection.begin()
        self._put(number, {"regression": [astuple(found)[:-1]], "beside": beside})
        self._connection.commit()

    def regressions(self, database: str) -> dict[int, Regressed]:
        """Return the regressions by the number of the run that found them."""
        names = ", ".join(field.name for field in fields(Regressed) if field.name != "beside")
        of = "INNER JOIN run AS R ON P.run_id = R.run_id WHERE R.database = ?"
        beside: dict[int, list[Beside]] = {}
        query = f"SELECT P.run_id, P.about, P.text FROM beside AS P {of} ORDER BY P.run_id, P.place"
        for number, *row in self._connection.execute(query, [database]).fetchall():
            beside.setdefault(number, []).append(Beside(*row))
        query = f"SELECT P.run_id, {names} FROM regression AS P {of} ORDER BY P.run_id"
        return {
            number: replace(Regressed(*row), beside=tuple(beside.get(number, ())))
            for number, *row in self._connection.execute(query, [database]).fetchall()
        }

    def heads(self, database: str) -> list[Head]:
        """Return the runs of a database without their findings, oldest first, with one query."""
        query = "SELECT run_id, started_epoch, identity, capture FROM run WHERE database = ? ORDER BY run_id"
        return [
            Head(number, _moment(started), tuple(identity), capture)
            for number, started, identity, capture in self._connection.execute(query, [database]).fetchall()
        ]

    def _put(self, number: int, rows: Mapping[str, Iterable[tuple[Any, ...]]]) -> None:
        """Insert a run's rows into their tables."""
        for table, values in rows.items():
            for row in values:
                marks = ", ".join("?" * (len(row) + 1))
                self._connection.execute(f"INSERT INTO {table} VALUES ({marks})", [number, *row])

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

    def last_runs(self) -> dict[str, int]:
        """Return the number of each database's last run."""
        return dict(self._connection.execute("SELECT database, max(run_id) FROM run GROUP BY database").fetchall())

    def told(self, way: str) -> dict[str, str]:
        """Return the last notification of each database through one channel."""
        return dict(self._connection.execute("SELECT database, what FROM told WHERE way = ?", [way]).fetchall())

    def tell(self, way: str, what: Mapping[str, str]) -> None:
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
            started_at=_moment(started),
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

    def _one(self, query: str) -> Any:
        row = self._connection.execute(query).fetchone()
        assert row is not None  # a function of the session
        return row[0]


def _moment(epoch_s: float) -> datetime:
    return datetime.fromtimestamp(epoch_s, UTC).astimezone()


@contextmanager
def open_history(store: Path, create: bool = True) -> Iterator[History]:
    """Open the store in a folder; create it if it is missing. Raise UserError if it cannot be read."""
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
                yield History(connection)
    except Timeout:
        raise UserError(f"{file}: another process has locked it for {PATIENCE_S} s; try again later") from None
    except duckdb.Error as error:
        reason = str(error).splitlines()[0]
        if _HELD in reason:
            raise UserError(
                f"{file}: another program has it open ({reason}); end that program, or try again later"
            ) from None
        raise UserError(f"{file}: is damaged or not a history ({reason}); move it away to start a new one") from None


@contextmanager
def _connect(file: Path) -> Iterator["duckdb.DuckDBPyConnection"]:
    """Open the file, and prevent its contents from making DuckDB open other files or load extensions."""
    import duckdb

    with file.open("rb") as opened_:
        head = opened_.read(_MAGIC.stop)
    if head[_MAGIC] != b"DUCK":
        raise UserError(
            f"{file}: is damaged or not a history (it is not a DuckDB file); move it away to start a new one"
        )
    connection = duckdb.connect(str(file), config=NO_EXTENSIONS)
    try:
        lock(connection)
        yield connection
    finally:
        connection.close()


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
