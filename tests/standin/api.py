"""What the parts of the stand-in ask of each other.

    drda     the wire: asks a Backend for a Session and drives its Statements
    objects  Backend, Session, user tables and views, DDL, privileges, storage: implements Session, Executor, Names
    sql      binds and translates one query or DML statement: asks Names, returns Compiled
    pl       SQL PL: parses routines and compound statements and runs them through an Executor
    machine  the watched database: monitor functions, catalog views, configuration, storage commands, its clock

Values are Python's: int, float, Decimal, str, bytes, date, time, datetime (naive), bool, None.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from tests.standin.types import Column, SqlType

# --- between drda and the sessions ------------------------------------------------------------------------


class ResultSet(Protocol):
    """An open cursor; ``fetch`` may raise Db2Error or Disconnect in the middle."""

    name: str
    columns: tuple[Column, ...]

    def fetch(self, most: int) -> list[tuple[Any, ...]]:
        """The next rows; an empty list at the end."""

    def close(self) -> None: ...


@dataclass
class Outcome:
    """What a statement did.

    ``code`` and ``state`` are those of a success or warning (0, or 100 with 02000, or a positive SQLCODE);
    ``parameters`` are all values of a CALL, OUT ones filled in, and ``result_sets`` what it returned.
    """

    rowcount: int = 0
    result: ResultSet | None = None
    parameters: list[Any] | None = None
    result_sets: list[ResultSet] = field(default_factory=list)
    code: int = 0
    state: str = "00000"
    tokens: tuple[str, ...] = ()


@dataclass(frozen=True)
class Parameter:
    """A parameter marker of a statement, or a parameter of a procedure."""

    column: Column
    mode: str = "IN"  # IN, OUT, INOUT


class Statement(Protocol):
    """A prepared statement; ``kind`` is query, call or other."""

    kind: str
    columns: tuple[Column, ...]
    parameters: tuple[Parameter, ...]

    def execute(self, values: Sequence[Any] = ()) -> Outcome:
        """Run it; raises Db2Error or Disconnect."""


class Session(Protocol):
    def prepare(self, sql: str) -> Statement: ...

    def commit(self) -> None: ...

    def rollback(self) -> None: ...

    def interrupt(self) -> None:
        """From another thread: end what runs now with SQL0952N (57014); nothing if nothing runs."""

    def close(self) -> None: ...


class Backend(Protocol):
    def has_database(self, name: str) -> bool: ...

    def connect(self, database: str, user: str, password: str) -> Session | None:
        """A session, or None when user and password do not match."""


# --- between objects and sql --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Relation:
    """A table, view or table function as the binder sees it; ``source`` is its DuckDB text in a FROM clause.

    ``some`` is that of a view's query (Compiled), and ``query`` that query for DuckDB.
    """

    schema: str
    name: str
    columns: tuple[Column, ...]
    source: str
    kind: str = "table"  # table, view, function
    some: str = ""
    query: str = ""


class Scope(Protocol):
    """SQL PL variables and parameters that are visible to a statement; names are upper case unless delimited."""

    def declared(self, qualifier: str | None, name: str) -> Column | None: ...

    def value(self, qualifier: str | None, name: str) -> Any: ...


class Names(Protocol):
    """Resolves what a statement names. Raises Db2Error: -204 no such object, -440 no such function."""

    def relation(self, schema: str | None, name: str) -> Relation: ...

    def table_function(self, schema: str | None, name: str, arguments: int) -> Relation: ...

    def variable(self, schema: str | None, name: str) -> tuple[Column, str] | None:
        """Return a global variable and the DuckDB expression that reads it in this session, or None if unknown."""

    def sequence(self, schema: str | None, name: str) -> tuple[SqlType, str]:
        """The type of a sequence, and the DuckDB expression of its next value."""

    def register(self, name: str) -> tuple[Column, str] | None:
        """A special register (CURRENT SERVER, USER, ...), and the DuckDB expression that reads it."""

    def mode(self, name: str) -> bool:
        """Whether varchar2_compat or date_compat is ON."""

    def written(self, kind: SqlType) -> SqlType:
        """Return the database's type for a type named in a statement: DATE and string units may differ."""


