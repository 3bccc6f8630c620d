"""Output of ``db2evmonfmt`` for a locking event monitor: deadlocks and lock timeouts, as reported problems.

A note counts the lock waits (LOCKWAIT), which cause no error. The handle is the one of the application that was
rolled back: the only requester of a timeout, or the participant that the deadlock graph names.
"""

import re
from collections import Counter
from dataclasses import dataclass, field

from advisor.imports.events import Event, find_time, handle_of
from advisor.imports.reader import Format, Part, Reader

NAME = "locking event monitor"
_CODES = {"LOCKTIMEOUT": "SQL0911N 68", "DEADLOCK": "SQL0911N 2"}
_WAIT = "LOCKWAIT"
_MOST_STATEMENTS = 2  # of one event, in its message
_LONGEST_STATEMENT = 100

_START = re.compile(r"Event Type\s*: (DEADLOCK|LOCKTIMEOUT|LOCKWAIT)\s*$")
_ID = re.compile(r"Event ID\s*: \d+\s*$")
_FIELD = re.compile(r"(?P<name>[A-Z][A-Za-z ]{2,40}?)\s*: ?(?P<value>.*)$")
_PARTICIPANTS = re.compile(r"Participant No\s{2,}(\d.*)$")
_HANDLES = re.compile(r"Application Handle\s{2,}(\[?\d.*)$")
_HANDLE = re.compile(r"\[?(?:(\d+)-)?(\d+)\]?")
_ACTIVITIES = re.compile(r"(?:Current|Past) Activities of Participant No (\d+)")
_REQUESTING = re.compile(r"Participant No (\d+) requesting lock")
_OWN = re.compile(
    r"-{3,}|Deadlock Graph|Participant|Attributes\s|(?:Current|Past) Activities|Total number of|Type of deadlock"
    r"|[A-Z][A-Za-z ]{2,40}?(?:\s{2,}|\s*:)|\d+\s+\d+|\(no statement|No activities|Requesting Lock|Holding Lock",
    re.I,
)


@dataclass
class _LockEvent:
    """One event: its type, and the facts of its participants."""

    type: str
    time: str | None = None
    member: str | None = None
    victim: str | None = None  # number of the participant
    requesters: list[str] = field(default_factory=list)
    participants: list[str] = field(default_factory=list)
    handles: list[str] = field(default_factory=list)
    tables: list[str] = field(default_factory=list)
    statements: dict[str, str] = field(default_factory=dict)  # by participant

    def find_handle(self) -> int | None:
        """Return the handle of the application that got the error; None if that is not certain."""
        victim = self.victim or (self.requesters[0] if len(self.requesters) == 1 else None)
        known = dict(zip(self.participants, self.handles, strict=False))
        match = _HANDLE.fullmatch(known.get(victim or "", ""))
        return handle_of(match[1], match[2]) if match else None

    def describe(self) -> str:
        """Return a text with the tables and the statements."""
        tables = list(dict.fromkeys(self.tables))
        where = f' on table "{tables[0]}"' if tables else ""
        others = f" and {', '.join(tables[1:])}" if tables[1:] else ""
        told = [
            f"participant {number}: {text[:_LONGEST_STATEMENT]}"
            for number, text in list(self.statements.items())[:_MOST_STATEMENTS]
        ]
        return "; ".join([f"{self.type}{where}{others}", *told])


class _Reader(Reader):
    """A reader of the events of one text."""

    def __init__(self, part: Part) -> None:
        super().__init__(part)
        self._event: _LockEvent | None = None
        self._activity = ""  # the participant whose statements follow
        self._schema = ""
        self._waits: Counter[str] = Counter()

    def take(self, line: str, text: str) -> bool:
        if not text or self._take(text):
            return True
        return not self.part.starts_other_format(line) and (
            _OWN.match(text) is not None or self._continue_statement(text)
        )

    def end(self) -> None:
        self._end()
        if count := self._waits.total():
            tables = ", ".join(table for table, _ in self._waits.most_common(3) if table)
            self.part.readings.notes.append(
                f"{count} lock {'wait' if count == 1 else 'waits'} recorded by the event monitor"
                + (f", on {tables}" if tables else "")
            )

    def _take(self, text: str) -> bool:
        """Take a line with a fact; return False for all others."""
        event = self._event
        if match := _START.match(text):
            self._end()
            self._event, self._activity = _LockEvent(match[1]), ""
        elif _ID.match(text):
            self._end()
        elif event is None:
            return False
        elif match := _ACTIVITIES.match(text):
            self._activity = match[1]
        elif match := _REQUESTING.match(text):
            event.requesters.append(match[1])
        elif match := _PARTICIPANTS.match(text):
            event.participants += match[1].split()
        elif match := _HANDLES.match(text):
            event.handles += match[1].split()
        elif match := _FIELD.match(text):
            self._take_field(event, " ".join(match["name"].lower().split()), match["value"].strip())
        else:
            return False
        return True

    def _take_field(self, event: _LockEvent, name: str, value: str) -> None:
        match name:
            case "event timestamp":
                event.time = find_time(value)
            case "partition of detection" | "member of detection" if value.isdecimal():
                event.member = value
            case "participant that was rolled back":
                event.victim = value
            case "table schema":
                self._schema = value
            case "table name" if value and self._schema:
                event.tables.append(f"{self._schema}.{value}")
            case "stmt text" if value and self._activity:
                event.statements.setdefault(self._activity, value)

    def _continue_statement(self, text: str) -> bool:
        """Return whether a line may be the rest of a statement."""
        return self._event is not None and self._activity in self._event.statements

    def _end(self) -> None:
        event, self._event = self._event, None
        if event is None:
            return
        if event.type == _WAIT:
            self._waits[event.tables[0] if event.tables else ""] += 1
            return
        told = Event(_CODES[event.type], event.time, event.describe(), event.find_handle(), event.member)
        self.part.readings.events.add(self.part.document, None, told)


def _starts(line: str, previous: str) -> bool:
    text = line.strip()
    return _START.match(text) is not None or (_ID.match(text) is not None and not previous.startswith("List"))


FORMATS = (Format(NAME, _starts, _Reader.read, ("event type", "event id")),)
