"""The clock: the machine's, or one that a test supplies."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from advisor.patience import pause


@dataclass(frozen=True)
class Clock:
    """The current time with its zone, and a function that waits N seconds."""

    now: Callable[[], datetime] = lambda: datetime.now().astimezone()
    wait: Callable[[float], None] = pause
