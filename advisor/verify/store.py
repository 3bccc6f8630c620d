"""The measurements, changes, verdicts, regressions and lessons of nightly runs, as tables of an open store.

The store is one transaction while it is open (advisor/nightly/history.py).
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import astuple, fields, replace
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from advisor.capture.lessons import Lesson, entry, lesson_of
from advisor.verify.changed import Change
from advisor.verify.measured import Executed, Interval, Value
from advisor.verify.promises import Figures, Promise, sum_rows
from advisor.verify.regressed import Beside, Regressed

if TYPE_CHECKING:
    import apsw

Kind = TypeVar("Kind")

# How to read the values of a field of this type; others are read as they are.
_READ: dict[Any, Any] = {
    bool: bool,
    bool | None: lambda value: None if value is None else bool(value),
    datetime: datetime.fromisoformat,
    tuple[str, ...]: lambda value: tuple(json.loads(value)),
}
_OF_RUNS = "IN (SELECT value FROM json_each(?))"


class Head(NamedTuple):
    """A run without its findings. ``capture`` is the name of its capture file, or None."""

    number: int
    started_at: datetime
    identity: tuple[str, ...]
    capture: str | None


class Lessons:
    """The lessons of all databases, including those from other stores. Pruning keeps them."""

    def __init__(self, connection: "apsw.Connection") -> None:
        self._connection = connection

    def load(self) -> tuple[Lesson, ...]:
        """Return the lessons, oldest first."""
        names = [field.name for field in fields(Lesson)]
        query = f"SELECT {', '.join(names)} FROM lesson ORDER BY made_on, database, rule, object, settings"
        found = (dict(zip(names, row, strict=True)) for row in self._connection.execute(query))
        return tuple(dict.fromkeys(lesson_of(row | _read_structs(row)) for row in found))

    def add(self, lessons: Iterable[Lesson]) -> list[Lesson]:
        """Store lessons and return the new ones."""
        known = set(self.load())
        new = [lesson for lesson in dict.fromkeys(lessons) if lesson not in known]
        insert_rows(self._connection, {"lesson": (entry(lesson).values() for lesson in new)})
        return new

    def remove(self, rule: str | None = None) -> None:
        """Delete the lessons of a rule, or all of them."""
        self._connection.execute("DELETE FROM lesson WHERE ?1 IS NULL OR rule = ?1", [rule])


class Measurements:
    """The measurements of runs, and what was concluded from them."""

    def __init__(self, connection: "apsw.Connection") -> None:
        self._connection = connection

    def load_heads(self, database: str) -> list[Head]:
        """Return the runs of a database without their findings, oldest first, with one query."""
        query = "SELECT run_id, started_epoch, identity, capture FROM run WHERE database = ? ORDER BY run_id"
        return [
            Head(number, local_time(started), tuple(json.loads(identity)), capture)
            for number, started, identity, capture in self._connection.execute(query, [database])
        ]

    def add(
        self, number: int, intervals: Iterable[Interval], changed: Iterable[Change], figures: Mapping[str, Figures] = {}
    ) -> None:
        """Store the measurements that end with a run, the changes since the previous one, and promised statements."""
        changes = list(changed)
        rows: dict[str, list[tuple[Any, ...]]] = {
            "changed": [astuple(change)[:-1] for change in changes],
            "promise": [astuple(promise) for change in changes for promise in change.promises],
            "promised_statement": [(statement, *of) for statement, of in figures.items()],
        }
        for each in intervals:
            whole = (each.kind, each.begin, each.end, each.seconds, each.uptime_s, each.discarded)
            rows.setdefault("measured", []).append(whole)
            rows.setdefault("measured_value", []).extend((each.kind, *astuple(value)) for value in each.values)
            rows.setdefault("measured_statement", []).extend((each.kind, *astuple(one)) for one in each.executed)
        insert_parts(self._connection, number, rows)

    def load_intervals(self, numbers: Iterable[int]) -> dict[int, tuple[Interval, ...]]:
        """Return the measurements that end with each of these runs."""
        these = list(numbers)
        values = self._load_by_run(these, Value, "measured_value")
        executed = self._load_by_run(these, Executed, "measured_statement")
        names = "run_id, kind, begin_at, end_at, seconds, uptime_s, discarded"
        query = f"SELECT {names} FROM measured WHERE run_id {_OF_RUNS} ORDER BY run_id, begin_at"
        found: dict[int, tuple[Interval, ...]] = dict.fromkeys(these, ())
        for number, kind, begin, end, seconds, uptime, discarded in self._connection.execute(
            query, [json.dumps(these)]
        ):
            times = datetime.fromisoformat(begin), datetime.fromisoformat(end)
            what = tuple(values.get((number, kind), ())), tuple(executed.get((number, kind), ()))
            found[number] += (Interval(kind, *times, seconds, uptime, *what, discarded),)
        return found

    def _load_by_run(self, numbers: list[int], made: type[Kind], table: str) -> dict[tuple[int, str], list[Kind]]:
        """Return the rows of a table of measurements by run and kind of interval."""
        found: dict[tuple[int, str], list[Kind]] = {}
        query = f"SELECT run_id, kind, {names_of(made)} FROM {table} WHERE run_id {_OF_RUNS} ORDER BY rowid"
        for number, kind, *row in self._connection.execute(query, [json.dumps(numbers)]):
            found.setdefault((number, kind), []).append(read_row(made, row))
        return found

    def load_changes(self, database: str) -> dict[int, tuple[Change, ...]]:
        """Return the changes since the previous run, by run number; runs without a change are missing."""
        promises: dict[tuple[int, str], list[Promise]] = {}
        for number, *row in self._load_parts(database, "promise", names_of(Promise), "rowid"):
            promises.setdefault((number, row[0]), []).append(read_row(Promise, row))
        found: dict[int, tuple[Change, ...]] = {}
        names = names_of(Change).removesuffix(", promises")
        for number, *row in self._load_parts(database, "changed", names, "text"):
            change = read_row(Change, row)
            change = replace(change, promises=tuple(promises.get((number, change.target), ())))
            found[number] = (*found.get(number, ()), change)
        return found

    def load_figures(self, numbers: Iterable[int]) -> dict[str, Figures]:
        """Return the sums of the promised statements over these runs."""
        query = f"SELECT {', '.join(Figures._fields)}, statement FROM promised_statement WHERE run_id {_OF_RUNS}"
        found: dict[str, list[Any]] = {}
        for *row, statement in self._connection.execute(query, [json.dumps(list(numbers))]):
            found.setdefault(statement, []).append(row)
        return {statement: sum_rows(rows) for statement, rows in found.items()}

    def load_verdicts(self, database: str) -> dict[int, tuple[str, str]]:
        """Return the final verdicts, each with its sentence, by the number of the first run after the change."""
        rows = self._load_parts(database, "verdict", "verdict, says", "rowid")
        return {number: (verdict, says) for number, verdict, says in rows}

    def add_verdict(self, number: int, verdict: str, says: str, taught: Lesson | None) -> None:
        """Store a final verdict and its lesson."""
        lessons = [entry(taught).values()] if taught else []
        insert_rows(self._connection, {"verdict": [(number, verdict, says)], "lesson": lessons})

    def add_regression(self, number: int, found: Regressed) -> None:
        """Store the regression that a run found."""
        beside = ((place, *astuple(each)) for place, each in enumerate(found.beside))
        insert_parts(self._connection, number, {"regression": [astuple(found)[:-1]], "beside": beside})

    def load_regressions(self, database: str) -> dict[int, Regressed]:
        """Return the regressions by the number of the run that found them."""
        beside: dict[int, list[Beside]] = {}
        for number, *row in self._load_parts(database, "beside", names_of(Beside), "place"):
            beside.setdefault(number, []).append(read_row(Beside, row))
        names = names_of(Regressed).removesuffix(", beside")
        return {
            number: replace(read_row(Regressed, row), beside=tuple(beside.get(number, ())))
            for number, *row in self._load_parts(database, "regression", names, "rowid")
        }

    def _load_parts(self, database: str, table: str, names: str, order: str) -> "apsw.Cursor":
        """Return the rows of a table for all runs of a database, oldest first, each with the number of its run."""
        query = f"SELECT run_id, {names} FROM {table} WHERE run_id IN (SELECT run_id FROM run WHERE database = ?)"
        return self._connection.execute(f"{query} ORDER BY run_id, {table}.{order}", [database])


def insert_parts(connection: "apsw.Connection", number: int, rows: Mapping[str, Iterable[tuple[Any, ...]]]) -> None:
    """Insert a run's rows into their tables."""
    insert_rows(connection, {table: ((number, *row) for row in values) for table, values in rows.items()})


