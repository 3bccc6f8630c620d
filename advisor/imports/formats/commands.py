"""Commands that change settings, in scripts, mails and transcripts: ``update db cfg``, ``update dbm cfg``, ``db2set``.

A command that failed in a transcript does not count, and a pending value stays pending. Commands in a script count as
if they had been run. Commands that only name a database (``connect to``, ``get db cfg for``, ``db2pd -d``) name the
database of the reports after them. Commands that activate a database put pending values into force.
"""

import re
from dataclasses import dataclass
from functools import lru_cache

from advisor.imports.commands import Outcome, find_command, join_continuation, outcome
from advisor.imports.databases import ACTIVATION, CONNECTION, NAMED, RESTART
from advisor.imports.reader import Format, Part
from advisor.imports.settings import Parameter, find_by_token, make_registry_row
from advisor.imports.store import NTH

_CFG = r"(?:cfg|config|configuration)\b"
_NAME = r"[\"']?(?P<%s>(?!\$[\w{(])[A-Za-z@#$][\w@#$]{0,7})(?![\w@#${(])[\"']?"
_COMMAND = re.compile(
    r"(?:upd(?:ate)?\s+(?:(?P<db>db|database)|(?P<dbm>dbm|(?:db|database)\s+manager))\s+" + _CFG + r"(?P<update>.*)"
    r"|db2set(?:\.exe)?(?=\s|$|[\"'`])(?P<set>.*)"
    r"|connect\s+to\s+" + _NAME % "connected" + r"(?P<rest>.*)"
    r"|(?:de)?activate\s+(?:db|database)\s+" + _NAME % "activated" + r"(?=\s*(?:user\b.*)?[;\"'`&|]*\s*$)"
    r"|(?P<restarted>db2(?:start|stop))(?:\s+(?:force|restart))?(?=\s*[;\"'`]?\s*$)"
    r"|get\s+(?:db|database)\s+" + _CFG + r"\s+for\s+" + _NAME % "shown" + r""
    r"|get\s+snapshot\s+for\s+.{1,80}?\son\s+" + _NAME % "watched" + r"(?=\s*[;\"'`]?\s*(?:$|[|>]))"
    r"|db2pd\b.{0,200}?\s-(?:d|db|database)\s+" + _NAME % "inspected" + r")",
    re.IGNORECASE | re.DOTALL,
)
# The usual form of a command: alone on a line, with single blanks and numbers.
_PLAIN = re.compile(
    r"(?:\$ |\[[\w@~ .-]{1,60}\]\$ |(?-i:db2 => ))?(?:db2 |! ?)?(?P<plain>update (?:(?P<plain_db>db)|dbm) cfg"
    r"(?: for (?P<plain_of>[a-z]\w{0,7}))? using(?P<pairs>(?: [a-z]\w{2,39} \d{1,18}(?: AUTOMATIC)?)+)"
    r"|db2set (?P<variable>DB2\w*)=(?P<plain_value>[\w.:*/-]+));?$",
    re.IGNORECASE | re.ASCII,
)
_WORDS = ("cfg", "config", "db2s", "connect", "snapshot", "db2pd", "activate")
_OF = re.compile(
    r"(?:\s+for\s+[\"']?(?P<name>[^\s\"']+)[\"']?)?(?:\s+(?:member|dbpartitionnum)\s+(?P<member>\d{1,4}))?",
    re.IGNORECASE,
)
_USING = re.compile(r"\s+using(?=\s|$)", re.IGNORECASE)
_PAIR = re.compile(
    r"[\s,]*(?P<name>[A-Za-z]\w{2,39})(?:\s+(?P<value>''[^']*''|'[^']*'|\\?\"[^\"]*\"|[^\s,;\"'`&|)]+))?"
)
_MODES = frozenset({"AUTOMATIC", "MANUAL", "COMPUTED"})
_VALUE = {
    "number": re.compile(r"[-+]?\d[\d.eE+-]*|AUTOMATIC|COMPUTED|ANY|YES|NO|ON|OFF|NONE|SYSTEM", re.IGNORECASE),
    "word": re.compile(r"[\w.:+-]+"),
    "text": re.compile(r"[^$<>{}%]*(?:\$N)?"),
}
_OPTION = re.compile(
    r"\s+-(?P<word>\w+)(?:\s+(?P<instance>(?![\w]*=)[\w]+)(?=\s+(?:\d+\s+)?[\"']?\w+=))?(?:\s+\d+(?=\s))?"
)
_VARIABLE = re.compile(r"\s+[\"']?(?P<name>DB2\w*)\s*=(?P<value>\"[^\"]*\"|'[^']*'|[^\s;\"'`&|]*)[\"']?", re.IGNORECASE)
_BARE = re.compile(r"\s*(?P<name>DB2\w*)=(?P<value>.*?)\s*$")
_NEXT = re.compile(r"[^;&|]{0,40}?(?:;|&&|\|\|)\s*")
_FAILED = "failed"
_UPDATES = {scope: f"update {scope} cfg" for scope in ("db", "dbm")}
_TAKEN_AS_DONE = {
    format: f"{format}; its outcome is unknown: counted as done" for format in (*_UPDATES.values(), "db2set")
}
_IN_FORCE = ("VALUE", "VALUE_FLAGS")


