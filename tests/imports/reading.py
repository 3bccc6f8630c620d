"""Rows that the importer reads from a text, and rows of the capture that it makes of texts."""

import csv
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
from advisor.imports.texts import Known, import_texts

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


def without_report(found: Iterable[dict[str, str]]) -> list[dict[str, str]]:
    return [{name: value for name, value in row.items() if name != "REPORT"} for row in found]


def rows_of(text: str, source: str) -> list[dict[str, str]]:
    """Return the rows that a text gives for a source."""
    return without_report(reading(text).rows.get(source, []))


def reasons(text: str) -> list[str]:
    """Return why lines of a text were ignored."""
    return [item.why for item in reading(text).ranges if item.why]


def rows_in(folder: Path, source: str) -> list[dict[str, str]]:
    """Return the rows of a source in a capture; none if it lacks the source."""
    path = folder / f"{source}.csv"
    if not path.exists():
        return []
    with path.open(encoding="utf-8", newline="") as file:
        return [*csv.DictReader(file)]


@dataclass(frozen=True)
class Captured:
    """A capture of texts, and the notes of the import."""

    folder: Path
    notes: list[str]

    def rows(self, source: str) -> list[dict[str, str]]:
        return rows_in(self.folder, source)


def captured(folder: Path, *texts: str | Path, **known: str) -> Captured:
    """Import texts, or their files, in this order."""
    target = Path(tempfile.mkdtemp(dir=folder))
    paths = []
    for number, text in enumerate(texts):
        if isinstance(text, str):
            path = folder / f"{9 - number}.txt"  # by name they would be in the opposite order
            path.write_text(text, encoding="utf-8")
        paths.append(path if isinstance(text, str) else text)
    return Captured(target, import_texts(paths, target, Known(**known)).notes)
