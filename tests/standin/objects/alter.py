"""ALTER TABLE, TRUNCATE, RENAME and COMMENT."""

from collections.abc import Callable
from dataclasses import replace

from tests.standin.errors import Db2Error
from tests.standin.objects import statements as st
from tests.standin.objects.constraints import Touched, check_foreigns, has_duplicates
from tests.standin.objects.define import Definer
from tests.standin.objects.definitions import Check, Foreign, Index, Key, Name, Table, TableColumn, Unique, View, quoted
from tests.standin.objects.names import undefined
from tests.standin.objects.registry import INDEX, RELATION
from tests.standin.objects.tables import index_keys, new_name, recheck, resolved
from tests.standin.sql import octets
from tests.standin.types import SqlType, duckdb_type

LONGER = {("CHAR", "CHAR"), ("CHAR", "VARCHAR"), ("VARCHAR", "VARCHAR"), ("VARBINARY", "VARBINARY"), ("CLOB", "CLOB")}
WIDER = ("SMALLINT", "INTEGER", "BIGINT")


def alter_table(run: Definer, statement: st.AlterTable) -> None:
    table = run.names.table(statement.name)
    run.may_change(table.schema, table.name, table.definer, "ALTERIN", "ALTER TABLE")
    after = table
    for alteration in statement.alterations:
        after = ALTERATIONS[alteration.verb](run, after, alteration)
    after = replace(after, altered=run.now)
    recheck(run, after)
    run.storage.reshape(table, after, run.evaluate, run.work)
    run.put(Key(RELATION, table.schema, table.name), after)
    _check_rows(run, table, after)
    index_keys(run, after)
    run.registry.invalidate(table.schema, table.name, run.work)


def _check_rows(run: Definer, before: Table, after: Table) -> None:
    """-603, -667 and -544 if the rows do not meet a new key or condition."""
    connection = run.storage.connection
    for unique in after.uniques:
        if unique not in before.uniques and has_duplicates(connection, Touched(after, None), unique.columns):
            raise Db2Error(-603, "23515")
    added = tuple(one for one in after.foreigns if one not in before.foreigns)
    try:
        check_foreigns(connection, run.registry, Touched(replace(after, foreigns=added), None))
    except Db2Error as error:
        raise Db2Error(-667, "23520", error.tokens[0].rsplit(".", 1)[-1]) from error
    for name, query in run.violations(after):
        if connection.execute(f"SELECT 1 FROM ({query}) LIMIT 1").fetchone():
            raise Db2Error(-544, "23512", name)


def _column(table: Table, name: str) -> TableColumn:
    found = table.column(name)
    if found is None:
        raise Db2Error(-205, "42703", name, f"{table.schema}.{table.name}")
    return found


def _with(table: Table, column: TableColumn) -> Table:
    return replace(table, columns=tuple(column if one.name == column.name else one for one in table.columns))


def _add_column(run: Definer, table: Table, change: st.Alteration) -> Table:
    column = change.column
    assert column is not None
    if table.column(column.name):
        raise Db2Error(-612, "42711", column.name)
    if not column.nullable and column.default is None and column.identity is None:
        raise Db2Error(-193, "42601", column.name)
    if column.identity:
        column = replace(column, identity=replace(column.identity, physical=run.storage.sequence(column.identity)))
    table = replace(table, columns=(*table.columns, column))
    for constraint in change.constraints:
        table = _constrained(run, table, constraint)
    return table


def _add_constraint(run: Definer, table: Table, change: st.Alteration) -> Table:
    return _constrained(run, table, change.constraints[0])


def _constrained(run: Definer, table: Table, constraint: Unique | Check | Foreign) -> Table:
    named = replace(constraint, name=constraint.name or new_name(run))
    if isinstance(named, Unique):
        return replace(table, uniques=(*table.uniques, named))
    if isinstance(named, Check):
        return replace(table, checks=(*table.checks, named))
    return replace(table, foreigns=(*table.foreigns, resolved(run, named, table)))


