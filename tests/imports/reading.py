"""Rows that the importer reads from a text, as plain rows."""

import io
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from advisor.imports.formats import all_formats
from advisor.imports.lines import Lines
from advisor.imports.reader import read_document
from advisor.imports.readings import Range, Readings, Report
from advisor.imports.store import Value

Rows = dict[str, list[dict[str, str]]]


@dataclass(frozen=True)
class Reading:
    """The rows by source with only the columns that have a value, the reports, and the treatment of the lines."""

    rows: Rows
    reports: list[Report]
    ranges: list[Range]


class RecordedReadings(Readings):
    """Readings that keep the text of all rows as the formats give it."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.given: Rows = {}

    def row(self, report: Report, source: str, values: Mapping[str, Value], line: int | None = None) -> None:
        self._record(report, source, values)
        super().row(report, source, values, line)

    def rows(self, report: Report, source: str, columns: Sequence[str], rows: Iterable[Sequence[str | None]]) -> None:
        super().rows(report, source, columns, self._record_rows(report, source, columns, rows))

    def _record_rows(
        self, report: Report, source: str, columns: Sequence[str], rows: Iterable[Sequence[str | None]]
    ) -> Iterator[Sequence[str | None]]:
        for row in rows:
            self._record(report, source, dict(zip(columns, row, strict=True)))
            yield row

    def _record(self, report: Report, source: str, values: Mapping[str, Value]) -> None:
        row = {"REPORT": report.number, **values}
        found = {name: str(value) for name, value in row.items() if value not in (None, "")}
        self.given.setdefault(source, []).append(found)


def reading(text: str | bytes, name: str = "text") -> Reading:
    """Read a text with every format."""
    content = text if isinstance(text, bytes) else text.encode()
    with tempfile.TemporaryDirectory() as folder:
        readings = RecordedReadings(Path(folder))
        read_document(name, Lines(io.BufferedReader(io.BytesIO(content))), readings, all_formats())
        readings.add_events()
        readings.close()
        return Reading(readings.given, readings.reports, readings.ranges)
