"""Self-tuning memory: what is AUTOMATIC moves, every three minutes, towards what would save most at the present load.

Storm, Garcia-Arellano, Lightstone, Diao, Surendra, *Adaptive Self-tuning Memory in DB2* (VLDB 2006): memory goes to the
consumer that saves the most time with it, time being estimated at the rates of work as they are, in steps that are
bounded; IBM, "Self-tuning memory", "database_memory", "instance_memory": AUTOMATIC takes what memory the system has
left. Assumed are the interval (that of the paper and the manuals varies from 30 seconds to 10 minutes) and the bounds
of a step. Bytes and seconds a second.
"""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from tests.twin import buffers, cache, demand, devices, memory, settings
from tests.twin.days import Levels
from tests.twin.locks import LOCK_BYTES
from tests.twin.machine import AUTOMATIC, Machine, Pool, device, space
from tests.twin.model import settled

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.twin.days import Day, Load
    from tests.twin.model import Round
    from tests.twin.queueing import Floats

    Sizes = dict[str, float]

ROUNDS, PARTS = 2, 32
ROUGH = 1e-3
INTERVALS = 20  # an hour
SHRINKS, GROWS = 0.8, 1.5  # of a consumer's size, an interval
DAYS = 2  # until a day ends as it began
LEAST_POOL, LEAST_HEAP, LEAST_CACHE, LEAST_FIXED = 1000, 256, 320, 250
SHARED = 20  # SHEAPTHRES_SHR over SORTHEAP


@dataclass
class Consumer:
    """A memory consumer of `size` bytes; `cost` returns the seconds a second that another size costs."""

    name: str
    size: float
    cost: Callable[[float], float]
    known: dict[float, float] = field(default_factory=dict)

    def at(self, size: float) -> float:
        """Return the cost of a size, which is computed once."""
        if size not in self.known:
            self.known[size] = self.cost(size)
        return self.known[size]


def tuned(machine: Machine) -> Machine:
    """Return the machine with what self-tuning makes of it while everybody is at work, and without what has no room."""
    if settings.on(machine, "SELF_TUNING_MEM"):
        for _ in range(ROUNDS):
            found = settled(machine, ROUGH)[0]
            machine = _with(machine, found, _wanted(machine, found)[0])
    return fitted(machine)


def lived(machine: Machine, day: Day, tolerance: float) -> Levels:
    """Return the machine at the loads of a day, with the sizes that self-tuning has at each.

    It follows the load that was: an hour begins with what the hours before left. The sizes of a load are the means over
    the intervals with that load; those of the machine itself are of the last hour.
    """
    machine = tuned(machine)
    if not settings.on(machine, "SELF_TUNING_MEM") or len(set(day.hours)) == 1:
        return Levels(machine, tolerance)
    plain, targets = Levels(machine, ROUGH), {}
    for load in day.whole:
        found = plain.at(load).found
        targets[load] = _wanted(plain.at(load).machine, found)
    state = dict(targets[day.hours[0]][0])
    seen: defaultdict[Load, list[Sizes]] = defaultdict(list)
    for hour in DAYS * list(range(len(day.hours))):
        load = day.hours[hour]
        for _ in range(INTERVALS):
            seen[load].append(state)
            state = moved(state, *targets[load])
    own = {load: fitted(_with(machine, plain.at(load).found, _mean(sizes))) for load, sizes in seen.items()}
    return Levels(own[day.hours[-1]], tolerance, own=own)


def moved(sizes: Sizes, target: Sizes, most: float) -> Sizes:
    """Return the sizes an interval later: what is too large shrinks, and the rest grows as far as there is room."""
    fewer = {name: max(target[name], size * SHRINKS) if size > target[name] else size for name, size in sizes.items()}
    wanted = {name: min(target[name], size * GROWS) - size for name, size in fewer.items() if size < target[name]}
    room = max(0.0, most - sum(fewer.values()))
    share = min(1.0, room / sum(wanted.values())) if wanted else 0.0
    return {name: size + share * wanted.get(name, 0.0) for name, size in fewer.items()}


