"""Numbers of values that names, keys and literals suggest, where no statistics exist."""

import re
from collections.abc import Iterator, Mapping, Sequence

from sqlglot import exp

from advisor.diagnosis.tables import DEFAULT_ROWS, Tables
from advisor.indexes.scopes import fold
from advisor.plans.plan import Name

_KEYS = re.compile(r"(?:^|_)(?:ID|NO|NR|NUM|NUMBER|KEY|CODE|ACCT|ACCOUNT|GUID|UUID|EMAIL)$|ID$")
_FEW = re.compile(r"STATUS|STATE|TYPE|FLAG|ACTIVE|DELETED|KIND|_IND$|_YN$|GENDER|RETURNED|CHANNEL")
_DAYS = re.compile(r"DATE|TIME|_TS$|_AT$|DAY")
KEY_ROWS, FEW, DAYS, CODES, LETTERS, SMALL = 100, 5, 3000, 50, 4, 100  # own: rows of a key's value, then values


def guess_values(
    tree: exp.Expr, columns: Mapping[Name, Sequence[str]], tables: Tables
) -> dict[tuple[Name, str], float]:
    """Return the number of values of columns of a statement, as far as it can be guessed."""
    found: dict[tuple[Name, str], float] = {}
    for name, used in columns.items():
        facts = tables.find(name)
        rows = facts.rows if facts and facts.rows else DEFAULT_ROWS
        for column in used:
            if _KEYS.search(column):
                found[name, column] = max(1.0, rows / KEY_ROWS)
            elif _FEW.search(column):
                found[name, column] = FEW
            elif _DAYS.search(column):
                found[name, column] = max(1.0, min(rows, DAYS))
    for compared, value in _list_compared(tree):
        few = _guess_by_value(value)
        column = fold(compared.this)
        for name, used in columns.items():
            if few is not None and column in used:
                found[name, column] = min(few, found.get((name, column), few))
    return found


def _list_compared(tree: exp.Expr) -> Iterator[tuple[exp.Column, exp.Literal]]:
    """Yield the columns that are compared with literals for equality, each with one of them."""
    for node in tree.find_all(exp.EQ, exp.In):
        sides = [node.this, node.args.get("expression"), *node.expressions]
        column = next((side for side in sides if isinstance(side, exp.Column)), None)
        value = next((side for side in sides if isinstance(side, exp.Literal)), None)
        if column is not None and value is not None:
            yield column, value


def _guess_by_value(value: exp.Literal) -> float | None:
    """Return how many values a column with this one may have: few letters, codes in capitals, small numbers."""
    text = str(value.this)
    if value.is_string:
        return LETTERS if len(text) <= 1 else CODES if text.isupper() else None
    return SMALL if text.isdigit() and int(text[:9]) <= SMALL else None
