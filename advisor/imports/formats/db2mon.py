"""The report of db2mon (db2mon.sql, db2mon_report.sql), of any age: sections by their id or by their title.

Each table is read by the names of its columns (columns/db2mon.csv). Sections without values for the sources are listed
with the reason (columns/db2mon_sections.csv). Counters cover the interval of the report.
"""

import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from functools import partial

from advisor.imports.formats.db2mon_later import TABLE_SPACES, HitRatios, Statements, TableSpaces
from advisor.imports.formats.db2mon_tables import (
    Field,
    Layout,
    Section,
    Values,
    count,
    has_key,
    is_dashes,
    is_header,
    layout,
    plain_row,
    rows_of,
    seconds_between,
    section_by_header,
    section_of,
    sections,
    titles,
    value_of,
)
from advisor.imports.reader import Format, Part
from advisor.imports.readings import INTERVAL
from advisor.imports.values import moment, platform

NAME = "db2mon"

_BEGINS = "report starts here"
_BEFORE = re.compile(r"\s*(?:by db2mon\.pl version|checking db2mon prerequisites)", re.I)
_OPENINGS = frozenset(text[:3] for text in (*titles(), _BEGINS, "by db2mon.pl", "checking db2mon"))
# The first sections: a second copy of one of them starts another report.
_FIRST = frozenset({"START#TIME", "START#EXSQL", "DB#THRUP"})
_DISTINCT = 4  # words of a title
_SELECTED = " record(s) selected."
_NAMES = re.compile(r"[\w#$@ \t]+")
_LEVEL = re.compile(r"\d+\.\d+(?:\.\d+)*")
# The sources whose tables may have very many rows.
_MANY = frozenset({"index", "table"})
# The first columns, which contain integers: a line that starts otherwise is not a row.
_NUMBERED = frozenset({"MEMBER", "COORD_MEMBER", "TS_DELTA", "ID"})
_ROW = re.compile(r"\s*+[0-9]++\s")


def _starts(line: str, previous: str) -> bool:
    if " = " in line:  # not a heading, like most lines of other reports
        return False
    if line.lstrip()[:3].lower() not in _OPENINGS and "#" not in line:
        return section_by_header(line) is not None
    id = section_of(line)
    if id is not None:
        # A short title alone may belong to another program.
        return "#" in line or previous.lstrip().startswith("====") or len(line.split()) >= _DISTINCT
    return line.strip().lower() == _BEGINS or _BEFORE.match(line) is not None or section_by_header(line) is not None