def _mean(every: list[Sizes]) -> Sizes:
    """Return the mean sizes in the second half, on the day that began as it ends."""
    half = every[len(every) // 2 :]
    return {name: sum(each[name] for each in half) / len(half) for name in half[0]}


def fitted(machine: Machine) -> Machine:
    """Return the machine with pools cut so far that all fits into INSTANCE_MEMORY and DATABASE_MEMORY.

    All methods pass through here, so none has more memory than another.
    """
    used = demand.memory_used(machine, 1.0)
    private = demand.private_memory(machine)
    most = min(
        settings.instance_memory(machine), settings.real_memory(machine), settings.database_memory(machine) + private
    )
    over = used - most
    if over <= 0:
        return machine
    pages = demand.pages_in_use(machine)
    whole = sum(pages[each.name] * each.page_size for each in machine.pools)
    share = max(0.0, 1 - over / whole)
    return replace(
        machine,
        pools=tuple(replace(each, pages=max(LEAST_FIXED, int(share * pages[each.name]))) for each in machine.pools),
    )


def _wanted(machine: Machine, found: Round) -> tuple[Sizes, float]:
    """Return the sizes that save most and all memory for them: each begins small, each part goes where it saves most."""
    rate = np.array([float(each) for each in found.solution.throughput])
    consumers = [_pool(machine, found, rate, each) for each in machine.pools if each.automatic and _used(machine, each)]
    if _automatic(machine, "SORTHEAP"):
        consumers.append(_sorts(machine, found, rate))
    if _automatic(machine, "PCKCACHESZ"):
        consumers.append(_packages(machine, rate))
    smallest = _with(machine, found, {each.name: each.size for each in consumers})
    left = _left(smallest, found)
    most = left + sum(each.size for each in consumers)
    part = math.floor(left / PARTS)
    while left > part / 2 and consumers:
        saved, count, best = max(((*_best(each, part, left), each) for each in consumers), key=lambda pair: pair[0])
        if saved <= 0:
            break
        best.size = round(best.size + count * part)
        left -= count * part
    return {each.name: each.size for each in consumers}, most


def _left(machine: Machine, found: Round) -> float:
    """Return the bytes that INSTANCE_MEMORY, DATABASE_MEMORY and the host leave."""
    taken = demand.memory_used(machine, _at_once(found))
    private = demand.private_memory(machine)
    instance = min(settings.instance_memory(machine), settings.real_memory(machine)) - taken
    return max(0.0, min(instance, settings.database_memory(machine) - (taken - private)))


def _best(consumer: Consumer, part: float, left: float) -> tuple[float, int]:
    """What a consumer saves by each part, with as many at once as save most: what fits in whole saves at once."""
    before, most = consumer.at(consumer.size), max(1, int(left / part + 0.5))
    counts = [count for count in (1, 2, 4, 8, 16) if count <= most]
    return max(((before - consumer.at(round(consumer.size + count * part))) / count, count) for count in counts)


def _used(machine: Machine, pool: Pool) -> bool:
    """Whether a pool has table spaces."""
    return any(each.pool == pool.name for each in machine.spaces)


def _automatic(machine: Machine, name: str) -> bool:
    return settings.text(machine, name).startswith(AUTOMATIC)


def _at_once(found: Round) -> float:
    """Sorts that there is memory for: those that there are on average, and two deviations of a Poisson number more."""
    return max(1.0, found.at_once + 2 * math.sqrt(max(0.0, found.at_once)))


def _pool(machine: Machine, found: Round, rate: Floats, pool: Pool) -> Consumer:
    """Reads that miss, each for as long as a device without others takes, and spilled pages that do not stay."""
    of = buffers.asked(machine, pool, rate, found.solution.response)
    single, ahead = np.zeros(len(of.count)), np.zeros(len(of.count))
    for store in machine.stores:
        if store.name in of.slices:
            disk, size = device(machine, space(machine, store.space).device), float(pool.page_size)
            single[of.slices[store.name]] = devices.random_access(disk, size)
            ahead[of.slices[store.name]] = devices.sequential_access(disk, size)
    spills = _spills(machine, found, rate) if demand.temporary_pool(machine) == pool.name else []
    temporary = sum(written for _, written, _ in spills) / pool.page_size
    waste = buffers.waste_rate(machine, pool, rate, temporary)

    def cost(size: float) -> float:
        inside = cache.contents(of.rate, of.count, size / pool.page_size, waste, of.scans)
        random = of.alone * single * (1 - inside.held)
        seconds = float((of.count * (random + of.scans.rate * ahead * (1 - inside.scanned))).sum())
        for response, written, each in spills:
            seconds += 2 * written * each * (1 - demand.temporary_found(machine, inside.time, response))
        return seconds

    return Consumer(pool.name, min(pool.pages, LEAST_POOL) * pool.page_size, cost)


def _spills(machine: Machine, found: Round, rate: Floats) -> list[tuple[float, float, float]]:
    """Return by class the response time, the bytes a second that spill, and the seconds of a byte."""
    transfer = device(machine, space(machine, machine.temporary).device).transfer
    response = found.solution.response
    return [
        (float(response[number]), float(rate[number]) * each.written, 1 / transfer)
        for number, each in enumerate(found.plan.working)
        if each.written > 0
    ]


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
