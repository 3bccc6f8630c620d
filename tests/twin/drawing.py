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
from tests.twin.devices import Device, flash
from tests.twin.machine import Access, Host, Machine, Partitioning, Pool, Space, Store, Work, Working
from tests.twin.selftuning import lived

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
SOLD = (8, 16, 32, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048)
"""Sizes of memory (GB) that servers, and guests in clouds, are sold with."""
LARGE = 512
LEVELS = [(9, 7), (10, 1), (10, 5), (11, 1), (11, 5), (11, 5), (12, 1)]


RUNS = {False: (1.0, 1.0, 1.0, 1.0, 3.0), True: (1.0, 1.0, 3.0, 8.0)}
"""Neighbouring pages that are read together, on average; of other distributions longer ones too."""


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
        machine = _machine(draw, seed >= OTHERS)
        if lived_with(machine, Levels(machine, CLOSE).at(even(machine).hours[0]).outcome):
            day, hour = days.drawn(seed, machine)
            levels = lived(machine, day, CLOSE)
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


def _machine(draw: random.Random, other: bool) -> Machine:
    kind = draw.choice(["orders", "orders", "both", "reports"])
    processors = _processors(draw, 0.7 if other else 0.3)
    memory = _memory(draw, processors, other)
    stored = memory / between(draw, 0.1, 2)
    shared = other and draw.random() < 0.5
    page = draw.choice([4096, 8192, 16384]) if shared else 0
    ours = between(draw, 0.2, 0.8) if kind == "both" else 1.0
    parts: list[_Part] = []
    if kind != "reports":
        parts.append(_orders(draw, stored * ours, page, other))
    if kind != "orders":
        parts.append(_reports(draw, stored * (1 - ours if kind == "both" else 1), page, other))
    if shared:
        parts = [_in_one_pool(part, parts[0].pools[0]) for part in parts]
    log, data = _log(draw), _data(draw)
    host = Host(processors, memory)
    if other and processors.virtual:
        host, data = _paid(draw, host, data)
    machine = Machine(
        host,
        (data, log) if log else (data,),
        tuple(dict.fromkeys(pool for part in parts for pool in part.pools)),
        tuple(space for part in parts for space in part.spaces),
        tuple(store for part in parts for store in part.stores),
        tuple(work for part in parts for work in part.work),
        (log or data).name,
        temporary="" if kind == "orders" else "TEMPSPACE",
        level=draw.choice(LEVELS),
        tables=draw.choice([50, 100, 400]),
        partitioning=_partitioning(draw) if kind == "reports" else Partitioning(),
    )
    return configuring.configured(draw, machine)


def _memory(draw: random.Random, processors: Processors, other: bool) -> float:
    """Return bytes of a size that is sold, from 2 to 8 GB a processor; at least 512 GB with other distributions."""
    wanted = processors.logical * draw.choice([2, 4, 8])
    sizes = [each for each in SOLD if (each >= LARGE) == other]
    return min(sizes, key=lambda size: abs(size - wanted)) * GIB if not other else draw.choice(sizes) * GIB


def _paid(draw: random.Random, host: Host, data: Device) -> tuple[Host, Device]:
    """Return a guest that pays for each I/O: exits and copies (Gordon et al., ELI, ASPLOS 2012), and a longer path."""
    cost = replace(host, io_cpu=host.io_cpu * between(draw, 1.5, 4))
    return cost, replace(data, overhead=data.overhead + between(draw, 0.00005, 0.0003))


def _in_one_pool(part: _Part, pool: Pool) -> _Part:
    """Return the part with all its table spaces in that pool."""
    return replace(part, pools=(pool,), spaces=tuple(replace(each, pool=pool.name) for each in part.spaces))


@dataclass(frozen=True)
class _Part:
    """Objects and work of one application, with pools of one page size (bytes)."""

    page: int
    pools: tuple[Pool, ...]
    spaces: tuple[Space, ...]
    stores: tuple[Store, ...]
    work: tuple[Work, ...]


def _processors(draw: random.Random, guests: float) -> Processors:
    """From two cores to four sockets, the part `guests` of them shared by guests."""
    cores = draw.choice([2, 4, 8, 16, 32, 64])
    own = Processors(cores, nodes=max(1, cores // 16), threads=draw.choice([1, 2]))
    if draw.random() >= guests:
        return own
    several = draw.choice([1, 2, 4, 8])
    virtual = max(1, round(cores * draw.choice([0.25, 0.5, 1.0])))
    return replace(own, virtual=virtual, guests=several, overhead=draw.choice([0.03, 0.1]))


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


def _store(draw: random.Random, other: bool, each: Store) -> Store:
    """Return a table or index as it is, or with a hot set: most references go to few pages."""
    hot, drawn = between(draw, 0.01, 0.2), draw.uniform(0.6, 0.95)
    return replace(each, hot=hot, drawn=drawn) if other else each


def _orders(draw: random.Random, stored: float, page: int, other: bool) -> _Part:
    """Short transactions on a few tables and indexes, and often a few clients that change much."""
    page, large = page or draw.choice([4096, 4096, 8192]), stored / (2_290_000 * 4096)
    pools = (Pool("BP", 1000, page),) + ((Pool("BPI", 1000, page),) if draw.random() < 0.4 else ())
    spaces = (_space(draw, "TABLES", "BP"), _space(draw, "INDEXES", pools[-1].name))

    def store(name: str, space: str, pages: float, low: float, high: float, row: int = 200) -> Store:
        of = Store(name, space, round(pages * large * 4096 / page), draw.uniform(low, high), space == "INDEXES", row)
        return _store(draw, other, of)

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
            Access("ORDERS", random=10 * heavy, updates=3 * writes, run=draw.choice(RUNS[other])),
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


def _reports(draw: random.Random, stored: float, page: int, other: bool) -> _Part:
    """Scans of parts of a large table, with sorts and joins of all sizes."""
    page = page or draw.choice([16384, 16384, 32768])
    pools = (Pool("BPF", 1000, page),) + ((Pool("BPT", 1000, page),) if draw.random() < 0.6 else ())
    fact = Store("FACT", "FACTS", round(stored / 1.05 / page), 0.0)
    customer = _store(draw, other, Store("DIMENSION", "FACTS", round(fact.pages / 20), draw.uniform(0.3, 0.8)))
    spaces = (_space(draw, "FACTS", "BPF"), _space(draw, "TEMPSPACE", pools[-1].name))
    read = min(fact.pages * between(draw, 0.005, 1.0), between(draw, 3e8, 3e10) / page)
    rows = between(draw, 1e4, 3e6)
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