class _Reader:
    """A reader of one report."""

    def __init__(self, part: Part) -> None:
        self.lines = part.lines
        self.readings = part.readings
        self.part = part
        self.report = part.report(NAME, counts=INTERVAL)
        self.first = part.lines.number + 1
        self.section = ""
        self.expects_table = False
        self.text_width = 0
        self.seen: set[str] = set()
        self.began: datetime | None = None
        self.ended: datetime | None = None
        self.members: int | None = None
        self.cluster = False
        self.databases: set[str] = set()
        self.spaces = TableSpaces()
        self.statements = Statements()
        self.ratios = HitRatios()

    def read(self) -> None:
        header = ""
        for line in self.lines:
            text = line.strip()
            if not text or not text.strip("=#*"):
                continue
            if self._starts_another(line, text):
                self.lines.push_back()
                break
            if (id := section_of(line)) is not None:
                self._enter(id)
                header = ""
            elif is_dashes(line):
                if header.isupper():  # otherwise a remark in a frame
                    self._table(header, line)
                header = ""
            elif self._names_columns(line):
                self._read_headed_table(line, without_dashes=True)
                header = ""
            elif self.expects_table and _NAMES.fullmatch(text):
                header = "" if self._read_headed_table(line, without_dashes=False) else line
            else:
                header = line
                other = self.part.starts(line)
                if other is not None and other.name != NAME:
                    self.lines.push_back()
                    break
        self._finish()

    def _starts_another(self, line: str, text: str) -> bool:
        if text.lower() == _BEGINS:
            return bool(self.seen)
        if not self.seen:
            return False
        return _BEFORE.match(line) is not None or (section_of(line) in _FIRST and section_of(line) in self.seen)

    def _enter(self, id: str) -> None:
        self.section = id
        self.seen.add(id)
        self.expects_table = True

    def _names_columns(self, line: str) -> bool:
        if self.section and is_header(line, self.section):
            return True
        id = section_by_header(line)
        if id is not None and id != self.section:
            self._enter(id)
        return id is not None

    def _read_headed_table(self, header: str, without_dashes: bool) -> bool:
        """Read the table of a header, with or without a line of dashes; return whether there is a table."""
        line = next((line for line in self.lines if line.strip()), None)
        if line is None:
            return False
        dashed = is_dashes(line)
        if not dashed:
            self.lines.push_back()
        if dashed or without_dashes:
            self._table(header, line if dashed else None)
        return dashed or without_dashes

    def _table(self, header: str, dashes: str | None) -> None:
        self.expects_table = False
        section = sections().get(self.section)
        table = layout(self.section, header, dashes)
        self.text_width = table.text_width
        first = self.lines.number + 1
        if section is None:
            self._skip(table)
            if self.section:
                self._record_ignored(first, f"section {self.section} of db2mon is unknown")
            return
        fields = [field for field in section.fields if field.label in table.labels]
        why = _explain_missing_key(fields) if fields else section.why or "no source has any of its columns"
        if why:
            self._skip(table)
            self._record_ignored(first, why)
            return
        if fields[0].source in _MANY and "MEMBER" in table.labels:
            self._read_many_rows(table, fields)
            return
        for line in self._rows(table):
            if fields[0].source == "statement" and self.statements.is_full(fields[0].column):
                self._skip(table)
                break
            cells = table.cells(line)
            if cells is not None:
                self._row(section, fields, dict(zip(table.labels, cells, strict=True)))

    def _record_ignored(self, first: int, why: str) -> None:
        if self.lines.number >= first:
            self.part.ignore(why, first)

    def _rows(self, table: Layout) -> Iterator[str]:
        """Yield the lines of a table that may be rows; the first that certainly is not is given back."""
        numbered = _is_numbered(table)
        for line in self.lines:
            if numbered and (line[:6].strip().isdigit() or "".join(line.split(None, 1)[:1]).isdigit()):
                if _SELECTED not in line[:60]:
                    yield line
            elif self._is_end(line, table):
                self.lines.push_back()
                return
            elif not numbered and line.strip():
                yield line

    def _is_end(self, line: str, table: Layout) -> bool:
        text = line.strip()
        if not text:
            return False
        if (
            text[0] in "=#"
            or is_dashes(line)
            or _SELECTED in text[:60]
            or text.lower() == _BEGINS
            or section_of(line) is not None
            or self._names_columns(line)
        ):
            return True
        return not table.has_blanks_between(line) and self.part.starts(line) is not None

    def _skip(self, table: Layout) -> None:
        """Skip the lines of a table."""
        if _is_numbered(table):
            for _ in self.lines.matching(_ROW):
                pass
        for _ in self._rows(table):
            pass

    def _read_many_rows(self, table: Layout, fields: list[Field]) -> None:
        """Read a table of very many rows; plain rows, the usual case, are taken at once."""
        source, plain = fields[0].source, plain_row(table.labels, fields)
        write = partial(self.readings.rows, self.report, source, plain.columns)
        write(plain.read(self.lines))
        for line in self._rows(table):
            cells = table.cells(line)
            if cells is not None:
                values = rows_of(fields, dict(zip(table.labels, cells, strict=True)), None).get(source)
                if values is not None:
                    self.readings.rows(
                        self.report, source, plain.columns, [[values.get(name) for name in plain.columns]]
                    )
            write(plain.read(self.lines))

    def _row(self, section: Section, fields: list[Field], cells: Values) -> None:
        if section.id == "BPL#HITRA":
            self._ratio(fields, cells)
            return
        if fields[0].source == "statement":
            self._statement(fields, cells)
            return
        self._read_description(
            rows_of([field for field in fields if field.source == "report"], cells, None).get("report", {})
        )
        for source, values in rows_of(fields, cells, self.report.seconds).items():
            if source == "report":
                continue
            if source in TABLE_SPACES:
                self._table_space(source, fields, values, cells)
            elif section.id == "BPL#READS":
                self.readings.row(self.report, source, values | self.ratios.add_pages_found(values))
            else:
                self.readings.row(self.report, source, values)

    def _ratio(self, fields: list[Field], cells: Values) -> None:
        for field in fields:
            percent = count(cells[field.label]) if field.how == "of reads" else None
            if percent is not None:
                self.ratios.add(cells.get("BP_NAME", ""), cells.get("MEMBER", ""), field.column, field.operand, percent)

    def _statement(self, fields: list[Field], cells: Values) -> None:
        member, text = count(cells.get("MEMBER")), cells.get("STMT_TEXT", "").strip()
        if member is None:
            return
        cells = self.statements.get_earlier(text, member) | cells
        found = {field.column: value_of(field, cells, None) for field in fields}
        if values := {name: value for name, value in found.items() if value is not None}:
            self.statements.add(text, self.text_width, member, values)

    def _table_space(self, source: str, fields: list[Field], values: Values, cells: Values) -> None:
        width = next(int(field.operand) for field in fields if field.source == source and field.how == "name")
        by_kind = any(field.how == "by kind" and field.operand in cells for field in fields)
        for found, row in self.spaces.add(source, values, width, by_kind):
            self.readings.row(self.report, found, row)

    def _read_description(self, values: Values) -> None:
        report = self.report
        seconds = values.get("seconds")
        if seconds is not None and report.seconds is None and float(seconds) > 0:
            report.seconds = float(seconds)
        self.began = moment(values.get("began")) or self.began
        self.ended = moment(values.get("ended")) or self.ended
        report.host = report.host or values.get("host")
        report.instance = report.instance or values.get("instance")
        if level := _LEVEL.search(values.get("level", "")):
            report.level = level[0]
        report.platform = platform(values.get("platform")) or report.platform
        if (database := values.get("database")) and len(self.databases) < 2:
            self.databases.add(database)
        if "members" in values:
            self.members = int(values["members"])
        self.cluster = self.cluster or "caching_facility" in values

    def _finish(self) -> None:
        report = self.report
        report.seconds = report.seconds or seconds_between(self.began, self.ended)
        report.taken_at = self.ended
        if report.taken_at is None and self.began is not None and report.seconds is not None:
            report.taken_at = self.began + timedelta(seconds=report.seconds)
        if len(self.databases) == 1:
            report.database = self.databases.pop()
        if self.cluster:
            report.topology = "purescale"
        elif self.members is not None:
            report.topology = "single" if self.members == 1 else "dpf"
        for source, values in (*self.spaces.rows(), *self.statements.rows()):
            self.readings.row(report, source, values)
        if self.spaces.unknown:
            self._record_ignored(self.first, "rows of table spaces with a cut name or an unknown kind")
        if self.statements.unknown:
            self._record_ignored(self.first, "statements with the same beginning, which cannot be distinguished")


def _is_numbered(table: Layout) -> bool:
    return table.labels[0] in _NUMBERED


def _explain_missing_key(fields: list[Field]) -> str:
    """Return why a table with these columns gives no row: it lacks the key of its rows."""
    said: dict[str, set[str]] = {}
    for field in fields:
        said.setdefault(field.source, set()).add(field.column)
    free = {"report", "workload", "statement"}
    if not said or any(source in free or has_key(source, columns) for source, columns in said.items()):
        return ""
    return "the key of its rows is not among its columns"


FORMATS = (Format(NAME, _starts, lambda part: _Reader(part).read()),)
