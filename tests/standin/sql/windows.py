"""Binding aggregates and window functions."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from sqlglot import exp

from tests.standin.errors import Db2Error
from tests.standin.sql.aggregates import (
    AGGREGATES,
    NEIGHBOURS,
    ORDERED,
    PAIRS,
    RANKINGS,
    aggregate_text,
    list_text,
    pair_text,
)
from tests.standin.sql.conversions import cast, coerce, distinct_key
from tests.standin.sql.dialect import syntax_error
from tests.standin.sql.routines import argument, no_function
from tests.standin.sql.sqltypes import BIGINT, DOUBLE
from tests.standin.sql.values import Value, made_of

if TYPE_CHECKING:
    from tests.standin.sql.frames import Frame
    from tests.standin.sql.queries import Binder
    from tests.standin.types import SqlType


def is_aggregate(name: str, node: exp.Anonymous) -> bool:
    """MAX and MIN of several operands are scalar functions."""
    if name in {"MAX", "MIN"}:
        return len(node.expressions) == 1
    return name in AGGREGATES or name in PAIRS or name in {"LISTAGG", "RATIO_TO_REPORT"} or name in RANKINGS


def aggregate(binder: Binder, name: str, node: exp.Anonymous, frame: Frame) -> Value:
    """An aggregate over the rows of a group. Raises -112 for one inside another, -120 for OLAP without OVER."""
    if name in RANKINGS or name == "RATIO_TO_REPORT":
        raise syntax_error(")", name)
    if name == "LISTAGG":
        return _listed(binder, node, frame, "", [])
    with frame.aggregate():
        arguments, distinct = _arguments(binder, node, frame)
    frame.aggregated += arguments
    if any(value.aggregate or value.olap for value in arguments) or any(
        one.find(exp.Query) for one in node.expressions
    ):
        raise Db2Error(-112, "42607", name)
    text, kind = _text(name, arguments, distinct, "")
    return _over_group(text, kind, arguments, frame, name)


def _text(name: str, arguments: list[Value], distinct: bool, over: str) -> tuple[str, SqlType]:
    if name in PAIRS:
        if len(arguments) != 2:
            raise no_function(name)
        left, right = arguments
        return pair_text(name, left, right, over), DOUBLE
    if len(arguments) > 1 or (not arguments and name not in {"COUNT", "COUNT_BIG"}):
        raise no_function(name)
    return aggregate_text(name, arguments[0] if arguments else None, distinct, over)


def _over_group(text: str, kind: SqlType, arguments: list[Value], frame: Frame, name: str) -> Value:
    read = made_of(arguments, text, kind, name not in {"COUNT", "COUNT_BIG"})
    unsafe = kind.name == "DOUBLE" and name not in {"MAX", "MIN"}
    return replace(read, free=read.free - frame.own(read.free), aggregate=True, unsafe=read.unsafe or unsafe)


def _arguments(binder: Binder, node: exp.Anonymous, frame: Frame) -> tuple[list[Value], bool]:
    """The operands of an aggregate, none for a star, and whether it is DISTINCT."""
    given = node.expressions
    distinct = bool(given) and isinstance(given[0], exp.Distinct)
    if distinct:
        given = [*given[0].expressions, *given[1:]]
    if len(given) == 1 and isinstance(given[0], exp.Star):
        return [], False
    if not given:
        raise no_function(str(node.this).upper())
    return [argument("x", binder.expression(item, frame), str(node.this), binder.statement) for item in given], distinct


def within_group(binder: Binder, node: exp.Expr, frame: Frame) -> Value:
    """LISTAGG(...) WITHIN GROUP (ORDER BY ...), or a percentile."""
    name = str(node.this.this).upper()
    if name == "LISTAGG":
        with frame.aggregate():
            keys = [binder.expression(key.this, frame) for key in node.expression.expressions]
        pairs = zip(node.expression.expressions, keys, strict=True)
        order = ", ".join(sort_key(key.text, item) for item, key in pairs)
        return _listed(binder, node.this, frame, f" ORDER BY {order}", keys)
    if name not in {"PERCENTILE_CONT", "PERCENTILE_DISC"} or len(node.this.expressions) != 1:
        raise syntax_error("WITHIN", name)
    (item,) = node.expression.expressions
    with frame.aggregate():
        part, key = binder.expression(node.this.expressions[0], frame), binder.expression(item.this, frame)
    frame.aggregated.append(key)
    text = f"{name.lower()}({part.text}) WITHIN GROUP (ORDER BY {sort_key(coerce(key, DOUBLE).text, item)})"
    return _over_group(text, DOUBLE, [part, key], frame, name)


def _listed(binder: Binder, node: exp.Anonymous, frame: Frame, order: str, keys: list[Value]) -> Value:
    with frame.aggregate():
        arguments, distinct = _arguments(binder, node, frame)
    if not 1 <= len(arguments) <= 2 or (len(arguments) == 2 and not isinstance(arguments[1].constant, str)):
        raise no_function("LISTAGG")
    separator = arguments[1].constant if len(arguments) == 2 else ""
    text, kind = list_text(arguments[0], str(separator), distinct, order)
    frame.aggregated += [*arguments, *keys]
    return _over_group(text, kind, [*arguments, *keys], frame, "LISTAGG")


def sort_key(text: str, item: exp.Expr) -> str:
    """A sort key; NULL is the highest value unless the statement says otherwise."""
    direction = "DESC" if item.args.get("desc") else "ASC"
    return f"{text} {direction} NULLS {'FIRST' if item.args.get('nulls_first') else 'LAST'}"


def window(binder: Binder, node: exp.Expr, frame: Frame) -> Value:
    """function(...) OVER (...)."""
    partition = [binder.expression(key, frame) for key in node.args.get("partition_by") or ()]
    order = node.args.get("order")
    if order is None and str(node.this.this).upper() in ORDERED:
        raise syntax_error(")", "OVER (")
    keys = [binder.expression(item.this, frame) for item in order.expressions] if order else []
    frame.window_keys += [*partition, *keys]
    if any(value.type is not None and value.type.is_lob for value in (*partition, *keys)):
        raise Db2Error(-134, "42907", "OVER")
    clauses = []
    if partition:
        clauses.append("PARTITION BY " + ", ".join(distinct_key(value.text, value.type) for value in partition))
    if order:
        pairs = zip(order.expressions, keys, strict=True)
        sorted_by = (sort_key(distinct_key(key.text, key.type), item) for item, key in pairs)
        clauses.append("ORDER BY " + ", ".join(sorted_by))
    if node.args.get("spec"):
        clauses.append(_extent(binder, node.args["spec"], frame))
    return _windowed(binder, node.this, frame, f" OVER ({' '.join(clauses)})", [*partition, *keys])


def _extent(binder: Binder, spec: exp.Expr, frame: Frame) -> str:
    ends = []
    for end in ("start", "end"):
        bound = spec.args.get(end)
        if bound is not None:
            text = bound if isinstance(bound, str) else binder.expression(bound, frame).text
            ends.append(f"{text} {spec.args.get(f'{end}_side') or ''}".strip())
    extent = f"BETWEEN {ends[0]} AND {ends[1]}" if len(ends) == 2 else ends[0]
    return f"{spec.args['kind']} {extent}"


def _windowed(binder: Binder, node: exp.Expr, frame: Frame, over: str, keys: list[Value]) -> Value:
    if not isinstance(node, exp.Anonymous):
        raise syntax_error("OVER", "")
    name = str(node.this).upper()
    if name in RANKINGS:
        text, kind = RANKINGS[name]
        return replace(made_of(keys, text + over, kind, False), olap=True)
    arguments, distinct = _arguments(binder, node, frame)
    if name in NEIGHBOURS:
        value = _neighbour(name, arguments, over)
    elif name == "RATIO_TO_REPORT" and len(arguments) == 1:
        number = coerce(arguments[0], DOUBLE).text
        value = made_of(arguments, f"({number} / nullif(sum({number}){over}, 0))", DOUBLE, True)
    elif name in AGGREGATES or name in PAIRS:
        text, kind = _text(name, arguments, distinct, over)
        value = made_of(arguments, text, kind, name not in {"COUNT", "COUNT_BIG"})
    else:
        raise no_function(name)
    return replace(made_of((value, *keys), value.text, value.type, value.nullable), olap=True)


def _neighbour(name: str, arguments: list[Value], over: str) -> Value:
    if name == "NTILE":
        return made_of(arguments, f"ntile({cast(arguments[0], BIGINT).text}){over}", BIGINT, False)
    subject, *rest = arguments
    texts = [subject.text]
    if rest:
        texts.append(rest[0].text)
    if len(rest) > 1:
        texts.append(cast(rest[1], subject.known).text)
    return made_of(arguments, f"{NEIGHBOURS[name]}({', '.join(texts)}){over}", subject.type, True)
