"""Removal of clauses that do not change the rows of a statement, from its tokens.

Special registers, host variables and sequence values become parameter markers: their values are
constant while a statement runs. Clauses of isolation, locks and cursors are left out.
"""

from itertools import pairwise

from sqlglot.tokenizer_core import Token, TokenType

MAX_DEPTH = 32  # open parentheses and CASE expressions: the parser uses some twenty stack frames for each
MAX_RUN = 20  # equal words in a row, such as NOT NOT NOT
_REGISTERS = frozenset(
    ("DATE", "TIME", "TIMESTAMP", "TIMEZONE", "USER", "SCHEMA", "SQLID", "SERVER", "MEMBER", "PATH", "ISOLATION")
)
_SINGLE_REGISTERS = frozenset(
    ("CURRENT_DATE", "CURRENT_TIME", "CURRENT_TIMESTAMP", "CURRENT_USER", "SESSION_USER", "SYSTEM_USER")
)
_ISOLATION = ("UR", "CS", "RS", "RR")
_PREFIXES = ("BX", "G", "GX", "N", "UX")  # of strings
# Clauses at the end of a query: their first words, then words that may follow in any number.
_NUMBER = "<number>"
_ENDINGS: tuple[tuple[list[str], tuple[str, ...]], ...] = (
    (["OPTIMIZE", "FOR"], (_NUMBER, "?", "ROW", "ROWS")),
    (["FOR", "READ", "ONLY"], ()),
    (["FOR", "FETCH", "ONLY"], ()),
    (["USE", "AND", "KEEP"], ("SHARE", "UPDATE", "EXCLUSIVE", "LOCKS")),
    (["SKIP", "LOCKED", "DATA"], ()),
    (["WAIT", "FOR", "OUTCOME"], ()),
    (["USE", "CURRENTLY", "COMMITTED"], ()),
    (["WITH", "CHECK", "OPTION"], ()),
    (["WITH", "LOCAL", "CHECK", "OPTION"], ()),
    (["WITH", "CASCADED", "CHECK", "OPTION"], ()),
    (["WITH", "ROW", "MOVEMENT"], ()),
    (["WITH", "NO", "ROW", "MOVEMENT"], ()),
)


class UnreadableTextError(ValueError):
    """A statement text that cannot be parsed; the message is the reason."""


def first_word(tokens: list[Token]) -> str:
    """Return the first word of a statement, in capitals."""
    return _word(tokens[0]) if tokens else ""


def _word(token: Token) -> str:
    """Return the word of a token in capitals; a delimited name or a string is not a word."""
    if token.token_type in (TokenType.IDENTIFIER, TokenType.STRING):
        return "<name>" if token.token_type is TokenType.IDENTIFIER else "<string>"
    return str(token.text).upper()


def check_depth(tokens: list[Token]) -> None:
    depth = run = 0
    before = ""
    for token in tokens:
        word = _word(token)
        depth += {"(": 1, "CASE": 1, ")": -1, "END": -1}.get(word, 0)
        run = run + 1 if word == before and word not in "()" else 0
        before = word
        if depth > MAX_DEPTH or run > MAX_RUN:
            raise UnreadableTextError(f"The text nests expressions more than {MAX_DEPTH} levels deep.")


def simplify(tokens: list[Token]) -> list[Token]:
    """Return tokens without a cursor's name, a final semicolon, ends of queries, and host variables."""
    while tokens and tokens[-1].token_type is TokenType.SEMICOLON:
        tokens = tokens[:-1]
    words = [_word(token) for token in tokens]
    if words[:1] == ["DECLARE"] and "CURSOR" in words[:6] and "FOR" in words[:12]:
        start = words.index("FOR") + 1
        tokens, words = tokens[start:], words[start:]
    if words[:1] == ["VALUES"]:
        tokens = [_instead(tokens[0], TokenType.SELECT, "SELECT"), *tokens[1:]]
        words[0] = "SELECT"
    kept: list[Token] = []
    place = 0
    while place < len(tokens):
        if words[place : place + 3] == ["(", "+", ")"]:
            kept.append(_instead(tokens[place], TokenType.JOIN_MARKER, "(+)"))
            place += 3
            continue
        if words[place : place + 1] == ["VALUES"] and _is_single_column(words, place):
            kept.append(_instead(tokens[place], TokenType.SELECT, "SELECT"))  # rows of one value
            place += 1
            continue
        length, marker = _replaced(tokens, words, place)
        if not length:
            kept.append(tokens[place])
        elif marker:
            kept.append(_marker(tokens[place : place + length]))
        place += length or 1
    return _without_targets(kept)


