"""A session's connection to DuckDB, and the compiled queries and data changes that it runs there."""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import duckdb

from tests.standin import results
from tests.standin.api import Compiled, Outcome, Scope, Use
from tests.standin.errors import Db2Error, Disconnect
from tests.standin.objects import catalog
from tests.standin.objects.constraints import KEY
from tests.standin.objects.database import Database
from tests.standin.objects.definitions import ROW_LIMIT, Name, Table, Variable, quoted, row_width
from tests.standin.objects.dml import Writer, take_back
from tests.standin.objects.names import Resolver, variable_name
from tests.standin.objects.registers import TIMESTAMP, literal
from tests.standin.objects.registry import VARIABLE
from tests.standin.objects.units_of_work import UnitOfWork
from tests.standin.objects.views import make
from tests.standin.sql import compile_statement, failure
from tests.standin.types import Column

AT_ONCE = 1000  # rows that are read when a query opens; a longer result keeps its connection

Row = tuple[Any, ...]


class Reader:
    """Runs text on a DuckDB connection of its own, which has the session's variables.

    DuckDB's results end with the next statement on their connection. A result that is not read at once takes the
    connection along, and the session goes on with a new one.
    """

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self._origin = connection
        self.connection = connection.cursor()
        self.variables: dict[str, Any] = {}

    def set(self, name: str, value: Any) -> None:
        self.variables[name] = value
        self._set(name, value)

    def _set(self, name: str, value: Any) -> None:
        self.connection.execute(f"SET VARIABLE {quoted(name)} = {literal(value)}")

    def query(self, name: str, text: str, values: Sequence[Any], columns: tuple[Column, ...]) -> "Rows":
        try:
            cursor = self.connection.execute(text, list(values))
            first = cursor.fetchmany(AT_ONCE)
        except duckdb.Error as error:
            raise failure(error) from error
        if len(first) < AT_ONCE:
            return Rows(name, columns, first)
        self.connection = self._origin.cursor()
        for variable, value in self.variables.items():
            self._set(variable, value)
        return Rows(name, columns, first, cursor)

    def all(self, text: str, values: Sequence[Any]) -> list[Row]:
        """All rows at once."""
        try:
            return self.connection.execute(text, list(values)).fetchall()
        except duckdb.Error as error:
            raise failure(error) from error

    def known(self, name: str, text: str, values: Sequence[Any], columns: tuple[Column, ...]) -> "Rows":
        """As ``query`` where the rows depend on nothing but the values."""
        key = (text, repr(values))  # 1, 1.0 and True are equal, and so are 1.0 and 1.00
        return Rows(name, columns, results.result(key, lambda: self.query(name, text, values, columns).fetch(AT_ONCE)))

    def interrupt(self) -> None:
        self.connection.interrupt()

    def close(self) -> None:
        self.connection.close()


class Rows:
    """An open cursor: the rows read so far, and where the others come from."""

    def __init__(
        self, name: str, columns: tuple[Column, ...], rows: list[Row], rest: duckdb.DuckDBPyConnection | None = None
    ) -> None:
        self.name = name
        self.columns = columns
        self._rows = rows
        self._at = 0
        self._rest = rest
        self._left: int | None = None

    def drop_after(self, rows: int) -> None:
        """Let the connection drop after this number of fetched rows."""
        self._left = rows

    def fetch(self, most: int) -> list[Row]:
        if self._left is not None:
            if not self._left:
                raise Disconnect(self.name)
            most = min(most, self._left)
        if self._at >= len(self._rows) and self._rest is not None:
            self._read_on()
        found = self._rows[self._at : self._at + most]
        self._at += len(found)
        if self._left is not None:
            self._left -= len(found)
        return found

    def _read_on(self) -> None:
        assert self._rest is not None
        try:
            self._rows = self._rest.fetchmany(AT_ONCE)
        except duckdb.Error as error:
            raise failure(error) from error
        self._at = 0
        if not self._rows:
            self.close()

    def close(self) -> None:
        if self._rest is not None:
            self._rest.close()
            self._rest = None


CURSOR = "SQLCUR"
IDENTITY = "IDENTITY_VAL_LOCAL"


