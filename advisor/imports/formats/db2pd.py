"""``db2pd`` with -tablespaces, -logs, -hadr, -wlocks, -dbcfg and others, for one database or all.

A heading names the member and the database; then follow sections, each with a title and one or more tables. Columns
differ by level, so a table is identified by the names of its columns (columns/db2pd.csv), never by its position.
A table whose lines were wrapped is refused, since the rest of a line could be taken for a row.
"""

import re
from datetime import datetime, timedelta

from advisor.imports.formats import db2pd_hadr as hadr
from advisor.imports.formats import db2pd_sessions as sessions_of
from advisor.imports.formats import db2pd_tables as tables
from advisor.imports.formats import db2pd_tcb as tcb
from advisor.imports.formats.db2pd_objects import MOST_OBJECTS, SECTIONS, STORAGE_GROUPS, Objects
from advisor.imports.formats.db2pd_progress import UTILITIES, Progress, Utilities
from advisor.imports.reader import Format, Part
from advisor.imports.readings import NARROWEST, SINCE, WRAPPED, Report
from advisor.imports.settings import find_by_token, split_flag
from advisor.imports.values import columns, level_of_release

# The sections that have readers of their own, and the titles of those that give rows; the others give notes.
_OTHERS = (tcb.TableCounters, Utilities, Progress)
_READ = frozenset({*tcb.TITLES, UTILITIES})
_TITLES = {title.lower(): title for title in SECTIONS}
_SCOPES = {"Database Configuration Settings": "db", "Database Manager Configuration Settings": "dbm"}
_PAIRS = {
    section: [line["LABEL"] for line in columns("db2pd") if line["SECTION"] == section]
    for section in ("Operating System Information", "Logs")
}
# Titles that other tools may also print start nothing; the header of the table after them does.
_COMMON_TITLES = {"containers", "logs", "cpu information", sessions_of.SECTION.lower()}
_COUNTING = {"Bufferpool Statistics", "Logs"}
_FIRST_WORDS = ("Database ", "Description", *tables.FIRST_COLUMNS)

_SETTING_COLUMNS = re.compile(r"\s*Description\s+(?P<memory>Memory Value)\s+(?P<disk>Disk Value)\s*$")
_SETTING = re.compile(r"\s*([A-Z][A-Z0-9_]{2,31})(?![A-Za-z0-9_])(?:\s*\((?!memory\)|disk\))[^()]{1,20}\))?")
_ONE_OF_TWO = re.compile(r"\s*\((memory|disk)\)")
_RELEASE = re.compile(r"\s*(?:DB configuration release level|RELEASE)\s+0x([0-9a-f]{3,4})\b", re.IGNORECASE)
_PROMPT = re.compile(r"(?:db2\s*=>|.{0,80}?[$#%>])\s*(db2\w*)\b")


def _starts(line: str, previous: str) -> bool:
    text = line.strip()
    if text.endswith(":"):
        section = _section(text)
        return text.strip(" :") in _READ or (section is not None and section.lower() not in _COMMON_TITLES)
    if not text.startswith(_FIRST_WORDS):
        return hadr.starts_set(text) or sessions_of.starts_table(text)
    if sessions_of.starts_table(text):
        return True
    return (
        tables.parse_heading(text) is not None
        or tables.find_table(line, text) is not None
        or _SETTING_COLUMNS.match(line) is not None
    )


def _section(text: str) -> str | None:
    """Return the section that a title starts, if it is one that is read."""
    title = " ".join(text.rstrip(": ").lower().split())
    if title.startswith("bufferpool statistics"):
        return "Bufferpool Statistics"
    if title in sessions_of.TITLES:
        return sessions_of.SECTION
    return _TITLES.get(title)


