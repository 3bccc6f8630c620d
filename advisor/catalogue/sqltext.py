"""Code in SQL texts: without comments and quoted text."""

import re
from functools import cache
from itertools import takewhile
from typing import TYPE_CHECKING

from advisor.resources import query

if TYPE_CHECKING:
    from sqlparse.lexer import Lexer
    from sqlparse.sql import Token

CLAUSES = (  # that may follow FROM
    *("EXCEPT", "FETCH", "FOR", "GROUP", "HAVING", "INTERSECT", "LIMIT", "OPTIMIZE", "ORDER", "UNION", "WHERE", "WITH"),
)
_KEYWORDS = ("ALL", "AND", "CONCAT", "DISTINCT", "ELSE", "NOT", "ON", "OR", "SELECT", "THEN", "WHEN")
_APART = re.compile(  # a backslash is no escape in Db2
    r"""(?P<comment>--[^\r\n]*|/\*[\s\S]*?\*/)|(?P<string>'(?:[^']|'')*')|"(?:[^"]|"")*\"""", re.ASCII
)
_STRING_OR_INDENT = re.compile(r"""('(?:[^']|'')*'|"(?:[^"]|"")*")|\n\s+""")
_REFERENCE = re.compile(r"\bTUNE\.(\w+)")


@cache
def remove_comments(sql: str) -> str:
    """Return a text without comments, and without lines and line ends that become blank."""
    kept = _APART.sub(lambda found: " " if found["comment"] else found[0], sql)
    return "\n".join(line.rstrip() for line in kept.split("\n") if line.strip())


def statement_of(file: str, name: str) -> str:
    """Return a statement without comments from a file in sql/, such as ``doctor/queries``."""
    return remove_comments(query(file, name))


def remove_indents(sql: str) -> str:
    """Return a text whose lines begin without blanks, except inside of quoted text."""
    return _STRING_OR_INDENT.sub(lambda found: found[1] or "\n", sql)


def code(sql: str) -> str:
    """Return a text without comments and quoted text; a string stays as an empty one."""
    return _APART.sub(lambda found: "''" if found["string"] else " ", sql)


@cache
def references(sql: str) -> frozenset[str]:
    """Return the objects of schema TUNE that a statement names, without the schema."""
    return frozenset(_REFERENCE.findall(code(sql)))


def parse_groups(sql: str) -> "list[Token]":
    """Return a statement as sqlparse groups it, without blanks, comments and text after a ``;``.

    This takes 10 ms for 3000 characters. Raise SQLParseError for too complex statements.
    """
    from sqlparse.engine import grouping
    from sqlparse.sql import Statement, Token
    from sqlparse.tokens import Comment, Whitespace

    code = (piece for piece in _words().get_tokens(sql) if piece[0] not in Whitespace and piece[0] not in Comment)
    tokens = [Token(*piece) for piece in takewhile(lambda piece: piece[1] != ";", code)]
    return list(grouping.group(Statement(tokens)).tokens)


@cache
def _words() -> "Lexer":
    """Tokenize with few keywords: NAME, VALUE, TYPE and most of sqlparse's others are columns of Db2's views."""
    from sqlparse.keywords import SQL_REGEX
    from sqlparse.lexer import Lexer
    from sqlparse.tokens import Keyword

    lexer = Lexer()
    lexer.clear()
    lexer.set_SQL_REGEX(SQL_REGEX)
    lexer.add_keywords(dict.fromkeys([*CLAUSES, *_KEYWORDS], Keyword))
    return lexer
