"""Output of ``reorgchk``: tables and indexes with the formulas that are outside of their bounds.

The heading names the columns of the rows; the name of a table or index is on a line of its own. Releases before 9.1
print the name in the row, cut to a width that is not known: their rows are not used. Multidimensional clustering (a
value in ACTBLK) and data partitions have rules of their own.
"""

import re
from dataclasses import dataclass, field

from advisor.imports.reader import Format, Part
from advisor.imports.readings import WRAPPED

NAME = "reorgchk"
SOURCE = "reorg_check"
TABLE_ITSELF = "-"

_START = re.compile(r"F[14]: (?:100 \*|CLUSTERRATIO)")
_HEADING = re.compile(r"SCHEMA[. ]NAME\s+(.*\bREORG)")
_OBJECT = re.compile(r"(Table|Index):\s*(\S+?)\s*\.(\S+)")
_PARTITION = re.compile(r"Data ?Partition:")
_FLAGS = re.compile(r"[-*]{3}|[-*]{5}")
_OWN = re.compile(
    r"-{20,}|Doing RUNSTATS|(?:Table|Index) statistics:|F\d:|CLUSTERRATIO|indexes that are not|Table:|Index:"
)
_NOTE = re.compile(r"CLUSTERRATIO or normalized CLUSTERFACTOR \(F4\)")
_COLUMNS = {
    **{"CARD": "CARD", "OV": "OVERFLOW", "NP": "NPAGES", "FP": "FPAGES", "F2": "F2"},
    **{"INDCARD": "INDCARD", "LEAF": "NLEAF", "ELEAF": "NUM_EMPTY_LEAFS", "NDEL": "NUMRIDS_DELETED"},
}
_NOT_USED = "a partitioned or block-clustered table has other limits"
_MOST_OTHER = 3  # successive lines of other text


@dataclass
class _Reader:
    """A reader of one report: the columns of its heading, and the current table and index."""

    part: Part
    columns: list[str] = field(default_factory=list)
    table: tuple[str, str] | None = None
    index: str | None = None
    rows: list[tuple[int, dict[str, str]]] = field(default_factory=list)
    skipped: set[tuple[str, str]] = field(default_factory=set)

    def read(self) -> None:
        lines, first, other = self.part.lines, self.part.lines.number + 1, 0
        for line in lines:
            text = line.strip()
            if not text or self._take(text):
                other = 0
            elif _NOTE.match(text):
                break
            elif other == _MOST_OTHER or self._starts_other(line):
                lines.push_back()
                break
            else:
                other += 1
        self._write(first)

    def _starts_other(self, line: str) -> bool:
        format = self.part.starts(line)
        return format is not None and format.name != NAME

    def _take(self, text: str) -> bool:
        """Take a line; return False for a line of another text."""
        if match := _HEADING.match(text):
            self.columns = match[1].split()
            self.table = self.index = None
        elif match := _OBJECT.fullmatch(text):
            if match[1] == "Table":
                self.table, self.index = (match[2], match[3]), None
            else:
                self.index = match[3]
        elif _PARTITION.match(text) and self.table:
            self.skipped.add(self.table)
        elif self.columns and (values := text.split())[-1:] and _FLAGS.fullmatch(values[-1]):
            self._row(values)
        else:
            return _OWN.match(text) is not None or _START.match(text) is not None
        return True

    def _row(self, values: list[str]) -> None:
        number = self.part.lines.number
        if self.table is None or len(values) != len(self.columns):
            self.part.readings.record_ignored(self.part.document, number, number, WRAPPED)
            return
        found = dict(zip(self.columns, values, strict=True))
        if found.get("ACTBLK", "-").isdecimal():
            self.skipped.add(self.table)
        is_index = "F4" in found
        if is_index and self.index is None:
            return
        row = {
            "TABSCHEMA": self.table[0],
            "TABNAME": self.table[1],
            "INDNAME": (self.index or "") if is_index else TABLE_ITSELF,
            "FLAGS": found["REORG"],
        }
        row |= {column: found[name] for name, column in _COLUMNS.items() if found.get(name, "").isdecimal()}
        self.rows.append((number, row))

    def _write(self, first: int) -> None:
        readings, document = self.part.readings, self.part.document
        used = [(line, row) for line, row in self.rows if (row["TABSCHEMA"], row["TABNAME"]) not in self.skipped]
        if used:
            report = readings.report(NAME, document)
            for line, row in used:
                readings.row(report, SOURCE, row, line)
        elif self.rows:
            readings.record_ignored(document, first, self.part.lines.number, _NOT_USED)
        else:
            readings.unused(document, first, self.part.lines.number, NAME)


def _starts(line: str, previous: str) -> bool:
    text = line.strip()
    return (_START.match(text) or _HEADING.match(text)) is not None


def _read(part: Part) -> None:
    _Reader(part).read()


FORMATS = (Format(NAME, _starts, _read, ("f1: 100", "f4: clusterratio", "f3 reorg", "f8 reorg")),)
