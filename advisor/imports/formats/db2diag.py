"""Records of db2diag.log, as stored or as the tool db2diag prints them.

Changes by STMM are settings: the last change of each gives its value. Records with a message in sql/schema/messages.csv
are events, and so are such messages elsewhere: in the output of commands and in the logs of applications.
"""

import re
from functools import partial

from advisor.imports.events import NAME, Event, find_code, find_time, handle_of
from advisor.imports.reader import Format, Part, is_typed, starts_with
from advisor.imports.readings import TOLD_ONLY
from advisor.imports.settings import find_by_token

_NAME = "db2diag"
_HEAD = re.compile(r"\s*\d{4}-\d\d-\d\d-(?:\d\d\.\d\d\.\d\d\.\d{6}[+-]\d{1,4})?\s+[A-Z]\d+\w*\s+LEVEL:")
_HEAD_CHARACTERS = 40
_MOST_CHARACTERS = 4_000  # of a record of an event; dumps follow
_FENCE = re.compile(r"\s*(?:```|~~~)")  # Markdown: the quoted text ends there
_FIELDS = {"instance": re.compile(r"\bINSTANCE\s*: *([\w@#$]+)"), "host": re.compile(r"\bHOSTNAME\s*: *([\w.-]+)")}
_NODE = re.compile(r"\bNODE\s*: *(\d{1,4})")
_CHANGE = re.compile(
    r'\bCHANGE\s*:\s*STMM CFG DB\s+(?P<database>[\w@#$]{1,8})\s*:\s*"(?P<name>\w+)"\s+From:\s*"(?P<before>[^"]*)"\s*(?:<\w+>)?\s*'
    r'To:\s*"(?P<value>\d+)"\s*(?P<flag><automatic>)?'
)
_SHRANK, _SHRUNK_TIMES, _LEAST_PAGES = "STMM_SHRANK", 4, 4_000  # less is not worth a finding
_DATABASE = re.compile(r"\sDB\s*: *([\w@#$]{1,8})")
_HANDLE = re.compile(r"APPHDL\s*: *(\d+)-(\d+)")
_ABOUT = {
    "LEVEL": re.compile(r"LEVEL: *(\w+)"),
    "APPLICATION_ID": re.compile(r"APPID\s*: *([^\s]{1,128})"),
    "FUNCTION_NAME": re.compile(r"FUNCTION\s*: *(?:[^,\n]+, ){2}([\w:~]{1,100})"),
}
_TOLD = ("\nMESSAGE", "\nRETCODE", "\nDATA #1")  # the message begins at the first of these that a record has
_BACKUP = "Performance statistics"

# A message outside db2diag.log: at the start of a line, or after the names of drivers; or an error of JDBC.
_LABEL = r"(?:(?:MESSAGE|RETCODE) ?: *)?"
_STARTING = re.compile(rf"\s*{_LABEL}(?:SQL\d{{4,5}}[NCW]|ADM\d{{4,5}}[CEWI]|DIA\d{{4}}C)(?:[:.]?\s+[^a-z\s]|\s*$)")
_OF_DRIVER = re.compile(r"\[DB2/\w+\] ?SQL\d{4,5}[NCW]\s|\bSQLCODE\s*[=:]\s*-\d{3,5}\b")
_MOST_LINES = 4  # of a wrapped message


def _describe(text: str) -> dict[str, str | None]:
    return {name: found[1] if (found := field.search(text)) else None for name, field in _ABOUT.items()}


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
        part.unused(_NAME, first)


