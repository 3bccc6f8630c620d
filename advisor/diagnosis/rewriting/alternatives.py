"""Rewrites of OR over tables or columns, and of UNION."""

from sqlglot import exp

from advisor.diagnosis.rewriting.parts import OPERATORS, Change, find_integer, find_key, is_random, split
from advisor.diagnosis.rewriting.selects import find_plain, qualifier, read_inner_conditions, read_where, set_where
from advisor.diagnosis.rewriting.trees import Known, fill, list_conjuncts, list_tables, write
from advisor.indexes.scopes import fold, unwrap

MOST_BRANCHES = 4
_OPPOSITE = {"=": "<>", "<": ">=", "<=": ">", ">": "<=", ">=": "<"}
_MOVABLE = (*OPERATORS, exp.NEQ, exp.In, exp.Between, exp.Is)


def change_or_over_tables(node: exp.Expr, known: Known) -> Change | None:
    """Move the sides of an OR to one table, through columns that the join makes equal."""
    parts = read_inner_conditions(node) if isinstance(node, exp.Select) else None
    if parts is None or not isinstance(node, exp.Select):
        return None
    equal: list[list[exp.Expr]] = []
    for part in parts:
        sides = [unwrap(part.this), unwrap(part.expression)] if isinstance(part, exp.EQ) else []
        pair = [side for side in sides if isinstance(side, exp.Column) and qualifier(side)]
        if len(pair) == 2:
            same = [group for group in equal if any(_is_same(column, one) for column in pair for one in group)]
            equal = [group for group in equal if group not in same]
            equal.append([*pair, *(one for group in same for one in group)])
    for part in parts:
        used = list(part.find_all(exp.Column)) if isinstance(part, exp.Or) and not part.find(exp.Query) else []
        names = {qualifier(column) for column in used}
        choices = (
            [_find_moves(used, name, equal) for name in sorted(names)] if len(names) > 1 and "" not in names else []
        )
        moves = min(filter(None, choices), key=len, default=[])
        if moves:
            unsure = any(_may_differ(old, new, known) for old, new in moves)
            for old, new in moves:
                old.replace(new.copy())
            condition = "The joined columns have the same type." if unsure else ""
            return Change(node, condition, tuple(part.find_all(exp.Column)))
    return None


def _may_differ(old: exp.Column, new: exp.Expr, known: Known) -> bool:
    """Return whether a comparison may differ for equal columns: their types differ, or are unknown for a string."""
    kinds = known.find_type(old), known.find_type(new)
    texts = [literal for literal in old.parent.find_all(exp.Literal) if literal.is_string] if old.parent else []
    return kinds[0] != kinds[1] or (kinds[0] == "" and bool(texts))


def _is_same(one: exp.Expr, other: exp.Expr) -> bool:
    return (qualifier(one), fold(one.this)) == (qualifier(other), fold(other.this))


def _find_moves(
    used: list[exp.Column], name: str, equal: list[list[exp.Expr]]
) -> list[tuple[exp.Column, exp.Expr]] | None:
    moves = []
    for column in used:
        if qualifier(column) != name:
            group = next((group for group in equal if any(_is_same(column, one) for one in group)), [])
            found = next((one for one in group if qualifier(one) == name), None)
            if found is None or not isinstance(column.parent, _MOVABLE):
                return None
            moves.append((column, found))
    return moves


def change_or_to_union(node: exp.Expr, known: Known) -> Change | None:
    """Read the rows of each side of an OR in a SELECT of its own, without those of the sides before."""
    select = find_plain(node, "distinct", "order", "with_")
    if select is None or select.parent or is_random(select):
        return None
    parts = read_where(select)
    whole = next((part for part in parts if isinstance(part, exp.Or)), None)
    sides = list_conjuncts(whole, exp.Or)
    columns = [_find_compared(side) for side in sides]
    order = _number_keys(select)
    if (
        whole is None
        or len(sides) > MOST_BRANCHES
        or order is None
        or len(set(map(write, filter(None, columns)))) < len(sides)
    ):
        return None
    if change_or_over_tables(select.copy(), known):
        return None
    is_distinct = bool(select.args.get("distinct"))
    tests = [[] if is_distinct else [_exclude(side, known)] for side in sides]
    branches = []
    for number, side in enumerate(sides):
        new = [side, *(test for group in tests[:number] for test in group)]
        branch = select.copy()
        for clause in ("order", "with_", "distinct"):
            branch.set(clause, None)
        set_where(branch, [each for part in parts for each in (new if part is whole else [part])])
        branches.append(branch)
    tree: exp.Expr = branches[0]
    for branch in branches[1:]:
        tree = exp.Union(this=tree, expression=branch, distinct=is_distinct)
    tree.set("order", order if order.expressions else None)
    tree.set("with_", select.args.get("with_"))
    return Change(tree, "", tuple(column for column in columns if column))


