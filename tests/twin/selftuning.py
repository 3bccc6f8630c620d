"""Self-tuning memory at rest: what is AUTOMATIC has so much that more would bring no consumer more than another one.

Storm, Garcia-Arellano, Lightstone, Diao, Surendra, *Adaptive Self-tuning Memory in DB2* (VLDB 2006): memory goes to the
consumer that saves the most time with it, time being estimated at the rates of work as they are; IBM, "Self-tuning
memory", "database_memory": AUTOMATIC takes what memory the system has left. Bytes and seconds a second.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from tests.twin import buffers, cache, demand, disks, memory, settings
from tests.twin.locks import LOCK_BYTES
from tests.twin.machine import AUTOMATIC, Machine, Pool, device, space
from tests.twin.model import SYSTEM, settled

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.twin.model import Round
    from tests.twin.queueing import Floats

ROUNDS, PARTS = 2, 48
TAKEN = 0.8  # of real memory, by the database
LEAST_POOL, LEAST_HEAP, LEAST_CACHE = 1000, 256, 320
SHARED = 20  # SHEAPTHRES_SHR over SORTHEAP


@dataclass
class Consumer:
    """A memory consumer of `size` bytes; `cost` returns the seconds a second that another size costs."""

    name: str
    size: float
    cost: Callable[[float], float]


def tuned(machine: Machine) -> Machine:
    """The machine with what self-tuning makes of it; as it is where that is off."""
    if not settings.on(machine, "SELF_TUNING_MEM"):
        return machine
    for _ in range(ROUNDS):
        machine = _shared_out(machine, settled(machine, 1e-4)[0])
    return machine


def _shared_out(machine: Machine, found: Round) -> Machine:
    """Everything AUTOMATIC begins small; each part of the memory goes where it saves most."""
    rate = np.array([float(each) for each in found.solution.throughput])
    consumers = [_pool(machine, found, rate, each) for each in machine.pools if _tunable(machine, each)]
    if _automatic(machine, "SORTHEAP"):
        consumers.append(_sorts(machine, found, rate))
    if _automatic(machine, "PCKCACHESZ"):
        consumers.append(_packages(machine, rate))
    smallest = _with(machine, found, {each.name: each.size for each in consumers})
    taken = demand.memory_used(smallest, _at_once(found))
    left = max(0.0, TAKEN * machine.host.memory * (1 - SYSTEM) - taken)
    part = left / PARTS
    while left > part / 2 and consumers:
        saved, count, best = max(((*_best(each, part, left), each) for each in consumers), key=lambda pair: pair[0])
        if saved <= 0:
            break
        best.size += count * part
        left -= count * part
    return _with(machine, found, {each.name: each.size for each in consumers})


def _best(consumer: Consumer, part: float, left: float) -> tuple[float, int]:
    """What a consumer saves by each part, with as many at once as save most: what fits in whole saves at once."""
    before, most = consumer.cost(consumer.size), max(1, int(left / part + 0.5))
    counts = [count for count in (1, 2, 4, 8, 16) if count <= most]
    return max(((before - consumer.cost(consumer.size + count * part)) / count, count) for count in counts)


def _tunable(machine: Machine, pool: Pool) -> bool:
    """Whether a pool is AUTOMATIC and has tables or indexes; one of temporary pages alone keeps its size."""
    homes = {each.name: each.pool for each in machine.spaces}
    return pool.automatic and any(homes[store.space] == pool.name for store in machine.stores)


def _automatic(machine: Machine, name: str) -> bool:
    return settings.text(machine, name).startswith(AUTOMATIC)


def _at_once(found: Round) -> float:
    """Sorts that there is memory for: those that there are on average, and two deviations of a Poisson number more."""
    return max(1.0, found.at_once + 2 * math.sqrt(max(0.0, found.at_once)))


def _pool(machine: Machine, found: Round, rate: Floats, pool: Pool) -> Consumer:
    """Reads that miss, each for as long as a device without others takes."""
    uses = buffers.accesses(machine)
    reads: list[Floats] = []
    counts: list[Floats] = []
    costs: list[Floats] = []
    for store in machine.stores:
        home = space(machine, store.space)
        if home.pool != pool.name:
            continue
        disk, size = device(machine, home.device), float(pool.page_size)
        groups = cache.zipf(store.pages, store.skew)
        each = groups.share / groups.count
        alone = sum(rate[number] * access.random for number, access in uses[store.name]) * each
        scanned = sum(rate[number] * access.sequential for number, access in uses[store.name]) / store.pages
        reads.append(alone + scanned)
        counts.append(groups.count)
        costs.append(alone * disks.random_access(disk, size) + scanned * disks.sequential_access(disk, size))
    reading, count, seconds = np.concatenate(reads), np.concatenate(counts), np.concatenate(costs)
    waste = buffers.waste_rate(machine, pool, rate, 0.0)

    def cost(size: float) -> float:
        inside = cache.contents(reading, count, size / pool.page_size, waste)
        return float((count * seconds * (1 - inside.hit)).sum())

    return Consumer(pool.name, float(min(pool.pages, LEAST_POOL) * pool.page_size), cost)


def _sorts(machine: Machine, found: Round, rate: Floats) -> Consumer:
    """Return the sorts: spilled bytes cost the temporary device's transfer time; memory is for all concurrent sorts."""
    many = _at_once(found)
    disk = device(machine, space(machine, machine.temporary).device) if machine.temporary else machine.devices[0]

    def cost(size: float) -> float:
        spilled = 0.0
        for number, work in enumerate(machine.work):
            each = [s.count * memory.sort(s.size, size / many).written for s in work.sorts]
            each += [j.count * memory.hash_join(j.size, j.probe, size / many).written for j in work.joins]
            spilled += float(rate[number]) * sum(each)
        return 2 * spilled / disk.transfer

    return Consumer("SORTHEAP", LEAST_HEAP * settings.PAGE * many, cost)