class _Reader:
    """A reader of one report: the lines under one heading, or without any."""

    def __init__(self, part: Part) -> None:
        self.part = part
        self.report: Report | None = None
        self.section: str | None = None
        self.title = ""
        self.table: tables.Table | None = None
        self.settings_at: tuple[int, int] | None = None
        self.objects = Objects(part)
        self.stream: dict[str, str] = {}  # a log stream that HADR sends, by its labels
        self.skipped: tuple[int, str] | None = None  # the first line of those without values, and the reason
        self.sessions = sessions_of.Sessions()
        self.others = [make() for make in _OTHERS]
        self.rows: list[tuple[str, dict[str, str], int]] = []  # of the current table, with their lines
        self.table_at = 0  # line of the heading of the current table
        self.apart = False  # after a blank line

    def read(self) -> None:
        lines = self.part.lines
        for line in lines:
            text = line.strip()
            if not text:
                self.apart = True
                continue
            heading = None if text.startswith("0x") else tables.parse_heading(text)
            if (heading and self.report) or not (heading or self.take(line, text)):
                lines.push_back()
                break
            if heading:
                self.end_table()
                self.begin(heading)
            self.apart = False
        self.end_table()
        self.report_skipped(lines.number + 1)
        self.flush()

    def begin(self, heading: tables.Heading | None) -> Report:
        if self.report is None:
            self.report = self.part.report("db2pd")
        if heading:
            self.report.member, self.report.database = heading.member, heading.database
            self.report.taken_at = heading.taken_at
            if heading.database and heading.up is not None:
                self.set_activation(self.report, heading.up)
        return self.report

    def set_activation(self, report: Report, up: timedelta) -> None:
        """Return the time of activation, to the minute.

        The time since activation is in whole seconds, so the time of activation has an error of about a second, and two
        reports must agree on it.
        """
        row = {"UPTIME_S": str(int(up.total_seconds()))}
        if report.taken_at and report.taken_at - datetime.min > up:
            report.since = report.taken_at - up
            row["DB_CONN_TIME"] = report.since.replace(second=0, microsecond=0).isoformat(sep=" ")
        self.part.readings.row(report, "database", row)

    def take(self, line: str, text: str) -> bool:
        """Read a line; return False for a line that is not db2pd's."""
        # an address: most lines are rows
        if (text.startswith("0x") and self.row(line, text)) or self.take_session(text) or self.is_wrapped(text):
            pass
        elif hadr.starts_set(text) or (self.section == hadr.SECTION and hadr.pair(text)):
            self.read_hadr_label(text)
        elif table := tables.find_table(line, text):
            self.end_table()
            self.section, self.table, self.table_at = table.section, table, self.part.lines.number
        elif text.startswith("Description") and (columns := _SETTING_COLUMNS.match(line)):
            self.settings_at = columns.start("memory"), columns.start("disk")
        elif not (self.setting(line) or self.pair(text) or self.row(line, text) or self.starts_section(text)):
            return self.foreign(line, text)
        if self.report is None:
            self.begin(None)
        if self.skipped and (self.section or self.settings_at):
            self.report_skipped(self.part.lines.number)
        return True

    def starts_section(self, text: str) -> bool:
        if not text.endswith(":") or len(text) > 100 or not text[0].isalpha() or "=" in text:
            return False
        self.end_table()
        self.title, self.section, self.table, self.settings_at = text.rstrip(": "), _section(text), None, None
        if self.title in _READ:
            self.report_skipped(self.part.lines.number)
        elif self.section is None:
            self.skip()
        return True

    def foreign(self, line: str, text: str) -> bool:
        """Skip a line without values here: it may be another tool's."""
        if prompt := _PROMPT.match(text):
            return prompt[1] == "db2pd"
        if text.startswith(tables.FIRST_COLUMNS):
            self.table = None  # the next rows are of a table that is not read
        format = None if text.startswith(("0x", "Address ")) else self.part.starts(line)
        if self.report is None or (format is not None and format not in FORMATS):
            return False
        if text.startswith("List of all EDUs"):  # -edus has no other title
            self.title = "EDUs"
        for other in self.others:
            other.take(self.title, text, self.part.lines.number)
        if self.title not in _READ and self.section is None and self.settings_at is None:
            self.skip()
        return True

    def skip(self) -> None:
        if self.skipped is None:
            section = f"the section {self.title!r} of db2pd" if self.title else "this section of db2pd"
            self.skipped = self.part.lines.number, f"{section} contains nothing that advice needs"

    def report_skipped(self, number: int) -> None:
        """Report skipped lines before a used line, or at the end."""
        if self.skipped:
            first, why = self.skipped
            self.part.ignore(why, first, number - 1)
            self.skipped = None

    def row(self, line: str, text: str) -> bool:
        if self.table is None or not (text.startswith("0x") or text[0].isdigit()):
            return False
        cells = tables.cut_cells(self.table, line)
        number = self.part.lines.number
        if cells is None and self.is_followed_by_rest():
            self.refuse()
        elif cells is None:
            self.part.ignore("does not fit the columns of its table")
        elif self.table.section == STORAGE_GROUPS:
            self.objects.name_group(cells["sgid"], cells["name"])
        else:
            self.rows.append((self.table.section, cells, number))
            if len(self.rows) >= MOST_OBJECTS:
                self.end_table()
        return True

    def end_table(self) -> None:
        """Keep the rows of the current table, now that no line of it turned out to be wrapped."""
        for section, cells, number in self.rows:
            self.keep(section, cells, number)
        self.rows.clear()
        self.sessions.end()

    def take_session(self, text: str) -> bool:
        """Read a line of -wlocks, -locks, -applications or -transactions."""
        if sessions_of.starts_table(text):
            self.end_table()
            self.section, self.table, self.settings_at = sessions_of.SECTION, None, None
            self.table_at = self.part.lines.number
            if not self.sessions.start(text):
                self.refuse()
            return True
        if self.section != sessions_of.SECTION:
            return False
        if not self.sessions.is_row(text, self.part.lines.number):
            if not self.sessions.is_broken_by(text, self.apart) or self.ends(text):
                return False
            self.refuse()
        return True

    def is_wrapped(self, text: str) -> bool:
        """Refuse the current table if a line below its heading or a row is the rest of that line."""
        if self.table is None or self.table.names[0] != "address" or self.apart or text.startswith(("0x", "#")):
            return False
        previous = self.part.lines.previous
        begun = "0x" if self.table.names[-1] in tables.LAST_WITH_BLANKS else "Address"
        if not previous.lstrip().startswith((begun, "Address")) or len(previous) < NARROWEST or self.ends(text):
            return False
        self.refuse()
        return True

    def ends(self, text: str) -> bool:
        """Return whether a line starts something else."""
        return text.endswith(":") or _PROMPT.match(text) is not None or self.part.starts(text) is not None

    def is_followed_by_rest(self) -> bool:
        """Return whether the next line is the rest of this one."""
        text = (self.part.lines.peek() or "").strip()
        return bool(text) and not text.startswith("0x") and not self.ends(text)

    def refuse(self) -> None:
        """Use no value of the current table, whose lines were wrapped."""
        self.rows.clear()
        self.sessions.refuse()
        self.section, self.table = None, None
        self.skipped = self.table_at, f"this table of db2pd is {WRAPPED}"

    def pair(self, text: str) -> bool:
        """Read a label and its value on one line."""
        for label in _PAIRS.get(self.section or "", ()):
            if text.startswith(label):
                cells = {label.lower(): text[len(label) :].strip(" \t:")}
                self.keep(self.section or "", cells, self.part.lines.number)
                return True
        return False

    def read_hadr_label(self, text: str) -> None:
        """Read a label of HADR with its value; the first of a set ends the set before it."""
        if hadr.starts_set(text):
            self.end_hadr_set()
            self.section, self.table, self.settings_at = hadr.SECTION, None, None
        self.stream.update([hadr.pair(text) or ("", "")])

    def end_hadr_set(self) -> None:
        report = self.begin(None)
        if self.stream and (row := hadr.row(SECTIONS[hadr.SECTION], self.stream, report)):
            self.part.readings.row(report, "hadr", row)
        self.stream.clear()

    def keep(self, section: str, cells: dict[str, str], line: int) -> None:
        """Keep the values of an object until its name is known."""
        if not self.objects.take(section, cells, line):
            return
        if section in _COUNTING:
            self.begin(None).counts = SINCE
        if self.objects.are_many:
            self.flush()

    def flush(self) -> None:
        """Write the rows of all objects, now that their names are known."""
        report = self.begin(None)
        self.end_hadr_set()
        self.sessions.write(self.part.readings, report)
        for other in self.others:
            other.write(self.part.readings, report)
        self.others = [make() for make in _OTHERS]
        self.objects.write(report)

    def is_rest_of_setting(self, text: str) -> bool:
        """Return whether a line is the end of the values on the line before it."""
        match = _SETTING.match(text)
        known = tables.find_label(text)[0] or (match is not None and find_by_token(match[1], None) is not None)
        return bool(text) and not known and len(tables.APART.split(text)) == 1 and not self.ends(text)

    def setting(self, line: str) -> bool:
        """Read a configuration parameter with its values in memory and on disk, or one of the two if they are long."""
        if self.settings_at is None and self.section not in _SCOPES:
            return False
        if release := _RELEASE.match(line):
            self.begin(None).level = level_of_release(release[1])
            return True
        match = _SETTING.match(line)
        name, end = (match[1], match.end()) if match else tables.find_label(line)
        parameter = find_by_token(name, _SCOPES.get(self.section or ""))
        if parameter is None:
            return False
        if len(line) >= NARROWEST and self.is_rest_of_setting((self.part.lines.peek() or "").strip()):
            number = self.part.lines.number
            self.part.ignore(f"this setting is {WRAPPED}", number, number + 1)
            return True
        memory, disk = tables.split_values(line, end, self.settings_at)
        if one := _ONE_OF_TWO.match(line, end):
            whole = line[one.end() :].strip()
            memory, disk = (whole, None) if one[1] == "memory" else (None, whole)
        row: dict[str, str | None] = {"NAME": parameter.name}
        for column, text in (("VALUE", memory), ("DEFERRED_VALUE", disk)):
            value = tables.parse_value(parameter.kind, text)
            if value is not None:
                row[column], row[f"{column}_FLAGS"] = split_flag(value)
        if len(row) > 1:
            self.part.readings.row(self.begin(None), parameter.source, row)
        return True


FORMATS = (Format("db2pd", _starts, lambda part: _Reader(part).read()),)
