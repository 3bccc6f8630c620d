"""How many bytes a row takes in a page, by the rules of CREATE TABLE."""

from collections.abc import Iterable

from tests.standin.errors import Db2Error
from tests.standin.objects.definitions import TableColumn
from tests.standin.types import SqlType

ROW_LIMIT = {4: 4005, 8: 8101, 16: 16293, 32: 32677}  # bytes of a row, by the page size in KB
COLUMN_LIMIT = {4: 500, 8: 1012, 16: 1012, 32: 1012}
FIXED = {"SMALLINT": 2, "INTEGER": 4, "BIGINT": 8, "REAL": 4, "DOUBLE": 8, "DATE": 4, "TIME": 3, "BOOLEAN": 1}
# greatest length of a LOB: bytes of its descriptor in the row
DESCRIPTORS = (
    (1024, 68),
    (8192, 92),
    (65536, 116),
    (524000, 140),
    (4190000, 164),
    (134000000, 196),
    (536000000, 220),
    (1070000000, 252),
    (1470000000, 276),
    (2147483647, 312),
)
LOB_OVERHEAD = 4


def width(of: SqlType) -> int:
    """Return the bytes of a value in its row, without the null indicator."""
    if of.name in FIXED:
        return FIXED[of.name]
    if of.name == "DECIMAL":
        return of.length // 2 + 1
    if of.name == "TIMESTAMP":
        return (of.length + 1) // 2 + 7
    if of.is_lob:
        return LOB_OVERHEAD + next(size for most, size in DESCRIPTORS if of.length <= most)
    return of.length + (4 if of.name in {"VARCHAR", "VARBINARY"} else 0)


def row_width(columns: Iterable[TableColumn]) -> int:
    return sum(width(column.type) + column.nullable for column in columns)


def fits(columns: tuple[TableColumn, ...], page_kb: int) -> bool:
    """Whether a row, and the number of columns, is one that a page of this size takes."""
    return len(columns) <= COLUMN_LIMIT[page_kb] and row_width(columns) <= ROW_LIMIT[page_kb]


def check_width(columns: tuple[TableColumn, ...], page_kb: int, tablespace: str) -> None:
    """-670 if a row does not fit into a page of the table space, -680 if there are too many columns."""
    if len(columns) > COLUMN_LIMIT[page_kb]:
        raise Db2Error(-680, "54011")
    needed = row_width(columns)
    if needed > ROW_LIMIT[page_kb]:
        raise Db2Error(-670, "54010", str(ROW_LIMIT[page_kb]), tablespace, str(needed))
