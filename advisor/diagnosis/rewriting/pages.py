"""Rewrites of queries that return one page of rows."""

from sqlglot import exp

from advisor.diagnosis.rewriting.parts import Change, call, find_integer, split
from advisor.diagnosis.rewriting.selects import find_plain, qualifier, read_where, set_where
from advisor.diagnosis.rewriting.trees import Known, fill, fold_name, list_conjuncts, list_tables, name_of, write
from advisor.indexes.scopes import fold, unwrap


def change_paging(node: exp.Expr, known: Known) -> Change | None:
    """End a numbered query after the last row of the page."""
    inner = _find_numbered(node) if isinstance(node, exp.Select) and not node.parent else None
    windows = list(inner.find_all(exp.Window)) if inner else []
    alias = windows[0].parent if len(windows) == 1 else None
    order, parts = (windows[0].args.get(key) if windows else None for key in ("order", "partition_by"))
    if not isinstance(node, exp.Select) or not inner or not isinstance(alias, exp.Alias) or alias.parent is not inner:
        return None
    limit = _find_limit(node, fold(alias.args["alias"]))
    if call(windows[0].this)[0] not in ("ROW_NUMBER", "ROWNUMBER") or parts or limit is None:
        return None
    keys = [key.this for key in order.expressions] if order else []
    if not _are_columns(keys, inner):
        return None
    inner.set("order", order.copy() if order else None)
    inner.set("limit", exp.Fetch(direction="FIRST", count=limit.copy()))
    marker = f"{write(limit)} is at least 1." if isinstance(limit, exp.Placeholder) else ""
    identity = _identify(inner, keys, known) if keys else "The rows have no order: any rows can form a page."
    return Change(node, " ".join(filter(None, (identity, marker))), tuple(keys))


def _find_numbered(node: exp.Select) -> exp.Select | None:
    """Return the only query that a SELECT reads, if its rows have no order and limit of their own."""
    tables = list_tables(node)
    table = tables[0] if len(tables) == 1 else exp.Null()
    ctes = node.args["with_"].expressions if node.args.get("with_") else []
    named = [cte for cte in ctes if name_of(cte) == fold_name(table.this) and not table.args.get("db")]
    uses = [one for one in node.find_all(exp.Table) if fold_name(one.this) == fold_name(table.this)]
    source = named[0] if isinstance(table, exp.Table) and len(named) == len(uses) == 1 else table
    alias = source.args.get("alias")
    is_renamed = alias is not None and alias.args.get("columns")
    inner = source.this if isinstance(source, (exp.CTE, exp.Subquery)) and not is_renamed else None
    clauses = ("distinct", "group", "having", "order", "limit", "offset")
    return inner if isinstance(inner, exp.Select) and not any(map(inner.args.get, clauses)) else None


def _are_columns(keys: list[exp.Expr], select: exp.Select) -> bool:
    """Return whether the keys are columns that no result column hides."""
    names = {fold(one.args["alias"]) for one in select.expressions if isinstance(one, exp.Alias)}
    return all(isinstance(key, exp.Column) and (qualifier(key) or fold(key.this) not in names) for key in keys)


def _find_limit(node: exp.Select, name: str) -> exp.Expr | None:
    """Return the greatest row number of a page."""
    for part in read_where(node):
        found = split(part)
        column, value = (found[0], found[2]) if found and found[1] in ("=", "<=", "<") else (None, None)
        if isinstance(part, exp.Between):
            column, value = part.this, part.args["high"]
        if isinstance(column, exp.Column) and fold(column.this) == name and value:
            number = _compute(value)
            if found and found[1] == "<":
                number = number - 1 if number else 0
            value = value if number is None else exp.Literal.number(number)
            if (number or 0) > 0 or (isinstance(value, exp.Placeholder) and number is None):
                return value
    return None


def _compute(node: exp.Expr) -> int | None:
    """Return the value of an integer expression, such as 30 + 10."""
    this = unwrap(node)
    if not isinstance(this, (exp.Add, exp.Mul)):
        return find_integer(this)
    left, right = _compute(this.this), _compute(this.expression)
    return None if left is None or right is None else left + right if isinstance(this, exp.Add) else left * right


def _identify(select: exp.Select, keys: list[exp.Expr], known: Known) -> str:
    tables = list_tables(select)
    if len(tables) == 1 and known.has_key(tables[0], {fold(key.this) for key in keys}):
        return ""
    return f"No two rows have the same {', '.join(write(key) for key in keys)}: equal rows have no fixed order."


def change_offset(node: exp.Expr, known: Known) -> Change | None:
    """Start a page after the last key of the page before."""
    select = find_plain(node, "order", "limit", "offset", "with_")
    order, offset, limit = (select.args.get(key) if select else None for key in ("order", "offset", "limit"))
    if select is None or select.parent or not order or not offset or not isinstance(limit, exp.Fetch):
        return None
    keys, signs = zip(*((key.this, "<" if key.args.get("desc") else ">") for key in order.expressions), strict=True)
    if not _are_columns(list(keys), select) or find_integer(offset.expression) == 0:
        return None
    text = ""
    for number, sign in reversed(list(enumerate(signs))):
        text = f"{{k{number}}} {sign} ?" + (f" OR ({{k{number}}} = ? AND ({text}))" if text else "")
    text = text if len(keys) == 1 else f"{{k0}} {signs[0]}= ? AND ({text})"
    names, columns = ", ".join(map(write, keys)), {f"k{number}": key for number, key in enumerate(keys)}
    conditions = [
        f"The new markers are {names} of the last row of the page before.",
        _identify(select, list(keys), known),
    ]
    if not all(map(known.is_never_null, keys)):
        conditions.append(f"{names} have no NULL.")
    set_where(select, [*read_where(select), *list_conjuncts(fill(text, **columns))])
    select.set("offset", None)
    return Change(select, " ".join(filter(None, conditions)), keys)
