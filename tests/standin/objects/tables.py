"""CREATE TABLE, and the temporary kinds of it."""

from collections.abc import Iterable
from dataclasses import replace

from tests.standin.errors import Db2Error
from tests.standin.objects import statements as st
from tests.standin.objects.define import Definer
from tests.standin.objects.definitions import (
    Foreign,
    Index,
    Key,
    Name,
    Table,
    TableColumn,
    Unique,
    check_width,
    row_width,
)
from tests.standin.objects.names import SESSION, undefined
from tests.standin.objects.registry import INDEX, RELATION
from tests.standin.objects.storage import NAMES
from tests.standin.sql import compile_statement

USER_TEMPORARY = "USERTEMP1"
SMALLEST_PAGE = 4096
FIRST_WITH_LOBS = (11, 5)  # the level from which column-organized tables take them


def create_table(run: Definer, statement: st.CreateTable) -> None:
    if statement.temporary:
        _create_temporary(run, statement)
        return
    key = run.new(RELATION, statement.name, "TABLE")
    run.database.privileges.require(run.user, ("CREATETAB", "DBADM"), "CREATE TABLE")
    table = _named(run, _draft(run, key.schema, key.name, statement))
    table = replace(table, organization=statement.organization or run.database.options.dft_table_org)
    check_organization(run, table)
    _check_space(run, table)
    run.storage.create(table, run.evaluate, run.work)
    run.put(key, table)
    run.violations(table)
    index_keys(run, table)


def index_keys(run: Definer, table: Table) -> None:
    """The indexes that enforce a table's keys."""
    for unique in table.uniques:
        columns = tuple((column, False) for column in unique.columns)
        index = Index(table.schema, unique.name, Name(table.schema, table.name), columns, True, run.user, run.now)
        key = Key(INDEX, table.schema, unique.name)
        if key not in run.registry.objects:
            run.put(key, replace(index, constraint=unique.kind))


def _draft(run: Definer, schema: str, name: str, statement: st.CreateTable) -> Table:
    columns = tuple(_with_sequence(run, column) for column in _columns(run, statement))
    return Table(
        schema,
        name,
        columns,
        statement.uniques,
        statement.checks,
        statement.foreigns,
        statement.tablespace or run.database.chosen_space(columns, run.user),
        statement.index_tablespace,
        run.user,
        run.now,
        run.now,
    )


def check_organization(run: Definer, table: Table) -> None:
    """-1666 for what a column-organized table cannot have: LOBs before 11.5, generated values, enforced constraints."""
    if table.organization != "COLUMN":
        return
    if run.database.machine.identity.level < FIRST_WITH_LOBS and any(column.type.is_lob for column in table.columns):
        raise Db2Error(-1666, "42613", "LOB")
    if any(column.identity for column in table.columns) or table.foreigns or table.checks:
        raise Db2Error(-1666, "42613", "CHECK" if table.checks else "IDENTITY" if not table.foreigns else "FOREIGN KEY")


def _columns(run: Definer, statement: st.CreateTable) -> tuple[TableColumn, ...]:
    if statement.like:
        model = run.names.relation(*statement.like)
        return tuple(TableColumn(one.name, one.type, one.nullable) for one in model.columns)
    if statement.query:
        compiled = compile_statement(statement.query, run.names, None)
        run.database.privileges.check(run.user, compiled.uses)
        names = statement.query_columns or tuple(one.name for one in compiled.columns)
        if len(names) != len(compiled.columns):
            raise Db2Error(-117, "42802")
        return tuple(
            TableColumn(name, one.type, one.nullable) for name, one in zip(names, compiled.columns, strict=True)
        )
    return tuple(replace(column, type=run.names.written(column.type)) for column in statement.columns)


def _with_sequence(run: Definer, column: TableColumn) -> TableColumn:
    if column.identity is None:
        return column
    return replace(column, identity=replace(column.identity, physical=run.storage.sequence(column.identity)))


def _named(run: Definer, table: Table) -> Table:
    """The table with a name for every constraint and parent columns for every foreign key, all checked."""
    doubled = _doubled([column.name for column in table.columns])
    if doubled:
        raise Db2Error(-612, "42711", doubled)
    if sum(one.kind == "P" for one in table.uniques) > 1:
        raise Db2Error(-624, "42889", f"{table.schema}.{table.name}", "PRIMARY")
    table = _keys_not_null(table)
    uniques = tuple(replace(one, name=one.name or new_name(run)) for one in table.uniques)
    checks = tuple(replace(one, name=one.name or new_name(run)) for one in table.checks)
    foreigns = tuple(resolved(run, replace(one, name=one.name or new_name(run)), table) for one in table.foreigns)
    again = _doubled([one.name for one in (*uniques, *checks, *foreigns)])
    if again:
        raise Db2Error(-601, "42710", again, "CONSTRAINT")
    for one in (*uniques, *foreigns):
        _check_columns(table, one)
        check_key(run, table, one.columns, Db2Error(-613, "54008", one.name))
    return replace(table, uniques=uniques, checks=checks, foreigns=foreigns)


