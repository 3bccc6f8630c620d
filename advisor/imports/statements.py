"""What a SELECT statement before its listing says of the columns: which are plain columns, and of which views.

Only as much of SQL is understood as people's monitoring queries need. What is not understood counts as computed.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

LONGEST = 16_384  # characters of a statement that are looked at

_TOKEN = re.compile(r"--[^\n]*|'[^']*'?|\"[^\"]*\"?|[\w$#@]+|\S")
_NAME = re.compile(r'[^\W\d][\w$#@]*|"[^"]+"')
_TEXTS = {"SUBSTR", "SUBSTRING", "LEFT", "VARCHAR", "CHAR", "RTRIM", "LTRIM", "TRIM", "STRIP", "CAST", "HEX"}
_NUMBERS = {"BIGINT", "INT", "INTEGER", "SMALLINT"}
_SHOWING = _TEXTS | _NUMBERS  # functions that only change how a column is shown
_TYPES = {"AS", "VARCHAR", "CHAR", "CHARACTER"} | _NUMBERS
_CLAUSES = {
    "WHERE",
    "GROUP",
    "ORDER",
    "FETCH",
    "HAVING",
    "WITH",
    "LIMIT",
    "OPTIMIZE",
    "FOR",
    "UNION",
    "EXCEPT",
    "INTERSECT",
}
_SPECIAL = {
    ("CURRENT", "TIMESTAMP"): "CURRENT_TIMESTAMP",
    ("CURRENT", "SERVER"): "CURRENT_SERVER",
    ("CURRENT_TIMESTAMP",): "CURRENT_TIMESTAMP",
    ("CURRENT_SERVER",): "CURRENT_SERVER",
}
_SNAPSHOT = re.compile(r"SNAP_GET_(\w+?)(?:_V\d+)?")


@dataclass(frozen=True)
class Statement:
    """The columns of the select list, "" for a computed one, None where ``*`` stands; the objects that it reads.

    ``computed`` says that the list is that of a nested SELECT or a UNION, so that the names say nothing.
    """

    columns: tuple[str, ...] | None
    objects: tuple[str, ...]
    computed: bool = False


def parse(text: str) -> Statement | None:
    """The statement of a text; None for what is neither a SELECT nor a VALUES."""
    text = text[:LONGEST].rstrip().rstrip("\"';@")  # what ends a statement, or the call that it stands in
    tokens = [token for token in _TOKEN.findall(text) if token != "\\" and not token.startswith("--")]
    tokens = [token if token[0] in "\"'" else token.upper() for token in tokens]
    if tokens[:1] == ["VALUES"]:
        return Statement(tuple(_column(item) for item in _items(tokens[1:])), ())
    nested = tokens[:1] == ["WITH"]
    if "SELECT" not in tokens:
        return None
    tokens = tokens[tokens.index("SELECT") + 1 :]
    if tokens[:1] in (["DISTINCT"], ["ALL"]):
        del tokens[0]
    split = _clause(tokens, {"FROM"})
    source = tokens[split + 1 :]
    source = source[: _clause(source, _CLAUSES)]
    nested = nested or "SELECT" in source or "UNION" in tokens
    items = list(_items(tokens[:split]))
    star = any(item[-1:] == ["*"] and (len(item) == 1 or item[-2] == ".") for item in items)
    return Statement(None if star else tuple(map(_column, items)), tuple(dict.fromkeys(_objects(source))), nested)


def _clause(tokens: Sequence[str], words: set[str]) -> int:
    """Where one of the words stands outside of all parentheses; the end where none does."""
    depth = 0
    for position, token in enumerate(tokens):
        depth += (token == "(") - (token == ")")
        if depth <= 0 and token in words:
            return position
    return len(tokens)


def _items(tokens: Sequence[str]) -> Iterator[list[str]]:
    depth = 0
    item: list[str] = []
    for token in tokens:
        depth += (token == "(") - (token == ")")
        if token == ";" or (depth <= 0 and token == ","):
            yield item
            item = []
        else:
            item.append(token)
    if item:
        yield item


def _objects(tokens: Sequence[str]) -> Iterator[str]:
    """The views and functions in a FROM clause, without their schema."""
    before = ","
    for position, token in enumerate(tokens):
        last = tokens[position + 1 : position + 2] != ["."]
        if token != "." and (token == "TABLE" or not last):
            continue  # what comes next is the object
        if before in {",", "JOIN", "("} and _NAME.fullmatch(token):
            name = token.strip('"')
            snapshot = _SNAPSHOT.fullmatch(name)
            yield f"SNAP{snapshot[1]}" if snapshot else name
        if token != ".":
            before = token


def _column(item: list[str]) -> str:
    """The one column that an item of a select list shows, however it is named there; "" for a computed one."""
    item = _unnamed(item)
    if (special := _SPECIAL.get(tuple(token for token in item if token not in "()"))) is not None:
        return special
    found = ""
    for position, token in enumerate(item):
        following = item[position + 1] if position + 1 < len(item) else ""
        if token in "(),." or token.isdigit() or (token in _SHOWING and following == "(") or following == ".":
            continue
        if token in _TYPES and found:
            continue
        if found or not _NAME.fullmatch(token):
            return ""
        found = token.strip('"').upper()
    return found


def _unnamed(item: list[str]) -> list[str]:
    """An item without the name that it is given."""
    if len(item) > 2 and item[-2] == "AS":
        return item[:-2]
    if len(item) > 1 and _NAME.fullmatch(item[-1]) and (item[-2] == ")" or _NAME.fullmatch(item[-2])):
        special = tuple(item) in _SPECIAL
        return item if special else item[:-1]
    return item
