"""Problems that records and messages report, counted per message, object and application."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from advisor.resources import data_file

NAME = "Db2 messages"
MOST_EVENTS = 5_000  # of one import; more are counted as records of the same message without its object
_LONGEST = 300  # characters of a message
_LONGEST_OBJECT = 256
_FROM_RECORD = ("LEVEL", "APPLICATION_ID", "FUNCTION_NAME")
_MEMBER_BITS = 16  # of an application handle: the coordinator's number is in the upper half

# Patterns begin with characters of their own, and none ignores case: a search for others is several times slower.
_TOKEN = re.compile(r"(?:SQL(?:\d{4,5}[NCW]|[OBP]_\w+)|ADM\d{4,5}[CEWI]|DIA\d{4}C)\b")
_NUMBER = re.compile(r"(?:SQLCODE|sqlcode)\s*[=:]\s*-(\d{3,5})\b")
_REASON = re.compile(r"(?:[Rr]eason[\s-]+code|SQLERRMC)\s*+(?:[:=]\s*+)?\"?(\d{1,3})\b")
_TIME = re.compile(r"(\d{4}-\d\d-\d\d)[ T-](\d\d)[.:](\d\d)[.:](\d\d)")
_HOLDER = re.compile(r"held\s+by(?:\s+an)?\s+application\s+(?:with\s+)?handle\s+\"?(?:(\d+)-)?(\d+)")
_OBJECTS = (
    re.compile(r"[Tt]able ?space\s+\"([^\"\n]{1,128})\""),
    re.compile(r"STMM changed \"(\w+)\""),
    re.compile(r"on\s+table\s+\"([^\"\n]{1,256})\""),
    re.compile(r"Obj: \{(pool:\d+;obj:\d+;type:\d+)\}"),
    re.compile(r"(S\d{7}\.LOG)\b"),
    re.compile(r"(?:[Ff]ile|[Pp]ath|[Cc]ontainer|[Dd]irectory|media)\s*+(?::\s*+)?\"?(/[^\s\",]{1,255})"),
)
_SPACE_TOKEN = re.compile(r"SQLERRMC\s*[=:]\s*([^\s,;:]{1,128})")


@cache
def all_messages() -> Mapping[str, int]:
    """Return the known messages, with their place in the list: the one that tells most comes first."""
    return {row["CODE"]: place for place, row in enumerate(data_file("schema", "messages"))}


@cache
def _marks() -> Mapping[str, str]:
    """Return the messages without a code by their words."""
    return {row["MARK"]: row["CODE"] for row in data_file("schema", "messages") if row["MARK"]}


@cache
def _words() -> Mapping[str, str]:
    """Return the longest word of each of these messages: others are on the same line or the one before."""
    return {max(mark.split(), key=len): mark for mark in _marks()}


@cache
def _codes_by_number() -> Mapping[int, str]:
    return {int(code[3:-1]): code for code in all_messages() if re.fullmatch(r"SQL\d+[NCW]", code)}


def find_code(text: str) -> str | None:
    """Return the known message in a text that tells most, with its reason if that is known too."""
    messages = all_messages()
    found = {code for code in _TOKEN.findall(text) if code in messages}
    if "sqlcode" in text or "SQLCODE" in text:
        numbers = _codes_by_number()
        found |= {numbers[int(number)] for number in _NUMBER.findall(text) if int(number) in numbers}
    if not found:
        mark = next((mark for word, mark in _words().items() if word in text), None)
        return _marks()[mark] if mark and mark in " ".join(text.split()) else None
    code = min(found, key=messages.__getitem__)
    reason = _REASON.search(text)
    return f"{code} {reason[1]}" if reason and f"{code} {reason[1]}" in messages else code


def find_time(text: str) -> str | None:
    """Return the first time in a text."""
    found = _TIME.search(text)
    return f"{found[1]} {found[2]}:{found[3]}:{found[4]}" if found else None


def handle_of(coordinator: str | None, index: str) -> int:
    """Return the application handle of its two parts, as monitor functions return it."""
    return (int(coordinator or 0) << _MEMBER_BITS) + int(index)


def find_object(code: str, text: str) -> str | None:
    """Return the table space, table, log file or path that a message names."""
    for pattern in _OBJECTS:
        if found := pattern.search(text):
            return found[1][:_LONGEST_OBJECT]
    token = _SPACE_TOKEN.search(text) if code == "SQL0289N" else None
    return token[1] if token else None


@dataclass(frozen=True)
class Event:
    """One record or message. ``about`` returns further values of source event; only the last of many is asked."""

    code: str
    time: str | None
    text: str
    handle: int | None = None
    member: str | None = None
    about: Callable[[], Mapping[str, str | None]] = dict


@dataclass
class _Count:
    report: Any
    last: Event
    times: int = 0
    first_time: str | None = None


class Events:
    """The events of all documents; few rows, whatever the number of records. ``make_report`` starts a report."""

    def __init__(self, make_report: Callable[..., Any]) -> None:
        self._make_report = make_report
        self._reports: dict[tuple[str, str | None], Any] = {}
        self._counts: dict[tuple[int, str, str | None, int | None, str | None], _Count] = {}

    def add(self, document: str, database: str | None, event: Event, **about: str) -> None:
        """Count an event of a document; its report belongs to the database, or to the one named before."""
        report = self._reports.get((document, database))
        if report is None:
            report = self._make_report(NAME, document, database=database, **about)
            self._reports[document, database] = report
        if event.code == "ADM1823E":  # the application of the record met the full log; the message names its holder
            holder = _HOLDER.search(event.text)
            handle = handle_of(*holder.groups()) if holder else None
        else:
            handle = event.handle
        found = find_object(event.code, event.text)
        if len(self._counts) >= MOST_EVENTS:
            handle, found = None, None
        key = (report.number, event.code, event.member, handle, found)
        count = self._counts.get(key)
        if count is None:
            count = self._counts[key] = _Count(report, event, first_time=event.time)
        count.times += 1
        if (event.time or "") >= (count.last.time or ""):
            count.last = event
        if event.time:
            count.first_time = min(count.first_time or event.time, event.time)

    def rows(self) -> Iterator[tuple[Any, dict[str, str | int | None]]]:
        """Yield the report and the values of each row."""
        for number, ((_, code, member, handle, found), count) in enumerate(self._counts.items(), 1):
            last = count.last
            values: dict[str, str | int | None] = dict.fromkeys(_FROM_RECORD)
            values |= {
                "EVENT_ID": number,
                "CODE": code,
                "OCCURRENCES": count.times,
                "FIRST_TIME": count.first_time,
                "LAST_TIME": last.time,
                "MEMBER": member,
                "APPLICATION_HANDLE": handle,
                "OBJECT_NAME": found,
                "MESSAGE": " ".join(last.text.split())[:_LONGEST],
            }
            yield count.report, {**values, **last.about()}