def _packages(machine: Machine, rate: Floats) -> Consumer:
    """Statements that have to be compiled again."""

    def cost(size: float) -> float:
        pages = str(max(1, int(size / settings.PAGE)))
        hits = demand.package_hits(replace(machine, dbcfg=machine.dbcfg | {"PCKCACHESZ": pages}), rate)
        each = zip(machine.work, hits, rate, strict=True)
        return sum(float(r) * work.dynamic * (1 - hit) * work.compile_cpu for work, hit, r in each)

    return Consumer("PCKCACHESZ", LEAST_CACHE * settings.PAGE, cost)


def _with(machine: Machine, found: Round, sizes: dict[str, float]) -> Machine:
    """The machine with those sizes, and a lock list in which everybody's locks have room twice."""
    values = {}
    if "SORTHEAP" in sizes:
        heap = max(LEAST_HEAP, int(sizes["SORTHEAP"] / _at_once(found) / settings.PAGE))
        values["SORTHEAP"] = f"{AUTOMATIC}({heap})"
        if _automatic(machine, "SHEAPTHRES_SHR"):
            values["SHEAPTHRES_SHR"] = f"{AUTOMATIC}({SHARED * heap})"
    if "PCKCACHESZ" in sizes:
        values["PCKCACHESZ"] = f"{AUTOMATIC}({int(sizes['PCKCACHESZ'] / settings.PAGE)})"
    if _automatic(machine, "LOCKLIST"):
        held = sum(max(work.clients / 2, 2) * work.locks for work in machine.work)
        values["LOCKLIST"] = (
            f"{AUTOMATIC}({max(int(settings.number(machine, 'LOCKLIST')), int(2 * held * LOCK_BYTES / settings.PAGE))})"
        )
    pools = tuple(
        replace(each, pages=int(sizes[each.name] / each.page_size)) if each.name in sizes else each
        for each in machine.pools
    )
    return replace(machine, pools=pools, dbcfg=machine.dbcfg | values)
