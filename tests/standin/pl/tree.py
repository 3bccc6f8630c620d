"""What the parser makes of SQL PL: routines, declarations and statements. Embedded SQL stays text."""

from dataclasses import dataclass
from typing import NamedTuple

from tests.standin.types import SqlType


class Name(NamedTuple):
    """A name with its qualifier, folded to upper case unless it was delimited."""

    qualifier: str | None
    name: str

    def __str__(self) -> str:
        return self.name if self.qualifier is None else f"{self.qualifier}.{self.name}"


# --- declarations -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Variables:
    """Variables of one type; ``default`` is the text of an expression."""

    names: tuple[str, ...]
    type: SqlType
    default: str | None = None
    constant: bool = False


@dataclass(frozen=True)
class Locators:
    names: tuple[str, ...]


@dataclass(frozen=True)
class StatementNames:
    names: tuple[str, ...]


@dataclass(frozen=True)
class ConditionName:
    """A name for a SQLSTATE; a name without a value means 45000, a user's unhandled exception."""

    name: str
    state: str = "45000"


@dataclass(frozen=True)
class CursorDeclaration:
    """A cursor for a query or for a prepared statement; ``returns`` is CALLER or CLIENT if it is WITH RETURN."""

    name: str
    query: str | None = None
    statement: str | None = None
    hold: bool = False
    returns: str | None = None


@dataclass(frozen=True)
class Handler:
    """What it handles: SQLSTATEs, names of conditions, and SQLEXCEPTION, SQLWARNING, NOT FOUND."""

    action: str  # CONTINUE, EXIT, UNDO
    states: tuple[str, ...]
    names: tuple[str, ...]
    general: tuple[str, ...]
    statement: "Statement"


Declaration = Variables | Locators | StatementNames | ConditionName

# --- statements ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Statement:
    label: str | None = None


Body = tuple[Statement, ...]


@dataclass(frozen=True, kw_only=True)
class Compound(Statement):
    atomic: bool = False
    declarations: tuple[Declaration, ...] = ()
    cursors: tuple[CursorDeclaration, ...] = ()
    handlers: tuple[Handler, ...] = ()
    body: Body = ()
    end_label: str | None = None


@dataclass(frozen=True, kw_only=True)
class Sql(Statement):
    """A statement that goes to the session as it is."""

    text: str


@dataclass(frozen=True)
class Assignment:
    """Targets and the expressions, or the one query, that give their values."""

    targets: tuple[Name, ...]
    expressions: tuple[str, ...] = ()
    query: str | None = None


_REGISTERS = {"SCHEMA", "PATH", "ISOLATION"}


def sets_register(assignment: Assignment) -> bool:
    """Whether it is SET of a special register, written like a variable; a variable of that name hides it."""
    return assignment.targets[0].qualifier is None and assignment.targets[0].name in _REGISTERS


@dataclass(frozen=True, kw_only=True)
class Set(Statement):
    assignments: tuple[Assignment, ...]
    text: str


@dataclass(frozen=True, kw_only=True)
class If(Statement):
    branches: tuple[tuple[str, Body], ...]
    otherwise: Body | None = None


@dataclass(frozen=True, kw_only=True)
class Case(Statement):
    """The branches' search conditions, or values that are compared with ``subject``."""

    subject: str | None = None
    branches: tuple[tuple[str, Body], ...]
    otherwise: Body | None = None


@dataclass(frozen=True, kw_only=True)
class Loop(Statement):
    body: Body
    end_label: str | None = None


@dataclass(frozen=True, kw_only=True)
class While(Loop):
    condition: str


@dataclass(frozen=True, kw_only=True)
class Repeat(Loop):
    until: str


@dataclass(frozen=True, kw_only=True)
class For(Loop):
    name: str
    cursor: CursorDeclaration


@dataclass(frozen=True, kw_only=True)
class Leave(Statement):
    target: str


@dataclass(frozen=True, kw_only=True)
class Iterate(Statement):
    target: str


@dataclass(frozen=True, kw_only=True)
class Return(Statement):
    expression: str | None = None


@dataclass(frozen=True)
class Signalled:
    """What SIGNAL raises: a SQLSTATE, a variable that holds one, or the name of a condition."""

    state: str | None = None
    variable: Name | None = None
    condition: str | None = None


@dataclass(frozen=True, kw_only=True)
class Signal(Statement):
    signalled: Signalled
    message: str | None = None


@dataclass(frozen=True, kw_only=True)
class Resignal(Statement):
    signalled: Signalled | None = None
    message: str | None = None


@dataclass(frozen=True, kw_only=True)
class GetDiagnostics(Statement):
    """Items of the last statement, or of the condition that it raised."""

    items: tuple[tuple[Name, str], ...]
    exception: bool


@dataclass(frozen=True, kw_only=True)
class SelectInto(Statement):
    """SELECT INTO and VALUES INTO: ``query`` is the text without its INTO clause."""

    query: str
    targets: tuple[Name, ...]


@dataclass(frozen=True, kw_only=True)
class Open(Statement):
    cursor: str
    using: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Fetch(Statement):
    cursor: str
    targets: tuple[Name, ...]


@dataclass(frozen=True, kw_only=True)
class Close(Statement):
    cursor: str


@dataclass(frozen=True, kw_only=True)
class Prepare(Statement):
    name: str
    expression: str


@dataclass(frozen=True, kw_only=True)
class Execute(Statement):
    name: str
    targets: tuple[Name, ...] = ()
    using: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class ExecuteImmediate(Statement):
    expression: str


class Argument(NamedTuple):
    """An argument of a CALL; ``expression`` is None where DEFAULT was written."""

    name: str | None
    expression: str | None


@dataclass(frozen=True, kw_only=True)
class Call(Statement):
    procedure: Name
    arguments: tuple[Argument, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Associate(Statement):
    locators: tuple[Name, ...]
    procedure: Name


@dataclass(frozen=True, kw_only=True)
class Allocate(Statement):
    cursor: str
    locator: str


# --- routines -----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ParameterDefinition:
    name: str
    type: SqlType
    mode: str = "IN"  # IN, OUT, INOUT
    default: str | None = None


CONTAINS, READS, MODIFIES = range(3)  # what the SQL of a routine may do with data


@dataclass(frozen=True)
class ProcedureDefinition:
    name: Name
    parameters: tuple[ParameterDefinition, ...]
    body: Statement
    text: str
    replace: bool = False
    specific: Name | None = None
    result_sets: int = 0
    commit_on_return: bool = False
    autonomous: bool = False
    access: int = MODIFIES


@dataclass(frozen=True)
class FunctionDefinition:
    """A scalar function; its body is a RETURN or a compound statement."""

    name: Name
    parameters: tuple[ParameterDefinition, ...]
    returns: SqlType
    body: Statement
    text: str
    replace: bool = False
    specific: Name | None = None
    access: int = READS
