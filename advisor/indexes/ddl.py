"""Names and DDL of proposed indexes."""

from collections.abc import Iterable
from itertools import count

from advisor.indexes.catalog import Catalog
from advisor.indexes.shapes import Candidate
from advisor.quoting import quoted

PREFIX = "IX_"
LONGEST = 60  # characters of a name; Db2 allows 128 bytes


def name_indexes(indexes: Iterable[Candidate], catalog: Catalog, prefix: str = PREFIX) -> dict[Candidate, str]:
    """Return a name for each index, made of a prefix, its table and key columns, that is free in its schema."""
    taken = {(index.schema, index.name) for table in catalog.values() for index in table.indexes}
    found: dict[Candidate, str] = {}
    for index in indexes:
        name = prefix + "_".join((index.table, *(key.column for key in index.keys)))
        name = name[:LONGEST].rstrip("_")
        numbered = (f"{name[: LONGEST - 3]}_{number}" for number in count(2))
        while (index.schema, name) in taken:
            name = next(numbered)
        taken.add((index.schema, name))
        found[index] = name
    return found


def key_text(index: Candidate) -> str:
    """Return the key columns with their order."""
    return ", ".join(quoted(key.column) + (" DESC" if key.descending else "") for key in index.keys)


def include_text(index: Candidate) -> str | None:
    """Return the included columns; None without any."""
    return ", ".join(map(quoted, index.include)) or None


def describe_index(index: Candidate) -> str:
    """Return the table with the key and included columns."""
    include = include_text(index)
    table = f"{quoted(index.schema)}.{quoted(index.table)} ({key_text(index)})"
    return f"{table} INCLUDE ({include})" if include else table


def create_statement(index: Candidate, name: str) -> str:
    """Return the statement that creates an index and collects its statistics."""
    return (
        f"CREATE {'UNIQUE ' if index.is_unique else ''}INDEX {quoted(index.schema)}.{quoted(name)}"
        f" ON {describe_index(index)} COLLECT SAMPLED DETAILED STATISTICS"
    )
