"""Rewrites of scalar subqueries in a select list."""

from sqlglot import exp

from advisor.diagnosis.rewriting.parts import Change, call, compare_types, find_integer, is_random, split
from advisor.diagnosis.rewriting.selects import TOTALS, list_names, qualifier, read_where
from advisor.diagnosis.rewriting.trees import Known, fill, fold_name, list_tables, name_of
from advisor.indexes.scopes import fold, unwrap

_GROUPS = ("group", "having", "connect", "qualify")
_ONES = (exp.Star, exp.Literal)
_CLAUSES = {"expressions", "from_", "where", "joins"}


def _list_totals(node: exp.Expr) -> list[exp.Subquery]:
    """Return the subqueries of a select list that compute one total."""
    found = [one for each in node.expressions for one in each.find_all(exp.Subquery)]
    plain = [one for one in found if {*filter(one.this.args.get, one.this.args)} <= _CLAUSES]
    totals = [one for one in plain if call(one.this.expressions[0].unalias())[0] in TOTALS]
    return [one for one in totals if len(one.this.expressions) == 1 and one.find_ancestor(exp.Select) is node]


def _find_free(wanted: exp.Expr | None, default: str, used: set[str]) -> exp.Identifier:
    """Return a name that is not used yet."""
    name = default if wanted is None or wanted.args.get("quoted") else wanted.name
    names = (name, *(f"{name}_{number}" for number in range(1, 99)))
    return exp.to_identifier(next(each for each in names if fold(each) not in used))


def change_distinct_total(node: exp.Expr, known: Known) -> Change | None:
    """Compute subqueries for each group of rows, instead of for each row before DISTINCT."""
    distinct, totals = node.args.get("distinct"), _list_totals(node) if isinstance(node, exp.Select) else []
    if not distinct or not totals or node.parent or is_random(node) or any(map(node.args.get, _GROUPS)):
        return None
    (table, *more), order = list_tables(node), node.args["order"].expressions if node.args.get("order") else []
    name, shown = name_of(table), [unwrap(one.unalias()) for one in node.expressions]
    columns = [one for one in shown if isinstance(one, exp.Column) and qualifier(one) in ("", name) and not one.is_star]
    group = {fold(one.this): one.copy() for one in columns}
    results = {*group, *(fold(one.args["alias"]) for one in node.expressions if isinstance(one, exp.Alias))}
    keys = [key.this for key in order if find_integer(key.this) is None]
    within = {name for total in totals for name in list_names(total.this)}
    outer = [one for total in totals for one in total.find_all(exp.Column) if qualifier(one) == name]
    values = [one for total in totals for one in total.this.expressions[0].find_all(exp.Column)]
    is_sorted = all(isinstance(key, exp.Column) and not qualifier(key) and fold(key.this) in results for key in keys)
    is_hidden = name in ("", *within) or any(value in outer for value in values) or distinct.args.get("on")
    is_whole = isinstance(table, exp.Table) and not more and all(one in totals or one in columns for one in shown)
    if is_hidden or not is_sorted or not is_whole or not {fold(one.this) for one in outer} <= {*group}:
        return None
    owner, found = _find_free(None, "G", list_names(node.root())), list(group.values())
    derived = exp.Select(expressions=found, from_=node.args["from_"].copy(), where=node.args.get("where"))
    derived.set("group", exp.Group(expressions=[one.copy() for one in found]))
    for column in (*columns, *outer):
        new = exp.Column(this=column.this.copy(), table=owner.copy())
        (column.parent if isinstance(column.parent, exp.Paren) and column in columns else column).replace(new)
    node.set("distinct", None)
    node.set("where", None)
    node.set("from_", exp.From(this=exp.Subquery(this=derived, alias=exp.TableAlias(this=owner))))
    return Change(node, "", tuple(found))


