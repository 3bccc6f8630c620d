"""Conversions as Db2 makes them: CAST, assignment, and the operands of comparisons.

DuckDB rounds where Db2 truncates, does not know lengths, and writes numbers otherwise.
"""

from tests.standin.errors import Db2Error
from tests.standin.sql import octets
from tests.standin.sql.sqltypes import (
    DOUBLE,
    as_decimal,
    common_type,
    duck_type,
    is_binary,
    is_datetime,
    printed_length,
    varchar,
)
from tests.standin.sql.values import Value, failing, let, retyped
from tests.standin.types import SqlType

TEXTS = {"CHAR", "VARCHAR", "CLOB"}

_SHORTEST = "CAST(abs(v) AS VARCHAR)"
_MANTISSA = f"split_part({_SHORTEST}, 'e', 1)"
_FRACTION = f"split_part({_MANTISSA}, '.', 2)"
_DIGITS = f"trim(replace({_MANTISSA}, '.', ''), '0')"
_EXPONENT = (
    f"coalesce(try_cast(nullif(split_part({_SHORTEST}, 'e', 2), '') AS INTEGER), 0)"
    f" + CASE WHEN {_MANTISSA} NOT LIKE '0.%' THEN length(split_part({_MANTISSA}, '.', 1)) - 1"
    f" ELSE length(ltrim({_FRACTION}, '0')) - length({_FRACTION}) - 1 END"
)
DOUBLE_AS_TEXT = (
    "CASE WHEN v = 0 THEN '0E0' ELSE"
    f" CASE WHEN v < 0 THEN '-' ELSE '' END || left({_DIGITS}, 1) || '.'"
    f" || coalesce(nullif(substr({_DIGITS}, 2), ''), '0') || 'E' || CAST({_EXPONENT} AS VARCHAR) END"
)
"""A DOUBLE the way Db2 writes it: 48 is 4.8E1."""

FROM_TEXT = {
    "DATE": r"CAST(regexp_replace(trim({}), '^(\d\d)\.(\d\d)\.(\d{{4}})$', '\3-\2-\1') AS DATE)",
    "TIME": r"CAST(regexp_replace(trim({}), '[.:]', ':', 'g') AS TIME)",
    "TIMESTAMP": r"CAST(regexp_replace(trim({}), '^(\d{{4}}-\d\d-\d\d)[- T](\d\d)[.:](\d\d)[.:](\d\d)',"
    r" '\1 \2:\3:\4') AS TIMESTAMP)",
    "BOOLEAN": "CAST(trim({}) AS BOOLEAN)",
}
TO_TEXT = {
    "DATE": "strftime({}, '%Y-%m-%d')",
    "TIME": "strftime(DATE '2000-01-01' + {}, '%H.%M.%S')",
    "TIMESTAMP": "strftime({}, '%Y-%m-%d-%H.%M.%S.%f')",
    "BOOLEAN": "upper(CAST({} AS VARCHAR))",
    "DECIMAL": r"regexp_replace(CAST({} AS VARCHAR), '^(-?)0\.', '\1.')",
}
"""Text of a value; a DECIMAL below one has no zero before its point."""


def cast(value: Value, to: SqlType) -> Value:
    """Return CAST(value AS to) of a value that has a type. Raise -461 if no such conversion exists."""
    kind = value.known
    if kind == to:
        return value
    text = _converted(value.text, kind, to)
    if text is not None and (to.name, to.length) == ("TIMESTAMP", 0):
        text = f"date_trunc('second', {text})"
    if text is None:
        raise Db2Error(-461, "42846", str(kind), str(to))
    return retyped(value, text, to)


def _converted(text: str, kind: SqlType, to: SqlType) -> str | None:
    if kind.is_number and to.is_number:
        return _number(text, kind, to)
    if kind.name in TEXTS and not kind.bit_data:
        return _from_text(text, kind, to)
    if is_binary(kind):
        return _from_binary(text, kind, to)
    if to.name in TEXTS and not to.bit_data:
        return _fitted(_as_text(text, kind), printed_length(kind), to)
    moments = is_datetime(kind) and is_datetime(to) and {kind.name, to.name} != {"DATE", "TIME"}
    truth = "BOOLEAN" in {kind.name, to.name} and (kind.is_integer or to.is_integer)
    return f"CAST({text} AS {duck_type(to)})" if moments or truth else None


