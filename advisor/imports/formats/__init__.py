"""The formats, in the order in which they are tried on a line."""

from advisor.imports.formats import (
    backups,
    commands,
    config,
    db2advis,
    db2diag,
    db2exfmt,
    db2look,
    db2mon,
    db2mtrk,
    db2pd,
    file_systems,
    history,
    list_applications,
    list_utilities,
    listing,
    lock_events,
    monreport,
    operator,
    registry,
    reorgchk,
    snapshot,
    table_csv,
    tablespaces,
    tablespaces_translated,
)
from advisor.imports.reader import Format

_NARROW = (
    commands,
    config,
    db2mon,
    registry,
    snapshot,
    tablespaces,
    tablespaces_translated,
    db2pd,
    db2advis,
    db2exfmt,
    reorgchk,
    db2look,
)
_OF_TOOLS = (
    lock_events,
    list_applications,
    list_utilities,
    monreport,
    db2mtrk,
    db2diag,
    history,
    backups,
    operator,
    file_systems,
)
_MODULES = (*_NARROW, *_OF_TOOLS, table_csv, listing)


def all_formats() -> tuple[Format, ...]:
    """Return every format; the narrower recognition comes first."""
    return tuple(format for module in _MODULES for format in module.FORMATS)
