"""``get db cfg`` and ``get dbm cfg``, with or without SHOW DETAIL, as a whole or as single lines.

The token in parentheses is the key, never the label before it; the few lines without a token are identified by their
label (columns/config.csv). With SHOW DETAIL a second column has the value that is pending until the next activation or
db2start. Without it, pending values are unknown, and text after a value is a remark.
"""

import re
from functools import lru_cache

from advisor.imports.reader import Format, Part
from advisor.imports.readings import MOST_SAID, Report
from advisor.imports.settings import Parameter, find_by_token, is_parameter, split_flag
from advisor.imports.values import columns, is_placeholder, level_of_code, level_of_release

_HEADING = re.compile(
    r"\s*Database\s+(?:(?P<db>Configuration\s+for\s+Database)\b[ \t]*(?P<name>[\w@#$]{0,8})|Manager\s+Configuration\s*$)",
    re.I,
)
_TOKEN = re.compile(r"\(\s*([\w\\]{3,40})\s*\)\s*=[ \t]?")  # Markdown writes NUM\_LOG\_SPAN
_RELEASE = re.compile(r"database (?:manager )?configuration release level\s*=\s*0x([0-9a-f]{3,4})\b", re.I)
_CODE_LEVEL = re.compile(r"\(\s*CUR\\?_EFF\\?_CODE\\?_LVL\s*\)\s*=", re.I)
_PLAIN = {
    "number": re.compile(
        r"(?:AUTOMATIC|COMPUTED)?\s*\((?:[^()]|\([^()]*\))*\)|AUTOMATIC|[-+]?\d[\w.+-]*|[A-Z_]+", re.I
    ),
    "word": re.compile(r"[^\s`,;]+"),  # a mark of Markdown, or of a sentence, may follow
}
_IS_VALUE = re.compile(r"(?:AUTOMATIC|COMPUTED)\b.*|\(.*\)|[-+]?\d[\d.eE+-]*|YES|NO|ON|OFF|DISABLED?|ENABLED?|NONE")
_MEANING = re.compile(r"(?<=\w)\s+\(\w+\)")  # after a word: SYSTEM (RESTART), ON (Active)
_APART = re.compile(r"\t\s*|\s{2,}")
_FAR = re.compile(r"\s{6,}")
_DETAIL = re.compile(r"\s*Description\s+Parameter\s+Current\s+Value\s+Delayed\s+Value", re.I)
_REMARK = re.compile(r"(?:^|(?<=\s))(?:#|<|--|//|;|->|=>|\*).*")
_ESCAPED = re.compile(r"(?:\\[nrt])+[\"',]*$")  # the line end, as a program printed it
_PATH = re.compile(r"/|[A-Za-z]:\\")
_DRIVE = re.compile(r"(?:\w+:)?[A-Za-z]:\\")
_TEXT_VALUE = re.compile(
    r"(?:/|[A-Za-z]:[\\/]|(?:DISK|VENDOR|TSM|DB2REMOTE):)\S.*|OFF|LOGRETAIN|USEREXIT|TSM|S\d+\.LOG|[\w.-]+:\d+\S*", re.I
)
_NEXT_PATH = re.compile(r"\s(?=/|[A-Za-z]:\\)")


_BY_LABEL = {row["LABEL"].lower(): find_by_token(row["NAME"]) for row in columns("config") if row["LABEL"]}


def _starts(line: str, previous: str) -> bool:
    if "=" in line:
        return _parameter(line, None) is not None
    return _HEADING.match(line) is not None


def _parameter(line: str, scope: str | None) -> tuple[Parameter, str] | None:
    """Return the parameter of a line and the text after its ``=``; a parameter of both scopes needs the scope."""
    before, _, text = line.partition("=")
    parameter = _find_parameter(before, scope)
    if parameter is None and "(" in text and (token := _TOKEN.search(line)):
        parameter, text = find_by_token(token[1].replace("\\", ""), scope), line[token.end() :]
    elif text[:1] in (" ", "\t"):
        text = text[1:]
    return (parameter, text) if parameter else None


@lru_cache(4096)  # every configuration has the same
def _find_parameter(before: str, scope: str | None) -> Parameter | None:
    """Return the parameter that is named before a ``=``."""
    if token := _TOKEN.search(f"{before}="):
        return find_by_token(token[1].replace("\\", ""), scope)
    parameter = _BY_LABEL.get(" ".join(before.lower().strip("> \t").split()))
    return parameter if parameter and scope in (None, parameter.scope) else None


