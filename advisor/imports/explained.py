"""Readings that record the values taken from each line, for ``--explain``."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from advisor.imports.lines import Lines
from advisor.imports.readings import Readings, Report
from advisor.imports.shown import Value, format_row

MAX_RECORDED = 20_000  # rows that are recorded
MAX_ROWS_TOGETHER = 3  # of the rows that a table adds at once


@dataclass(frozen=True)
class Taken:
    """The value taken from a line; for an object or a table, its last line."""

    document: str
    line: int
    text: str


@dataclass
class ExplainedReadings(Readings):
    """Readings with the values taken, in the order of the lines. ``lines`` are those being read."""

    taken: list[Taken] = field(default_factory=list)
    lines: Lines | None = None

    def row(self, report: Report, source: str, values: Mapping[str, Value], line: int | None = None) -> None:
        self._take(report, format_row(source, values), line)
        super().row(report, source, values)

    def rows(self, report: Report, source: str, columns: Sequence[str], rows: Iterable[Sequence[str | None]]) -> None:
        super().rows(report, source, columns, self._record_rows(report, source, columns, rows))

    def is_already_set(self, what: tuple[str | None, ...], value: object) -> bool:
        return False  # every line must be explained

    def _record_rows(
        self, report: Report, source: str, columns: Sequence[str], rows: Iterable[Sequence[str | None]]
    ) -> Iterable[Sequence[str | None]]:
        for number, row in enumerate(rows):
            if number < MAX_ROWS_TOGETHER:
                self._take(report, format_row(source, dict(zip(columns, row, strict=True))))
            yield row

    def _take(self, report: Report, text: str, line: int | None = None) -> None:
        if len(self.taken) < MAX_RECORDED:
            number = line or (self.lines.number if self.lines else 0)
            self.taken.append(Taken(report.document, number, text))
