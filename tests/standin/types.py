"""SQL types and columns as Db2 describes them, and data types as DDL writes them."""

from dataclasses import dataclass

from tests.standin.errors import Db2Error

LONGEST_NAME = 128  # bytes (r0001029)


@dataclass(frozen=True)
class SqlType:
    """A Db2 type.

    ``name`` is one of SMALLINT, INTEGER, BIGINT, DECIMAL, REAL, DOUBLE, CHAR, VARCHAR, CLOB, BLOB, BINARY,
    VARBINARY, DATE, TIME, TIMESTAMP, BOOLEAN. ``length`` is bytes of text and LOBs, digits of a DECIMAL,
    fractional digits of a TIMESTAMP; ``bit_data`` marks CHAR and VARCHAR FOR BIT DATA.
    """

    name: str
    length: int = 0
    scale: int = 0
    bit_data: bool = False

    @property
    def is_lob(self) -> bool:
        return self.name in {"CLOB", "BLOB"}

    @property
    def is_text(self) -> bool:
        return self.name in {"CHAR", "VARCHAR", "CLOB"} and not self.bit_data

    @property
    def is_number(self) -> bool:
        return self.name in {"SMALLINT", "INTEGER", "BIGINT", "DECIMAL", "REAL", "DOUBLE"}

    @property
    def is_integer(self) -> bool:
        return self.name in {"SMALLINT", "INTEGER", "BIGINT"}

    def __str__(self) -> str:
        if self.name == "DECIMAL":
            return f"DECIMAL({self.length},{self.scale})"
        if self.name == "TIMESTAMP":
            return "TIMESTAMP" if self.length == 6 else f"TIMESTAMP({self.length})"
        if self.name in {"CHAR", "VARCHAR", "CLOB", "BLOB", "BINARY", "VARBINARY"}:
            return f"{self.name}({self.length})" + (" FOR BIT DATA" if self.bit_data else "")
        return self.name


@dataclass(frozen=True)
class Column:
    """A column of a table or result, a parameter or a variable. Statements cannot set a ``generated`` column."""

    name: str
    type: SqlType
    nullable: bool = True
    generated: bool = False


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