def insert_rows(connection: "apsw.Connection", rows: Mapping[str, Iterable[Iterable[Any]]]) -> None:
    """Insert rows of all columns into their tables."""
    for table, values in rows.items():
        for row in values:
            given = [write_value(value) for value in row]
            connection.execute(f"INSERT INTO {table} VALUES ({', '.join('?' * len(given))})", given)


def write_value(value: Any) -> Any:
    """Return a value for SQLite: times as ISO 8601, lists and structs as JSON."""
    if isinstance(value, date):
        return value.isoformat()
    return json.dumps(value) if isinstance(value, list | tuple | dict) else value


def _read_structs(row: dict[str, Any]) -> dict[str, Any]:
    structs = {name: row[name] for name in ("database", "object", "settings", "promised_pct", "brought_pct")}
    return {name: None if value is None else json.loads(value) for name, value in structs.items()}


def read_row(made: type[Kind], row: Iterable[Any]) -> Kind:
    """Return an object of a dataclass from the values of its first fields."""
    kinds = (field.type for field in fields(made))  # type: ignore[arg-type]
    return made(*(_READ[kind](value) if kind in _READ else value for kind, value in zip(kinds, row, strict=False)))


def names_of(made: type[Any]) -> str:
    """Return the fields of a dataclass as a list of columns."""
    return ", ".join(field.name for field in fields(made))


def local_time(epoch_s: float) -> datetime:
    return datetime.fromtimestamp(epoch_s, UTC).astimezone()