@dataclass
class _Settings:
    """The settings that one command changes."""

    format: str
    source: str
    rows: list[dict[str, str | None]]
    database: str | None = None
    member: str | None = None
    why: str | None = None  # part of it is not used


def _starts(line: str, previous: str) -> bool:
    return _find_first_command(line) is not None


@lru_cache(16)
def _find_first_command(line: str) -> tuple[re.Match[str], bool] | None:
    """Return the first command of a line; cached, since it is needed again to read it and to detect an echo."""
    small = line.lower()
    for word in _WORDS:
        if word in small:
            plain = _PLAIN.match(line)
            return (plain, False) if plain else find_command(line, _COMMAND)
    return None


def _read(part: Part) -> None:
    """Read all successive commands: a log of a script may contain nothing else."""
    take_commands(part)
    while (line := part.lines.peek()) is not None and _find_first_command(line) is not None:
        take_commands(part)


def take_commands(part: Part) -> None:
    """Take the commands of the next line, and their outcome on the lines after it."""
    line = next(part.lines)
    first = part.lines.number
    begun = _find_first_command(line)
    text = line if begun and begun[0].re is _PLAIN else join_continuation(part, line)
    found: list[_Settings | tuple[str, str | None]] = []
    at, remark = 0, False
    while (command := find_command(text, _COMMAND, at) if at else _find_first_command(text)) is not None:
        match, remark = command
        taken, at = (_read_plain_command if match.re is _PLAIN else _read_command)(part, match)
        found.append(taken)
        following = _NEXT.match(text, at)
        if following is None or following.end() == len(text):
            break
        at = following.end()
    came = outcome(part)
    if not came.known and _is_echoed(part, text):  # an echo by db2 -v, which has the outcome
        return
    if came.failed or (remark and not came.known):
        part.ignore(_FAILED if came.failed else "a remark", first)
        return
    for item in found:
        if isinstance(item, _Settings):
            _store(part, item, came, first)
        else:
            _apply_connection(part, item[0], item[1] and item[1].upper())


def _apply_connection(part: Part, format: str, database: str | None) -> None:
    """Apply a connection: commands after another connection are about its database; the same one changes nothing."""
    connection = (part.document, CONNECTION)
    part.readings.follow()
    if format == CONNECTION and part.readings.is_already_set(connection, database):
        return
    if format == NAMED and part.readings.databases(part.document) == {database}:
        return
    part.report(format, database=database)
    if format == CONNECTION:
        part.readings.forget()
        part.readings.say(connection, database)


def _is_echoed(part: Part, text: str) -> bool:
    """Return whether the next line is the same command again."""
    following = part.lines.peek()
    if following is None or (again := _find_first_command(following)) is None:
        return False
    first = _find_first_command(text)
    if first is None:
        return False
    if first[0].re is again[0].re is _PLAIN:
        return first[0]["plain"].lower() == again[0]["plain"].lower()
    return _words(first[0]) == _words(again[0])


