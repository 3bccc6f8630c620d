"""Checked rows in the tables of snapshots."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from advisor.catalogue.sources import Source
from advisor.errors import UserError

if TYPE_CHECKING:
    from advisor.catalogue.embedded import Tables

LONGEST = 60  # characters of a value in a message
_HEX = re.compile(r"(?:TEXT-)?[0-9A-Fa-f]+")
_BITS = {"SMALLINT": 15, "INTEGER": 31, "BIGINT": 63}

Row = Sequence[Any]


def load_rows(tables: "Tables", source: Source, columns: Sequence[str], rows: Iterable[Row]) -> None:
    """Fill the table of a source. Values may be texts; None is NULL.

    Raise UserError for the first row with a wrong value or with the key of another row.
    """
    import apsw

    reading = _Reading(source, columns, rows)
    try:
        tables.insert(source.table.removeprefix("TUNE."), columns, reading)
    except apsw.ConstraintError as error:
        raise UserError(reading.explain(error)) from None


class _Reading:
    """The rows on their way into the table; the last one is remembered, to explain its fault."""

    def __init__(self, source: Source, columns: Sequence[str], rows: Iterable[Row]) -> None:
        self._source, self._columns, self._rows = source, columns, rows
        self._types = {"SNAP_ID": "INTEGER"} | {column.name: column.type for column in source.columns}
        hexadecimal = {column.name for column in source.columns if column.is_hex}
        self._changes: list[tuple[int, Callable[[Any], Any]]] = [
            (place, _keep_hexadecimal if name in hexadecimal else _read_timestamp)
            for place, name in enumerate(columns)
            if name in hexadecimal or self._types[name] == "TIMESTAMP"
        ]
        self._last: Row = ()

    def __iter__(self) -> Iterator[Row]:
        for row in self._rows:
            self._last = row
            yield self._change(row) if self._changes else row

    def _change(self, row: Row) -> Row:
        changed = list(row)
        try:
            for place, change in self._changes:
                changed[place] = change(changed[place])
        except ValueError as error:
            raise UserError(self.explain(error)) from None
        self._last = changed
        return changed

    def explain(self, error: Exception) -> str:
        """Return the fault of the last row."""
        source, key = self._source, ", ".join(self._source.names("key"))
        for name, value in zip(self._columns, self._last, strict=True):
            if value is None:
                if name in source.names("key"):
                    return f"a row's key ({key}) is missing or damaged; capture {source.name} again"
            elif not _fits(self._types[name], value):
                return (
                    f"{name} {str(value)[:LONGEST]!r} is not of type {self._types[name]}; capture {source.name} again"
                )
        if "UNIQUE" in str(error):
            return f"two rows have the same key ({key}) in one snapshot; remove one"
        return f"{error}; capture {source.name} again"


def _fits(kind: str, value: Any) -> bool:
    try:
        if bits := _BITS.get(kind):
            return -(1 << bits) <= int(str(value)) < 1 << bits
        if kind == "DOUBLE":
            return abs(float(value)) < float("inf")
        if kind == "TIMESTAMP":
            _read_timestamp(value)
    except ValueError:
        return False
    return True


def _keep_hexadecimal(value: str | None) -> str | None:
    """Return an identifier, or None if it is not hexadecimal: commands contain it in quotes."""
    return value if value is not None and _HEX.fullmatch(value) else None


def _read_timestamp(value: str | datetime | None) -> str | None:
    """Return a time in the form that sorts by time. Raise ValueError for another text."""
    return None if value is None else str(datetime.fromisoformat(str(value)).replace(tzinfo=None))
