"""The rows of an import in an embedded SQLite database: tables F_<SOURCE> with the input, O_<SOURCE> with the output.

SQLite keeps a bounded part of its file in memory, so the rows may exceed memory. Nothing is committed: the file is
temporary, and a failed import leaves nothing to undo.
"""

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation
from functools import cache
from pathlib import Path
from typing import Any

from advisor.catalogue.sources import Source
from advisor.imports.sources import SETTINGS, all_sources

Value = str | int | float | None

MEMORY = 64 << 20  # bytes of the file that are kept in memory
MOST_ROWS = 1000  # that are inserted together
MOST_SHAPES = 500  # sets of columns with an own statement; further rows have all columns of their source
NTH = "NTH"  # number of the command, in the row of a setting

_BITS = {"SMALLINT": 15, "INTEGER": 31, "BIGINT": 63}
_LARGEST = 1.7976931348623157e308


@cache
def load_script(name: str) -> str:
    """Return a script of sql/."""
    return Path(__file__).with_name("sql").joinpath(f"{name}.sql").read_text(encoding="utf-8")


@cache
def _words() -> frozenset[str]:
    """Return the words of all scripts, among them the columns that they need."""
    paths = Path(__file__).with_name("sql").glob("*.sql")
    return frozenset(word for path in paths for word in re.findall(r"\w+", path.read_text(encoding="utf-8")))


class Store:
    """The database of an import. ``read`` has the columns that were read, by source.

    A table has the key, the columns of the scripts, and the columns that were read: fewer columns make it faster.
    """

    def __init__(self, path: Path) -> None:
        import apsw

        self.connection = apsw.Connection(str(path), statementcachesize=2 * MOST_SHAPES)
        self.connection.execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE")
        self.connection.execute(f"PRAGMA cache_size = -{MEMORY >> 10}; BEGIN")
        functions: tuple[Any, ...] = (parse_moment, fit, format_number)
        for function in functions:
            self.connection.create_scalar_function(function.__name__, function, deterministic=True)
        self.read: dict[str, set[str]] = {}
        self._columns: dict[str, list[str]] = {}  # of the tables
        self._inserts: dict[tuple[str, ...], str] = {}
        self._rows: dict[str, list[tuple[Value, ...]]] = defaultdict(list)  # by source, not yet inserted
        self._waiting: dict[str, str] = {}  # the statement that inserts them

    def add(self, number: int, source: str, columns: Sequence[str], rows: Iterable[Iterable[Value]]) -> None:
        """Add rows of a report. An empty text is NULL."""
        self._flush(source)
        insert = self._inserts.get((source, *columns)) or self._prepare(source, columns)
        self.connection.executemany(insert, ((number, *row) for row in rows))

    def add_row(self, number: int, source: str, values: Mapping[str, Value]) -> None:
        """Add one row of a report, which is inserted together with its neighbours."""
        insert = self._inserts.get((source, *values))
        if insert is None:
            if len(self._inserts) >= MOST_SHAPES:
                values = {**dict.fromkeys(_types(source)), **values}
            insert = self._prepare(source, tuple(values))
        if insert is not self._waiting.get(source) or len(self._rows[source]) >= MOST_ROWS:
            self._flush(source)
            self._waiting[source] = insert
        self._rows[source].append((number, *values.values()))

    def _flush(self, source: str) -> None:
        """Insert the rows of a source that are still in memory."""
        rows = self._rows.pop(source, [])
        if not rows:
            return
        insert, before = self._waiting[source], self.connection.total_changes()
        try:
            self.connection.executemany(insert, rows)
        except OverflowError:  # a number of more than 64 bits, which is valid as a text
            left = rows[self.connection.total_changes() - before :]
            self.connection.executemany(
                insert, ([None if value is None else str(value) for value in row] for row in left)
            )

    def _prepare(self, source: str, columns: Sequence[str]) -> str:
        self.read.setdefault(source, set()).update(columns)
        self._define(source, columns)
        forms = {"TIMESTAMP": "parse_moment(?)", "DOUBLE": "?", **dict.fromkeys(_BITS, "?")}
        values = [forms.get(_types(source)[name], "NULLIF(?, '')") for name in columns]
        insert = f"INSERT INTO F_{source} ({', '.join(['REPORT', *columns])}) VALUES ({', '.join(['?', *values])})"
        self._inserts[(source, *columns)] = insert
        return insert

    def _define(self, source: str, columns: Iterable[str]) -> None:
        """Give F_<SOURCE> these columns."""
        known = self._columns.get(source)
        if known is None:
            keys = all_sources()[source].names("key")
            known = self._columns[source] = [
                name for name in _types(source) if name in keys or name in columns or name in _words()
            ]
            self.connection.execute(f"CREATE TABLE F_{source} (REPORT INTEGER, {_declare(source, known)})")
        for name in columns:
            if name not in known:
                self.connection.execute(f"ALTER TABLE F_{source} ADD COLUMN {_declare(source, [name])}")
                known.append(name)

    def complete(self) -> dict[str, Source]:
        """Create the tables that are missing, and fit all values to the types. Return the sources with their columns."""
        found = {}
        for name, source in all_sources().items():
            self._flush(name)
            self._define(name, ())
            columns = tuple(column for column in source.columns if column.name in self._columns[name])
            found[name] = replace(source, columns=columns)
            keys = ", ".join(["SNAP_ID", *source.names("key")])
            declared = _declare(name, [column.name for column in columns])
            self.connection.execute(f"CREATE TABLE O_{name} (SNAP_ID INTEGER, {declared}, PRIMARY KEY ({keys}))")
            if name in self.read:
                self._fit(name)
        return found

    def _fit(self, source: str) -> None:
        """Fit the values of F_<SOURCE> to the types of their columns, which SQLite does not enforce."""
        types = {name: type for name, type in _types(source).items() if name in self.read[source]}
        if wrong := " OR ".join(filter(None, (_find_wrong(name, type) for name, type in types.items()))):
            fitted = ", ".join(f"{name} = fit({name}, '{type}')" for name, type in types.items())
            self.connection.execute(f"UPDATE F_{source} SET {fitted} WHERE {wrong}")


@cache
def _types(source: str) -> dict[str, str]:
    types = {column.name: column.type for column in all_sources()[source].columns}
    return types | ({NTH: "BIGINT"} if source in SETTINGS else {})


def _affinity(type: str) -> str:
    return "INTEGER" if type in _BITS else "REAL" if type == "DOUBLE" else "TEXT"


def _declare(source: str, columns: Iterable[str]) -> str:
    return ", ".join(f"{name} {_affinity(_types(source)[name])}" for name in columns)


def _find_wrong(name: str, type: str) -> str | None:
    """Return the condition for values that are not of a column's type."""
    if type == "DOUBLE":
        return f"{name} NOT BETWEEN -{_LARGEST} AND {_LARGEST}"  # a text is larger than every number
    if type not in _BITS:
        return None
    most = 1 << _BITS[type]
    return f"TYPEOF({name}) IN ('text', 'real') OR {name} NOT BETWEEN {-most} AND {most - 1}"


def fit(value: Value, type: str) -> Value:
    """Return a value of a column's type: rounded, or None if it is not a number or not in the type's range."""
    if value is None or _affinity(type) == "TEXT":
        return value
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


def format_number(number: float | None) -> str | None:
    """Return a number as captures have it."""
    return None if number is None else repr(number)