def _read_total(query: exp.Subquery, names: list[str]) -> tuple[list[exp.Expr], list[object]] | None:
    """Return the outer key, the key, the code, its literal and the value; and what is equal for totals of one pass."""
    (table, *more), tests = list_tables(query.this), read_where(query.this)
    name, (value, *_) = call(query.this.expressions[0].unalias())
    own, parts = ("", name_of(table)), {key for key, given in table.args.items() if given}
    is_column, is_count = isinstance(value, exp.Column), name == "COUNT" and isinstance(value, _ONES)
    is_plain = fold_name(table.this) and parts <= {"this", "db", "alias"} and own[1] not in names and not more
    is_total = name in ("MAX", "MIN", "SUM", "COUNT") and (qualifier(value) in own if is_column else is_count)
    if not is_plain or not is_total or len(tests) != 2:
        return None
    sides = [unwrap(side) for test in tests if isinstance(test, exp.EQ) for side in (test.this, test.expression)]
    code, _, literal = next(filter(None, map(split, tests)), (None, "", None))
    columns = [one for one in sides if isinstance(one, exp.Column)]
    columns.sort(key=lambda one: (qualifier(one) in own, one is code))
    is_local = [qualifier(one) in own for one in columns] == [False, True, True] and columns[-1] is code
    if not is_local or qualifier(columns[0]) not in names or not isinstance(literal, exp.Literal):
        return None
    tables = [fold_name(table.this), fold_name(table.args.get("db")), qualifier(columns[0])]
    return [*columns, literal, value], [*tables, *(fold(one.this) for one in columns), literal.is_string]


def change_totals(node: exp.Expr, known: Known) -> Change | None:
    """Compute the totals of several subqueries in one pass over their table."""
    if not isinstance(node, exp.Select) or exp.Star in map(type, node.expressions) or any(map(node.args.get, _GROUPS)):
        return None
    joins, names = node.args.get("joins") or [], [name_of(table) for table in list_tables(node)]
    commas = [number + 1 for number, one in enumerate(joins) if not (one.side or one.kind or one.args.get("on"))]
    totals = [(query, *found) for query in _list_totals(node) if (found := _read_total(query, names))]
    for _, (outer, key, code, *_), same in totals:
        group = [(query, columns) for query, columns, other in totals if other == same]
        note = compare_types(key, outer, known)
        if len(group) > 1 and note is not None and qualifier(outer) in names[max(commas, default=0) :]:
            _join_totals(node, group)
            return Change(node, note, (key, code))
    return None


def _join_totals(node: exp.Select, group: list[tuple[exp.Subquery, list[exp.Expr]]]) -> None:
    owner, (query, (outer, *keys)) = _find_free(None, "G", list_names(node.root())), group[0]
    table = list_tables(query.this)[0]
    within = {id(column) for each, _ in group for column in each.find_all(exp.Column)}
    used = {fold(one.this) for one in node.find_all(exp.Column) if id(one) not in within and not qualifier(one)}
    key, code = (exp.Column(this=one.this.copy()) for one in keys[:2])
    label = _find_free(key.this, "KEY", used)
    results, codes = [exp.Alias(this=key, alias=label)], dict.fromkeys(parts[3].copy() for _, parts in group)
    for query, (*_, literal, value) in group:
        name = call(query.this.expressions[0].unalias())[0]
        result = exp.Column(this=value.this.copy()) if isinstance(value, exp.Column) else exp.Literal.number(1)
        case = fill("CASE WHEN {c} = {l} THEN {v} END = 1", c=code, l=literal, v=result).this
        alias = query.parent.args["alias"] if isinstance(query.parent, exp.Alias) else None
        free = _find_free(alias, name, used | {fold(one.args["alias"]) for one in results})
        results.append(exp.Alias(this=exp.Anonymous(this=name, expressions=[case]), alias=free))
        shown = exp.Column(this=free.copy(), table=owner.copy())
        query.replace(fill("COALESCE({c}, 0) = 1", c=shown).this if name == "COUNT" else shown)
    where = exp.Where(this=exp.In(this=code.copy(), expressions=list(codes)))
    derived = exp.Select(expressions=results, from_=exp.From(this=table.copy()), where=where)
    derived.set("group", exp.Group(expressions=[key.copy()]))
    equal = fill("{k} = {o}", k=exp.Column(this=label.copy(), table=owner), o=outer)
    source = exp.Subquery(this=derived, alias=exp.TableAlias(this=owner.copy()))
    node.append("joins", exp.Join(this=source, side="LEFT", on=equal))
