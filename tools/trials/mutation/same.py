"""Recognize equivalent mutants: bring both texts into one form, by steps that change no row.

- A false condition rejects a row as a NULL condition does, under AND and OR. So a default that makes a comparison false
  may as well be missing.
- A LEFT JOIN is an INNER JOIN if WHERE, or the condition of a later INNER JOIN, compares a column of the joined table.
- In a condition with both NULLIF(x, 0) and x >= 0, a value of 0 becomes NULL in either case.
- TUNE.SETTING holds a single row per parameter, so its minimum is its maximum.
"""

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import sqlglot
from sqlglot import exp

from tools.trials.mutation.mutants import Mutant

COMPARED: dict[type[exp.Expression], Callable[[Any, Any], bool]] = {
    exp.GT: lambda a, b: a > b, exp.GTE: lambda a, b: a >= b, exp.LT: lambda a, b: a < b,
    exp.LTE: lambda a, b: a <= b, exp.EQ: lambda a, b: a == b, exp.NEQ: lambda a, b: a != b,
}  # fmt: skip
# the result of these is NULL if an argument is NULL
STRICT: tuple[type[exp.Expression], ...] = (
    exp.Column, exp.Cast, exp.Paren, exp.Neg, exp.Add, exp.Sub, exp.Mul, exp.Div, exp.Mod, exp.Round, exp.Floor, exp.Ceil,
    exp.Substring, exp.Length, exp.Lower, exp.Upper, exp.Nullif, exp.DPipe, exp.Between, exp.Like, *COMPARED,
)  # fmt: skip


def is_same(mutant: Mutant) -> bool:
    """Return whether a mutant has the rows of the original, whatever the tables contain."""
    try:
        return not mutant.is_of_header and _form(mutant.text) == _form(mutant.mutated)
    except sqlglot.ParseError:
        return False


@cache
def _form(text: str) -> str:
    tree = sqlglot.parse_one(text, read="duckdb")
    for step in (_without_defaults, _joined, _without_zero, _of_parameter):
        for node in list(tree.find_all(exp.Expression)):
            step(node)
    return str(tree.sql(dialect="duckdb", comments=False))


def _without_defaults(node: exp.Expression) -> None:
    if type(node) in COMPARED and _only_true_counts(node):
        for side, other in ((node.this, node.expression), (node.expression, node.this)):
            default = _default(side)
            if default is not None and _is_false(node, side, default, other):
                _drop_default(side)
    elif isinstance(node, exp.Coalesce) and isinstance(node.expressions[-1], exp.Null):
        _drop_default(node)


def _default(node: exp.Expression) -> exp.Expression | None:
    """Return the value of a COALESCE or CASE when no other branch applies."""
    if isinstance(node, exp.Coalesce):
        last: exp.Expression = node.expressions[-1]
        return last
    default: exp.Expression | None = node.args.get("default") if isinstance(node, exp.Case) else None
    return default


def _drop_default(node: exp.Expression) -> None:
    if isinstance(node, exp.Case):
        node.set("default", None)
    elif len(node.expressions) > 1:
        node.set("expressions", node.expressions[:-1])
    else:
        node.replace(node.this)


def _is_false(node: exp.Expression, side: exp.Expression, default: exp.Expression, other: exp.Expression) -> bool:
    """Return whether the comparison is false, or NULL, with the default on its side."""
    if isinstance(default, exp.Null):
        return True
    if (
        not (isinstance(default, exp.Literal) and isinstance(other, exp.Literal))
        or default.is_string != other.is_string
    ):
        return False
    values = [one.this if one.is_string else float(one.this) for one in (default, other)]
    return not COMPARED[type(node)](*(values if side is node.this else reversed(values)))


def _only_true_counts(node: exp.Expression) -> bool:
    """Return whether false and NULL are the same here: below AND and OR, up to a WHERE, ON or WHEN."""
    child, parent = node, node.parent
    while isinstance(parent, exp.And | exp.Or | exp.Paren):
        child, parent = parent, parent.parent
    if isinstance(parent, exp.Where | exp.Having):
        return True
    return isinstance(parent, exp.Join) or (isinstance(parent, exp.If) and parent.this is child)


