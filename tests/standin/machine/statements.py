"""Which statements and commands change the state, in the one spelling that the grammars read."""

import re

from sqlglot.tokens import Token, Tokenizer, TokenType

_SPACE = r"\s+"
_STORAGE = re.compile(
    r"\s*(ALTER|CREATE|DROP)\s+((LARGE|REGULAR|((USER|SYSTEM)\s+)?TEMPORARY)\s+)?(BUFFERPOOL|TABLESPACES?|STOGROUP)\b",
    re.IGNORECASE,
)
_CONFIGURATION = re.compile(
    r"\s*UPDATE\s+(DB|DATABASE|DBM|DATABASE\s+MANAGER)\s+(CFG|CONFIG|CONFIGURATION)\b", re.IGNORECASE
)
_REDISTRIBUTE = re.compile(r"\s*REDISTRIBUTE\s", re.IGNORECASE)
# What ADMIN_CMD also takes and a state does not show.
_MAINTENANCE = re.compile(r"\s*(RUNSTATS|REORG|REORGCHK|PRUNE|QUIESCE|UNQUIESCE|BACKUP)\b", re.IGNORECASE)

# A word behind one of these names an object; after IN the words DATABASE PARTITION GROUP may precede the name.
_BEFORE_NAMES = {"BUFFERPOOL", "TABLESPACE", "TABLESPACES", "STOGROUP", "GROUP", "IN"}
_NOT_NAMES = {"DATABASE"}
_SAME = {"MEMBER": "DBPARTITIONNUM", "MEMBERS": "DBPARTITIONNUMS", "NODE": "DBPARTITIONNUM"}


def is_storage(text: str) -> bool:
    """Whether an SQL statement is about buffer pools, table spaces or storage groups."""
    return _STORAGE.match(text) is not None


def is_configuration(text: str) -> bool:
    return _CONFIGURATION.match(text) is not None


def is_redistribution(text: str) -> bool:
    return _REDISTRIBUTE.match(text) is not None


def is_maintenance(text: str) -> bool:
    return _MAINTENANCE.match(text) is not None


def canonical(statement: str) -> str:
    """Words in upper case, names of objects in double quotes, single spaces; literals stay as they are."""
    parts: list[str] = []
    before: Token | None = None
    for token in Tokenizer().tokenize(statement.strip().rstrip(";")):
        apart = before is not None and token.start > before.end + 1
        parts.append((" " if apart else "") + _word(token, statement.lstrip(), before))
        before = token
    return "".join(parts)


def _word(token: Token, statement: str, before: Token | None) -> str:
    written = statement[token.start : token.end + 1]
    if token.token_type in (TokenType.STRING, TokenType.IDENTIFIER):
        return written
    word = written.upper()
    if before is not None and before.text.upper() in _BEFORE_NAMES and word not in _NOT_NAMES:
        return f'"{word}"'
    return _SAME.get(word, word)
