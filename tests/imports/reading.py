"""Rows that the importer reads from a text, as plain rows."""

import csv
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
        readings.close()
        rows: Rows = {}
        for shape, path in readings.files.items():
            with path.open(encoding="utf-8", newline="") as file:
                for row in csv.DictReader(file):
                    rows.setdefault(shape[0], []).append({key: value for key, value in row.items() if value != ""})
        return Reading(rows, readings.reports, readings.ranges)
