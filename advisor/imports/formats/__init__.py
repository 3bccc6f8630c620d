"""The formats, in the order in which they are asked whether a line starts them."""

from advisor.imports.formats import config, db2look, db2pd, registry
from advisor.imports.reader import Format


def all_formats() -> tuple[Format, ...]:
    """Every format; the narrower recognition comes first."""
    return (*config.FORMATS, *registry.FORMATS, *db2pd.FORMATS, *db2look.FORMATS)
