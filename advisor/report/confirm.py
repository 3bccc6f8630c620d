"""Queries that confirm a finding: one statement or command per line, never wrapped, so that they can be copied."""

from advisor.catalogue.levels import level_number

OLDEST = "10.5"
"""The oldest level whose monitor table functions the queries use."""


def queries(given: str | None, level: str | None = None) -> list[str]:
    """Return the parts of a rule's query, SQL with its terminator; none that call a function the level lacks."""
    lacking = level is not None and level_number(level) < level_number(OLDEST)
    parts = [part.strip() for part in (given or "").split(";")]
    return [f"{part};" if part.startswith("SELECT") else part for part in parts if not (lacking and "TABLE(" in part)]
