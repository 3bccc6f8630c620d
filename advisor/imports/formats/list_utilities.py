"""``list utilities show detail``: the utilities that run, one block of lines each.

The list has no application handle, so each utility gets handle 0: its start distinguishes it from others.
"""

import re

from advisor.imports.cells import member, time
from advisor.imports.reader import Format, Part

_NAME = "list utilities"
_START = re.compile(r"ID\s+= \d+\s*$")
_FIELD = re.compile(r"\s*(?P<name>[A-Z][A-Za-z# ]{1,40}?)\s*=\s?(?P<value>.*?)\s*$")
_HEADING = re.compile(r"(?:Throttling|Progress Monitoring|Progress):?\s*$")
_TYPE = re.compile(r"[A-Z]+(?: [A-Z]+){0,3}")
_SEVERAL_WORDS = {"ROLLFORWARD RECOVERY": "ROLLFORWARD_RECOVERY", "CRASH RECOVERY": "CRASH_RECOVERY"}
_NO_HANDLE = "0"


def _starts(line: str, previous: str) -> bool:
    return _START.match(line) is not None


def _read(part: Part) -> None:
    lines, first = part.lines, part.lines.number + 1
    found: list[dict[str, str]] = []
    for line in lines:
        text = line.strip()
        if _START.match(line):
            found.append({})
        elif match := _FIELD.match(line):
            if part.starts_other_format(line) and not _START.match(line):
                lines.push_back()
                break
            found[-1].setdefault(match["name"].lower(), match["value"])
        elif text and not _HEADING.match(text):
            lines.push_back()
            break
    written = [_write(part, values) for values in found]
    if not any(written):
        part.readings.unused(part.document, first, lines.number, _NAME)


def _write(part: Part, values: dict[str, str]) -> bool:
    """Write a utility; return False if its database, type or start is missing."""
    kind, database, begun = (values.get(name, "") for name in ("type", "database name", "start time"))
    started = time(begun)
    if not (database and started and _TYPE.fullmatch(kind)):
        return False
    row = {
        "MEMBER": member(values.get("partition number", values.get("member number", ""))) or "0",
        "APPLICATION_HANDLE": _NO_HANDLE,
        "UTILITY_START_TIME": started,
        "UTILITY_TYPE": _SEVERAL_WORDS.get(kind, kind),
    }
    part.readings.row(part.readings.report(_NAME, part.document, database=database.upper()), "utility", row)
    return True


FORMATS = (Format(_NAME, _starts, _read, ("id     ",)),)
