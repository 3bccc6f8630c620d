"""A small executor for SQL PL: evaluates with DuckDB, knows INTEGER and text, and has no rules of its own."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

import duckdb

from tests.standin.api import DEFAULT_ARGUMENT, Outcome, Parameter, Procedure, Scope
from tests.standin.errors import Db2Error
from tests.standin.pl import make_procedure, marker_parameters, parse_procedure, run_compound
from tests.standin.types import Column, SqlType

_NAMES = re.compile(r"""'(?:[^']|'')*'|(?:(\w+|"[^"]*")\.)?(\w+|"[^"]*")""")
_TYPES = {"INTEGER": SqlType("INTEGER"), "VARCHAR": SqlType("VARCHAR", 100), "NUMBER": SqlType("INTEGER")}
_ERRORS = {
    "CatalogException": (-204, "42704", "NOWHERE"),
    "ConstraintException": (-803, "23505", "1", "T"),
    "ConversionException": (-420, "22018", "INTEGER"),
    "OutOfRangeException": (-802, "22003"),
}


def _folded(name: str | None) -> str | None:
    return name if name is None else name[1:-1] if name.startswith('"') else name.upper()


@dataclass
class Rows:
    """A cursor over rows that are all there."""

    columns: tuple[Column, ...]
    rows: list[tuple[Any, ...]]
    name: str = ""
    open: bool = True

    def fetch(self, most: int) -> list[tuple[Any, ...]]:
        taken, self.rows = self.rows[:most], self.rows[most:]
        return taken

    def close(self) -> None:
        self.open = False


@dataclass
class Prepared:
    """Dynamic SQL; a marker has the type INTEGER."""

    session: "Session"
    text: str

    @property
    def kind(self) -> str:
        return {"SELECT": "query", "VALUES": "query", "CALL": "call"}.get(
            re.match(r"\w+", self.text)[0].upper(), "other"
        )

    @property
    def columns(self) -> tuple[Column, ...]:
        return ()

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        if self.kind == "call":
            return marker_parameters(self.text, self.session)
        return tuple(Parameter(Column("", _TYPES["INTEGER"])) for _ in range(self.text.count("?")))

    def execute(self, values: Sequence[Any] = ()) -> Outcome:
        if self.kind == "call":
            return run_compound(self.text, self.session, values)
        return self.session.execute(self.text, None, values)


@dataclass
class Session:
    """Executes by putting the values of variables into the text; knows INTEGER and VARCHAR."""

    database: duckdb.DuckDBPyConnection = field(default_factory=duckdb.connect)
    procedures: dict[str, Procedure] = field(default_factory=dict)
    globals: dict[str, Any] = field(default_factory=lambda: {"G": None})
    executed: list[str] = field(default_factory=list)

    def _bound(self, sql: str, scope: Scope | None) -> str:
        def literal(match: re.Match[str]) -> str:
            qualifier, name = (_folded(part) for part in match.groups())
            if name is None or scope is None or scope.declared(qualifier, name) is None:
                return match[0]
            value = scope.value(qualifier, name)
            return (
                "NULL"
                if value is None
                else "'{}'".format(value.replace("'", "''"))
                if isinstance(value, str)
                else str(value)
            )

        return _NAMES.sub(literal, sql)

    def execute(self, sql: str, scope: Scope | None, values: Sequence[Any] = ()) -> Outcome:
        self.executed.append(sql)
        if sql.split(maxsplit=1)[0] in {"COMMIT", "ROLLBACK", "SAVEPOINT"} or sql.startswith("SET "):
            return Outcome()
        try:
            cursor = self.database.execute(self._bound(sql, scope), list(values))
            rows = cursor.fetchall()
        except duckdb.Error as error:
            code, state, *tokens = _ERRORS[type(error).__name__]
            raise Db2Error(code, state, *tokens) from error
        if not re.match(r"\s*(SELECT|VALUES|WITH)", sql, re.IGNORECASE):
            count = rows[0][0] if rows and re.match("INSERT|UPDATE|DELETE", sql) else 0
            return Outcome(rowcount=count) if count or not rows else Outcome(code=100, state="02000")
        columns = tuple(
            Column(item[0].upper(), _TYPES.get(str(item[1]), _TYPES["VARCHAR"])) for item in cursor.description
        )
        return Outcome(result=Rows(columns, rows))

    def evaluate(self, expression: str, scope: Scope | None, wanted: SqlType | None) -> Any:
        if re.search(r"/\s*0\b", expression):
            raise Db2Error(-801, "22012")
        result = self.execute(f"SELECT {expression}", scope).result
        assert isinstance(result, Rows)
        result.close()
        value = result.rows[0][0]
        if value is None or wanted is None:
            return value
        if wanted.is_text:
            if len(str(value)) > wanted.length:
                raise Db2Error(-433, "22001", str(value))
            return str(value).ljust(wanted.length) if wanted.name == "CHAR" else str(value)
        return Decimal(value) if wanted.name == "DECIMAL" else int(value)

    def describe(self, sql: str, scope: Scope | None) -> Prepared:
        if "(" in sql and sql.count("(") != sql.count(")"):
            raise Db2Error(-104, "42601", "END-OF-STATEMENT", sql, ")")
        return Prepared(self, sql)

    def procedure(self, schema: str | None, name: str, arguments: int) -> Procedure:
        if name not in self.procedures:
            raise Db2Error(-440, "42884", name, "PROCEDURE")
        return self.procedures[name]

    def call(self, schema: str | None, name: str, arguments: Sequence[Any], names: Sequence[str | None]) -> Outcome:
        procedure = self.procedure(schema, name, len(arguments))
        positions = {parameter.column.name: at for at, parameter in enumerate(procedure.parameters)}
        values: list[Any] = [DEFAULT_ARGUMENT] * len(procedure.parameters)
        for at, (value, given) in enumerate(zip(arguments, names, strict=True)):
            values[at if given is None else positions[given]] = value
        for at, parameter in enumerate(procedure.parameters):
            if values[at] is DEFAULT_ARGUMENT:
                values[at] = self.evaluate(procedure.defaults[at] or "NULL", None, parameter.column.type)
        return procedure.run(self, values)

    def variable(self, schema: str | None, name: str) -> tuple[Column, str] | None:
        return (Column(name, _TYPES["INTEGER"]), "") if name in self.globals else None

    def set_variable(self, schema: str | None, name: str, value: Any) -> bool:
        self.globals[name] = value
        return True

    def savepoint(self) -> Any:
        return self.database.execute("SELECT a FROM t ORDER BY a").fetchall()

    def rollback_to(self, savepoint: Any) -> None:
        self.database.execute("DELETE FROM t")
        for row in savepoint:
            self.database.execute("INSERT INTO t VALUES (?)", row)

    def create(self, text: str) -> None:
        procedure = make_procedure(parse_procedure(text), "TUNE")
        self.procedures[procedure.name] = procedure

    def rows(self) -> list[int]:
        return [row[0] for row in self.database.execute("SELECT a FROM t ORDER BY a").fetchall()]
