"""``list history``: the backups, loads and moves of one database, from its history file.

Its heading has the database and the number of entries. The latest full backup among them is the last one of the
database only if the text contains all entries. A failed entry has an SQLCODE below 0; entries marked as deleted do not
count.
"""

import re
from dataclasses import dataclass

from advisor.imports.reader import Format, Part, Reader, starts_with
from advisor.imports.sources import LAST_BACKUP
from advisor.imports.values import parse_time

_NAME = "list history"
_START = re.compile(r"\s*List History File for (?P<database>[\w@#$]{1,8})\s*$", re.I)
_HEADING = re.compile(r"\s*Op\s+Obj\s+Timestamp\+Sequence\s+Type\s+Dev\b")
_COUNT = re.compile(r"\s*Number of matching file entries = (\d{1,9})\s*$")
_ENTRY = re.compile(
    r"\s*(?P<op>[A-Z])\s+(?P<object>[A-Z])\s+(?P<start>\d{14})(?:\d{3})?(?:\s+(?P<type>[A-Z])(?:\s+(?P<device>\w)\b)?)?\b"
)
_END = re.compile(r"\s*End Time:\s*(\d{14})\s*$")
_STATUS = re.compile(r"\s*Status:\s*([A-Z])\s*$")
_FAILED = re.compile(r"\s*sqlcaid\s*:.*sqlcode:\s*-\d")
_LINE = re.compile(
    r"\s*(?:[- ]+$|Contains \d+ tablespace|\d{5} \S|Comment:|Start Time:|End Time:|Status:|EID:"
    r"|Number of matching file entries|Table:|Schema:|\d+ \S+$|SQLCA Information|sqlcaid\s*:|sqlerr[dmp]\w*\s*:"
    r"|sqlwarn\s*:|sqlstate\s*:|\(\d\)|DDL:|\"[^\"]+\"\.\"[^\"]+\" resides in)"
)
_ALL_BACKUPS = re.compile(r"list\s+history\s+(?:backup\s+)?all\s+for\b", re.I)
_NULL_DEVICE = "N"
_FULL = frozenset("FN")  # offline and online; others are incremental
_GONE = frozenset("DN")  # deleted, and not yet complete
BACKUP, DATABASE = "B", "D"


def moment(digits: str) -> str | None:
    """Return a time of the history, or of a backup's image, in the form of the sources."""
    found = parse_time(digits, "%Y%m%d%H%M%S")
    return str(found) if found else None


@dataclass
class _Entry:
    """One entry, with its values about a backup."""

    is_full: bool
    ended: str | None = None
    status: str = ""
    failed: bool = False

    @property
    def is_counted(self) -> bool:
        return self.is_full and self.ended is not None and not self.failed and self.status not in _GONE


class _Reader(Reader):
    """A reader of the history of one database."""

    def __init__(self, part: Part) -> None:
        super().__init__(part)
        self._database: str | None = None
        self._number: int | None = None  # the number of entries in the history
        self._entries: list[_Entry] = []
        self._whole = False  # no entry of a backup is missing

    def take(self, line: str, text: str) -> bool:
        """Take a line; return False for a line that is not of a history."""
        if not text:
            return True
        if match := _START.match(line):
            if self._database is not None:
                return False  # of another database
            self._database = match["database"].upper()
            self._whole = _ALL_BACKUPS.search(self.part.lines.previous) is not None
        elif match := _ENTRY.match(line):
            full = (match["op"], match["object"]) == (BACKUP, DATABASE) and match["type"] in _FULL
            self._entries.append(_Entry(full and match["device"] != _NULL_DEVICE))
        elif match := _COUNT.match(line):
            self._number = int(match[1])
        else:
            if self._entries:
                self._read_entry(line, self._entries[-1])
            return (_LINE.match(line) or _HEADING.match(line)) is not None
        return True

    def _read_entry(self, line: str, entry: _Entry) -> None:
        if match := _END.match(line):
            entry.ended = moment(match[1])
        elif match := _STATUS.match(line):
            entry.status = match[1]
        elif _FAILED.match(line):
            entry.failed = True

    def end(self) -> None:
        """Write the last backup if all entries are in the text."""
        part = self.part
        if self._database is not None:
            report = part.report(_NAME, database=self._database)
            ended = [entry.ended for entry in self._entries if entry.is_counted and entry.ended]
            if self._number == len(self._entries) and (ended or self._whole):
                row = {"BACKED_UP": "1", LAST_BACKUP: max(ended)} if ended else {"BACKED_UP": "0"}
                part.readings.row(report, "database", row)
                return
        part.unused(_NAME, self.first)


FORMATS = (Format(_NAME, starts_with(_HEADING, _START), _Reader.read, ("timestamp+", "history")),)
