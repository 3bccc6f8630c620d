"""Removal of text around each line of a report: time and level of a log, mail quotes, file names of grep, comment
signs, JSON strings, borders of a Markdown table, HTML.

It is removed only if several successive lines have it: a single line that starts with a time is part of a report.
"""

import json
import re
from collections.abc import Callable
from functools import partial

from advisor.imports.characters import replace_characters

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
_FILE = re.compile(  # of grep, with or without the number of the line
    r"[\w./-]{0,80}\w\.(?:txt|log|out|lst|cfg|rpt|report)(?::(?:\d{1,7}:)?|-(?:\d{1,7}-(?!\d\d-\d\d))?)(?!\\)"
)
_COMMAND = re.compile(r"#\s*(?:db2\w*|update|alter|create|drop|reset|connect|call)\b", re.IGNORECASE)
# a JSON string of several lines
_TEXT = re.compile(r'(?<!\\)"[^"\\]*+(?:\\[^n][^"\\]*+)*+\\n[^"\\]*+(?:\\.[^"\\]*+)*+"')
_RULE = re.compile(r"\|(?: ?:?-+:? ?\|)+|\+(?:[-=]+\+)+")  # below the heading of a Markdown table
_STRING = re.compile(r"\s*(\"[^\"\\]*+(?:\\.[^\"\\]*+)*+\")\s*+(?:,\s*+)?$")
_ENTITY = re.compile(r"&(lt|gt|amp|quot|nbsp|#39|#x27);")
_TAG = re.compile(
    r"<(?P<cell>/t[dh])\s*>|</?(?:a|b|blockquote|br|code|div|font|i|li|ol|p|pre|span|t[dhtr]|table|tbody|ul)"
    r"(?:\s+[\w-]+\s*=\s*(?:\"[^\"<>]*\"|'[^'<>]*'|[^\s<>\"']+))*\s*/?>",
    re.IGNORECASE,
)
_LINE_END = re.compile(r"<br\s*/?>|</(?:div|li|p|pre|tr)\s*>", re.IGNORECASE)
_MEANS = {"lt": "<", "gt": ">", "amp": "&", "quot": '"', "nbsp": " ", "#39": "'", "#x27": "'"}


def unframed(lines: list[str]) -> list[str]:
    """Return the lines without the text around them, in plain characters."""
    result = replace_characters(lines)
    some = result[:: MIN_RUN_LINES - 1]  # one of several successive lines is among these
    starts = {line[:1] for line in some}
    looks = not _HEADS.isdisjoint([line[:3] for line in some]) or not _MARKS.isdisjoint(starts)
    if looks and len([*filter(None, map(_PREFIX.match, result))]) >= MIN_RUN_LINES:  # prompts only look like it
        result = _strip_runs(result, partial(_strip_match, _PREFIX))
    if any(map(_FILE.match, some)):
        result = _strip_runs(result, partial(_strip_match, _FILE))
    if "#" in starts:
        result = _strip_runs(result, _strip_comment)
    text = "\n".join(result)
    if '"' in text:
        result = _strip_strings(result, text)
    if "|" in starts and any(line[:1] in "|+" and _RULE.fullmatch(line.strip()) for line in result if line):
        result = _strip_borders(result)
    if "<" in text and ("</" in text or "<br" in text or "<BR" in text):  # finding one character is faster
        result = [part for line in result for part in (_strip_tags(line) if "<" in line else [line])]
    if "&" in text:
        result = [_ENTITY.sub(lambda match: _MEANS[match[1]], line) if "&" in line else line for line in result]
    return result


def _strip_strings(lines: list[str], text: str) -> list[str]:
    """Return the lines with JSON strings replaced by their texts: a string on each line, or a string of many lines."""
    if "\\n" in text:
        lines = [part for line in lines for part in (_split_texts(line) if "\\n" in line else [line])]
    if any('"' in line and _string(line) is not None for line in lines[:: MIN_RUN_LINES - 1]):
        return _strip_runs(lines, _string)
    return lines


def _split_texts(line: str) -> list[str]:
    """Return the lines of the JSON strings in a line, with the text between them."""
    found: list[str] = []
    end = 0
    for match in _TEXT.finditer(line):
        try:
            parts = str(json.loads(match[0], strict=False)).splitlines()
        except ValueError:
            continue
        if len(parts) >= MIN_RUN_LINES:
            found += [line[end : match.start()], *parts]
            end = match.end()
    return [*found, line[end:]] if found else [line]


def _strip_borders(lines: list[str]) -> list[str]:
    """Return the lines with the rows of Markdown tables as values between tabs."""
    stripped = _strip_runs(lines, _strip_border)
    return [line for line, was in zip(stripped, lines, strict=True) if line is was or not _RULE.fullmatch(was.strip())]


def _strip_border(line: str) -> str | None:
    text = line.strip()
    if _RULE.fullmatch(text):
        return ""
    if len(text) < 3 or text[0] != "|" or text[-1] != "|":
        return None
    return "\t".join(cell.strip() for cell in text[1:-1].split("|"))


def _strip_comment(line: str) -> str | None:
    """Return the text of a comment; a command in a comment did not run."""
    return line[1:].removeprefix(" ") if line[:1] == "#" and not _COMMAND.match(line) else None


def _strip_tags(line: str) -> list[str]:
    """Return the lines in a line of HTML, without tags; one line may contain a whole report."""
    parts = [_TAG.sub(lambda tag: " " if tag["cell"] else "", part) for part in _LINE_END.split(line)]
    while len(parts) > 1 and not parts[-1].strip():
        parts.pop()
    return parts


def _strip_match(pattern: re.Pattern[str], line: str) -> str | None:
    """Return the text after a pattern at the beginning of a line; None without it."""
    match = pattern.match(line)
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
