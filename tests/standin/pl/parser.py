"""Parsing of SQL PL: from lark's tree to statements and routines; a method is named after the grammar's rule."""

from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from lark import Lark, Token, UnexpectedCharacters, UnexpectedInput, UnexpectedToken, v_args
from lark.exceptions import VisitError
from lark.tree import Meta

from tests.standin import results
from tests.standin.errors import Db2Error
from tests.standin.pl import tree
from tests.standin.pl.check import check_function, check_procedure, check_statement
from tests.standin.pl.conditions import valid_state
from tests.standin.pl.parts import Declarations, Marked, given, marks_of, unquoted, whole_number
from tests.standin.types import SqlType

_STATEMENT_ITEMS = ("ROW_COUNT", "DB2_RETURN_STATUS", "DB2_SQL_NESTING_LEVEL")
_CONDITION_ITEMS = ("MESSAGE_TEXT", "DB2_TOKEN_STRING")


def _known_item(item: str, items: tuple[str, ...]) -> None:
    if item not in items:
        raise Db2Error(-104, "42601", item, "=", items[0])


@v_args(inline=True)
class Control(Declarations):
    """Control statements, except those about cursors and dynamic SQL."""

    def begin(self, atomic: Token | None = None) -> Marked:
        return Marked("begin", atomic is not None)

    def compound(self, begin: Marked, *parts: Any) -> tree.Compound:
        end_label = parts[-1]
        return tree.Compound(
            atomic=begin.value,
            declarations=given(parts, tree.Declaration),
            cursors=given(parts, tree.CursorDeclaration),
            handlers=given(parts, tree.Handler),
            body=given(parts, tree.Statement),
            end_label=end_label,
        )

    def body(self, *statements: tree.Statement) -> tree.Body:
        return statements

    def statement(self, label: str | None, statement: tree.Statement) -> tree.Statement:
        return statement if label is None else replace(statement, label=label)

    function_body = statement

    def assign(self, target: tree.Name, expression: str) -> tree.Assignment:
        return tree.Assignment((target,), (expression,))

    def assign_row(self, targets: tuple[tree.Name, ...], *expressions: str) -> tree.Assignment:
        if len(targets) != len(expressions):
            raise Db2Error(-117, "42802")
        return tree.Assignment(targets, expressions)

    def assign_query(self, targets: tuple[tree.Name, ...], query: str) -> tree.Assignment:
        return tree.Assignment(targets, query=query)

    @v_args(meta=True)
    def assignments(self, meta: Meta, assignments: list[tree.Assignment]) -> tree.Set:
        return tree.Set(assignments=tuple(assignments), text=self.slice(meta))

    def branch(self, condition: str, body: tree.Body) -> tuple[str, tree.Body]:
        return condition, body

    def when(self, branch: tuple[str, tree.Body]) -> tuple[str, tree.Body]:
        return branch

    def conditional(self, *parts: Any) -> tree.If:
        *branches, otherwise = parts
        return tree.If(branches=tuple(branches), otherwise=otherwise)

    def searched_case(self, *parts: Any) -> tree.Case:
        *branches, otherwise = parts
        return tree.Case(branches=tuple(branches), otherwise=otherwise)

    def simple_case(self, subject: str, *parts: Any) -> tree.Case:
        *branches, otherwise = parts
        return tree.Case(subject=subject, branches=tuple(branches), otherwise=otherwise)

    def while_loop(self, condition: str, body: tree.Body, end_label: str | None) -> tree.While:
        return tree.While(condition=condition, body=body, end_label=end_label)

    def repeat_loop(self, body: tree.Body, until: str, end_label: str | None) -> tree.Repeat:
        return tree.Repeat(until=until, body=body, end_label=end_label)

    def endless_loop(self, body: tree.Body, end_label: str | None) -> tree.Loop:
        return tree.Loop(body=body, end_label=end_label)

    def for_loop(
        self, name: str, cursor: tree.CursorDeclaration | None, query: str, body: tree.Body, end_label: str | None
    ) -> tree.For:
        cursor = replace(cursor or tree.CursorDeclaration(""), query=query)
        return tree.For(name=name, cursor=cursor, body=body, end_label=end_label)

    def leave(self, label: str) -> tree.Leave:
        return tree.Leave(target=label)

    def iterate(self, label: str) -> tree.Iterate:
        return tree.Iterate(target=label)

    def returning(self, expression: str | None) -> tree.Return:
        return tree.Return(expression=expression)

    function_return = returning

    def signalled_state(self, literal: Token) -> tree.Signalled:
        return tree.Signalled(state=valid_state(unquoted(literal), -435, "428B3"))

    def signalled_variable(self, variable: tree.Name) -> tree.Signalled:
        return tree.Signalled(variable=variable)

    def signalled_condition(self, name: str) -> tree.Signalled:
        return tree.Signalled(condition=name)

    def message(self, expression: str) -> str:
        return expression

    def signal(self, signalled: tree.Signalled, message: str | None) -> tree.Signal:
        return tree.Signal(signalled=signalled, message=message)

    def resignal(self, signalled: tree.Signalled | None, message: str | None = None) -> tree.Resignal:
        return tree.Resignal(signalled=signalled, message=message)

    def item(self, target: tree.Name, item: str) -> tuple[tree.Name, str]:
        return target, item

    def statement_information(self, target: tree.Name, item: str) -> tree.GetDiagnostics:
        _known_item(item, _STATEMENT_ITEMS)
        return tree.GetDiagnostics(items=((target, item),), exception=False)

    def condition_information(self, number: Token, *items: tuple[tree.Name, str]) -> tree.GetDiagnostics:
        if number != "1":
            raise Db2Error(-104, "42601", number, "EXCEPTION", "1")
        for _, item in items:
            _known_item(item, _CONDITION_ITEMS)
        return tree.GetDiagnostics(items=items, exception=True)


