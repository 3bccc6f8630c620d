"""Procedures of the system, and the stand-in's own controls in schema STANDIN."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tests.standin.api import Executor, Outcome, Parameter, Procedure
from tests.standin.objects.clicalls import sql_columns, sql_tables
from tests.standin.objects.definitions import Key, Name
from tests.standin.objects.drop import drop_everything
from tests.standin.objects.names import undefined
from tests.standin.objects.registry import PROCEDURE
from tests.standin.sql import parse_type
from tests.standin.types import Column

if TYPE_CHECKING:
    from tests.standin.session import Session

Body = Callable[..., Outcome | None]
SCHEDULER_SPACE = "SYSTOOLSPACE"
RULES = {"DYNAMICRULES BIND": "BIND", "DYNAMICRULES RUN": "RUN"}


@dataclass(frozen=True)
class BuiltIn:
    """A procedure: its parameters as ``name type``, with ``= default`` if it has a default."""

    schema: str
    name: str
    parameters: tuple[str, ...]
    body: Body

    @property
    def procedure(self) -> Procedure:
        parsed = [_parameter(text) for text in self.parameters]
        parameters = tuple(parameter for parameter, _ in parsed)
        return Procedure(self.schema, self.name, parameters, tuple(default for _, default in parsed), self._run)

    def _run(self, session: Executor, values: list[Any]) -> Outcome:
        outcome = self.body(session, *values) or Outcome()
        outcome.parameters = values
        return outcome


def _parameter(text: str) -> tuple[Parameter, str | None]:
    declared, _, default = text.partition(" = ")
    name, kind = declared.split(" ", 1)
    return Parameter(Column(name, parse_type(kind))), default or None


def _set_routine_options(session: "Session", options: str | None) -> None:
    """Keep the options of routines. Two of them change results: the rights of dynamic SQL, and the isolation level."""
    session.routine_options = " ".join((options or "").upper().split())
    session.dynamic_rules = next(
        (rules for words, rules in RULES.items() if words in session.routine_options),
        session.database.options.dynamic_rules,
    )


def _sleep(session: "Session", seconds: float) -> None:
    """Advance the clock without a real wait."""
    session.database.machine.advance(float(seconds))


def _admin_cmd(session: "Session", command: str) -> None:
    words = command.upper().split()[:3]
    if words[0] == "UPDATE":
        session.database.privileges.require(session.user, ("SYSADM",), " ".join(words))
    session.database.machine.admin_cmd(command)


def _move_table(session: "Session", *arguments: Any) -> None:
    session.database.machine.move_table(arguments)


def _task_add(session: "Session", *values: Any) -> None:
    if session.database.page_size(SCHEDULER_SPACE) is None:
        raise undefined(Name("", SCHEDULER_SPACE))
    session.database.scheduler.add(session.user, session.database.now, list(values), session.work)


def _task_remove(session: "Session", name: str, _end: Any) -> None:
    held = session.database.privileges.authorities(session.user)
    session.database.scheduler.remove(session.user, bool(held & {"SYSADM", "DBADM"}), name, session.work)


def _drop_schema(session: "Session", schema: str, _mode: str | None, _error_schema: str, _error_table: str) -> None:
    if not session.database.has_schema(schema):
        raise undefined(Name("", schema))
    session.define(drop_everything, schema, None)


def _nothing(_session: "Session", *_: Any) -> None:
    """Views and routines are compiled again when they are used."""


def _restart(session: "Session") -> None:
    session.database.machine.restart()


def _host_command(session: "Session", command: str) -> None:
    session.database.machine.host_command(command)


def _fail(session: "Session", kind: str, name: str, argument: str | None) -> None:
    session.database.faults.plan(kind, name, argument or "")


def _heal(session: "Session") -> None:
    session.database.faults.heal()


NAME = "VARCHAR(128)"
TASK = (
    f"NAME {NAME}",
    "BEGIN_TIMESTAMP TIMESTAMP",
    "END_TIMESTAMP TIMESTAMP",
    "MAX_INVOCATIONS INTEGER",
    "SCHEDULE VARCHAR(1024)",
    f"PROCEDURE_SCHEMA {NAME}",
    f"PROCEDURE_NAME {NAME}",
    "PROCEDURE_INPUT CLOB(2M)",
    "OPTIONS VARCHAR(512)",
    "REMARKS VARCHAR(254)",
)
MOVE = tuple(f"P{number} VARCHAR(32672)" for number in range(1, 12))
CATALOG = (f"CATALOG_NAME {NAME}", f"SCHEMA_NAME {NAME}", f"TABLE_NAME {NAME}")

BUILT_IN = (
    BuiltIn("SYSPROC", "SET_ROUTINE_OPTS", ("OPTIONS VARCHAR(1024)",), _set_routine_options),
    BuiltIn("SYSPROC", "ADMIN_CMD", ("COMMAND CLOB(2M)",), _admin_cmd),
    BuiltIn("SYSPROC", "ADMIN_MOVE_TABLE", MOVE, _move_table),
    BuiltIn("SYSPROC", "ADMIN_TASK_ADD", TASK, _task_add),
    BuiltIn("SYSPROC", "ADMIN_TASK_REMOVE", (f"NAME {NAME}", "END_TIMESTAMP TIMESTAMP"), _task_remove),
    BuiltIn(
        "SYSPROC",
        "ADMIN_DROP_SCHEMA",
        (f"SCHEMA {NAME}", "MODE CHAR(1)", f"ERROR_SCHEMA {NAME}", f"ERROR_TABLE {NAME}"),
        _drop_schema,
    ),
    BuiltIn(
        "SYSPROC",
        "ADMIN_REVALIDATE_DB_OBJECTS",
        (f"OBJECT_TYPE {NAME} = NULL", f"OBJECT_SCHEMA {NAME} = NULL", f"OBJECT_NAME {NAME} = NULL"),
        _nothing,
    ),
    BuiltIn("DBMS_ALERT", "SLEEP", ("SECONDS DOUBLE",), _sleep),
    BuiltIn("SYSIBM", "SQLTABLES", (*CATALOG, "TABLE_TYPE VARCHAR(4000)", "OPTIONS VARCHAR(4000)"), sql_tables),
    BuiltIn("SYSIBM", "SQLCOLUMNS", (*CATALOG, f"COLUMN_NAME {NAME}", "OPTIONS VARCHAR(4000)"), sql_columns),
    BuiltIn("STANDIN", "ADVANCE", ("SECONDS DOUBLE",), _sleep),
    BuiltIn("STANDIN", "RESTART", (), _restart),
    BuiltIn("STANDIN", "HOST_COMMAND", ("COMMAND VARCHAR(4000)",), _host_command),
    BuiltIn("STANDIN", "FAIL", ("KIND VARCHAR(20)", f"OBJECT {NAME}", "ARGUMENT VARCHAR(400) = NULL"), _fail),
    BuiltIn("STANDIN", "HEAL", (), _heal),
)


def procedures() -> dict[Key, Procedure]:
    return {Key(PROCEDURE, one.schema, one.name, len(one.parameters)): one.procedure for one in BUILT_IN}
