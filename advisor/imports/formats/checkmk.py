"""Output of Checkmk's agent on Db2: sections such as <<<db2_logsizes>>>.

A line [[[instance:DATABASE]]] precedes the lines of each database.

columns/checkmk.csv maps words to columns or settings. Three kinds of values are not used: sizes of table spaces, which
are in KB without a page size; ratios, from which counts cannot be computed; and counters, which have no start time.
"""

import re
from functools import cache

from advisor.imports.cells import parse_integer
from advisor.imports.reader import Format, Part
from advisor.imports.readings import Report
from advisor.imports.values import columns

_NAME = "sections of Checkmk"
_SECTION = re.compile(r"\s*<<<(?P<name>\w+)(?::[^>]*)?>>>\s*$")
_DATABASE = re.compile(r"\s*\[\[\[(?P<instance>[^:\]]+):(?P<database>[^:\]]+)\]\]\]\s*$")
_PAIR = re.compile(r"\s*(\w+)\s+(\S+)\s*$")
_VERSION = re.compile(r"\s*(?P<instance>\S+)\s+DB2\s*v(?P<level>\d+(?:\.\d+)+)", re.I)


@cache
def _words() -> dict[tuple[str, str], tuple[str, str]]:
    found = {}
    for row in columns("checkmk"):
        source, _, name = row["COLUMN"].partition(".")
        found[row["SECTION"], row["WORD"]] = source, name
    return found


def _starts(line: str, previous: str) -> bool:
    match = _SECTION.match(line)
    return match is not None and match["name"].startswith("db2_")


def _read(part: Part) -> None:
    _Sections(part).read()


class _Sections:
    """A reader of successive sections of the agent."""

    def __init__(self, part: Part) -> None:
        self._part = part
        self._reports: dict[tuple[str, str], Report] = {}
        self._levels: dict[str, str] = {}
        self._used = False

    def read(self) -> None:
        """Take the sections about Db2; a section of another program, or another known format, ends them."""
        lines, first = self._part.lines, self._part.lines.number + 1
        section, report = "", None
        empty = False  # the line before, which the agent does not print
        for line in lines:
            if match := _SECTION.match(line):
                section, report = match["name"], None
                if not section.startswith("db2_"):
                    lines.push_back()
                    break
            elif match := _DATABASE.match(line):
                report = self._report(match["instance"], match["database"])
            elif section == "db2_version" and (match := _VERSION.match(line)):
                self._levels[match["instance"]] = match["level"]
            elif report is not None and (match := _PAIR.match(line)):
                self._store(report, section, match[1], match[2])
            elif empty and self._part.starts_other_format(line):
                lines.push_back()
                break
            empty = not line.strip()
        for (instance, _), found in self._reports.items():
            found.level = self._levels.get(instance)
        if not self._used:
            self._part.readings.unused(self._part.document, first, lines.number, _NAME)

    def _report(self, instance: str, database: str) -> Report:
        key = instance, database.upper()
        if key not in self._reports:
            about = {"instance": instance, "database": database.upper()}
            self._reports[key] = self._part.readings.report(_NAME, self._part.document, **about)
        return self._reports[key]

    def _store(self, report: Report, section: str, word: str, text: str) -> None:
        source, name = _words().get((section, word), ("", ""))
        value = parse_integer(text)
        if not source or value is None:
            return
        row = {"NAME": name, "VALUE": value, "VALUE_FLAGS": "NONE"} if source == "dbcfg" else {name: value}
        self._part.readings.row(report, source, row)
        self._used = True


FORMATS = (Format(_NAME, _starts, _read, ("<<<db2_",)),)
