"""Runs INSERT, UPDATE, DELETE and MERGE: one DuckDB transaction each, with the constraints and the undo log."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import duckdb

from tests.standin.errors import Db2Error
from tests.standin.objects.constraints import (
    ALL,
    KEY,
    NEW,
    Touched,
    check_conditions,
    check_foreigns,
    check_uniques,
    foreign_name,
    meeting,
    orphaned,
    uniques,
)
from tests.standin.objects.definitions import Foreign, Name, Table, quoted
from tests.standin.objects.registers import literal
from tests.standin.objects.registry import Registry
from tests.standin.objects.storage import ROWS, Storage
from tests.standin.objects.units_of_work import Busy, UndoRecord, UnitOfWork

BEFORE = quoted("BEFORE $STANDIN")  # rows as they were before the statement; a temporary table of the session
Violations = Callable[[Table], list[tuple[str, str]]]


@dataclass
class Writer:
    """Changes rows on one session's connection, under the backend's lock."""

    connection: duckdb.DuckDBPyConnection
    registry: Registry
    storage: Storage
    work: UnitOfWork
    violations: Violations
    failure: Callable[[duckdb.Error], Db2Error]
    _images: list[tuple[Table, str]] = field(default_factory=list)

    def write(
        self, kind: str, table: Table, text: str, values: Sequence[Any], some: str = ""
    ) -> tuple[int, list[tuple[Any, ...]]]:
        """Run the text, which changes the table: the least number of new rows, and what it returns. All or nothing.

        Where ``some`` (api.Compiled) has no rows, the text need not be run.
        """
        self.work.wait_for_readers(Name(table.schema, table.name), kind == "insert")
        self._images = []
        self.connection.execute("BEGIN")
        try:
            first = self._next_row()
            rows = self._run(kind, table, text, values) if self._has_rows(some) else [(0,)]
            self._wait_for_rows()
            self._check(kind, table, first)
            self._wait_for_deleted_keys(kind, table, first)
            last = self._next_row()
            self.connection.execute("COMMIT")
        except duckdb.Error as error:
            self._abandon()
            raise self.failure(error) from error
        except (Db2Error, Busy) as error:
            self._abandon()
            self._wait_for_key(table, error)
            raise
        self._record(table, first, last)
        return first, rows

    def _wait_for_rows(self) -> None:
        """Raises Busy if others have changed one of the changed rows and have not committed."""
        for table, image in self._images:
            for other in self.work.locks.others(self.work):
                for change in other.changes:
                    if change.of(Name(table.schema, table.name)) and self._meet(table, image, change):
                        raise Busy(other)

    def _meet(self, table: Table, image: str, change: UndoRecord) -> bool:
        theirs = [f"SELECT {KEY} FROM {kept}" for of, kept in change.images if of == table]
        theirs.append(f"SELECT {KEY} FROM {image} WHERE {KEY} BETWEEN {change.first} AND {change.last}")
        text = f"SELECT 1 FROM {image} WHERE {KEY} IN ({' UNION ALL '.join(theirs)}) LIMIT 1"
        return self.connection.execute(text).fetchone() is not None

    def _wait_for_deleted_keys(self, kind: str, table: Table, first: int) -> None:
        """Raises Busy for a unique key that another has deleted, or changed, and not committed: it may come back.

        c0009699: such a key stays in the index, marked deleted, until its unit of work ends.
        """
        for other in self.work.locks.others(self.work) if kind != "delete" else ():
            images = [image for change in other.changes for of, image in change.images if of == table]
            for _, unique, _ in uniques(self.registry, table) if images else ():
                for image in images:
                    touched = Touched(table, first if kind == "insert" else None)
                    if self.connection.execute(meeting(touched, image, unique.columns)).fetchone():
                        raise Busy(other)

    def _wait_for_key(self, table: Table, error: Exception) -> None:
        """A key may be there twice only because of a row that is not committed: that decides when it ends."""
        if isinstance(error, Db2Error) and error.code == -803:
            for other in self.work.locks.others(self.work):
                if any(change.of(Name(table.schema, table.name)) for change in other.changes):
                    raise Busy(other) from error

    def _abandon(self) -> None:
        with suppress(duckdb.TransactionException):  # DuckDB may have ended it by itself
            self.connection.execute("ROLLBACK")

    def _next_row(self) -> int:
        row = self.connection.execute(f"SELECT nextval({literal(ROWS)})").fetchone()
        assert row is not None
        return int(row[0])

    def _has_rows(self, some: str) -> bool:
        return not some or self.connection.execute(f"{some} LIMIT 1").fetchone() is not None

    def _run(self, kind: str, table: Table, text: str, values: Sequence[Any]) -> list[tuple[Any, ...]]:
        if kind == "insert":
            return self.connection.execute(text, values).fetchall()
        self.connection.execute(f"CREATE OR REPLACE TEMP TABLE {BEFORE} AS SELECT * FROM {table.source}")
        rows = self.connection.execute(text, values).fetchall()
        image = self.storage.image_name()
        self.connection.execute(
            f"CREATE TABLE {image} AS SELECT {ALL}.* FROM {BEFORE} AS {ALL} LEFT JOIN {table.source} AS {NEW}"
            f" ON {NEW}.{KEY} = {ALL}.{KEY} WHERE {NEW}.{KEY} IS NULL OR {NEW} IS DISTINCT FROM {ALL}"
        )
        self.connection.execute(f"DROP TABLE {BEFORE}")
        self._images.append((table, image))
        return rows

    def _check(self, kind: str, table: Table, first: int) -> None:
        if kind != "delete":
            touched = Touched(table, first if kind == "insert" else None)
            check_conditions(self.connection, table, self.violations(table))
            check_uniques(self.connection, self.registry, touched)
            check_foreigns(self.connection, self.registry, touched)
        if kind != "insert":
            self._check_children(kind, table)

    def _check_children(self, kind: str, table: Table) -> None:
        """What the rule of each foreign key says to do with rows that have lost their parent."""
        for child in self.registry.children(table):
            for foreign in child.foreigns:
                if foreign.parent == Name(table.schema, table.name):
                    self._check_child(kind, child, foreign)

    def _check_child(self, kind: str, child: Table, foreign: Foreign) -> None:
        condition = orphaned(self.registry, foreign)
        if (
            self.connection.execute(f"SELECT 1 FROM {child.source} AS {NEW} WHERE {condition} LIMIT 1").fetchone()
            is None
        ):
            return
        if kind == "update":
            raise Db2Error(-531, "23504", foreign_name(child, foreign))
        if foreign.on_delete == "CASCADE":
            self._run("delete", child, f"DELETE FROM {child.source} AS {NEW} WHERE {condition}", [])
            self._check_children("delete", child)
        elif foreign.on_delete == "SET NULL":
            nulls = ", ".join(f"{quoted(column)} = NULL" for column in foreign.columns)
            self._run("update", child, f"UPDATE {child.source} AS {NEW} SET {nulls} WHERE {condition}", [])
        else:
            raise Db2Error(-532, "23504", foreign_name(child, foreign))

    def _record(self, table: Table, first: int, last: int) -> None:
        self.work.changed(table, first, last, self._images)
        connection = self.storage.connection
        between = f"{KEY} BETWEEN {first} AND {last}"
        self.work.record(lambda: connection.execute(f"DELETE FROM {table.source} WHERE {between}") and None)
        for changed, image in self._images:
            self.work.record(_restoring(connection, changed, image), _forgetting(self.storage, image))


def _restoring(connection: duckdb.DuckDBPyConnection, table: Table, image: str) -> Callable[[], None]:
    def undo() -> None:
        connection.execute("BEGIN")
        connection.execute(f"DELETE FROM {table.source} WHERE {KEY} IN (SELECT {KEY} FROM {image})")
        connection.execute(f"INSERT INTO {table.source} BY NAME SELECT * FROM {image}")
        connection.execute("COMMIT")

    return undo


def take_back(connection: duckdb.DuckDBPyConnection, change: UndoRecord) -> None:
    """Show a connection, inside of its transaction, the rows as they were before a change."""
    connection.execute(f"DELETE FROM {change.table.source} WHERE {KEY} BETWEEN {change.first} AND {change.last}")
    for table, image in change.images:
        connection.execute(f"DELETE FROM {table.source} WHERE {KEY} IN (SELECT {KEY} FROM {image})")
        connection.execute(f"INSERT INTO {table.source} BY NAME SELECT * FROM {image}")


def _forgetting(storage: Storage, image: str) -> Callable[[], None]:
    return lambda: storage.forget(image)
