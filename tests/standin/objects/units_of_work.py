"""Units of work: what takes back each thing that one did, the points to go back to, and the locks between them.

DuckDB has no savepoints and drops a whole transaction at the first error, so each statement is a transaction of
its own there, and taking back is done here, by the opposite of each action, newest first.

A changed row and a changed object of the catalog stay locked until the unit of work ends. A statement that meets such a
lock is rolled back and raises Busy. Its session waits without holding locks of its own and then runs the statement
again. With cur_commit ON, reads under cursor stability do not wait: they see committed rows (Runner).
"""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from tests.standin.errors import Db2Error
from tests.standin.objects.definitions import Key, Name, Table

LOOK_S = 0.05  # how often a wait looks whether it was interrupted
LONGEST_S = 120.0  # that a locktimeout of -1, for ever, lasts here: tests are to end
DEADLOCK, TIMEOUT = "2", "68"  # reason codes of SQL0911N


class Busy(Exception):  # noqa: N818 -- no error: the statement is to run again once the holder has ended
    """What a statement needs is locked by another unit of work."""

    def __init__(self, holder: "UnitOfWork") -> None:
        super().__init__(holder)
        self.holder = holder


class Locks:
    """The units of work of one database that hold something."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self.holders: dict[UnitOfWork, None] = {}
        self._waits: dict[UnitOfWork, UnitOfWork] = {}

    def others(self, work: "UnitOfWork") -> "list[UnitOfWork]":
        return [one for one in list(self.holders) if one is not work]

    def end(self, work: "UnitOfWork") -> None:
        with self._changed:
            self.holders.pop(work, None)
            self._changed.notify_all()

    def wait(self, work: "UnitOfWork", holder: "UnitOfWork", timeout_s: float, check: Callable[[], None]) -> None:
        """Until the holder has ended. -911 at a deadlock or after ``timeout_s`` (negative: LONGEST_S); ``check`` may raise."""
        deadline = time.monotonic() + (timeout_s if timeout_s >= 0 else LONGEST_S)
        with self._changed:
            self._waits[work] = holder
            try:
                if self._waits_for(holder, work):
                    raise Db2Error(-911, "40001", DEADLOCK)
                while holder in self.holders:
                    check()
                    if time.monotonic() >= deadline:
                        raise Db2Error(-911, "40001", TIMEOUT)
                    self._changed.wait(LOOK_S)
            finally:
                del self._waits[work]

    def _waits_for(self, work: "UnitOfWork", other: "UnitOfWork") -> bool:
        seen = {work}
        while work in self._waits:
            work = self._waits[work]
            if work is other:
                return True
            if work in seen:
                break
            seen.add(work)
        return False


Action = Callable[[], None]


@dataclass(frozen=True)
class UndoRecord:
    """Rows that one statement inserted, numbered from ``first`` to ``last``, and what it changed as it was before."""

    mark: int
    table: Table
    first: int
    last: int
    images: tuple[tuple[Table, str], ...]

    def of(self, name: Name) -> bool:
        return any((one.schema, one.name) == name for one in (self.table, *(table for table, _ in self.images)))


@dataclass(eq=False)
class UnitOfWork:
    """One session's unit of work. ``cleanups`` remove what was kept only for taking back; they run at its end.

    ``read`` are the tables that were read with isolation RS or RR, and with which.
    """

    locks: Locks = field(default_factory=Locks)
    changes: list[UndoRecord] = field(default_factory=list)
    objects: set[Key] = field(default_factory=set)
    read: dict[Name, str] = field(default_factory=dict)
    _undo: list[Action] = field(default_factory=list)
    _cleanups: list[Action] = field(default_factory=list)
    _savepoints: dict[str, int] = field(default_factory=dict)

    def record(self, undo: Action, cleanup: Action | None = None) -> None:
        """Something was done: how to take it back, and what to remove at the end."""
        self._undo.append(undo)
        if cleanup:
            self._cleanups.append(cleanup)

    def changed(self, table: Table, first: int, last: int, images: list[tuple[Table, str]]) -> None:
        """Rows were changed: they are locked until the end."""
        if not table.temporary:
            self.changes.append(UndoRecord(self.mark, table, first, last, tuple(images)))
            self.locks.holders[self] = None

    def lock(self, key: Key, table: Table | None = None) -> None:
        """An object of the catalog is changed. Raises Busy while another unit of work has changed it, or its rows."""
        self.see(key)
        for other in self.locks.others(self):
            if table is not None and any(one.of(Name(table.schema, table.name)) for one in other.changes):
                raise Busy(other)
        self.objects.add(key)
        self.locks.holders[self] = None

    def see(self, key: Key) -> None:
        """An object of the catalog is used. Raises Busy while another unit of work has changed it."""
        for other in self.locks.others(self):
            if key in other.objects:
                raise Busy(other)

    def others(self, names: frozenset[Name]) -> list[UndoRecord]:
        """Return uncommitted changes of other units of work in these tables, newest first."""
        found = [one for other in self.locks.others(self) for one in reversed(other.changes)]
        return [one for one in found if any(one.of(name) for name in names)]

    def wait_for(self, names: frozenset[Name]) -> None:
        """Raises Busy while another unit of work has changed rows of these tables."""
        for other in self.locks.others(self):
            if any(change.of(name) for change in other.changes for name in names):
                raise Busy(other)

    def keep(self, names: frozenset[Name], isolation: str) -> None:
        """Block changes to the data read from these tables until the unit of work ends; RR also blocks inserts."""
        self.read |= {name: isolation for name in names if self.read.get(name) != "RR"}
        self.locks.holders[self] = None

    def wait_for_readers(self, name: Name, inserts: bool) -> None:
        """Raises Busy while another unit of work keeps what it read of this table."""
        for other in self.locks.others(self):
            if other.read.get(name) in ({"RR"} if inserts else {"RS", "RR"}):
                raise Busy(other)

    @property
    def mark(self) -> int:
        """Where the unit of work is now; ``back_to`` returns to it."""
        return len(self._undo)

    def back_to(self, mark: int) -> None:
        while len(self._undo) > mark:
            self._undo.pop()()
        self.changes = [one for one in self.changes if one.mark < mark]
        self._savepoints = {name: at for name, at in self._savepoints.items() if at <= mark}

    def savepoint(self, name: str) -> None:
        self._savepoints.pop(name, None)  # the name moves here; savepoints set since then stay
        self._savepoints[name] = self.mark

    def to_savepoint(self, name: str | None) -> None:
        """Go back to a savepoint (None: the last one), which stays."""
        if name is None:
            name = next(reversed(self._savepoints), "")
        self.back_to(self._position(name))

    def release(self, name: str) -> None:
        """Forget a savepoint and those that were set after it."""
        self._position(name)
        names = list(self._savepoints)
        for later in names[names.index(name) :]:
            del self._savepoints[later]

    def commit(self) -> None:
        self._undo.clear()
        self._end()

    def rollback(self) -> None:
        self.back_to(0)
        self._end()

    def _end(self) -> None:
        self._savepoints.clear()
        while self._cleanups:
            self._cleanups.pop()()
        self.changes.clear()
        self.objects.clear()
        self.read.clear()
        self.locks.end(self)

    def _position(self, name: str) -> int:
        if name not in self._savepoints:
            raise Db2Error(-880, "3B001", name)
        return self._savepoints[name]
