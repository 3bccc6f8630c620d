"""``get db cfg`` and ``get dbm cfg``, with or without SHOW DETAIL, whole or some lines of it.

The token in parentheses is the key, never the label before it; a few lines without a token are known by their label
(columns/config.csv). With SHOW DETAIL a second column holds the value that waits for the next activation or db2start;
without it nothing says whether one waits.
"""

import re
from dataclasses import dataclass

from advisor.imports.facts import Report
from advisor.imports.reader import Format, Part
from advisor.imports.values import columns, level_of_release

_HEADING = re.compile(
    r"\s*Database (?:(?P<db>Configuration for Database)\b[ \t]*(?P<name>[\w@#$]{0,8})|Manager Configuration\s*$)", re.I
)
_TOKEN = re.compile(r"\(\s*(\w{3,32})\s*\)\s*=[ \t]?")
_RELEASE = re.compile(r"database (?:manager )?configuration release level\s*=\s*0x([0-9a-f]{3,4})\b", re.I)
_PLAIN = {
    "number": re.compile(
        r"(?:AUTOMATIC|COMPUTED)?\s*\((?:[^()]|\([^()]*\))*\)|AUTOMATIC|[-+]?\d[\w.+-]*|[A-Z_]+", re.I
    ),
    "word": re.compile(r"\S+"),
}
_FLAGGED = re.compile(r"(AUTOMATIC|COMPUTED)\s*(?:\(\s*(-?\d+)?.*)?", re.I)
_APART = re.compile(r"\t|\s{2,}")


@dataclass(frozen=True)
class _Parameter:
    scope: str
    name: str
    kind: str


_ROWS = columns("config")
_BY_TOKEN: dict[str, list[_Parameter]] = {}
for _row in _ROWS:
    _BY_TOKEN.setdefault(_row["NAME"], []).append(_Parameter(_row["SCOPE"], _row["NAME"], _row["KIND"]))
_BY_LABEL = {row["LABEL"].lower(): _BY_TOKEN[row["NAME"]][0] for row in _ROWS if row["LABEL"]}


def _starts(line: str, previous: str) -> bool:
    if "=" in line:
        return _parameter(line, None) is not None
    return _HEADING.match(line) is not None


def _parameter(line: str, scope: str | None) -> tuple[_Parameter, str] | None:
    """The parameter of a line and the text behind its ``=``; one that both scopes know needs the scope."""
    if token := _TOKEN.search(line):
        known = [item for item in _BY_TOKEN.get(token[1].lower(), []) if scope in (None, item.scope)]
        return (known[0], line[token.end() :]) if len(known) == 1 else None
    label, _, text = line.partition("=")
    labelled = _BY_LABEL.get(" ".join(label.lower().split()))
    return (labelled, text) if labelled and scope in (None, labelled.scope) else None


def _read(part: Part) -> None:
    lines, facts = part.lines, part.facts
    report: Report | None = None
    scope = ""
    for line in lines:
        heading = _HEADING.match(line) if "=" not in line else None
        if heading and report is not None:
            lines.back()  # another report of the same kind
            return
        if heading:
            scope = "db" if heading["db"] else "dbm"
            report = facts.report(_name(scope), part.document, database=(heading["name"] or "").upper() or None)
            continue
        if not line.strip() or set(line) <= set("- \t"):
            continue
        found = _parameter(line, scope or None)
        if found is None:
            if report is not None and (release := _RELEASE.search(line)):
                report.level = level_of_release(release[1])
            elif part.starts(line) or ("=" not in line and not line[0].isspace()):
                lines.back()
                return
            continue
        parameter, text = found
        if report is None:
            scope = parameter.scope
            report = facts.report(_name(scope), part.document)
        if parameter.kind == "text" and not text.strip():
            text = _continued(part)
        _store(part, report, parameter, text)


def _continued(part: Part) -> str:
    """A path that was broken behind the ``=`` stands on the next line."""
    line = next(part.lines, None)
    if line is None:
        return ""
    path = line.strip()
    if re.match(r"/|[A-Za-z]:\\", path) and "=" not in path:
        return path
    part.lines.back()
    return ""


def _store(part: Part, report: Report, parameter: _Parameter, text: str) -> None:
    now, later = _values(parameter.kind, text)
    if now is None:
        return
    value, flags = _flagged(now)
    row: dict[str, str | int | None] = {"NAME": parameter.name, "VALUE": value, "VALUE_FLAGS": flags}
    if later is not None:
        row["DEFERRED_VALUE"], row["DEFERRED_VALUE_FLAGS"] = _flagged(later)
    if parameter.name == "logpath" and value:
        report.platform = "Windows" if re.match(r"[A-Za-z]:\\", value) else report.platform
    part.facts.row(report, "dbcfg" if parameter.scope == "db" else "dbmcfg", row)


def _values(kind: str, text: str) -> tuple[str | None, str | None]:
    """The value in force and, where a second column is there, the one that waits; None where there is no value."""
    text = text.rstrip()
    if kind == "text":
        parts = _APART.split(text.strip(), maxsplit=1) if text.strip() else ["", None]
        if text.startswith("     ") and len(parts) == 1:  # only the column behind is filled
            return "", parts[0]
        return parts[0], parts[1] if len(parts) > 1 else None
    found = [match[0] for match in _PLAIN[kind].finditer(text)]
    if kind == "word":
        found = [item for item in found if not item.startswith("(")]
    if not found:
        return None, None
    second = found[1] if len(found) > 1 else None
    return found[0], second if second is not None and _alike(found[0], second) else None


def _alike(now: str, later: str) -> bool:
    """Whether the second word of a line can be a value of the same parameter, and not a remark."""
    return later == now or (_is_value(now) and _is_value(later))


def _is_value(text: str) -> bool:
    return (
        re.fullmatch(r"(?:AUTOMATIC|COMPUTED)\b.*|\(.*\)|[-+]?\d[\d.eE+-]*|YES|NO|ON|OFF|DISABLED|ENABLE|NONE", text)
        is not None
    )


def _flagged(text: str) -> tuple[str | None, str]:
    """Value and flag as DB_GET_CFG gives them. The value of an AUTOMATIC whose number is not given is not known."""
    if match := _FLAGGED.fullmatch(text.strip()):
        return match[2], match[1].upper()
    return text.strip(), "NONE"


def _name(scope: str) -> str:
    return "get db cfg" if scope == "db" else "get dbm cfg"


FORMATS = (Format("get db cfg, get dbm cfg", _starts, _read),)
