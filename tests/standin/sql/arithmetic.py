"""Arithmetic with Db2's types: integers truncate, a DECIMAL keeps 31 digits, nothing overflows in silence."""

from dataclasses import replace

from tests.standin.errors import Db2Error
from tests.standin.sql.conversions import TEXTS, coerce, decimal_of, rescaled, unscaled
from tests.standin.sql.datetimes import by_days, difference, shift, shift_by_digits
from tests.standin.sql.sqltypes import BIGINT, DOUBLE, INTEGER, MOST_DIGITS, REAL, decimal, duck_type, is_datetime
from tests.standin.sql.values import Statement, Value, failing, made_of
from tests.standin.types import SqlType


def calculate(operator: str, left: Value, right: Value, statement: Statement) -> Value:
    """Return left operator right. Raise -402 for operands that are not numeric, -417 for two untyped ones."""
    if left.type is None and right.type is None:
        raise Db2Error(-417, "42609")
    left = statement.typed(left, right.type or INTEGER)
    right = statement.typed(right, left.known)
    if is_datetime(left.known) or is_datetime(right.known):
        return _with_datetime(operator, left, right, statement.names.mode("date_compat"))
    if not (left.known.is_number and right.known.is_number):
        raise Db2Error(-402, "42819", operator)
    kind = _result_type(operator, left.known, right.known)
    if kind.name == "DECIMAL":
        return _decimal(operator, left, right, kind)
    one, other = coerce(left, kind), coerce(right, kind)
    if operator == "/":
        return _quotient(one, other, kind)
    return _marked(made_of((one, other), f"({one.text} {operator} {other.text})", kind))


def with_duration(operator: str, left: Value, number: Value, unit: str, statement: Statement) -> Value:
    """left plus or minus a labelled duration."""
    number = statement.typed(number, INTEGER)
    if left.type is None or not is_datetime(left.type) or operator not in {"+", "-"}:
        raise Db2Error(-182, "42816")
    return shift(left, number, unit, operator)


def _with_datetime(operator: str, left: Value, right: Value, in_days: bool) -> Value:
    """Arithmetic with a moment; with date_compat (``in_days``) a number is days, and so is a difference."""
    if in_days and "TIMESTAMP" in {left.known.name, right.known.name}:
        return by_days(operator, left, right)
    text = left.known.name in TEXTS or right.known.name in TEXTS
    if operator == "-" and (text or (is_datetime(left.known) and is_datetime(right.known))):
        return difference(left, right)
    if operator in {"+", "-"} and is_datetime(left.known) and right.known.is_number:
        return shift_by_digits(left, right, operator)
    if operator == "+" and left.known.is_number:
        return shift_by_digits(right, left, operator)
    raise Db2Error(-182, "42816")


def _marked(value: Value) -> Value:
    return replace(value, unsafe=value.unsafe or value.known.name in {"REAL", "DOUBLE"})


def _result_type(operator: str, one: SqlType, other: SqlType) -> SqlType:
    names = {one.name, other.name}
    if names & {"REAL", "DOUBLE"}:
        return REAL if names == {"REAL"} else DOUBLE
    if "DECIMAL" in names:
        return decimal(1, 0) if operator == "/" else _decimal_type(operator, one, other)
    return BIGINT if "BIGINT" in names else INTEGER


def _decimal_type(operator: str, one: SqlType, other: SqlType) -> SqlType:
    one, other = (kind if kind.name == "DECIMAL" else decimal(_DIGITS[kind.name], 0) for kind in (one, other))
    if operator == "*":
        return decimal(min(MOST_DIGITS, one.length + other.length), min(MOST_DIGITS, one.scale + other.scale))
    scale = max(one.scale, other.scale)
    whole = max(one.length - one.scale, other.length - other.scale)
    return decimal(min(MOST_DIGITS, whole + scale + 1), scale)


_DIGITS = {"SMALLINT": 5, "INTEGER": 11, "BIGINT": 19}


def _decimal(operator: str, left: Value, right: Value, kind: SqlType) -> Value:
    one, other = decimal_of(left), decimal_of(right)
    if operator == "/":
        return _decimal_quotient(one, other)
    text = f"CAST({one.text} {operator} {other.text} AS {duck_type(kind)})"
    return made_of((one, other), text, kind)


def _decimal_quotient(one: Value, other: Value) -> Value:
    """31 digits, cut off: the quotient of the unscaled numbers, with its point put back."""
    scale = MOST_DIGITS - one.known.length + one.known.scale - other.known.scale
    if scale < 0:
        raise Db2Error(-419, "42911")
    raised = f"{unscaled(one.text)} * CAST(1{'0' * (MOST_DIGITS - one.known.length)} AS HUGEINT)"
    kind = decimal(MOST_DIGITS, scale)
    return made_of((one, other), rescaled(f"{raised} // {unscaled(other.text)}", kind), kind)


def _quotient(one: Value, other: Value, kind: SqlType) -> Value:
    if kind.is_integer:  # DuckDB itself refuses to divide an integer by zero
        return made_of((one, other), f"({one.text} // {other.text})", kind)
    divisor = other.text
    if other.constant is None or other.constant == 0:
        divisor = f"CASE WHEN {divisor} = 0 THEN {failing(801, '22012')} ELSE {divisor} END"
    return _marked(made_of((one, other), f"({one.text} / {divisor})", kind))


def negated(value: Value) -> Value:
    """Minus a number."""
    if not value.known.is_number:
        raise Db2Error(-402, "42819", "-")
    constant = -value.constant if isinstance(value.constant, int | float) else None
    result = _marked(made_of([value], f"(-{value.text})", value.known))
    return replace(result, constant=constant, unsafe=value.unsafe)