def _is_single_column(words: list[str], at: int) -> bool:
    """Return whether VALUES begins a derived table with rows of one value."""
    before, after = words[max(0, at - 2) : at], words[at + 1 : at + 2]
    return before[-1:] == ["("] and before[:1] != ["IN"] and after != ["("]


def _instead(token: Token, kind: TokenType, text: str) -> Token:
    """Return another token at the same place of the text."""
    return Token(kind, text, token.line, token.col, token.start, token.end)


def _marker(tokens: list[Token]) -> Token:
    """Return a parameter marker with the text and the end of the value that it replaces."""
    first, last = tokens[0], tokens[-1]
    gaps = [True, *(before.end + 1 == after.start for before, after in pairwise(tokens))]
    text = "".join(token.text if joined else f" {token.text}" for token, joined in zip(tokens, gaps, strict=True))
    return Token(TokenType.PLACEHOLDER, text, first.line, first.col, first.start, last.end)


def _replaced(tokens: list[Token], words: list[str], at: int) -> tuple[int, bool]:
    """Return how many tokens to remove at a place, and whether a parameter marker replaces them."""
    marker = _value(tokens, words, at)
    if marker:
        return marker, True
    word, following = words[at], [*words[at + 1 : at + 3], "", ""]
    length = _ending(words, at)
    if word == "WITH" and following[0] in _ISOLATION and following[1] not in ("AS", "("):
        length = 2
    elif words[at : at + 4] == ["ORDER", "BY", "ORDER", "OF"] or words[at : at + 3] == ["ORDER BY", "ORDER", "OF"]:
        length = 5 if word == "ORDER" else 4
    elif word == "VALUES" and words[at - 2 : at] == ["IN", "("]:
        length = 1
    elif word == "FOR" and following[0] == "UPDATE":
        length = _until_clause(words, at)
    elif word == "WHERE" and following[:2] == ["CURRENT", "OF"]:
        length = 4
    elif word in _PREFIXES and following[0] == "<string>" and tokens[at].end + 1 == tokens[at + 1].start:
        length = 1
    return length, False


def _value(tokens: list[Token], words: list[str], at: int) -> int:
    """Return the number of tokens of a host variable, a special register or a sequence value."""
    word, following = words[at], [*words[at + 1 : at + 5], "", "", "", ""]
    length = 0
    if word == ":":
        length = _host_variable(tokens, words, at)
    elif word == "CURRENT" and following[0] in _REGISTERS:
        length = 2
    elif word in _SINGLE_REGISTERS:
        length = 1
    elif word in ("NEXT", "PREVIOUS") and following[:2] == ["VALUE", "FOR"]:
        length = 6 if following[3] == "." else 4
    return length


def _ending(words: list[str], at: int) -> int:
    """Return the number of tokens of a clause at the end of a query."""
    for first, more in _ENDINGS:
        end = at + len(first)
        if words[at:end] == first:
            while end < len(words) and (words[end] in more or (_NUMBER in more and words[end].isdigit())):
                end += 1
            return end - at
    return 0


def _host_variable(tokens: list[Token], words: list[str], at: int) -> int:
    """Return the number of tokens of a host variable with its structure and indicator."""
    end = at + 2
    while words[end : end + 1] == ["."]:
        end += 2
    if words[end : end + 1] == ["INDICATOR"]:
        end += 1
    if words[end : end + 1] == [":"]:
        end += 2
    return min(end, len(tokens)) - at


def _until_clause(words: list[str], at: int) -> int:
    """Return the number of tokens of FOR UPDATE OF column, column."""
    end = at + 2
    if words[end : end + 1] == ["OF"]:
        end += 2
        while words[end : end + 1] == [","]:
            end += 2
    return min(end, len(words)) - at


def _without_targets(tokens: list[Token]) -> list[Token]:
    """Return tokens without the target variables of SELECT INTO."""
    kept: list[Token] = []
    skipping = False
    for place, token in enumerate(tokens):
        after = tokens[place + 1] if place + 1 < len(tokens) else None
        if token.token_type is TokenType.INTO and after and after.token_type is TokenType.PLACEHOLDER:
            skipping = True
        elif skipping and token.token_type not in (TokenType.PLACEHOLDER, TokenType.COMMA):
            skipping = False
        if not skipping:
            kept.append(token)
    return kept