def _read(part: Part) -> None:
    lines, readings = part.lines, part.readings
    report: Report | None = None
    seen: set[str] = set()
    scope, detail = "", False
    for line in lines:
        if "=" not in line:
            heading = _HEADING.match(line)
            if heading and report is not None:
                lines.push_back()  # another report of the same kind
                return
            if heading:
                scope = "db" if heading["db"] else "dbm"
                report = part.report(_name(scope), database=(heading["name"] or "").upper() or None)
                continue
            if not line.strip("-> \t"):
                continue
            detail = detail or _DETAIL.match(line) is not None
        found = _parameter(line, scope or None)
        if found is None:
            if report is not None and (level := _level(line)):
                report.level = level
            elif report is not None and (name := _find_unknown(line)):
                if len(readings.unknown_settings) < MOST_SAID:
                    readings.unknown_settings[name] = None
            elif part.starts(line) or ("=" not in line and not line[0].isspace()):
                lines.push_back()
                return
            continue
        parameter, text = found
        if report is None or parameter.name in seen:  # two versions of one setting without a heading between them
            scope = parameter.scope
            database = report.database if report else None
            report, seen = part.report(_name(scope), database=database), set()
        seen.add(parameter.name)
        if parameter.kind == "text" and not text.strip():
            text = _read_continuation(part)
        _store(part, report, parameter, text, detail)


def _find_unknown(line: str) -> str | None:
    """Return the name of a line that looks like a parameter but is unknown."""
    token = _TOKEN.search(line)
    name = token[1].replace("\\", "") if token else ""
    return name if name.isupper() and not is_parameter(name) else None


def _level(line: str) -> str | None:
    """Return the level in a line: the release of the configuration, or of the instance."""
    if "0x" in line and (release := _RELEASE.search(line)):
        return level_of_release(release[1])
    code = _CODE_LEVEL.search(line) if "V:" in line else None
    return level_of_code(line[code.end() :]) if code else None


def _read_continuation(part: Part) -> str:
    """Return the rest of a path that continues on the line after the ``=``."""
    line = next(part.lines, None)
    if line is None:
        return ""
    path = line.strip()
    if _PATH.match(path) and "=" not in path:
        return path
    part.lines.push_back()
    return ""


def _store(part: Part, report: Report, parameter: Parameter, text: str, detail: bool) -> None:
    now, later = _values(parameter.kind, text, detail)
    if is_placeholder(text if now == "" else now or ""):
        part.ignore(f"a placeholder for {parameter.name.upper()}")
        return
    if now is None:
        return
    value, flags = (now, "NONE") if now.isdigit() else split_flag(now)
    row: dict[str, str | int | None] = {"NAME": parameter.name, "VALUE": value, "VALUE_FLAGS": flags}
    if later is not None:
        row["DEFERRED_VALUE"], row["DEFERRED_VALUE_FLAGS"] = split_flag(later)
    if parameter.name == "logpath" and value:
        report.platform = "Windows" if _PATH.match(value) and value[0] != "/" else report.platform
    part.readings.row(report, parameter.source, row)


@lru_cache(4096)  # configurations are much alike
def _values(kind: str, text: str, detail: bool) -> tuple[str | None, str | None]:
    """Return the value in force and, if there is a second column, the pending one; None if there is no value."""
    text = text.strip() if kind == "number" else text.rstrip()
    if (text.isdigit() or text.isalpha()) and text.isascii():  # the usual case
        return text, None
    text = _REMARK.sub("", text).rstrip()
    if "\\" in text and not _DRIVE.match(text.lstrip()):
        text = _ESCAPED.sub("", text)
    if kind == "text":
        return _paths(text, detail)
    if kind == "word" and "(" in text:
        text = _MEANING.sub("", text)
    match = _PLAIN[kind].match(text.lstrip())
    if match is None:
        return None, None
    behind = text.lstrip()[match.end() :].strip()
    if not behind or behind == match[0]:
        return match[0], behind or None
    second = _PLAIN[kind].fullmatch(behind)  # anything more is a remark
    return match[0], behind if second and _IS_VALUE.fullmatch(behind) else None


_GLUED = re.compile(r"(?<=[\w.])\(.*")  # a remark


def _paths(text: str, detail: bool) -> tuple[str, str | None]:
    if _FAR.match(text) and not _APART.search(text.strip()):  # only the second column is filled
        now, later = "", [text.strip()]
    else:
        now, *later = _APART.split(text.strip(), maxsplit=2)[:2]
    if "(" in now and "/" not in now and "\\" not in now and not is_placeholder(now):
        now = _GLUED.sub("", now)
    if not later:  # long ones run into each other
        now, *later = _NEXT_PATH.split(now, maxsplit=1) if _PATH.match(now) else [now]
    waits = later and (later[0] == now or _TEXT_VALUE.fullmatch(later[0]) or (detail and " " not in later[0]))
    return now, later[0] if waits else None


def _name(scope: str) -> str:
    return "get db cfg" if scope == "db" else "get dbm cfg"


FORMATS = (Format("get db cfg, get dbm cfg", _starts, _read, ("=", "database")),)
