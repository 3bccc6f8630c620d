"""Keeps user tables in DuckDB: creates them, drops them, gives them another shape, and undoes all of that.

Every table has a hidden column that numbers its rows across all tables; the undo log names rows by it.
"""

import itertools
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date, datetime, time
from typing import Any

import duckdb

from tests.standin.objects.definitions import ROW_KEY, Generated, Table, TableColumn, quoted
from tests.standin.objects.registers import literal, register
from tests.standin.objects.units_of_work import UnitOfWork
from tests.standin.types import SqlType, duckdb_type

INTERNAL = "$STANDIN"  # DuckDB schema for the fake server's own data
ROWS = quoted(INTERNAL, "ROWS")
NAMES = quoted(INTERNAL, "NAMES")  # the numbers in names that the system gives

Evaluate = Callable[[str, SqlType], Any]  # an SQL expression, assigned to a type


def type_default(of: SqlType) -> Any:
    """What DEFAULT without a value means."""
    if of.is_number:
        return 0
    if of.name == "CHAR" and not of.bit_data:
        return " " * of.length
    if of.is_text:
        return ""
    values: dict[str, Any] = {"BOOLEAN": False, "DATE": date.min, "TIME": time.min, "TIMESTAMP": datetime.min}
    return values.get(of.name, b"")


@dataclass
class Storage:
    """The DuckDB database that all sessions share; used under the backend's lock."""

    connection: duckdb.DuckDBPyConnection
    images: "itertools.count[int]" = field(default_factory=lambda: itertools.count(1))
    sequences: "itertools.count[int]" = field(default_factory=lambda: itertools.count(1))

    def __post_init__(self) -> None:
        self.connection.execute(f"CREATE SCHEMA IF NOT EXISTS {quoted(INTERNAL)}")
        self.connection.execute(f"CREATE SEQUENCE {ROWS}")
        self.connection.execute(f"CREATE SEQUENCE {NAMES} MAXVALUE 999 CYCLE")

    def schema(self, name: str) -> None:
        """Create a schema. DuckDB never drops it again: only the fake server's own list decides whether it exists."""
        self.connection.execute(f"CREATE SCHEMA IF NOT EXISTS {quoted(name)}")

    def sequence(self, options: Generated) -> str:
        """A new DuckDB sequence; its name. It stays when its user is dropped, so that undoing that is free."""
        name = f"SEQUENCE {next(self.sequences)}"
        limits = f"MINVALUE {options.minimum} " if options.minimum is not None else ""
        if options.minimum is None and options.start < 1:
            limits = f"MINVALUE {options.start} " if options.increment > 0 else "MINVALUE -9223372036854775807 "
        limits += f"MAXVALUE {options.maximum} " if options.maximum is not None else ""
        limits += "CYCLE" if options.cycle else "NO CYCLE"
        self.connection.execute(
            f"CREATE SEQUENCE {quoted(INTERNAL, name)} START {options.start} INCREMENT {options.increment} {limits}"
        )
        return name

    @staticmethod
    def next_value(options: Generated) -> str:
        """DuckDB text of the next value of a sequence."""
        return f"nextval({literal(quoted(INTERNAL, options.physical))})"

    def create(self, table: Table, evaluate: Evaluate, work: UnitOfWork) -> None:
        self._make(table, evaluate)
        work.record(lambda: self._remove(table))

    def drop(self, table: Table, evaluate: Evaluate, work: UnitOfWork) -> None:
        image = self._save(table)
        self._remove(table)

        def undo() -> None:
            self._make(table, evaluate)
            self._load(table, image)

        work.record(undo, lambda: self.forget(image))

    def reshape(self, before: Table, after: Table, evaluate: Evaluate, work: UnitOfWork) -> None:
        """Give a table other columns, or another name; rows keep the columns that both have."""
        image = self._save(before)
        self._remove(before)
        self._make(after, evaluate)
        self._load(after, image)

        def undo() -> None:
            self._remove(after)
            self._make(before, evaluate)
            self._load(before, image)

        work.record(undo, lambda: self.forget(image))

    def empty(self, table: Table, work: UnitOfWork) -> None:
        """Delete all rows."""
        image = self._save(table)
        self.connection.execute(f"DELETE FROM {table.source}")
        work.record(lambda: self._load(table, image), lambda: self.forget(image))

    def image_name(self) -> str:
        """A name for a table that keeps rows for the undo log."""
        return quoted(INTERNAL, f"IMAGE {next(self.images)}")

    def forget(self, image: str) -> None:
        self.connection.execute(f"DROP TABLE IF EXISTS {image}")

    def forget_schema(self, name: str) -> None:
        """Remove a session's temporary tables."""
        self.connection.execute(f"DROP SCHEMA IF EXISTS {quoted(name)} CASCADE")

    def _save(self, table: Table) -> str:
        image = self.image_name()
        self.connection.execute(f"CREATE TABLE {image} AS SELECT * FROM {table.source}")
        return image

    def _load(self, table: Table, image: str) -> None:
        found = {row[0] for row in self.connection.execute(f"DESCRIBE {image}").fetchall()}
        kept = [ROW_KEY, *(column.name for column in table.columns if column.name in found)]
        names = ", ".join(quoted(name) for name in kept)
        self.connection.execute(f"INSERT INTO {table.source} ({names}) SELECT {names} FROM {image}")

    def _make(self, table: Table, evaluate: Evaluate) -> None:
        self.schema(table.physical[0] or table.schema)
        columns = [f"{quoted(ROW_KEY)} BIGINT DEFAULT nextval({literal(ROWS)})"]
        columns += [self._column(column, evaluate) for column in table.columns]
        self.connection.execute(f"CREATE TABLE {table.source} ({', '.join(columns)})")

    def _remove(self, table: Table) -> None:
        self.connection.execute(f"DROP TABLE {table.source}")

    def _column(self, column: TableColumn, evaluate: Evaluate) -> str:
        parts = [quoted(column.name), duckdb_type(column.type)]
        if column.identity:
            parts.append("DEFAULT " + self.next_value(column.identity))
        elif column.default is not None:
            parts.append("DEFAULT " + self._default(column, evaluate))
        return " ".join(parts if column.nullable else [*parts, "NOT NULL"])

    @staticmethod
    def _default(column: TableColumn, evaluate: Evaluate) -> str:
        if column.default == "":
            return literal(type_default(column.type))
        found = register(column.default or "")
        if found:
            return found[1]
        return literal(evaluate(column.default or "NULL", column.type))
