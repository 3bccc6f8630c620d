"""Records of db2diag.log, as stored or as the tool db2diag prints them.

Changes by STMM are settings: the last change of each gives its value. Other events of the database (a full log, a full
container, how a backup went) may be over: they are listed, and no rule uses them.
"""

import re

from advisor.imports.reader import Format, Part
from advisor.imports.readings import TOLD_ONLY
from advisor.imports.settings import find_by_token

_NAME = "db2diag"
_HEAD = re.compile(r"\s*\d{4}-\d\d-\d\d-(?:\d\d\.\d\d\.\d\d\.\d{6}[+-]\d{1,4})?\s+[A-Z]\d+\w*\s+LEVEL:")
_FENCE = re.compile(r"\s*(?:```|~~~)")  # Markdown: the quoted text ends there
_FIELDS = {
    "instance": re.compile(r"\bINSTANCE\s*: *([\w@#$]+)"),
    "host": re.compile(r"\bHOSTNAME\s*: *([\w.-]+)"),
}
_NODE = re.compile(r"\bNODE\s*: *(\d{1,4})")
_CHANGE = re.compile(
    r'\bCHANGE\s*:\s*STMM CFG DB\s+(?P<database>[\w@#$]{1,8})\s*:\s*"(?P<name>\w+)"\s+From:\s*"[^"]*"\s*(?:<\w+>)?\s*'
    r'To:\s*"(?P<value>\d+)"\s*(?P<flag><automatic>)?'
)
_EVENTS = {
    "ADM1823E": "the active log was full",
    "SQL0964C": "the log of the database was full",
    "DIA8309C": "the log of the database was full",
    "ADM6017E": "a table space was full",
    "ADM6044E": "a table space was full",
    "not enough free memory for size increase": "STMM found no free memory",
    "Performance statistics": "how a backup or restore went",
}
_CODES = frozenset(mark for mark in _EVENTS if mark.isupper())
_CODE = 8  # characters


def _starts(line: str, previous: str) -> bool:
    return _HEAD.match(line) is not None


def _read(part: Part) -> None:
    lines, first = part.lines, part.lines.number + 1
    changes = _Changes(part)
    record: list[str] = []
    for line in lines:
        if "LEVEL:" in line and _HEAD.match(line):
            changes.take(record, lines.number)
            record = [line]
        elif record and (
            _FENCE.match(line) or (not record[-1].strip() and line.strip() and part.starts_other_format(line))
        ):
            lines.push_back()
            break
        else:
            record.append(line)
    changes.take(record, lines.number + 1)
    if not changes.write():
        part.readings.unused(part.document, first, lines.number, _NAME)


class _Changes:
    """The last change of each setting of each database and member, and its line."""

    def __init__(self, part: Part) -> None:
        self._part = part
        self._settings: dict[tuple[str, str], dict[str, tuple[str, str]]] = {}
        self._about: dict[str, dict[str, str]] = {}

    def take(self, record: list[str], following: int) -> None:
        """Take one record; the next one starts at the line ``following``."""
        text = "\n".join(record)
        event = next((mark for mark in _EVENTS if mark in text), None)
        if event is not None:
            why = f"{_EVENTS[event]} ({event}, {record[0].split(None, 1)[0].rstrip('-')}){TOLD_ONLY}"
            self._part.readings.record_ignored(self._part.document, following - len(record), following - 1, why)
        if "STMM CFG DB" in text:
            self._change(" ".join(text.split()))

    def _change(self, text: str) -> None:
        match = _CHANGE.search(text)
        parameter = find_by_token(match["name"], "db") if match else None
        if match is None or parameter is None:
            return
        database, node = match["database"].upper(), _NODE.search(text)
        about = {name: found[1] for name, field in _FIELDS.items() if (found := field.search(text))}
        self._about.setdefault(database, {}).update(about)
        settings = self._settings.setdefault((database, str(int(node[1])) if node else "0"), {})
        settings[parameter.name] = match["value"], "AUTOMATIC" if match["flag"] else "NONE"

    def write(self) -> bool:
        """Write the settings; return whether there are any."""
        readings = self._part.readings
        reports = {
            database: readings.report(_NAME, self._part.document, database=database, **about)
            for database, about in self._about.items()
        }
        for (database, member), settings in self._settings.items():
            for name, (value, flags) in settings.items():
                row = {"NAME": name, "MEMBER": member, "VALUE": value, "VALUE_FLAGS": flags}
                readings.row(reports[database], "dbcfg", row)
        return bool(reports)


def _starts_message(line: str, previous: str) -> bool:
    return line.lstrip()[:_CODE] in _CODES


def _read_message(part: Part) -> None:
    code = next(part.lines).lstrip()[:_CODE]
    number = part.lines.number
    part.readings.record_ignored(part.document, number, number, f"{_EVENTS[code]} ({code}){TOLD_ONLY}")


FORMATS = (
    Format(_NAME, _starts, _read, ("level:",)),
    Format("message of Db2", _starts_message, _read_message, tuple(map(str.lower, _CODES))),
)