def _words(command: re.Match[str]) -> list[str]:
    text = command["plain"] if command.re is _PLAIN else command[0]
    return text.lower().rstrip("\"'`; ").split()


def _read_command(part: Part, command: re.Match[str]) -> tuple["_Settings | tuple[str, str | None]", int]:
    """Return the settings of a command, and its end in the text."""
    match command.lastgroup:
        case "update":
            return _parameters(part, command.string, command.start("update"), "db" if command["db"] else "dbm")
        case "set":
            return _variables(part, command.string, command.start("set"))
        case "rest":
            return (CONNECTION, command["connected"]), command.start("rest")
        case "activated":
            return (ACTIVATION, command["activated"]), command.end()
        case "restarted":
            return (RESTART, None), command.end()
    return (NAMED, command[command.lastgroup or 0]), command.end()


def _read_plain_command(part: Part, command: re.Match[str]) -> tuple[_Settings | tuple[str, str | None], int]:
    """Return the same for a plain command."""
    if settings := _read_simple_command(part, command):
        return settings, command.end("plain")
    careful = find_command(command.string, _COMMAND)
    assert careful is not None  # it matches all that is plain
    return _read_command(part, careful[0])


def _read_simple_command(part: Part, command: re.Match[str]) -> _Settings | None:
    """Return the settings of a plain command as _parameters and _variables would; None if they must read it."""
    if command["variable"]:
        return _variable(_Settings("db2set", "registry", []), command["variable"], command["plain_value"])
    scope, database = "db" if command["plain_db"] else "dbm", command["plain_of"]
    if command.string[-1] != ";" and _continues(part, scope):
        return None
    rows: list[dict[str, str | None]] = []
    parameter: Parameter | None = None
    for word in command["pairs"].upper().split():
        if parameter:
            rows.append(_setting(parameter, word, "NONE"))
            parameter = None
        elif word == "AUTOMATIC" and rows:
            _flag(rows[-1], word)
        elif (parameter := find_by_token(word, scope)) is None:
            return None
    return _Settings(_UPDATES[scope], f"{scope}cfg", rows, database.upper() if database else None)


def _parameters(part: Part, text: str, at: int, scope: str) -> tuple[_Settings, int]:
    """Return the parameters of an update of a configuration."""
    of = _OF.match(text, at)
    assert of is not None  # always matches, maybe empty
    (name, member), at = of.groups(), of.end()
    database = name.upper() if name and name.isidentifier() and len(name) < 9 else None
    rows, why, at = _pairs(_join_script_lines(part, text, scope), at, scope)
    return _Settings(_UPDATES[scope], f"{scope}cfg", rows, database, member, why), at


def _pairs(text: str, at: int, scope: str) -> tuple[list[dict[str, str | None]], str | None, int]:
    """Return the rows of the parameters after USING, the reason why a part is not used, and their end."""
    rows: list[dict[str, str | None]] = []
    using, why, waiting = _USING.match(text, at), None, False
    if using is None:
        return rows, why, at
    at = using.end()
    while pair := _PAIR.match(text, at):
        word = pair["name"].upper()
        if word in _MODES and rows:
            _flag(rows[-1], word)
            at = pair.end("name")
        elif word in ("IMMEDIATE", "DEFERRED"):
            at = pair.end("name")
            waiting = waiting or word == "DEFERRED"
        elif (parameter := find_by_token(word, scope)) and pair["value"]:
            at = pair.end()
            if found := _row(parameter, pair["value"]):
                rows.append(found)
            else:
                why = f"the value of {word} is not in the text"
        else:
            break
    for row in rows if waiting else ():
        row.update(dict.fromkeys(_IN_FORCE))
    return rows, why, at


def _join_script_lines(part: Part, text: str, scope: str) -> str:
    """Return the command with the following lines of a script: until its ``;``, while they contain parameters."""
    while not text.rstrip().endswith((";", "@")) and "&&" not in text:
        if not _continues(part, scope):
            break
        text += f" {next(part.lines).strip()}"
    return text


