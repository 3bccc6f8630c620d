"""Binding search conditions."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sqlglot import exp

from tests.standin.errors import Db2Error
from tests.standin.sql.conversions import comparable
from tests.standin.sql.dialect import shown, syntax_error
from tests.standin.sql.routines import argument
from tests.standin.sql.sqltypes import BOOLEAN, INTEGER, varchar
from tests.standin.sql.values import Statement, Value, condition, made_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.standin.sql.frames import Frame
    from tests.standin.sql.queries import Binder

OPERATORS: dict[type[exp.Expr], str] = {
    exp.EQ: "=",
    exp.NEQ: "<>",
    exp.LT: "<",
    exp.LTE: "<=",
    exp.GT: ">",
    exp.GTE: ">=",
}


def condition_of(binder: Binder, node: exp.Expr, frame: Frame) -> Value:
    """A search condition; a BOOLEAN expression is one too. Raises -104 for anything else."""
    bind = BINDERS.get(type(node))
    if bind is not None:
        return bind(binder, node, frame)
    value = binder.expression(node, frame)
    if value.type is None or value.type.name != "BOOLEAN":
        raise syntax_error("<END-OF-CONDITION>", shown(node))
    return value


def compared(operator: str, left: Value, right: Value, statement: Statement) -> Value:
    """left operator right. Raises -401 for types that do not go together, -417 for two markers."""
    one, other = operands(operator, left, right, statement)
    return condition((left, right), f"({one} {operator} {other})")


def operands(operator: str, left: Value, right: Value, statement: Statement) -> tuple[str, str]:
    """The two sides of a comparison as DuckDB is to compare them."""
    if left.type is None and right.type is None:
        raise Db2Error(-417, "42609")
    left = statement.typed(left, right.type or INTEGER)
    padded = not statement.names.mode("varchar2_compat")
    return comparable(left, statement.typed(right, left.known), operator, padded)


def _comparison(binder: Binder, node: exp.Expr, frame: Frame) -> Value:
    operator = OPERATORS[type(node)]
    if isinstance(node.this, exp.Tuple):
        return _rows(binder, operator, node.this, node.expression, frame)
    left = binder.expression(node.this, frame)
    if isinstance(node.expression, exp.Any | exp.All):
        word = "ANY" if isinstance(node.expression, exp.Any) else "ALL"
        return _quantified(binder, left, f"{operator} {word}", node.expression.this, frame)
    return compared(operator, left, binder.expression(node.expression, frame), binder.statement)


def _rows(binder: Binder, operator: str, left: exp.Tuple, right: exp.Expr, frame: Frame) -> Value:
    """(a, b) = (c, d), column by column."""
    if operator not in {"=", "<>"} or not isinstance(right, exp.Tuple):
        raise syntax_error(operator, shown(left))
    if len(left.expressions) != len(right.expressions):
        raise Db2Error(-216, "428C4")
    pairs = [
        compared("=", binder.expression(one, frame), binder.expression(other, frame), binder.statement)
        for one, other in zip(left.expressions, right.expressions, strict=True)
    ]
    text = "(" + " AND ".join(pair.text for pair in pairs) + ")"
    return condition(pairs, text if operator == "=" else f"(NOT {text})")


def _quantified(binder: Binder, left: Value, operator: str, node: exp.Expr, frame: Frame) -> Value:
    """A comparison with every row of a subquery of one column."""
    query = binder.query(_unwrapped(node), frame)
    if len(query.items) != 1:
        raise Db2Error(-412, "42823")
    alias = binder.statement.alias("X")
    right = Value(f'{alias}."1"', query.items[0].type, query.items[0].nullable)
    one, other = operands(operator, left, right, binder.statement)
    text = f'({one} {operator} (SELECT {other} FROM ({query.text}) AS {alias}("1")))'
    return condition((left, Value("", None, free=query.free)), text)


def _unwrapped(node: exp.Expr) -> exp.Expr:
    return node.this if isinstance(node, exp.Subquery | exp.Paren) else node


def _in(binder: Binder, node: exp.Expr, frame: Frame) -> Value:
    query = node.args.get("query")
    if isinstance(node.this, exp.Tuple):
        result = _rows_in(binder, node.this, query, frame)
    else:
        left = binder.expression(node.this, frame)
        listed = node.expressions
        if query is None and len(listed) == 1 and isinstance(listed[0], exp.Subquery):
            query = listed[0]
        if query is not None:
            result = _quantified(binder, left, "= ANY", query, frame)
        else:
            result = _in_list(left, [binder.expression(item, frame) for item in listed], binder.statement)
    return _negated(result, node)


def _in_list(left: Value, listed: list[Value], statement: Statement) -> Value:
    known = next((value.type for value in (left, *listed) if value.type is not None), None)
    if known is None:
        raise Db2Error(-417, "42609")
    left = statement.typed(left, known)
    sides = [operands("=", left, value, statement) for value in listed]
    text = " OR ".join(f"{one} = {other}" for one, other in sides)
    if len({one for one, _ in sides}) == 1:
        text = f"{sides[0][0]} IN ({', '.join(other for _, other in sides)})"
    return condition((left, *listed), f"({text})")


def _rows_in(binder: Binder, row: exp.Tuple, node: exp.Expr | None, frame: Frame) -> Value:
    if node is None:
        raise syntax_error("IN", shown(row))
    query = binder.query(_unwrapped(node), frame)
    if len(query.items) != len(row.expressions):
        raise Db2Error(-216, "428C4")
    alias = binder.statement.alias("X")
    names = [f'"{number}"' for number, _ in enumerate(query.items, 1)]
    left = [binder.expression(one, frame) for one in row.expressions]
    right = [Value(f"{alias}.{name}", item.type) for name, item in zip(names, query.items, strict=True)]
    sides = [operands("=", one, other, binder.statement) for one, other in zip(left, right, strict=True)]
    text = (
        f"(({', '.join(one for one, _ in sides)}) IN"
        f" (SELECT {', '.join(other for _, other in sides)} FROM ({query.text}) AS {alias}({', '.join(names)})))"
    )
    return condition((*left, Value("", None, free=query.free)), text)


def _negated(value: Value, node: exp.Expr) -> Value:
    return condition([value], f"(NOT {value.text})") if node.args.get("negate") else value


def _between(binder: Binder, node: exp.Expr, frame: Frame) -> Value:
    value, low, high = (binder.expression(part, frame) for part in (node.this, node.args["low"], node.args["high"]))
    known = next((part.type for part in (value, low, high) if part.type is not None), None)
    if known is None:
        raise Db2Error(-417, "42609")
    value = binder.statement.typed(value, known)
    tests = [compared(">=", value, low, binder.statement), compared("<=", value, high, binder.statement)]
    return _negated(condition(tests, f"({tests[0].text} AND {tests[1].text})"), node)


def _like(binder: Binder, node: exp.Expr, frame: Frame, escape: exp.Expr | None = None) -> Value:
    sides = [binder.statement.typed(binder.expression(n, frame), varchar(4000)) for n in (node.this, node.expression)]
    value, pattern = (argument("t", side, "LIKE", binder.statement) for side in sides)
    text = f"{value.text} LIKE {pattern.text}"
    parts = [value, pattern]
    if escape is not None:
        parts.append(binder.expression(escape, frame))
        _check_escape(pattern.constant, parts[-1].constant)
        text += f" ESCAPE {parts[-1].text}"
    return _negated(condition(parts, f"({text})"), node)


def _check_escape(pattern: object, escape: object) -> None:
    """r0000751 (LIKE): raise -130 unless the escape is one character and precedes only %, _ or itself."""
    if isinstance(escape, str) and len(escape) != 1:
        raise Db2Error(-130, "22019")
    if isinstance(escape, str) and isinstance(pattern, str):
        marks = re.escape(escape)
        if not re.fullmatch(rf"(?:{marks}[%_{marks}]|[^{marks}])*", pattern, re.DOTALL):
            raise Db2Error(-130, "22025")


def _escape(binder: Binder, node: exp.Expr, frame: Frame) -> Value:
    if not isinstance(node.this, exp.Like):
        raise syntax_error("ESCAPE", shown(node.this))
    return _like(binder, node.this, frame, node.expression)


def _is(binder: Binder, node: exp.Expr, frame: Frame) -> Value:
    negated = bool(node.args.get("negate"))
    what = node.expression
    if isinstance(what, exp.Not):
        negated, what = not negated, what.this
    if isinstance(what, exp.Boolean):
        value = condition_of(binder, node.this, frame)
        text = f"({value.text} IS {'NOT ' if negated else ''}{'TRUE' if what.this else 'FALSE'})"
    elif isinstance(what, exp.Null):
        value = binder.expression(node.this, frame)
        if value.marker is not None and value.type is None:
            raise Db2Error(-418, "42610")
        text = f"({value.text} IS {'NOT ' if negated else ''}NULL)"
    else:
        raise syntax_error("IS", shown(node))
    return made_of([value], text, BOOLEAN, False)


def _exists(binder: Binder, node: exp.Expr, frame: Frame) -> Value:
    query = binder.query(_unwrapped(node.this), frame, untyped=True)
    return condition([Value("", None, False, free=query.free)], f"EXISTS ({query.text})")


def _joined(word: str) -> Callable[[Binder, exp.Expr, Frame], Value]:
    def bind(binder: Binder, node: exp.Expr, frame: Frame) -> Value:
        sides = [condition_of(binder, side, frame) for side in (node.this, node.expression)]
        return condition(sides, f"({sides[0].text} {word} {sides[1].text})")

    return bind


def _not(binder: Binder, node: exp.Expr, frame: Frame) -> Value:
    value = condition_of(binder, node.this, frame)
    return condition([value], f"(NOT {value.text})")


def _paren(binder: Binder, node: exp.Expr, frame: Frame) -> Value:
    return condition_of(binder, node.this, frame)


BINDERS: dict[type[exp.Expr], Callable[[Binder, exp.Expr, Frame], Value]] = {
    exp.And: _joined("AND"),
    exp.Between: _between,
    exp.Escape: _escape,
    exp.Exists: _exists,
    exp.In: _in,
    exp.Is: _is,
    exp.Like: _like,
    exp.Not: _not,
    exp.Or: _joined("OR"),
    exp.Paren: _paren,
    **dict.fromkeys(OPERATORS, _comparison),
}
