"""``db2mtrk -i -d``, with or without -v: the sizes of memory pools, whose sum is the use of their memory set.

columns/db2mtrk.csv lists the pools of each set by scope. Without -v sizes are rounded and printed below the names.
Output of -a and -p for applications and agents is ignored, and so is output of -m and -w: those are other sizes.
"""

import re
from functools import cache

from advisor.imports.reader import Format, Part
from advisor.imports.readings import Report
from advisor.imports.values import columns, moment

_NAME = "db2mtrk"
_START = re.compile(r"\s*Tracking Memory on:\s*(\d{4})/(\d\d)/(\d\d) at (\d\d:\d\d:\d\d)")
_SCOPE = re.compile(
    r"\s*Memory for (?P<scope>instance|database|application|agent|private)\b[: ]*(?P<name>[\w@#$]{1,8})?"
)
_POOL = re.compile(r"\s*(?P<pool>[A-Za-z][\w/ .-]*?)(?:\s*\([^)]*\))?\s+is of size (?P<size>\d+) bytes")
_TOTAL = re.compile(r"\s*Total(?: size)?:")
_NAMES = re.compile(r"([a-z]\w*)\s*(?:\([^)]*\))?\s*")
_SIZES = re.compile(r"\s*(?:\d+(?:\.\d+)?[KMGT]?(?:\s+|$))+")
_OTHER = re.compile(r"\bdb2mtrk\b.*\s-\w*[mw]|has (?:a )?(?:watermark|max)", re.I)
_NOTHING = re.compile(r"\s*(?:No active|Instance not started|Memory for \w+ \d+)", re.I)
_UNITS = {"K": 1, "M": 1 << 10, "G": 1 << 20, "T": 1 << 30}
_OTHER_SIZES = "not the current sizes of the memory pools"


@cache
def _sets() -> dict[tuple[str, str], str]:
    return {(row["SCOPE"], row["POOL"]): row["SET"] for row in columns("db2mtrk")}


def _starts(line: str, previous: str) -> bool:
    return (_START.match(line) or _SCOPE.match(line)) is not None


def _read(part: Part) -> None:
    _Tracked(part).read()


class _Tracked:
    """One call of the tool, or a pasted part of it."""

    def __init__(self, part: Part) -> None:
        self._part = part
        self._current = True
        self._taken_at = moment(None)
        self._scope = self._database = ""
        self._sizes: dict[tuple[str, str], float] = {}  # KB by set and database

    def read(self) -> None:
        """Take its lines."""
        lines, first = self._part.lines, True
        names: list[str] = []
        for line in lines:
            if first:
                self._current = not _OTHER.search(lines.previous)
            if not line.strip():
                continue
            if match := _START.match(line):
                if not first:
                    lines.push_back()
                    break
                self._taken_at = moment(f"{match[1]}-{match[2]}-{match[3]} {match[4]}")
            elif match := _SCOPE.match(line):
                self._scope, self._database = match["scope"], (match["name"] or "").upper()
            elif match := _POOL.match(line):
                self._add(match["pool"].lower(), int(match["size"]) / 1024)
            elif names and _SIZES.fullmatch(line):
                for name, size in zip(names, line.split(), strict=False):
                    self._add(name, _kilobytes(size))
                names = []
            elif _NAMES.match(line.strip()) and not _NAMES.sub("", line.strip()):
                names = _NAMES.findall(line)
            elif _OTHER.search(line):
                self._current = False
            elif not (_TOTAL.match(line) or _NOTHING.match(line)):
                lines.push_back()
                break
            first = False
        self._write()

    def _add(self, pool: str, kilobytes: float) -> None:
        usual = _sets().get((self._scope, ""))
        if usual is not None:
            key = (_sets().get((self._scope, pool), usual), self._database)
            self._sizes[key] = self._sizes.get(key, 0) + kilobytes

    def _write(self) -> None:
        if not self._current:
            number = self._part.lines.number
            self._part.readings.record_ignored(self._part.document, number, number, _OTHER_SIZES)
            return
        for database in dict.fromkeys(database for _, database in self._sizes):
            self._rows(
                self._part.readings.report(
                    _NAME, self._part.document, database=database or None, taken_at=self._taken_at
                ),
                database,
            )

    def _rows(self, report: Report, database: str) -> None:
        for (kind, of), kilobytes in self._sizes.items():
            if of == database:
                row = {"MEMORY_SET_TYPE": kind, "DB_NAME": database or "-", "MEMORY_SET_USED": str(round(kilobytes))}
                self._part.readings.row(report, "memory_set", row)


def _kilobytes(size: str) -> float:
    unit = _UNITS.get(size[-1])
    return float(size[:-1]) * unit if unit else float(size) / 1024


FORMATS = (Format(_NAME, _starts, _read, ("memory",)),)
