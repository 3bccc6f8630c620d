"""The formats, in the order in which they are tried on a line."""

from functools import cache
from importlib import import_module

from advisor.imports.reader import Format

# Narrower recognition comes first.
_NARROW = "commands config db2mon registry snapshot tablespaces db2pd db2advis db2exfmt reorgchk"
_OF_TOOLS = "db2look lock_events list_applications list_utilities monreport db2mtrk db2diag history backups operator"
_TABLES = "file_systems table_csv listing"


@cache
def all_formats() -> tuple[Format, ...]:
    """Return every format; the narrower recognition comes first."""
    names = f"{_NARROW} {_OF_TOOLS} {_TABLES}".split()
    return tuple(format for name in names for format in import_module(f"{__name__}.{name}").FORMATS)
