"""The statements of an installation, built once per process."""

from functools import cache

from advisor.install.statement import Statement
from advisor.install.statements import install_statements


@cache
def installing() -> list[Statement]:
    """Return the statements without site rules; tests must not change them."""
    return install_statements()
