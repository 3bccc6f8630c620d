"""What a machine does: the answer of the model. Times in seconds, rates per second, shares from 0 to 1."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tests.twin.machine import Machine, space

if TYPE_CHECKING:
    from tests.twin.devices import LogWrites
    from tests.twin.model import Round


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


def outcome_of(machine: Machine, found: Round, rounds: int, drift: float) -> Outcome:
    """The outcome of the last round."""
    rate = found.solution.throughput
    stores = {store.name: _store(machine, found, store.name) for store in machine.stores}
    names = [station.name for station in found.network.stations]
    return Outcome(
        tuple(_class(machine, found, number) for number in range(len(machine.work))),
        dict(zip(names, (float(each) for each in found.solution.utilisation), strict=True)),
        stores,
        {pool.name: _pool(machine, found, pool.name, stores) for pool in machine.pools},
        found.log,
        Working(
            float(sum(r * w.count for r, w in zip(rate, found.plan.working, strict=True))),
            float(sum(r * w.spilled for r, w in zip(rate, found.plan.working, strict=True))),
            float(sum(r * w.joins for r, w in zip(rate, found.plan.working, strict=True))),
            float(sum(r * w.joins_spilled for r, w in zip(rate, found.plan.working, strict=True))),
            float(sum(r * w.written for r, w in zip(rate, found.plan.working, strict=True))),
            found.at_once,
        ),
        Locking(float((rate * found.lock_waits).sum()), float((rate * found.delays["lock"]).sum()), found.escalated),
        tuple(found.package),
        found.used,
        found.overcommit,
        rounds,
        drift,
    )


def _class(machine: Machine, found: Round, number: int) -> ClassOutcome:
    parts = dict.fromkeys(COMPONENTS, 0.0)
    for flow, waited in zip(found.network.flows, found.solution.waited, strict=True):
        if flow.customer == number:
            parts[flow.label] += float(waited)
    for label, seconds in found.delays.items():
        parts[label] += float(seconds[number])
    solution = found.solution
    return ClassOutcome(
        machine.work[number].name, float(solution.throughput[number]), float(solution.response[number]), parts
    )


def _store(machine: Machine, found: Round, name: str) -> StoreRates:
    rate = found.solution.throughput
    reads = [(float(rate[number]), each) for (number, store), each in found.plan.reads.items() if store == name]
    home = space(machine, next(store.space for store in machine.stores if store.name == name))
    state = found.buffers.pools[home.pool]
    where = state.slices[name]
    count = state.count[where]
    updates = sum(
        float(rate[number]) * access.updates
        for number, work in enumerate(machine.work)
        for access in work.accesses
        if access.store == name
    )
    requests = sum(r * (each.requests + each.scan_requests) for r, each in reads)
    return StoreRates(
        sum(r * each.asked for r, each in reads),
        sum(r * each.physical for r, each in reads),
        sum(r * (each.used + each.unused + each.scanned) for r, each in reads),
        sum(r * each.unused for r, each in reads),
        requests,
        sum(r * (each.requests + each.scan_requests) * each.block.reads for r, each in reads),
        updates,
        float((count * state.cleaning.cleaned[where]).sum()),
        float((count * state.cleaning.stolen[where]).sum()),
    )


def _pool(machine: Machine, found: Round, name: str, stores: dict[str, StoreRates]) -> PoolOutcome:
    mine = [stores[store.name] for store in machine.stores if space(machine, store.space).pool == name]
    state = found.buffers.pools[name]
    asked, read = sum(each.asked for each in mine), sum(each.read for each in mine)
    needed = read - sum(each.unused for each in mine)
    written = sum(each.cleaned + each.stolen for each in mine)
    return PoolOutcome(
        1 - needed / asked if asked else 1.0,
        asked,
        read,
        sum(each.ahead for each in mine),
        written,
        sum(each.stolen for each in mine),
        float(np.minimum(state.contents.time, 1e12)),
        state.cleaning.changed,
        state.cleaning.by_threshold,
        state.cleaning.by_age,
        state.cleaning.by_steal,
    )
