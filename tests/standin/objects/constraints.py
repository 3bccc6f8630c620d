"""Checks what DML did to a table against its keys and conditions, at the end of the statement as Db2 does.

DuckDB's own keys are not used: they are checked row by row, and count NULLs as different.
"""

from dataclasses import dataclass

import duckdb

from tests.standin.errors import Db2Error
from tests.standin.objects.definitions import ROW_KEY, Foreign, Index, Table, Unique, quoted
from tests.standin.objects.registry import INDEX, Registry

KEY = quoted(ROW_KEY)
# aliases that no column of a user has the name of
ALL, NEW, PARENT = quoted("$ALL"), quoted("$NEW"), quoted("$PARENT")


@dataclass(frozen=True)
class Touched:
    """Rows of a table that a statement inserted or changed: those numbered from ``first``, or all (None)."""

    table: Table
    first: int | None

    @property
    def condition(self) -> str:
        return "TRUE" if self.first is None else f"{NEW}.{KEY} >= {self.first}"


def _listed(columns: tuple[str, ...], alias: str) -> str:
    return ", ".join(f"{alias}.{quoted(column)}" for column in columns)


def uniques(registry: Registry, table: Table) -> list[tuple[int, Unique, bool]]:
    """The unique keys of a table with their index numbers, in the order of creation; and whether NULLs are left out."""
    found = [(unique, False) for unique in table.uniques]
    for _, index in registry.of(INDEX, lambda one: isinstance(one, Index) and one.unique and not one.constraint):
        assert isinstance(index, Index)
        if index.table == table.own:
            columns = tuple(column for column, _ in index.columns)
            found.append((Unique(index.name, columns, "I"), index.exclude_nulls))
    return [(number, unique, nulls) for number, (unique, nulls) in enumerate(found, 1)]


def check_uniques(connection: duckdb.DuckDBPyConnection, registry: Registry, touched: Touched) -> None:
    """-803 with the number of the index and the name of the table."""
    table = touched.table
    for number, unique, skip_nulls in uniques(registry, table):
        if has_duplicates(connection, touched, unique.columns, skip_nulls):
            raise Db2Error(-803, "23505", str(number), f"{table.schema}.{table.name}")


def has_duplicates(
    connection: duckdb.DuckDBPyConnection, touched: Touched, columns: tuple[str, ...], skip_nulls: bool = False
) -> bool:
    keys = _listed(columns, ALL)
    same = " AND ".join(f"{ALL}.{quoted(column)} IS NOT DISTINCT FROM {NEW}.{quoted(column)}" for column in columns)
    text = f"SELECT 1 FROM {touched.table.source} AS {ALL}"
    if touched.first is not None:
        text += f" SEMI JOIN (FROM {touched.table.source} AS {NEW} WHERE {touched.condition}) AS {NEW} ON {same}"
    if skip_nulls:
        text += " WHERE NOT (" + " AND ".join(f"{ALL}.{quoted(column)} IS NULL" for column in columns) + ")"
    return connection.execute(f"{text} GROUP BY {keys} HAVING COUNT(*) > 1 LIMIT 1").fetchone() is not None


def meeting(touched: Touched, image: str, columns: tuple[str, ...]) -> str:
    """The query of rows that have a key which other rows, kept in ``image``, had."""
    same = " AND ".join(f"{ALL}.{quoted(column)} = {NEW}.{quoted(column)}" for column in columns)
    text = (
        f"SELECT 1 FROM {touched.table.source} AS {NEW} JOIN {image} AS {ALL} ON {same} AND {ALL}.{KEY} <> {NEW}.{KEY}"
    )
    return f"{text} WHERE {touched.condition} LIMIT 1"


def check_foreigns(connection: duckdb.DuckDBPyConnection, registry: Registry, touched: Touched) -> None:
    """-530: every foreign key that was written has its parent row."""
    for foreign in touched.table.foreigns:
        condition = orphaned(registry, foreign)
        text = f"SELECT 1 FROM {touched.table.source} AS {NEW} WHERE {touched.condition} AND {condition} LIMIT 1"
        if connection.execute(text).fetchone():
            raise Db2Error(-530, "23503", foreign_name(touched.table, foreign))


def orphaned(registry: Registry, foreign: Foreign) -> str:
    """DuckDB's condition for a row NEW whose foreign key is not null and has no parent row."""
    parent = registry.relation(foreign.parent)
    if not isinstance(parent, Table):
        return "FALSE"
    pairs = zip(foreign.columns, foreign.parent_columns, strict=True)
    same = " AND ".join(f"{PARENT}.{quoted(theirs)} = {NEW}.{quoted(ours)}" for ours, theirs in pairs)
    filled = " AND ".join(f"{NEW}.{quoted(column)} IS NOT NULL" for column in foreign.columns)
    return f"({filled} AND NOT EXISTS (SELECT 1 FROM {parent.source} AS {PARENT} WHERE {same}))"


def foreign_name(table: Table, foreign: Foreign) -> str:
    return f"{table.schema}.{table.name}.{foreign.name}"


def check_conditions(connection: duckdb.DuckDBPyConnection, table: Table, violations: list[tuple[str, str]]) -> None:
    """-545; ``violations`` has the name of each check constraint and the query of the rows that break it."""
    for name, query in violations:
        if connection.execute(f"SELECT 1 FROM ({query}) LIMIT 1").fetchone():
            raise Db2Error(-545, "23513", f"{table.schema}.{table.name}.{name}")
