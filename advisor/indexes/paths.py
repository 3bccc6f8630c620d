"""The size and shape of an index, from its statistics or estimated.

The estimate follows "Space requirements for indexes" of the Db2 manual (c0004929).
"""

from dataclasses import dataclass
from functools import lru_cache
from math import ceil

from advisor.indexes.catalog import Column, Index, Key, Table
from advisor.indexes.shapes import Candidate, stored_bytes

PAGE_HEADER = 100  # bytes of an index page that hold no keys (c0004929)
LEAF_FILL = 0.9  # PCTFREE 10, the default of CREATE INDEX
KEY_OVERHEAD = 9  # bytes per key in a large table space (c0004929)
DUPLICATE = 7  # bytes per further row of a key (c0004929)
ORDERED = 0.9  # own: clustering of an index in whose order rows were inserted
IN_ORDER = 0.7  # own: clustering of a date or time in a table whose rows are in the order of their key
POINTER = 4  # own: bytes to a child page in an upper level


@dataclass(frozen=True)
class Path:
    """An index as a way to the rows of a table."""

    keys: tuple[Key, ...]
    columns: frozenset[str]
    levels: int
    leaf_pages: float
    entries: float
    clustering: float
    bytes: int


def build_path(index: Index | Candidate, table: Table) -> Path:
    """Return the size and shape of an index, from its statistics or estimated."""
    names = (*(key.column for key in index.keys), *index.include)
    entries = max(1, table.rows or 1)
    width = sum(average_bytes(table.columns[name]) for name in names if name in table.columns)
    distinct = 1.0
    for name in names:
        column = table.columns.get(name)
        known = column.distinct if column and column.distinct is not None and column.distinct >= 0 else entries
        distinct = min(float(entries), distinct * max(1, known))
    same = 1.0 if index.is_unique else entries / distinct
    usable = LEAF_FILL * (table.page_size - PAGE_HEADER)
    leaf_pages: float = ceil(entries * (width + KEY_OVERHEAD + DUPLICATE * (same - 1)) / same / usable)
    fan_out = max(2.0, usable / (width + KEY_OVERHEAD + POINTER))
    levels, upper, pages = 1, leaf_pages, leaf_pages
    while upper > 1:
        upper = ceil(upper / fan_out)
        levels, pages = levels + 1, pages + upper
    clustering = _clustering(index.keys[:1], table)
    if isinstance(index, Index):
        leaf_pages = _known(index.leaf_pages, leaf_pages)
        levels = int(_known(index.levels, levels))
        clustering = index.clustering if index.clustering is not None and index.clustering >= 0 else clustering
    return Path(index.keys, frozenset(names), levels, leaf_pages, entries, clustering, int(pages * table.page_size))


@lru_cache(maxsize=4096)
def average_bytes(column: Column) -> int:
    """Return the average length of a column in a key: AVGCOLLEN, or half of the longest if it varies."""
    if column.average_length is not None and column.average_length > 0:
        return column.average_length
    longest = stored_bytes(column)
    return longest // 2 + 2 if column.type.upper().startswith("VAR") else longest


def _clustering(first: tuple[Key, ...], table: Table) -> float:
    """Return the clustering of an existing index with the same first column, otherwise 0 as Db2 assumes."""
    found = [index.clustering or 0.0 for index in table.indexes if index.keys[:1] == first]
    return (
        max(0.0, *found) if found else IN_ORDER if first and _grows(table.columns.get(first[0].column), table) else 0.0
    )


def _grows(column: Column | None, table: Table) -> bool:
    """Return whether a column is probably the time at which rows were inserted: a key of one column orders the table."""
    if column is None or column.nulls != 0 or column.type.upper() not in ("DATE", "TIMESTAMP"):
        return False
    return any(
        index.is_unique and len(index.keys) == 1 and (index.clustering or 0) >= ORDERED for index in table.indexes
    )


def _known(value: int | None, estimate: float) -> float:
    return float(value) if value is not None and value >= 0 else estimate
