"""The entry points: one statement, expression or view, compiled to DuckDB's SQL, and DuckDB's errors in Db2's codes."""

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


OWN = re.compile(r"SQL(\d+)N\|(\w{5})\|(.*)", re.DOTALL)
"""An error that translated text raises itself: code, state, tokens."""

NUMBER_TYPES = {"INT16": "SMALLINT", "INT32": "INTEGER", "INT64": "BIGINT", "FLOAT": "REAL", "BOOL": "BOOLEAN"}

RULES: tuple[tuple[str, int, str, tuple[str, ...]], ...] = (
    (r"More than one row returned by a subquery", -811, "21000", ()),
    (r"Division by zero", -801, "22012", ()),
    (r"Duplicate key .* violates (?:primary key|unique) constraint", -803, "23505", ("1", "{table}")),
    (r"NOT NULL constraint failed: (?P<column>\S+)", -407, "23502", ("{column}",)),
    (r"CHECK constraint failed on table (?P<table>\S+)", -545, "23513", ("{table}",)),
    (r"Violates foreign key constraint because key .* does not exist", -530, "23503", ("{table}",)),
    (r"Violates foreign key constraint because key .* is still referenced", -532, "23504", ("{table}",)),
    (r"MERGE .*more than one", -788, "21506", ("{table}",)),
    (r"Could not convert string .* to (?P<type>\w+)", -420, "22018", ("{type}",)),
    (r"(?:invalid|Invalid).*(?:date|time|timestamp)|field format", -180, "22007", ()),
    (r"(?:date|time|timestamp) field value out of range", -181, "22007", ()),
    (r"Could not parse string", -180, "22007", ()),
    (r"(?:Date|date|Timestamp|timestamp).*(?:overflow|out of range)", -183, "22008", ()),
    (r"out of range for the destination type|Could not cast value", -413, "22003", ()),
    (r"Overflow|out of range|Out of Range|cannot take", -802, "22003", ()),
    (r"INTERRUPT", -952, "57014", ()),
    (r"out of memory|Out of Memory", -954, "57011", ()),
)
"""Messages by pattern, the first that fits; a token may name a group of it, or the changed table."""


def failure(error: Exception, table: str = "") -> Db2Error:
    """Db2's error for one of DuckDB's; ``table`` is the table that the statement changes."""
    message = str(error)
    own = OWN.search(message)
    if own:
        token = own[3].partition("\n\nLINE 1:")[0]
        return Db2Error(-int(own[1]), own[2], *(token.split("\xff") if token else ()))
    for pattern, code, state, tokens in RULES:
        match = re.search(pattern, message)
        if match:
            known = {"table": table} | match.groupdict()
            return Db2Error(code, state, *(_named(token.format(**known)) for token in tokens))
    return Db2Error(-901, "58004", message.splitlines()[0])


def _named(token: str) -> str:
    return NUMBER_TYPES.get(token, token)
