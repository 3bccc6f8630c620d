"""The formats, in the order in which they are asked whether a line starts them."""

from advisor.imports.formats import config, registry
from advisor.imports.reader import Format


def all_formats() -> tuple[Format, ...]:
    """Every format; the narrower recognition comes first."""
    return (*config.FORMATS, *registry.FORMATS)
