"""``list history backup``: the backups, loads and moves of one database, from its history file.

Its heading tells the database. No source has a column for when the last backup was.
"""

import re

from advisor.imports.reader import Format, Part

_NAME = "list history"
_START = re.compile(r"\s*List History File for (?P<database>[\w@#$]{1,8})\s*$", re.I)
_HEADING = re.compile(r"\s*Op\s+Obj\s+Timestamp\+Sequence\s+Type\s+Dev\b")
_ENTRY = re.compile(r"\s*[A-Z]\s+[A-Z]\s+\d{14,17}\b")
_LINE = re.compile(
    r"\s*(?:[- ]+$|Contains \d+ tablespace|\d{5} \S|Comment:|Start Time:|End Time:|Status:|EID:"
    r"|Number of matching file entries|Table:|Schema:|\d+ \S+$)"
)


def _starts(line: str, previous: str) -> bool:
    if "Timestamp+" in line:
        return _HEADING.match(line) is not None
    return "History" in line and _START.match(line) is not None


def _read(part: Part) -> None:
    lines, first = part.lines, part.lines.number + 1
    for line in lines:
        if match := _START.match(line):
            part.readings.report(_NAME, part.document, database=match["database"].upper())
        elif line.strip() and not (_HEADING.match(line) or _ENTRY.match(line) or _LINE.match(line)):
            lines.back()
            break
    part.readings.unused(part.document, first, lines.number, _NAME)


FORMATS = (Format(_NAME, _starts, _read),)
