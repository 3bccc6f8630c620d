"""Schema TUNE on an embedded SQLite, in memory: the tables of one state, emptied and filled again for the next.

The connection compiles a statement once and keeps it, because compiling takes longer than running on a database of
ordinary size.
"""

import threading
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import TYPE_CHECKING, Any

from advisor.catalogue.dialect import add_functions, strict_columns, to_sqlite, use_large_sums
from advisor.catalogue.sources import all_sources
from advisor.catalogue.tables import run_tables

if TYPE_CHECKING:
    import apsw

Record = dict[str, Any]
Values = Sequence[Any] | Mapping[str, Any]

LONGEST_KEPT = 16_000  # characters of a statement that the connection keeps
NOT_CACHED = 2000  # rows
STATEMENTS = 512  # that a connection keeps, the most that the library allows
MEMORY = 1 << 30  # bytes of all connections of the process; larger captures end with an error
LIMITS = {"LENGTH": 16 << 20, "SQL_LENGTH": 1 << 20, "VARIABLE_NUMBER": 1000, "ATTACHED": 1}
STEPS = 200_000  # of SQLite's virtual machine between two looks at signals and the clock: 1 to 10 ms
STRANGER_S = 60.0  # for a statement that is not the project's own
LARGE = 50_000  # rows of a state that gets a connection of its own, with indexes

# Columns by which statements look for a row among many: with an index in a table of so many rows.
SOUGHT = ("TBSP_NAME", "TBSPACE", "TABSCHEMA, TABNAME")
MANY_ROWS = 2000

_lock = threading.Lock()
_idle: dict[bool, list["Tables"]] = {False: [], True: []}


@contextmanager
def open_tables(boxed: bool = False, rows: int = 0) -> Iterator["Tables"]:
    """Yield empty tables; ``boxed`` ones can run statements of strangers (``Tables.box``).

    The process keeps them for the next caller, except those for LARGE ``rows``.
    """
    is_large = rows >= LARGE
    with _lock:
        tables = _idle[boxed].pop() if _idle[boxed] and not is_large else None
    tables = tables or Tables(boxed, is_large)
    try:
        yield tables
        if not is_large:
            tables.clear()
    except BaseException:
        tables.close()
        raise
    if is_large:
        tables.close()
    else:
        with _lock:
            _idle[boxed].append(tables)