@v_args(inline=True)
class Statements(Control):
    """Statements about queries, cursors, dynamic SQL and calls."""

    @v_args(meta=True)
    def select_into(self, meta: Meta, parts: list[Any]) -> tree.SelectInto:
        columns_end = given(tuple(parts), Marked)[-1].value
        source = next(part for part in parts[1:] if isinstance(part, Token))
        query = f"{self.text[meta.start_pos : columns_end]} {self.text[source.start_pos : meta.end_pos]}"
        return tree.SelectInto(query=query, targets=given(tuple(parts), tuple)[0])

    @v_args(meta=True)
    def values_into(self, meta: Meta, parts: list[Any]) -> tree.SelectInto:
        columns_end = given(tuple(parts), Marked)[-1].value
        return tree.SelectInto(query=self.text[meta.start_pos : columns_end], targets=parts[-1])

    def using(self, *expressions: str) -> tuple[str, ...]:
        return expressions

    def open_cursor(self, cursor: str, using: tuple[str, ...] | None) -> tree.Open:
        return tree.Open(cursor=cursor, using=using or ())

    def fetch(self, cursor: str, targets: tuple[tree.Name, ...]) -> tree.Fetch:
        return tree.Fetch(cursor=cursor, targets=targets)

    def close_cursor(self, cursor: str) -> tree.Close:
        return tree.Close(cursor=cursor)

    def prepare(self, name: str, expression: str) -> tree.Prepare:
        return tree.Prepare(name=name, expression=expression)

    def execute(self, name: str, targets: tuple[tree.Name, ...] | None, using: tuple[str, ...] | None) -> tree.Execute:
        return tree.Execute(name=name, targets=targets or (), using=using or ())

    def execute_immediate(self, expression: str) -> tree.ExecuteImmediate:
        return tree.ExecuteImmediate(expression=expression)

    def by_position(self, expression: str) -> tree.Argument:
        return tree.Argument(None, expression)

    def by_name(self, name: str, expression: str) -> tree.Argument:
        return tree.Argument(name, expression)

    def default_by_position(self, _: Token) -> tree.Argument:
        return tree.Argument(None, None)

    def default_by_name(self, name: str, _: Token) -> tree.Argument:
        return tree.Argument(name, None)

    def arguments(self, *arguments: tree.Argument | None) -> tuple[tree.Argument, ...]:
        return given(arguments, tree.Argument)

    def in_module(self, schema: str, module: str, name: str) -> tree.Name:
        """A procedure of a module, c0053747; the modules of the system are kept by their names alone."""
        if schema != "SYSIBMADM":
            raise Db2Error(-204, "42704", f"{schema}.{module}.{name}")
        return tree.Name(module, name)

    def call(self, procedure: tree.Name, arguments: tuple[tree.Argument, ...] | None) -> tree.Call:
        return tree.Call(procedure=procedure, arguments=arguments or ())

    def associate(self, locators: tuple[tree.Name, ...], procedure: tree.Name) -> tree.Associate:
        return tree.Associate(locators=locators, procedure=procedure)

    def allocate(self, cursor: str, locator: str) -> tree.Allocate:
        return tree.Allocate(cursor=cursor, locator=locator)

    def control(self, statement: tree.Statement) -> tree.Statement:
        return statement


