"""Quoting of names and values in statements."""

import re
import shlex

# Characters that break lines or control terminals: C0, DEL, C1, direction marks, line separators.
CONTROLS = "".join(
    chr(number)
    for first, last in ((0, 0x1F), (0x7F, 0x9F), (0x200E, 0x200F), (0x2028, 0x202E), (0x2066, 0x2069))
    for number in range(first, last + 1)
)


def quoted(name: str) -> str:
    """Return a delimited identifier."""
    return '"' + name.replace('"', '""') + '"'


def literal(value: str | float | None) -> str:
    """Return an SQL constant."""
    if value is None:
        return "NULL"
    return "'" + value.replace("'", "''") + "'" if isinstance(value, str) else repr(value)


def alias(database: str) -> str:
    """Return the name of a database for the command line processor, delimited if it is not an alias of Db2."""
    return database if re.fullmatch(r"[A-Za-z0-9_@#$]+", database) else quoted(database)


def shell(text: str, instead: str = "NAME") -> str:
    """Return a text as one word of a POSIX shell, or ``instead`` if it holds a control character."""
    return instead if holds_control(text) else shlex.quote(text)


def holds_control(text: str) -> bool:
    """Return whether a text contains one of CONTROLS."""
    return not set(CONTROLS).isdisjoint(text)
