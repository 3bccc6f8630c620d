"""The measurements, changes, verdicts, regressions and lessons of nightly runs, as tables of an open store."""

from collections.abc import Iterable, Mapping
from dataclasses import astuple, fields, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from advisor.capture.lessons import Lesson, entry, lesson_of
from advisor.verify.changed import Changed
from advisor.verify.measured import Executed, Interval, Value
from advisor.verify.regressed import Beside, Regressed

if TYPE_CHECKING:
    import duckdb


class Head(NamedTuple):
    """A run without its findings. ``capture`` is the name of its capture file, or None."""

    number: int
    started_at: datetime
    identity: tuple[str, ...]
    capture: str | None


class Lessons:
    """The lessons of all databases, including those from other stores. Pruning keeps them."""

    def __init__(self, connection: "duckdb.DuckDBPyConnection") -> None:
        self._connection = connection

    def load(self) -> tuple[Lesson, ...]:
        """Return the lessons, oldest first."""
        names = [field.name for field in fields(Lesson)]
        query = f"SELECT {', '.join(names)} FROM lesson ORDER BY made_on, database, rule, object, settings"
        rows = self._connection.execute(query).fetchall()
        return tuple(dict.fromkeys(lesson_of(dict(zip(names, row, strict=True))) for row in rows))

    def add(self, lessons: Iterable[Lesson]) -> list[Lesson]:
        """Store lessons and return the new ones."""
        known = set(self.load())
        new = [lesson for lesson in dict.fromkeys(lessons) if lesson not in known]
        self._connection.begin()
        self.insert(new)
        self._connection.commit()
        return new

    def insert(self, lessons: Iterable[Lesson]) -> None:
        """Insert lessons in the caller's transaction."""
        for lesson in lessons:
            self._connection.execute("INSERT INTO lesson VALUES (?, ?, ?, ?, ?, ?, ?, ?)", list(entry(lesson).values()))

    def remove(self, rule: str | None = None) -> None:
        """Delete the lessons of a rule, or all of them."""
        self._connection.execute("DELETE FROM lesson WHERE ? IS NULL OR rule = ?", [rule, rule])


class Measurements:
    """The measurements of runs, and what was concluded from them."""

    def __init__(self, connection: "duckdb.DuckDBPyConnection") -> None:
        self._connection = connection

    def load_heads(self, database: str) -> list[Head]:
        """Return the runs of a database without their findings, oldest first, with one query."""
        query = "SELECT run_id, started_epoch, identity, capture FROM run WHERE database = ? ORDER BY run_id"
        return [
            Head(number, local_time(started), tuple(identity), capture)
            for number, started, identity, capture in self._connection.execute(query, [database]).fetchall()
        ]

    def add(self, number: int, intervals: Iterable[Interval], changed: Iterable[Changed]) -> None:
        """Store the measurements that end with a run, and the changes since the previous one."""
        rows: dict[str, list[tuple[Any, ...]]] = {"changed": [astuple(change) for change in changed]}
        for each in intervals:
            whole = (each.kind, each.begin, each.end, each.seconds, each.uptime_s, each.discarded)
            rows.setdefault("measured", []).append(whole)
            rows.setdefault("measured_value", []).extend((each.kind, *astuple(value)) for value in each.values)
            rows.setdefault("measured_statement", []).extend((each.kind, *astuple(one)) for one in each.executed)
        self._connection.begin()
        insert_rows(self._connection, number, rows)
        self._connection.commit()

    def load_intervals(self, numbers: Iterable[int]) -> dict[int, tuple[Interval, ...]]:
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

    def load_changes(self, database: str) -> dict[int, tuple[Changed, ...]]:
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

    def load_verdicts(self, database: str) -> dict[int, tuple[str, str]]:
        """Return the final verdicts, each with its sentence, by the number of the first run after the change."""
        query = "SELECT V.run_id, V.verdict, V.says FROM verdict AS V INNER JOIN run AS R ON V.run_id = R.run_id WHERE R.database = ?"
        return {
            number: (verdict, says) for number, verdict, says in self._connection.execute(query, [database]).fetchall()
        }

    def add_verdict(self, number: int, verdict: str, says: str, taught: Lesson | None) -> None:
        """Store a final verdict and its lesson in one transaction, so that each lesson is stored once."""
        self._connection.begin()
        self._connection.execute("INSERT INTO verdict VALUES (?, ?, ?)", [number, verdict, says])
        Lessons(self._connection).insert([taught] if taught else [])
        self._connection.commit()

    def add_regression(self, number: int, found: Regressed) -> None:
        """Store the regression that a run found."""
        beside = ((place, *astuple(each)) for place, each in enumerate(found.beside))
        self._connection.begin()
        insert_rows(self._connection, number, {"regression": [astuple(found)[:-1]], "beside": beside})
        self._connection.commit()

    def load_regressions(self, database: str) -> dict[int, Regressed]:
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


def insert_rows(
    connection: "duckdb.DuckDBPyConnection", number: int, rows: Mapping[str, Iterable[tuple[Any, ...]]]
) -> None:
    """Insert a run's rows into their tables."""
    for table, values in rows.items():
        for row in values:
            marks = ", ".join("?" * (len(row) + 1))
            connection.execute(f"INSERT INTO {table} VALUES ({marks})", [number, *row])


def local_time(epoch_s: float) -> datetime:
    return datetime.fromtimestamp(epoch_s, UTC).astimezone()
