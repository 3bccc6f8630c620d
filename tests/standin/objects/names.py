"""What the names in a statement mean, and whose rights count: for one session, one default schema and one routine."""

from collections.abc import Callable
from dataclasses import dataclass

from tests.standin.api import Relation
from tests.standin.errors import Db2Error
from tests.standin.objects import catalog
from tests.standin.objects.database import Database
from tests.standin.objects.definitions import Key, Name, Sequence, Table, Variable, View, quoted
from tests.standin.objects.dispatch import CHANGE, DEFINITION, QUERY, ROUTINE, STORAGE
from tests.standin.objects.modes import DATE
from tests.standin.objects.registers import SYSTEM_PATH, TIMESTAMP, literal, register
from tests.standin.objects.registry import RELATION, SEQUENCE, VARIABLE
from tests.standin.objects.units_of_work import UnitOfWork
from tests.standin.pl.tree import MODIFIES, READS
from tests.standin.types import Column, SqlType, duckdb_type

NEEDS = {QUERY: READS, CHANGE: MODIFIES, DEFINITION: MODIFIES, ROUTINE: MODIFIES, STORAGE: MODIFIES}


@dataclass(frozen=True)
class Frame:
    """Whose rights count, and what unqualified names mean, for the statements of the client or of one routine."""

    user: str  # for static SQL
    dynamic_user: str
    qualifier: str | None = None  # of static SQL; None: CURRENT SCHEMA
    access: int = MODIFIES  # what the SQL of the routine, and of those that called it, may do with data
    routine: str = ""
    dynamic_rules: str = "RUN"  # BIND: of SQL PL that prepares no definition
    isolation: str = "CS"  # of static SQL: that of its package

    def admit(self, statement: str, is_dynamic: bool) -> None:
        """-577 or -579 for a kind of statement that the routine has not declared, -549 for a definition with bind behavior."""
        if is_dynamic and self.dynamic_rules == "BIND" and statement in {DEFINITION, ROUTINE}:
            raise Db2Error(-549, "42509", statement, "PACKAGE", self.routine, "DYNAMICRULES RUN", "PACKAGE")
        needed = NEEDS.get(statement, 0)
        if needed > self.access:
            code, state = (-577, "38002") if needed == MODIFIES else (-579, "38004")
            raise Db2Error(code, state, self.routine, self.routine)


Instance = Callable[[Table], Table]  # the session's own rows of a created temporary table
SESSION = "SESSION"


class Resolver:
    """Names for one default schema; ``temporary`` are the session's declared tables."""

    def __init__(
        self,
        database: Database,
        schema: str,
        temporary: dict[str, Table],
        instance: Instance,
        work: UnitOfWork,
        units: str | None = None,
    ) -> None:
        self.database = database
        self._work = work
        self.units = units  # of strings, as the session has set them
        self.schema = schema
        self._temporary = temporary
        self._instance = instance

    def qualified(self, name: Name) -> Name:
        return Name(name.schema or self.schema, name.name)

    def table(self, name: Name) -> Table:
        """Return a table for DML or DDL; raise -204 if it does not exist."""
        qualified = self.qualified(name)
        found = self._temporary.get(name.name) if qualified.schema == SESSION else None
        self._work.see(Key(RELATION, qualified.schema or "", qualified.name))
        found = found or self.database.table(qualified)
        if found is None:
            raise undefined(qualified)
        return self._instance(found) if found.temporary == "CREATED" else found

    def relation(self, schema: str | None, name: str) -> Relation:
        wanted = self.qualified(Name(schema, name))
        if wanted.schema == SESSION and name in self._temporary:
            return _of_table(self._temporary[name])
        self._work.see(Key(RELATION, wanted.schema or "", wanted.name))
        found = self.database.registry.relation(wanted)
        if isinstance(found, Table):
            return _of_table(self._instance(found) if found.temporary == "CREATED" else found)
        if isinstance(found, View):
            return _of_view(found if found.valid and found.fresh else self._revalidated(found))
        system = catalog.relation(self.database, wanted)
        if system is None:
            raise undefined(wanted)
        return system

    def _revalidated(self, view: View) -> View:
        """A view whose objects have changed is compiled again at its next use."""
        from tests.standin.objects.views import define

        own = Resolver(self.database, view.qualifier, {}, self._instance, self._work, self.units)
        try:
            valid = define(view, own)
        except Db2Error as error:
            raise Db2Error(-575, "51024", f"{view.schema}.{view.name}") from error
        with self.database.lock:
            self.database.unmade.add(Name(view.schema, view.name))
            self.database.registry.put(Key(RELATION, view.schema, view.name), valid, UnitOfWork())
        return valid

    def table_function(self, schema: str | None, name: str, arguments: int) -> Relation:
        schemas = (schema,) if schema else (*SYSTEM_PATH, self.schema)
        for one in schemas:
            base = self.database.relations.get((one, name))
            if base and base.kind == "function":
                needed = sum(not argument.optional for argument in base.arguments)
                if needed <= arguments <= len(base.arguments):
                    return Relation(one, name, base.columns, quoted(one, name), "function")
            of_users = catalog.function(self.database, Name(one, name), arguments)
            if of_users:
                return of_users
        raise Db2Error(-440, "42884", f"{schema}.{name}" if schema else name, "FUNCTION")

    def variable(self, schema: str | None, name: str) -> tuple[Column, str] | None:
        found = self.find_variable(schema, name)
        if found is None:
            return None
        text = f"CAST(getvariable({literal(variable_name(found))}) AS {duckdb_type(found.type)})"
        return Column(found.name, found.type), text

    def find_variable(self, schema: str | None, name: str) -> Variable | None:
        for one in (schema,) if schema else (self.schema,):
            found = self.database.registry.find(VARIABLE, Name(one, name))
            if isinstance(found, Variable):
                return found
        return None

    def sequence(self, schema: str | None, name: str) -> tuple[SqlType, str]:
        wanted = self.qualified(Name(schema, name))
        found = self.database.registry.find(SEQUENCE, wanted)
        if not isinstance(found, Sequence):
            raise undefined(wanted)
        value = self.database.storage.next_value(found.options)
        return found.type, f"CAST({value} AS {duckdb_type(found.type)})"

    def register(self, name: str) -> tuple[Column, str] | None:
        found = register(name)
        if found is None or found[0].type.name != "DATE" or not self.mode(DATE):
            return found
        kind = self.written(found[0].type)
        return Column(found[0].name, kind, nullable=False), f"date_trunc('second', {register(TIMESTAMP)[1]})"  # type: ignore[index]

    def mode(self, name: str) -> bool:
        return name in self.database.options.modes

    def written(self, kind: SqlType) -> SqlType:
        return self.database.options.written(kind, self.units)

    def within(self, schema: str) -> "Resolver":
        """The same session, with another default schema."""
        if schema == self.schema:
            return self
        return Resolver(self.database, schema, self._temporary, self._instance, self._work, self.units)


def variable_name(variable: Variable) -> str:
    """The name of a global variable among the variables of a DuckDB connection."""
    return f"{variable.schema}.{variable.name}"


def undefined(name: Name) -> Db2Error:
    return Db2Error(-204, "42704", f"{name.schema}.{name.name}" if name.schema else name.name)


def _of_table(table: Table) -> Relation:
    return Relation(table.schema, table.name, tuple(column.column for column in table.columns), table.source)


def _of_view(view: View) -> Relation:
    source = quoted(view.schema, view.name)
    return Relation(view.schema, view.name, view.columns, source, "view", view.some, view.duckdb)
