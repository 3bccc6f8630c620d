"""Catalog views of user objects: those of the machine, and of the objects that users created, in one."""

import csv
from collections import defaultdict
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from tests.standin.api import Relation, Use
from tests.standin.machine.contract import sql_type
from tests.standin.objects.authorities import AUTHORITIES
from tests.standin.objects.definitions import Name, quoted
from tests.standin.objects.privileges import PUBLIC
from tests.standin.objects.reflection import REFLECTED
from tests.standin.objects.storage import INTERNAL
from tests.standin.types import Column, duckdb_type

if TYPE_CHECKING:
    from tests.standin.objects.database import Database


ROW = quoted("ROW $STANDIN")  # what tells a row from all others, while it is shown


class Reflected(NamedTuple):
    """What a catalog view shows: of which versions of objects and tasks, and its rows by their id()."""

    version: tuple[int, int]
    rows: dict[int, dict[str, Any]]


@cache
def _listed() -> dict[Name, tuple[Column, ...]]:
    """Columns of catalog views that the machine lacks: it has those that the advisor reads."""
    found: dict[Name, list[Column]] = defaultdict(list)
    with Path(__file__).with_name("catalog.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            found[Name(row["schema"], row["view"])].append(Column(row["column"], sql_type(row["type"])))
    return {name: tuple(columns) for name, columns in found.items()}


def relation(database: "Database", name: Name) -> Relation | None:
    """Return a view of the system, or None if no view has this name."""
    base = _of_machine(database, name)
    columns = _columns(base, name)
    if not columns:
        return None
    schema = name.schema or ""
    source = quoted(schema, name.name)
    if name in REFLECTED:
        refresh(database, [Use("SELECT", schema, name.name)])
        source = _united(base.columns, columns, source, _kept(name)) if base else _kept(name)
    return Relation(schema, name.name, columns, source, "view")


def function(database: "Database", name: Name, arguments: int) -> Relation | None:
    """A table function about user objects: of the session's user, whatever its arguments say."""
    if name != AUTHORITIES or arguments != 2:
        return None
    schema = name.schema or ""
    refresh(database, [Use("EXECUTE", schema, name.name)])
    kept, user = _kept(name), "getvariable('USER')"
    holder = f"coalesce((SELECT MAX(AUTHID) FROM {kept} WHERE AUTHID = {user}), '{PUBLIC}')"
    columns = _listed()[name][:-1]
    source = f"(SELECT * EXCLUDE (AUTHID, {ROW}) FROM {kept} WHERE AUTHID = {holder})"
    return Relation(schema, name.name, columns, source, "function")


def _of_machine(database: "Database", name: Name) -> Relation | None:
    base = database.relations.get((name.schema or "", name.name))
    return base if base and base.kind == "view" else None


def _columns(base: Relation | None, name: Name) -> tuple[Column, ...]:
    machine = base.columns if base else ()
    own = {column.name for column in machine}
    return (*machine, *(column for column in _listed().get(name, ()) if column.name not in own))


def _united(own: tuple[Column, ...], columns: tuple[Column, ...], machine: str, users: str) -> str:
    of_machine, of_users = (", ".join(quoted(column.name) for column in some) for some in (own, columns))
    return f"(SELECT {of_machine} FROM {machine} UNION ALL BY NAME SELECT {of_users} FROM {users})"


def _kept(name: Name) -> str:
    return quoted(INTERNAL, f"{name.schema}.{name.name}")


def refresh(database: "Database", uses: Iterable[Use]) -> None:
    """Rewrite the rows of user objects for these catalog views if objects have changed since the last time."""
    for use in uses:
        name = Name(use.schema, use.name)
        if name in REFLECTED:
            with database.lock:
                _write(database, name)


def _write(database: "Database", name: Name) -> None:
    version = (database.registry.version, database.scheduler.version)
    known = database.reflected.get(name)
    if known and known.version == version:
        return
    columns = _columns(_of_machine(database, name), name)
    rows = {id(row): row for row in REFLECTED[name](database)}
    # Most changes affect few objects: rewriting thousands of rows each time would take half of an installation.
    there = known.rows if known else {}
    news = {key: row for key, row in rows.items() if key not in there}
    lists = [list(news), *([row.get(column.name) for row in news.values()] for column in columns)]
    items = ", ".join(
        [f"UNNEST(CAST($1 AS BIGINT[])) AS {ROW}", *(_item(place, column) for place, column in enumerate(columns, 2))]
    )
    if known:
        gone = [key for key in there if key not in rows]
        database.connection.execute(
            f"DELETE FROM {_kept(name)} WHERE {ROW} IN (SELECT UNNEST(CAST($1 AS BIGINT[])))", [gone]
        )
        database.connection.execute(f"INSERT INTO {_kept(name)} SELECT {items}", lists)
    else:
        database.connection.execute(f"CREATE OR REPLACE TABLE {_kept(name)} AS SELECT {items}", lists)
    database.reflected[name] = Reflected(version, rows)


def _item(place: int, column: Column) -> str:
    kind = duckdb_type(column.type)
    value = f"UNNEST(CAST(${place} AS {kind}[]))"
    if column.type.name == "CHAR" and not column.type.bit_data:
        value = f"RPAD({value}, {column.type.length}, ' ')"
    return f"{value} AS {quoted(column.name)}"
