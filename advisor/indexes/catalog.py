"""Tables, columns and indexes of a database, as its catalog and statistics describe them."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Column:
    """A column of a table. Statistics that were not collected are None.

    ``length``, ``distinct``, ``nulls``, ``average_length``, ``low`` and ``high`` are LENGTH, COLCARD, NUMNULLS, AVGCOLLEN,
    LOW2KEY and HIGH2KEY of SYSCAT.COLUMNS. ``has_distribution`` is true if frequent values or quantiles were collected,
    ``frequent`` is the number of rows with the most frequent value, ``frequent_value``.
    """

    name: str
    type: str = ""
    length: int | None = None
    distinct: int | None = None
    nulls: int | None = None
    average_length: int | None = None
    low: str | None = None
    high: str | None = None
    has_distribution: bool | None = None
    frequent: int | None = None
    frequent_value: str | None = None


@dataclass(frozen=True)
class Key:
    """A key column of an index."""

    column: str
    descending: bool = False


@dataclass(frozen=True)
class Index:
    """An index. ``unique_rule`` is D (duplicates allowed), U (unique) or P (primary key), as in SYSCAT.INDEXES.

    ``is_required`` is true if a constraint needs the index, so that it cannot be dropped alone. Statistics that were not
    collected are None: ``levels``, ``leaf_pages`` and ``distinct`` are NLEVELS, NLEAF and FULLKEYCARD, ``first_distinct``
    are FIRSTKEYCARD to FIRST4KEYCARD. ``clustering`` is CLUSTERFACTOR, or CLUSTERRATIO / 100.
    """

    schema: str
    name: str
    keys: tuple[Key, ...]
    include: tuple[str, ...] = ()
    unique_rule: str = "D"
    is_required: bool = False
    levels: int | None = None
    leaf_pages: int | None = None
    distinct: int | None = None
    first_distinct: tuple[int | None, ...] = ()
    clustering: float | None = None
    age_days: int | None = None

    @property
    def is_unique(self) -> bool:
        """Return whether the index enforces uniqueness."""
        return self.unique_rule != "D"


@dataclass(frozen=True)
class Definition:
    """A view, alias or other object that is not an ordinary table. ``kind`` is TYPE of SYSCAT.TABLES.

    ``base`` is the schema and name that an alias is for. ``text`` is the CREATE VIEW statement, and ``qualifier`` the
    schema of its names without one.
    """

    kind: str
    base: tuple[str, str] | None = None
    qualifier: str = ""
    text: str | None = None


@dataclass(frozen=True)
class Table:
    """A table. ``page_size`` is the page size of the table space of its indexes, in bytes.

    ``rows_changed`` is STATS_ROWS_MODIFIED: the rows changed since statistics were collected. ``groups`` are the column
    groups with the number of combinations of their values. ``expressions`` are the indexes on an expression, with its
    text. ``definition`` is set if the object is not an ordinary table.
    """

    schema: str
    name: str
    columns: Mapping[str, Column] = field(default_factory=dict)
    rows: int | None = None
    pages: int | None = None
    page_size: int = 4096
    column_organized: bool = False
    indexes: tuple[Index, ...] = ()
    rows_changed: int | None = None
    groups: Mapping[frozenset[str], int] = field(default_factory=dict)
    expressions: tuple[tuple[str, str], ...] = ()
    definition: Definition | None = None


Catalog = Mapping[tuple[str, str], Table]
