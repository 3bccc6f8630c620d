"""CREATE, but for tables."""

from dataclasses import replace

from tests.standin.errors import Db2Error
from tests.standin.objects import statements as st
from tests.standin.objects.constraints import Touched, has_duplicates
from tests.standin.objects.define import Definer
from tests.standin.objects.definitions import Alias, Index, Key, Name, Role, Sequence, Table, Variable, View
from tests.standin.objects.registry import INDEX, RELATION, ROLE, SEQUENCE, VARIABLE
from tests.standin.objects.tables import check_key
from tests.standin.objects.views import define as define_view
from tests.standin.objects.views import show as show_view

FIRST_WITH_INDEXES = (11, 1)  # the level from which column-organized tables take those of a statement


def create_index(run: Definer, statement: st.CreateIndex) -> None:
    name, on = run.names.qualified(statement.name), run.names.qualified(statement.table)
    watched = ((name.schema or "", name.name), (on.schema or "", on.name), statement.columns, statement.unique)
    if run.registry.find(RELATION, on) is None and run.database.machine.create_index(*watched):
        return
    table = run.names.table(statement.table)
    names = tuple(column for column, _ in statement.columns)
    missing = next((name for name in names if table.column(name) is None), None)
    if missing:
        raise Db2Error(-205, "42703", missing, f"{table.schema}.{table.name}")
    if table.organization == "COLUMN" and run.database.machine.identity.level < FIRST_WITH_INDEXES:
        raise Db2Error(-1667, "42858", f"{table.schema}.{table.name}", "CREATE INDEX")
    key = _declared(run, table, statement.name) or run.new(INDEX, statement.name, "INDEX")
    check_key(run, table, names, Db2Error(-614, "54008", key.text))
    run.may_change(table.schema, table.name, table.definer, "ALTERIN", "INDEX")
    if statement.unique and has_duplicates(
        run.storage.connection, Touched(table, None), names, statement.exclude_nulls
    ):
        raise Db2Error(-603, "23515")
    index = Index(key.schema, key.name, table.own, statement.columns, statement.unique, run.user, run.now)
    run.put(key, replace(index, exclude_nulls=statement.exclude_nulls))


def _declared(run: Definer, table: Table, name: Name) -> Key | None:
    """Return the index key for the session's own declared temporary table; raise -601 if the index already exists."""
    if table.temporary != "DECLARED":
        return None
    key = Key(INDEX, table.own.schema or "", name.name)
    if key in run.registry.objects:
        raise Db2Error(-601, "42710", f"{table.schema}.{name.name}", "INDEX")
    return key


def create_view(run: Definer, statement: st.CreateView) -> None:
    key = run.new(RELATION, statement.name, "VIEW", statement.replace)
    before = run.registry.objects.get(key)
    if before is not None and not isinstance(before, View):
        raise Db2Error(-601, "42710", key.text, "TABLE" if isinstance(before, Table) else "ALIAS")
    text = (statement.text.strip(), statement.query, statement.columns)
    draft = View(key.schema, key.name, (), *text, frozenset(), run.names.schema, run.user, run.now)
    view = define_view(draft, run.names)
    run.database.privileges.check(run.user, (use for use in view.uses if use.privilege == "SELECT"))
    show_view(run, view, is_there=True)
    run.put(key, view)
    run.registry.invalidate(view.schema, view.name, run.work)


def create_variable(run: Definer, statement: st.CreateVariable) -> None:
    key = run.new(VARIABLE, statement.name, "VARIABLE", statement.replace)
    if statement.default is not None:
        run.evaluate(statement.default, statement.type)
    made = (statement.type, statement.default, statement.constant, run.names.schema, run.user, run.now)
    run.put(key, Variable(key.schema, key.name, *made))


def create_sequence(run: Definer, statement: st.CreateSequence) -> None:
    key = run.new(SEQUENCE, statement.name, "SEQUENCE", statement.replace)
    options = replace(statement.options, physical=run.storage.sequence(statement.options))
    run.put(key, Sequence(key.schema, key.name, statement.type, options, run.user, run.now))


def alter_sequence(run: Definer, statement: st.AlterSequence) -> None:
    wanted = run.names.qualified(statement.name)
    found = run.registry.find(SEQUENCE, wanted)
    if not isinstance(found, Sequence):
        raise Db2Error(-204, "42704", f"{wanted.schema}.{wanted.name}")
    run.may_change(found.schema, found.name, found.definer, "ALTERIN", "ALTER SEQUENCE")
    changes = dict(statement.changes)
    if "restart" in changes:
        again = changes.pop("restart")
        changes["start"] = found.options.start if again is None else again
    options = replace(found.options, **changes)  # type: ignore[arg-type]
    renewed = replace(options, physical=run.storage.sequence(options))
    run.put(Key(SEQUENCE, found.schema, found.name), replace(found, options=renewed))


def create_alias(run: Definer, statement: st.CreateAlias) -> None:
    key = run.new(RELATION, statement.name, "ALIAS", statement.replace)
    target = run.names.qualified(statement.target)
    if target == Name(key.schema, key.name):
        raise Db2Error(-576, "42916", key.text, key.text)
    run.put(key, Alias(key.schema, key.name, target, run.user, run.now))


def create_schema(run: Definer, statement: st.CreateSchema) -> None:
    if statement.name.startswith("SYS"):
        raise Db2Error(-553, "42939", statement.name)
    owner = statement.owner or run.user
    if statement.name != run.user or owner != run.user:  # asked first: r0000925
        run.database.privileges.require(run.user, ("DBADM",), "CREATE SCHEMA")
    if run.database.has_schema(statement.name):
        raise Db2Error(-601, "42710", statement.name, "SCHEMA")
    run.create_schema(statement.name, owner)


def create_role(run: Definer, statement: st.CreateRole) -> None:
    run.database.privileges.require(run.user, ("SECADM",), "CREATE ROLE")
    key = Key(ROLE, "", statement.name)
    if key in run.registry.objects:
        raise Db2Error(-601, "42710", statement.name, "ROLE")
    run.put(key, Role(statement.name, run.now))
