"""Rules of docs/writing-rules.md that make Db2, DuckDB and H2 read a statement alike, as checks.

Each check yields one reason per violation. Types are those of the tables of a run. A column of unknown type passes,
because the second engine checks its values.
"""

import re
from collections.abc import Iterator

import sqlglot
from sqlglot import exp
from sqlglot.optimizer.annotate_types import annotate_types
from sqlglot.optimizer.qualify import qualify

from advisor.catalogue.sqltext import code

Schema = dict[str, object]  # tables of each schema, with the type of each column

FUNCTIONS = {
    *("ABS", "CEIL", "CHR", "COALESCE", "EXP", "FLOOR", "GREATEST", "INSTR", "LEAST", "LENGTH", "LN", "LOWER", "MOD"),
    *("NULLIF", "POWER", "REPLACE", "ROUND", "RTRIM", "SQRT", "SUBSTR", "UPPER", "CAST"),
    *("AVG", "COUNT", "MAX", "MIN", "SUM"),
    *("DENSE_RANK", "FIRST_VALUE", "LAG", "LAST_VALUE", "LEAD", "RANK", "ROW_NUMBER"),
}
_SYNTAX = {  # words that precede a parenthesis but are not functions
    *("ALL", "AND", "ANY", "AS", "BETWEEN", "BY", "CASE", "DISTINCT", "ELSE", "EXISTS", "FROM", "HAVING", "IN", "JOIN"),
    *("LIKE", "NOT", "ON", "OR", "OVER", "SELECT", "THEN", "UNION", "VALUES", "WHEN", "WHERE", "WITH"),
}
_KEYWORDS = {
    "QUALIFY": r"\bQUALIFY\b",
    "FILTER": r"\bFILTER\s*\(",
    "ILIKE": r"\bILIKE\b",
    "RECURSIVE": r"\bRECURSIVE\b",
    "LIMIT": r"\bLIMIT\b",
    "WITH UR": r"\bWITH (UR|CS|RS|RR)\b",
    "IS DISTINCT FROM": r"\bDISTINCT FROM\b",
    "::": r"::",
    "boolean": r"\b(TRUE|FALSE|BOOLEAN)\b",
    "labelled duration": r"(\b\d+|\)) (YEAR|MONTH|DAY|HOUR|MINUTE|SECOND|MICROSECOND)S?\b",
    "CURRENT_TIMESTAMP in two words": r"\bCURRENT (TIMESTAMP|DATE|TIME)\b",
}
_WHOLE = (exp.DataType.Type.BIGINT, exp.DataType.Type.INT, exp.DataType.Type.SMALLINT)
_FLOAT = (exp.DataType.Type.DOUBLE, exp.DataType.Type.FLOAT)
_NUMBER = (*_WHOLE, *_FLOAT, exp.DataType.Type.DECIMAL, exp.DataType.Type.INT128)
_LARGE = 1024


def reasons(sql: str, schema: Schema) -> list[str]:
    """Return the reasons why a statement differs between engines; empty if it does not."""
    text = code(sql)
    found = [f"forbidden: {name}" for name, pattern in _KEYWORDS.items() if re.search(pattern, text)]
    # a type after AS and the column list of a common table expression are not functions
    names = re.findall(r"(?<!\bAS )\b([A-Za-z_]\w*)\s*\((?![^()]*\) AS \()", text)
    found += [f"function {name} is not on the list" for name in names if name.upper() not in FUNCTIONS | _SYNTAX]
    if found:
        return found
    tree = sqlglot.parse_one(sql, read="duckdb")
    found += [
        *_divisions(tree),
        *_untyped_nulls(tree),
        *_truths(tree),
        *_averages(tree),
        *_havings(tree),
        *_unions(tree),
        *find_empty_texts(tree),
    ]
    typed = annotate_types(
        qualify(tree.copy(), schema=schema, dialect="duckdb", validate_qualify_columns=False),
        schema=schema,
        dialect="duckdb",
    )
    return [*found, *_texts(typed), *_roundings(typed), *_joined(typed), *_overflows(typed)]


