"""Reports of module MONREPORT. ``DBSUMMARY`` has the work, waits and times of all members over its interval.

Its lines start with the name of a monitor element; the last number is the total. Part 2 splits the same work and is not
used. The default interval of 10 seconds is too short to judge, so its counters are not used and a note asks for more.
``LOCKWAIT`` has the holder and the modes of each lock wait in part 1, and its start in part 2. The other reports are
only recognized: they have no totals of the database, and the statements of ``PKGCACHE`` may be cut.
"""

import re
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from advisor.catalogue.sources import all_sources
from advisor.imports.cells import read_time, time
from advisor.imports.reader import Format, Part, starts_with
from advisor.imports.readings import INTERVAL, TOLD_ONLY, Report
from advisor.imports.sources import LOCK_PAIR
from advisor.imports.values import ALL_WORKLOADS

NAME = "MONREPORT"
_SUMMARY = "database summary"
_LOCK_WAITS = "current lock waits"
_MOST_WAITS = 200_000  # kept in memory
_SHORTEST = 60  # seconds, as in sql/model/interval/run_window.sql
_LONGER = "CALL MONREPORT.DBSUMMARY(300)"
_TOO_SHORT = f"the interval is shorter than 60 seconds; use {_LONGER}{TOLD_ONLY}"

_START = re.compile(r"\s*Monitoring report - (?P<title>[a-z][A-Za-z ]{2,40}?)\s*$")
_FIELD = re.compile(r"\s*(Database|Generated|Interval monitored):\s+(\S.*?)\s*$")
_SECOND_PART = re.compile(r"\s*Part 2 - ")
_ELEMENT = re.compile(r"\s*(?P<name>[A-Z][A-Z_]{4,60})\s+=?\s*(?:-?\d+(?:\.\d+)?\s+)?(?P<total>\d+)\s*$")
_REQUESTS = re.compile(r"\s*For requests\s+\d+\s+(?P<waits>\d+)/(?P<all>\d+)\s*$")
_LOCK_WAIT = re.compile(
    r"\s*(?P<number>\d+)\s+(?P<waiter>\d+)\s+(?P<requested>[A-Z]{1,3})\s+(?P<holder>\d+)\s+(?P<held>[A-Z]{1,3})\s+\S.*"
)
_WAIT_NUMBER = re.compile(r"\s*lock wait #:\s*(\d+)\s*$")
_WAIT_START = re.compile(r"\s*LOCK_WAIT_START_TIME\s+=\s+(\S.*?)\s*$")
_ROWS = re.compile(r"\s*ROWS_READ/ROWS_RETURNED\s*=\s*\d+\s+\((?P<read>\d+)/(?P<returned>\d+)\)\s*$")


@cache
def _counters() -> frozenset[str]:
    return frozenset(all_sources()["workload"].names("counter"))


def _read(part: Part) -> None:
    lines, first = part.lines, part.lines.number + 1
    start = _START.match(next(lines))
    title = start["title"] if start else ""
    about: dict[str, str] = {}
    values: dict[str, str] = {}
    waits = _LockWaits()
    is_used = True
    for line in lines:
        if _START.match(line) or part.starts_other_format(line):
            lines.push_back()
            break
        if _SECOND_PART.match(line):
            is_used = False
        elif match := _FIELD.match(line):
            about.setdefault(match[1], match[2])
        elif title == _LOCK_WAITS:
            waits.take(line, lines.number)
        elif is_used:
            _take(line, values)
    if title == _LOCK_WAITS and waits.rows:
        waits.write(part, about)
    elif title != _SUMMARY or not values or not about.get("Interval monitored", "").isdecimal():
        part.unused(f"{NAME}, {title}", first)
    else:
        _write_summary(part, first, about, values)


def _write_summary(part: Part, first: int, about: dict[str, str], values: dict[str, str]) -> None:
    """Write the totals of a database, if its interval is long enough."""
    seconds = int(about["Interval monitored"])
    if seconds < _SHORTEST:
        part.ignore(_TOO_SHORT, first)
        part.readings.notes.append(f"MONREPORT.DBSUMMARY over {seconds} seconds is too short to judge; use {_LONGER}")
        return
    report = _report(part, about, counts=INTERVAL, seconds=seconds)
    part.readings.row(report, "workload", {"WORKLOAD_NAME": ALL_WORKLOADS, **values})


def _report(part: Part, about: dict[str, str], **how: Any) -> Report:
    """Start the report of a database at the time when it was generated."""
    database, taken_at = about.get("Database"), read_time(time(about.get("Generated", "")))
    return part.report(NAME, database=database and database.upper(), taken_at=taken_at, **how)


@dataclass
class _LockWaits:
    """The lock waits of a report with their lines, and the times at which they began, by number."""

    rows: list[tuple[re.Match[str], int]] = field(default_factory=list)
    begun: dict[str, str] = field(default_factory=dict)
    number: str = ""  # of the lock wait whose details follow

    def take(self, line: str, number: int) -> None:
        """Read a line of the summary or of the details."""
        if match := _WAIT_NUMBER.match(line):
            self.number = match[1]
        elif self.number:
            if match := _WAIT_START.match(line):
                self.begun.setdefault(self.number, match[1])
        elif (match := _LOCK_WAIT.fullmatch(line.rstrip())) and len(self.rows) < _MOST_WAITS:
            self.rows.append((match, number))

    def write(self, part: Part, about: dict[str, str]) -> None:
        """Write the holder and the waiter of each lock wait."""
        report = _report(part, about)
        for match, line in self.rows:
            row: dict[str, str | None] = {
                "WAITER": match["waiter"],
                "HOLDER": match["holder"],
                "MODE_REQUESTED": match["requested"],
                "MODE_HELD": match["held"],
            }
            begun = read_time(time(self.begun.get(match["number"], "")))
            if begun and report.taken_at and begun <= report.taken_at:
                row["WAIT_S"] = str(int((report.taken_at - begun).total_seconds()))
            part.readings.row(report, LOCK_PAIR, row, line)


def _take(line: str, values: dict[str, str]) -> None:
    """Take the totals of a line."""
    if match := _REQUESTS.match(line):
        values |= {"TOTAL_WAIT_TIME": match["waits"], "TOTAL_RQST_TIME": match["all"]}
    elif match := _ROWS.match(line):
        values |= {"ROWS_READ": match["read"], "ROWS_RETURNED": match["returned"]}
    elif (match := _ELEMENT.match(line)) and match["name"] in _counters():
        values.setdefault(match["name"], match["total"])


FORMATS = (Format(NAME, starts_with(_START), _read, ("monitoring report - ",)),)
