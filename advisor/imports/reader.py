"""The one loop over a document: the format that starts at a line, and the lines that no format knows."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from advisor.imports.lines import Lines
from advisor.imports.readings import Readings, Report

_PROMPT = re.compile(r"\[[a-z]\w{0,20}@[\w.-]{1,30} [^\]\s]{1,27}\]\$ ")
UNKNOWN = "not recognised"

# Formats that only the form of a table identifies, which may be inside the text of another format.
TABLES = frozenset({"CLP listing", "CSV"})


@dataclass
class Part:
    """A part of a document for a format to read: its first line is the next of ``lines``."""

    document: str
    lines: Lines
    readings: Readings
    starts: Callable[[str], "Format | None"]

    def report(self, format: str, **about: Any) -> Report:
        """Start a report of this document."""
        return self.readings.report(format, self.document, **about)

    def ignore(self, why: str, first: int | None = None, last: int | None = None) -> None:
        """Record why lines are not used: those from ``first`` to ``last``, by default the current line."""
        number = self.lines.number
        self.readings.record_ignored(self.document, first or number, last or number, why)

    def unused(self, format: str, first: int) -> None:
        """Record that the lines from ``first`` on are recognised, and that no rule uses their values."""
        self.readings.unused(self.document, first, self.lines.number, format)

    def starts_other_format(self, line: str) -> bool:
        """Return whether a line starts another format, in a text that may contain tables of its own."""
        format = self.starts(line)
        return format is not None and format.name not in TABLES


class Reader:
    """A reader of one part, line by line, up to the first line of another text, which is given back."""

    most_other = 0  # successive lines of other text that may be between its own
    own: frozenset[str] = frozenset()  # formats that its lines may start

    def __init__(self, part: Part) -> None:
        self.part = part
        self.first = part.lines.number + 1
        self.is_complete = False  # set by the last line of the part
        self._reports: dict[str | None, Report] = {}

    @classmethod
    def read(cls, part: Part) -> None:
        """Read a part."""
        reader, other = cls(part), 0
        for line in part.lines:
            if reader.take(line, line.strip()):
                other = 0
            elif other == cls.most_other or reader.starts_other(line):
                part.lines.push_back()
                break
            else:
                other += 1
            if reader.is_complete:
                break
        reader.end()

    def starts_other(self, line: str) -> bool:
        """Return whether a line starts a format that is not one of its own."""
        format = self.part.starts(line)
        return format is not None and format.name not in self.own

    def report_of(self, format: str, database: str | None, **about: Any) -> Report:
        """Return the report of a database, which the first call starts."""
        if database not in self._reports:
            self._reports[database] = self.part.report(format, database=database, **about)
        return self._reports[database]

    def take(self, line: str, text: str) -> bool:
        """Use a line, whose text has no blanks around it; return False for a line of another text."""
        raise NotImplementedError

    def end(self) -> None:
        """Write what the lines contain."""
        raise NotImplementedError


@dataclass(frozen=True)
class Format:
    """A format: its name for people, a test of whether a line starts it, and its reader.

    ``typed`` is set if a typed command may start it: only these formats are asked about a line with a shell prompt.

    ``starts`` gets a line that is not empty and the line before. It is called only for lines with one of the ``marks``,
    in any case: most lines of most texts belong to no format, and each call takes time. ``read`` takes at least the
    first line, stops at the first line that is not its own (``part.starts`` returns whether it starts another format),
    and gives that line back.
    """

    name: str
    starts: Callable[[str, str], bool]
    read: Callable[[Part], None]
    marks: tuple[str, ...] = ("",)
    typed: bool = False


def starts_with(*patterns: re.Pattern[str]) -> Callable[[str, str], bool]:
    """Return a test for ``Format.starts``: whether the beginning of a line matches a pattern."""
    return lambda line, previous: any(pattern.match(line) for pattern in patterns)


def is_typed(line: str) -> bool:
    """Return whether a line was typed at a prompt such as [db2inst1@dbhost ~]$; comments may look alike."""
    return (
        line[:1] == "[" and "#" not in line and ("=" not in line or "(" not in line) and _PROMPT.match(line) is not None
    )


def read_document(document: str, lines: Lines, readings: Readings, formats: tuple[Format, ...]) -> None:
    """Read a whole document."""
    every = [(mark, format) for format in formats for mark in format.marks]
    of_typed = [(mark, format) for mark, format in every if format.typed]

    @lru_cache(1 << 8)  # lines between reports often repeat
    def of(line: str, previous: str) -> Format | None:
        small, asked = line.lower(), of_typed if is_typed(line) else every
        for format in [format for mark, format in asked if mark in small]:  # called for each line outside reports
            if format.starts(line, previous):
                return format
        return None

    def starting(line: str) -> Format | None:
        text = line.strip()
        return of(line, lines.previous) if text and not text.isdigit() else None  # a number alone starts nothing

    part = Part(document, lines, readings, starting)
    unknown = 0  # the first line of those that no format knew
    for line in lines:
        format = starting(line)
        if format is None:
            if not unknown and line.strip():
                unknown = lines.number
            continue
        if unknown:
            readings.record_ignored(document, unknown, lines.number - 1, UNKNOWN)
            unknown = 0
        first = lines.number
        lines.push_back()
        format.read(part)
        if lines.number < first:  # it took nothing: go on after the line that seemed to start it
            next(lines)
        readings.read(document, first, lines.number, format.name)
    if unknown:
        readings.record_ignored(document, unknown, lines.number, UNKNOWN)
