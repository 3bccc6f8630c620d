"""DROP."""

from collections.abc import Callable

from tests.standin.errors import Db2Error
from tests.standin.objects import statements as st
from tests.standin.objects.define import Definer
from tests.standin.objects.definitions import (
    Alias,
    Definition,
    Index,
    Key,
    Name,
    Role,
    Routine,
    Schema,
    Sequence,
    Table,
    Variable,
    View,
)
from tests.standin.objects.names import SESSION, undefined
from tests.standin.objects.registry import FUNCTION, INDEX, PROCEDURE, RELATION, ROLE, SCHEMA, SEQUENCE, VARIABLE
from tests.standin.objects.tables import drop_declared
from tests.standin.objects.views import show as show_view


def drop(run: Definer, statement: st.Drop) -> None:
    DROPS[statement.kind](run, statement)


def remove(run: Definer, key: Key) -> None:
    """Drop one object that is there, with what is only its own: rows, indexes, privileges."""
    found = run.registry.objects[key]
    if isinstance(found, Table):
        if not found.temporary:
            run.storage.drop(found, run.evaluate, run.work)
        for index_key, index in run.registry.of(INDEX):
            if isinstance(index, Index) and index.table == Name(found.schema, found.name):
                run.put(index_key, None)
    elif isinstance(found, View):
        show_view(run, found, is_there=False)
    run.put(key, None)
    gone = {one for one in run.registry.grants if (one.kind, one.schema, one.name) == key[:3]}
    if gone:
        run.grant(set(), gone)
    if key.space == RELATION:
        run.registry.invalidate(key.schema, key.name, run.work)


def _found(run: Definer, statement: st.Drop, space: str, kind: type[Definition]) -> tuple[Key, Definition]:
    """Return the object and its key; raise -204 if it does not exist, -551 without the right to drop it."""
    name = run.names.qualified(statement.name)
    found = run.registry.find(space, name)
    if not isinstance(found, kind):
        raise undefined(name)
    assert not isinstance(found, Role | Routine)
    run.may_change(name.schema or "", name.name, found.definer, "DROPIN", f"DROP {statement.kind}")
    return Key(space, name.schema or "", name.name), found


def _drop_table(run: Definer, statement: st.Drop) -> None:
    if statement.name.schema == SESSION and statement.name.name in run.temporary:
        drop_declared(run, run.temporary[statement.name.name])
        return
    key, _ = _found(run, statement, RELATION, Table)
    remove(run, key)


def _dropping(space: str, kind: type[Definition]) -> Callable[[Definer, st.Drop], None]:
    def act(run: Definer, statement: st.Drop) -> None:
        key, _ = _found(run, statement, space, kind)
        remove(run, key)

    return act


def _drop_index(run: Definer, statement: st.Drop) -> None:
    name = run.names.qualified(statement.name)
    if name.schema == SESSION and Key(INDEX, run.private, name.name) in run.registry.objects:
        run.put(Key(INDEX, run.private, name.name), None)
        return
    if run.registry.find(INDEX, name) is None and run.database.machine.drop_index(name.schema or "", name.name):
        return
    key, found = _found(run, statement, INDEX, Index)
    if isinstance(found, Index) and found.constraint:
        raise Db2Error(-669, "42917", "2")
    remove(run, key)


def _drop_variable(run: Definer, statement: st.Drop) -> None:
    """-478 while a view reads it."""
    key, _ = _found(run, statement, VARIABLE, Variable)
    _refuse_if_used(run, key, "VARIABLE")
    remove(run, key)


def _drop_sequence(run: Definer, statement: st.Drop) -> None:
    key, _ = _found(run, statement, SEQUENCE, Sequence)
    _refuse_if_used(run, key, "SEQUENCE")
    remove(run, key)


def _refuse_if_used(run: Definer, key: Key, kind: str) -> None:
    for view in run.registry.views():
        if any((use.schema, use.name) == (key.schema, key.name) for use in view.uses):
            raise Db2Error(-478, "42893", kind, f"{view.schema}.{view.name}", "VIEW")


def _drop_routine(run: Definer, statement: st.Drop) -> None:
    """Drop a routine; raise -458 if no routine has this signature, -476 if the name alone is ambiguous."""
    name = run.names.qualified(statement.name)
    found = [
        (key, one)
        for space in ((PROCEDURE, FUNCTION) if statement.specific else (statement.kind,))
        for key, one in run.registry.of(space)
        if isinstance(one, Routine) and _is_meant(statement, name, key, one)
    ]
    if not found:
        raise undefined(name) if statement.arity is None else Db2Error(-458, "42883", name.name)
    if len(found) > 1:
        raise Db2Error(-476, "42725", name.name)
    key, routine = found[0]
    run.may_change(key.schema, key.name, routine.procedure.definer, "DROPIN", f"DROP {key.space}")
    remove(run, key)


def _is_meant(statement: st.Drop, name: Name, key: Key, routine: Routine) -> bool:
    if statement.specific:
        return (key.schema, routine.specific) == name
    return (key.schema, key.name) == name and statement.arity in {None, key.arity}


def _drop_schema(run: Definer, statement: st.Drop) -> None:
    """RESTRICT: -478 while anything is in it."""
    key = Key(SCHEMA, "", statement.name.name)
    found = run.registry.objects.get(key)
    if not isinstance(found, Schema):
        raise undefined(Name("", statement.name.name))
    run.may_change(found.name, found.name, found.definer, "DROPIN", "DROP SCHEMA")
    inside = next(run.registry.in_schema(found.name), None)
    if inside:
        raise Db2Error(-478, "42893", "SCHEMA", inside.text, inside.space)
    remove(run, key)


def _drop_role(run: Definer, statement: st.Drop) -> None:
    run.database.privileges.require(run.user, ("SECADM",), "DROP ROLE")
    key = Key(ROLE, "", statement.name.name)
    if key not in run.registry.objects:
        raise undefined(Name("", statement.name.name))
    run.put(key, None)
    run.grant(
        set(), {one for one in run.registry.grants if key.name == one.grantee or key[:3] == (one.kind, "", one.name)}
    )


DROPS: dict[str, Callable[[Definer, st.Drop], None]] = {
    "TABLE": _drop_table,
    "VIEW": _dropping(RELATION, View),
    "ALIAS": _dropping(RELATION, Alias),
    "INDEX": _drop_index,
    "SEQUENCE": _drop_sequence,
    "VARIABLE": _drop_variable,
    "PROCEDURE": _drop_routine,
    "FUNCTION": _drop_routine,
    "SCHEMA": _drop_schema,
    "ROLE": _drop_role,
}


def drop_everything(run: Definer, schema: str) -> None:
    """ADMIN_DROP_SCHEMA: all objects of a schema, and the schema."""
    for key in list(run.registry.in_schema(schema)):
        if key in run.registry.objects:
            remove(run, key)
    remove(run, Key(SCHEMA, "", schema))
