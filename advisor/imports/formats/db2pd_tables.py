"""Headings, tables and settings of ``db2pd``.

A table is identified by the names of its columns. Settings have labels without a token, and two columns of values.
"""

import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache

from advisor.imports.labels import KEY, NEEDED
from advisor.imports.values import columns, moment, parse_text

FIRST_COLUMNS = ("Address", "BPID", "TotalCPU", "TotalMem")

_NEEDED: dict[str, set[str]] = {}
for _line in columns("db2pd"):
    if _line["KIND"] in (KEY, NEEDED):
        _NEEDED.setdefault(_line["SECTION"], set()).add(_line["LABEL"].lower())
LAST_WITH_BLANKS = {"name", "container", "pathname", "filename"}
_UP = re.compile(r"Up\s+(\d{1,6})\s+days?\s+(\d{1,2}):(\d\d):(\d\d)")
_LABELS = {line["LABEL"]: line["VALUE"] for line in columns("db2pd") if line["VALUE"] and not line["COLUMN"]}
_VALUE = re.compile(r"(?:AUTOMATIC|COMPUTED)?\s*\(.*\)|[-+]?\d[\d.eE+-]*|[A-Z_]+", re.IGNORECASE)
APART = re.compile(r"\t|\s{2,}")


@dataclass(frozen=True)
class Heading:
    member: int | None
    database: str | None
    up: timedelta | None
    taken_at: datetime | None


@dataclass(frozen=True)
class Table:
    section: str
    names: list[str]
    starts: list[int]


def parse_heading(text: str) -> Heading | None:
    """Read the line before the sections: Database Member 0 -- Database SAMPLE -- Active -- Up 1 days 00:00:07 -- Date …"""
    if not text.startswith("Database "):
        return None
    first, *others = [part.strip() for part in text.split("--")]
    words = first.split()
    if len(words) != 3 or words[1] not in ("Member", "Partition") or not words[2].isdecimal() or not others:
        return None
    database = others[0].removeprefix("Database ").strip() if others[0].startswith("Database ") else None
    up = taken_at = None
    for part in others:
        if match := _UP.fullmatch(part):
            days, hours, minutes, seconds = (int(number) for number in match.groups())
            up = timedelta(days=days, hours=hours, minutes=minutes, seconds=seconds)
        elif part.startswith("Date "):
            taken_at = moment(part.removeprefix("Date "))
    return Heading(int(words[2]) if len(words[2]) < 5 else None, database, up, taken_at)


def find_table(line: str, text: str) -> Table | None:
    """Return the table that a line with names of columns starts."""
    return _table_of(line) if text.startswith(FIRST_COLUMNS) else None


@lru_cache(256)  # every report has the same
def _table_of(line: str) -> Table | None:
    cells = list(re.finditer(r"\S+", line.replace("Max HWM", "Max_HWM")))
    names = [cell[0].lower() for cell in cells]
    for section, needed in _NEEDED.items():
        if needed.issubset(names):
            return Table(section, names, [cell.start() for cell in cells])
    return None


def cut_cells(table: Table, line: str) -> dict[str, str] | None:
    """Return the cells of a row: by blanks if their number fits, else by position; None if neither fits."""
    values, count = line.split(), len(table.names)
    if len(values) > count and table.names[-1] in LAST_WITH_BLANKS:
        values = [value.strip() for value in line.split(None, count - 1)]
    if len(values) != count:
        ends = [*table.starts[1:], len(line)]
        if len(line) <= table.starts[-1] or not all(line[start - 1].isspace() for start in table.starts[1:]):
            return None
        values = [line[start:end].strip() for start, end in zip(table.starts, ends, strict=True)]
    return dict(zip(table.names, values, strict=True))


def split_values(line: str, end: int, settings_at: tuple[int, int] | None) -> tuple[str | None, str | None]:
    """Return the two columns of values; by their words if the columns are not aligned."""
    if settings_at:
        memory, disk = settings_at
        between = [line[place - 1].isspace() for place in (memory, disk) if place <= len(line)]
        if end <= memory and all(between) and len(line) > memory:
            return line[memory:disk].strip(), line[disk:].strip()
    text = line[end:].strip()
    first, *others = [part for part in APART.split(text) if part] or [""]
    if not others:
        first, *others = text.split() or [""]
    return first, others[0] if others else None


def find_label(line: str) -> tuple[str, int]:
    """Return the parameter that a label names, and the label's end."""
    indent = len(line) - len(line.lstrip())
    for label, name in _LABELS.items():
        if line.startswith(label, indent):
            return name, indent + len(label)
    return "", 0


def parse_value(kind: str, text: str | None) -> str | None:
    """Return the value of a setting, or None if it is not valid for the parameter's kind."""
    if text is None:
        return None
    if kind == "text":
        return parse_text(text) or ""
    match = _VALUE.match(text)
    return match[0] if match else None
