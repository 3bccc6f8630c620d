"""``list applications``, with or without ``show detail``: connected applications, their users and states.

The columns of names are narrow: a name that fills its column, or ends with ``>``, may be cut and is not used. A table
in which a line is not a row is refused as a whole: the window or the mail has wrapped its lines.
"""

import re
from collections import Counter

from advisor.imports.reader import Format, Part, Reader, starts_with
from advisor.imports.readings import WRAPPED
from advisor.quoting import shell

NAME = "list applications"
_WAITS = "-wlocks -applications -transactions"

# SHOW DETAIL begins with CONNECT, so its heading is known even if it is wrapped.
_START = re.compile(r"\s*(?:CONNECT Auth Id(?:\s|$)|Auth Id\s+Application(?: Name)?\s+Appl\.\s+Application Id\s)")
_DASHES = re.compile(r"-{4,}(?:\s+-{2,}){4,}")
_ROW = re.compile(
    r"(?P<user>\S+)\s+(?P<name>\S.*?)\s+(?P<handle>\d+)\s+\S+\.\d{6,}\s+(?:"
    r"\d{1,5}\s+\d+\s+(?P<member>\d+)\s+\S+\s+(?P<state>[A-Z][A-Za-z-]*(?: [A-Za-z-]+)*?)\s+"
    r"(?:(?:Not Collected|\d[\d./-]+[ -][\d:.]+(?: [AP]M)?)\s+)?(?:\S+\s+)?(?P<database>[A-Za-z@#$]\S{0,7})\s+"
    r"(?:/|[A-Za-z]:\\).*|(?P<alias>[A-Za-z@#$]\S{0,7})\s+\d+)"
)
_STATES = {"UOW Waiting": "UOWWAIT", "UOW Executing": "UOWEXEC", "Lock-wait": "UOWEXEC"}
_WAITING = "Lock-wait"
_HEADING_LINES = 2
_MOST_ROWS = 200_000  # kept in memory


class _Table(Reader):
    """The rows of a table with their lines, and the widths of its columns if the text has their dashes."""

    def __init__(self, part: Part) -> None:
        super().__init__(part)
        self.widths: list[int] = []
        self.rows: list[tuple[re.Match[str], int]] = []
        self.wrapped = self.apart = False

    def take(self, line: str, text: str) -> bool:
        number = self.part.lines.number
        if number == self.first:
            return True
        if not text:
            self.apart = bool(self.rows) or (self.wrapped and not line)
            return True
        match = _ROW.fullmatch(text)
        if self.part.starts_other_format(line) or (self.apart and not match):
            return False
        self.apart = False
        if match:
            if len(self.rows) < _MOST_ROWS:
                self.rows.append((match, number))
        elif _DASHES.fullmatch(text) and not self.rows:
            self.widths = [len(dashes) for dashes in text.split()]
        elif self.widths or number - self.first >= _HEADING_LINES:
            self.wrapped = True
        return True

    def end(self) -> None:
        if self.wrapped or not self.rows:
            self.part.ignore(f"this table is {WRAPPED}" if self.wrapped else "no application in this table", self.first)
            return
        waiting: Counter[str] = Counter()
        for match, number in self.rows:
            database = (match["database"] or match["alias"]).upper()
            report = self.report_of(NAME, database)
            waiting[database] += match["state"] == _WAITING
            if values := _session(match, self.widths):
                self.part.readings.row(report, "unit_of_work", values, number)
        for database, count in waiting.items():
            if count:
                self.part.readings.notes.append(
                    f"{count} {'application waits' if count == 1 else 'applications wait'} for locks in {database};"
                    f" for the lock chain, add the output of: db2pd -db {shell(database)} {_WAITS}"
                )


def _session(match: re.Match[str], widths: list[int]) -> dict[str, str] | None:
    """Return the values of an application; None if it runs no unit of work."""
    values = {"APPLICATION_HANDLE": match["handle"], "UOW_ID": "0"}
    if match["state"]:
        if match["state"] not in _STATES:
            return None
        values |= {"WORKLOAD_OCCURRENCE_STATE": _STATES[match["state"]], "COORD_MEMBER": match["member"]}
    names = zip(("SESSION_AUTH_ID", "CLIENT_APPLNAME"), (match["user"], match["name"]), widths, strict=False)
    return values | {column: name for column, name, width in names if len(name) < width and not name.endswith(">")}


FORMATS = (Format(NAME, starts_with(_START), _Table.read, ("auth id",)),)
