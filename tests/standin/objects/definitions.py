"""What the user created: one frozen record per object, so that undoing DDL is putting the old record back."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple

from tests.standin.api import Procedure, Use
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
