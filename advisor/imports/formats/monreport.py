"""Reports of module MONREPORT. ``DBSUMMARY`` has the work, waits and times of all members over its interval.

Its lines start with the name of a monitor element; the last number is the total. Part 2 splits the same work and is not
used. The default interval of 10 seconds is too short to judge, so its counters are not used and a note asks for more.
"""

import re
from functools import cache

from advisor.catalogue.sources import all_sources
from advisor.imports.cells import read_time, time
from advisor.imports.reader import Format, Part
from advisor.imports.readings import INTERVAL, TOLD_ONLY
from advisor.imports.values import ALL_WORKLOADS

NAME = "MONREPORT"
_SUMMARY = "database summary"
_SHORTEST = 60  # seconds, as in sql/model/run_window.sql
_LONGER = "CALL MONREPORT.DBSUMMARY(300)"
_TOO_SHORT = f"the interval is shorter than 60 seconds; use {_LONGER}{TOLD_ONLY}"

_START = re.compile(r"\s*Monitoring report - (?P<title>[a-z][a-z ]{2,40}?)\s*$")
_FIELD = re.compile(r"\s*(Database|Generated|Interval monitored):\s+(\S.*?)\s*$")
_SECOND_PART = re.compile(r"\s*Part 2 - ")
_ELEMENT = re.compile(r"\s*(?P<name>[A-Z][A-Z_]{4,60})\s+=?\s*(?:-?\d+(?:\.\d+)?\s+)?(?P<total>\d+)\s*$")
_REQUESTS = re.compile(r"\s*For requests\s+\d+\s+(?P<waits>\d+)/(?P<all>\d+)\s*$")
_ROWS = re.compile(r"\s*ROWS_READ/ROWS_RETURNED\s*=\s*\d+\s+\((?P<read>\d+)/(?P<returned>\d+)\)\s*$")


@cache
def _counters() -> frozenset[str]:
    return frozenset(all_sources()["workload"].names("counter"))


def _starts(line: str, previous: str) -> bool:
    return _START.match(line) is not None


def _read(part: Part) -> None:
    lines, first = part.lines, part.lines.number + 1
    start = _START.match(next(lines))
    about: dict[str, str] = {}
    values: dict[str, str] = {}
    is_used = True
    for line in lines:
        if _START.match(line) or part.starts_other_format(line):
            lines.push_back()
            break
        if _SECOND_PART.match(line):
            is_used = False
        elif match := _FIELD.match(line):
            about.setdefault(match[1], match[2])
        elif is_used:
            _take(line, values)
    if start is None or start["title"] != _SUMMARY or not values or not about.get("Interval monitored", "").isdecimal():
        part.readings.unused(part.document, first, lines.number, NAME)
        return
    seconds = int(about["Interval monitored"])
    if seconds < _SHORTEST:
        part.readings.record_ignored(part.document, first, lines.number, _TOO_SHORT)
        part.readings.notes.append(f"MONREPORT.DBSUMMARY over {seconds} seconds is too short to judge; use {_LONGER}")
        return
    database, taken_at = about.get("Database"), read_time(time(about.get("Generated", "")))
    report = part.readings.report(
        NAME, part.document, counts=INTERVAL, database=database and database.upper(), taken_at=taken_at, seconds=seconds
    )
    part.readings.row(report, "workload", {"WORKLOAD_NAME": ALL_WORKLOADS, **values})


def _take(line: str, values: dict[str, str]) -> None:
    """Take the totals of a line."""
    if match := _REQUESTS.match(line):
        values |= {"TOTAL_WAIT_TIME": match["waits"], "TOTAL_RQST_TIME": match["all"]}
    elif match := _ROWS.match(line):
        values |= {"ROWS_READ": match["read"], "ROWS_RETURNED": match["returned"]}
    elif (match := _ELEMENT.match(line)) and match["name"] in _counters():
        values.setdefault(match["name"], match["total"])


FORMATS = (Format(NAME, _starts, _read, ("monitoring report - ",)),)
