"""Rewrites of subqueries, and of joins that are one."""

from dataclasses import dataclass

from sqlglot import exp

from advisor.diagnosis.rewriting.parts import MIRROR, OPERATORS, Change, call, find_integer, is_random
from advisor.diagnosis.rewriting.selects import find_plain, qualifier, read_inner_conditions, read_where, set_where
from advisor.diagnosis.rewriting.trees import Known, fill, fold_name, is_filter, join_conditions, list_tables, name_of
from advisor.indexes.scopes import fold, unwrap


def change_not_in(node: exp.Expr, known: Known) -> Change | None:
    """Change NOT IN (subquery) to NOT EXISTS, with the rows that NULL excludes."""
    inside = node.this if isinstance(node, exp.Not) and is_filter(node) else None
    query = inside.args.get("query") if isinstance(inside, exp.In) else None
    select, column = find_plain(query.this if query else None, "distinct", "order"), unwrap(inside and inside.this)
    found = select.expressions[0].unalias() if select and len(select.expressions) == 1 else None
    if select is None or not isinstance(column, exp.Column) or not isinstance(found, exp.Column) or is_random(select):
        return None
    mine, outer = _qualify(column), {name_of(table) for table in select.find_all(exp.Table, exp.Subquery)}
    if not qualifier(mine) or qualifier(mine) in outer:
        return None

    def without(text: str) -> exp.Expr:
        new = select.copy()
        new.set("expressions", [exp.Literal.number(1)])
        new.set("distinct", None)
        new.set("order", None)
        set_where(new, [*read_where(select), *([fill(text, found=found, mine=mine)] if text else [])])
        return exp.Not(this=exp.Exists(this=new))

    parts = [without("{found} = {mine}")]
    if not known.is_never_null(found):
        parts.append(without("{found} IS NULL"))
    if not known.is_never_null(column):
        parts.append(exp.Or(this=fill("{mine} IS NOT NULL", mine=mine), expression=without("")))
    return Change(join_conditions(parts), "", (found,))


def _qualify(column: exp.Column) -> exp.Column:
    """Return a column with the name of its table, if this is certain."""
    new, select = column.copy(), column.find_ancestor(exp.Select)
    tables = list_tables(select) if select and not select.find_ancestor(exp.Select) else []
    if not qualifier(new) and len(tables) == 1 and name_of(tables[0]):
        alias = tables[0].args.get("alias")
        new.set("table", (alias or tables[0]).this.copy())
        new.set("db", None if alias else tables[0].args.get("db"))
    return new


def change_greatest(node: exp.Expr, known: Known) -> Change | None:
    """Compute the correlated maximum of the same table in a window."""
    if not isinstance(node, exp.Select) or any(one.is_star for one in node.expressions):
        return None
    for part in read_where(node):
        sides = [unwrap(part.this), unwrap(part.expression)] if isinstance(part, exp.EQ) else []
        for column, query in (sides, sides[::-1]) if sides else ():
            select = query.this if isinstance(query, exp.Subquery) else None
            if isinstance(column, exp.Column) and isinstance(select, exp.Select):
                outer = next((table for table in list_tables(node) if name_of(table) == qualifier(column)), None)
                found = _read_greatest(select, outer) if outer and not _has_schemas(node) else None
                if outer and found:
                    _change_greatest(part, column, outer, found, known)
                    return Change(node, "", found.keys)
    return None


def _has_schemas(node: exp.Expr) -> bool:
    return any(column.args.get("db") for column in node.find_all(exp.Column))


@dataclass(frozen=True)
class _Greatest:
    """MAX or MIN of a column of the rows with the same keys as the outer row that satisfy the filters."""

    name: str
    column: exp.Expr
    keys: tuple[exp.Expr, ...]
    filters: list[exp.Expr]


def _read_greatest(select: exp.Select, outer: exp.Expr) -> _Greatest | None:
    (table, *more), clauses = list_tables(select) or [select], {key for key, value in select.args.items() if value}
    name, arguments = call(select.expressions[0].unalias()) if len(select.expressions) == 1 else ("", [])
    names = [
        (fold_name(one.this), fold_name(one.args.get("db"))) for one in (table, outer) if isinstance(one, exp.Table)
    ]
    parts = {key for one in (table, outer) for key, value in one.args.items() if value}
    if more or clauses != {"expressions", "from_", "where"} or not parts <= {"this", "db", "alias"}:
        return None
    if (
        len(names) != 2
        or names[0] != names[1]
        or name_of(table) == name_of(outer)
        or select.find(exp.Subquery, exp.Exists)
    ):
        return None
    if name not in ("MAX", "MIN") or len(arguments) != 1 or not isinstance(arguments[0], exp.Column):
        return None
    keys: list[exp.Expr] = []
    filters: list[exp.Expr] = []
    for test in read_where(select):
        columns = list(test.find_all(exp.Column))
        outside = [one for one in columns if qualifier(one) not in ("", name_of(table))]
        is_pair = isinstance(test, exp.EQ) and len(columns) == 2 and {test.this, test.expression} == set(columns)
        is_key = is_pair and fold(columns[0].this) == fold(columns[1].this) and len(outside) == 1
        if outside and not (is_key and qualifier(outside[0]) == name_of(outer)):
            return None
        keys.extend(outside)
        filters.extend([] if outside else [test])
    return _Greatest(name, arguments[0], tuple(keys), filters) if keys else None