def find_empty_texts(tree: exp.Expr) -> Iterator[str]:
    """With varchar2_compat an empty text is NULL, and 'x' || NULL is 'x', not NULL."""
    for call in tree.find_all(exp.Coalesce, exp.Is):
        first = [call.this] if isinstance(call, exp.Is) else [call.this, *call.expressions[:-1]]
        if any(isinstance(part.unnest(), exp.DPipe) for part in first):
            yield f"{call.sql()}: || of a NULL is not NULL with varchar2_compat"
    for compared in tree.find_all(exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.In):
        if any(
            isinstance(part, exp.Literal) and part.is_string and not part.this for part in compared.iter_expressions()
        ):
            yield f"{compared.sql()}: an empty text is NULL with varchar2_compat"
    for length in tree.find_all(exp.Length):
        is_filled = isinstance(length.this, exp.DPipe) and isinstance(next(length.this.flatten()), exp.Literal)
        can_shrink = next(length.this.find_all(exp.Replace, exp.Trim, exp.Substring, exp.Coalesce), None)
        if can_shrink and not is_filled and not isinstance(length.parent, exp.Coalesce):
            yield f"{length.sql()} is NULL of an empty text with varchar2_compat: LENGTH('x' || text)"


def _unions(tree: exp.Expr) -> Iterator[str]:
    """Db2 keeps a union's column name only if all branches use it; a view names its own columns."""
    for union in tree.find_all(exp.SetOperation):
        alias = union.parent.args.get("alias") if union.parent else None
        within = union.parent is not None and not isinstance(union.parent, exp.SetOperation)
        branches = [branch.named_selects for branch in _branches(union)]
        if within and not (alias and alias.columns) and any(names != branches[0] for names in branches):
            yield f"a union without a list of its columns ({', '.join(branches[0])})"


def _branches(node: exp.Expr) -> Iterator[exp.Query]:
    if isinstance(node, exp.SetOperation):
        yield from _branches(node.left)
        yield from _branches(node.right)
    elif isinstance(node, exp.Query):
        yield node


def _bare(node: exp.Expr) -> exp.Expr:
    while isinstance(node, exp.Paren):
        node = node.this
    return node


def _is_double(node: exp.Expr) -> bool:
    node = _bare(node)
    if isinstance(node, exp.Cast):
        return node.to.this in _FLOAT
    if isinstance(node, exp.Neg):
        return _is_double(node.this)
    if isinstance(node, exp.Ln | exp.Sqrt | exp.Exp):
        return True
    if isinstance(node, exp.Add | exp.Sub | exp.Mul | exp.Div):
        return _is_double(node.left) or _is_double(node.right)
    return False


def _not_zero(node: exp.Expr) -> bool:
    node = _bare(node)
    if isinstance(node, exp.Cast):
        return _not_zero(node.this)
    if isinstance(node, exp.Mul):
        return _not_zero(node.left) and _not_zero(node.right)
    if isinstance(node, exp.Nullif):
        return str(node.expression.name) == "0"
    if isinstance(node, exp.Ln):
        argument = node.this.this if isinstance(node.this, exp.Cast) else node.this
        return isinstance(argument, exp.Literal) and float(argument.name) != 1
    return isinstance(node, exp.Literal) and not node.is_string and float(node.name) != 0


def _divisions(tree: exp.Expr) -> Iterator[str]:
    for node in tree.find_all(exp.Div, exp.Mod):
        if isinstance(node, exp.Div) and not (_is_double(node.left) or _is_double(node.right)):
            yield f"division without CAST AS DOUBLE: {node.sql()}"
        divisor = node.expression
        if not _not_zero(divisor):
            yield f"division without NULLIF: {node.sql()}"


def _untyped_nulls(tree: exp.Expr) -> Iterator[str]:
    for select in tree.find_all(exp.Select):
        for item in select.expressions:
            if isinstance(item.unalias(), exp.Null):
                yield f"untyped NULL: {item.sql()}"


def _truths(tree: exp.Expr) -> Iterator[str]:
    """Reject a condition in place of a value."""
    for node in tree.find_all(exp.Predicate, exp.Not, exp.Connector):
        parent: exp.Expr | None = node.parent
        child: exp.Expr = node
        while isinstance(parent, exp.Paren | exp.Not | exp.Connector):
            child = parent
            parent = parent.parent
        if isinstance(parent, exp.If) and parent.this is child:
            continue
        if not isinstance(parent, exp.Where | exp.Having | exp.Join):
            yield f"a condition is no value: {node.sql()}"