def _number(text: str, kind: SqlType, to: SqlType) -> str:
    target = duck_type(to)
    if to.is_integer:
        return f"CAST({text} AS {target})" if kind.is_integer else f"CAST(trunc({text}) AS {target})"
    if to.name == "DECIMAL":
        if kind.name in {"REAL", "DOUBLE"}:
            return _double_to_decimal(text, to)
        if kind.scale > to.scale:
            return f"CAST(trunc({text}, {to.scale}) AS {target})"
    return f"CAST({text} AS {target})"


def _double_to_decimal(text: str, to: SqlType) -> str:
    """The digits of the binary value, cut off at the scale (numeric assignments, r0008479): 0.29E0 begins 0.2899."""
    whole = to.length - to.scale
    digits = "printf('%.31f', CAST(v AS DOUBLE))"
    kept = f"strpos({digits}, '.') + {to.scale or -1}"
    small = f"CAST(left({digits}, {kept}) AS {duck_type(to)})"
    return let(text, f"CASE WHEN abs(v) >= 1e{whole} THEN {failing(413, '22003')} ELSE {small} END")


def _from_text(text: str, kind: SqlType, to: SqlType) -> str | None:
    if to.is_number:
        return _parsed_number(text, to)
    if is_binary(to):
        return f"encode({text})" if kind.length <= to.length else f"array_slice(encode({text}), 1, {to.length})"
    if to.name in TEXTS:
        return _shortened(text, kind, to)
    return FROM_TEXT[to.name].format(text)


def _parsed_number(text: str, to: SqlType) -> str:
    through = "DOUBLE" if to.name in {"REAL", "DOUBLE"} else f"DECIMAL(38,{_kept(to)})"
    invalid = failing(420, "22018", f"'{to.name}'")
    number = f"coalesce(try_cast(trim(v) AS {through}), CASE WHEN v IS NOT NULL THEN {invalid} END)"
    if to.name not in {"REAL", "DOUBLE"}:
        number = f"trunc({number}, {to.scale})"
    return f"CAST({let(text, number)} AS {duck_type(to)})"


def _kept(to: SqlType) -> int:
    """Fractional digits to read of a number in a text, before they are cut off."""
    return 38 - (to.length - to.scale) if to.name == "DECIMAL" else 18


def _shortened(text: str, kind: SqlType, to: SqlType) -> str:
    if kind.length > to.length:
        text = octets.first(text, str(to.length))
    same = to.name != "CHAR" or (kind.name == "CHAR" and kind.length == to.length)
    return text if same else octets.padded(text, str(to.length))


def _from_binary(text: str, kind: SqlType, to: SqlType) -> str | None:
    if is_binary(to):
        return text if kind.length <= to.length else f"array_slice({text}, 1, {to.length})"
    if to.name in TEXTS and kind.name in TEXTS:
        return _shortened(f"decode({text})", kind, to)
    return None


def _as_text(text: str, kind: SqlType) -> str:
    if kind.name in {"REAL", "DOUBLE"}:
        return let(f"CAST({text} AS DOUBLE)", DOUBLE_AS_TEXT)
    return TO_TEXT.get(kind.name, "CAST({} AS VARCHAR)").format(text)


def _fitted(text: str, longest: int, to: SqlType) -> str:
    """Text of a number or time: it may not be cut off."""
    if longest > to.length:
        text = let(text, f"CASE WHEN {octets.SIZE}(v) > {to.length} THEN {failing(433, '22001', 'v')} ELSE v END")
    return f"rpad({text}, {to.length}, ' ')" if to.name == "CHAR" else text


def unscaled(text: str) -> str:
    """The digits of a DECIMAL as a whole number."""
    return f"CAST(replace(CAST({text} AS VARCHAR), '.', '') AS HUGEINT)"


def rescaled(digits: str, kind: SqlType) -> str:
    """A DECIMAL from its digits as a whole number."""
    if not kind.scale:
        return f"CAST({digits} AS {duck_type(kind)})"
    padded = "lpad(CAST(abs(v) AS VARCHAR), 40, '0')"
    parts = f"left({padded}, {40 - kind.scale}) || '.' || right({padded}, {kind.scale})"
    signed = f"CASE WHEN v < 0 THEN '-' ELSE '' END || {parts}"
    return f"CAST({let(digits, signed)} AS {duck_type(kind)})"


