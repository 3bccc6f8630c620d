"""How the program ends when it is told to: by Ctrl-C, by whoever stops a service, by a terminal that goes.

A signal becomes an exception in the main thread, and in each other thread where that waits next, so that what was begun
is taken back on the way out. What does not come back within GRACE_S is left.
"""

import os
import signal
import threading
import time
from collections.abc import Callable
from queue import SimpleQueue
from types import FrameType

from advisor import patience

GRACE_S = 10
SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP")  # the last one is not known on Windows

_told: list[signal.Signals] = []


class Ended(BaseException):
    """The process is to end."""


def told() -> signal.Signals | None:
    """What told the process to end, if anything did: libraries make errors of their own of the exception."""
    return _told[0] if _told else None


def heed(late: Callable[[signal.Signals], object]) -> None:
    """Listen from now on. ``late`` says that the process ends, where it does so without what is still under way.

    A signal that is ignored, as by nohup, stays so. Only the first one counts: a terminal that goes sends two.
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
    for number in _known():
        if signal.getsignal(number) in {signal.SIG_DFL, signal.default_int_handler}:
            signal.signal(number, heard)


def over() -> None:
    """Listen no more: what is left is to end, and takes no time."""
    for number in _known():
        signal.signal(number, signal.SIG_IGN)


def _known() -> list[signal.Signals]:
    return [signal.Signals[name] for name in SIGNALS if hasattr(signal, name)]
