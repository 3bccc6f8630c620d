"""Statistics to collect before an index is created."""

from collections.abc import Iterable
from dataclasses import dataclass

from advisor.indexes.catalog import Catalog, Table
from advisor.indexes.statement import TableUse
from advisor.quoting import quoted

STALE = 0.2  # own: share of the rows changed since statistics were collected
FEW_VALUES = 100  # own: a column with fewer values is often skewed
NO_DISTRIBUTION = ("CLOB", "BLOB", "DBCLOB", "XML", "LONG VARCHAR", "LONG VARGRAPHIC")


@dataclass(frozen=True)
class Runstats:
    """Statistics that a table needs. ``comes_first``: without them, the estimates for the table are unreliable.

    ``distribution`` are columns with few values or ranges; ``groups`` are columns that statements compare together.
    """

    schema: str
    table: str
    comes_first: bool
    reasons: tuple[str, ...]
    distribution: tuple[str, ...] = ()
    groups: tuple[tuple[str, ...], ...] = ()

    @property
    def command(self) -> str:
        """Return the RUNSTATS command."""
        groups = ", ".join("(" + ", ".join(map(quoted, group)) + ")" for group in self.groups)
        columns = ", ".join(map(quoted, self.distribution))
        parts = [f"RUNSTATS ON TABLE {quoted(self.schema)}.{quoted(self.table)} ON ALL COLUMNS"]
        parts += [f"AND COLUMNS ({groups})"] if groups else []
        parts += [f"WITH DISTRIBUTION ON COLUMNS ({columns})"] if columns else []
        return " ".join((*parts, "AND SAMPLED DETAILED INDEXES ALL ALLOW WRITE ACCESS"))


def advise_statistics(uses: Iterable[TableUse], catalog: Catalog) -> list[Runstats]:
    """Return the statistics that the tables of statements need, tables without usable statistics first."""
    by_table: dict[tuple[str, str], list[TableUse]] = {}
    for use in uses:
        by_table.setdefault((use.schema, use.table), []).append(use)
    found = []
    for name, mine in by_table.items():
        table = catalog.get(name)
        ordinary = table is not None and table.definition is None and not table.column_organized
        if table and ordinary and not name[0].startswith("SYS"):
            found += _needed(table, mine)
    return sorted(found, key=lambda item: not item.comes_first)


def _needed(table: Table, uses: list[TableUse]) -> list[Runstats]:
    reasons = find_gaps(table)
    columns = {name for use in uses for name in use.compared if name in table.columns}
    unique = {index.keys[0].column for index in table.indexes if index.is_unique and len(index.keys) == 1}
    unknown = sorted(name for name in columns - unique if table.columns[name].distinct in (None, -1))
    if unknown and not reasons:
        reasons.append(f"The number of distinct values is unknown: {', '.join(unknown)}.")
    uses = [use for use in uses if not _finds_one_row(table, use)]
    ranges = {name for use in uses for name in (*use.ranges, *use.likes)}
    equal = {item.column for use in uses for item in use.equal}
    distribution = tuple(
        name
        for name, column in table.columns.items()
        if not column.has_distribution
        and column.type.upper() not in NO_DISTRIBUTION
        and (name in ranges or (name in equal and 1 < (column.distinct or FEW_VALUES) < FEW_VALUES))
    )
    groups = tuple(dict.fromkeys(group for use in uses if (group := _group(table, use))))
    comes_first = bool(reasons)
    if distribution:
        reasons.append("Few values, ranges or patterns are compared; their distribution is unknown.")
    if groups:
        reasons.append("Several columns are compared together; how many combinations exist is unknown.")
    return [Runstats(table.schema, table.name, comes_first, tuple(reasons), distribution, groups)] if reasons else []


def find_gaps(table: Table) -> list[str]:
    """Return why the statistics of a table are unreliable: none, or many rows changed since they were collected."""
    if table.rows is None or table.rows < 0 or table.pages is None or table.pages < 0:
        return ["The table has no statistics."]
    changed = table.rows_changed or 0
    if changed > STALE * max(1, table.rows):
        return [f"{changed:,} of {table.rows:,} rows changed since statistics were collected."]
    return []


def _finds_one_row(table: Table, use: TableUse) -> bool:
    """Return whether a unique index finds the row, whatever the distribution of values."""
    equal = {item.column for item in use.equal if item.values == 1 and not item.is_null}
    return any(index.is_unique and {key.column for key in index.keys} <= equal for index in table.indexes)


def _group(table: Table, use: TableUse) -> tuple[str, ...]:
    """Return the columns compared with values together if the number of their combinations is unknown."""
    names = [name for name in table.columns if any(item.column == name and not item.is_null for item in use.equal)]
    names = [name for name in names if table.columns[name].distinct != 1]
    if frozenset(names) in table.groups:
        return ()
    for index in table.indexes:
        keys = [key.column for key in index.keys]
        telling = [name for name in keys if name not in table.columns or table.columns[name].distinct != 1]
        if set(telling) <= set(names) and index.is_unique:
            return ()
        if set(telling[: len(names)]) == set(names):
            size = keys.index(telling[len(names) - 1]) + 1
            known = index.distinct if size == len(keys) else next(iter(index.first_distinct[size - 1 : size]), None)
            if known is not None and known >= 0:
                return ()
    return tuple(names) if len(names) > 1 else ()
