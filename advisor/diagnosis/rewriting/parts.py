"""Parts of conditions: values, comparisons and calls of functions."""

import re
from dataclasses import dataclass
from decimal import Decimal

from sqlglot import exp

from advisor.diagnosis.rewriting.trees import Converted, Known, Parts, write
from advisor.indexes.scopes import fold, unwrap

OPERATORS: dict[type[exp.Expr], str] = {exp.EQ: "=", exp.LT: "<", exp.LTE: "<=", exp.GT: ">", exp.GTE: ">="}
MIRROR: dict[str, str] = {"=": "=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
INTEGERS = {"SMALLINT": 5, "INTEGER": 10, "INT": 10, "BIGINT": 19}  # with the digits of each
DECIMALS = ("DECIMAL", "DEC", "NUMERIC")
CHARACTERS = ("CHAR", "CHARACTER", "VARCHAR")
COALESCE = ("COALESCE", "VALUE", "IFNULL", "NVL")
_CALLS = (exp.Anonymous, exp.Placeholder)
_RANDOM = ("RAND", "RANDOM", "GENERATE_UNIQUE", "NEXTVAL")


@dataclass(frozen=True)
class Change:
    """A new tree, the condition under which the rows stay equal, and columns that an index can use."""

    tree: exp.Expr
    condition: str = ""
    columns: tuple[exp.Expr, ...] = ()


def is_random(node: exp.Expr) -> bool:
    """Return whether two evaluations of an expression may differ."""
    return any(one.name.upper() in _RANDOM or "VALUE FOR" in one.name.upper() for one in node.find_all(*_CALLS))


def is_value(node: exp.Expr) -> bool:
    """Return whether an expression has one value for the whole statement."""
    return not node.find(exp.Column, exp.Query, exp.Window) and not is_random(node)


def find_number(node: exp.Expr | None) -> Decimal | None:
    """Return the value of an exact numeric literal."""
    sign, this = (-1, node.this) if isinstance(node, exp.Neg) else (1, node)
    exact = (
        isinstance(this, exp.Literal) and not this.is_string and re.fullmatch(r"\d{1,19}(\.\d{1,6})?", str(this.this))
    )
    return sign * Decimal(str(this.this)) if this and exact else None


def find_string(node: exp.Expr | None) -> str | None:
    """Return the value of a string literal."""
    return str(node.this) if isinstance(node, exp.Literal) and node.is_string else None


def find_key(node: exp.Expr | None) -> Decimal | str | None:
    """Return a number, or a string without the blanks that comparisons ignore; other types never have equal keys."""
    text = find_string(node)
    return find_number(node) if text is None else text.rstrip(" ")


def find_integer(node: exp.Expr | None) -> int | None:
    """Return the value of an integer literal."""
    number = find_number(node)
    return int(number) if number is not None and number.as_tuple().exponent == 0 else None


def split(node: exp.Expr) -> tuple[exp.Expr, str, exp.Expr] | None:
    """Return the expression, the operator and the value of a comparison."""
    sign = OPERATORS.get(type(node))
    if not sign:
        return None
    left, right = unwrap(node.this) or node.this, unwrap(node.expression) or node.expression
    if is_value(left) and not is_value(right):
        left, sign, right = right, MIRROR[sign], left
    return (left, sign, right) if is_value(right) and not is_value(left) else None


def call(node: exp.Expr) -> tuple[str, list[exp.Expr]]:
    """Return the name and the arguments of a function."""
    if isinstance(node, Converted):
        return str(node.args["to"]).upper().split("(")[0].removeprefix("AS").strip(), [node.this]
    if isinstance(node, Parts):
        return str(node.this), node.expressions if len(node.expressions) == 1 and "(" not in node.args["text"] else []
    return (node.name.upper(), node.expressions) if isinstance(node, exp.Anonymous) else ("", [])


def compare_types(one: exp.Expr, other: exp.Expr, known: Known) -> str | None:
    """Return the condition for joined columns to be of one type, so that one value equals one; None if they are not."""
    kinds = [known.find_type(column) for column in (one, other)]
    families = {"text" if kind in CHARACTERS else "" if kind in (*INTEGERS, *DECIMALS) else kind for kind in kinds}
    if all(kinds):
        return "" if len(families) == 1 else None
    return "" if fold(one.this) == fold(other.this) else f"{write(one)} and {write(other)} have the same type."
