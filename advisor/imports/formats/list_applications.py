"""``list applications``, with or without ``show detail``: connected applications, their users and states.

The columns of names are narrow: a name that fills its column, or ends with ``>``, may be cut and is not used. A table
in which a line is not a row is refused as a whole: the window or the mail has wrapped its lines.
"""

import re
from collections import Counter

from advisor.imports.reader import Format, Part
from advisor.imports.readings import WRAPPED, Report

NAME = "list applications"
WAITS = "db2pd -wlocks -applications -transactions"

_START = re.compile(r"(?:CONNECT )?Auth Id\s+Application(?: Name)?\s+Appl\.\s+Application Id\s")
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


def _read(part: Part) -> None:
    lines, first = part.lines, part.lines.number + 1
    next(lines)
    widths: list[int] = []
    rows: list[tuple[re.Match[str], int]] = []
    apart = wrapped = False
    for line in lines:
        text = line.strip()
        number = lines.number - first
        if not text:
            apart = bool(rows)
        elif match := _ROW.fullmatch(text):
            apart = False
            if len(rows) < _MOST_ROWS:
                rows.append((match, lines.number))
        elif _DASHES.fullmatch(text) and not rows:
            widths = [len(dashes) for dashes in text.split()]
        elif apart or part.starts_other_format(line):
            lines.push_back()
            break
        elif widths or number >= _HEADING_LINES:
            wrapped = True
    if wrapped or not rows:
        why = f"this table is {WRAPPED}" if wrapped else "no application in this table"
        part.readings.record_ignored(part.document, first, lines.number, why)
        return
    reports: dict[str, Report] = {}
    waiting: Counter[str] = Counter()
    for match, number in rows:
        database = (match["database"] or match["alias"]).upper()
        if database not in reports:
            reports[database] = part.readings.report(NAME, part.document, database=database)
        waiting[database] += match["state"] == _WAITING
        if values := _session(match, widths):
            part.readings.row(reports[database], "unit_of_work", values, number)
    for database, count in waiting.items():
        if count:
            part.readings.notes.append(
                f"{count} {'application waits' if count == 1 else 'applications wait'} for locks in {database};"
                f" for the lock chain, add the output of {WAITS}"
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
