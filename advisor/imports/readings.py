"""What was read of the texts, kept on disk until it is known to which snapshot it belongs."""

import csv
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple, TextIO

from advisor.imports.sources import SETTINGS, all_sources

# How a report's counters are to be taken: it holds none, or they count from activation (or a reset), or over an
# interval that it states.
STATE, SINCE, INTERVAL = "state", "since", "interval"

# What a text tells, of which nothing follows: it happened, and may be over.
TOLD_ONLY = ": no rule uses it"

DDL = "db2look"
MOST_RANGES = 20_000
MOST_SAID = 10_000  # things that commands said
NTH = "NTH"  # of the commands, in the row of a setting
_NEVER = object()
MOST_FILES = 64  # of rows with columns of their own; more go together, with all columns of their source


@dataclass(slots=True)
class Report:
    """One report of one tool: what it is about, when it was taken, and what its counters count.

    None is what the text does not say. ``since`` is when the counters began (activation, or the last reset),
    ``seconds`` the length of the interval that counters of the kind INTERVAL cover, ``edge`` (start or end) which side of
    an interval this is where a tool takes both. ``command`` says that somebody set what it holds. Times are those of the
    server.
    """

    format: str
    document: str
    counts: str = STATE
    database: str | None = None
    instance: str | None = None
    host: str | None = None
    level: str | None = None
    platform: str | None = None
    topology: str | None = None
    member: int | None = None
    taken_at: datetime | None = None
    since: datetime | None = None
    seconds: float | None = None
    edge: str | None = None
    command: bool = False
    number: int = 0


class Range(NamedTuple):
    """What was made of some lines of a document: ``format`` read them, or they were ignored, because ``why``."""

    document: str
    first: int
    last: int
    format: str | None
    why: str | None = None


@dataclass
class Readings:
    """Rows of the sources, as text, each with the number of its report; and what was made of every line."""

    folder: Path
    reports: list[Report] = field(default_factory=list)
    ranges: list[Range] = field(default_factory=list)
    files: dict[tuple[str, ...], Path] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._stack = ExitStack()
        self._open: dict[tuple[str, ...], tuple[TextIO, Any]] = {}
        self._said: dict[tuple[str | None, ...], object] = {}
        self._said_at = 0  # reports, when that was
        self._named: tuple[int, str, set[str]] = (0, "", set())  # reports looked at, a document, its databases
        self._run: dict[str, Report] = {}  # of the commands that follow each other, by their format
        self._commands = 0
        self._columns = {
            name: (*(c.name for c in source.columns), *([NTH] if name in SETTINGS else []))
            for name, source in all_sources().items()
        }

    def report(self, format: str, document: str, **about: Any) -> Report:
        """Begin a report; what it is about may be filled in while it is read."""
        report = Report(format, document, number=len(self.reports), **about)
        self.reports.append(report)
        return report

    def row(
        self, report: Report, source: str, values: Mapping[str, str | int | float | None], line: int | None = None
    ) -> None:
        """One row of a source. Columns that are not named, and None, are absent. ``line`` is where it stands, if that
        is not the line that was got last.
        """
        shape = (source, *values)
        found = self._open.get(shape)
        if found is None and len(self._open) >= MOST_FILES:
            shape = (source, *self._columns[source])
            values = {column: values.get(column) for column in shape[1:]}
        _, writer = found or self._file(shape)
        writer.writerow([report.number, *values.values()])

    def rows(self, report: Report, source: str, columns: Sequence[str], rows: Iterable[Sequence[str | None]]) -> None:
        """Many rows of a source with the values of some columns, in their order."""
        number = report.number
        _, writer = self._file((source, *columns))
        writer.writerows([number, *row] for row in rows)

    def plain_rows(self, report: Report, source: str, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
        """The same for very many rows, with values that hold neither comma nor quotation mark nor line end."""
        number = report.number
        file, _ = self._file((source, *columns))
        file.writelines(f"{number},{','.join(row)}\n" for row in rows)

    def commands(self, format: str, document: str, database: str | None) -> Report:
        """The report of all that commands of one kind set, as long as no other settings are read between them. Each of
        their rows says which one it is of (NTH).
        """
        report = self._run.get(format)
        if report is None or (report.document, report.database) != (document, database):
            report = self._run[format] = self.report(format, document, database=database, command=True)
            self._said_at = len(self.reports)
        return report

    def next_command(self) -> int:
        """The number of a command, which is higher than those of all before it."""
        self._commands += 1
        return self._commands

    def is_said(self, what: tuple[str | None, ...], value: object) -> bool:
        """Whether commands said this last, and no other settings were read since: then it is no new version."""
        return self._said.get(what, _NEVER) == value

    def say(self, what: tuple[str | None, ...], value: object) -> None:
        """Hold what a command said."""
        if len(self._said) > MOST_SAID:
            self._said.clear()
        self._said[what] = value

    def forget(self) -> None:
        """From here on everything is said anew."""
        self._said.clear()
        self._run.clear()
        self._said_at = len(self.reports)

    def follow(self) -> None:
        """See to it that what is held is of commands that follow each other, before one is asked about or held. Where
        all is of one database, what says where data lies may stand between them.
        """
        if len(self.reports) == self._said_at:
            return
        new = self.reports[self._said_at :]
        if all(item.format == DDL and not item.database for item in new) and len(self.databases(new[-1].document)) < 2:
            self._said_at = len(self.reports)
        else:
            self.forget()

    def databases(self, document: str) -> set[str]:
        """Those that reports of the document that is read now have named so far."""
        looked_at, of, found = self._named
        for report in self.reports[looked_at:]:
            if report.document != of:
                of, found = report.document, set()
            if report.database:
                found.add(report.database)
        self._named = (len(self.reports), of, found)
        return found if of == document else set()

    def ignored(self, document: str, first: int, last: int, why: str) -> None:
        """Say that these lines were not used, and why."""
        old = self.ranges[-1] if self.ranges else None
        if old and (document, why, first) == (old.document, old.why, old.last + 1):
            self.ranges[-1] = old._replace(last=last)
        else:
            self._range(document, first, last, None, why)

    def unused(self, document: str, first: int, last: int, format: str) -> None:
        """Say that these lines are known, and that no rule looks at what is in them."""
        self.ignored(document, first, last, f"recognised as {format}; holds nothing that rules use")

    def read(self, document: str, first: int, last: int, format: str) -> None:
        """Say that a format read these lines."""
        self._range(document, first, last, format)

    def _range(self, document: str, first: int, last: int, format: str | None, why: str | None = None) -> None:
        if len(self.ranges) < MOST_RANGES:
            self.ranges.append(Range(document, first, last, format, why))

    def _file(self, shape: tuple[str, ...]) -> tuple[TextIO, Any]:
        """The file for rows of a source with these columns, and what writes values of any kind to it."""
        found = self._open.get(shape)
        if found is None:
            path = self.folder / f"{shape[0]}.{len(self.files)}.csv"
            file = self._stack.enter_context(path.open("w", encoding="utf-8", newline=""))
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(["REPORT", *shape[1:]])
            self.files[shape] = path
            found = self._open[shape] = (file, writer)
        return found

    def close(self) -> None:
        """Write what is still in memory; rows can no longer be added."""
        self._stack.close()
