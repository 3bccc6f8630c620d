"""The entry points: one statement, expression or view, compiled to DuckDB's SQL."""

import re
from collections.abc import Sequence
from dataclasses import replace

from sqlglot import exp

from tests.standin.api import Compiled, Names, Scope
from tests.standin.errors import Db2Error
from tests.standin.sql import changes, kept, predicates
from tests.standin.sql.conversions import assign
from tests.standin.sql.dialect import parse_expression, parse_statement, shown, syntax_error
from tests.standin.sql.frames import Frame
from tests.standin.sql.queries import Binder, Output, Query, finite
from tests.standin.sql.sqltypes import BOOLEAN, varchar
from tests.standin.sql.values import Statement
from tests.standin.types import Column, SqlType

_IMPURE = re.compile(r"\b(getvariable|nextval|random|now)\(")


def compile_statement(text: str, names: Names, scope: Scope | None = None) -> Compiled:
    """One query or data change. Raises Db2Error for whatever Db2 would refuse."""
    return kept.compiled(_statement, text, names, scope)


def _statement(text: str, names: Names, scope: Scope | None) -> Compiled:
    statement = Statement(names, scope)
    binder = Binder(statement)
    node = parse_statement(text)
    if not isinstance(node, exp.Query | exp.Values):
        return _change(statement, changes.change(binder, node))
    query = binder.query(node, None, untyped=True)
    if statement.changed is None:
        return _compiled(statement, "select", query.text, query)
    change, rows = statement.changed
    return _compiled(statement, change.kind, f"WITH {rows} {query.text}", query, change)


def _compiled(
    statement: Statement, kind: str, text: str, query: Query, change: changes.DataChange | None = None
) -> Compiled:
    finished, inputs = statement.finished(text)
    return Compiled(
        kind,
        finished,
        _columns(query),
        statement.marker_columns(),
        inputs,
        frozenset(statement.uses),
        (change.relation.schema, change.relation.name) if change else None,
        temporaries=tuple(statement.temporaries),
        some="" if inputs else change.some if change else query.some if len(query.some) < len(finished) / 2 else "",
    )


def _columns(query: Query) -> tuple[Column, ...]:
    """The result's columns: one without a name has its number, an untyped NULL is VARCHAR(1)."""
    return tuple(
        Column(item.name or str(place), item.type or varchar(1), item.nullable)
        for place, item in enumerate(query.items, 1)
    )


def _change(statement: Statement, change: changes.DataChange) -> Compiled:
    return _compiled(statement, change.kind, change.text, Query("", ()), change)


def compile_expression(text: str, names: Names, scope: Scope | None, wanted: SqlType | None) -> Compiled:
    """Compile a scalar expression assigned to a type, or a search condition without one: one row, one column."""
    return kept.compiled(_expression, text, names, scope, wanted)


def _expression(text: str, names: Names, scope: Scope | None, wanted: SqlType | None) -> Compiled:
    statement = Statement(names, scope)
    binder = Binder(statement)
    node = parse_expression(text)
    if wanted is None:
        value = predicates.condition_of(binder, node, Frame())
    else:
        value = assign(statement.typed(binder.expression(node, Frame()), wanted), wanted, "")
    kind = wanted or BOOLEAN
    query = Query("", (Output(value.name, kind, value.nullable),))
    compiled = _compiled(statement, "select", f"SELECT {finite(value)}", query)
    return replace(compiled, pure=not compiled.uses and not _IMPURE.search(compiled.text))


def compile_view(text: str, names: Names, given: Sequence[str] = ()) -> Compiled:
    """The query of a view: no markers or variables, no order or limit, every column with a name of its own and a type.

    ``given`` are the names that CREATE VIEW lists itself. Raises -153 for a column without a name, -158 for
    another number of names, -418 for a marker and an untyped NULL, -20211 for ORDER BY and FETCH FIRST of all of it.
    """
    return kept.compiled(_view, text, names, None, tuple(given))


def _view(text: str, names: Names, scope: Scope | None, given: tuple[str, ...]) -> Compiled:
    statement = Statement(names, scope, of_view=True)
    node = parse_statement(text)
    if not isinstance(node, exp.Query | exp.Values):
        raise syntax_error(shown(node), "AS")
    if any(node.args.get(clause) for clause in ("order", "limit", "offset")):
        raise Db2Error(-20211, "428FJ")
    query = Binder(statement).query(node, None)
    if statement.markers or statement.changed is not None:
        raise Db2Error(-418, "42610")
    if given and len(given) != len(query.items):
        raise Db2Error(-158, "42811", "VIEW")
    found = [item.name for item in query.items]
    if not given and ("" in found or len(set(found)) < len(found)):
        raise Db2Error(-153, "42908")
    if given:
        items = tuple(replace(item, name=name) for item, name in zip(query.items, given, strict=True))
        query = replace(query, items=items)
    return _compiled(statement, "select", query.text, query)
