"""Removal of text around each line of a report: time and level of a log, mail quotes, JSON strings, HTML.

It is removed only if several successive lines have it: a single line that starts with a time is part of a report.
"""

import json
import re
from collections.abc import Callable

MIN_RUN_LINES = 3  # successive lines

_LEVEL = r"(?:TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|FATAL|STDOUT|STDERR|stdout F|stderr F)"
_CLOCK = r"\d\d:\d\d:\d\d(?:[.,]\d{1,9})?"
_TIME = rf"\d{{4}}[-/]\d\d[-/]\d\d[T ]{_CLOCK}(?:Z|[+-]\d\d:?\d\d)?"
_THREAD = r"\[[^\]]{1,60}\]"
_LOGGER = rf"(?:{_THREAD}|[\w$-]{{1,30}}(?:\.[\w$-]{{1,30}}){{1,8}})"
_BEHIND = rf"(?:\s?{_THREAD}|(?:\s{{1,2}}{_LOGGER}){{0,2}}\s{{0,2}}[-|:](?= |$))?"  # after a level
_PREFIX = re.compile(
    r"(?=[\d\[A-Zs>])(?:"
    rf"{_LEVEL}:[\w.]{{1,60}}:(?:>>)?|(?:"  # Python's logging, without a blank
    rf"\[?(?:{_TIME}|{_CLOCK})\]?\s*(?:{_LOGGER}\s+){{0,2}}(?:[-|:]\s?)?\[?{_LEVEL}\b\]?{_BEHIND}"
    rf"|\[{_TIME}\](?:\s?\[{_LEVEL}\])?|{_TIME}\s?[|:]|\d{{4}}-\d\d-\d\dT{_CLOCK}Z"
    rf"|{_LEVEL}\s{{0,2}}[-|:](?= |$)|\[{_LEVEL}\s?\]"
    rf"|[A-Z][a-z][a-z] [ \d]\d {_CLOCK} [\w.-]{{1,60}} [\w./-]{{1,60}}(?:\[\d{{1,9}}\])?:"  # syslog
    r"|>(?: ?>){0,3}"
    r")(?: |$)?)"
)
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_HEADS = frozenset({"TRA", "DEB", "INF", "NOT", "WAR", "ERR", "FAT", "STD", "std", *_MONTHS})
_MARKS = frozenset("0123456789[>")
_STRING = re.compile(r"\s*(\"(?:[^\"\\]|\\.)*\")\s*,?\s*$")
_ENTITY = re.compile(r"&(lt|gt|amp|quot|nbsp|#39|#x27);")
_TAG = re.compile(
    r"<(?P<cell>/t[dh])\s*>|</?(?:a|b|blockquote|br|code|div|font|i|li|ol|p|pre|span|t[dhtr]|table|tbody|ul)"
    r"(?:\s+[\w-]+\s*=\s*(?:\"[^\"<>]*\"|'[^'<>]*'|[^\s<>\"']+))*\s*/?>",
    re.IGNORECASE,
)
_LINE_END = re.compile(r"<br\s*/?>|</(?:div|li|p|pre|tr)\s*>", re.IGNORECASE)
_MEANS = {"lt": "<", "gt": ">", "amp": "&", "quot": '"', "nbsp": " ", "#39": "'", "#x27": "'"}


def unframed(lines: list[str]) -> list[str]:
    """Return the lines without the text around them."""
    result, some = lines, lines[:: MIN_RUN_LINES - 1]  # one of several successive lines is among these
    looks = not _HEADS.isdisjoint([line[:3] for line in some]) or not _MARKS.isdisjoint([line[:1] for line in some])
    if looks and len([*filter(None, map(_PREFIX.match, lines))]) >= MIN_RUN_LINES:  # prompts only look like it
        result = _strip_runs(result, _strip_prefix)
    if any('"' in line and _string(line) is not None for line in some):
        result = _strip_runs(result, _string)
    text = "\n".join(result)
    if "<" in text and ("</" in text or "<br" in text or "<BR" in text):  # finding one character is faster
        result = [part for line in result for part in (_strip_tags(line) if "<" in line else [line])]
    if "&" in text:
        result = [_ENTITY.sub(lambda match: _MEANS[match[1]], line) if "&" in line else line for line in result]
    return result


def _strip_tags(line: str) -> list[str]:
    """Return the lines in a line of HTML, without tags; one line may contain a whole report."""
    parts = [_TAG.sub(lambda tag: " " if tag["cell"] else "", part) for part in _LINE_END.split(line)]
    while len(parts) > 1 and not parts[-1].strip():
        parts.pop()
    return parts


def _strip_prefix(line: str) -> str | None:
    """Return the text after the prefix of a line; None if it has no prefix."""
    match = _PREFIX.match(line)
    return line[match.end() :] if match else None


def _string(line: str) -> str | None:
    """Return the text of a line that is a string in a JSON list; otherwise None."""
    if line.lstrip()[:1] != '"':
        return None
    match = _STRING.match(line)
    if match is None:
        return None
    try:
        text = json.loads(match[1], strict=False)
    except ValueError:
        return None
    return None if "\n" in text else str(text)


def _strip_runs(lines: list[str], of: Callable[[str], str | None]) -> list[str]:
    """Return the lines, changed by ``of`` in runs of at least LEAST lines; empty lines do not count."""
    result = list(lines)
    run: list[tuple[int, str]] = []
    for number, line in enumerate([*lines, "."]):
        behind = of(line)
        if behind is not None:
            run.append((number, behind))
        elif line and not line.isspace():
            if len(run) >= MIN_RUN_LINES:
                for place, text in run:
                    result[place] = text
            run.clear()
    return result
