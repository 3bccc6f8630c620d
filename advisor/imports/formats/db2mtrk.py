"""``db2mtrk -i -d``, with or without -v: the sizes of memory pools, whose sum is the use of their memory set.

columns/db2mtrk.csv lists the pools of each set by scope. Without -v sizes are rounded and printed below the names.
Output of -a and -p for applications and agents is ignored, and so is output of -m and -w: those are other sizes.
"""

import re
from functools import cache

from advisor.imports.reader import Format, Part, Reader, starts_with
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


class _Tracked(Reader):
    """One call of the tool, or a pasted part of it."""

    def __init__(self, part: Part) -> None:
        super().__init__(part)
        self._current = True
        self._names: list[str] = []  # of the pools whose sizes follow
        self._taken_at = moment(None)
        self._scope = self._database = ""
        self._sizes: dict[tuple[str, str], float] = {}  # KB by set and database

    def take(self, line: str, text: str) -> bool:
        first = self.part.lines.number == self.first
        if first:
            self._current = not _OTHER.search(self.part.lines.previous)
        if match := _START.match(line):
            if not first:
                return False
            self._taken_at = moment(f"{match[1]}-{match[2]}-{match[3]} {match[4]}")
        elif match := _SCOPE.match(line):
            self._scope, self._database = match["scope"], (match["name"] or "").upper()
        elif match := _POOL.match(line):
            self._add(match["pool"].lower(), int(match["size"]) / 1024)
        elif self._names and _SIZES.fullmatch(line):
            for name, size in zip(self._names, line.split(), strict=False):
                self._add(name, _kilobytes(size))
            self._names = []
        elif _NAMES.match(text) and not _NAMES.sub("", text):
            self._names = _NAMES.findall(line)
        elif _OTHER.search(line):
            self._current = False
        else:
            return not text or (_TOTAL.match(line) or _NOTHING.match(line)) is not None
        return True

    def _add(self, pool: str, kilobytes: float) -> None:
        usual = _sets().get((self._scope, ""))
        if usual is not None:
            key = (_sets().get((self._scope, pool), usual), self._database)
            self._sizes[key] = self._sizes.get(key, 0) + kilobytes

    def end(self) -> None:
        if not self._current:
            self.part.ignore(_OTHER_SIZES)
            return
        for (kind, database), kilobytes in self._sizes.items():
            report = self.report_of(_NAME, database or None, taken_at=self._taken_at)
            row = {"MEMORY_SET_TYPE": kind, "DB_NAME": database or "-", "MEMORY_SET_USED": str(round(kilobytes))}
            self.part.readings.row(report, "memory_set", row)


def _kilobytes(size: str) -> float:
    unit = _UNITS.get(size[-1])
    return float(size[:-1]) * unit if unit else float(size) / 1024


FORMATS = (Format(_NAME, starts_with(_START, _SCOPE), _Tracked.read, ("memory",)),)