def _find_compared(side: exp.Expr) -> exp.Expr | None:
    """Return the column of a predicate that an index can serve."""
    found = split(side)
    this = found[0] if found else unwrap(side.this) if isinstance(side, (exp.In, exp.Between, exp.Like)) else None
    is_only = not side.find(exp.Query) and all(column is this for column in side.find_all(exp.Column))
    return this if isinstance(this, exp.Column) and is_only else None


def _exclude(side: exp.Expr, known: Known) -> exp.Expr:
    """Return a condition that is true if and only if another is false or unknown."""
    found = split(side)
    if not found or not isinstance(found[2], exp.Literal):
        return fill("CASE WHEN {side} THEN 1 ELSE 0 END = 0", side=side)
    text = f"{{column}} {_OPPOSITE[found[1]]} {{value}}"
    more = "" if known.is_never_null(found[0]) else " OR {column} IS NULL"
    return fill(text + more, column=found[0], value=found[2])


def _number_keys(select: exp.Select) -> exp.Order | None:
    """Return ORDER BY with numbers of result columns; None if a key is not a result column."""
    order: exp.Order = select.args["order"].copy() if select.args.get("order") else exp.Order(expressions=[])
    columns = [
        ("", one.args["alias"]) if isinstance(one, exp.Alias) else (qualifier(one), one.this)
        for one in select.expressions
    ]
    names = [(table, fold(name)) for table, name in columns]
    for key in order.expressions:
        name = (qualifier(key.this), fold(key.this.this))
        if find_integer(key.this) is None:
            found = [number for number, each in enumerate(names, 1) if each[1] == name[1]]
            if not isinstance(key.this, exp.Column) or len(found) != 1 or name not in names or select.is_star:
                return None
            key.set("this", exp.Literal.number(found[0]))
    return order


def change_union(node: exp.Expr, known: Known) -> Change | None:
    """Change UNION of disjoint branches to UNION ALL."""
    if not isinstance(node, exp.Union) or isinstance(node.parent, exp.Union):
        return None
    branches, unions = [], []
    this: exp.Expr = node
    while isinstance(this, exp.Union):
        unions.append(this)
        branches.append(this.expression)
        this = this.this
    branches.append(this)
    if not all(isinstance(one, exp.Select) and not one.args.get("limit") for one in branches):
        return None
    if any(isinstance(each.unalias(), exp.Null) for one in branches for each in one.expressions):
        return None  # no DISTINCT of a NULL without a type
    if not all(union.args.get("distinct") for union in unions) or not _are_disjoint(branches):
        return None
    for branch in branches:
        columns = {fold(one.this) for one in branch.expressions if isinstance(one, exp.Column)}
        tables = list_tables(branch)
        if not (len(tables) == 1 and known.has_key(tables[0], columns)) and tables:
            branch.set("distinct", exp.Distinct())
    for union in unions:
        union.set("distinct", False)
    return Change(node)


def _are_disjoint(branches: list[exp.Expr]) -> bool:
    """Return whether the branches have different literals in the same result column."""
    for column in zip(*(branch.expressions for branch in branches), strict=False):
        keys = [find_key(each.unalias()) for each in column]
        folded = {key.casefold() if isinstance(key, str) else key for key in keys}
        if None not in folded and len({type(key) for key in keys}) == 1 and len(folded) == len(keys):
            return True
    return False