def _havings(tree: exp.Expr) -> Iterator[str]:
    """Reject HAVING at the top of a common table expression, which H2 cannot read."""
    for node in tree.find_all(exp.Having):
        around = node.parent.parent if node.parent else None
        while isinstance(around, exp.SetOperation | exp.Paren):
            around = around.parent
        if isinstance(around, exp.CTE):
            yield f"HAVING in a common table expression: {node.sql()}"


def _averages(tree: exp.Expr) -> Iterator[str]:
    for node in tree.find_all(exp.Avg):
        if not _is_double(node.this):
            yield f"AVG without CAST AS DOUBLE: {node.sql()}"


def _type(node: exp.Expr) -> exp.DType | None:
    return node.type.this if node.type else None


def _parts(node: exp.Expr) -> list[exp.Expr]:
    """Return the operands of an expression that is an integer if they are."""
    if isinstance(node, exp.Case):
        return [*(branch.args["true"] for branch in node.args["ifs"]), *filter(None, [node.args.get("default")])]
    if isinstance(node, exp.Coalesce | exp.Greatest | exp.Least):
        return [node.this, *node.expressions]
    if isinstance(node, exp.Max | exp.Min | exp.Sum | exp.Neg | exp.Nullif):
        return [node.this]
    return [node.left, node.right] if isinstance(node, exp.Add | exp.Sub | exp.Mul) else []


def _whole(node: exp.Expr) -> bool:
    """Return whether a number has no fraction, judged by its expression."""
    node = _bare(node)
    if isinstance(node, exp.Floor | exp.Ceil):
        return True
    if isinstance(node, exp.Round):
        return node.args.get("decimals") is None or node.args["decimals"].name == "0"
    if parts := _parts(node):
        return all(_whole(part) for part in parts)
    return _type(node) not in (*_FLOAT, exp.DataType.Type.DECIMAL)


def _texts(tree: exp.Expr) -> Iterator[str]:
    for node in tree.find_all(exp.Cast):
        if node.to.is_type(*exp.DataType.TEXT_TYPES):
            inner = _bare(node.this)
            computed = not isinstance(inner, exp.Cast) and next(inner.find_all(exp.Div), None) is not None
            if (
                _type(inner) in _FLOAT
                or isinstance(inner, exp.Round | exp.Floor | exp.Ceil)
                or (computed and _type(inner) not in _WHOLE)
            ):
                yield f"a DOUBLE to text: {node.sql()}"


def _roundings(tree: exp.Expr) -> Iterator[str]:
    for node in tree.find_all(exp.Cast):
        if node.to.this in _WHOLE and not _whole(node.this):
            yield f"a fraction to an integer without FLOOR, CEIL or ROUND: {node.sql()}"


def _joined(tree: exp.Expr) -> Iterator[str]:
    for node in tree.find_all(exp.DPipe):
        for side in (node.left, node.right):
            if _type(_bare(side)) in _NUMBER:
                yield f"a number in a concatenation: {side.sql()}"


def _overflows(tree: exp.Expr) -> Iterator[str]:
    """Reject products and sums of INTEGERs, which Db2 keeps as INTEGER."""
    small = (exp.DataType.Type.INT, exp.DataType.Type.SMALLINT)
    for node in tree.find_all(exp.Mul):
        if isinstance(node.parent, exp.Mul):
            continue
        factors = list(_factors(node))
        if all(_type(factor) in small for factor in factors):
            columns = [factor for factor in factors if isinstance(factor, exp.Column)]
            large = [f for f in factors if isinstance(f, exp.Literal) and f.is_int and int(f.name) >= _LARGE]
            if len(columns) > 1 or (columns and large):
                yield f"a product of INTEGERs without CAST AS BIGINT: {node.sql()}"
    for total in tree.find_all(exp.Sum):
        summed = total.this
        if (
            isinstance(summed, exp.Column)
            and summed.name.upper().endswith(("PAGES", "SIZE"))
            and _type(summed) in small
        ):
            yield f"a sum of INTEGERs without CAST AS BIGINT: {total.sql()}"


def _factors(node: exp.Expr) -> Iterator[exp.Expr]:
    node = _bare(node)
    if isinstance(node, exp.Mul):
        yield from _factors(node.left)
        yield from _factors(node.right)
    else:
        yield node
