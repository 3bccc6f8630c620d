"""``list applications``, with or without ``show detail``: connected applications, their users and states.

The columns of names are narrow: a name that fills its column, or ends with ``>``, may be cut and is not used. A table
in which a line is not a row is refused as a whole: the window or the mail has wrapped its lines.
"""

import re
from collections import Counter
from dataclasses import dataclass, field

from advisor.imports.reader import Format, Part
from advisor.imports.readings import WRAPPED, Report
from advisor.quoting import shell

NAME = "list applications"
_WAITS = "-wlocks -applications -transactions"

# SHOW DETAIL begins with CONNECT, so its heading is known even if it is wrapped.
_START = re.compile(r"CONNECT Auth Id(?:\s|$)|Auth Id\s+Application(?: Name)?\s+Appl\.\s+Application Id\s")
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


def _starts(line: str, previous: str) -> bool:
    return _START.match(line.strip()) is not None


@dataclass
class _Table:
    """The rows of a table with their lines, and the widths of its columns if the text has their dashes."""

    widths: list[int] = field(default_factory=list)
    rows: list[tuple[re.Match[str], int]] = field(default_factory=list)
    wrapped: bool = False

    def take(self, text: str, number: int, nth: int) -> None:
        """Take a line below the heading."""
        if match := _ROW.fullmatch(text):
            if len(self.rows) < _MOST_ROWS:
                self.rows.append((match, number))
        elif _DASHES.fullmatch(text) and not self.rows:
            self.widths = [len(dashes) for dashes in text.split()]
        elif self.widths or nth >= _HEADING_LINES:
            self.wrapped = True


def _read(part: Part) -> None:
    lines, first = part.lines, part.lines.number + 1
    next(lines)
    table, apart = _Table(), False
    for line in lines:
        text = line.strip()
        if not text:
            apart = bool(table.rows) or (table.wrapped and not line)
        elif part.starts_other_format(line) or (apart and not _ROW.fullmatch(text)):
            lines.push_back()
            break
        else:
            apart = False
            table.take(text, lines.number, lines.number - first)
    if table.wrapped or not table.rows:
        why = f"this table is {WRAPPED}" if table.wrapped else "no application in this table"
        part.readings.record_ignored(part.document, first, lines.number, why)
        return
    _write(part, table)


def _write(part: Part, table: _Table) -> None:
    """Write the rows of a table, one report for each database."""
    reports: dict[str, Report] = {}
    waiting: Counter[str] = Counter()
    for match, number in table.rows:
        database = (match["database"] or match["alias"]).upper()
        if database not in reports:
            reports[database] = part.readings.report(NAME, part.document, database=database)
        waiting[database] += match["state"] == _WAITING
        if values := _session(match, table.widths):
            part.readings.row(reports[database], "unit_of_work", values, number)
    for database, count in waiting.items():
        if count:
            part.readings.notes.append(
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


FORMATS = (Format(NAME, _starts, _read, ("auth id",)),)
