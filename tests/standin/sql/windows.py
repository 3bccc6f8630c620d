"""Aggregate functions and window functions: their types, their DuckDB text, and their binding."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from sqlglot import exp

from tests.standin.errors import Db2Error
from tests.standin.sql.conversions import as_string, cast, coerce, distinct_key, rescaled, unscaled
from tests.standin.sql.dialect import syntax_error
from tests.standin.sql.routines import argument, no_function
from tests.standin.sql.sqltypes import BIGINT, DOUBLE, INTEGER, MOST_DIGITS, decimal, duck_type, varchar
from tests.standin.sql.values import Value, failing, let, literal, made_of
from tests.standin.types import SqlType

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.standin.sql.frames import Frame
    from tests.standin.sql.queries import Binder
    from tests.standin.types import SqlType


def _sum_type(kind: SqlType) -> SqlType:
    if kind.name == "DECIMAL":
        return decimal(MOST_DIGITS, kind.scale)
    return {"SMALLINT": INTEGER, "INTEGER": INTEGER, "BIGINT": BIGINT}.get(kind.name, DOUBLE)


def _average_type(kind: SqlType) -> SqlType:
    if kind.name == "DECIMAL":
        return decimal(MOST_DIGITS, MOST_DIGITS - kind.length + kind.scale)
    return _sum_type(kind)


def _average(argument: str, kind: SqlType, over: str) -> str:
    """The mean as Db2 cuts it off; the DECIMAL's through its unscaled digits."""
    total, count = f"sum({argument}){over}", f"count({argument}){over}"
    if kind.is_integer:
        return f"{total} // nullif({count}, 0)"
    if kind.name != "DECIMAL":
        return f"avg({argument}){over}"
    average = _average_type(kind)
    raised = f"{unscaled(total)} * CAST(1{'0' * (average.scale - kind.scale)} AS HUGEINT)"
    return rescaled(f"{raised} // nullif({count}, 0)", average)


@dataclass(frozen=True)
class Aggregate:
    """``result`` is the type by that of the argument; ``text`` has places for the argument and the window."""

    result: Callable[[SqlType], SqlType]
    text: Callable[[str, SqlType, str], str]
    numbers: bool = True
    nullable: bool = True


def _call(function: str) -> Callable[[str, SqlType, str], str]:
    return lambda argument, _, over: f"{function}({argument}){over}"


def _statistic(function: str) -> Aggregate:
    return Aggregate(lambda _: DOUBLE, _call(function))


def _itself(kind: SqlType) -> SqlType:
    return kind


AGGREGATES = {
    "AVG": Aggregate(_average_type, _average),
    "COUNT": Aggregate(lambda _: INTEGER, _call("count"), numbers=False, nullable=False),
    "COUNT_BIG": Aggregate(lambda _: decimal(MOST_DIGITS, 0), _call("count"), numbers=False, nullable=False),
    "MAX": Aggregate(_itself, _call("max"), numbers=False),
    "MIN": Aggregate(_itself, _call("min"), numbers=False),
    "SUM": Aggregate(_sum_type, _call("sum")),
    "MEDIAN": _statistic("median"),
    "STDDEV": _statistic("stddev_pop"),
    "STDDEV_POP": _statistic("stddev_pop"),
    "STDDEV_SAMP": _statistic("stddev_samp"),
    "VARIANCE": _statistic("var_pop"),
    "VAR": _statistic("var_pop"),
    "VAR_POP": _statistic("var_pop"),
    "VAR_SAMP": _statistic("var_samp"),
    "VARIANCE_SAMP": _statistic("var_samp"),
}

PAIRS = {
    "CORR": "corr",
    "CORRELATION": "corr",
    "COVAR": "covar_pop",
    "COVARIANCE": "covar_pop",
    "COVARIANCE_SAMP": "covar_samp",
    "COVAR_POP": "covar_pop",
    "COVAR_SAMP": "covar_samp",
    "REGR_INTERCEPT": "regr_intercept",
    "REGR_R2": "regr_r2",
    "REGR_SLOPE": "regr_slope",
}
"""Aggregates of two numbers."""


def aggregate_text(name: str, argument: Value | None, distinct: bool, over: str = "") -> tuple[str, SqlType]:
    """Text and type of an aggregate; no argument is that of COUNT(*)."""
    rule = AGGREGATES[name]
    if argument is None:
        text = f"count(*){over}"
        return f"CAST({text} AS {duck_type(rule.result(INTEGER))})", rule.result(INTEGER)
    kind = argument.known
    if rule.numbers and not kind.is_number:
        raise no_function(name)
    if kind.is_lob and (distinct or name in {"MAX", "MIN"}):
        raise Db2Error(-134, "42907", name)
    result = rule.result(kind)
    text = rule.text(f"DISTINCT {distinct_key(argument.text, kind)}" if distinct else argument.text, kind, over)
    return (text, result) if name in {"MAX", "MIN"} else (f"CAST({text} AS {duck_type(result)})", result)


def pair_text(name: str, left: Value, right: Value, over: str = "") -> str:
    if not (left.known.is_number and right.known.is_number):
        raise no_function(name)
    return f"{PAIRS[name]}({coerce(left, DOUBLE).text}, {coerce(right, DOUBLE).text}){over}"


def list_text(argument: Value, separator: str, distinct: bool, order: str) -> tuple[str, SqlType]:
    """LISTAGG; its result has 4000 bytes, or those of a longer argument."""
    value = as_string(argument, "LISTAGG")
    listed = f"DISTINCT {distinct_key(value.text, value.type)}" if distinct else value.text
    most = max(4000, value.known.length)
    text = f"string_agg({listed}, {literal(separator)}{order})"
    too_long = failing(137, "54006", literal(f"LISTAGG\xff{most}"))
    return let(text, f"CASE WHEN strlen(v) > {most} THEN {too_long} ELSE v END"), varchar(most)


RANKINGS = {
    "ROW_NUMBER": ("row_number()", BIGINT),
    "ROWNUMBER": ("row_number()", BIGINT),
    "RANK": ("rank()", BIGINT),
    "DENSE_RANK": ("dense_rank()", BIGINT),
    "DENSERANK": ("dense_rank()", BIGINT),
    "CUME_DIST": ("cume_dist()", DOUBLE),
    "PERCENT_RANK": ("percent_rank()", DOUBLE),
}
"""Window functions without arguments."""

ORDERED = {"RANK", "DENSE_RANK", "DENSERANK", "LAG", "LEAD"}  # r0023461: they want an ORDER BY

NEIGHBOURS = {"LAG": "lag", "LEAD": "lead", "FIRST_VALUE": "first_value", "LAST_VALUE": "last_value"}
NEIGHBOURS |= {"NTH_VALUE": "nth_value", "NTILE": "ntile"}
"""Window functions of other rows: the value's type is theirs."""


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
