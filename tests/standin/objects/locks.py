"""Locks between units of work: which session waits for which, for how long, and how a wait ends.

A changed row and a changed object of the catalog stay locked until the unit of work ends. A statement that meets such a
lock is rolled back and raises Busy. Its session waits without holding locks of its own and then runs the statement
again. With cur_commit ON, reads under cursor stability do not wait: they see committed rows (Runner).
"""

import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from tests.standin.errors import Db2Error

if TYPE_CHECKING:
    from tests.standin.objects.undo import UnitOfWork

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
