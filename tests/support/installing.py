"""The statements of an installation, put together once in a process."""

from functools import cache

from advisor.install.statements import Statement, install_statements


@cache
def installing() -> list[Statement]:
    """Without rules of a site; nobody changes them."""
    return install_statements()
