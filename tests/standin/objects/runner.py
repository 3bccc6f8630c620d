"""Runs compiled queries and data changes for one session."""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.standin.api import Compiled, Outcome, Scope, Use
from tests.standin.errors import Db2Error
from tests.standin.objects import catalog
from tests.standin.objects.constraints import KEY
from tests.standin.objects.database import Database
from tests.standin.objects.definitions import Name, Table, Variable, quoted
from tests.standin.objects.dml import Writer, take_back
from tests.standin.objects.names import Resolver, variable_name
from tests.standin.objects.reader import Reader, Rows
from tests.standin.objects.registers import TIMESTAMP
from tests.standin.objects.registry import VARIABLE
from tests.standin.objects.undo import UnitOfWork
from tests.standin.objects.views import make
from tests.standin.objects.widths import ROW_LIMIT, row_width
from tests.standin.sql import compile_statement, failure
from tests.standin.types import Column

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
