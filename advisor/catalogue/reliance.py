"""The rules that a failed window view disables: an empty view means that nothing was collected."""

from collections.abc import Iterator
from functools import cache

from advisor.catalogue.rules import Rule
from advisor.catalogue.sqltext import references
from advisor.catalogue.views import model_views, views_read_by

# An empty one of these would suggest that all is well.
VITAL = frozenset(
    {"COUNTER_CHECK", "DATABASE_TIME", "GATE", "MEMORY_BUDGET", "NO_LOAD", "RUN_WINDOW", "SUMMARY", "TOO_FEW"}
)


def find_required_views(rule: Rule) -> Iterator[str]:
    """Return the views without whose rows a rule must not decide.

    These are the views that it reads directly, and views behind them on a source that it needs. Views on other sources
    may be empty: they need not have been collected.
    """
    needed = {need.partition(".")[0] for key in ("needs", "needs_timed") for need in rule.get_list(key)}
    itself = references(rule.select)
    for name in views_read_by([rule.select]):
        if name in itself or needed & _find_sources(name):
            yield name


@cache
def _find_sources(view: str) -> frozenset[str]:
    """Return the sources that a view reads, directly or through others."""
    read = {view, *views_read_by([model_views()[view]])}
    tables = {table for name in read for table in references(model_views()[name])}
    return frozenset(table[2:].lower() for table in tables if table.startswith(("S_", "D_", "L_")))
