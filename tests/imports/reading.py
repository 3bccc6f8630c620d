"""Rows that the importer reads from a text, as plain rows."""

import io
import tempfile
from dataclasses import dataclass
from pathlib import Path

from advisor.imports.formats import all_formats
from advisor.imports.lines import Lines
from advisor.imports.reader import read_document
from advisor.imports.readings import Range, Readings, Report

Rows = dict[str, list[dict[str, str]]]


@dataclass(frozen=True)
class Reading:
    """The rows by source with only the columns that have a value, the reports, and the treatment of the lines."""

    rows: Rows
    reports: list[Report]
    ranges: list[Range]


def reading(text: str | bytes, name: str = "text") -> Reading:
    """Read a text with every format."""
    content = text if isinstance(text, bytes) else text.encode()
    with tempfile.TemporaryDirectory() as folder:
        readings = Readings(Path(folder))
        read_document(name, Lines(io.BufferedReader(io.BytesIO(content))), readings, all_formats())
        readings.add_events()
        rows = {source: found for source in readings.store.read if (found := stored_rows(readings, source))}
        readings.close()
        return Reading(rows, readings.reports, readings.ranges)


def stored_rows(readings: Readings, source: str) -> list[dict[str, str]]:
    """Return the rows of a source as text."""
    readings.store.flush()
    cursor = readings.store.connection.execute(f"SELECT * FROM F_{source}")
    return [
        {name: str(value) for (name, *_), value in zip(cursor.description, row, strict=True) if value is not None}
        for row in cursor
    ]