@v_args(inline=True)
class Routines(Statements):
    """Whole texts: a routine, or one statement."""

    def block(self, statement: tree.Statement) -> tree.Statement:
        return statement

    def create(self, replaces: Token | None) -> Marked:
        return Marked("replace", replaces is not None)

    def mode(self, word: Token) -> str:
        return str(word.upper())

    def parameter(
        self, mode: str | None, name: str, sql_type: SqlType, default: str | None
    ) -> tree.ParameterDefinition:
        return tree.ParameterDefinition(name, sql_type, mode or "IN", default)

    def parameters(self, *parameters: tree.ParameterDefinition | None) -> tuple[tree.ParameterDefinition, ...]:
        return given(parameters, tree.ParameterDefinition)

    def returns(self, sql_type: SqlType) -> SqlType:
        return sql_type

    def specific(self, name: tree.Name) -> Marked:
        return Marked("specific", name)

    def result_sets(self, most: Token) -> Marked:
        return Marked("result_sets", whole_number(most))

    def commit_on_return(self, yes: Token | None = None) -> Marked:
        return Marked("commit_on_return", yes is not None)

    def reads(self) -> Marked:
        return Marked("access", tree.READS)

    def contains(self) -> Marked:
        return Marked("access", tree.CONTAINS)

    def autonomous(self, _: Token) -> Marked:
        return Marked("autonomous", True)

    def procedure(
        self, create: Marked, name: tree.Name, parameters: tuple[tree.ParameterDefinition, ...] | None, *rest: Any
    ) -> tree.ProcedureDefinition:
        *options, body = rest
        return tree.ProcedureDefinition(name, parameters or (), body, self.text, **marks_of((create, *options)))

    def function(
        self,
        create: Marked,
        name: tree.Name,
        parameters: tuple[tree.ParameterDefinition, ...],
        returns: SqlType,
        *rest: Any,
    ) -> tree.FunctionDefinition:
        *options, body = rest
        return tree.FunctionDefinition(name, parameters, returns, body, self.text, **marks_of((create, *options)))


_GRAMMAR = Path(__file__).with_name("sqlpl.lark")
_BEFORE = 20  # characters of text before an error that its message shows


@cache
def _parser() -> Lark:
    return Lark(
        _GRAMMAR.read_text("utf-8"),
        parser="lalr",
        start=["routine", "block"],
        propagate_positions=True,
        maybe_placeholders=True,
    )


def _expected(error: UnexpectedInput) -> str:
    """One of the words or signs that would have been right, as an example."""
    names = sorted(getattr(error, "expected", None) or getattr(error, "allowed", None) or ())
    terminals = {terminal.name: terminal.pattern for terminal in _parser().terminals}
    words = [terminals[name].value for name in names if name in terminals and terminals[name].type == "str"]
    return words[0] if words else "<identifier>"


def _syntax_error(error: UnexpectedInput, text: str) -> Db2Error:
    at = error.pos_in_stream if error.pos_in_stream is not None else len(text)
    if isinstance(error, UnexpectedToken):
        found = "END-OF-STATEMENT" if error.token.type == "$END" else str(error.token)
        at = len(text.rstrip()) if error.token.type == "$END" else at
    else:
        found = text[at]
    if isinstance(error, UnexpectedCharacters) and found == "'":
        return Db2Error(-10, "42603", text[at : at + _BEFORE])
    return Db2Error(-104, "42601", found, text[:at].rstrip()[-_BEFORE:], _expected(error))


def _parse(text: str, start: str) -> Any:
    return results.result((text, start), lambda: _parse_anew(text, start))


def _parse_anew(text: str, start: str) -> Any:
    try:
        return Routines(text).transform(_parser().parse(text, start=start))
    except UnexpectedInput as error:
        raise _syntax_error(error, text) from None
    except VisitError as error:
        if isinstance(error.orig_exc, Db2Error):
            raise error.orig_exc from None
        raise


def _parse_routine(text: str, kind: type[Any], other: str) -> Any:
    definition = _parse(text, "routine")
    if not isinstance(definition, kind):
        raise Db2Error(-104, "42601", other, "CREATE", "PROCEDURE" if other == "FUNCTION" else "FUNCTION")
    return definition


def parse_procedure(text: str) -> tree.ProcedureDefinition:
    """CREATE PROCEDURE: raises -104 and the errors that Db2 finds without looking at other objects."""
    definition: tree.ProcedureDefinition = _parse_routine(text, tree.ProcedureDefinition, "FUNCTION")
    check_procedure(definition)
    return definition


def parse_function(text: str) -> tree.FunctionDefinition:
    """CREATE FUNCTION of a scalar function in SQL."""
    definition: tree.FunctionDefinition = _parse_routine(text, tree.FunctionDefinition, "PROCEDURE")
    check_function(definition)
    return definition


def parse_statement(text: str) -> tree.Statement:
    """A compound statement, or a single statement such as CALL, SET or SIGNAL."""
    statement: tree.Statement = _parse(text, "block")
    check_statement(statement)
    return statement
