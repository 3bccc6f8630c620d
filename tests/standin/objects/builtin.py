"""Procedures of the system, the driver's catalogue calls, and the stand-in's own controls in schema STANDIN."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tests.standin.api import Executor, Outcome, Parameter, Procedure
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


_TYPE = "CASE TYPE WHEN 'V' THEN 'VIEW' WHEN 'A' THEN 'ALIAS' ELSE 'TABLE' END"
# Db2's type name: number of the type in CLI
_NUMBERS = {
    "CHARACTER": 1,
    "DECIMAL": 3,
    "INTEGER": 4,
    "SMALLINT": 5,
    "REAL": 7,
    "DOUBLE": 8,
    "VARCHAR": 12,
    "BOOLEAN": 16,
    "DATE": 91,
    "TIME": 92,
    "TIMESTAMP": 93,
    "BIGINT": -5,
    "BINARY": -2,
    "VARBINARY": -3,
    "BLOB": -98,
    "CLOB": -99,
}
_CASES = " ".join(f"WHEN '{name}' THEN {number}" for name, number in _NUMBERS.items())

TABLES = f"""
    SELECT CAST(NULL AS VARCHAR(128)) AS TABLE_CAT, RTRIM(TABSCHEMA) AS TABLE_SCHEM, TABNAME AS TABLE_NAME,
        CAST({_TYPE} AS VARCHAR(128)) AS TABLE_TYPE, REMARKS
    FROM SYSCAT.TABLES
    WHERE TABSCHEMA LIKE ? AND TABNAME LIKE ? AND (CAST(? AS VARCHAR(4000)) = '' OR LOCATE('''' || {_TYPE} || '''', CAST(? AS VARCHAR(4000))) > 0)
    ORDER BY 4, 2, 3"""

COLUMNS = f"""
    SELECT CAST(NULL AS VARCHAR(128)) AS TABLE_CAT, RTRIM(TABSCHEMA) AS TABLE_SCHEM, TABNAME AS TABLE_NAME,
        COLNAME AS COLUMN_NAME, CAST(CASE TYPENAME {_CASES} ELSE 12 END AS SMALLINT) AS DATA_TYPE, TYPENAME AS TYPE_NAME,
        LENGTH AS COLUMN_SIZE, LENGTH AS BUFFER_LENGTH, SCALE AS DECIMAL_DIGITS,
        CAST(CASE WHEN TYPENAME IN ('SMALLINT', 'INTEGER', 'BIGINT', 'DECIMAL') THEN 10 END AS SMALLINT) AS NUM_PREC_RADIX,
        CAST(CASE NULLS WHEN 'Y' THEN 1 ELSE 0 END AS SMALLINT) AS NULLABLE, REMARKS,
        CAST("DEFAULT" AS VARCHAR(254)) AS COLUMN_DEF,
        CAST(CASE TYPENAME {_CASES} ELSE 12 END AS SMALLINT) AS SQL_DATA_TYPE, CAST(NULL AS SMALLINT) AS SQL_DATETIME_SUB,
        LENGTH AS CHAR_OCTET_LENGTH, COLNO + 1 AS ORDINAL_POSITION,
        CAST(CASE NULLS WHEN 'Y' THEN 'YES' ELSE 'NO' END AS VARCHAR(254)) AS IS_NULLABLE
    FROM SYSCAT.COLUMNS
    WHERE TABSCHEMA LIKE ? AND TABNAME LIKE ? AND COLNAME LIKE ?
    ORDER BY 2, 3, 17"""


def sql_tables(
    session: Executor,
    _catalog: str | None,
    schema: str | None,
    name: str | None,
    types: str | None,
    _options: str | None,
) -> Outcome:
    """Tables and views by patterns; ``types`` is a list like 'TABLE','VIEW'."""
    listed = ",".join("'" + one.strip().strip("'") + "'" for one in types.split(",")) if types else ""
    outcome = session.execute(TABLES, None, (schema or "%", name or "%", listed, listed))
    return _returned(outcome)


def sql_columns(
    session: Executor,
    _catalog: str | None,
    schema: str | None,
    name: str | None,
    column: str | None,
    _options: str | None,
) -> Outcome:
    return _returned(session.execute(COLUMNS, None, (schema or "%", name or "%", column or "%")))


def _returned(outcome: Outcome) -> Outcome:
    assert outcome.result is not None  # it was a query
    return Outcome(result_sets=[outcome.result])


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


# SYSCAT's type of a table: what SQLTables calls it
