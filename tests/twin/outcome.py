"""What a machine does: the answer of the model. Times in seconds, rates per second, shares from 0 to 1."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.twin.log import LogWrites

COMPONENTS = (
    "cpu",
    "latch",
    "compile",
    "read",
    "prefetch",
    "clean",
    "temporary",
    "paging",
    "fcm",
    "log",
    "lock",
    "network",
)


@dataclass(frozen=True)
class ClassOutcome:
    """A class of transactions; `parts` are by component and add up to the response time."""

    name: str
    throughput: float
    response: float
    parts: dict[str, float]


@dataclass(frozen=True)
class StoreRates:
    """A second: pages asked for, read, of these ahead, of these for nothing; prefetch requests; updates."""

    asked: float
    read: float
    ahead: float
    unused: float
    requests: float
    blocks: float
    updates: float
    cleaned: float
    stolen: float


@dataclass(frozen=True)
class PoolOutcome:
    """A pool: share of references found, and a second: pages asked for, read, read ahead, written, by agents, starts.

    `age` is how long a page stays unused before it goes (seconds), `changed` the mean share of changed pages.
    """

    hit_ratio: float
    asked: float
    read: float
    ahead: float
    written: float
    written_by_agents: float
    age: float
    changed: float
    by_threshold: float
    by_age: float
    by_steal: float


@dataclass(frozen=True)
class Working:
    """A second: sorts, those that spilled, joins, those that spilled, bytes spilled; how many there are at once."""

    sorts: float
    sort_overflows: float
    joins: float
    join_overflows: float
    spilled: float
    at_once: float


@dataclass(frozen=True)
class Locking:
    """A second: waits, seconds waited; share of the row locks that the list denies, by class."""

    waits: float
    waited: float
    escalated: tuple[float, ...]


@dataclass(frozen=True)
class Outcome:
    """The steady state of a machine."""

    classes: tuple[ClassOutcome, ...]
    utilisation: dict[str, float]
    stores: dict[str, StoreRates]
    pools: dict[str, PoolOutcome]
    log: LogWrites
    working: Working
    locking: Locking
    package_hits: tuple[float, ...]
    memory_used: float
    overcommit: float
    rounds: int
    drift: float

    @property
    def throughput(self) -> float:
        """Transactions a second of all classes."""
        return sum(each.throughput for each in self.classes)

    @property
    def response(self) -> float:
        """Seconds, the mean over all transactions."""
        return sum(each.throughput * each.response for each in self.classes) / self.throughput

    def part(self, name: str) -> float:
        """Seconds of a component, the mean over all transactions."""
        return sum(each.throughput * each.parts[name] for each in self.classes) / self.throughput