def _keys_not_null(table: Table) -> Table:
    """-542: a column of a key may not take nulls, and in Db2 being in a key does not imply that."""
    for unique in table.uniques:
        for name in unique.columns:
            column = table.column(name)
            if column is not None and column.nullable:
                raise Db2Error(-542, "42831", name)
    return table


def _check_columns(table: Table, key: Unique | Foreign) -> None:
    missing = next((name for name in key.columns if table.column(name) is None), None)
    if missing:
        raise Db2Error(-205, "42703", missing, f"{table.schema}.{table.name}")


def check_key(run: Definer, table: Table, names: Iterable[str], too_long: Db2Error) -> None:
    """r0000919 (CREATE INDEX): -350 for a LOB, ``too_long`` where a quarter of the page of the index does not hold the key."""
    columns = [column for name in names if (column := table.column(name))]
    lob = next((column.name for column in columns if column.type.is_lob), None)
    if lob:
        raise Db2Error(-350, "42962", lob)
    place = table.index_tablespace or table.tablespace
    page_kb = run.database.page_size(place) or run.database.options.page_size
    if row_width(columns) > page_kb * 1024 // 4:
        raise too_long


def _doubled(names: list[str]) -> str | None:
    return next((name for number, name in enumerate(names) if name in names[:number]), None)


def new_name(run: Definer) -> str:
    """A name as the system gives it: SQL and a time stamp in digits, here counted up."""
    row = run.storage.connection.execute("SELECT nextval($1)", [NAMES]).fetchone()
    assert row is not None
    return f"SQL{run.now:%y%m%d%H%M%S}{int(row[0]):03d}"


def resolved(run: Definer, foreign: Foreign, table: Table) -> Foreign:
    """A foreign key with the name and key columns of its parent: -204, -573 if there is no such key."""
    name = run.names.qualified(foreign.parent)
    parent = table if name == Name(table.schema, table.name) else run.database.table(name)
    if parent is None:
        raise undefined(name)
    primary = next((one.columns for one in parent.uniques if one.kind == "P"), ())
    columns = foreign.parent_columns or primary
    if not any(set(one.columns) == set(columns) for one in parent.uniques) or len(columns) != len(foreign.columns):
        raise Db2Error(-573, "42890", f"{table.schema}.{table.name}.{foreign.name}")
    return replace(foreign, parent=name, parent_columns=columns)


def _check_space(run: Definer, table: Table) -> None:
    for name in (table.tablespace, table.index_tablespace):
        if name is not None and run.database.page_size(name) is None:
            raise Db2Error(-204, "42704", name)
    check_width(
        table.columns, run.database.page_size(table.tablespace) or run.database.options.page_size, table.tablespace
    )


def recheck(run: Definer, table: Table) -> None:
    """What ALTER TABLE has to check of the table's new shape."""
    _named(run, table)
    _check_space(run, table)


def _create_temporary(run: Definer, statement: st.CreateTable) -> None:
    if not run.database.options.user_temporary:
        raise Db2Error(-286, "42727", str(SMALLEST_PAGE), run.user)
    if statement.temporary == "CREATED":
        key = run.new(RELATION, statement.name, "TABLE")
        run.put(key, _temporary(run, key.schema, statement))
        return
    if statement.name.schema not in {None, SESSION}:
        raise Db2Error(-79, "428EK", f"{statement.name.schema}.{statement.name.name}")
    before = run.temporary.get(statement.name.name)
    if before and not statement.replace:
        raise Db2Error(-601, "42710", f"{SESSION}.{statement.name.name}", "TABLE")
    if before:
        drop_declared(run, before)
    table = replace(_temporary(run, SESSION, statement), physical=(run.private, statement.name.name))
    run.storage.create(table, run.evaluate, run.work)
    _remember(run, table.name, table)


def _temporary(run: Definer, schema: str, statement: st.CreateTable) -> Table:
    draft = _draft(run, schema, statement.name.name, replace(statement, tablespace=USER_TEMPORARY))
    check_width(draft.columns, run.database.options.page_size, USER_TEMPORARY)
    return replace(draft, temporary=statement.temporary, delete_on_commit=statement.delete_on_commit)


def drop_declared(run: Definer, table: Table) -> None:
    for key, index in run.registry.of(INDEX):
        if isinstance(index, Index) and index.table == table.own:
            run.put(key, None)
    run.storage.drop(table, run.evaluate, run.work)
    _remember(run, table.name, None)


def _remember(run: Definer, name: str, table: Table | None) -> None:
    """A session's own list of declared tables, with the way back."""
    before = run.temporary.pop(name, None)
    if table:
        run.temporary[name] = table

    def undo() -> None:
        run.temporary.pop(name, None)
        if before:
            run.temporary[name] = before

    run.work.record(undo)
