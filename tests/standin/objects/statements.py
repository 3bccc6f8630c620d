"""Statements of data definition and of the session, as the grammar reads them."""

from dataclasses import dataclass

from tests.standin.objects.definitions import Check, Foreign, Generated, Name, TableColumn, Unique
from tests.standin.types import SqlType


@dataclass(frozen=True)
class CreateTable:
    """A CREATE TABLE; ``temporary`` is "", DECLARED or CREATED. Columns come from one of columns, like and query."""

    name: Name
    columns: tuple[TableColumn, ...] = ()
    uniques: tuple[Unique, ...] = ()
    checks: tuple[Check, ...] = ()
    foreigns: tuple[Foreign, ...] = ()
    like: Name | None = None
    query: str | None = None
    query_columns: tuple[str, ...] = ()
    tablespace: str | None = None
    index_tablespace: str | None = None
    temporary: str = ""
    delete_on_commit: bool = True
    replace: bool = False
    organization: str | None = None


@dataclass(frozen=True)
class CreateIndex:
    name: Name
    table: Name
    columns: tuple[tuple[str, bool], ...]
    unique: bool
    exclude_nulls: bool = False


@dataclass(frozen=True)
class CreateView:
    name: Name
    replace: bool
    text: str
    columns: tuple[str, ...]
    query: str


@dataclass(frozen=True)
class CreateVariable:
    name: Name
    replace: bool
    type: SqlType
    default: str | None
    constant: bool


@dataclass(frozen=True)
class CreateSequence:
    name: Name
    replace: bool
    type: SqlType
    options: Generated


@dataclass(frozen=True)
class AlterSequence:
    name: Name
    changes: dict[str, int | bool | None]


@dataclass(frozen=True)
class CreateAlias:
    name: Name
    target: Name
    replace: bool


@dataclass(frozen=True)
class CreateSchema:
    name: str
    owner: str | None


@dataclass(frozen=True)
class CreateRole:
    name: str


@dataclass(frozen=True)
class Drop:
    """``kind`` is TABLE, VIEW, ...; ``arity`` the number of parameters of a routine, if its types were listed."""

    kind: str
    name: Name
    arity: int | None = None
    specific: bool = False


@dataclass(frozen=True)
class Alteration:
    """One clause of ALTER TABLE; ``verb`` names the clause, the other fields are what it needs."""

    verb: str
    name: str = ""
    column: TableColumn | None = None
    constraints: tuple[Unique | Check | Foreign, ...] = ()
    type: SqlType | None = None
    default: str | None = None
    number: int | None = None
    restricted: bool = False


@dataclass(frozen=True)
class AlterTable:
    name: Name
    alterations: tuple[Alteration, ...]


@dataclass(frozen=True)
class Truncate:
    name: Name
    restart: bool = False


@dataclass(frozen=True)
class Rename:
    kind: str
    name: Name
    new: str


@dataclass(frozen=True)
class Comment:
    kind: str
    name: tuple[str, ...]
    text: str


@dataclass(frozen=True)
class GrantOrRevoke:
    """``kind`` is TABLE, PROCEDURE, ..., DATABASE or ROLE (then the role is the name)."""

    revoke: bool
    privileges: tuple[str, ...]
    kind: str
    name: Name
    grantees: tuple[str, ...]
    specific: bool = False


@dataclass(frozen=True)
class SetRegister:
    """SET CURRENT ... and SET SCHEMA, SET PATH: everything after SET [CURRENT]."""

    text: str


@dataclass(frozen=True)
class Savepoint:
    name: str


@dataclass(frozen=True)
class Release:
    name: str


@dataclass(frozen=True)
class RollbackTo:
    name: str | None


@dataclass(frozen=True)
class LockTable:
    name: Name


Statement = (
    CreateTable
    | CreateIndex
    | CreateView
    | CreateVariable
    | CreateSequence
    | AlterSequence
    | CreateAlias
    | CreateSchema
    | CreateRole
    | Drop
    | AlterTable
    | Truncate
    | Rename
    | Comment
    | GrantOrRevoke
    | SetRegister
    | Savepoint
    | Release
    | RollbackTo
    | LockTable
)
