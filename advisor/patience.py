"""Work that takes no longer than its caller waits for it, whatever it waits for itself.

The time-out of a socket begins anew with each byte, and while a library waits within its own code nobody hears Ctrl-C.
So the work is done in a thread of its own. What does not come back is left to that thread, which ends with the process.
Who waits here, in whatever thread, is woken when the process is to end.
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
_woken: list[BaseException] = []  # by what, if anything
_waiting: set[SimpleQueue[Any]] = set()  # of threads but the main one
_own = threading.local()


class OverdueError(Exception):
    """The work took longer than it may; it may still be under way."""


class Apart:
    """A thread that does one thing after the other for one caller, who waits and hears Ctrl-C meanwhile.

    ``lost`` is true from when something did not come back in time, or the caller was interrupted: then nothing more
    is done.
    """

    def __init__(self) -> None:
        self.lost = False
        self._asked: SimpleQueue[Callable[[], Any] | None] = SimpleQueue()
        self._done: SimpleQueue[tuple[Any, BaseException | None]] = SimpleQueue()
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def do(self, longest_s: float, work: Callable[..., Result], *arguments: Any) -> Result:
        """What the work returns or raises. Raises OverdueError when it takes longer than so many seconds."""
        if threading.current_thread() is self._thread:  # something is freed while other work is done
            return work(*arguments)
        if self.lost:
            raise OverdueError
        self.lost = True
        self._asked.put(partial(work, *arguments))
        try:
            result, error = _taken(self._done, longest_s)
        except BaseException as why:  # in time it did not come, or Ctrl-C did
            _left.append(self._thread)
            if isinstance(why, Empty):
                raise OverdueError from None
            raise
        self.lost = False
        if error is not None:
            raise error
        return result  # type: ignore[no-any-return]

    def end(self) -> None:
        """Let the thread go, after what it does now."""
        self._asked.put(None)

    def _serve(self) -> None:
        while (work := self._asked.get()) is not None:
            done: tuple[Any, BaseException | None]
            try:
                done = work(), None
            except BaseException as error:
                done = None, error
            self._done.put(done)
            del work, done  # what it holds is freed now, and not when something else is asked


def within(longest_s: float, work: Callable[[], Result]) -> Result:
    """One thing that takes no longer than so many seconds; raises OverdueError."""
    apart = Apart()
    try:
        return apart.do(longest_s, work)
    finally:
        apart.end()


def pause(seconds: float) -> None:
    """Wait, but not when the process is to end."""
    with suppress(Empty):
        _taken(SimpleQueue(), seconds)


def wake(why: BaseException) -> None:
    """Raise this once in each other thread, where it waits or when it does so next; for a handler of a signal."""
    _woken.append(why)
    for queue in list(_waiting):
        queue.put(_WOKEN)


def woken() -> None:
    """Raise what woke this thread, if anything did: whatever it was made to by a library."""
    if _woken:
        raise _woken[0]


def _taken(queue: SimpleQueue[Any], longest_s: float) -> Any:
    """What comes within so many seconds; raises Empty, and what others are woken by."""
    if threading.current_thread() is threading.main_thread():  # in which the signal itself raises
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


def left_to_itself() -> bool:
    """Whether something that was begun has not come back yet."""
    return any(thread.is_alive() for thread in _left)
