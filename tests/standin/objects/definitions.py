"""What the user created: one frozen record per object, so that undoing DDL is putting the old record back.

A row of a table has its width in a page, by the rules of CREATE TABLE.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple

from tests.standin.api import Procedure, Use
from tests.standin.errors import Db2Error
from tests.standin.types import Column, SqlType

ROW_KEY = "$ROW"  # hidden column of every table: identifies a row for the undo log


class Name(NamedTuple):
    """A name as written: the schema may be missing."""

    schema: str | None
    name: str


class Key(NamedTuple):
    """Identity of an object: tables, views and aliases share one space; routines are overloaded by arity."""

    space: str
    schema: str
    name: str
    arity: int = 0

    @property
    def text(self) -> str:
        return f"{self.schema}.{self.name}" if self.schema else self.name


def quoted(*names: str) -> str:
    """A DuckDB identifier, qualified if there is more than one name."""
    return ".".join('"' + name.replace('"', '""') + '"' for name in names)


@dataclass(frozen=True)
class Generated:
    """A sequence of numbers: the options of an identity column or of CREATE SEQUENCE."""

    start: int = 1
    increment: int = 1
    minimum: int | None = None
    maximum: int | None = None
    cycle: bool = False
    always: bool = False
    physical: str = ""  # name of the DuckDB sequence in schema STANDIN


@dataclass(frozen=True)
class TableColumn:
    """A column of a table; ``default`` is SQL text, None without a default, "" for the type's own default."""

    name: str
    type: SqlType
    nullable: bool = True
    default: str | None = None
    identity: Generated | None = None

    @property
    def column(self) -> Column:
        return Column(self.name, self.type, self.nullable, self.identity is not None and self.identity.always)


@dataclass(frozen=True)
class Unique:
    """A primary key (P), unique constraint (U) or unique index (I)."""

    name: str
    columns: tuple[str, ...]
    kind: str = "U"


@dataclass(frozen=True)
class Check:
    name: str
    condition: str


@dataclass(frozen=True)
class Foreign:
    """A foreign key; ``on_delete`` holds NO ACTION, RESTRICT, CASCADE or SET NULL."""

    name: str
    columns: tuple[str, ...]
    parent: Name
    parent_columns: tuple[str, ...]
    on_delete: str = "NO ACTION"


@dataclass(frozen=True)
class Table:
    """A table. ``physical`` is where DuckDB keeps it; ``temporary`` is "", DECLARED or CREATED."""

    schema: str
    name: str
    columns: tuple[TableColumn, ...]
    uniques: tuple[Unique, ...] = ()
    checks: tuple[Check, ...] = ()
    foreigns: tuple[Foreign, ...] = ()
    tablespace: str = "USERSPACE1"
    index_tablespace: str | None = None
    definer: str = ""
    created: datetime = datetime.min
    altered: datetime = datetime.min
    temporary: str = ""
    delete_on_commit: bool = False
    physical: tuple[str, str] = ("", "")
    remarks: str = ""
    column_remarks: tuple[tuple[str, str], ...] = ()
    organization: str = "ROW"

    @property
    def own(self) -> Name:
        """The name by which its indexes know it: of a declared temporary table, one that no other session has."""
        return Name(*self.physical) if self.temporary == "DECLARED" else Name(self.schema, self.name)

    @property
    def source(self) -> str:
        return quoted(*(self.physical if self.physical[1] else (self.schema, self.name)))

    def column(self, name: str) -> TableColumn | None:
        return next((column for column in self.columns if column.name == name), None)


@dataclass(frozen=True)
class View:
    """A view: its text, the objects it reads and the schema for unqualified names in it.

    It is not ``valid`` after a change to an object that it reads, and not ``fresh`` if its DuckDB view must be created
    again.
    """

    schema: str
    name: str
    columns: tuple[Column, ...]
    text: str
    query: str
    listed: tuple[str, ...]  # the names that CREATE VIEW lists
    uses: frozenset[Use]
    qualifier: str
    definer: str
    created: datetime
    duckdb: str = ""  # its query there
    some: str = ""  # as in Compiled
    valid: bool = True
    fresh: bool = True
    remarks: str = ""