def _drop_column(run: Definer, table: Table, change: st.Alteration) -> Table:
    """With RESTRICT, -478 where a key or an index has the column (r0000888); whether a view reads it is not looked at."""
    _column(table, change.name)
    keys = (*table.uniques, *table.foreigns)
    if change.restricted:
        name = Name(table.schema, table.name)
        indexes = (one for _, one in run.registry.of(INDEX) if isinstance(one, Index) and one.table == name)
        has_it = next((one.name for one in indexes if any(column == change.name for column, _ in one.columns)), None)
        has_it = has_it or next((key.name for key in keys if change.name in key.columns), None)
        if has_it:
            raise Db2Error(-478, "42893", "COLUMN", has_it, "INDEX")
    if any(change.name in key.columns for key in keys):
        table = replace(
            table,
            uniques=tuple(one for one in table.uniques if change.name not in one.columns),
            foreigns=tuple(one for one in table.foreigns if change.name not in one.columns),
        )
    _drop_indexes(run, table, lambda index: any(column == change.name for column, _ in index.columns))
    return replace(table, columns=tuple(one for one in table.columns if one.name != change.name))


def _drop_indexes(run: Definer, table: Table, where: Callable[[Index], bool]) -> None:
    name = Name(table.schema, table.name)
    for key, index in run.registry.of(INDEX):
        if isinstance(index, Index) and index.table == name and where(index):
            run.put(key, None)


def _drop_constraint(run: Definer, table: Table, change: st.Alteration) -> Table:
    parts = (*table.uniques, *table.checks, *table.foreigns)
    if all(one.name != change.name for one in parts):
        raise Db2Error(-204, "42704", f"{table.schema}.{table.name}.{change.name}")
    _drop_indexes(run, table, lambda index: bool(index.constraint) and index.name == change.name)
    return replace(
        table,
        uniques=tuple(one for one in table.uniques if one.name != change.name),
        checks=tuple(one for one in table.checks if one.name != change.name),
        foreigns=tuple(one for one in table.foreigns if one.name != change.name),
    )


def _drop_primary(run: Definer, table: Table, change: st.Alteration) -> Table:
    primary = next((one.name for one in table.uniques if one.kind == "P"), None)
    if primary is None:
        raise Db2Error(-539, "42888", f"{table.schema}.{table.name}", "PRIMARY")
    return _drop_constraint(run, table, replace(change, name=primary))


def _set_type(run: Definer, table: Table, change: st.Alteration) -> Table:
    """Longer text and wider numbers; a shorter VARCHAR as long as no value is cut."""
    column, wanted = _column(table, change.name), change.type
    assert wanted is not None
    if not _may_become(run, table, column, wanted):
        raise Db2Error(-190, "42837", column.name)
    return _with(table, replace(column, type=wanted))


def _may_become(run: Definer, table: Table, column: TableColumn, wanted: SqlType) -> bool:
    of = column.type
    if of.bit_data != wanted.bit_data:
        return False
    if (of.name, wanted.name) in LONGER:
        return wanted.length >= of.length or not _is_cut(run, table, column, wanted)
    if of.name in WIDER and wanted.name in WIDER:
        return WIDER.index(wanted.name) >= WIDER.index(of.name)
    if of.name == wanted.name == "DECIMAL":
        return wanted.scale >= of.scale and wanted.length - wanted.scale >= of.length - of.scale
    return of == wanted or (of.is_number and wanted.name == "DOUBLE")


def _is_cut(run: Definer, table: Table, column: TableColumn, wanted: SqlType) -> bool:
    size = "octet_length" if duckdb_type(wanted) == "BLOB" else octets.SIZE
    name = quoted(column.name)
    text = f"SELECT 1 FROM {table.source} WHERE {size}({name}) > {wanted.length} LIMIT 1"
    return run.storage.connection.execute(text).fetchone() is not None


def _set_default(_run: Definer, table: Table, change: st.Alteration) -> Table:
    return _with(table, replace(_column(table, change.name), default=change.default))


