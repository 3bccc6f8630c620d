"""Random machines like those at real sites: hardware, work, configuration, and the data known about them.

Machines that no site would accept are not drawn: a machine whose model does not come to rest, that pages out memory in
use, or whose users gave up. Most of the configuration is sensible or as created; some machines have faults.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tests.twin import configuring, days
from tests.twin.cpu import GIB, MIB, Processors
from tests.twin.days import HOUR, Levels, even
from tests.twin.disks import Device, flash
from tests.twin.machine import Access, Host, Machine, Partitioning, Pool, Space, Store, Work, Working

if TYPE_CHECKING:
    from tests.twin.days import Day, Mixture
    from tests.twin.outcome import Outcome

AT_REST = 1e-4
CLOSE = 1e-4  # of a load's throughput: judged differences are a hundred times as large
LONGEST_S = {"order": 10.0, "change": 60.0, "report": 7200.0}
MOST_BUSY, MOST_PAGED = 0.985, 0.02
FEW = 0.2  # of the clients
OTHERS = 1_000_000
"""Sites from this number on have distributions on which no rule was tuned."""
LEVELS = [(9, 7), (10, 1), (10, 5), (11, 1), (11, 5), (11, 5), (12, 1)]


@dataclass(frozen=True)
class Knowledge:
    """The known data: host facts or none, and an interval in seconds from an hour of the day on.

    With one snapshot, only the counters since activation are known.
    """

    facts: bool = True
    seconds: float = 1800.0
    snapshots: int = 2
    hour: int = 8


@dataclass(frozen=True)
class DrawnSite:
    """A machine at all its loads, its day, and the data known about it."""

    seed: int
    levels: Levels
    day: Day
    knowledge: Knowledge = Knowledge()

    @property
    def machine(self) -> Machine:
        """The machine, with everybody at work."""
        return self.levels.machine

    @property
    def watched(self) -> Mixture:
        """The loads of the interval that is known of it."""
        begin = self.knowledge.hour * HOUR
        return self.day.spent(begin, begin + self.knowledge.seconds)

    @property
    def known(self) -> str:
        """Return the kind of the interval."""
        if self.knowledge.snapshots == 1:
            return "all since activation"
        at_work = max(max(load) for load in self.watched)
        return "an hour with few at work" if at_work <= FEW else "an hour with many at work"


def site(seed: int) -> DrawnSite:
    """The site of that number."""
    for attempt in range(200):
        draw = random.Random(1000 * seed + attempt)
        machine = _machine(draw)
        levels = Levels(machine, CLOSE)
        if lived_with(machine, levels.at(even(machine).hours[0]).outcome):
            day, hour = days.drawn(seed, machine)
            known = draw.random() < 0.7, draw.choice([60.0, 900.0, 3600.0]), draw.choice([1, 2, 2, 2])
            return DrawnSite(seed, levels, day, Knowledge(*known, hour))
    raise ValueError(f"no machine of seed {seed} is one that a site would live with")


def lived_with(machine: Machine, outcome: Outcome) -> bool:
    """Whether the model is at rest within the bounds of its mechanisms, and users still work with the machine."""
    patient = all(
        each.response <= LONGEST_S[work.name] and each.parts["lock"] <= each.response / 2
        for each, work in zip(outcome.classes, machine.work, strict=True)
    )
    log = outcome.log.bytes_per_second / next(d.transfer for d in machine.devices if d.name == machine.log_device)
    calm = outcome.drift < AT_REST and max(outcome.utilisation.values()) <= MOST_BUSY and log < 0.9
    return patient and calm and outcome.overcommit <= MOST_PAGED


def between(draw: random.Random, low: float, high: float) -> float:
    """A number between two, even on a logarithmic scale."""
    return float(low * (high / low) ** draw.random())


def _machine(draw: random.Random) -> Machine:
    kind = draw.choice(["orders", "orders", "both", "reports"])
    parts: list[_Part] = []
    if kind != "reports":
        parts.append(_orders(draw))
    if kind != "orders":
        parts.append(_reports(draw))
    log = _log(draw)
    devices = (_data(draw), log) if log else (_data(draw),)
    stored = sum(store.pages * part.page for part in parts for store in part.stores)
    machine = Machine(
        Host(_processors(draw), max(4 * GIB, float(round(stored * between(draw, 0.1, 2) / GIB)) * GIB)),
        devices,
        tuple(pool for part in parts for pool in part.pools),
        tuple(space for part in parts for space in part.spaces),
        tuple(store for part in parts for store in part.stores),
        tuple(work for part in parts for work in part.work),
        devices[-1].name,
        temporary="" if kind == "orders" else "TEMPSPACE",
        level=draw.choice(LEVELS),
        tables=draw.choice([50, 100, 400]),
        partitioning=_partitioning(draw) if kind == "reports" else Partitioning(),
    )
    return configuring.configured(draw, machine)


@dataclass(frozen=True)
class _Part:
    """Objects and work of one application, with pools of one page size (bytes)."""

    page: int
    pools: tuple[Pool, ...]
    spaces: tuple[Space, ...]
    stores: tuple[Store, ...]
    work: tuple[Work, ...]


def _processors(draw: random.Random) -> Processors:
    """From two cores to four sockets, some of them shared by guests."""
    cores = draw.choice([2, 4, 8, 16, 32, 64])
    own = Processors(cores, nodes=max(1, cores // 16), threads=draw.choice([1, 2]))
    if draw.random() < 0.7:
        return own
    guests = draw.choice([1, 2, 4, 8])
    virtual = max(1, round(cores * draw.choice([0.25, 0.5, 1.0])))
    return replace(own, virtual=virtual, guests=guests, overhead=draw.choice([0.03, 0.1]))


def _data(draw: random.Random) -> Device:
    """Flash, a storage network, an array of disks with or without a cache for writes, a few disks."""
    kind = draw.choice(["flash", "network", "network", "array", "array", "few"])
    if kind == "flash":
        return flash("data", channels=draw.choice([4, 16, 64]), latency=draw.choice([0.0001, 0.0003]))
    disk = _disk(draw, "data", draw.choice([1, 2, 4]) if kind == "few" else draw.choice([8, 16, 24, 48, 96]))
    layout = draw.choice([2.0, 4.0, 4.0]) if disk.disks >= 4 else draw.choice([1.0, 2.0])
    cache = kind == "network" or (kind == "array" and draw.random() < 0.5)
    hits = draw.choice([0.1, 0.3]) if kind == "network" else 0.0
    path = draw.choice([400, 800, 1600]) * MIB
    return replace(
        disk, write_accesses=layout, write_cache=cache, cached=hits, path=path, stripe=draw.choice([64, 256]) * 1024.0
    )


def _disk(draw: random.Random, name: str, disks: int) -> Device:
    seek, turns, transfer = draw.choice([(0.0036, 15000, 120), (0.0045, 10000, 110), (0.0085, 7200, 130)])
    return Device(name, disks, seek, float(turns), transfer * MIB)


def _log(draw: random.Random) -> Device | None:
    """A pair of mirrors, a part of a storage network, flash; or nothing of its own."""
    kind = draw.choice(["disks", "disks", "network", "flash", ""])
    if kind == "flash":
        return flash("log", channels=2)
    if not kind:
        return None
    return replace(_disk(draw, "log", 2), write_cache=kind == "network" or draw.random() < 0.3)


def _partitioning(draw: random.Random) -> Partitioning:
    if draw.random() < 0.8:
        return Partitioning()
    return Partitioning(draw.choice([2, 4]), draw.choice([0.0, 0.1, 0.5]), 0.1)


def _space(draw: random.Random, name: str, pool: str) -> Space:
    return Space(name, pool, "data", draw.choice([16, 32, 32]), containers=draw.choice([1, 2, 4, 8]))


def _thought(draw: random.Random, low: float, high: float) -> float:
    """Seconds that clients think; some do nothing else than ask."""
    return 0.0 if draw.random() < 0.2 else between(draw, low, high)


def _orders(draw: random.Random) -> _Part:
    """Short transactions on a few tables and indexes, and often a few clients that change much."""
    page, large = draw.choice([4096, 4096, 8192]), between(draw, 0.1, 10)
    pools = (Pool("BP", 1000, page),) + ((Pool("BPI", 1000, page),) if draw.random() < 0.4 else ())
    spaces = (_space(draw, "TABLES", "BP"), _space(draw, "INDEXES", pools[-1].name))

    def store(name: str, space: str, pages: float, low: float, high: float, row: int = 200) -> Store:
        return Store(name, space, round(pages * large * 4096 / page), draw.uniform(low, high), space == "INDEXES", row)

    stores = (
        store("ORDERS", "TABLES", 1_500_000, 0.6, 1.0),
        store("ORDERS_PK", "INDEXES", 250_000, 0.8, 1.1),
        store("CUSTOMER", "TABLES", 500_000, 0.5, 0.9, 600),
        store("CUSTOMER_PK", "INDEXES", 40_000, 0.8, 1.0),
    )
    heavy, writes = between(draw, 0.3, 3), draw.choice([0.0, 0.5, 1.0, 1.0, 2.0])
    order = Work(
        "order",
        round(between(draw, 5, 600)),
        0.002 * heavy,
        (
            Access("ORDERS", random=10 * heavy, updates=3 * writes, run=draw.choice([1.0, 1.0, 1.0, 1.0, 3.0])),
            Access("ORDERS_PK", random=15 * heavy, updates=writes),
            Access("CUSTOMER", random=4 * heavy, updates=writes),
            Access("CUSTOMER_PK", random=8 * heavy),
        ),
        think=_thought(draw, 0.1, 20),
        log_bytes=4000 * writes,
        locks=10 * writes,
        dynamic=draw.choice([0.0, 2.0, 5.0]),
        distinct=round(between(draw, 30, 5000)),
        hot_rows=round(between(draw, 1e5, 1e7)),
    )
    work: tuple[Work, ...] = (order,)
    if writes and draw.random() < 0.3:
        touched = (Access("ORDERS", random=120, updates=60), Access("ORDERS_PK", random=200, updates=20))
        locks = between(draw, 100, 5000)
        work += (
            Work("change", draw.choice([1, 3, 8]), 0.02, touched, 1.0, log_bytes=60_000, locks=locks, hot_rows=10**8),
        )
    return _Part(page, pools, spaces, stores, work)


def _reports(draw: random.Random) -> _Part:
    """Scans of parts of a large table, with sorts and joins of all sizes."""
    page, large = draw.choice([16384, 16384, 32768]), between(draw, 0.1, 5)
    pools = (Pool("BPF", 1000, page),) + ((Pool("BPT", 1000, page),) if draw.random() < 0.6 else ())
    fact = Store("FACT", "FACTS", round(400_000 * large * 16384 / page), 0.0)
    customer = Store("DIMENSION", "FACTS", round(fact.pages / 20), draw.uniform(0.3, 0.8))
    spaces = (_space(draw, "FACTS", "BPF"), _space(draw, "TEMPSPACE", pools[-1].name))
    read, rows = fact.pages * between(draw, 0.005, 0.3), between(draw, 1e4, 3e6)
    scanned = Access("FACT", sequential=read, page_cpu=draw.choice([0.00005, 0.0002]))
    work = Work(
        "report",
        draw.choice([1, 2, 4, 8, 20]),
        between(draw, 0.1, 3),
        (scanned, Access("DIMENSION", random=between(draw, 50, 5000))),
        think=_thought(draw, 5, 300),
        statements=1,
        sorts=(Working(draw.choice([1, 2, 4]), rows * 100, rows),),
        joins=(Working(1, between(draw, 1e6, 3e8), probe=between(draw, 1e7, 3e9)),),
        shipped=rows * 100,
        exchanges=2,
    )
    return _Part(page, pools, spaces, (fact, customer), (work,))
