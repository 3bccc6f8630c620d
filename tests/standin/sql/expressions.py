"""Binding expressions: each node of the tree becomes a Value with its Db2 type and its DuckDB text."""

from __future__ import annotations

from math import isinf
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from tests.standin.api import Use
from tests.standin.errors import Db2Error
from tests.standin.sql import predicates, windows
from tests.standin.sql.arithmetic import calculate, negated, with_duration
from tests.standin.sql.conversions import cast, coerce
from tests.standin.sql.dialect import Duration, Register, SequenceValue, shown, syntax_error
from tests.standin.sql.functions import bind_function
from tests.standin.sql.sqltypes import (
    BIGINT,
    BOOLEAN,
    DOUBLE,
    INTEGER,
    MOST_VARCHAR,
    common_type,
    decimal,
    parse_type,
    varchar,
)
from tests.standin.sql.strings import STRINGS, UNITS, concatenate
from tests.standin.sql.values import Value, literal, made_of
from tests.standin.types import LONGEST_NAME

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.standin.sql.frames import Frame
    from tests.standin.sql.queries import Binder


def name_of(identifier: exp.Expr) -> str:
    """A name in upper case, or as it is written in quotes. Raises -107 for one that is too long."""
    name = identifier.name if identifier.args.get("quoted") else identifier.name.upper()
    if len(name.encode()) > LONGEST_NAME:
        raise Db2Error(-107, "42622", name, str(LONGEST_NAME))
    return name


def expression(binder: Binder, node: exp.Expr, frame: Frame) -> Value:
    """Bind a scalar expression. Raise -104 for any other node."""
    bind = _BINDERS.get(type(node))
    if bind is None:
        raise syntax_error(shown(node), "")
    value = bind(binder, node, frame)
    return frame.grouped(value) if value.free else value


def _column(binder: Binder, node: Any, frame: Frame) -> Value:
    parts = [name_of(part) for part in node.parts]
    name, table = parts[-1], parts[-2] if len(parts) > 1 else None
    schema = parts[-3] if len(parts) > 2 else None
    value = frame.column(schema, table, name)
    if value is None and schema is None:
        value = _variable(binder, table, name)
    if value is None:
        raise Db2Error(-206, "42703", ".".join(parts))
    return value


def _variable(binder: Binder, qualifier: str | None, name: str) -> Value | None:
    """An SQL PL variable or parameter, else a global variable; a Use without schema means the default schema."""
    statement = binder.statement
    declared = statement.scope.declared(qualifier, name) if statement.scope else None
    if declared is not None:
        return statement.variable(qualifier, declared, name)
    found = statement.names.variable(qualifier, name)
    if found is None:
        return None
    column, text = found
    statement.uses.add(Use("READ", qualifier or "", column.name))
    return Value(text, column.type, column.nullable, name)


def _literal(binder: Binder, node: exp.Expr, __: Frame) -> Value:
    text = node.this
    if node.is_string:
        if len(text.encode()) > MOST_VARCHAR:
            raise Db2Error(-102, "54002", text[:20])
        value = Value(literal(text), varchar(len(text.encode())), False, constant=text)
        return value if text else binder.statement.by_mode(value)
    if "E" in text.upper():
        if isinf(float(text)):
            raise Db2Error(-405, "42820", text)
        return Value(f"CAST({text} AS DOUBLE)", DOUBLE, False, constant=float(text))
    whole, point, fraction = text.partition(".")
    if point:
        digits = len(whole) + len(fraction)
        return Value(text, decimal(digits, len(fraction)), False, constant=float(text))
    return _integer(text)


def _integer(text: str) -> Value:
    number = int(text)
    if number < 2**31:
        return Value(text, INTEGER, False, constant=number)
    if number < 2**63:
        return Value(f"CAST({text} AS BIGINT)", BIGINT, False, constant=number)
    if len(text) > 31:
        raise Db2Error(-405, "42820", text)
    return Value(f"CAST({text} AS DECIMAL({len(text)},0))", decimal(len(text), 0), False, constant=number)


