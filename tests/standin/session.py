"""One connected user: runs statements, keeps their unit of work, and is what SQL PL asks for everything else."""

import itertools
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeVar

from tests.standin.api import Outcome, Parameter, Procedure, Scope, Use
from tests.standin.errors import Db2Error
from tests.standin.objects import registers, routines
from tests.standin.objects import statements as st
from tests.standin.objects.database import Database
from tests.standin.objects.ddl import CARRY_OUT, parse
from tests.standin.objects.define import Definer
from tests.standin.objects.definitions import Key, Name, Routine, Table, Variable
from tests.standin.objects.dispatch import (
    CHANGE,
    DEFINITION,
    NOTHING,
    PROCEDURAL,
    QUERY,
    ROUTINE,
    STORAGE,
    WORK,
    kind,
    leading_words,
)
from tests.standin.objects.modes import UNITS, UTF8
from tests.standin.objects.names import Frame, Resolver, variable_name
from tests.standin.objects.registry import PROCEDURE
from tests.standin.objects.runner import Reader, Runner, violations
from tests.standin.objects.units_of_work import Busy, UnitOfWork
from tests.standin.pl import ProcedureDefinition, check_static, marker_parameters, run_compound
from tests.standin.sql import compile_expression, compile_statement
from tests.standin.types import Column, SqlType

STORAGE_AUTHORITIES = ("SYSADM",)
_numbers = itertools.count(1)
_ISOLATION_OPTION = re.compile(r"\bISOLATION (\w+)")
_WITH_ISOLATION = re.compile(r"\bWITH\s+(UR|CS|RS|RR)\b", re.IGNORECASE)
T = TypeVar("T")


@dataclass
class Prepared:
    """A prepared statement: api.Statement."""

    kind: str
    run: Callable[[Sequence[Any]], Outcome]
    columns: tuple[Column, ...] = ()
    parameters: tuple[Parameter, ...] = ()

    def execute(self, values: Sequence[Any] = ()) -> Outcome:
        return self.run(values)


