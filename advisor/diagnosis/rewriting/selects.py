"""Parts of a SELECT: its conditions, and whether it returns the rows of its tables."""

from sqlglot import exp

from advisor.diagnosis.rewriting.trees import join_conditions, list_conjuncts, name_of
from advisor.indexes.scopes import fold

TOTALS = frozenset(
    ["AVG", "COUNT", "COUNT_BIG", "GROUPING", "LISTAGG", "MAX", "MEDIAN", "MIN", "STDDEV", "SUM", "VARIANCE", "XMLAGG"]
)
_CLAUSES = frozenset(["group", "having", "distinct", "limit", "offset", "order", "with_"])


def qualifier(column: exp.Expr) -> str:
    """Return the name of a column's table in the text."""
    return fold(column.args.get("table"))


def list_names(node: exp.Expr) -> set[str]:
    """Return the names of all tables in a query."""
    return {name_of(table) for table in node.find_all(exp.Table, exp.Subquery, exp.CTE)}


def find_plain(node: exp.Expr | None, *allowed: str) -> exp.Select | None:
    """Return a SELECT of rows: without groups, totals, windows, and clauses that are not allowed."""
    if not isinstance(node, exp.Select) or not node.args.get("from_") or any(map(node.args.get, _CLAUSES - {*allowed})):
        return None
    order = node.args.get("order")
    parts = [*node.expressions, *(order.expressions if order else [])]
    calls = [call for part in parts for call in part.find_all(exp.Anonymous, exp.AggFunc, exp.Window)]
    plain = all(isinstance(call, exp.Anonymous) and call.name.upper() not in TOTALS for call in calls)
    return node if plain else None


def read_where(node: exp.Expr) -> list[exp.Expr]:
    """Return the conditions of WHERE."""
    where = node.args.get("where")
    return list_conjuncts(where.this) if where else []


def set_where(node: exp.Expr, parts: list[exp.Expr]) -> None:
    """Replace the conditions of WHERE."""
    node.set("where", exp.Where(this=join_conditions(parts)) if parts else None)


def read_inner_conditions(select: exp.Expr) -> list[exp.Expr] | None:
    """Return the conditions of WHERE and ON; None if a join is not an inner join."""
    joins = select.args.get("joins") or []
    if any(join.side or join.method or join.args.get("using") or isinstance(join.this, exp.Lateral) for join in joins):
        return None
    return [*read_where(select), *(part for join in joins for part in list_conjuncts(join.args.get("on")))]
