"""The one loop over a document: which format starts at a line, and what no format knows."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from advisor.imports.lines import Lines
from advisor.imports.readings import Readings

_PROMPT = re.compile(r"\[[a-z]\w{0,20}@[\w.-]{1,30} [^\]\s]{1,27}\]\$ ")
UNKNOWN = "not recognised"

# Formats that are known by the form of a table only, which may stand within the text of another.
TABLES = frozenset({"CLP listing", "CSV"})


@dataclass
class Part:
    """What a format gets to read a part of a document: the line that started it is the next of ``lines``."""

    document: str
    lines: Lines
    readings: Readings
    starts: Callable[[str], "Format | None"]

    def leaves(self, line: str) -> bool:
        """Whether a line starts another format, in a text that may hold tables of its own."""
        format = self.starts(line)
        return format is not None and format.name not in TABLES


@dataclass(frozen=True)
class Format:
    """One format: its name for people, whether a line starts it, and what reads it. ``typed`` says that what somebody
    typed may start it: of what stands behind the prompt of a shell no other is asked.

    ``starts`` gets a line that is not empty and the one before. It is asked about lines that have one of the ``marks``,
    in letters of any size: most lines of most texts are of no format, and each would be asked about once for each.
    ``read`` takes at least the line that started it, stops at the first line that is not its own (``part.starts`` says
    whether one starts another format), and gives that back.
    """

    name: str
    starts: Callable[[str, str], bool]
    read: Callable[[Part], None]
    marks: tuple[str, ...] = ("",)
    typed: bool = False


def is_typed(line: str) -> bool:
    """Whether somebody typed it, behind a prompt such as [db2inst1@dbhost ~]$; a comment or a setting may be no command."""
    return (
        line[:1] == "[" and "#" not in line and ("=" not in line or "(" not in line) and _PROMPT.match(line) is not None
    )


def read_document(document: str, lines: Lines, readings: Readings, formats: tuple[Format, ...]) -> None:
    """Read a whole document."""
    every = [(mark, format) for format in formats for mark in format.marks]
    of_typed = [(mark, format) for mark, format in every if format.typed]

    @lru_cache(1 << 8)  # the lines between reports come again with each
    def of(line: str, previous: str) -> Format | None:
        small, asked = line.lower(), of_typed if is_typed(line) else every
        for format in [format for mark, format in asked if mark in small]:  # each line comes here that is of no report
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
            readings.ignored(document, unknown, lines.number - 1, UNKNOWN)
            unknown = 0
        first = lines.number
        lines.back()
        format.read(part)
        if lines.number < first:  # it took nothing: go on behind the line that seemed to start it
            next(lines)
        readings.read(document, first, lines.number, format.name)
    if unknown:
        readings.ignored(document, unknown, lines.number, UNKNOWN)
