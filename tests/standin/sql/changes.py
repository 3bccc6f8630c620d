"""Binding INSERT, UPDATE, DELETE and MERGE."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from tests.standin.api import Relation, Use
from tests.standin.errors import Db2Error
from tests.standin.sql import expressions, tables
from tests.standin.sql.conversions import assign
from tests.standin.sql.dialect import ChangedRows, only, shown, syntax_error
from tests.standin.sql.frames import Exposed, Frame
from tests.standin.sql.values import Value, quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tests.standin.sql.queries import Binder
    from tests.standin.types import Column


@dataclass(frozen=True)
class DataChange:
    """A bound data change and the table that it changes; ``some`` has rows where a query gives some to insert."""

    kind: str
    text: str
    relation: Relation
    alias: str
    some: str = ""


def change(binder: Binder, node: exp.Expr) -> DataChange:
    """Any data change. Raises -104 for another statement."""
    bind = _CHANGES.get(type(node))
    if bind is None:
        raise syntax_error(shown(node), "")
    return bind(binder, node)


def _target(binder: Binder, table: exp.Expr, privilege: str) -> Relation:
    """The table to change. Raises -150 for a view or function."""
    if not isinstance(table, exp.Table) or not isinstance(table.this, exp.Identifier):
        raise syntax_error(shown(table), privilege)
    schema, name = binder.object_name(table)
    relation = binder.statement.names.relation(schema, name)
    if relation.kind != "table":
        raise Db2Error(-150, "42807", f"{relation.schema}.{relation.name}")
    binder.statement.uses.add(Use(privilege, relation.schema, relation.name))
    return relation


def _column(relation: Relation, name: str) -> Column:
    for column in relation.columns:
        if column.name == name:
            return column
    raise Db2Error(-206, "42703", name)


def _chosen(relation: Relation, names: Sequence[str]) -> list[Column]:
    """The columns that an INSERT names, or all. Raises -121 for one that is named twice."""
    for place, name in enumerate(names):
        if name in names[:place]:
            raise Db2Error(-121, "42701", name)
    return [_column(relation, name) for name in names] if names else list(relation.columns)


def _is_default(node: exp.Expr) -> bool:
    is_name = isinstance(node, exp.Column) and len(node.parts) == 1 and not node.this.args.get("quoted")
    return is_name and node.name.upper() == "DEFAULT"


def _cell(binder: Binder, node: exp.Expr, column: Column, frame: Frame) -> str:
    """A value of a row or assignment, converted to its column; DEFAULT stays what it is."""
    if _is_default(node):
        return "DEFAULT"
    value = binder.expression(node, frame)
    if value.aggregate or value.olap:
        raise Db2Error(-120, "42903", "SET")
    return _assigned(binder, value, column)


def _assigned(binder: Binder, value: Value, column: Column) -> str:
    """Convert a value to a column's type. Raise -798 if only the system sets the column, -407 for a forbidden NULL."""
    if column.generated:
        raise Db2Error(-798, "428C9", column.name)
    if value.is_null and not column.nullable:
        raise Db2Error(-407, "23502", column.name)
    return assign(binder.statement.typed(value, column.type), column.type, column.name).text


def _insert(binder: Binder, node: exp.Insert) -> DataChange:
    only(node, "this", "expression")
    schema = node.this
    names = [expressions.name_of(name) for name in schema.expressions] if isinstance(schema, exp.Schema) else []
    relation = _target(binder, schema.this if isinstance(schema, exp.Schema) else schema, "INSERT")
    chosen = _chosen(relation, names)
    source = node.args.get("expression")
    if source is None:
        raise syntax_error("END-OF-STATEMENT", "INSERT INTO")
    if isinstance(source, exp.Values) and not source.args.get("with_"):
        rows, some = _rows(binder, source, chosen), ""
    else:
        rows, some = _rows_of_query(binder, source, chosen)
    listed = ", ".join(quoted(column.name) for column in chosen)
    return DataChange("insert", f"INSERT INTO {relation.source} ({listed}) {rows}", relation, relation.source, some)