class Tables:
    """The tables of schema TUNE: those of a run and of its snapshots, and views that were stored as tables."""

    def __init__(self, boxed: bool = False, is_large: bool = False) -> None:
        import apsw

        apsw.hard_heap_limit(MEMORY)
        self._connection = apsw.Connection(":memory:", statementcachesize=STATEMENTS)
        self._connection.execute("ATTACH ':memory:' AS TUNE")
        for setting in ("temp_store = MEMORY", "TUNE.journal_mode = MEMORY", "case_sensitive_like = ON"):
            self._connection.execute(f"PRAGMA {setting}")
        self._connection.config(apsw.SQLITE_DBCONFIG_DQS_DML, 0)  # an unknown name in quotes is not a text
        for name, limit in LIMITS.items():
            self._connection.limit(getattr(apsw, f"SQLITE_LIMIT_{name}"), limit)
        add_functions(self._connection)
        self._is_large = is_large
        self._deadline: float | None = None
        self._is_boxed = False
        self._connection.set_progress_handler(self._check_time, STEPS)
        if boxed:  # setting it makes SQLite compile each statement again
            self._connection.authorizer = self._authorize
        self._given = {*run_tables(), *(source.table.removeprefix("TUNE.") for source in all_sources().values())}
        self._stored: dict[str, bool] = {}  # whether a stored view has rows
        self._defined: dict[str, str] = {}
        self._book: object = None
        self._book_tables: set[str] = set()
        for name, columns in run_tables().items():
            self.execute(f"CREATE TABLE TUNE.{name} ({strict_columns(columns)}) STRICT")
        for source in all_sources().values():
            columns = ", ".join(f"{column.name} {column.type}" for column in source.columns)
            key = ", ".join(["SNAP_ID", *source.names("key")])
            checked = strict_columns(f"SNAP_ID INTEGER, {columns}")
            self.execute(f"CREATE TABLE {source.table} ({checked}, PRIMARY KEY ({key})) STRICT, WITHOUT ROWID")

    def execute(self, sql: str, values: Values = ()) -> "apsw.Cursor":
        """Run a statement in Db2's SQL and return its rows. Raise apsw.Error if it fails."""
        import apsw

        try:
            return self._connection.execute(to_sqlite(sql), values)
        except apsw.Error as error:
            if "integer overflow" not in str(error):
                raise
            return self._connection.execute(use_large_sums(to_sqlite(sql)), values)

    def fetch(self, sql: str, values: Values = ()) -> list[tuple[Any, ...]]:
        """Return the rows of a statement."""
        return self.execute(sql, values).fetchall()

    def records(self, sql: str, values: Values = ()) -> list[Record]:
        """Return the rows of a statement by column name."""
        cursor = self.execute(sql, values)
        first = cursor.fetchone()
        if first is None:
            return []
        names = [column[0] for column in cursor.get_description()]
        return [dict(zip(names, row, strict=True)) for row in (first, *cursor)]

    def describe(self, sql: str) -> tuple[str, ...]:
        """Return the names of a statement's columns, without running it. Raise apsw.Error if it cannot run."""
        from apsw.ext import query_info

        return tuple(column[0] for column in query_info(self._connection, to_sqlite(sql)).description)

    def is_one_statement(self, sql: str) -> bool:
        """Return whether a text is one statement that returns rows. Raise apsw.Error if it cannot run."""
        from apsw.ext import query_info

        info = query_info(self._connection, to_sqlite(sql))
        return bool(info.description) and not (info.query_remaining or "").strip()

    def count_compiled(self) -> int:
        """Return the number of statements that were compiled, without those that are never kept."""
        stats = self._connection.cache_stats()
        return int(stats["misses"] - stats["no_cache"])

    def count_changes(self) -> int:
        """Return the number of rows that the last INSERT, UPDATE or DELETE changed."""
        return int(self._connection.changes())

    def insert(self, table: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
        """Insert rows into a table of the schema. Raise apsw.ConstraintError for a value of the wrong type."""
        statement = f"INSERT INTO TUNE.{table} ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})"
        with self._connection:
            self._insert(statement, rows)

    def fill(self, rows: Iterable[tuple[str, Sequence[Any]]]) -> None:
        """Insert rows, each with the name of its table; a row has all columns."""
        by_table: dict[str, list[Sequence[Any]]] = {}
        for table, row in rows:
            by_table.setdefault(table, []).append(row)
        with self._connection:
            for table, values in by_table.items():
                self._insert(f"INSERT INTO TUNE.{table} VALUES ({', '.join('?' * len(values[0]))})", values)

    def fill_book(self, key: object, rows: Iterable[tuple[str, Sequence[Any]]]) -> None:
        """Insert rows that many states share; they stay until another ``key`` replaces them."""
        if key == self._book:
            return
        self._delete(self._book_tables)
        listed = list(rows)
        self._book, self._book_tables = key, {table for table, _ in listed}
        self.fill(listed)

    def store(self, name: str, select: str) -> None:
        """Store the rows of a view as a table."""
        if len(to_sqlite(select)) > LONGEST_KEPT:
            self.define([(f"TUNE.TEXT_{name}", select)])
            select = f"SELECT * FROM TUNE.TEXT_{name}"
        if name in self._stored:
            self.execute(f"INSERT INTO TUNE.{name} {select}")
        elif self._is_large:
            self._store_with_indexes(name, select)
        else:
            self.execute(f"CREATE TABLE TUNE.{name} AS {select}")
        self._stored[name] = True

    def _store_with_indexes(self, name: str, select: str) -> None:
        """Store a view in a table without types: SQLite makes an index of its own only for columns of the same type."""
        columns = self.describe(select)
        self.execute(f"CREATE TABLE TUNE.{name} ({', '.join(columns)})")
        self.execute(f"INSERT INTO TUNE.{name} {select}")
        if self.count_changes() >= MANY_ROWS:
            for number, sought in enumerate(SOUGHT):
                if {*sought.split(", ")} <= {*columns}:
                    self.execute(f"CREATE INDEX TUNE.{name}_{number} ON {name} ({sought})")

    def store_nothing(self, name: str, select: str) -> None:
        """Make the table of a view without rows."""
        if name not in self._stored:
            self.execute(f"CREATE TABLE TUNE.{name} AS SELECT * FROM (\n{select}\n) AS X LIMIT 0")
            self._stored[name] = False

    def define(self, views: Iterable[tuple[str, str]]) -> None:
        """Create views that are computed whenever a statement reads them. A changed SELECT replaces the earlier one."""
        for name, select in views:
            if self._defined.get(name) != select:
                self._connection.execute(f"DROP VIEW IF EXISTS {name}; CREATE VIEW {name} AS {to_sqlite(select)}")
                self._defined[name] = select

    def empty(self, names: Iterable[str]) -> None:
        """Delete the rows of tables, or of stored views that already exist."""
        self._delete(name for name in names if name in self._given or name in self._stored)

    @contextmanager
    def box(self) -> Iterator[None]:
        """Let statements only read schema TUNE, and only for STRANGER_S seconds."""
        self._deadline, self._is_boxed = time.monotonic() + STRANGER_S, True
        try:
            yield
        finally:
            self._deadline, self._is_boxed = None, False

    def clear(self) -> None:
        """Delete all rows except those of the book."""
        self._delete({*self._given} - self._book_tables)
        self._delete({name for name, has_rows in self._stored.items() if has_rows})
        self._stored = dict.fromkeys(self._stored, False)

    def close(self) -> None:
        self._connection.close(force=True)

    def _insert(self, statement: str, rows: Iterable[Sequence[Any]]) -> None:
        """Insert rows, the first ones without the cache: there each execution displaces a compiled statement."""
        following = iter(rows)
        self._connection.executemany(statement, islice(following, NOT_CACHED), can_cache=False)
        self._connection.executemany(statement, following)

    def _delete(self, names: Iterable[str]) -> None:
        with self._connection:
            for name in names:
                self._connection.execute(f"DELETE FROM TUNE.{name}", can_cache=False)

    def _check_time(self) -> bool:
        """Return whether SQLite must interrupt the statement. Python runs signal handlers here."""
        return self._deadline is not None and time.monotonic() > self._deadline

    def _authorize(self, action: int, first: str | None, second: str | None, schema: str | None, _: str | None) -> int:
        import apsw

        if not self._is_boxed or action in (apsw.SQLITE_SELECT, apsw.SQLITE_RECURSIVE):
            return apsw.SQLITE_OK
        if action == apsw.SQLITE_READ and (schema == "TUNE" or not schema):
            return apsw.SQLITE_OK
        if action == apsw.SQLITE_FUNCTION and second != "load_extension":
            return apsw.SQLITE_OK
        return apsw.SQLITE_DENY
