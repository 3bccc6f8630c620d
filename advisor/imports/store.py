"""The rows of an import in an embedded SQLite database: tables F_<SOURCE> with the input, O_<SOURCE> with the output.

SQLite keeps a bounded part of its file in memory, so the rows may exceed memory. Nothing is committed: the file is
temporary, and a failed import leaves nothing to undo.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from advisor.imports.sources import SETTINGS, all_sources

if TYPE_CHECKING:
    from apsw import Connection

Value = str | int | float | None

MEMORY = 64 << 20  # bytes of the file that are kept in memory
NTH = "NTH"  # number of the command, in the row of a setting

_BITS = {"SMALLINT": 15, "INTEGER": 31, "BIGINT": 63}
_LARGEST = 1.7976931348623157e308


def open_database(path: Path | str) -> "Connection":
    """Return an empty database in a new file."""
    import apsw

    connection = apsw.Connection(str(path))
    connection.execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE")
    connection.execute(f"PRAGMA cache_size = -{MEMORY >> 10}; BEGIN")
    connection.create_scalar_function("MOMENT", parse_moment, 1, deterministic=True)
    return connection


class Store:
    """The tables F_<SOURCE>, each created with its first row. ``columns`` are those that were read, by source."""

    def __init__(self, path: Path) -> None:
        self.connection = open_database(path)
        self.columns: dict[str, set[str]] = {}
        self._inserts: dict[tuple[str, ...], str] = {}
        self._row: tuple[Value, ...] = ()

    def add(self, number: int, source: str, columns: Sequence[str], rows: Iterable[Iterable[Value]]) -> None:
        """Add rows of a report. A value that is not of its column's type is NULL, and so is an empty text."""
        shape = (source, *columns)
        insert = self._inserts.get(shape) or self._prepare(shape)
        remaining = self._number_rows(number, rows)
        while not self._insert_until_refused(insert, remaining):
            self.connection.execute(insert, _convert_row(source, columns, self._row))

    def _insert_until_refused(self, insert: str, rows: Iterator[tuple[Value, ...]]) -> bool:
        """Insert rows; return False if the last one has a value of another type."""
        from apsw import ConstraintError

        try:
            self.connection.executemany(insert, rows)
        except (ConstraintError, OverflowError):
            return False
        return True

    def _number_rows(self, number: int, rows: Iterable[Iterable[Value]]) -> Iterator[tuple[Value, ...]]:
        for row in rows:
            self._row = found = (number, *row)
            yield found

    def _prepare(self, shape: tuple[str, ...]) -> str:
        source, *columns = shape
        if source not in self.columns:
            self.columns[source] = set()
            self.connection.execute(define_input(source))
        self.columns[source].update(columns)
        types = _types(source)
        values = ["MOMENT(?)" if types[name] == "TIMESTAMP" else "NULLIF(?, '')" for name in columns]
        insert = f"INSERT INTO F_{source} ({', '.join(['REPORT', *columns])}) VALUES ({', '.join(['?', *values])})"
        self._inserts[shape] = insert
        return insert


@cache
def define_input(source: str) -> str:
    """Return the statement that creates F_<SOURCE>, which refuses values that are not of their column's type."""
    columns = [f"{name} {_declare(name, type)}" for name, type in _types(source).items()]
    return f"CREATE TABLE F_{source} (REPORT INTEGER, {', '.join(columns)}) STRICT"


@cache
def define_output(source: str) -> str:
    """Return the statement that creates O_<SOURCE>, with one row for each key and snapshot."""
    keys = ", ".join(["SNAP_ID", *all_sources()[source].names("key")])
    columns = [f"{name} {_affinity(type)}" for name, type in _types(source).items() if name != NTH]
    return f"CREATE TABLE O_{source} (SNAP_ID INTEGER, {', '.join(columns)}, PRIMARY KEY ({keys}))"


@cache
def _types(source: str) -> dict[str, str]:
    types = {column.name: column.type for column in all_sources()[source].columns}
    return types | ({NTH: "BIGINT"} if source in SETTINGS else {})


def _affinity(type: str) -> str:
    return "INTEGER" if type in _BITS else "REAL" if type == "DOUBLE" else "TEXT"


def _declare(name: str, type: str) -> str:
    if type == "DOUBLE":
        return f"REAL CHECK ({name} BETWEEN -{_LARGEST} AND {_LARGEST})"
    if type in ("SMALLINT", "INTEGER"):
        most = 1 << _BITS[type]
        return f"INTEGER CHECK ({name} BETWEEN -{most} AND {most - 1})"
    return _affinity(type)


def _convert_row(source: str, columns: Sequence[str], row: tuple[Value, ...]) -> list[Value]:
    types = _types(source)
    return [row[0], *(_convert(types[name], value) for name, value in zip(columns, row[1:], strict=True))]


def _convert(type: str, value: Value) -> Value:
    """Return a value of a column's type: rounded, or None if it is not a number or not in the type's range."""
    if value is None or _affinity(type) == "TEXT":
        return None if value is None else str(value)
    try:
        number = Decimal(str(value))
    except InvalidOperation:
        return None
    if not (number.is_finite() and str(value).isascii()):
        return None
    if type == "DOUBLE":
        return float(number) if math.isfinite(float(number)) else None
    most = 1 << _BITS[type]
    rounded = number.to_integral_value(ROUND_HALF_UP) if abs(number) <= most else number
    return int(rounded) if -most <= rounded < most else None


def parse_moment(text: Any) -> str | None:
    """Return a time as captures have it, or None if the text is not a time."""
    try:
        return format_moment(datetime.fromisoformat(str(text).strip()))
    except ValueError:
        return None


def format_moment(moment: datetime) -> str:
    """Return a time of the server as captures have it: without its time zone and without zeros at its end."""
    text = str(moment.replace(tzinfo=None))
    return text.rstrip("0") if moment.microsecond else text