@dataclass
class Runner:
    """``initialise`` gives a global variable its default when a statement first reads it in this session."""

    database: Database
    reader: Reader
    work: UnitOfWork
    initialise: Callable[[Variable], None]
    interrupted: threading.Event = field(default_factory=threading.Event)

    def run(
        self,
        compiled: Compiled,
        values: Sequence[Any],
        scope: Scope | None,
        user: str,
        names: Resolver,
        isolation: str = "CS",
    ) -> Outcome:
        """Run a statement: return an open cursor for a query, or a change's row count, with a cursor for FINAL TABLE.

        A query sees uncommitted changes of other units of work only with ``isolation`` UR.
        """
        drop_after = self.before(compiled.uses, user)
        self._make_views(compiled)
        self._have_room(compiled)
        inputs = self._inputs(compiled, values, scope)
        if compiled.target is None:
            query = self.reader.known if compiled.pure else self._query(compiled, isolation)
            result = query(CURSOR, compiled.text, inputs, compiled.columns)
            if drop_after is not None:
                result.drop_after(drop_after)
            outcome = Outcome(result=result)
        else:
            outcome = self._change(compiled, inputs, names)
        self.database.ledger.note(compiled, self.database.reads(compiled.uses), outcome.rowcount)
        return outcome

    def _have_room(self, compiled: Compiled) -> None:
        """Raise -1585 if a row to sort, group or keep does not fit a page of a system temporary table space."""
        most = ROW_LIMIT[self.database.options.system_temporary]
        if any(row_width(row.columns) > most for row in compiled.temporaries):
            raise Db2Error(-1585, "54048")

    def _query(self, compiled: Compiled, isolation: str) -> Callable[..., Rows]:
        """How to read. UR reads anything; CS what is committed, or waits for it, by cur_commit (r0053556); RS and RR wait
        and keep others from changing what was read: here a whole table, which Db2 does by rows.
        """
        if isolation == "UR" or (isolation == "CS" and not self.work.locks.others(self.work)):
            return self.reader.query
        names = frozenset(Name(use.schema, use.name) for use in self.database.reads(compiled.uses))
        if isolation == "CS" and self.database.options.cur_commit == "ON":
            return self._committed(names)
        self.work.wait_for(names)
        if isolation != "CS":
            self.work.keep(names, isolation)
        return self.reader.query

    def _committed(self, names: frozenset[Name]) -> Callable[..., Rows]:
        """How to read without the changes of others: in a transaction of DuckDB that takes them back."""
        if not self.work.others(names):
            return self.reader.query

        def query(name: str, text: str, values: Sequence[Any], columns: tuple[Column, ...]) -> Rows:
            with self.database.lock:
                connection = self.reader.connection
                connection.execute("BEGIN")
                try:
                    for change in self.work.others(names):  # as they are now: some may have been committed meanwhile
                        take_back(connection, change)
                    rows = self.reader.all(text, values)
                finally:
                    connection.execute("ROLLBACK")
            return Rows(name, columns, rows)

        return query

    def before(self, uses: frozenset[Use], user: str) -> int | None:
        """Rights, planned faults, and what has to be fresh; after how many rows the connection is to drop."""
        self.interrupted.clear()
        self.database.privileges.check(user, uses)
        read = self.database.reads(uses)
        drop_after = self.database.faults.strike(read, self.interrupted)
        catalog.refresh(self.database, read)
        for use in read:
            self._initialise(use)
        if self.reader.variables.get(TIMESTAMP) != self.database.now:
            self.reader.set(TIMESTAMP, self.database.now)
        return drop_after

    def _make_views(self, compiled: Compiled) -> None:
        """Create the views that the statement's own views read by name; its own views are inlined as queries."""
        read = (Name(use.schema, use.name) for use in self.database.reads(compiled.uses))
        text = compiled.text + compiled.some
        names = [name for name in self.database.unmade.intersection(read) if quoted(*name) in text]
        if names:
            with self.database.lock:
                make(self.database, names)

    def _initialise(self, use: Use) -> None:
        if use.privilege == "READ":
            found = self.database.registry.find(VARIABLE, Name(use.schema, use.name))
            if isinstance(found, Variable) and variable_name(found) not in self.reader.variables:
                self.initialise(found)

    @staticmethod
    def _inputs(compiled: Compiled, values: Sequence[Any], scope: Scope | None) -> list[Any]:
        if len(values) != len(compiled.markers):
            raise Db2Error(-313, "07004")
        inputs: list[Any] = []
        for one in compiled.inputs:
            if isinstance(one, int):
                inputs.append(values[one])
            else:
                assert scope is not None  # only a scope declares what has a name
                inputs.append(scope.value(*one))
        return inputs

    def _change(self, compiled: Compiled, inputs: list[Any], names: Resolver) -> Outcome:
        assert compiled.target is not None
        table = names.table(Name(*compiled.target))
        with self.database.lock:
            writer = Writer(
                self.reader.connection,
                self.database.registry,
                self.database.storage,
                self.work,
                lambda one: violations(one, names),
                lambda error: failure(error, f"{table.schema}.{table.name}"),
            )
            first, rows = writer.write(compiled.kind, table, compiled.text, inputs, compiled.some)
            if compiled.kind == "insert":
                self._remember_identity(table, first)
        if compiled.columns:
            return Outcome(result=Rows(CURSOR, compiled.columns, rows))
        count = int(rows[0][0]) if rows else 0
        return Outcome(rowcount=count) if count else Outcome(code=100, state="02000")

    def _remember_identity(self, table: Table, first: int) -> None:
        """IDENTITY_VAL_LOCAL is the last identity value that an INSERT of this session gave."""
        column = next((one.name for one in table.columns if one.identity), None)
        if column:
            text = f"SELECT MAX({quoted(column)}) FROM {table.source} WHERE {KEY} >= {first}"
            row = self.reader.connection.execute(text).fetchone()
            self.reader.set(IDENTITY, row[0] if row else None)


def violations(table: Table, names: Resolver) -> list[tuple[str, str]]:
    """For each check constraint of a table its name and DuckDB's query of the rows that break it."""
    source = f"{quoted(table.schema, table.name)}"
    return [
        (check.name, compile_statement(f"SELECT 1 FROM {source} WHERE NOT ({check.condition})", names, None).text)
        for check in table.checks
    ]
