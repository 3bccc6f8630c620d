"""Reasons why no index helps a predicate or a table reference, with the rewrite that would let one help."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from sqlglot import exp

from advisor.indexes.catalog import Table
from advisor.indexes.dialect import parse
from advisor.indexes.scopes import Reference, Scope, Use, columns_and_queries, fold, unwrap
from advisor.indexes.simplify import UnreadableTextError
from advisor.quoting import quoted


@dataclass(frozen=True)
class Hindrance:
    """A predicate on a column that no proposed index can use, and the change that lets one help, if it is certain.

    ``schema`` and ``table`` are empty if the predicate is on no column of a table. ``key`` is the compared expression if
    an index may have it as key.
    """

    column: str
    reason: str
    remedy: str | None = None
    schema: str = ""
    table: str = ""
    key: str = ""

    @property
    def text(self) -> str:
        """Return the reason and the remedy."""
        return f"{self.reason} {self.remedy}" if self.remedy else self.reason


# Reason and remedy by kind of predicate.
KINDS: dict[str, tuple[str, str | None]] = {
    "or": (
        "OR over {columns}: no single range of an index has the rows.",
        "Db2 can combine indexes that serve all sides of the OR (index ORing). UNION ALL of one SELECT per side, each"
        " without the rows of those before, lets each SELECT use its index.",
    ),
    "negated": ("NOT or <> on {column} names the rows that are not wanted.", None),
    "wildcard": ("LIKE starts with a wildcard: {column} has no known beginning.", None),
    "pattern": (
        "The pattern of LIKE for {column} is not a constant.",
        "An index on {column} helps if the pattern never starts with a wildcard.",
    ),
    "type": (
        "{column} is a character column that is compared with a number: Db2 converts the column.",
        "Compare {column} with a character value.",
    ),
    "outer": (
        "The condition on {column} in the ON clause of an outer join does not limit the rows of its table.",
        None,
    ),
    "same row": ("{column} is compared with a column of the same row.", None),
    "value": ("{column} is compared with values that are not known before the row is read.", None),
    "derived": ("{column} is computed by a view, common table expression or derived table.", None),
    "expression": ("An expression on {column} is compared: an index on the column cannot find its values.", None),
    "indexed": ("{index} is an index on the compared expression of {column}.", None),
    "other": ("No index can apply the predicate on {column}.", None),
}

# The remedy for an expression by its function or operator and the comparison. A rewrite whose values are unknown is left out.
_DATE, _NO_WILDCARD = "DATE({value})", "if {value} has {length} characters and no % or _"
REWRITES: dict[tuple[str, str], str] = {
    ("DATE", "="): f"{{column}} >= {_DATE} AND {{column}} < {_DATE} + 1 DAY",
    ("DATE", ">="): f"{{column}} >= {_DATE}",
    ("DATE", ">"): f"{{column}} >= {_DATE} + 1 DAY",
    ("DATE", "<="): f"{{column}} < {_DATE} + 1 DAY",
    ("DATE", "<"): f"{{column}} < {_DATE}",
    ("DATE", "BETWEEN"): "{column} >= DATE({low}) AND {column} < DATE({high}) + 1 DAY",
    ("YEAR", "="): "{column} >= '{value}-01-01' AND {column} < '{next_value}-01-01'",
    ("SUBSTR", "="): f"{{column}} LIKE {{value}} || '%', {_NO_WILDCARD}",
    ("LEFT", "="): f"{{column}} LIKE {{value}} || '%', {_NO_WILDCARD}",
    **dict.fromkeys(
        [(name, "=") for name in ("COALESCE", "VALUE", "IFNULL", "NVL")],
        "{column} = {value}, with OR {column} IS NULL if {value} is {default}",
    ),
    ("+", "="): "{column} = {value} - {operand}",
    ("-", "="): "{column} = {value} + {operand}",
    **dict.fromkeys(
        [(name, "=") for name in ("CAST", "CHAR", "VARCHAR", "INTEGER", "INT", "BIGINT", "DECIMAL", "DEC", "DOUBLE")],
        "a comparison of {column} with a value of its own type",
    ),
}
# Deterministic built-in functions, which the key of an index may contain (CREATE INDEX, r0000919).
KEY_FUNCTIONS = frozenset(
    {"UPPER", "UCASE", "LOWER", "LCASE", "SUBSTR", "LEFT", "RIGHT", "LENGTH", "LTRIM", "RTRIM", "REPLACE"}
    | {"ABS", "MOD", "COALESCE", "DATE", "YEAR", "MONTH", "DAY", "INT", "INTEGER", "BIGINT", "DIGITS"}
)
KEY_INDEX = "Create an index on the expression (Db2 10.5 and later): {name} ({expression})."

# Why a table reference has no candidates, by TYPE of SYSCAT.TABLES; then other reasons.
OBSTACLES = {
    "A": "The alias leads to no table of the input.",
    "G": "A created temporary table: each session has its own rows.",
    "H": "A hierarchy of typed tables.",
    "L": "A detached table.",
    "N": "A nickname: its rows are in another database.",
    "S": "A materialized query table.",
    "U": "A typed table.",
    "V": "The view's text is longer than 4,000 bytes, or not in the input.",
    "W": "A typed view.",
    "session": "A declared temporary table: each session has its own rows.",
    "schemas": "The text names no schema, and several schemas have a table of this name: {schemas}.",
    "depth": "The views are nested too deeply.",
    "view": "The view cannot be read: {reason}",
    "system": "System catalog tables take no indexes.",
    "absent": "The table is not in the catalog.",
}

_OPERATORS: dict[type[exp.Expr], str] = {
    exp.EQ: "=",
    exp.LT: "<",
    exp.LTE: "<=",
    exp.GT: ">",
    exp.GTE: ">=",
    exp.Between: "BETWEEN",
}
_ARITHMETIC: dict[type[exp.Expr], str] = {exp.Add: "+", exp.Sub: "-"}
_SIGNS: dict[type[exp.Expr], str] = {**_ARITHMETIC, exp.Mul: "*", exp.Div: "/"}
_NUMBERS = ("SMALLINT", "INTEGER", "BIGINT", "DECIMAL", "REAL", "DOUBLE", "DECFLOAT")


def find_hindrances(node: exp.Expr, scope: Scope, allowed: list[Use]) -> Iterator[Hindrance]:
    """Yield why the tables of a condition cannot use an index for it."""
    columns = [part for part in columns_and_queries(node) if isinstance(part, exp.Column)][::-1]
    found = [scope.resolve(column) for column in columns]
    refs = [ref for ref in dict.fromkeys(ref for _, ref in found if ref) if ref.column not in ref.use.compared]
    if not any(ref for _, ref in found) and (True, None) in found:
        name = fold(columns[found.index((True, None))].this)
        yield Hindrance(name, KINDS["derived"][0].format(column=name))
    elif isinstance(node, exp.Or):
        for use in dict.fromkeys(ref.use for ref in refs):
            names = [ref.column for ref in refs if ref.use is use]
            yield _hinder(Reference(use, names[0]), "or", columns=" and ".join(names))
    elif not isinstance(node, exp.Exists):
        for ref in {ref.use: ref for ref in reversed(refs)}.values():
            yield _explain(node, ref, scope, allowed)


def _hinder(ref: Reference, kind: str, **facts: str) -> Hindrance:
    reason, remedy = (text and text.format(column=ref.column, **facts) for text in KINDS[kind])
    remedy = facts.get("remedy") or remedy
    return Hindrance(ref.column, reason or "", remedy, ref.use.schema, ref.use.table, facts.get("key", ""))


def _explain(node: exp.Expr, ref: Reference, scope: Scope, allowed: list[Use]) -> Hindrance:
    """Return why an index on a column cannot apply a condition."""
    like = node.this if isinstance(node, exp.Escape) else node
    sides = [unwrap(like.this) or like, unwrap(like.args.get("expression")) or exp.Null()]
    used = [{found.use for found in _references(side, scope)} for side in sides]
    mine = next((side for side in sides if ref in _references(side, scope)), sides[0])
    is_like = isinstance(like, exp.Like)
    values = node.expressions if isinstance(node, exp.In) else [node.this, node.args.get("expression")]
    kinds = {
        "negated": isinstance(node, (exp.Not, exp.NEQ)) or like.args.get("negate"),
        "wildcard": is_like and isinstance(sides[0], exp.Column) and isinstance(sides[1], exp.Literal),
        "pattern": is_like and isinstance(sides[0], exp.Column),
        "other": not is_like and type(node) not in _OPERATORS and not isinstance(node, exp.In),
        "outer": ref.use not in allowed,
        "same row": ref.use in used[0] & used[1],
        "expression": not isinstance(mine, exp.Column),
        "type": any(not same_kind(ref, value) for value in values if value),
    }
    kind = next((kind for kind, applies in kinds.items() if applies), "value")
    return _explain_expression(node, mine, sides, ref) if kind == "expression" else _hinder(ref, kind)


def _references(node: exp.Expr, scope: Scope) -> list[Reference]:
    parts = [part for part in columns_and_queries(node) if isinstance(part, exp.Column)]
    return [ref for _, ref in map(scope.resolve, parts) if ref]


def _explain_expression(node: exp.Expr, side: exp.Expr, sides: list[exp.Expr], ref: Reference) -> Hindrance:
    """Return the rewrite of a comparison with an expression, or the index on the expression."""
    key = normalize(side)
    known = {normalize_text(text): name for name, text in ref.use.known.expressions} if ref.use.known else {}
    if key and key in known:
        return _hinder(ref, "indexed", index=known[key])
    name = side.name.upper() if isinstance(side, exp.Anonymous) else _ARITHMETIC.get(type(side), "")
    operator = _OPERATORS.get(type(node), "") if side is sides[0] or isinstance(node, exp.EQ) else ""
    try:
        remedy = f"Write {REWRITES[name, operator].format(**_facts(node, side, sides, ref))}."
    except KeyError:  # no rewrite, or one with a value that is not known
        table = f"{quoted(ref.use.schema)}.{quoted(ref.use.table)}"
        remedy = KEY_INDEX.format(name=table, expression=key) if key else ""
    return _hinder(ref, "expression", remedy=remedy, key=key)


def _facts(node: exp.Expr, side: exp.Expr, sides: list[exp.Expr], ref: Reference) -> dict[str, Any]:
    """Return the values of a rewrite that are certain."""
    facts: dict[str, Any] = {"column": ref.column}
    if isinstance(node, exp.Between):
        return facts | {name: node.args[name].sql() for name in ("low", "high")}
    value = sides[side is sides[0]]
    arguments = side.expressions or [side.this, side.args.get("expression")]
    if not isinstance(unwrap(arguments[0]), exp.Column) or value.find(exp.Column, exp.Add, exp.Sub):
        return {}  # the unit of a duration is not in the tree
    name, numbers = side.name.upper(), [_integer(item) for item in arguments]
    if name == "YEAR":
        year = _integer(value)
        return facts | ({"value": year, "next_value": year + 1} if year and 1000 <= year < 9999 else {})
    facts["value"] = value.sql()
    if numbers[-1] and (name == "LEFT" or (len(numbers) == 3 and numbers[1] == 1)):
        facts["length"] = numbers[-1]
    if len(arguments) == 2 and isinstance(arguments[1], exp.Literal):
        facts["default"] = arguments[1].sql()
        column = ref.use.known.columns.get(ref.column) if ref.use.known else None
        if column and column.type.upper() in _NUMBERS:  # not the days of a labeled duration
            facts["operand"] = arguments[1].sql()
    return facts


def _integer(node: exp.Expr | None) -> int | None:
    is_number = isinstance(node, exp.Literal) and not node.is_string and str(node.this).isdigit()
    return int(str(node.this)[:9]) if is_number and node else None


def normalize(node: exp.Expr) -> str:
    """Return an expression of functions that the key of an index may contain as text; empty if others are in it."""
    node = unwrap(node) or node
    if isinstance(node, exp.Column):
        return quoted(fold(node.this))
    if isinstance(node, exp.Literal):
        return node.sql()
    if (sign := _SIGNS.get(type(node))) and not _may_be_duration(node):
        sides = normalize(node.this), normalize(node.args["expression"])
        return f"({sides[0]} {sign} {sides[1]})" if all(sides) else ""
    parts = [normalize(part) for part in node.expressions] if isinstance(node, exp.Anonymous) else [""]
    return f"{node.name.upper()}({', '.join(parts)})" if all(parts) and node.name.upper() in KEY_FUNCTIONS else ""


def _may_be_duration(node: exp.Expr) -> bool:
    """Return whether a sum may be one of a date and a labeled duration, whose unit is not in the tree."""
    sides = (unwrap(node.this), unwrap(node.args["expression"]))
    return isinstance(node, (exp.Add, exp.Sub)) and any(isinstance(side, exp.Literal) for side in sides)


@lru_cache(maxsize=1024)
def normalize_text(text: str) -> str:
    """Return an expression of the catalog as ``normalize`` does; empty if it cannot be read."""
    try:
        tree = parse(f"SELECT {text} FROM T")
    except UnreadableTextError:
        return ""
    return normalize(tree.expressions[0]) if isinstance(tree, exp.Select) else ""


_STRINGS = ("CHAR", "VARCHAR", "GRAPHIC", "VARGRAPHIC", "CLOB", "LONG VARCHAR", "CHARACTER")


def same_kind(ref: Reference, value: exp.Expr) -> bool:
    """Return false if Db2 converts the column: a character column compared with a number."""
    known = ref.use.known.columns.get(ref.column) if ref.use.known else None
    value = unwrap(value) or value
    if isinstance(value, exp.Neg):
        value = value.this
    is_number = isinstance(value, exp.Literal) and not value.is_string
    return not (known and is_number and known.type.upper() in _STRINGS)


def describe_obstacle(schema: str, known: Table | None, schemas: list[str]) -> str:
    """Return why nothing is known of a table reference; empty if it is a table of the catalog."""
    if known is not None:
        return OBSTACLES.get(known.definition.kind, OBSTACLES["absent"]) if known.definition else ""
    kind = "system" if schema.startswith("SYS") else "session" if schema == "SESSION" else "absent"
    return OBSTACLES["schemas" if not schema and schemas else kind].format(schemas=", ".join(schemas))
