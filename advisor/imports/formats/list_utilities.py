"""``list utilities show detail``: the utilities that run, one block of lines each.

The list has no application handle, so each utility gets handle 0: its start distinguishes it from others.
"""

import re

from advisor.imports.cells import member, time
from advisor.imports.reader import Format, Part, Reader, starts_with

_NAME = "list utilities"
_START = re.compile(r"ID\s+= \d+\s*$")
_FIELD = re.compile(r"\s*(?P<name>[A-Z][A-Za-z# ]{1,40}?)\s*=\s?(?P<value>.*?)\s*$")
_HEADING = re.compile(r"(?:Throttling|Progress Monitoring|Progress):?\s*$")
_TYPE = re.compile(r"[A-Z]+(?: [A-Z]+){0,3}")
_SEVERAL_WORDS = {"ROLLFORWARD RECOVERY": "ROLLFORWARD_RECOVERY", "CRASH RECOVERY": "CRASH_RECOVERY"}
_NO_HANDLE = "0"


class _Reader(Reader):
    """A reader of the utilities of one list."""

    def __init__(self, part: Part) -> None:
        super().__init__(part)
        self._found: list[dict[str, str]] = []

    def take(self, line: str, text: str) -> bool:
        if _START.match(line):
            self._found.append({})
        elif match := _FIELD.match(line):
            if self.part.starts_other_format(line):
                return False
            self._found[-1].setdefault(match["name"].lower(), match["value"])
        else:
            return not text or _HEADING.match(text) is not None
        return True

    def end(self) -> None:
        written = [self._write(values) for values in self._found]
        if not any(written):
            self.part.unused(_NAME, self.first)

    def _write(self, values: dict[str, str]) -> bool:
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
        self.part.readings.row(self.part.report(_NAME, database=database.upper()), "utility", row)
        return True


FORMATS = (Format(_NAME, starts_with(_START), _Reader.read, ("id     ",)),)
