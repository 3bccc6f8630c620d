"""Aggregate functions and those of windows only: their types and their DuckDB text."""

from collections.abc import Callable
from dataclasses import dataclass

from tests.standin.errors import Db2Error
from tests.standin.sql.conversions import as_string, coerce, distinct_key, rescaled, unscaled
from tests.standin.sql.routines import no_function
from tests.standin.sql.sqltypes import BIGINT, DOUBLE, INTEGER, MOST_DIGITS, decimal, duck_type, varchar
from tests.standin.sql.values import Value, failing, let, literal
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
