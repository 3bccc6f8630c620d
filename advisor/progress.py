"""Progress bars on a terminal.

They are on standard error, one at a time, and only for work of more than a second.
"""

import math
import sys
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

import click

if TYPE_CHECKING:
    from click._termui_impl import ProgressBar

Item = TypeVar("Item")

AFTER_S = 1.0
_open: list["ProgressBar[int]"] = []


@contextmanager
def bar(label: str, length: int, counted: bool = True) -> "Iterator[ProgressBar[int]]":
    """Yield a bar with the count, or else percent, and the remaining time. Only one of several open bars is shown."""
    with click.progressbar(length=length, label=label, file=sys.stderr, show_pos=counted, hidden=True) as shown:
        late = threading.Timer(AFTER_S, setattr, (shown, "hidden", False))
        if sys.stderr.isatty() and not _open:
            late.start()
        _open.append(shown)
        try:
            yield shown
        finally:
            late.cancel()
            _open.remove(shown)


def track(label: str, items: Iterable[Item], length: int) -> Iterator[Item]:
    """Yield the items, and show how many of ``length`` are done if there are several."""
    if length < 2:
        yield from items
        return
    with bar(label, length) as shown:
        for item in items:
            yield item
            shown.update(1)


def pause(seconds: float) -> None:
    """Wait between two snapshots."""
    for _ in track("Second snapshot in", range(math.ceil(seconds)), math.ceil(seconds)):
        time.sleep(1)
