"""The formats, in the order in which they are asked whether a line starts them."""

from advisor.imports.formats import (
    commands,
    config,
    db2look,
    db2mon,
    db2pd,
    listing,
    registry,
    snapshot,
    table_csv,
    tablespaces,
)
from advisor.imports.reader import Format

_MODULES = (config, db2mon, registry, commands, snapshot, tablespaces, db2pd, db2look, table_csv, listing)


def all_formats() -> tuple[Format, ...]:
    """Every format; the narrower recognition comes first."""
    return tuple(format for module in _MODULES for format in module.FORMATS)
