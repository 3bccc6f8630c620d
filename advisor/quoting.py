"""How names and values stand in a statement, so that none of them can be read as anything else."""


def quoted(name: str) -> str:
    """A delimited identifier."""
    return '"' + name.replace('"', '""') + '"'


def literal(value: str | float | None) -> str:
    """A constant of SQL."""
    if value is None:
        return "NULL"
    return "'" + value.replace("'", "''") + "'" if isinstance(value, str) else repr(value)
