"""Rewrites of one condition: optional parameters, lists, conversions and counts."""

from sqlglot import exp

from advisor.diagnosis.rewriting.functions import CANONICAL
from advisor.diagnosis.rewriting.parts import CHARACTERS, COALESCE, Change, call, find_integer, find_key, split
from advisor.diagnosis.rewriting.trees import Known, fill, is_filter, write
from advisor.indexes.scopes import unwrap

MANY = 100  # values of a list


def change_optional(node: exp.Expr, known: Known) -> Change | None:
    """Change a predicate that a NULL parameter turns off to one on the column."""
    if not isinstance(node, (exp.Or, exp.EQ)) or not is_filter(node):
        return None
    sides = [unwrap(side) or side for side in (node.this, node.expression)]
    for test, other in (sides, sides[::-1]):
        (name, arguments), found = call(test), split(other)
        is_default = isinstance(node, exp.EQ) and name in COALESCE and len(arguments) == 2 and other == arguments[1]
        if is_default and isinstance(other, exp.Column) and isinstance(arguments[0], exp.Placeholder):
            condition = f"The parameter is not NULL. For NULL, the predicate is {write(other)} IS NOT NULL."
            return Change(fill("{column} = {value}", column=other, value=arguments[0]), condition, (other,))
        is_test = isinstance(node, exp.Or) and isinstance(test, exp.Is) and isinstance(test.expression, exp.Null)
        is_same = is_test and isinstance(test.this, exp.Placeholder) and found and found[2] == test.this
        if is_same and found and isinstance(found[0], exp.Column):
            condition = "The parameter is not NULL, and the same in both places. For NULL, leave the predicate out."
            return Change(other.copy(), condition, (found[0],))
    return None


def change_number(node: exp.Expr, known: Known) -> Change | None:
    """Compare a character column with text instead of a number."""
    found = (unwrap(node.this), "=", node) if isinstance(node, exp.In) else split(node)
    column, sign, value = found or (None, "", node)
    numbers = [find_integer(each) for each in (node.expressions if isinstance(node, exp.In) else [value])]
    if not isinstance(column, exp.Column) or known.find_type(column) not in CHARACTERS or sign != "=" or not numbers:
        return None
    if any(number is None or number < 0 for number in numbers):
        return None
    texts = ", ".join(f"'{number}'" for number in numbers)
    text = f"{{column}} IN ({texts})" if isinstance(node, exp.In) else f"{{column}} = {texts}"
    return Change(fill(text, column=column), CANONICAL.format(write(column)), (column,))


def change_list(node: exp.Expr, known: Known) -> Change | None:
    """Change a long list of literals to a table of distinct values."""
    if not isinstance(node, exp.In) or len(node.expressions) <= MANY or isinstance(node.parent, exp.Not):
        return None
    column, keys = unwrap(node.this), [find_key(value) for value in node.expressions]
    if not isinstance(column, exp.Column) or None in keys or len({type(key) for key in keys}) > 1:
        return None
    values = dict(zip(keys, node.expressions, strict=True)).values()
    rows = ", ".join(f"({write(value)})" for value in values).replace("{", "{{").replace("}", "}}")
    return Change(fill(f"{{column}} IN (SELECT V FROM (VALUES {rows}) AS L (V))", column=column), "", (column,))
