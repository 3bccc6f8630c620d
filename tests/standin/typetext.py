"""Data types as DDL writes them."""

from tests.standin.errors import Db2Error
from tests.standin.types import SqlType

PLAIN = {
    "SMALLINT": "SMALLINT",
    "INTEGER": "INTEGER",
    "INT": "INTEGER",
    "BIGINT": "BIGINT",
    "REAL": "REAL",
    "DOUBLE": "DOUBLE",
    "DOUBLE PRECISION": "DOUBLE",
    "DATE": "DATE",
    "TIME": "TIME",
    "BOOLEAN": "BOOLEAN",
}
# name as written: Db2's name, length if none is given, greatest length (0: a length is required)
SIZED = {
    "CHAR": ("CHAR", 1, 255),
    "CHARACTER": ("CHAR", 1, 255),
    "VARCHAR": ("VARCHAR", 0, 32672),
    "CHAR VARYING": ("VARCHAR", 0, 32672),
    "CHARACTER VARYING": ("VARCHAR", 0, 32672),
    "CLOB": ("CLOB", 1 << 20, 2147483647),
    "CHAR LARGE OBJECT": ("CLOB", 1 << 20, 2147483647),
    "CHARACTER LARGE OBJECT": ("CLOB", 1 << 20, 2147483647),
    "BLOB": ("BLOB", 1 << 20, 2147483647),
    "BINARY LARGE OBJECT": ("BLOB", 1 << 20, 2147483647),
    "BINARY": ("BINARY", 1, 255),
    "VARBINARY": ("VARBINARY", 0, 32672),
    "BINARY VARYING": ("VARBINARY", 0, 32672),
}
DECIMALS = {"DECIMAL", "DEC", "NUMERIC", "NUM"}
UNITS = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}
LONGEST = 2147483647


def sql_type(name: str, length: int | None, scale: int | None, unit: str | None, bit_data: bool) -> SqlType:
    """Return the type of these words; raise -204 for an unknown type (read as distinct type), -604 for a bad length."""
    if name in PLAIN:
        return SqlType(PLAIN[name])
    if name in DECIMALS:
        return _decimal(5 if length is None else length, scale or 0)
    if name == "FLOAT":
        return SqlType("REAL" if length is not None and length <= 24 else "DOUBLE")
    if name == "TIMESTAMP":
        return SqlType("TIMESTAMP", 6 if length is None else _within(length, 0, 12, name))
    if name not in SIZED:
        raise Db2Error(-204, "42704", name)
    kind, default, most = SIZED[name]
    if length is None:
        length = default
    elif unit in UNITS:
        length = min(length * UNITS[unit], LONGEST)
    return SqlType(kind, _within(length, 1, most, name), bit_data=bit_data)


def _decimal(precision: int, scale: int) -> SqlType:
    _within(precision, 1, 31, "DECIMAL")
    return SqlType("DECIMAL", precision, _within(scale, 0, precision, "DECIMAL"))


def _within(length: int, least: int, most: int, name: str) -> int:
    if not least <= length <= most:
        raise Db2Error(-604, "42611", name)
    return length


def duckdb_type(of: SqlType) -> str:
    """The type of a column in DuckDB that holds values of this type; lengths are checked at assignment."""
    if of.name in {"BLOB", "BINARY", "VARBINARY"} or of.bit_data:
        return "BLOB"
    if of.name in {"CHAR", "VARCHAR", "CLOB"}:
        return "VARCHAR"
    if of.name == "DECIMAL":
        return f"DECIMAL({of.length},{of.scale})"
    return of.name
