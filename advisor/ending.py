"""Termination by SIGINT, SIGTERM or SIGHUP.

A signal raises an exception in the main thread, and in every other thread when it waits next. So open work is rolled
back. After GRACE_S seconds, the process exits without waiting for the rest.
"""

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from queue import SimpleQueue
from types import FrameType

from advisor import patience

GRACE_S = 10
SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP")  # Windows has no SIGHUP

_told: list[signal.Signals] = []


class Ended(BaseException):
    """The process must end."""


def get_signal() -> signal.Signals | None:
    """Return the signal that ended the process, or None. Libraries turn the exception into errors of their own."""
    return _told[0] if _told else None


@contextmanager
def until_interrupt() -> Iterator[None]:
    """Run a block that Ctrl-C ends without an error."""
    try:
        yield
    except BaseException as error:
        if not isinstance(error, KeyboardInterrupt) and get_signal() is not signal.SIGINT:
            raise


def heed(late: Callable[[signal.Signals], object]) -> None:
    """Install the signal handlers. ``late`` reports that the process ends without waiting for work in progress.

    Ignored signals, for example by nohup, remain ignored. Only the first signal counts: a closed terminal sends two.
    """
    first: SimpleQueue[signal.Signals] = SimpleQueue()

    def heard(number: int, _: FrameType | None) -> None:
        if not _told:
            _told.append(signal.Signals(number))
            first.put(_told[0])
            ended = Ended(_told[0].name)
            patience.wake(ended)
            raise ended

    def last_resort() -> None:
        number = first.get()
        time.sleep(GRACE_S)
        late(number)
        os._exit(128 + number)

    threading.Thread(target=last_resort, daemon=True).start()
    for number in _list_signals():
        if signal.getsignal(number) in {signal.SIG_DFL, signal.default_int_handler}:
            signal.signal(number, heard)


def ignore_signals() -> None:
    """Ignore further signals while the process exits."""
    for number in _list_signals():
        signal.signal(number, signal.SIG_IGN)


def _list_signals() -> list[signal.Signals]:
    return [signal.Signals[name] for name in SIGNALS if hasattr(signal, name)]