def _joined(node: exp.Expression) -> None:
    """Change a LEFT JOIN to an INNER JOIN if no row without a partner remains."""
    if not isinstance(node, exp.Select):
        return
    where = node.args.get("where")
    joins = node.args.get("joins") or []
    if any(join.side in ("RIGHT", "FULL") for join in joins):
        return
    later = list(_all(where.this)) if where else []
    for join in reversed(joins):
        on = join.args.get("on")
        if join.side == "LEFT" and any(join.alias_or_name in _needed(condition) for condition in later):
            join.set("side", "")
            join.set("kind", "INNER")
        if join.side != "LEFT" and on is not None:
            later += _all(on)


def _all(condition: exp.Expression) -> Iterator[exp.Expression]:
    """Yield the parts of a condition that must all be true."""
    if isinstance(condition, exp.Paren):
        yield from _all(condition.this)
    elif isinstance(condition, exp.And):
        yield from _all(condition.this)
        yield from _all(condition.expression)
    else:
        yield condition


def _needed(condition: exp.Expression) -> set[str]:
    """Return the tables whose NULL in a column makes a condition false or NULL."""
    if isinstance(condition, exp.Or):
        return _needed(condition.this) & _needed(condition.expression)
    if isinstance(condition, exp.And):
        return _needed(condition.this) | _needed(condition.expression)
    compared = condition
    if isinstance(condition, exp.Not) and isinstance(condition.this, exp.In | exp.Like | exp.Is):
        compared = condition.this
        if isinstance(compared, exp.Is):  # IS NOT NULL
            compared = compared.this if isinstance(compared.expression, exp.Null) else exp.Null()
    if isinstance(compared, exp.In):
        compared = exp.Null() if compared.args.get("query") else compared.this
    return {column.table for column in _strict(compared)}


def _strict(node: exp.Expression) -> Iterator[exp.Column]:
    """Yield the columns that make an expression NULL if they are NULL."""
    if isinstance(node, exp.Column):
        yield node
    elif isinstance(node, STRICT):
        parts = [node.this] if isinstance(node, exp.Nullif | exp.Cast | exp.Round) else node.iter_expressions()
        for part in parts:
            yield from _strict(part)


def _without_zero(node: exp.Expression) -> None:
    """Change x >= 0 to x > 0 if NULLIF(x, 0) turns 0 into NULL."""
    if isinstance(node, exp.Where):
        conditions = list(_all(node.this))
        for condition in conditions:
            _above_zero(condition, [other for other in conditions if other is not condition])
    elif isinstance(node, exp.Case) and len(node.args["ifs"]) == 1 and not node.args.get("default") and not node.this:
        arm = node.args["ifs"][0]
        for condition in _all(arm.this):
            _above_zero(condition, [arm.args["true"]])


def _above_zero(condition: exp.Expression, beside: list[exp.Expression]) -> None:
    zero = isinstance(condition, exp.GTE) and condition.expression.sql() == "0"
    if zero and any(_is_null_at_zero(other, condition.this.sql()) for other in beside):
        condition.replace(exp.GT(this=condition.this.copy(), expression=condition.expression.copy()))


def _is_null_at_zero(node: exp.Expression, name: str) -> bool:
    if isinstance(node, exp.Nullif):
        return bool(node.this.sql() == name and node.expression.sql() == "0")
    return isinstance(node, STRICT) and any(_is_null_at_zero(part, name) for part in node.iter_expressions())


def _of_parameter(node: exp.Expression) -> None:
    """Change the minimum of a parameter to its maximum."""
    if isinstance(node, exp.Min) and isinstance(node.this, exp.Case) and (select := node.find_ancestor(exp.Select)):
        arms = node.this.args["ifs"]
        tables = [table.name for table in select.find_all(exp.Table) if table.find_ancestor(exp.Select) is select]
        names = [
            part for arm in arms for part in _all(arm.this) if isinstance(part, exp.EQ) and part.this.name == "NAME"
        ]
        where = select.args.get("where")
        scopes = (
            [part for part in _all(where.this) if isinstance(part, exp.EQ) and part.this.name == "SCOPE"]
            if where
            else []
        )
        if tables == ["SETTING"] and len(names) == len(arms) == 1 and scopes and not select.args.get("group"):
            node.replace(exp.Max(this=node.this.copy()))
