"""SQL types and columns as Db2 describes them."""

from dataclasses import dataclass

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
