"""Types: reading them, their DuckDB counterparts, and the type that several operands have in common."""

import re
from collections.abc import Sequence

from tests.standin.errors import Db2Error
from tests.standin.types import SqlType

SMALLINT, INTEGER, BIGINT = SqlType("SMALLINT"), SqlType("INTEGER"), SqlType("BIGINT")
REAL, DOUBLE, BOOLEAN = SqlType("REAL"), SqlType("DOUBLE"), SqlType("BOOLEAN")
DATE, TIME, TIMESTAMP = SqlType("DATE"), SqlType("TIME"), SqlType("TIMESTAMP", 6)

MOST_DIGITS = 31
MOST_VARCHAR, MOST_CLOB = 32672, 2_147_483_647

NAMES = {
    "SMALLINT": "SMALLINT",
    "INTEGER": "INTEGER",
    "INT": "INTEGER",
    "BIGINT": "BIGINT",
    "DECIMAL": "DECIMAL",
    "DEC": "DECIMAL",
    "NUMERIC": "DECIMAL",
    "NUM": "DECIMAL",
    "REAL": "REAL",
    "DOUBLE": "DOUBLE",
    "DOUBLE PRECISION": "DOUBLE",
    "FLOAT": "DOUBLE",
    "CHAR": "CHAR",
    "CHARACTER": "CHAR",
    "VARCHAR": "VARCHAR",
    "CHAR VARYING": "VARCHAR",
    "CHARACTER VARYING": "VARCHAR",
    "CLOB": "CLOB",
    "CHAR LARGE OBJECT": "CLOB",
    "CHARACTER LARGE OBJECT": "CLOB",
    "BLOB": "BLOB",
    "BINARY LARGE OBJECT": "BLOB",
    "BINARY": "BINARY",
    "VARBINARY": "VARBINARY",
    "BINARY VARYING": "VARBINARY",
    "DATE": "DATE",
    "TIME": "TIME",
    "TIMESTAMP": "TIMESTAMP",
    "BOOLEAN": "BOOLEAN",
}
"""Every spelling of a type, and the name in SqlType."""

LENGTHS = {"CHAR": (1, 255), "BINARY": (1, 255), "VARCHAR": (None, MOST_VARCHAR), "VARBINARY": (None, MOST_VARCHAR)}
LENGTHS |= {"CLOB": (1 << 20, MOST_CLOB), "BLOB": (1 << 20, MOST_CLOB), "TIMESTAMP": (6, 12)}
"""The length that a type has when none is given (None: it must be given), and the greatest."""

DIGITS = {"SMALLINT": 5, "INTEGER": 11, "BIGINT": 19}
"""Precision of an integer when it takes part in DECIMAL arithmetic."""

_MULTIPLE = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}
_TYPE = re.compile(
    r"(?P<name>[A-Z]+(?: [A-Z]+)*?)"
    r"(?: ?\( ?(?P<first>\d+) ?(?P<multiple>[KMG]?)(?: ?(?:OCTETS|CODEUNITS32))? ?(?:, ?(?P<second>\d+) ?)?\))?"
    r"(?P<bits> FOR BIT DATA)?(?: CCSID \w+| FOR SBCS DATA| FOR MIXED DATA)?"
)


def parse_type(text: str) -> SqlType:
    """The type that a text such as ``VARCHAR(20) FOR BIT DATA`` names. Raises -104 or -204, -604 for a bad length."""
    match = _TYPE.fullmatch(" ".join(text.upper().split()))
    if match is None:
        raise Db2Error(-104, "42601", text, "AS", "<data type>")
    name = NAMES.get(match["name"])
    if name is None:
        raise Db2Error(-204, "42704", match["name"])
    first = None if match["first"] is None else int(match["first"]) * _MULTIPLE[match["multiple"]]
    if name == "DECIMAL":
        return _decimal(text, 5 if first is None else first, int(match["second"] or 0))
    if name == "DOUBLE" and first is not None and first <= 24:
        return REAL
    if name not in LENGTHS:
        return SqlType(name)
    usual, most = LENGTHS[name]
    length = usual if first is None else first
    if length is None or length > most or (length < 1 and name != "TIMESTAMP"):
        raise Db2Error(-604, "42611", text)
    return SqlType(name, min(length, MOST_CLOB), 0, bool(match["bits"]))