class Session:
    """api.Session and api.Executor for one user. ``dynamic_rules`` is the option for the routines that it creates."""

    def __init__(self, database: Database, user: str) -> None:
        self.database = database
        self.user = user
        self.number = next(_numbers)
        self.work = UnitOfWork(database.locks)
        self.reader = Reader(database.connection)
        self.runner = Runner(database, self.reader, self.work, self._initialise)
        self.temporary: dict[str, Table] = {}
        self.private = f"SESSION {self.number}"  # DuckDB's schema for its temporary tables
        self.dynamic_rules = database.options.dynamic_rules
        self.routine_options = ""
        self._instances: dict[tuple[str, str], Table] = {}
        self._frames = [Frame(user, user)]
        self._apart: Session | None = None  # in which an autonomous procedure runs now
        for name, value in registers.initial(user, database.name, database.machine.members[0]).items():
            self.reader.set(name, value)
        identifier = f"127.0.0.1.{49152 + self.number}.{database.now:%y%m%d%H%M%S}"
        for name, value in {
            "CURRENT TIMEZONE": database.options.timezone,
            "MON_GET_APPLICATION_HANDLE": self.number,
            "MON_GET_APPLICATION_ID": identifier,
            "APPLICATION_ID": identifier,
        }.items():
            self.reader.set(name, value)

    # --- api.Session --------------------------------------------------------------------------------------------

    def prepare(self, sql: str) -> Prepared:
        received = self.database.options.received
        explained = self._explain(sql)
        if explained:
            return explained
        prepared = self.describe(received(sql), None)

        def run(values: Sequence[Any]) -> Outcome:
            return prepared.run([received(value) if isinstance(value, str) else value for value in values])

        return replace(prepared, run=run)

    def commit(self) -> None:
        with self.database.lock:
            for table in [*self.temporary.values(), *self._instances.values()]:
                if table.delete_on_commit:
                    self.database.storage.empty(table, self.work)
            self.work.commit()

    def rollback(self) -> None:
        with self.database.lock:
            self.work.rollback()

    def interrupt(self) -> None:
        """Called by another thread: what runs ends with -952."""
        self.runner.interrupted.set()
        self.reader.interrupt()
        if apart := self._apart:
            apart.interrupt()

    def close(self) -> None:
        self.rollback()
        with self.database.lock:
            self.database.storage.forget_schema(self.private)
            self.database.registry.forget(self.private)
        self.reader.close()

    def _explain(self, sql: str) -> Prepared | None:
        """Explain a statement that is compiled in an explain mode, which does not run it."""
        mode = str(self.reader.variables.get("CURRENT EXPLAIN MODE") or "NO").strip()
        if mode == "NO" or self.database.explainer is None or kind(sql) not in (QUERY, CHANGE):
            return None
        self.reader.set("CURRENT EXPLAIN MODE", "NO")  # for the statements of the explainer itself
        self.database.explainer(lambda text: self.execute(text, None), mode, sql)
        self.reader.set("CURRENT EXPLAIN MODE", mode)
        return Prepared("other", lambda _: Outcome())

    # --- api.Executor -------------------------------------------------------------------------------------------

    def execute(self, sql: str, scope: Scope | None, values: Sequence[Any] = ()) -> Outcome:
        return self.describe(sql, scope).execute(values)

    def describe(self, sql: str, scope: Scope | None) -> Prepared:
        of = kind(sql)
        self._frames[-1].admit(of, scope is None)
        if scope is None:
            self.database.ledger.compile(sql)
        return self._patiently(lambda: self._DESCRIBE[of](self, sql, scope))

    def _patiently(self, act: Callable[[], T]) -> T:
        """Do something, again after each wait for a lock. Inside of a definition, it is the definition that waits."""
        while True:
            try:
                return act()
            except Busy as busy:
                if self.database.lock._is_owned():
                    raise
                self._wait(busy.holder)

    def _wait(self, holder: UnitOfWork) -> None:
        """-911 takes the whole unit of work back."""
        own = self.reader.variables.get("CURRENT LOCK TIMEOUT")
        timeout = own if own is not None else self.database.parameter("locktimeout") or -1
        self.runner.interrupted.clear()
        try:
            self.database.locks.wait(self.work, holder, float(timeout), self._go_on)
        except Db2Error as error:
            if error.state == "40001":
                self.rollback()
            raise

    def _go_on(self) -> None:
        if self.runner.interrupted.is_set():
            raise Db2Error(-952, "57014")

    def evaluate(self, expression: str, scope: Scope | None, wanted: SqlType | None) -> Any:
        return self._patiently(lambda: self._evaluate(expression, scope, wanted))

    def _evaluate(self, expression: str, scope: Scope | None, wanted: SqlType | None) -> Any:
        compiled = compile_expression(expression, self.names(scope), scope, wanted)
        result = self.runner.run(compiled, (), scope, self._user(scope), self.names(scope)).result
        assert result is not None  # an expression is a query of one row
        return result.fetch(1)[0][0]

    def procedure(self, schema: str | None, name: str, arguments: int) -> Procedure:
        return routines.procedure_of(routines.find(self.database, self.schema, Name(schema, name), arguments))

    def call(self, schema: str | None, name: str, arguments: Sequence[Any], names: Sequence[str | None]) -> Outcome:
        found = self._patiently(lambda: self._found(Name(schema, name), len(arguments)))
        procedure = routines.procedure_of(found)
        use = Use("EXECUTE", procedure.schema, procedure.name)
        self.runner.before(frozenset({use}), self._frames[-1].user)
        run = self._run_apart if procedure.autonomous else self._run_routine
        return run(found, arguments, names)

    def _run_routine(
        self, found: Procedure | Routine, arguments: Sequence[Any], names: Sequence[str | None]
    ) -> Outcome:
        procedure = routines.procedure_of(found)
        with self._within(found):
            values = routines.bind(procedure, arguments, names, lambda text, of: self.evaluate(text, None, of))
            return procedure.run(self, values)

    def _run_apart(self, found: Procedure | Routine, arguments: Sequence[Any], names: Sequence[str | None]) -> Outcome:
        """In a session of its own, whose work is committed where the procedure succeeds and else rolled back (c0054575).

        It starts with the special registers of the caller (r0008329, INHERIT SPECIAL REGISTERS), and may wait for it in vain.
        """
        apart = self._apart = Session(self.database, self.user)
        apart._frames = self._frames[-1:]
        for name in registers.TYPES:
            if name in self.reader.variables:
                apart.reader.set(name, self.reader.variables[name])
        try:
            outcome = apart._run_routine(found, arguments, names)
            apart.commit()
        finally:
            self._apart = None
            apart.close()
        return outcome

    def _found(self, name: Name, arguments: int) -> Procedure | Routine:
        found = routines.find(self.database, self.schema, name, arguments)
        procedure = routines.procedure_of(found)
        self.work.see(Key(PROCEDURE, procedure.schema, procedure.name, len(procedure.parameters)))
        return found

    def variable(self, schema: str | None, name: str) -> tuple[Column, str] | None:
        return self.names(None).variable(schema, name)

    def set_variable(self, schema: str | None, name: str, value: Any) -> bool:
        found = self.names(None).find_variable(schema, name)
        if found is None:
            return False
        if found.constant:
            raise Db2Error(-20430, "428HB", f"{found.schema}.{found.name}")
        if (found.schema, found.name) == UNITS and value and self.database.options.codepage != UTF8:
            raise Db2Error(-171, "42815", "1", found.name)
        self.database.privileges.check(self._frames[-1].user, [Use("WRITE", found.schema, found.name)])
        self.reader.set(variable_name(found), value)
        return True

    def savepoint(self) -> int:
        return self.work.mark

    def rollback_to(self, savepoint: int) -> None:
        with self.database.lock:
            self.work.back_to(savepoint)

    # --- whose rights, which names ------------------------------------------------------------------------------

    @property
    def schema(self) -> str:
        return str(self.reader.variables[registers.SCHEMA])

    def names(self, scope: Scope | None) -> Resolver:
        """What names mean: a scope comes with static SQL, whose default schema is that of its routine."""
        qualifier = self._frames[-1].qualifier if scope is not None else None
        units = self.reader.variables.get(".".join(UNITS))
        return Resolver(self.database, qualifier or self.schema, self.temporary, self._instance, self.work, units)

    def _user(self, scope: Scope | None) -> str:
        return self._frames[-1].dynamic_user if scope is None else self._frames[-1].user

    @contextmanager
    def _within(self, found: Procedure | Routine) -> Iterator[None]:
        """Inside of a routine: its definer's rights, and special registers that are put back when it returns."""
        if not isinstance(found, Routine):
            yield
            return
        definer = found.procedure.definer
        caller = self._frames[-1].dynamic_user
        dynamic = definer if found.procedure.dynamic_rules == "BIND" else caller
        kept = {name: self.reader.variables.get(name) for name in registers.TYPES}
        access = min(self._frames[-1].access, found.procedure.access)
        rules = found.procedure.dynamic_rules
        bound = _ISOLATION_OPTION.search(found.procedure.options)
        isolation = bound[1] if bound else "CS"
        self._frames.append(Frame(definer, dynamic, found.qualifier, access, found.procedure.name, rules, isolation))
        try:
            yield
        finally:
            self._frames.pop()
            for name, value in kept.items():
                if name != registers.TIMESTAMP and self.reader.variables.get(name) != value:
                    self.reader.set(name, value)

    def _initialise(self, variable: Variable) -> None:
        value = None
        if variable.default is not None:
            names = self.names(None).within(variable.qualifier)
            compiled = compile_expression(variable.default, names, None, variable.type)
            result = self.runner.run(compiled, (), None, variable.definer, names).result
            assert result is not None  # an expression is a query of one row
            value = result.fetch(1)[0][0]
        self.reader.set(variable_name(variable), value)

    def _instance(self, table: Table) -> Table:
        """This session's rows of a created temporary table."""
        key = (table.schema, table.name)
        if key not in self._instances:
            own = replace(table, physical=(self.private, f"{table.schema}.{table.name}"))
            with self.database.lock:
                self.database.storage.create(own, lambda text, of: self.evaluate(text, None, of), UnitOfWork())
            self._instances[key] = own
        return self._instances[key]

    # --- statements ---------------------------------------------------------------------------------------------

    def _describe_sql(self, sql: str, scope: Scope | None) -> Prepared:
        compiled = compile_statement(sql, self.names(scope), scope)
        self.database.privileges.check(self._user(scope), compiled.uses)  # also if the statement is only described
        parameters = tuple(Parameter(column) for column in compiled.markers)
        returns = "query" if compiled.columns else "other"
        return Prepared(returns, partial(self._run_sql, sql, scope), compiled.columns, parameters)

    def _run_sql(self, sql: str, scope: Scope | None, values: Sequence[Any]) -> Outcome:
        return self._patiently(lambda: self._run_once(sql, scope, values))

    def _run_once(self, sql: str, scope: Scope | None, values: Sequence[Any]) -> Outcome:
        names = self.names(scope)
        compiled = compile_statement(sql, names, scope)
        return self.runner.run(compiled, values, scope, self._user(scope), names, self._isolation(sql, scope))

    def _isolation(self, sql: str, scope: Scope | None) -> str:
        """Of the statement itself, of the session for a dynamic one (r0010945), else of its package."""
        own = _WITH_ISOLATION.search(sql)
        session = str(self.reader.variables.get("CURRENT ISOLATION") or "").strip() if scope is None else ""
        return own[1].upper() if own else session or self._frames[-1].isolation

    def _describe_procedural(self, sql: str, _scope: Scope | None) -> Prepared:
        is_call = leading_words(sql, 1) == ["CALL"]

        def run(values: Sequence[Any]) -> Outcome:
            self._frames.append(replace(self._frames[-1], dynamic_rules=self.dynamic_rules))
            try:
                return run_compound(sql, self, values)
            finally:
                self._frames.pop()

        return Prepared("call" if is_call else "other", run, (), marker_parameters(sql, self))

    def _describe_definition(self, sql: str, scope: Scope | None) -> Prepared:
        self.database.faults.refuse(sql)
        statement = parse(sql)
        return Prepared("other", lambda _: self.define(CARRY_OUT[type(statement)], statement, scope))

    def _describe_routine(self, sql: str, scope: Scope | None) -> Prepared:
        self.database.faults.refuse(sql)
        carry_out = partial(
            routines.create_routine,
            dynamic_rules=self.dynamic_rules,
            options=self.routine_options,
            check=self._check_routine,
        )
        return Prepared("other", lambda _: self.define(carry_out, sql, scope))

    def _check_routine(self, definition: ProcedureDefinition) -> None:
        """Prepare the static SQL of a new routine; names mean what they mean to who creates it."""
        user = self._user(None)
        self._frames.append(Frame(user, user, None, definition.access, definition.name.name))
        try:
            check_static(definition, self)
        finally:
            self._frames.pop()

    def _describe_storage(self, sql: str, scope: Scope | None) -> Prepared:
        return Prepared("other", lambda _: self._carry_out_storage(sql, scope))

    def _describe_work(self, sql: str, _scope: Scope | None) -> Prepared:
        words = leading_words(sql, 3)
        if words[0] in {"COMMIT", "ROLLBACK"} and words[-2:] != ["TO", "SAVEPOINT"] and "TO" not in words:
            end = self.commit if words[0] == "COMMIT" else self.rollback
            return Prepared("other", lambda _: end() or Outcome())
        statement = parse(sql)
        return Prepared("other", lambda _: self._WORK[type(statement)](self, statement))

    def _describe_nothing(self, sql: str, _scope: Scope | None) -> Prepared:
        if leading_words(sql, 3) == ["FLUSH", "PACKAGE", "CACHE"]:
            return Prepared("other", lambda _: self.database.ledger.cache.clear() or Outcome())
        return Prepared("other", lambda _: Outcome())

    _DESCRIBE: "dict[str, Callable[[Session, str, Scope | None], Prepared]]" = {  # noqa: RUF012 -- a table
        QUERY: _describe_sql,
        CHANGE: _describe_sql,
        PROCEDURAL: _describe_procedural,
        DEFINITION: _describe_definition,
        ROUTINE: _describe_routine,
        STORAGE: _describe_storage,
        WORK: _describe_work,
        NOTHING: _describe_nothing,
    }

    def define(self, carry_out: Callable[[Definer, Any], None], statement: Any, scope: Scope | None) -> Outcome:
        """Run DDL: it happens as a whole or not at all."""
        return self._patiently(lambda: self._define(carry_out, statement, scope))

    def _define(self, carry_out: Callable[[Definer, Any], None], statement: Any, scope: Scope | None) -> Outcome:
        with self.database.lock:
            mark = self.work.mark
            try:
                carry_out(self._definer(scope), statement)
            except Exception:
                self.work.back_to(mark)
                raise
        return Outcome()

    def _definer(self, scope: Scope | None) -> Definer:
        names = self.names(scope)
        return Definer(
            self.database,
            self.work,
            self._user(scope),
            names,
            self.temporary,
            self.private,
            lambda text, of: self.evaluate(text, None, of),
            lambda table: violations(table, names),
        )

    def _carry_out_storage(self, sql: str, scope: Scope | None) -> Outcome:
        user = self._user(scope)
        self.database.privileges.require(user, STORAGE_AUTHORITIES, " ".join(leading_words(sql, 2)))
        self.database.admin(sql)
        return Outcome()

    def _set_register(self, statement: st.SetRegister) -> Outcome:
        found = registers.split(statement.text)
        if found:
            name, text = found
            self.reader.set(
                name, registers.value(name, text, lambda one: self.evaluate(one, None, registers.TYPES[name]))
            )
        return Outcome()

    def _savepoint(self, statement: st.Savepoint) -> Outcome:
        self.work.savepoint(statement.name)
        return Outcome()

    def _release(self, statement: st.Release) -> Outcome:
        self.work.release(statement.name)
        return Outcome()

    def _rollback_to(self, statement: st.RollbackTo) -> Outcome:
        with self.database.lock:
            self.work.to_savepoint(statement.name)
        return Outcome()

    _WORK: "dict[type, Callable[[Session, Any], Outcome]]" = {  # noqa: RUF012 -- a table
        st.SetRegister: _set_register,
        st.Savepoint: _savepoint,
        st.Release: _release,
        st.RollbackTo: _rollback_to,
    }
