"""The rows that were read from texts, and the use of every line."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from advisor.imports.events import Events
from advisor.imports.store import Store, Value

# The counters of a report: none, counted since activation (or a reset), or over an interval that the report gives.
STATE, SINCE, INTERVAL = "state", "since", "interval"

# For events, which may be over: nothing follows from them.
TOLD_ONLY = ": no rule uses it"
# For lines that a narrow window or a mail broke: a note lists them.
WRAPPED = "wrapped; paste it wider"
NARROWEST = 60  # characters of a window that wraps lines

DDL = "db2look"
MOST_RANGES = 20_000
MOST_SAID = 10_000  # settings that commands made
_NEVER = object()


@dataclass(slots=True)
class Report:
    """One report of one tool: its object, its time, and the meaning of its counters.

    None means that the text does not contain it. ``since`` is the time from which counters count (activation, or the
    last reset), ``seconds`` the length of the interval of INTERVAL counters, ``edge`` (start or end) the side of an
    interval if a tool takes both. ``command`` is set if a command set the values. Times are those of the server.
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
    """The use of some lines of a document: ``format`` read them, or they were ignored because of ``why``."""

    document: str
    first: int
    last: int
    format: str | None
    why: str | None = None


@dataclass
class Readings:
    """Rows of the sources, each with the number of its report; and the use of every line."""

    folder: Path
    reports: list[Report] = field(default_factory=list)
    ranges: list[Range] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)  # observations that no source can have
    unknown_settings: dict[str, None] = field(default_factory=dict)  # names in configurations, in their order

    def __post_init__(self) -> None:
        self.store = Store(self.folder / "rows")
        self.events = Events(self.report)
        self._said: dict[tuple[str | None, ...], object] = {}
        self._said_at = 0  # number of reports at that time
        self._named: tuple[int, str, set[str]] = (0, "", set())  # reports looked at, a document, its databases
        self._run: dict[str, Report] = {}  # of successive commands, by their format
        self._commands = 0

    def report(self, format: str, document: str, **about: Any) -> Report:
        """Start a report; its attributes may be set while it is read."""
        report = Report(format, document, number=len(self.reports), **about)
        self.reports.append(report)
        return report

    def row(self, report: Report, source: str, values: Mapping[str, Value], line: int | None = None) -> None:
        """Add one row of a source. Columns that are not named, and None, are absent. ``line`` is its line, if not the
        current one.
        """
        self.store.add_row(report.number, source, values)

    def rows(self, report: Report, source: str, columns: Sequence[str], rows: Iterable[Sequence[str | None]]) -> None:
        """Add many rows of a source with the values of some columns, in their order."""
        self.store.add(report.number, source, columns, rows)

    def commands(self, format: str, document: str, database: str | None) -> Report:
        """Return the report of all settings by commands of one kind, until other settings are read.

        Each row has the number of its command (NTH).
        """
        report = self._run.get(format)
        if report is None or (report.document, report.database) != (document, database):
            report = self._run[format] = self.report(format, document, database=database, command=True)
            self._said_at = len(self.reports)
        return report

    def next_command(self) -> int:
        """Return the number of a command, which is higher than those of all earlier commands."""
        self._commands += 1
        return self._commands

    def is_already_set(self, what: tuple[str | None, ...], value: object) -> bool:
        """Return whether the last commands set this, and no other settings were read since: it is not a new version."""
        return self._said.get(what, _NEVER) == value

    def say(self, what: tuple[str | None, ...], value: object) -> None:
        """Remember a setting that a command made."""
        if len(self._said) > MOST_SAID:
            self._said.clear()
        self._said[what] = value

    def forget(self) -> None:
        """Forget the settings of commands, so that the next ones count as new."""
        self._said.clear()
        self._run.clear()
        self._said_at = len(self.reports)

    def follow(self) -> None:
        """Forget the settings of earlier commands unless they directly precede.

        If all is of one database, storage definitions may be between them.
        """
        if len(self.reports) == self._said_at:
            return
        new = self.reports[self._said_at :]
        if all(item.format == DDL and not item.database for item in new) and len(self.databases(new[-1].document)) < 2:
            self._said_at = len(self.reports)
        else:
            self.forget()

    def databases(self, document: str) -> set[str]:
        """Return the databases that reports of the current document have named so far."""
        looked_at, of, found = self._named
        for report in self.reports[looked_at:]:
            if report.document != of:
                of, found = report.document, set()
            if report.database:
                found.add(report.database)
        self._named = (len(self.reports), of, found)
        return found if of == document else set()

    def record_ignored(self, document: str, first: int, last: int, why: str) -> None:
        """Record that these lines were not used, and why."""
        old = self.ranges[-1] if self.ranges else None
        if old and (document, why, first) == (old.document, old.why, old.last + 1):
            self.ranges[-1] = old._replace(last=last)
        else:
            self._range(document, first, last, None, why)

    def unused(self, document: str, first: int, last: int, format: str) -> None:
        """Record that these lines are recognised, and that no rule uses their values."""
        self.record_ignored(document, first, last, f"recognised as {format}; contains nothing that rules use")

    def read(self, document: str, first: int, last: int, format: str) -> None:
        """Record that a format read these lines."""
        self._range(document, first, last, format)

    def _range(self, document: str, first: int, last: int, format: str | None, why: str | None = None) -> None:
        if len(self.ranges) < MOST_RANGES:
            self.ranges.append(Range(document, first, last, format, why))

    def add_events(self) -> None:
        """Add the rows of the events of all documents."""
        for report, values in self.events.rows():
            self.row(report, "event", values)

    def close(self) -> None:
        """Close the database, which no longer has its rows then."""
        self.store.connection.close()
