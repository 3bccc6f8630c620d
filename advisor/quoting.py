"""How names and values stand in a statement, so that none of them can be read as anything else."""

import re
from pathlib import Path


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
