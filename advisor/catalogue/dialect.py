"""Translation of the project's SQL, which Db2 reads, into the SQL of SQLite.

The translation replaces words, and column lists of VALUES, which SQLite lacks. It keeps the lines of a statement, so
that the place of a fault stays right. LOCATE and MOD are functions, and LOWER and UPPER know all letters.
"""

import re
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    import apsw

_WORDS = {"GREATEST": "MAX", "LEAST": "MIN", "CHR": "CHAR"}
_LITERAL = r"'[^']*'"  # one with a quote inside is read as two
_APART = re.compile(rf"({_LITERAL}|\"[^\"]*\"|--[^\n]*|/\*[\s\S]*?\*/)")
_WORD = re.compile(rf"(?i)\b(?P<word>{'|'.join(_WORDS)})(?=\s*\()|\bFETCH\s+FIRST\s+(?P<most>\d+)\s+ROWS?\s+ONLY\b")
_ANY = re.compile(r"REATEST|LEAST|CHR|FETCH|reatest|least|chr|fetch")  # found faster than _WORD
# (VALUES (1, 'a'), (2, F(3))) AS V (ID, NAME)
_CELL = rf"[^()']|{_LITERAL}"
_VALUES = re.compile(
    rf"(?i)\((?P<rows>\s*VALUES\b(?:{_CELL}|\((?:{_CELL}|\((?:{_CELL})*\))*\))*)\)"
    r"(?P<name>\s*AS\s+\w+)\s*\((?P<columns>[^()]*)\)"
)
_SUM = re.compile(r"\bSUM\(")
_TYPES = {"SMALLINT": "INTEGER", "INTEGER": "INTEGER", "BIGINT": "INTEGER", "DOUBLE": "REAL"}
_RANGES = {"SMALLINT": 1 << 15, "INTEGER": 1 << 31}
_COLUMN = re.compile(r"\b(?P<name>\w+) (?P<type>SMALLINT|INTEGER|BIGINT|DOUBLE|DATE|TIMESTAMP|(?:VARCHAR|CLOB)\(\w+\))")


@cache
def to_sqlite(sql: str) -> str:
    """Return a statement in the SQL of SQLite."""
    pieces = _APART.split(sql)
    for place in range(0, len(pieces), 2):  # the others are comments and quoted text
        if _ANY.search(pieces[place]):
            pieces[place] = _WORD.sub(_replace_word, pieces[place])
    return _VALUES.sub(_name_columns, "".join(pieces))


def _replace_word(found: re.Match[str]) -> str:
    return f"LIMIT {found['most']}" if found["most"] else _WORDS[found["word"].upper()]


def _name_columns(found: re.Match[str]) -> str:
    names = found["columns"].split(",")
    columns = ", ".join(f"column{number} AS {name.strip()}" for number, name in enumerate(names, 1))
    return f"(SELECT {columns} FROM ({found['rows']})){found['name']}"


def strict_columns(columns: str) -> str:
    """Return a column list of Db2 with the types of a STRICT table, and checks for what these types do not limit."""
    return _COLUMN.sub(_strict_column, columns)


def _strict_column(found: re.Match[str]) -> str:
    name, kind = found["name"], found["type"]
    checked = ""
    if end := _RANGES.get(kind):
        checked = f" CHECK ({name} BETWEEN {-end} AND {end - 1})"
    elif kind == "DOUBLE":
        checked = f" CHECK (ABS({name}) <= 1.7976931348623157e308)"
    return f"{name} {_TYPES.get(kind, 'TEXT')}{checked}"


def add_functions(connection: "apsw.Connection") -> None:
    """Add the functions of Db2 that SQLite lacks, or has with another result."""
    functions: dict[str, Callable[..., Any]] = {
        "LOCATE": _locate, "LOWER": _lower, "MOD": _mod, "REGEXP_EXTRACT": _extract, "UPPER": _upper,
    }  # fmt: skip
    for name, function in functions.items():
        connection.create_scalar_function(name, function, deterministic=True)
    large_sum: Any = LargeSum  # its methods have one argument, which the types of apsw do not know
    connection.create_window_function("LARGE_SUM", large_sum, 1)


class LargeSum:
    """A SUM of integers without a limit, as slow as Python: a DOUBLE where BIGINT is too small."""

    def __init__(self) -> None:
        self._total: float = 0
        self._count = 0

    def step(self, value: float | None) -> None:
        if value is not None:
            self._total, self._count = self._total + value, self._count + 1

    def inverse(self, value: float | None) -> None:
        """Take back a value that leaves the window."""
        if value is not None:
            self._total, self._count = self._total - value, self._count - 1

    def value(self) -> float | None:
        if not self._count:
            return None
        return self._total if -(1 << 63) <= self._total < 1 << 63 else float(self._total)

    final = value


def use_large_sums(sql: str) -> str:
    """Return a statement whose SUM has no limit."""
    return _SUM.sub("LARGE_SUM(", sql)


def _locate(part: str | None, text: str | None) -> int | None:
    return None if part is None or text is None else text.find(part) + 1


def _mod(number: int | None, by: int | None) -> int | None:
    """Return the remainder with the sign of the number."""
    if number is None or not by:
        return None
    return abs(number) % abs(by) * (1 if number > 0 else -1)


def _extract(text: str | None, pattern: str | None) -> str | None:
    """Return the first part of a text that matches a regular expression."""
    found = None if text is None or pattern is None else re.search(pattern, text)
    return found and found[0]


def _lower(text: str | None) -> str | None:
    return None if text is None else text.lower() if text.isascii() else "".join(map(_lower_letter, text))


def _upper(text: str | None) -> str | None:
    return None if text is None else text.upper() if text.isascii() else "".join(map(_upper_letter, text))


def _lower_letter(letter: str) -> str:
    return letter.lower() if len(letter.lower()) == 1 else letter


def _upper_letter(letter: str) -> str:
    """Return the upper case of a letter, which is one letter in Db2: the sharp s stays."""
    return letter.upper() if len(letter.upper()) == 1 else letter
