"""What passes the time: the machine's clock, or that of a test."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from advisor.patience import pause


def _now() -> datetime:
    return datetime.now().astimezone()


@dataclass(frozen=True)
class Clock:
    """The time of day with its zone, and waiting in seconds."""

    now: Callable[[], datetime] = _now
    wait: Callable[[float], None] = pause