def _set_not_null(run: Definer, table: Table, change: st.Alteration) -> Table:
    column = _column(table, change.name)
    text = f"SELECT 1 FROM {table.source} WHERE {quoted(column.name)} IS NULL LIMIT 1"
    if run.storage.connection.execute(text).fetchone():
        raise Db2Error(-407, "23502", column.name)
    return _with(table, replace(column, nullable=False))


def _drop_not_null(_run: Definer, table: Table, change: st.Alteration) -> Table:
    return _with(table, replace(_column(table, change.name), nullable=True))


def _restart(run: Definer, table: Table, change: st.Alteration) -> Table:
    column = _column(table, change.name)
    if column.identity is None:
        raise Db2Error(-190, "42837", column.name)
    start = column.identity.start if change.number is None else change.number
    options = replace(column.identity, start=start)
    return _with(table, replace(column, identity=replace(options, physical=run.storage.sequence(options))))


ALTERATIONS: dict[str, Callable[[Definer, Table, st.Alteration], Table]] = {
    "ADD COLUMN": _add_column,
    "ADD CONSTRAINT": _add_constraint,
    "DROP COLUMN": _drop_column,
    "DROP CONSTRAINT": _drop_constraint,
    "DROP PRIMARY": _drop_primary,
    "SET TYPE": _set_type,
    "SET DEFAULT": _set_default,
    "SET NOT NULL": _set_not_null,
    "DROP NOT NULL": _drop_not_null,
    "RESTART": _restart,
}


def truncate(run: Definer, statement: st.Truncate) -> None:
    table = run.names.table(statement.name)
    if run.registry.children(table):
        raise Db2Error(-20356, "428GJ", f"{table.schema}.{table.name}", "2")
    run.storage.empty(table, run.work)


def rename(run: Definer, statement: st.Rename) -> None:
    if statement.kind == "INDEX":
        _rename_index(run, statement)
        return
    table = run.names.table(statement.name)
    run.may_change(table.schema, table.name, table.definer, "ALTERIN", "RENAME TABLE")
    key = run.new(RELATION, Name(table.schema, statement.new), "TABLE")
    after = replace(table, name=statement.new, altered=run.now)
    run.storage.reshape(table, after, run.evaluate, run.work)
    run.put(Key(RELATION, table.schema, table.name), None)
    run.put(key, after)
    for index_key, index in run.registry.of(INDEX):
        if isinstance(index, Index) and index.table == Name(table.schema, table.name):
            run.put(index_key, replace(index, table=Name(after.schema, after.name)))
    run.registry.invalidate(table.schema, table.name, run.work)


def _rename_index(run: Definer, statement: st.Rename) -> None:
    wanted = run.names.qualified(statement.name)
    found = run.registry.find(INDEX, wanted)
    if not isinstance(found, Index):
        raise undefined(wanted)
    run.put(run.new(INDEX, Name(found.schema, statement.new), "INDEX"), replace(found, name=statement.new))
    run.put(Key(INDEX, found.schema, found.name), None)


def comment(run: Definer, statement: st.Comment) -> None:
    """Kept for tables, views and columns; of other objects it is only checked that they exist."""
    if statement.kind == "COLUMN":
        *owner, column = statement.name
        table = run.names.table(Name(owner[0] if len(owner) > 1 else None, owner[-1]))
        _column(table, column)
        remarks = (*((name, text) for name, text in table.column_remarks if name != column), (column, statement.text))
        run.put(Key(RELATION, table.schema, table.name), replace(table, column_remarks=remarks))
        return
    name = run.names.qualified(Name(statement.name[0] if len(statement.name) > 1 else None, statement.name[-1]))
    if statement.kind in {"TABLE", "VIEW"}:
        found = run.registry.relation(name)
        if not isinstance(found, Table | View):
            raise undefined(name)
        run.put(Key(RELATION, found.schema, found.name), replace(found, remarks=statement.text))
    elif statement.kind not in {"SCHEMA", "ROLE"} and not any(
        (key.schema, key.name) == (name.schema, name.name) for key, _ in run.registry.of(statement.kind)
    ):
        raise undefined(name)