def _change_greatest(part: exp.Expr, column: exp.Column, outer: exp.Expr, found: _Greatest, known: Known) -> None:
    alias, label = column.args["table"], exp.to_identifier(f"{found.name}_{fold(found.column.this)}")
    tests = [fill("{c} = {m}", c=column, m=exp.Column(this=label, table=alias.copy()))]
    tests += [fill("{k} IS NOT NULL", k=key) for key in found.keys if not known.is_never_null(key)]
    value = found.column.copy()
    if found.filters:
        value = fill("CASE WHEN {f} THEN {v} END = 1", f=join_conditions(found.filters), v=value).this
    total = exp.Anonymous(this=found.name, expressions=[value])
    window = exp.Window(this=total, partition_by=[key.copy() for key in found.keys], over="OVER")
    for one in window.find_all(exp.Column):
        one.set("table", alias.copy())
    star = exp.Column(this=exp.Star(), table=alias.copy())
    derived = exp.Select(
        expressions=[star, exp.Alias(this=window, alias=label.copy())], from_=exp.From(this=outer.copy())
    )
    part.replace(join_conditions(tests))
    outer.replace(exp.Subquery(this=derived, alias=exp.TableAlias(this=alias.copy())))


def change_distinct(node: exp.Expr, known: Known) -> Change | None:
    """Change joined tables that only filter to EXISTS."""
    select = find_plain(node, "distinct", "order", "limit", "with_")
    parts = read_inner_conditions(select) if select and select.args.get("distinct") else None
    if select is None or parts is None or any(part.find(exp.Query) for part in parts) or is_random(select):
        return None
    order = select.args.get("order")
    shown = [one for each in (*select.expressions, order) if each for one in each.find_all(exp.Column)]
    inside = [one for part in parts for one in part.find_all(exp.Column)]
    tables, names = list_tables(select), {qualifier(one) for one in shown}
    main = next((table for table in tables if names == {name_of(table)}), None)
    rest = [table.copy() for table in tables if table is not main]
    if main is None or not rest or not all(map(qualifier, inside)) or _has_schemas(select):
        return None
    if known.has_key(main, {fold(one.this) for one in select.expressions if isinstance(one, exp.Column)}):
        select.set("distinct", None)
    own = [part for part in parts if {qualifier(one) for one in part.find_all(exp.Column)} <= names]
    inner = exp.Select(expressions=[exp.Literal.number(1)], from_=exp.From(this=rest[0]))
    inner.set("joins", [exp.Join(this=table) for table in rest[1:]])
    set_where(inner, [part for part in parts if part not in own])
    select.set("from_", exp.From(this=main.copy()))
    select.set("joins", [])
    set_where(select, [*own, exp.Exists(this=inner)])
    return Change(select, "", tuple(one for one in inside if qualifier(one) not in names))


# Whether a comparison of a number of rows means that there is one.
_ANY: dict[tuple[str, int | None], bool] = {
    ("=", 0): False,
    ("<", 1): False,
    ("<=", 0): False,
    (">", 0): True,
    (">=", 1): True,
    ("<>", 0): True,
}


def change_count(node: exp.Expr, known: Known) -> Change | None:
    """Change the comparison of a counting subquery with 0 to EXISTS."""
    sign = OPERATORS.get(type(node), "<>" if isinstance(node, exp.NEQ) else "")
    sides = [unwrap(node.this), unwrap(node.expression)] if sign else []
    if sides and isinstance(sides[1], exp.Subquery):
        sides, sign = sides[::-1], MIRROR.get(sign, sign)
    select = sides[0].this if sides and isinstance(sides[0], exp.Subquery) else None
    exists = _ANY.get((sign, find_integer(sides[1]))) if sides else None
    if exists is None or not isinstance(select, exp.Select) or len(select.expressions) != 1:
        return None
    name, arguments = call(select.expressions[0].unalias())
    clauses = {key for key, value in select.args.items() if value}
    if name != "COUNT" or len(arguments) != 1 or not {"from_"} < clauses <= {"expressions", "from_", "where", "joins"}:
        return None
    new, counted = select.copy(), arguments[0]
    counted = counted.expressions[0] if isinstance(counted, exp.Distinct) else counted
    new.set("expressions", [exp.Literal.number(1)])
    if not isinstance(counted, (exp.Star, exp.Literal)):
        set_where(new, [*read_where(select), fill("{counted} IS NOT NULL", counted=counted)])
    tree = exp.Exists(this=new)
    return Change(tree if exists else exp.Not(this=tree))