def _decimal(text: str, precision: int, scale: int) -> SqlType:
    if not 1 <= precision <= MOST_DIGITS or scale > precision:
        raise Db2Error(-604, "42611", text)
    return SqlType("DECIMAL", precision, scale)


def duck_type(kind: SqlType) -> str:
    """The DuckDB type that holds values of a type."""
    if kind.name == "DECIMAL":
        return f"DECIMAL({kind.length},{kind.scale})"
    if is_binary(kind):
        return "BLOB"
    if kind.name in {"CHAR", "VARCHAR", "CLOB"}:
        return "VARCHAR"
    return kind.name


def is_binary(kind: SqlType) -> bool:
    return kind.bit_data or kind.name in {"BLOB", "BINARY", "VARBINARY"}


def is_datetime(kind: SqlType) -> bool:
    return kind.name in {"DATE", "TIME", "TIMESTAMP"}


def varchar(length: int, bit_data: bool = False) -> SqlType:
    return SqlType("VARCHAR", min(length, MOST_VARCHAR), 0, bit_data)


def char(length: int, bit_data: bool = False) -> SqlType:
    return SqlType("CHAR", length, 0, bit_data)


def decimal(precision: int, scale: int) -> SqlType:
    return SqlType("DECIMAL", precision, scale)


def as_decimal(kind: SqlType) -> SqlType:
    """An integer as the DECIMAL that it is in arithmetic with one; a DECIMAL as it is."""
    return kind if kind.name == "DECIMAL" else decimal(DIGITS[kind.name], 0)


def printed_length(kind: SqlType) -> int:
    """Bytes that a value takes as text."""
    fixed = {"SMALLINT": 6, "INTEGER": 11, "BIGINT": 20, "REAL": 24, "DOUBLE": 24, "BOOLEAN": 5}
    fixed |= {"DATE": 10, "TIME": 8, "TIMESTAMP": 20 + kind.length if kind.length else 19}
    return kind.length + 2 if kind.name == "DECIMAL" else fixed.get(kind.name, kind.length)


def common_type(kinds: Sequence[SqlType]) -> SqlType | None:
    """Return the type of a CASE, COALESCE or set operation over these types, or None if they are incompatible."""
    result = kinds[0]
    for kind in kinds[1:]:
        joined = _common(result, kind)
        if joined is None:
            return None
        result = joined
    return result


def _common(one: SqlType, other: SqlType) -> SqlType | None:
    if one == other:
        return one
    if one.is_number and other.is_number:
        return _common_number(one, other)
    if is_binary(one) == is_binary(other) and _is_string(one) and _is_string(other):
        return _common_string(one, other)
    return _common_datetime(one, other)


def _common_datetime(one: SqlType, other: SqlType) -> SqlType | None:
    """Return the common type of datetimes; text is converted to the date or time type of the other operand."""
    for kind, text in ((one, other), (other, one)):
        if is_datetime(kind) and text.name in {"CHAR", "VARCHAR"} and not text.bit_data:
            return kind
    return TIMESTAMP if {one.name, other.name} in ({"DATE", "TIMESTAMP"}, {"TIMESTAMP"}) else None


def _common_number(one: SqlType, other: SqlType) -> SqlType:
    if one.is_integer and other.is_integer:
        return max(one, other, key=lambda kind: DIGITS[kind.name])
    if {one.name, other.name} & {"REAL", "DOUBLE"}:
        return DOUBLE
    one, other = as_decimal(one), as_decimal(other)
    scale = max(one.scale, other.scale)
    whole = max(one.length - one.scale, other.length - other.scale)
    return decimal(min(MOST_DIGITS, whole + scale), scale)


def _is_string(kind: SqlType) -> bool:
    return is_binary(kind) or kind.name in {"CHAR", "VARCHAR", "CLOB"}


def _common_string(one: SqlType, other: SqlType) -> SqlType:
    order = ("CHAR", "BINARY", "VARCHAR", "VARBINARY", "CLOB", "BLOB")
    name = max(one.name, other.name, key=order.index)
    return SqlType(name, max(one.length, other.length), 0, one.bit_data or other.bit_data)
