"""How names and values stand in a statement, so that none of them can be read as anything else."""

import re
from pathlib import Path

# What breaks a line or steers a terminal or the eye: C0, DEL, C1, marks of direction, separators of lines.
CONTROLS = "".join(
    chr(number)
    for first, last in ((0, 0x1F), (0x7F, 0x9F), (0x200E, 0x200F), (0x2028, 0x202E), (0x2066, 0x2069))
    for number in range(first, last + 1)
)


def one_file(path: Path) -> str:
    """A path for DuckDB, which would look for other files where a name holds a star, a question mark or a bracket."""
    return re.sub(r"[*?\[]", r"[\g<0>]", str(path))


def quoted(name: str) -> str:
    """A delimited identifier."""
    return '"' + name.replace('"', '""') + '"'


def literal(value: str | float | None) -> str:
    """A constant of SQL."""
    if value is None:
        return "NULL"
    return "'" + value.replace("'", "''") + "'" if isinstance(value, str) else repr(value)


def holds_control(text: str) -> bool:
    """Return whether a text holds one of CONTROLS."""
    return not set(CONTROLS).isdisjoint(text)
