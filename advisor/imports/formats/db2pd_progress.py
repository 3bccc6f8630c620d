"""``db2pd`` -recovery, -reorgs and -latches: work in progress and waits, as notes. No source has their values."""

import re
from dataclasses import dataclass, field

from advisor.imports.readings import Readings, Report

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