def _continues(part: Part, scope: str) -> bool:
    """Return whether the next line has parameters of the command."""
    following = part.lines.peek()
    if following is None:
        return False
    pair = _PAIR.match(following)
    if pair and pair["value"] not in (None, "=") and find_by_token(pair["name"], scope):
        return True
    following = following.lstrip()
    return following[:5].lower() == "using" and _USING.match(f" {following}") is not None


def _row(parameter: Parameter, text: str) -> dict[str, str | None] | None:
    """Return the row of a parameter; None if its value is a variable of the script."""
    known: str | None = text
    flags = "NONE"
    if not text.isdecimal():  # an integer is valid for every kind
        value = text.strip("\\\"'")
        if parameter.kind == "text" and value.upper() == "NULL":
            value = ""
        if not _VALUE[parameter.kind].fullmatch(value):
            return None
        value = value if parameter.kind == "text" else value.upper()
        flags = value.upper() if value.upper() in _MODES else "NONE"
        known = None if flags != "NONE" else value
    return _setting(parameter, known, flags)


def _setting(parameter: Parameter, known: str | None, flags: str) -> dict[str, str | None]:
    return {
        "NAME": parameter.name,
        "VALUE": known,
        "VALUE_FLAGS": flags,
        "DEFERRED_VALUE": known,
        "DEFERRED_VALUE_FLAGS": flags,
    }


def _flag(row: dict[str, str | None], mode: str) -> None:
    """Return the flag after a value: DATABASE_MEMORY 200000 AUTOMATIC."""
    for column in ("VALUE_FLAGS", "DEFERRED_VALUE_FLAGS"):
        row[column] = "NONE" if mode == "MANUAL" else mode


def _variables(part: Part, text: str, at: int) -> tuple[_Settings, int]:
    """Return the variables of db2set; without arguments, those that it prints."""
    result = _Settings("db2set", "registry", [])
    while option := _OPTION.match(text, at):
        at = option.end()
        if option["word"].lower() == "null":
            name = re.compile(r"\s+(DB2\w*)", re.IGNORECASE).match(text, at)
            return (_variable(result, name[1], ""), name.end()) if name else (result, at)
    while variable := _VARIABLE.match(text, at):
        at = variable.end()
        value = variable["value"].strip("\"'")
        if set("$<{%") & set(value) or value.endswith(","):
            result.why = f"the value of {variable['name'].upper()} is not in the text"
        else:
            _variable(result, variable["name"], value)
    if not result.rows and not text[at:].strip("\"'`; "):
        result.format = "db2set -all"
        for shown in part.lines.match_lines(_BARE):
            _variable(result, shown["name"], shown["value"])
    return result, at


def _variable(result: _Settings, name: str, value: str) -> _Settings:
    result.rows.append(make_registry_row(name.upper(), value))
    return result


def _store(part: Part, settings: _Settings, came: Outcome, first: int) -> None:
    readings, document = part.readings, part.document
    shown = settings.format.endswith("-all")
    column = "REG_VAR_NAME" if settings.source == "registry" else "NAME"
    names: set[str | None] = set()
    readings.follow()
    report, nth = None, readings.next_command()
    for said in settings.rows:
        name = said[column]
        row = {key: value for key, value in said.items() if key not in _IN_FORCE} if came.waits else said
        if settings.member is not None:
            row["MEMBER"] = settings.member
        place = (document, settings.format, settings.database, settings.member, name)
        if readings.is_already_set(place, row):
            continue
        if report is None:
            begin = readings.report if shown else readings.commands
            report = begin(settings.format, document, database=settings.database)
            readings.follow()
        if name in names:  # two versions of one setting
            nth = readings.next_command()
        names.add(name)
        readings.row(report, settings.source, {**row, NTH: nth}, first)
        readings.say(place, row)
    last = part.lines.number
    if settings.why or not (settings.rows or shown):
        part.ignore(settings.why or "sets nothing that rules use", first)
    elif not (shown or came.known):
        readings.read(document, first, last, _TAKEN_AS_DONE[settings.format])


FORMATS = (Format("a command", _starts, _read, _WORDS, typed=True),)