def _rows(binder: Binder, node: exp.Values, chosen: Sequence[Column]) -> str:
    texts = []
    for row in node.expressions:
        if len(row.expressions) != len(chosen):
            raise Db2Error(-117, "42802")
        cells = [_cell(binder, cell, column, Frame()) for cell, column in zip(row.expressions, chosen, strict=True)]
        texts.append(f"({', '.join(cells)})")
    return f"VALUES {', '.join(texts)}"


def _rows_of_query(binder: Binder, node: exp.Expr, chosen: Sequence[Column]) -> tuple[str, str]:
    query = binder.query(node, None, untyped=True)
    if len(query.items) != len(chosen):
        raise Db2Error(-117, "42802")
    alias = binder.statement.alias("NEW")
    names = [f'"{place}"' for place in range(1, len(chosen) + 1)]
    cells = [
        _assigned(binder, Value(f"{alias}.{name}", item.type, item.nullable), column)
        for name, item, column in zip(names, query.items, chosen, strict=True)
    ]
    return f"SELECT {', '.join(cells)} FROM ({query.text}) AS {alias}({', '.join(names)})", query.some


def _frame_of(binder: Binder, node: exp.Expr, relation: Relation) -> tuple[Frame, str]:
    """The table to change as its own expressions see it, and its alias."""
    given = node.args.get("alias")
    name = expressions.name_of(given.this) if given is not None else relation.name
    alias = binder.statement.alias(name)
    frame = Frame(
        tables=[Exposed(name, None if given is not None else relation.schema, tables.columns(relation, alias))]
    )
    return frame, alias


def _update(binder: Binder, node: exp.Update) -> DataChange:
    only(node, "this", "expressions", "where")
    relation = _target(binder, node.this, "UPDATE")
    frame, alias = _frame_of(binder, node.this, relation)
    assignments = _assignments(binder, node.expressions, relation, frame)
    where = node.args.get("where")
    test = f" WHERE {binder.condition(where.this, frame, 'WHERE').text}" if where is not None else ""
    return DataChange("update", f"UPDATE {relation.source} AS {alias} SET {assignments}{test}", relation, alias)


def _assignments(binder: Binder, nodes: Sequence[exp.Expr], relation: Relation, frame: Frame) -> str:
    texts: dict[str, str] = {}
    for node in nodes:
        if not isinstance(node, exp.EQ):
            raise syntax_error(shown(node), "SET")
        for name, text in _assignment(binder, node, relation, frame):
            if name in texts:
                raise Db2Error(-121, "42701", name)
            texts[name] = text
    return ", ".join(f"{quoted(name)} = {text}" for name, text in texts.items())


def _assignment(binder: Binder, node: exp.EQ, relation: Relation, frame: Frame) -> list[tuple[str, str]]:
    row = isinstance(node.this, exp.Tuple | exp.Paren)
    left = node.this.expressions if isinstance(node.this, exp.Tuple) else [node.this.this if row else node.this]
    targets = [_column(relation, expressions.name_of(part.this)) for part in left]
    right = node.expression
    if not row:
        return [(targets[0].name, _cell(binder, right, targets[0], frame))]
    if isinstance(right, exp.Subquery):
        return _from_query(binder, right, targets, frame)
    cells = right.expressions if isinstance(right, exp.Tuple) else [right.this]
    if len(cells) != len(targets):
        raise Db2Error(-117, "42802")
    return [(column.name, _cell(binder, cell, column, frame)) for column, cell in zip(targets, cells, strict=True)]


def _from_query(binder: Binder, node: exp.Subquery, targets: Sequence[Column], frame: Frame) -> list[tuple[str, str]]:
    """(a, b) = (SELECT x, y ...): DuckDB takes one column a time."""
    query = binder.query(node.this, frame, untyped=True)
    if len(query.items) != len(targets):
        raise Db2Error(-117, "42802")
    alias = binder.statement.alias("NEW")
    names = [f'"{place}"' for place in range(1, len(targets) + 1)]
    result = []
    for name, item, column in zip(names, query.items, targets, strict=True):
        cell = f"(SELECT {alias}.{name} FROM ({query.text}) AS {alias}({', '.join(names)}))"
        result.append((column.name, _assigned(binder, Value(cell, item.type), column)))
    return result


