"""The query in the text of a view."""

from functools import lru_cache

from sqlglot import exp
from sqlglot.errors import TokenError

from advisor.indexes.dialect import Db2Text, parse
from advisor.indexes.scopes import fold
from advisor.indexes.simplify import UnreadableTextError


def read_view(text: str) -> tuple[tuple[str, ...], exp.Expr]:
    """Return the column names that CREATE VIEW lists, and its query. Raise UnreadableTextError."""
    names, tree = _parse_view(text)
    return names, tree.copy()


@lru_cache(maxsize=512)
def _parse_view(text: str) -> tuple[tuple[str, ...], exp.Expr]:
    try:
        tokens = Db2Text().tokenize(text)
    except TokenError:
        raise UnreadableTextError("Its text ends within a string, a delimited name or a comment.") from None
    words = [token.text.upper() for token in tokens]
    start = words.index("AS") if "AS" in words else 0
    if "VIEW" not in words[:start]:
        raise UnreadableTextError("Its text is not a CREATE VIEW statement with a query.")
    begin = words.index("(") + 1 if "(" in words[:start] else start
    names = tuple(
        fold(exp.Identifier(this=token.text, quoted=text[token.start] == '"'))
        for token in tokens[begin : start - 1 if begin < start else start]
        if token.text != ","
    )
    tree = parse(text[tokens[start].end + 1 :])
    if not isinstance(tree, exp.Query):
        raise UnreadableTextError("Its text is not a CREATE VIEW statement with a query.")
    return names, tree