class _Changes:
    """The last change of each setting of each database and member, and its line."""

    def __init__(self, part: Part) -> None:
        self._part = part
        self._settings: dict[tuple[str, str], dict[str, tuple[str, str]]] = {}
        self._about: dict[str, dict[str, str]] = {}
        self._before: dict[tuple[str, str, str], int] = {}  # sizes before the first change, in pages
        self._at: dict[tuple[str, str, str], str | None] = {}  # times of the last change
        self._has_events = False

    def take(self, record: list[str], following: int) -> None:
        """Take one record; the next one starts at the line ``following``."""
        text = "\n".join(record)
        if (code := find_code(text)) is not None:
            self._add_event(code, text)
        elif _BACKUP in text:
            why = f"how a backup or restore went ({_BACKUP}, {record[0].split(None, 1)[0].rstrip('-')}){TOLD_ONLY}"
            self._part.ignore(why, following - len(record), following - 1)
        if "STMM CFG DB" in text:
            self._change(" ".join(text.split()), find_time(text[:_HEAD_CHARACTERS]))

    def _add_event(self, code: str, text: str) -> None:
        self._has_events, text = True, text[:_MOST_CHARACTERS]
        database, node, handle = (field.search(text) for field in (_DATABASE, _NODE, _HANDLE))
        begin = next((at + 1 for at in map(text.find, _TOLD) if at >= 0), 0)
        told = text[begin:]
        event = Event(
            code,
            find_time(text[:_HEAD_CHARACTERS]),
            told.partition(":")[2].lstrip() if told.startswith(("MESSAGE", "RETCODE")) else told,
            handle_of(*handle.groups()) if handle else None,
            str(int(node[1])) if node else None,
            partial(_describe, text),
        )
        about = {name: found[1] for name, field in _FIELDS.items() if (found := field.search(text))}
        self._part.readings.events.add(self._part.document, database[1].upper() if database else None, event, **about)

    def _change(self, text: str, at: str | None) -> None:
        match = _CHANGE.search(text)
        parameter = find_by_token(match["name"], "db") if match else None
        if match is None or parameter is None:
            return
        database, node = match["database"].upper(), _NODE.search(text)
        about = {name: found[1] for name, field in _FIELDS.items() if (found := field.search(text))}
        self._about.setdefault(database, {}).update(about)
        settings = self._settings.setdefault((database, str(int(node[1])) if node else "0"), {})
        settings[parameter.name] = match["value"], "AUTOMATIC" if match["flag"] else "NONE"
        key = database, str(int(node[1])) if node else "0", parameter.name
        if match["before"].isdigit():
            self._before.setdefault(key, int(match["before"]))
        self._at[key] = at

    def write(self) -> bool:
        """Write the settings; return whether there are any, or events."""
        readings = self._part.readings
        self._add_shrunk()
        reports = {
            database: self._part.report(_NAME, database=database, **about) for database, about in self._about.items()
        }
        for (database, member), settings in self._settings.items():
            for name, (value, flags) in settings.items():
                row = {"NAME": name, "MEMBER": member, "VALUE": value, "VALUE_FLAGS": flags}
                readings.row(reports[database], "dbcfg", row)
        return bool(reports) or self._has_events

    def _add_shrunk(self) -> None:
        """Add an event for each area that STMM made much smaller."""
        for (database, member, name), before in self._before.items():
            value = int(self._settings[database, member][name][0])
            if before >= _LEAST_PAGES and value * _SHRUNK_TIMES <= before:
                message = f'STMM changed "{name.upper()}" from {before} to {value} pages'
                event = Event(_SHRANK, self._at[database, member, name], message, None, member)
                readings, document = self._part.readings, self._part.document
                readings.events.add(document, database, event, **self._about[database])


def _starts_message(line: str, previous: str) -> bool:
    said = _STARTING.match(line) or (_OF_DRIVER.search(line) and not is_typed(line))
    return bool(said) and find_code(line) is not None


def _read_message(part: Part) -> None:
    lines = [next(part.lines)]
    if _STARTING.match(lines[0]):  # errors of JDBC are single lines
        while len(lines) < _MOST_LINES and "SQLSTATE" not in lines[-1]:
            following = part.lines.peek()
            if following is None or not following.strip() or part.starts(following):
                break
            lines.append(next(part.lines))
    text = "\n".join(lines)
    code = find_code(text)
    assert code is not None  # of the first line
    part.readings.events.add(part.document, None, Event(code, find_time(lines[0]), text))


FORMATS = (
    Format(_NAME, starts_with(_HEAD), _read, ("level:",)),
    Format(NAME, _starts_message, _read_message, ("sqlcode", "sql0", "sql1", "sql2", "sql3", "adm", "dia8")),
)
