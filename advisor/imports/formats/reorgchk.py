"""Output of ``reorgchk``: tables and indexes with the formulas that are outside of their bounds.

The heading names the columns of the rows; the name of a table or index is on a line of its own. Releases before 9.1
print the name in the row, cut to a width that is not known: their rows are not used. Multidimensional clustering (a
value in ACTBLK) and data partitions have rules of their own.
"""

import re

from advisor.imports.reader import Format, Part, Reader, starts_with
from advisor.imports.readings import WRAPPED

NAME = "reorgchk"
SOURCE = "reorg_check"
TABLE_ITSELF = "-"

_START = re.compile(r"\s*F[14]: (?:100 \*|CLUSTERRATIO)")
_HEADING = re.compile(r"\s*SCHEMA[. ]NAME\s+(.*\bREORG)")
_OBJECT = re.compile(r"(Table|Index):\s*(\S+?)\s*\.(\S+)")
_PARTITION = re.compile(r"Data ?Partition:")
_FLAGS = re.compile(r"[-*]{3}|[-*]{5}")
_OWN = re.compile(
    r"-{20,}|Doing RUNSTATS|(?:Table|Index) statistics:|F\d:|CLUSTERRATIO|indexes that are not|Table:|Index:"
)
_COLUMNS = {
    **{"CARD": "CARD", "OV": "OVERFLOW", "NP": "NPAGES", "FP": "FPAGES", "F2": "F2"},
    **{"INDCARD": "INDCARD", "LEAF": "NLEAF", "ELEAF": "NUM_EMPTY_LEAFS", "NDEL": "NUMRIDS_DELETED"},
}
_NOT_USED = "a partitioned or block-clustered table has other limits"


class _Reader(Reader):
    """A reader of one report: the columns of its heading, and the current table and index."""

    most_other = 3
    own = frozenset({NAME})

    def __init__(self, part: Part) -> None:
        super().__init__(part)
        self.columns: list[str] = []
        self.table: tuple[str, str] | None = None
        self.index: str | None = None
        self.rows: list[tuple[int, dict[str, str]]] = []
        self.skipped: set[tuple[str, str]] = set()

    def take(self, line: str, text: str) -> bool:
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
            return not text or (_OWN.match(text) or _START.match(text)) is not None
        return True

    def _row(self, values: list[str]) -> None:
        number = self.part.lines.number
        if self.table is None or len(values) != len(self.columns):
            self.part.ignore(WRAPPED)
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

    def end(self) -> None:
        used = [(line, row) for line, row in self.rows if (row["TABSCHEMA"], row["TABNAME"]) not in self.skipped]
        if used:
            report = self.part.report(NAME)
            for line, row in used:
                self.part.readings.row(report, SOURCE, row, line)
        elif self.rows:
            self.part.ignore(_NOT_USED, self.first)
        else:
            self.part.unused(NAME, self.first)


FORMATS = (
    Format(NAME, starts_with(_START, _HEADING), _Reader.read, ("f1: 100", "f4: clusterratio", "f3 reorg", "f8 reorg")),
)
