"""Time limits for calls that block in libraries.

The timeout of a socket restarts with each byte, and a library that blocks in its own code ignores Ctrl-C. So the work
runs in a separate thread. Overdue work is left to that thread, which ends with the process. Signals wake all threads
that wait here.
"""

import threading
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

Result = TypeVar("Result")

_left: list[threading.Thread] = []
_WOKEN: Any = object()
_woken: list[BaseException] = []  # the exception that woke the threads
_waiting: set[SimpleQueue[Any]] = set()  # of all threads except the main one
_own = threading.local()


class OverdueError(Exception):
    """The work exceeded its time limit. It may still be running."""


class Apart:
    """A thread that runs calls one after the other for one caller, which Ctrl-C can interrupt.

    ``lost`` becomes true when a call is overdue or the caller is interrupted. Later calls raise OverdueError.
    """

    def __init__(self) -> None:
        self.lost = False
        self._asked: SimpleQueue[Callable[[], Any] | None] = SimpleQueue()
        self._done: SimpleQueue[tuple[Any, BaseException | None]] = SimpleQueue()
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def do(self, longest_s: float, work: Callable[..., Result], *arguments: Any) -> Result:
        """Return or raise the result of ``work``. Raise OverdueError after ``longest_s`` seconds."""
        if threading.current_thread() is self._thread:  # an object is freed during other work
            return work(*arguments)
        if self.lost:
            raise OverdueError
        self.lost = True
        self._asked.put(partial(work, *arguments))
        try:
            result, error = _take_item(self._done, longest_s)
        except BaseException as why:  # overdue or interrupted
            _left.append(self._thread)
            if isinstance(why, Empty):
                raise OverdueError from None
            raise
        self.lost = False
        if error is not None:
            raise error
        return result  # type: ignore[no-any-return]

    def end(self) -> None:
        """End the thread after its current call."""
        self._asked.put(None)

    def _serve(self) -> None:
        while (work := self._asked.get()) is not None:
            done: tuple[Any, BaseException | None]
            try:
                done = work(), None
            except BaseException as error:
                done = None, error
            self._done.put(done)
            del work, done  # free their objects now, not at the next call


def run_within(longest_s: float, work: Callable[[], Result]) -> Result:
    """Return the result of ``work``. Raise OverdueError after ``longest_s`` seconds."""
    apart = Apart()
    try:
        return apart.do(longest_s, work)
    finally:
        apart.end()


def pause(seconds: float) -> None:
    """Wait, but stop when the process must end."""
    with suppress(Empty):
        _take_item(SimpleQueue(), seconds)


def wake(why: BaseException) -> None:
    """Raise ``why`` once in every other thread, at its current or next wait. Signal handlers call this."""
    _woken.append(why)
    for queue in list(_waiting):
        queue.put(_WOKEN)


def raise_woken() -> None:
    """Raise the exception that woke the threads, if any. Libraries may have replaced it."""
    if _woken:
        raise _woken[0]


def _take_item(queue: SimpleQueue[Any], longest_s: float) -> Any:
    """Return the next item. Raise Empty after ``longest_s`` seconds, or the exception that wakes the threads."""
    if threading.current_thread() is threading.main_thread():  # the signal handler raises here
        return queue.get(timeout=longest_s)
    _waiting.add(queue)
    try:
        knows = not _woken or getattr(_own, "knows", False)
        found = queue.get(timeout=longest_s) if knows else _WOKEN
    finally:
        _waiting.discard(queue)
    if found is _WOKEN:
        _own.knows = True
        raise _woken[0]
    return found


def is_work_overdue() -> bool:
    """Return whether overdue work is still running."""
    return any(thread.is_alive() for thread in _left)
