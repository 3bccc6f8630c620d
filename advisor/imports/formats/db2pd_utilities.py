"""``db2pd -utilities``: the utilities that run in the databases of an instance.

The list has no application handle, so each utility gets handle 0: its start distinguishes it from others.
"""

import re
from dataclasses import dataclass, field

from advisor.imports.readings import Readings, Report
from advisor.imports.values import parse_time

TITLE = "Utilities"
MOST_ROWS = 10_000  # kept in memory

_ROW = re.compile(
    r"0x\w+\s+\d+\s+(?P<type>[A-Z][A-Z_]{2,19})\s+\d+\s+\d+\s+\d+\s+"
    r"(?P<start>[A-Z][a-z]{2} [A-Z][a-z]{2}\s+\d{1,2} \d\d:\d\d:\d\d \d{4})\s+(?P<database>[A-Za-z@#$]\S{0,7})\s+\d+\s+\d+"
    r"(?:\s.*)?"
)
_NO_HANDLE = "0"


@dataclass
class Utilities:
    """The utilities of one report, with their lines."""

    rows: list[tuple[re.Match[str], int]] = field(default_factory=list)

    def take(self, title: str, text: str, line: int) -> None:
        """Read a line of a section."""
        if title == TITLE and (match := _ROW.fullmatch(text)) and len(self.rows) < MOST_ROWS:
            self.rows.append((match, line))

    def write(self, readings: Readings, report: Report) -> None:
        """Write the utilities, one report for each database."""
        reports: dict[str, Report] = {}
        for match, line in self.rows:
            database = match["database"].upper()
            if database not in reports:
                reports[database] = readings.report(
                    report.format, report.document, database=database, member=report.member, taken_at=report.taken_at
                )
            if started := parse_time(" ".join(match["start"].split()), "%a %b %d %H:%M:%S %Y"):
                values = {
                    "MEMBER": str(report.member or 0),
                    "APPLICATION_HANDLE": _NO_HANDLE,
                    "UTILITY_START_TIME": str(started),
                    "UTILITY_TYPE": match["type"],
                }
                readings.row(reports[database], "utility", values, line)
