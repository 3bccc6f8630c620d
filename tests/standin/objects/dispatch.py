"""Which part of the stand-in a statement belongs to, by its first words."""

import re

from tests.standin.machine.commands import is_storage

_SPACE = re.compile(r"(?:\s|--[^\n]*(?:\n|$)|/\*.*?\*/)*", re.DOTALL)
_WORD = re.compile(r"[A-Za-z_]\w*|\S")

QUERY, CHANGE, DEFINITION, ROUTINE, PROCEDURAL, STORAGE, WORK, NOTHING = (
    "query",
    "change",
    "definition",
    "routine",
    "procedural",
    "storage",
    "work",
    "nothing",
)

# The first word, or words, of a statement; the longest that fits counts.
KINDS: dict[str, str] = {
    "SELECT": QUERY,
    "WITH": QUERY,
    "VALUES": QUERY,
    "(": QUERY,
    "INSERT": CHANGE,
    "UPDATE": CHANGE,
    "DELETE": CHANGE,
    "MERGE": CHANGE,
    "CREATE": DEFINITION,
    "DECLARE": DEFINITION,
    "ALTER": DEFINITION,
    "DROP": DEFINITION,
    "TRUNCATE": DEFINITION,
    "RENAME": DEFINITION,
    "COMMENT": DEFINITION,
    "GRANT": DEFINITION,
    "REVOKE": DEFINITION,
    "CREATE PROCEDURE": ROUTINE,
    "CREATE FUNCTION": ROUTINE,
    "CREATE OR REPLACE PROCEDURE": ROUTINE,
    "CREATE OR REPLACE FUNCTION": ROUTINE,
    "SET CURRENT": WORK,
    "SET SCHEMA": WORK,
    "SET PATH": WORK,
    "SAVEPOINT": WORK,
    "RELEASE": WORK,
    "COMMIT": WORK,
    "ROLLBACK": WORK,
    "LOCK TABLE": NOTHING,
    "FLUSH": NOTHING,
    "SET INTEGRITY": NOTHING,
    "REFRESH TABLE": NOTHING,
    "EXPLAIN": NOTHING,
}
LONGEST = 4


def leading_words(text: str, most: int = LONGEST) -> list[str]:
    """The first words of a statement in upper case; comments are skipped."""
    words: list[str] = []
    at = _skip(text, 0)
    while at < len(text) and len(words) < most:
        match = _WORD.match(text, at)
        assert match is not None  # any sign is a word
        words.append(match[0].upper())
        at = _skip(text, match.end())
    return words


def _skip(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    assert match is not None  # it matches nothing, too
    return match.end()


def kind(text: str) -> str:
    """The part that runs a statement; whatever has no other is SQL PL."""
    if is_storage(text[_skip(text, 0) :]):
        return STORAGE
    words = leading_words(text)
    for count in range(len(words), 0, -1):
        found = KINDS.get(" ".join(words[:count]))
        if found:
            return found
    return PROCEDURAL
