"""Binding FROM clauses: tables, views, table functions, nested queries and joins."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from sqlglot import exp

from tests.standin.api import Relation, Use
from tests.standin.errors import Db2Error
from tests.standin.sql import changes, expressions
from tests.standin.sql.dialect import ChangedRows, only, shown, syntax_error
from tests.standin.sql.frames import Exposed, Frame, Item
from tests.standin.sql.sqltypes import varchar
from tests.standin.sql.values import Value, quoted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.standin.sql.queries import Binder, Output


@dataclass(frozen=True)
class Source:
    """The text of a FROM clause or a part of it; ``some`` as in ``Query``, of its first table."""

    text: str
    free: frozenset[str] = frozenset()
    some: str = ""


_JOINS = {"LEFT": "LEFT JOIN", "RIGHT": "RIGHT JOIN", "FULL": "FULL JOIN", "": "INNER JOIN"}


def from_clause(binder: Binder, node: exp.Select, frame: Frame) -> Source:
    """All tables of a query; they become visible in ``frame`` one after the other."""
    source = table(binder, node.args["from_"].this, frame)
    return _joins(binder, node.args.get("joins") or (), source, frame, 0)


def _joins(binder: Binder, joins: Sequence[exp.Join], source: Source, frame: Frame, first: int) -> Source:
    text, free, some = source.text, source.free, source.some
    for join in joins:
        only(join, "this", "side", "kind", "on")
        before = len(frame.tables)
        right = table(binder, join.this, frame)
        free |= right.free
        side, kind, on = join.side, join.kind, join.args.get("on")
        if side in {"RIGHT", "FULL"}:
            _make_nullable(frame, first, before)
        if on is None:
            if side or kind not in {"", "CROSS"}:
                raise syntax_error("END-OF-STATEMENT", "JOIN")
            text += f" CROSS JOIN {right.text}" if kind else f", {right.text}"
            continue
        test = binder.condition(on, frame, "ON")
        free |= test.free
        some = some if side == "LEFT" else ""
        if side in {"LEFT", "FULL"}:
            _make_nullable(frame, before, len(frame.tables))
        text += f" {_JOINS[side]} {right.text} ON {test.text}"
    return Source(text, free, some)


def _make_nullable(frame: Frame, start: int, end: int) -> None:
    for place in range(start, end):
        exposed = frame.tables[place]
        frame.tables[place] = replace(exposed, items=tuple(replace(item, nullable=True) for item in exposed.items))


def table(binder: Binder, node: exp.Expr, frame: Frame) -> Source:
    if isinstance(node, exp.Paren):
        node = node.this
    first = len(frame.tables)
    if isinstance(node, exp.Subquery) and isinstance(node.this, exp.Table):
        source = table(binder, node.this, frame)
        source = _joins(binder, node.this.args.get("joins") or (), source, frame, first)
        source = replace(source, text=f"({source.text})")
    elif isinstance(node, exp.Table):
        source = _named(binder, node, frame)
    elif isinstance(node, exp.Subquery | exp.Values):
        source = _nested(binder, node.this if isinstance(node, exp.Subquery) else node, node, frame, lateral=False)
    elif isinstance(node, exp.Lateral):
        source = _nested(binder, node.this, node, frame, lateral=True)
    elif isinstance(node, ChangedRows):
        source = changes.changed_rows(binder, node, frame)
    else:
        raise syntax_error(shown(node), "FROM")
    return source


def _named(binder: Binder, node: exp.Table, frame: Frame) -> Source:
    """A table, view, common table expression, or TABLE(...)."""
    only(node, "this", "db", "catalog", "alias", "joins")
    if isinstance(node.this, exp.Anonymous):
        return _table_of(binder, node, frame)
    schema, name = binder.object_name(node)
    common = frame.common(name) if schema is None else None
    alias = binder.statement.alias(_alias(node) or name)
    if common is not None:
        items = tuple(replace(item, text=f"{alias}.{item.text}") for item in common.items)
        return replace(_expose(node, frame, f"{common.text} AS {alias}", items, name, None), some=common.some)
    relation = binder.statement.names.relation(schema, name)
    binder.statement.uses.add(Use("SELECT", relation.schema, relation.name))
    text = f"{relation.source} AS {alias}"
    if relation.query and not binder.statement.of_view:
        text = f"({relation.query}) AS {alias}({', '.join(quoted(column.name) for column in relation.columns)})"
    source = _expose(node, frame, text, columns(relation, alias), name, relation.schema)
    return replace(source, some=relation.some)


def columns(relation: Relation, alias: str) -> tuple[Item, ...]:
    return tuple(
        Item(column.name, column.type, column.nullable, f"{alias}.{quoted(column.name)}") for column in relation.columns
    )


def _alias(node: exp.Expr) -> str:
    alias = node.args.get("alias")
    return expressions.name_of(alias.this) if alias is not None and alias.this is not None else ""


def _expose(node: exp.Expr, frame: Frame, text: str, items: tuple[Item, ...], name: str, schema: str | None) -> Source:
    """Make a table visible under its correlation name, with the column names that it is given there."""
    alias = node.args.get("alias")
    correlation = _alias(node)
    if alias is not None and alias.columns:
        names = [expressions.name_of(column) for column in alias.columns]
        if len(names) != len(items):
            raise Db2Error(-158, "42811", correlation)
        items = tuple(replace(item, name=new) for item, new in zip(items, names, strict=True))
    known = correlation or name
    if any(exposed.name == known and (correlation or exposed.schema == schema) for exposed in frame.tables):
        raise Db2Error(-212, "42712", known)
    frame.tables.append(Exposed(known, None if correlation else schema, items))
    return Source(text)


def _table_of(binder: Binder, node: exp.Table, frame: Frame) -> Source:
    """TABLE(function(...)) or TABLE(SELECT ...), which sees the tables before it."""
    if expressions.function_name(node.this) != "TABLE" or len(node.this.expressions) != 1:
        raise syntax_error("(", node.this.name)
    inner = node.this.expressions[0]
    if isinstance(inner, exp.Query):
        return _nested(binder, inner, node, frame, lateral=True)
    schema = None
    if isinstance(inner, exp.Dot):
        schema, inner = expressions.name_of(inner.this), inner.expression
    if not isinstance(inner, exp.Anonymous):
        raise syntax_error(shown(inner), "TABLE(")
    for argument in inner.expressions:
        binder.statement.typed(binder.expression(argument, frame), varchar(128))
    name = expressions.function_name(inner)
    relation = binder.statement.names.table_function(schema, name, len(inner.expressions))
    binder.statement.uses.add(Use("EXECUTE", relation.schema, relation.name))
    alias = binder.statement.alias(_alias(node) or name)
    return _expose(node, frame, f"{relation.source} AS {alias}", columns(relation, alias), name, None)


def _nested(binder: Binder, query: exp.Expr, node: exp.Expr, frame: Frame, *, lateral: bool) -> Source:
    """A nested table expression; only after TABLE or LATERAL does it see other tables: those before it, and of outer queries."""
    parent = frame if lateral else frame.without_tables()
    if isinstance(query, exp.Subquery):
        query = query.this
    bound = binder.query(query, parent, name=_alias(node))
    alias = binder.statement.alias(_alias(node) or "X")
    given = node.args.get("alias")
    names = [expressions.name_of(column) for column in given.columns] if given is not None else []
    items = offered(bound.items, names, _alias(node))
    texts = ", ".join(item.text for item in items)
    items = tuple(replace(item, text=f"{alias}.{item.text}") for item in items)
    frame.tables.append(Exposed(_alias(node), None, items))
    return Source(f"{'LATERAL ' if lateral else ''}({bound.text}) AS {alias}({texts})", bound.free)


def offered(outputs: Sequence[Output], names: Sequence[str], alias: str) -> tuple[Item, ...]:
    """The columns of a query under the names that they are given, or their own; their texts are unique."""
    if names and len(names) != len(outputs):
        raise Db2Error(-158, "42811", alias)
    items: list[Item] = []
    taken: set[str] = set()
    for place, output in enumerate(outputs, 1):
        name = names[place - 1] if names else output.name
        text = name if name and name.upper() not in taken else f"{name}#{place}"
        taken.add(text.upper())
        if output.type is None:
            raise Db2Error(-418, "42610")
        items.append(Item(name, output.type, output.nullable, quoted(text)))
    return tuple(items)


def starred(node: exp.Expr, frame: Frame) -> list[tuple[str, Value]]:
    """Return the columns of * or T.*."""
    table = expressions.name_of(node.parts[-2]) if isinstance(node, exp.Column) else None
    found = [exposed for exposed in frame.tables if table in {None, exposed.name}]
    if not found:
        raise Db2Error(-204, "42704", str(table))
    return [(item.name, item.value()) for exposed in found for item in exposed.items]
