"""``db2pd`` -utilities, and -recovery, -reorgs and -latches as notes, since no source has their values."""

import re
from dataclasses import dataclass, field

from advisor.imports.readings import Readings, Report
from advisor.imports.values import parse_time

UTILITIES = "Utilities"
MOST_ROWS = 10_000  # kept in memory
MOST_NOTES = 5  # of one kind

_JOB = re.compile(r"Job Type\s+(\S.*)")
_PHASE = re.compile(r"(Total|Current) Phases?\s+(\d+)")
_PROGRESS = re.compile(
    r"0x\w+\s+(?P<phase>\d+)\s+(?P<name>[A-Z]\w*)\s+.*?(?P<done>\d{1,19}) bytes\s+(?:(?P<total>\d+) bytes|Unknown)"
)
_REORG = re.compile(
    r"0x\w+\s+(?P<table>\S.{0,255}?)\s{1,99}\d\d/\d\d/\d{4} .{0,255}?(?P<done>\d{1,19})\s{1,99}(?P<total>\d{1,19})\s{1,99}"
    r"(?P<state>Paused|Stopped)\s+-?\d+"
)
_LATCH = re.compile(r"0x\w+\s+(?P<holder>\d+)\s+(?P<waiter>\d+)\s+\S+\s+\d+\s+(?P<latch>SQLO_LT_\w+)(?:\s+\d+)?")
_UTILITY = re.compile(
    r"0x\w+\s+\d+\s+(?P<type>[A-Z][A-Z_]{2,19})\s+\d+\s+\d+\s+\d+\s+"
    r"(?P<start>[A-Z][a-z]{2} [A-Z][a-z]{2}\s+\d{1,2} \d\d:\d\d:\d\d \d{4})\s+(?P<database>[A-Za-z@#$]\S{0,7})\s+\d+\s+\d+"
    r"(?:\s.*)?"
)
_NO_HANDLE = "0"


@dataclass
class Progress:
    """What the sections of one report show."""

    job: str = ""
    phases: dict[str, str] = field(default_factory=dict)
    steps: dict[str, re.Match[str]] = field(default_factory=dict)  # of the recovery, by phase
    reorgs: list[str] = field(default_factory=list)
    holders: dict[str, set[str]] = field(default_factory=dict)  # EDUs that hold a latch
    waiters: dict[str, set[str]] = field(default_factory=dict)  # EDUs that wait for it

    def take(self, title: str, text: str, line: int) -> None:
        """Read a line of a section."""
        if title == "Recovery":
            if match := _JOB.fullmatch(text):
                self.job = match[1].lower()
            elif match := _PHASE.fullmatch(text):
                self.phases[match[1]] = match[2]
        elif title == "Progress" and self.job and (match := _PROGRESS.fullmatch(text)):
            self.steps[match["phase"]] = match
        elif title == "Table Reorg Stats" and (match := _REORG.fullmatch(text)):
            state = match["state"].lower()
            self.reorgs.append(f"REORG of table {match['table']} is {state} at {match['done']} of {match['total']}")
        elif title == "Latches" and (match := _LATCH.fullmatch(text)):
            for edus, edu in ((self.holders, match["holder"]), (self.waiters, match["waiter"])):
                if edu != "0":
                    edus.setdefault(match["latch"], set()).add(edu)

    def write(self, readings: Readings, report: Report) -> None:
        """Add the notes of the report."""
        readings.notes += self.notes()

    def notes(self) -> list[str]:
        """Return one sentence for each observation, the largest number of waiters first."""
        waited = sorted(self.waiters, key=lambda latch: (-len(self.waiters[latch]), latch))
        return [*self._recovery(), *self.reorgs[:MOST_NOTES], *map(self._latch, waited[:MOST_NOTES])]

    def _recovery(self) -> list[str]:
        if not self.job:
            return []
        current = self.phases.get("Current", "")
        step = self.steps.get(current)
        phase = f": phase {current} of {self.phases['Total']}" if current and "Total" in self.phases else ""
        if step is None:
            return [f"{self.job} is running{phase}"]
        total = int(step["total"] or 0)
        part = f"{100 * int(step['done']) // total} %" if total else f"{int(step['done']):,} bytes"
        return [f"{self.job} is running{phase} ({step['name'].lower()}), {part} done"]

    def _latch(self, latch: str) -> str:
        count, holders = len(self.waiters[latch]), sorted(self.holders.get(latch, ()), key=int)
        held = f", held by EDU {', '.join(holders[:MOST_NOTES])}" if holders else ""
        return f"{count} {'EDU waits' if count == 1 else 'EDUs wait'} for latch {latch}{held}"


@dataclass
class Utilities:
    """The utilities of one report, with their lines. They have no application handle: their start distinguishes them."""

    rows: list[tuple[re.Match[str], int]] = field(default_factory=list)

    def take(self, title: str, text: str, line: int) -> None:
        """Read a line of a section."""
        if title == UTILITIES and (match := _UTILITY.fullmatch(text)) and len(self.rows) < MOST_ROWS:
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