def assign(value: Value, to: SqlType, target: str) -> Value:
    """A value stored into a column or variable. Raises -408 where the types do not fit."""
    kind = value.known
    if not _assignable(kind, to):
        raise Db2Error(-408, "42821", target)
    if to.name in TEXTS and kind.name in TEXTS and not kind.bit_data and not to.bit_data and kind.length > to.length:
        return retyped(value, _checked_length(value.text, to), to)
    return cast(value, to)


def _assignable(kind: SqlType, to: SqlType) -> bool:
    if kind.is_number or to.is_number:
        other = to if kind.is_number else kind
        return other.is_number or other.name in {"CHAR", "VARCHAR", "BOOLEAN"}
    if is_binary(kind) or is_binary(to):
        lobs = {kind.name, to.name} & {"BLOB", "BINARY", "VARBINARY"}
        return (is_binary(kind) and is_binary(to)) or not lobs
    if is_datetime(kind) and is_datetime(to):
        return kind.name == to.name or {kind.name, to.name} == {"DATE", "TIMESTAMP"}
    return kind.name in TEXTS or to.name in TEXTS or kind.name == to.name


def _checked_length(text: str, to: SqlType) -> str:
    """Only blanks may be lost."""
    kept = octets.first("v", str(to.length))
    kept = octets.padded(kept, str(to.length)) if to.name == "CHAR" else kept
    too_long = f"{octets.SIZE}(rtrim(v)) > {to.length}"
    return let(text, f"CASE WHEN {too_long} THEN {failing(433, '22001', 'v')} ELSE {kept} END")


def coerce(value: Value, to: SqlType) -> Value:
    """An operand in the common type of its neighbours: never loses anything."""
    kind = value.known
    if kind == to or (kind.name == to.name and to.name in {"VARCHAR", "CLOB"} and kind.bit_data == to.bit_data):
        return retyped(value, value.text, to)
    if kind.is_integer and to.name == "DECIMAL":
        return retyped(value, f"CAST({value.text} AS {duck_type(to)})", to)
    return cast(value, to)


def comparable(left: Value, right: Value, operator: str, padded: bool = True) -> tuple[str, str]:
    """The texts of two operands so that DuckDB compares them as Db2 does, ``padded`` with blanks. Raises -401."""
    one, other = left.known, right.known
    if one.is_lob or other.is_lob:
        raise Db2Error(-401, "42818", operator)
    if one.is_number and other.is_number:
        return left.text, right.text
    if one.name in TEXTS and other.name in TEXTS:
        if one.bit_data != other.bit_data:
            return _as_bytes(left), _as_bytes(right)
        plain = one.bit_data or not (padded or one.name == other.name == "CHAR")
        return (left.text, right.text) if plain else (unpadded(left), unpadded(right))
    if one.is_number or other.is_number:
        return _number_operand(left, operator), _number_operand(right, operator)
    kind = common_type((one, other))
    if kind is None:
        raise Db2Error(-401, "42818", operator)
    return coerce(left, kind).text, coerce(right, kind).text


def unpadded(value: Value) -> str:
    """Text without the trailing blanks that a comparison ignores."""
    if isinstance(value.constant, str):
        return value.text if value.constant == value.constant.rstrip(" ") else f"rtrim({value.text})"
    return f"rtrim({value.text})"


def distinct_key(text: str, kind: SqlType | None) -> str:
    """A column where equal rows are one: trailing blanks do not make texts different (r0008479)."""
    varies = kind is not None and kind.name == "VARCHAR" and not kind.bit_data
    return f"rtrim({text})" if varies else text


def _as_bytes(value: Value) -> str:
    return value.text if value.known.bit_data else f"encode({value.text})"


def _number_operand(value: Value, operator: str) -> str:
    kind = value.known
    if kind.is_number:
        return value.text
    if kind.name not in TEXTS or kind.bit_data:
        raise Db2Error(-401, "42818", operator)
    return cast(value, DOUBLE).text


def as_string(value: Value, operator: str) -> Value:
    """An operand of a concatenation. Raises -401 for what has no text."""
    kind = value.known
    if kind.name in TEXTS or is_binary(kind):
        return value
    if kind.name == "BOOLEAN":
        raise Db2Error(-401, "42818", operator)
    return cast(value, varchar(printed_length(kind)))


def decimal_of(value: Value) -> Value:
    """An integer as the DECIMAL that it is in arithmetic with one."""
    return coerce(value, as_decimal(value.known))
