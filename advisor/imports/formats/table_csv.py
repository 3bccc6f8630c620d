"""CSV files of monitor functions and views, with the names of the columns in the first line.

Tools write commas, semicolons (and then decimal commas) or tabs. The output of EXPORT has no names and is not
recognised.
"""

import csv
import re
from collections.abc import Iterator

from advisor.imports.reader import Format, Part
from advisor.imports.table_rows import Plan, Table
from advisor.imports.tables import count_known, recognise

_DELIMITERS = "\t;,|"
_NAME = re.compile(r"[^\W\d][\w$#@ .]*")
_FIRST = re.compile(r"\ufeff?\"?[A-Za-z][\w$#@.]{0,128}\"?[\t;,|]")
_NULLS = frozenset({"", "NULL", "(null)", "[NULL]", "<null>"})


def _starts(line: str, previous: str) -> bool:
    return _FIRST.match(line) is not None and len(line) < 32_768 and _names(line) is not None


def _names(line: str) -> tuple[str, list[str]] | None:
    """Return the delimiter and the names if a line is the first of a CSV file."""
    delimiter = max(_DELIMITERS, key=line.count)
    names = [name.strip().strip('"').strip().upper() for name in line.split(delimiter)]
    names = [name.rpartition(".")[2] for name in names]
    if len(names) < 2 or count_known(names) < 2 or not all(map(_NAME.fullmatch, names)):
        return None
    return delimiter, names


class _Raw:
    """The lines of a document for the CSV reader, one by one, so that the last can be given back."""

    def __init__(self, part: Part) -> None:
        self._lines = part.lines
        self.line = ""

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        self.line = next(self._lines)
        return self.line + "\n"


def _read(part: Part) -> None:
    lines = part.lines
    found = _names(next(lines).removeprefix("\ufeff"))
    if found is None:
        return
    delimiter, names = found
    raw = _Raw(part)
    rows = csv.reader(raw, delimiter=delimiter)
    begin = lines.number
    first = _read_row(rows)
    plan = recognise(names, None, first or [])
    reader = _Rows(part, raw, plan, len(names))
    reader.read(rows, first)
    if not isinstance(plan, Plan):
        part.ignore(plan, begin)


def _read_row(rows: Iterator[list[str]]) -> list[str] | None:
    """Return the next row; an empty one if it cannot be read, None at the end."""
    try:
        return next(rows, None)
    except csv.Error:  # an opening quote that is never closed
        return []


class _Rows:
    """A reader of the rows of one CSV file; it skips them if none of their values is used."""

    def __init__(self, part: Part, raw: _Raw, plan: Plan | str, count: int) -> None:
        self.part = part
        self.raw = raw
        self.plan = plan
        self.count = count
        self.table = Table(part, plan) if isinstance(plan, Plan) else None
        self.apart = False  # after a blank line

    def read(self, rows: Iterator[list[str]], first: list[str] | None) -> None:
        begin = self.part.lines.number
        row = first
        while row is not None:
            if not self._row(row) and not self._report_odd_row(row, begin):
                break
            begin = self.part.lines.number + 1
            row = _read_row(rows)
        if self.table is not None:
            self.table.close()

    def _row(self, row: list[str]) -> bool:
        if len(row) != self.count or (self.apart and self.part.starts(self.raw.line)):
            return False
        if not isinstance(self.plan, Plan) or self.table is None:
            return True
        cells = ["-" if (cell := row[place].strip()) in _NULLS else cell for place in self.plan.wanted]
        return self.plan.matches(cells) and self.table.add(cells)

    def _report_odd_row(self, row: list[str], begin: int) -> bool:
        """Report a line that is not a row; return False after the last row."""
        lines = self.part.lines
        if not any(row):
            self.apart = self.apart or not row
            return True
        if begin >= lines.number and (self.apart or self.part.starts(self.raw.line)):
            lines.push_back()
            return False
        if isinstance(self.plan, Plan):
            self.part.ignore(f"not a row of {self.plan.view}", begin)
        return True


FORMATS = (Format("CSV", _starts, _read, tuple(_DELIMITERS)),)