def _bytes(_: Binder, node: exp.Expr, __: Frame) -> Value:
    digits = node.this
    if len(digits) % 2:
        raise Db2Error(-110, "42606", f"X'{digits}'")
    return Value(f"from_hex('{digits}')", varchar(len(digits) // 2, bit_data=True), False)


def _null(_: Binder, __: exp.Expr, ___: Frame) -> Value:
    return Value("NULL", None)


def _boolean(_: Binder, node: exp.Expr, __: Frame) -> Value:
    return Value("TRUE" if node.this else "FALSE", BOOLEAN, False)


def _marker(binder: Binder, _: exp.Expr, __: Frame) -> Value:
    return binder.statement.marker()


def _paren(binder: Binder, node: exp.Expr, frame: Frame) -> Value:
    return expression(binder, node.this, frame)


def _arithmetic(operator: str) -> Callable[[Binder, exp.Expr, Frame], Value]:
    def bind(binder: Binder, node: exp.Expr, frame: Frame) -> Value:
        left = expression(binder, node.this, frame)
        if isinstance(node.expression, Duration):
            number = expression(binder, node.expression.this, frame)
            return with_duration(operator, left, number, str(node.expression.args["unit"]), binder.statement)
        return calculate(operator, left, expression(binder, node.expression, frame), binder.statement)

    return bind


def _negation(binder: Binder, node: exp.Expr, frame: Frame) -> Value:
    return negated(binder.statement.typed(expression(binder, node.this, frame), DOUBLE))


def _concatenation(binder: Binder, node: exp.Expr, frame: Frame) -> Value:
    sides = [expression(binder, side, frame) for side in (node.this, node.expression)]
    return concatenate("CONCAT", sides, binder.statement)


def _cast(binder: Binder, node: exp.Expr, frame: Frame) -> Value:
    to = binder.statement.names.written(parse_type(node.args["to"].name))
    value = expression(binder, node.this, frame)
    return binder.statement.typed(value, to) if value.type is None else cast(value, to)


def _case(binder: Binder, node: exp.Expr, frame: Frame) -> Value:
    subject = expression(binder, node.this, frame) if node.this else None
    tests, results = [], []
    for branch in node.args["ifs"]:
        if subject is None:
            tests.append(predicates.condition_of(binder, branch.this, frame))
        else:
            tests.append(predicates.compared("=", subject, expression(binder, branch.this, frame), binder.statement))
        results.append(expression(binder, branch.args["true"], frame))
    other = node.args.get("default")
    results.append(expression(binder, other, frame) if other else Value("NULL", None))
    return _case_value(binder, tests, results, has_else=other is not None)


def _case_value(binder: Binder, tests: list[Value], results: list[Value], has_else: bool) -> Value:
    kinds = [value.type for value in results if value.type is not None]
    if not kinds:
        raise Db2Error(-580, "42625")
    kind = common_type(kinds)
    if kind is None:
        raise Db2Error(-581, "42804")
    fitted = [coerce(binder.statement.typed(value, kind), kind) for value in results]
    branches = " ".join(f"WHEN {test.text} THEN {then.text}" for test, then in zip(tests, fitted, strict=False))
    parts = [*tests, *fitted]
    nullable = any(value.nullable for value in (fitted if has_else else fitted[:-1])) or not has_else
    return made_of(parts, f"CASE {branches} ELSE {fitted[-1].text} END", kind, nullable)


def _register(binder: Binder, node: exp.Expr, _: Frame) -> Value:
    found = binder.statement.names.register(node.this)
    if found is None:
        raise Db2Error(-206, "42703", node.this)
    column, text = found
    return Value(text, column.type, column.nullable)


def _sequence(binder: Binder, node: exp.Expr, _: Frame) -> Value:
    if node.args.get("previous"):
        raise syntax_error("PREVIOUS VALUE", "")
    schema, name = binder.object_name(node.this)
    kind, text = binder.statement.names.sequence(schema, name)
    binder.statement.uses.add(Use("USAGE", schema or "", name))
    return Value(text, kind, False)


def _call(binder: Binder, node: Any, frame: Frame) -> Value:
    return _function(binder, None, node, frame)


def _qualified_call(binder: Binder, node: exp.Expr, frame: Frame) -> Value:
    if not isinstance(node.expression, exp.Anonymous):
        raise Db2Error(-206, "42703", shown(node))
    return _function(binder, name_of(node.this), node.expression, frame)


def _function(binder: Binder, schema: str | None, node: exp.Anonymous, frame: Frame) -> Value:
    name = function_name(node)
    if windows.is_aggregate(name, node):
        return windows.aggregate(binder, name, node, frame)
    given = node.expressions
    if given and isinstance(given[-1], exp.Column) and given[-1].name.upper() in UNITS:
        unit = given[-1].name.upper()
        name = f"{name} {unit}" if f"{name} {unit}" in STRINGS else name
        given = given[:-1]
    arguments = [expression(binder, argument, frame) for argument in given]
    return binder.statement.by_mode(bind_function(schema, name, arguments, binder.statement))


def function_name(node: exp.Anonymous) -> str:
    return node.name if isinstance(node.this, exp.Identifier) else str(node.this).upper()


def _subquery(binder: Binder, node: exp.Expr, frame: Frame) -> Value:
    """A scalar fullselect: one column; DuckDB itself refuses a second row."""
    query = binder.query(node.this if isinstance(node, exp.Subquery) else node, frame)
    if len(query.items) != 1:
        raise Db2Error(-412, "42823")
    item = query.items[0]
    return Value(f"({query.text})", item.type, True, free=query.free)


def _stray_tuple(_: Binder, __: exp.Expr, ___: Frame) -> Value:
    raise syntax_error(",", "(")


_BINDERS: dict[type[exp.Expr], Callable[[Binder, exp.Expr, Frame], Value]] = {
    exp.Add: _arithmetic("+"),
    exp.Anonymous: _call,
    exp.Boolean: _boolean,
    exp.Case: _case,
    exp.Cast: _cast,
    exp.Column: _column,
    exp.DPipe: _concatenation,
    exp.Div: _arithmetic("/"),
    exp.Dot: _qualified_call,
    exp.HexString: _bytes,
    exp.Literal: _literal,
    exp.Mul: _arithmetic("*"),
    exp.Neg: _negation,
    exp.Null: _null,
    exp.Paren: _paren,
    exp.Placeholder: _marker,
    Register: _register,
    exp.Select: _subquery,
    SequenceValue: _sequence,
    exp.Sub: _arithmetic("-"),
    exp.Subquery: _subquery,
    exp.Tuple: _stray_tuple,
    exp.Window: windows.window,
    exp.WithinGroup: windows.within_group,
}
