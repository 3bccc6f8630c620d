"""The statements of an installation, put together once in a process."""

from functools import cache

from advisor.install.statements import Statement, install_statements


@cache
def installing() -> list[Statement]:
    """Return the statements without rules of a site; tests do not change them."""
    return install_statements()