@dataclass(frozen=True)
class Alias:
    schema: str
    name: str
    target: Name
    definer: str
    created: datetime


@dataclass(frozen=True)
class Index:
    schema: str
    name: str
    table: Name
    columns: tuple[tuple[str, bool], ...]  # name, descending
    unique: bool
    definer: str
    created: datetime
    constraint: str = ""  # P or U if the system made it for a primary key or unique constraint
    exclude_nulls: bool = False

    @property
    def rule(self) -> str:
        """UNIQUERULE: P of a primary key, U unique, D duplicates allowed."""
        return self.constraint if self.constraint == "P" else "U" if self.unique else "D"


@dataclass(frozen=True)
class Sequence:
    schema: str
    name: str
    type: SqlType
    options: Generated
    definer: str
    created: datetime


@dataclass(frozen=True)
class Variable:
    """A global variable; each session has its own value."""

    schema: str
    name: str
    type: SqlType
    default: str | None
    constant: bool
    qualifier: str
    definer: str
    created: datetime


@dataclass(frozen=True)
class Routine:
    """A procedure or scalar function; ``qualifier`` is what unqualified names in its static SQL mean."""

    procedure: Procedure
    kind: str  # PROCEDURE or FUNCTION
    specific: str
    qualifier: str
    created: datetime
    result_sets: int = 0


@dataclass(frozen=True)
class Schema:
    name: str
    definer: str
    created: datetime


@dataclass(frozen=True)
class Role:
    name: str
    created: datetime


Definition = Table | View | Alias | Index | Sequence | Variable | Routine | Schema | Role


@dataclass(frozen=True)
class Grant:
    """One privilege on one object, or an authority of the database (kind DATABASE)."""

    kind: str
    schema: str
    name: str
    privilege: str
    grantee: str
    grantor: str = field(compare=False, default="SYSIBM")


ROW_LIMIT = {4: 4005, 8: 8101, 16: 16293, 32: 32677}  # bytes of a row, by the page size in KB
COLUMN_LIMIT = {4: 500, 8: 1012, 16: 1012, 32: 1012}
FIXED = {"SMALLINT": 2, "INTEGER": 4, "BIGINT": 8, "REAL": 4, "DOUBLE": 8, "DATE": 4, "TIME": 3, "BOOLEAN": 1}
# greatest length of a LOB: bytes of its descriptor in the row
DESCRIPTORS = (
    (1024, 68),
    (8192, 92),
    (65536, 116),
    (524000, 140),
    (4190000, 164),
    (134000000, 196),
    (536000000, 220),
    (1070000000, 252),
    (1470000000, 276),
    (2147483647, 312),
)
LOB_OVERHEAD = 4


def width(of: SqlType) -> int:
    """Return the bytes of a value in its row, without the null indicator."""
    if of.name in FIXED:
        return FIXED[of.name]
    if of.name == "DECIMAL":
        return of.length // 2 + 1
    if of.name == "TIMESTAMP":
        return (of.length + 1) // 2 + 7
    if of.is_lob:
        return LOB_OVERHEAD + next(size for most, size in DESCRIPTORS if of.length <= most)
    return of.length + (4 if of.name in {"VARCHAR", "VARBINARY"} else 0)


def row_width(columns: Iterable[TableColumn]) -> int:
    return sum(width(column.type) + column.nullable for column in columns)


def fits(columns: tuple[TableColumn, ...], page_kb: int) -> bool:
    """Whether a row, and the number of columns, is one that a page of this size takes."""
    return len(columns) <= COLUMN_LIMIT[page_kb] and row_width(columns) <= ROW_LIMIT[page_kb]


def check_width(columns: tuple[TableColumn, ...], page_kb: int, tablespace: str) -> None:
    """-670 if a row does not fit into a page of the table space, -680 if there are too many columns."""
    if len(columns) > COLUMN_LIMIT[page_kb]:
        raise Db2Error(-680, "54011")
    needed = row_width(columns)
    if needed > ROW_LIMIT[page_kb]:
        raise Db2Error(-670, "54010", str(ROW_LIMIT[page_kb]), tablespace, str(needed))
