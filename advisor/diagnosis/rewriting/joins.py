"""Rewrites of joins: outer joins, lists of tables, and derived tables that only filter."""

from sqlglot import exp

from advisor.diagnosis.rewriting.parts import OPERATORS, Change, compare_types, is_random
from advisor.diagnosis.rewriting.selects import find_plain, list_names, qualifier, read_where, set_where
from advisor.diagnosis.rewriting.trees import Known, fill, join_conditions, list_conjuncts, list_tables, name_of
from advisor.indexes.scopes import fold, unwrap

_TESTS = (*OPERATORS, exp.NEQ, exp.In, exp.Between, exp.Like, exp.Is)
_SUMS = (exp.Add, exp.Sub, exp.Mul, exp.Div, exp.Paren, exp.Column, exp.Identifier, exp.Literal, exp.Placeholder)


def _list_joins(node: exp.Expr) -> list[exp.Join]:
    is_plain = isinstance(node, exp.Select) and not node.args.get("connect")
    return node.args.get("joins") or [] if is_plain else []


def change_outer(node: exp.Expr, known: Known) -> Change | None:
    """Change LEFT JOIN to INNER JOIN if WHERE excludes the rows without a match."""
    joins = _list_joins(node)
    names = [name_of(table) for table in list_tables(node)] if joins else []
    for name, join in zip(names[1:], joins, strict=False):
        is_left = name and names.count(name) == 1 and join.side == "LEFT" and join.args.get("on")
        found = _find_required(read_where(node), name) if is_left else None
        if found:
            join.set("side", None)
            join.set("kind", "INNER")
            return Change(node, "", (found,))
    return None


def _find_required(tests: list[exp.Expr], name: str) -> exp.Expr | None:
    """Return a column of a table that is not NULL in the rows that satisfy all tests."""
    return next(filter(None, (_find_tested(test, name) for test in tests)), None)


def _find_tested(test: exp.Expr, name: str) -> exp.Expr | None:
    if isinstance(test, exp.Or):
        found = [_find_required(list_conjuncts(side), name) for side in list_conjuncts(test, exp.Or)]
        return found[0] if all(found) else None
    is_not, inside = isinstance(test, exp.Not), unwrap(test.this if isinstance(test, exp.Not) else test) or test
    query = inside if isinstance(inside, exp.Exists) else inside.args.get("query")
    is_null = isinstance(inside, exp.Is) and not (is_not and isinstance(inside.expression, exp.Null))
    if is_null or (is_not and query) or inside.find(exp.All, exp.Any):  # can be true for NULL
        return None
    sides = [inside.this, inside.args.get("expression")] if isinstance(inside, _TESTS) else []
    sums = [side for side in sides if side and all(isinstance(one, _SUMS) for one in side.walk())]
    columns = [one for side in sums for one in side.find_all(exp.Column) if qualifier(one) == name]
    select = find_plain(query.this, "distinct", "order") if query else None
    is_seen = select and name not in map(name_of, list_tables(select))
    return columns[0] if columns else _find_required(read_where(select), name) if select and is_seen else None


def _find_pair(part: exp.Expr) -> dict[str, exp.Expr]:
    """Return the columns of two tables that a condition compares for equality, by table."""
    sides = [unwrap(part.this), unwrap(part.expression)] if isinstance(part, exp.EQ) else []
    pair: dict[str, exp.Expr] = {qualifier(side): side for side in sides if isinstance(side, exp.Column)}
    return pair if len(pair) == 2 else {}


def change_list_of_tables(node: exp.Expr, known: Known) -> Change | None:
    """Join the tables of a list, in the order of their equality predicates, before the outer joins."""
    joins = _list_joins(node)
    count = next((number for number, join in enumerate(joins) if join.side), 0)
    outer, names = joins[count:], [name_of(table) for table in list_tables(node)] if count else []
    tests = [join.args["on"] for join in outer if join.side == "LEFT" and join.args.get("on")]
    used = {qualifier(one) for test in tests for one in test.find_all(exp.Column, exp.Query)}
    plain = [join for join in joins[:count] if isinstance(join.this.this, (exp.Identifier, exp.Select))]
    is_list = all({*filter(join.args.get, join.args)} == {"this"} for join in plain) and len(plain) == count
    is_named = len({*names, ""}) > len(names) and used <= {*names[count:]}
    if not count or len(tests) < len(outer) or not (is_list and is_named):
        return None
    new, done, waiting, parts = list[exp.Join](), {names[0]}, list_tables(node)[1 : count + 1], read_where(node)
    while waiting:
        pairs = [_find_pair(part) for part in parts]
        near = {name for pair in pairs if done & {*pair} for name in pair}
        choices = waiting[:1] if exp.Star in map(type, node.expressions) else waiting
        table = next((one for one in choices if name_of(one) in near), None)
        if table is None:
            return None
        done.add(name_of(table))
        waiting = [one for one in waiting if one is not table]
        links = [part for part, pair in zip(parts, pairs, strict=True) if pair and {*pair} <= done]
        parts = [part for part in parts if not any(part is link for link in links)]
        new.append(exp.Join(this=table.copy(), kind="INNER", on=join_conditions(links)))
    node.set("joins", [*new, *outer])
    set_where(node, parts)
    return Change(node)


def change_derived(node: exp.Expr, known: Known) -> Change | None:
    """Change a joined derived table of distinct values to EXISTS."""
    joins = [] if exp.Star in map(type, node.expressions) else _list_joins(node)
    found = [(one, find_plain(one.this.this, "distinct")) for one in joins if isinstance(one.this, exp.Subquery)]
    join, select = next(((one, query) for one, query in found if query and query.args.get("distinct")), (None, None))
    if not join or not select or any(one.side or one.method or one.args.get("using") for one in joins):
        return None
    name, parts = name_of(join.this), [*list_conjuncts(join.args.get("on")), *read_where(node)]
    link = next((part for part in parts if name and name in _find_pair(part)), None)
    if link is None or len(select.expressions) > 1 or is_random(select):
        return None
    column = select.expressions[0].unalias()
    mine, other = sorted(_find_pair(link).values(), key=lambda one: qualifier(one) != name)
    hidden = {id(one) for table in list_tables(node) if isinstance(table, exp.Subquery) for one in table.walk()}
    uses = [one for one in node.find_all(exp.Column) if id(one) not in hidden and qualifier(one) in (name, "")]
    uses = [one for one in uses if qualifier(one) or fold(one.this) == fold(mine.this)]
    within = list_names(select) | {""}
    outside = {qualifier(one) for one in select.find_all(exp.Column)} - (within - ({""} if node.parent else set()))
    note = compare_types(column, other, known) if isinstance(column, exp.Column) and len(uses) == 1 else None
    if note is None or outside or column.is_star or qualifier(other) in within or join.this.alias_column_names:
        return None
    select.set("distinct", None)
    select.set("expressions", [exp.Literal.number(1)])
    set_where(select, [*read_where(select), fill("{c} = {o}", c=column, o=other)])
    set_where(node, [exp.Exists(this=select.copy()), *(part for part in parts if part is not link)])
    join.pop()
    return Change(node, note, (column,))