def _delete(binder: Binder, node: exp.Delete) -> DataChange:
    only(node, "this", "where")
    relation = _target(binder, node.this, "DELETE")
    frame, alias = _frame_of(binder, node.this, relation)
    where = node.args.get("where")
    test = f" WHERE {binder.condition(where.this, frame, 'WHERE').text}" if where is not None else ""
    return DataChange("delete", f"DELETE FROM {relation.source} AS {alias}{test}", relation, alias)


def _merge(binder: Binder, node: exp.Merge) -> DataChange:
    only(node, "this", "using", "on", "whens")
    whens = node.args["whens"].expressions
    relation = _target(binder, node.this, _privilege(whens[0]))
    for when in whens:
        binder.statement.uses.add(Use(_privilege(when), relation.schema, relation.name))
    frame, alias = _frame_of(binder, node.this, relation)
    source_frame = Frame()
    source = tables.table(binder, node.args["using"], source_frame)
    frame.tables += source_frame.tables
    test = binder.condition(node.args["on"], frame, "ON")
    text = f"MERGE INTO {relation.source} AS {alias} USING {source.text} ON {test.text}"
    actions = " ".join(_when(binder, when, relation, frame, source_frame) for when in whens)
    return DataChange("merge", f"{text} {actions}", relation, alias)


def _privilege(when: exp.Expr) -> str:
    action = when.args["then"]
    return {exp.Update: "UPDATE", exp.Insert: "INSERT"}.get(type(action), "DELETE")


def _when(binder: Binder, when: exp.Expr, relation: Relation, both: Frame, source: Frame) -> str:
    frame = both if when.args["matched"] else source
    test = when.args.get("condition")
    head = f"WHEN {'MATCHED' if when.args['matched'] else 'NOT MATCHED'}"
    if test is not None:
        head += f" AND {binder.condition(test, frame, 'WHEN').text}"
    return f"{head} THEN {_action(binder, when.args['then'], relation, frame)}"


def _action(binder: Binder, action: exp.Expr, relation: Relation, frame: Frame) -> str:
    if isinstance(action, exp.Update):
        return f"UPDATE SET {_assignments(binder, action.expressions, relation, frame)}"
    if isinstance(action, exp.Insert):
        names = [expressions.name_of(part.this) for part in action.this.expressions] if action.this else []
        chosen = _chosen(relation, names)
        cells = action.expression.expressions
        if len(cells) != len(chosen):
            raise Db2Error(-117, "42802")
        texts = [_cell(binder, cell, column, frame) for cell, column in zip(cells, chosen, strict=True)]
        return f"INSERT ({', '.join(quoted(column.name) for column in chosen)}) VALUES ({', '.join(texts)})"
    if isinstance(action, exp.Var) and action.name.upper() == "DELETE":
        return "DELETE"
    raise syntax_error(shown(action), "THEN")


_CHANGES: dict[type[exp.Expr], Callable[[Binder, Any], DataChange]] = {
    exp.Insert: _insert,
    exp.Update: _update,
    exp.Delete: _delete,
    exp.Merge: _merge,
}
_ROWS = {"insert": ("FINAL", "NEW"), "update": ("FINAL", "NEW"), "delete": ("OLD",)}


def changed_rows(binder: Binder, node: ChangedRows, frame: Frame) -> tables.Source:
    """FINAL TABLE (INSERT ...): the statement changes first, and reads the changed rows then."""
    done = change(binder, node.this)
    if node.args["kind"] not in _ROWS.get(done.kind, ()):
        raise Db2Error(-20165, "428FL")
    if binder.statement.changed is not None or frame.parent is not None:
        raise Db2Error(-20165, "428FL")
    rows = binder.statement.alias("CHANGED")
    binder.statement.changed = (done, f"{rows} AS ({done.text} RETURNING *)")
    alias = node.args.get("alias")
    name = expressions.name_of(alias.this) if alias is not None else done.relation.name
    inner = binder.statement.alias(name)
    frame.tables.append(Exposed(name, None, tables.columns(done.relation, inner)))
    return tables.Source(f"{rows} AS {inner}")
