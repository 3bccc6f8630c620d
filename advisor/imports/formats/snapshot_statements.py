"""The statements of ``get snapshot for dynamic sql``: each is identified by its text, since its id is not printed.

A text extends over lines, until one is empty. Statements with one text (compiled in several environments) are added up.
"""

from collections.abc import Iterable

from advisor.imports.cells import make_executable_id, make_text_columns, microseconds, total_of
from advisor.imports.formats.snapshot_reports import NAME, Reports
from advisor.imports.labels import OBJECT, REPORT, Begins, Labels, Row, Spellings
from advisor.imports.reader import Part

SECTION = "statement"

_MOST_WAITING = 20_000  # statements that are added up; beyond, one of each text is taken
_TEXT = "STMT_TEXT", "STMT_TEXT_LENGTH", "EXECUTABLE_ID"


class StatementReading:
    """One section: its attributes, and the current statement."""

    def __init__(self, part: Part, reports: Reports, section: Labels, labels: Spellings) -> None:
        self._part = part
        self._reports = reports
        self._section = section
        self._labels = labels
        self._values: dict[str, str] = {}
        self._said: Row | None = None  # attributes of the section, after the first statement has started
        self._text: list[str] = []
        self._ended = False  # an empty line followed the text
        self._doubtful = False  # and after it text that may belong to it
        self._found: dict[str, Row] = {}

    def read(self) -> None:
        """Take the lines of the section, up to the first that does not belong to it."""
        lines, plain = self._part.lines, self._labels.plain
        for line in lines:
            spelling, equals, text = line.partition("=")
            label: str | Begins | None = plain.get(spelling) if equals else None
            if equals and label is None:
                label = self._labels.find(spelling)
            if isinstance(label, Begins) and label.what == "object":
                self._begin(label.label, text)
            elif self._text and not self._ended:
                if self._is_heading(line):
                    lines.push_back()
                    break
                self._ended = not line.strip()
                self._text.append(line)
            elif isinstance(label, Begins):
                self._text = [text]
            elif label:
                self._values.setdefault(label, text)
                lines.take(plain, self._values)  # quicker than one by one
            elif line.strip() and spelling not in plain:
                if self._part.starts(line):
                    lines.push_back()
                    break
                self._doubtful = self._ended
                if equals:
                    self._labels.remember(spelling, "")
        self._end()
        self._write(self._found.values())

    def _is_heading(self, line: str) -> bool:
        found = self._part.starts(line)
        return found is not None and found.name == NAME

    def _begin(self, label: str, text: str) -> None:
        if self._said is None:
            self._said = self._section.rows(self._values)[REPORT]
        else:
            self._end()
        self._values, self._text, self._ended, self._doubtful = {label: text}, [], False, False

    def _end(self) -> None:
        """Store the values of a statement."""
        text = "\n".join(line.rstrip() for line in self._text).strip()
        if self._said is None or not text:
            return
        rows = self._section.rows(self._values)
        row, times = rows[SECTION], rows[OBJECT]
        cpu = total_of(microseconds(times.get(name, "")) for name in ("user_cpu", "system_cpu"))
        if cpu is not None:
            row["TOTAL_CPU_TIME"] = cpu
        row |= make_text_columns(text, complete=not self._doubtful) | {"EXECUTABLE_ID": make_executable_id(text)}
        known = self._found.get(row["EXECUTABLE_ID"])
        if known is not None:
            known |= {
                name: str(int(value) + int(known.get(name, 0))) for name, value in row.items() if name not in _TEXT
            }
        elif len(self._found) < _MOST_WAITING:
            self._found[row["EXECUTABLE_ID"]] = row
        else:
            self._write([row])

    def _write(self, rows: Iterable[Row]) -> None:
        if self._said is None:
            return
        report = self._reports.find_report(SECTION, self._said)
        for row in rows:
            self._part.readings.row(report, SECTION, row)
