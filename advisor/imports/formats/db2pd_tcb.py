"""``db2pd -tcbstats``: the counters of tables in use, from the table control blocks.

The first table has the table space, the range and the kind of each table, the second its counters, joined by address.
The columns of names are narrow: a name that fills its column may be cut, so its row is not used. Reads of overflow rows
do not include writes, so they are a lower bound of the accesses.
"""

from dataclasses import dataclass, field

from advisor.imports.readings import SINCE, WRAPPED, Readings, Report

TITLES = OBJECTS, COUNTERS = "TCB Table Information", "TCB Table Stats"
MOST_ROWS = 200_000  # kept in memory

_COLUMNS = {
    "Scans": "TABLE_SCANS",
    "Reads": "ROWS_READ",
    "Inserts": "ROWS_INSERTED",
    "Updates": "ROWS_UPDATED",
    "Deletes": "ROWS_DELETED",
    "OvFlReads": "OVERFLOW_ACCESSES",
}
_USES = ("ROWS_READ", "ROWS_INSERTED", "ROWS_UPDATED", "ROWS_DELETED")  # a table without any is not in use
_NEEDED = {
    OBJECTS: {"Address", "TbspaceID", "TableID", "PartID", "TableName", "SchemaNm", "ObjClass"},
    COUNTERS: {"Address", "TableName", "SchemaNm", *_COLUMNS},
}
_WIDTHS = {"SchemaNm": 8, "TableName": 18}
_PERMANENT = "Perm"
_CATALOG = "SYSIBM"
_NO_RANGE = "n/a"
_CUT = "the name of the table or its schema fills its column, so it may be cut"
_WITHOUT_OBJECT = f"{COUNTERS} without its table space: add {OBJECTS!r}"


@dataclass
class TableCounters:
    """The tables of one report: their columns, and the rows by address with their lines."""

    columns: dict[str, list[str]] = field(default_factory=dict)
    rows: dict[str, dict[str, tuple[dict[str, str], int]]] = field(default_factory=dict)
    refused: dict[str, tuple[int, int]] = field(default_factory=dict)  # the lines of wrapped tables
    begun: int = 0  # the line of the heading
    last: int = 0

    def take(self, title: str, text: str, line: int) -> None:
        """Read a line of a section."""
        if title not in TITLES:
            return
        words = text.split()
        follows, self.last = line == self.last + 1, line
        if title in self.refused:
            self.refused[title] = (self.refused[title][0], line)
        elif words[0] == "Address":
            self.columns[title], self.begun = words, line
            if not _NEEDED[title].issubset(words):
                self._refuse(title, line)
        elif text.startswith("0x") and title in self.columns:
            if len(words) < len(self.columns[title]):
                self._refuse(title, line)
            elif len(words) == len(self.columns[title]) and len(self.rows.setdefault(title, {})) < MOST_ROWS:
                self.rows[title][words[0]] = (dict(zip(self.columns[title], words, strict=True)), line)
        elif follows and title in self.columns:
            self._refuse(title, line)

    def _refuse(self, title: str, line: int) -> None:
        self.rows.pop(title, None)
        self.refused[title] = (self.begun or line, line)

    def write(self, readings: Readings, report: Report) -> None:
        """Write the rows of the report."""
        for first, last in self.refused.values():
            readings.record_ignored(report.document, first, last, f"this table of db2pd is {WRAPPED}")
        objects = self.rows.get(OBJECTS, {})
        for address, (cells, line) in self.rows.get(COUNTERS, {}).items():
            if cells["SchemaNm"] == _CATALOG:
                continue
            values = {column: cells[label] for label, column in _COLUMNS.items() if cells[label].isdecimal()}
            if not any(int(values.get(column, "0")) for column in _USES):
                continue
            if address not in objects:
                readings.record_ignored(report.document, line, line, _WITHOUT_OBJECT)
            elif any(len(cells[label]) >= width for label, width in _WIDTHS.items()):
                readings.record_ignored(report.document, line, line, _CUT)
            elif key := _key(cells, objects[address][0]):
                readings.row(report, "table", key | values, line)
                report.counts = SINCE


def _key(cells: dict[str, str], about: dict[str, str]) -> dict[str, str] | None:
    """Return the names and numbers of a user table; None for other objects."""
    space, part = about["TbspaceID"], about["PartID"]
    if about["ObjClass"] != _PERMANENT or not (about["TableID"].isdecimal() and space.isdecimal()):
        return None
    if any(cells[name] != about[name] for name in _WIDTHS) or not (part == _NO_RANGE or part.isdecimal()):
        return None
    return {
        "TABSCHEMA": cells["SchemaNm"],
        "TABNAME": cells["TableName"],
        "DATA_PARTITION_ID": "0" if part == _NO_RANGE else part,
        "TBSP_ID": space,
    }