@dataclass(frozen=True)
class Use:
    """What a statement does to what: SELECT, INSERT, UPDATE, DELETE, EXECUTE, USAGE, READ."""

    privilege: str
    schema: str
    name: str


@dataclass(frozen=True)
class Temporary:
    """A row that a statement has written into a temporary table: by what clause, of which query in it, and its columns.

    ``query`` is the name of the common table expression or the correlation name, and empty for the statement's own.
    ``keys`` are the sort keys of window functions: beside its column, a row has what a collation orders it by.
    """

    query: str
    clause: str
    columns: tuple[Column, ...]
    keys: tuple[Column, ...] = ()


@dataclass(frozen=True)
class Compiled:
    """One statement in DuckDB's SQL, with placeholders $1 ... $n filled from ``inputs``.

    An input is the number of a marker (from 0), or qualifier and name of a SQL PL variable. ``pure`` means that the
    result depends on the inputs alone. ``some`` is a query, without inputs, that has rows if the query has rows or an
    INSERT gets some; it is empty if no such query is known.
    """

    kind: str  # select, insert, update, delete, merge
    text: str
    columns: tuple[Column, ...]
    markers: tuple[Column, ...]
    inputs: tuple[int | tuple[str | None, str], ...]
    uses: frozenset[Use]
    target: tuple[str, str] | None = None
    pure: bool = False
    temporaries: tuple[Temporary, ...] = ()
    some: str = ""


# --- between pl and objects ---------------------------------------------------------------------------------


class Executor(Protocol):
    """What the interpreter of SQL PL asks of its session. Everything raises Db2Error."""

    def execute(self, sql: str, scope: Scope | None, values: Sequence[Any] = ()) -> Outcome:
        """Any statement that is not SQL PL itself; a query gives an open cursor in ``Outcome.result``."""

    def evaluate(self, expression: str, scope: Scope | None, wanted: SqlType | None) -> Any:
        """A scalar expression or search condition (wanted None), assigned to a type by Db2's rules."""

    def describe(self, sql: str, scope: Scope | None) -> Statement:
        """Prepare dynamic SQL: its parameters and result columns."""

    def call(self, schema: str | None, name: str, arguments: Sequence[Any], names: Sequence[str | None]) -> Outcome:
        """CALL with values by position or name; DEFAULT_ARGUMENT where the parameter's default is meant."""

    def procedure(self, schema: str | None, name: str, arguments: int) -> "Procedure":
        """Return the parameters (names, modes, types) of the procedure with this number of arguments, or raise -440."""

    def variable(self, schema: str | None, name: str) -> tuple[Column, str] | None:
        """As Names.variable: the type of a global variable that is to be assigned."""

    def set_variable(self, schema: str | None, name: str, value: Any) -> bool:
        """Assign a global variable; return False if it does not exist."""

    def savepoint(self) -> Any: ...

    def rollback_to(self, savepoint: Any) -> None: ...


DEFAULT_ARGUMENT = object()


@dataclass
class Procedure:
    """A procedure: written in SQL PL, or built in; ``run`` gets the session's executor and all arguments."""

    schema: str
    name: str
    parameters: tuple[Parameter, ...]
    defaults: tuple[str | None, ...]  # SQL expression of each default
    run: Callable[[Executor, list[Any]], Outcome]
    text: str = ""
    definer: str = ""
    dynamic_rules: str = "RUN"  # or BIND: dynamic SQL inside runs with the definer's rights
    options: str = ""  # for its package, as SET_ROUTINE_OPTS got them
    access: int = 2  # CONTAINS SQL is 0, READS SQL DATA 1, MODIFIES SQL DATA 2
    autonomous: bool = False  # runs in a unit of work of its own
