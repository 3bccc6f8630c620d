"""The table of scalar functions: numbers, conversions and choices; other modules add strings and datetimes."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from tests.standin.api import Use
from tests.standin.errors import Db2Error
from tests.standin.sql.conversions import TEXTS, as_string, cast, coerce, comparable
from tests.standin.sql.datetimes import DATETIMES
from tests.standin.sql.routines import Routine, Template, argument, no_function
from tests.standin.sql.sqltypes import (
    BIGINT,
    BOOLEAN,
    DOUBLE,
    INTEGER,
    MOST_CLOB,
    REAL,
    SMALLINT,
    char,
    common_type,
    decimal,
    duck_type,
    is_binary,
    printed_length,
    varchar,
)
from tests.standin.sql.strings import STRINGS
from tests.standin.sql.values import NOT_ZERO, Statement, Value, failing, made_of
from tests.standin.types import SqlType

SYSTEM_SCHEMAS = {"SYSIBM", "SYSFUN", "SYSPROC", "SYSIBMADM"}


def bind_function(schema: str | None, name: str, arguments: list[Value], statement: Statement) -> Value:
    """A call of a scalar function. Raises -440."""
    routine = FUNCTIONS.get(name) if schema is None or schema in SYSTEM_SCHEMAS else None
    if routine is None:
        raise no_function(f"{schema}.{name}" if schema else name)
    if name in SESSION_VALUES:
        statement.uses.add(Use("EXECUTE", "SYSPROC", name))
    return routine(name, arguments, statement)


def common(values: Sequence[Value], statement: Statement, name: str) -> list[Value]:
    """Operands in the type that they have in common; untyped ones take it. Raises -401, -417 or -418."""
    kinds = [value.type for value in values if value.type is not None]
    if not kinds:
        raise Db2Error(-418, "42610") if any(value.marker is None for value in values) else Db2Error(-417, "42609")
    kind = common_type(kinds)
    if kind is None:
        raise Db2Error(-401, "42818", name)
    return [coerce(statement.typed(value, kind), kind) for value in values]


def coalesce(name: str, values: list[Value], statement: Statement) -> Value:
    if len(values) < 2:
        raise no_function(name)
    operands = common(values, statement, name)
    text = f"coalesce({', '.join(value.text for value in operands)})"
    return made_of(operands, text, operands[0].known, all(value.nullable for value in operands))


def nullif(name: str, values: list[Value], statement: Statement) -> Value:
    if len(values) != 2:
        raise no_function(name)
    one, other = values
    one, other = statement.typed(one, other.type or INTEGER), statement.typed(other, one.type or INTEGER)
    left, right = comparable(one, other, "=")
    kind = one.known
    plain = (left, right) == (one.text, other.text)
    text = f"nullif({left}, {right})" if plain else f"CASE WHEN {left} = {right} THEN NULL ELSE {one.text} END"
    zero = "0" if other.constant == 0 else None
    text = f"CAST({text} AS {kind.name})" if kind.is_integer else text
    return replace(made_of((one, other), text, kind, True), constant=NOT_ZERO if zero else None)


def _extreme(function: str) -> Routine:
    """GREATEST and LEAST: NULL as soon as one operand is."""

    def bind(name: str, values: list[Value], statement: Statement) -> Value:
        if len(values) < 2:
            raise no_function(name)
        operands = common(values, statement, name)
        text = f"{function}({', '.join(value.text for value in operands)})"
        missing = " OR ".join(f"{value.text} IS NULL" for value in operands if value.nullable)
        if missing:
            text = f"CASE WHEN {missing} THEN NULL ELSE {text} END"
        return made_of(operands, text, operands[0].known)

    return bind


def decode(name: str, values: list[Value], statement: Statement) -> Value:
    """DECODE: like a CASE in which NULL equals NULL."""
    if len(values) < 3:
        raise no_function(name)
    subject, *rest = values
    pairs = list(zip(rest[0::2], rest[1::2], strict=False))
    results = [result for _, result in pairs] + ([rest[-1]] if len(rest) % 2 else [])
    operands = common(results, statement, name)
    branches = []
    for (search, _), result in zip(pairs, operands, strict=False):
        sides = comparable(subject, statement.typed(search, subject.known), "=")
        branches.append(f"WHEN {sides[0]} IS NOT DISTINCT FROM {sides[1]} THEN {result.text}")
    other = f" ELSE {operands[-1].text}" if len(rest) % 2 else ""
    parts = (subject, *(search for search, _ in pairs), *operands)
    return made_of(parts, f"CASE {' '.join(branches)}{other} END", operands[0].known, True)


def nvl2(name: str, values: list[Value], statement: Statement) -> Value:
    if len(values) != 3:
        raise no_function(name)
    one, other = common(values[1:], statement, name)
    text = f"CASE WHEN {values[0].text} IS NOT NULL THEN {one.text} ELSE {other.text} END"
    return made_of((values[0], one, other), text, one.known)


def mod(name: str, values: list[Value], statement: Statement) -> Value:
    if len(values) != 2:
        raise no_function(name)
    operands = common([argument("n", value, name, statement) for value in values], statement, name)
    if operands[0].known.name in {"REAL", "DOUBLE"}:
        raise no_function(name)
    return made_of(operands, f"({operands[0].text} % {operands[1].text})", operands[0].known)


def _keeping(function: str, result: Callable[[Sequence[Value]], SqlType]) -> Routine:
    """A function of one number that DuckDB gives another type than Db2."""

    def bind(name: str, values: list[Value], statement: Statement) -> Value:
        value = Template("n", result, function + "({0})")(name, values, statement)
        return replace(value, text=f"CAST({value.text} AS {duck_type(value.known)})")

    return bind


def _whole(function: str) -> Routine:
    """CEIL and FLOOR keep the type; a DECIMAL loses its fraction."""
    return _keeping(function, lambda values: _without_fraction(values[0].known))


def _without_fraction(kind: SqlType) -> SqlType:
    return decimal(kind.length, 0) if kind.name == "DECIMAL" else kind


def _rounding(function: str) -> Routine:
    """ROUND and TRUNCATE keep the type of the number; a DECIMAL gets one digit more when it is rounded."""

    def bind(name: str, values: list[Value], statement: Statement) -> Value:
        if not 1 <= len(values) <= 2:
            raise no_function(name)
        number = argument("n", values[0], name, statement)
        places = argument("i", values[1], name, statement) if len(values) == 2 else None
        kind = number.known
        result = decimal(min(31, kind.length + (function == "round")), kind.scale) if kind.name == "DECIMAL" else kind
        digits = places.text if places else "0"
        if kind.is_integer and places and isinstance(places.constant, int) and places.constant >= 0:
            return number
        inner = f"CAST({number.text} AS DECIMAL(38,0))" if kind.is_integer else number.text
        if kind.name == "DECIMAL" and (not places or places.constant is None):
            inner = f"CAST({number.text} AS DECIMAL(38,{kind.scale}))"
        text = f"CAST({function}({inner}, {digits}) AS {duck_type(result)})"
        return made_of([number, *([places] if places else [])], text, result)

    return bind


def power(name: str, values: list[Value], statement: Statement) -> Value:
    """POWER of integers is an integer, any other a DOUBLE."""
    value = _double("power({0}, {1})")(name, values, statement)
    if not all(part.type is not None and part.type.is_integer for part in values):
        return value
    kind = BIGINT if any(part.known == BIGINT for part in values) else INTEGER
    return replace(value, text=f"CAST({value.text} AS {kind.name})", type=kind, unsafe=False)


def _casting(to: SqlType) -> Routine:
    """A function that is named like a type and converts to it."""

    def bind(name: str, values: list[Value], statement: Statement) -> Value:
        if len(values) != 1:
            raise no_function(name)
        return cast(statement.typed(values[0], to), to)

    return bind


def to_decimal(name: str, values: list[Value], statement: Statement) -> Value:
    """DECIMAL(number or text, precision, scale)."""
    if not 1 <= len(values) <= 3 or not all(isinstance(value.constant, int) for value in values[1:]):
        raise no_function(name)
    value = values[0]
    digits = {"SMALLINT": 5, "INTEGER": 11, "BIGINT": 19}.get(value.known.name, 15)
    usual = value.known if value.known.name == "DECIMAL" else decimal(digits, 0)
    precision = values[1].constant if len(values) > 1 else usual.length
    scale = values[2].constant if len(values) > 2 else (usual.scale if len(values) == 1 else 0)
    if not 1 <= precision <= 31 or not 0 <= scale <= precision:
        raise Db2Error(-171, "42815", "2", name)
    return cast(value, decimal(precision, scale))


def _to_text(name: str, values: list[Value], statement: Statement) -> Value:
    """VARCHAR and CHAR of a value, of a length or as long as the type needs."""
    if not 1 <= len(values) <= 2 or not all(isinstance(value.constant, int | str) for value in values[1:]):
        raise no_function(name)
    value = argument("x", values[0], name, statement)
    kind = value.known
    length = values[1].constant if len(values) > 1 and isinstance(values[1].constant, int) else None
    bits = is_binary(kind) and kind.bit_data
    if length is None:
        length = kind.length if is_binary(kind) or kind.name in TEXTS else printed_length(kind)
    if name == "CHAR":
        return cast(value, char(min(length, 255), bits))
    return cast(value, varchar(length, bits))


def clob(name: str, values: list[Value], statement: Statement) -> Value:
    if not 1 <= len(values) <= 2:
        raise no_function(name)
    value = as_string(statement.typed(values[0], varchar(32672)), name)
    length = values[1].constant if len(values) > 1 else min(value.known.length, MOST_CLOB)
    return cast(value, SqlType("CLOB", length))


def raise_error(name: str, values: list[Value], statement: Statement) -> Value:
    """RAISE_ERROR(sqlstate, text): fails when it is reached."""
    if len(values) != 2 or not isinstance(values[0].constant, str):
        raise no_function(name)
    message = argument("t", values[1], name, statement)
    return made_of([message], failing(438, values[0].constant, message.text), None, True)


SESSION_VALUES = {
    "MON_GET_APPLICATION_HANDLE": BIGINT,
    "MON_GET_APPLICATION_ID": varchar(128),
    "APPLICATION_ID": varchar(128),
    "IDENTITY_VAL_LOCAL": decimal(31, 0),
}
"""Functions without arguments whose value the session keeps in a DuckDB variable of that name."""


def _session_value(name: str, kind: SqlType) -> Template:
    return Template("", kind, f"CAST(getvariable('{name}') AS {duck_type(kind)})", nullable=True)


def _double(text: str, unsafe: bool = True) -> Template:
    return Template("f" * (1 + ("{1}" in text)), DOUBLE, text, unsafe=unsafe)


def _same(values: Sequence[Value]) -> SqlType:
    return values[0].known


_TRIGONOMETRY = ("SIN", "COS", "TAN", "ASIN", "ACOS", "ATAN", "SINH", "COSH", "TANH", "DEGREES", "RADIANS")

FUNCTIONS: dict[str, Routine] = {
    **STRINGS,
    **DATETIMES,
    "ABS": Template("n", _same, "abs({0})"),
    "ATAN2": _double("atan2({1}, {0})"),
    "BIGINT": _casting(BIGINT),
    "BITAND": Template("nn", BIGINT, "(CAST({0} AS BIGINT) & CAST({1} AS BIGINT))"),
    "BITNOT": Template("n", BIGINT, "(~CAST({0} AS BIGINT))"),
    "BITOR": Template("nn", BIGINT, "(CAST({0} AS BIGINT) | CAST({1} AS BIGINT))"),
    "BITXOR": Template("nn", BIGINT, "xor(CAST({0} AS BIGINT), CAST({1} AS BIGINT))"),
    "BLOB": _casting(SqlType("BLOB", 1 << 20)),
    "BOOLEAN": _casting(BOOLEAN),
    "CEIL": _whole("ceil"),
    "CHAR": _to_text,
    "CLOB": clob,
    "COALESCE": coalesce,
    "COT": _double("cot({0})"),
    "DECIMAL": to_decimal,
    "DECODE": decode,
    "DOUBLE": _casting(DOUBLE),
    "EXP": _double("exp({0})"),
    "FLOOR": _whole("floor"),
    "GREATEST": _extreme("greatest"),
    "INTEGER": _casting(INTEGER),
    "LEAST": _extreme("least"),
    "LN": _double("ln({0})"),
    "LOG10": _double("log10({0})"),
    "MOD": mod,
    "NULLIF": nullif,
    "NVL2": nvl2,
    "PI": Template("", DOUBLE, "pi()", nullable=False),
    "POWER": power,
    "RAISE_ERROR": raise_error,
    "RAND": Template("", DOUBLE, "random()", nullable=False),
    "REAL": _casting(REAL),
    "ROUND": _rounding("round"),
    "SIGN": _keeping("sign", _same),
    "SMALLINT": _casting(SMALLINT),
    "SQRT": _double("sqrt({0})"),
    "TRUNCATE": _rounding("trunc"),
    "VARCHAR": _to_text,
    **{name: _double(name.lower() + "({0})") for name in _TRIGONOMETRY},
    **{name: _session_value(name, kind) for name, kind in SESSION_VALUES.items()},
}

OTHER_NAMES = {
    "ABSVAL": "ABS",
    "CEILING": "CEIL",
    "DEC": "DECIMAL",
    "DOUBLE_PRECISION": "DOUBLE",
    "FLOAT": "DOUBLE",
    "IFNULL": "COALESCE",
    "INT": "INTEGER",
    "LOG": "LN",
    "MAX": "GREATEST",
    "MIN": "LEAST",
    "NUMERIC": "DECIMAL",
    "NVL": "COALESCE",
    "POW": "POWER",
    "RANDOM": "RAND",
    "TRUNC": "TRUNCATE",
    "VALUE": "COALESCE",
}
FUNCTIONS |= {name: FUNCTIONS[known] for name, known in OTHER_NAMES.items()}
