"""Shapes of an index: what fits, what an existing index already does, and which existing index could be widened.

Db2 allows INCLUDE only with UNIQUE (CREATE INDEX, r0000919), so a non-unique index covers a query with more key columns.
An index cannot be altered to have more columns: it is dropped and created again (t0020195).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from advisor.indexes.catalog import Column, Index, Key, Table

MAX_COLUMNS = 64  # of an index
KEY_SHARE = 4  # the longest key is a quarter of the page: 1,024 bytes with 4 KB pages
_FIXED = {"SMALLINT": 2, "INTEGER": 4, "BIGINT": 8, "REAL": 4, "DOUBLE": 8, "DECFLOAT": 16, "DATE": 4, "TIME": 3}
_FIXED |= {"TIMESTAMP": 13, "BOOLEAN": 1}
NOT_INDEXABLE = ("CLOB", "BLOB", "DBCLOB", "XML", "LONG VARCHAR", "LONG VARGRAPHIC")
_DEFAULT_LENGTH = 32  # of a column whose length is unknown
_OVERHEAD = 3  # bytes for NULL and the length of a varying column


@dataclass(frozen=True)
class Limits:
    """Bounds: candidates per table reference and merged ones per table, key columns before covering, columns to cover.

    Tables with fewer than ``min_pages`` pages have no candidates.
    """

    candidates: int = 8
    merged: int = 50
    key_columns: int = 4
    covering_columns: int = 4
    min_pages: int = 100


@dataclass(frozen=True)
class Candidate:
    """An index that could help.

    The first ``free`` keys are compared with values, so that their order and direction do not matter. The last
    ``covering`` keys are there only so that the table need not be read. ``widens`` is the index that it replaces.
    """

    schema: str
    table: str
    keys: tuple[Key, ...]
    include: tuple[str, ...] = ()
    is_unique: bool = False
    free: int = 0
    covering: int = 0
    widens: Index | None = None

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash((self.schema, self.table, self.keys, self.include))

    def __getstate__(self) -> dict[str, object]:
        return {name: value for name, value in vars(self).items() if name != "_hash"}  # it differs between processes

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """Return the key columns, then the included columns."""
        return (*(key.column for key in self.keys), *self.include)


DEFAULT_LIMITS = Limits()


def shapes(
    table: Table, wanted: Candidate, covered: Sequence[str], compared: Sequence[str], limits: Limits
) -> list[Candidate]:
    """Return the wanted index as far as it fits, and one that covers; leave out what an existing index does.

    ``compared`` are the columns compared with one value, whether or not they are keys.
    """
    fitting = fitting_keys(table, list(dict.fromkeys(wanted.keys)))
    if not fitting:
        return []
    plain = replace(wanted, keys=fitting, free=min(wanted.free, len(fitting)))
    found = [plain]
    more = [Key(column) for column in covered if column not in plain.columns]
    more.sort(key=lambda key: table.columns[key.column].distinct == 1)  # a client number last
    all_fit = len(fitting_keys(table, [*fitting, *more])) == len(fitting) + len(more)
    if 0 < len(more) <= limits.covering_columns and all_fit:
        found.append(replace(plain, keys=(*fitting, *more), covering=len(more)))
    return [
        _widening(table, each) for each in found if not any(serves(index, each, compared) for index in table.indexes)
    ]


def serves(index: Index, candidate: Candidate, compared: Sequence[str] = ()) -> bool:
    """Return whether an existing index already does what a candidate would do."""
    plain = candidate.keys[: len(candidate.keys) - candidate.covering]
    free = {key.column for key in plain[: candidate.free]}
    if index.is_unique and {key.column for key in index.keys} <= free.union(compared):
        return True  # it finds the row
    wanted = {key.column for key in plain}
    keys = [key for key in index.keys if key.column in wanted or key.column not in compared]
    begins = {key.column for key in keys[: candidate.free]} == free
    following = keys[candidate.free : len(plain)]
    turned = [Key(key.column, not key.descending) for key in following]  # Db2 reads an index in both directions
    same = list(plain[candidate.free :]) in (following, turned)
    covering = set(candidate.columns) - wanted
    return begins and same and covering <= {*(key.column for key in index.keys), *index.include}


def _widening(table: Table, candidate: Candidate) -> Candidate:
    """Return a candidate that replaces an existing index if it begins with all of its columns."""
    for index in sorted(table.indexes, key=lambda index: -len(index.keys)):
        size = len(index.keys)
        if index.is_unique or index.is_required or index.include or not 0 < size < len(candidate.keys):
            continue
        names = {key.column for key in index.keys}
        if size <= candidate.free and names <= {key.column for key in candidate.keys[: candidate.free]}:
            rest = [key for key in candidate.keys if key.column not in names]
            return replace(candidate, keys=(*index.keys, *rest), widens=index)
        if candidate.keys[:size] == index.keys:
            return replace(candidate, widens=index)
    return candidate


def fitting_keys(table: Table, keys: Sequence[Key]) -> tuple[Key, ...]:
    """Return the keys that fit in an index, up to the first that does not."""
    left = table.page_size // KEY_SHARE
    fitting: list[Key] = []
    for key in keys[:MAX_COLUMNS]:
        left -= stored_bytes(table.columns[key.column])
        if left < 0:
            break
        fitting.append(key)
    return tuple(fitting)


def stored_bytes(column: Column) -> int:
    """Return the longest length of a column in a key, in bytes."""
    kind = column.type.upper()
    length = column.length if column.length and column.length > 0 else _DEFAULT_LENGTH
    if kind in ("DECIMAL", "NUMERIC"):
        return length // 2 + 1 + _OVERHEAD
    return _FIXED.get(kind, 2 * length if kind.endswith("GRAPHIC") else length) + _OVERHEAD
