"""The columns of a SELECT statement before its listing: which are plain columns, and of which views.

It understands only as much SQL as monitoring queries need. Everything else counts as computed.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from typing import TYPE_CHECKING

from advisor.catalogue.sqltext import CLAUSES, parse_groups

if TYPE_CHECKING:
    from sqlparse.sql import Token

LONGEST = 16_384  # characters of a statement that are read

# Functions that only format a column, and the types that CAST may name. Parentheses alone have no name.
_SHOWING = {
    *("", "BIGINT", "CAST", "CHAR", "CHARACTER", "HEX", "INT", "INTEGER", "LEFT", "LTRIM", "RTRIM", "SMALLINT"),
    *("STRIP", "SUBSTR", "SUBSTRING", "TRIM", "VARCHAR"),
}
_SNAPSHOT = re.compile(r"SNAP_GET_(\w+?)(?:_V\d+)?")


@dataclass(frozen=True)
class Query:
    """The columns of the select list ("" if computed, None for ``*``), and the objects read.

    ``computed`` is set if the list belongs to a nested SELECT or a UNION: its names prove nothing.
    """

    columns: tuple[str, ...] | None
    objects: tuple[str, ...]
    computed: bool = False


@lru_cache(64)
def parse_query(text: str) -> Query | None:
    """Return the statement of a text; None unless it is a SELECT or a VALUES."""
    from sqlparse.exceptions import SQLParseError

    text = text[:LONGEST].replace("\\", " ")  # which continues a line
    try:
        tokens = parse_groups(text.rstrip().rstrip("\"';@"))  # the end of the statement, or of the call around it
    except SQLParseError:  # too deep, or too long
        return Query((), (), computed=True)
    words = [next(token.flatten()).normalized for token in tokens]
    if words[:1] == ["VALUES"]:
        return Query(tuple(map(_column, _items(tokens[1:]))), ())
    if "SELECT" not in words:
        return None
    begin = words.index("SELECT") + 1
    begin += words[begin : begin + 1] in (["DISTINCT"], ["ALL"])
    end = words.index("FROM", begin) if "FROM" in words[begin:] else len(words)
    items = _items(tokens[begin:end])
    behind = next((place for place in range(end + 1, len(words)) if words[place].split()[0] in CLAUSES), len(words))
    source = tokens[end + 1 : behind]
    nested = any(part.normalized == "SELECT" for token in source for part in token.flatten())
    return Query(
        None if any(item[-1].value.endswith("*") for item in items) else tuple(map(_column, items)),
        tuple(dict.fromkeys(_objects(source))),
        computed=nested or words[0] == "WITH" or any(word.startswith("UNION") for word in words),
    )


def _items(tokens: "Iterable[Token]") -> "list[list[Token]]":
    """Yield the items between commas. sqlparse makes one group of a list, unless an item is unusual."""
    from sqlparse.sql import IdentifierList

    flat = [part for token in tokens for part in (token.tokens if isinstance(token, IdentifierList) else [token])]
    return [[*part] for comma, part in groupby(flat, lambda token: token.value == ",") if not comma]


def _parts(token: "Token") -> "list[Token]":
    """Return the tokens of an item without qualifiers; then the name that it gets."""
    from sqlparse.sql import Identifier

    parts = token.tokens if isinstance(token, Identifier) else [token]
    while len(parts) > 2 and parts[1].value == ".":
        parts = parts[2:]
    return [*parts]


def _call(token: "Token") -> "tuple[str, list[list[Token]]]":
    """Return the name of a function and its arguments; parentheses alone have no name, a name alone no arguments."""
    from sqlparse.sql import Function, Parenthesis

    if isinstance(token, Parenthesis):
        return "", _items(token.tokens[1:-1])
    if isinstance(token, Function):
        return _call(_parts(token.tokens[0])[0])[0], _call(token.tokens[-1])[1]
    return token.value.strip('"') if token.value.startswith('"') else token.value.upper(), []


def _column(item: "list[Token]") -> str:
    """Return the one column that an item of a select list shows, whatever its name there; "" if it is computed."""
    from sqlparse.tokens import Name, Number, String

    if len(item) != 1:
        return ""
    head, *given = _parts(item[0])
    name, arguments = _call(head)
    if name == "CURRENT" and given:
        return f"CURRENT_{_column(given)}"  # TIMESTAMP or SERVER
    if head.ttype in (Name, String.Symbol):
        return name.upper()
    numbers = all(len(other) == 1 and other[0].ttype in Number for other in arguments[1:])
    if not arguments or not numbers or name not in _SHOWING:
        return ""
    if name == "CAST" and _call(_parts(_parts(arguments[0][0])[-1])[0])[0] not in _SHOWING:
        return ""
    return _column(arguments[0])


def _objects(tokens: "Iterable[Token]") -> Iterator[str]:
    """Return the views and functions in a FROM clause, without their schema."""
    for item in _items(tokens):
        for position, token in enumerate(item):
            if not position or item[position - 1].normalized.endswith("JOIN"):
                name, arguments = _call(_parts(token)[0])
                if name in ("", "TABLE"):
                    yield from _objects(part for argument in arguments for part in argument)
                else:
                    snapshot = _SNAPSHOT.fullmatch(name)
                    yield f"SNAP{snapshot[1]}" if snapshot else name
