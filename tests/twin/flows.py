"""From demands to a network of queues: which class visits which station how often, and who waits for it.

Stations: the processors; for each array its disks (a queue each) and its path. Crews: prefetchers, cleaners, the
controllers' write caches, the log writer. Rates per second, times in seconds.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tests.twin import devices, settings
from tests.twin.cpu import capacity, numa_factor, remote_share, scalability
from tests.twin.demand import (
    Reads,
    WorkMemory,
    compile_cpu,
    exchange,
    reads,
    slowest,
    temporary_found,
    temporary_page,
    temporary_pool,
    translation,
    work_memory,
)
from tests.twin.machine import Access, Machine, Space, Work, device, page_size, space, store
from tests.twin.queueing import Floats, Flow, Station

if TYPE_CHECKING:
    from tests.twin.buffers import Buffers
    from tests.twin.devices import Device

CPU = 0
PREFETCHERS, CLEANERS, CONTROLLER, BACKGROUND, SPILLS = range(5)
FAULT_ACCESSES = 2.0  # a page of shared memory is written out before another one is read in
CACHED_WRITES = 8.0  # requests that a controller has under way to a disk
UNDER_WAY = 4.0  # writes of a cleaner, which are asynchronous (IBM, "num_iocleaners"); how many is assumed


@dataclass(frozen=True)
class Now:
    """What the rest of the model takes for given in this round."""

    rate: Floats
    response: Floats
    busy: float
    buffers: Buffers
    package: list[float]
    at_once: float
    streams: dict[str, float]


@dataclass
class Plan:
    """The flows of a machine, and what it counted on the way: reads by class and store, working memory by class."""

    flows: list[Flow] = field(default_factory=list)
    reads: dict[tuple[int, str], Reads] = field(default_factory=dict)
    working: list[WorkMemory] = field(default_factory=list)
    overhead: dict[int, float] = field(default_factory=dict)
    cleaned: dict[int, float] = field(default_factory=dict)


def stations(machine: Machine) -> tuple[Station, ...]:
    """The processors, then disks and path of each device."""
    slow = 1 + machine.partitioning.skew if machine.partitioning.members > 1 else 1.0
    result = [Station("cpu", capacity(machine.host.processors) / slow, shared=True, fair=True)]
    for each in machine.devices:
        result.append(Station(each.name, each.disks / slow))
        result.append(Station(f"{each.name} path", 1, fair=True))
    return (*result, Station(machine.swap.name, machine.swap.disks), Station("latch"))


def crews(machine: Machine) -> tuple[float, ...]:
    """How many requests each crew may have under way."""
    cleaners, servers = settings.cleaners(machine) * UNDER_WAY, float(settings.servers(machine))
    spindles = sum(each.disks for each in machine.devices)
    owed = sum(CACHED_WRITES * each.disks for each in machine.devices if each.write_cache)
    return servers, cleaners + owed, CACHED_WRITES * spindles, servers + cleaners, cleaners


def _station(machine: Machine, name: str) -> int:
    return 1 + 2 * [each.name for each in machine.devices].index(name)


def plan(machine: Machine, now: Now) -> Plan:
    """All flows of all classes; their order does not depend on the numbers."""
    result = Plan()
    for number, work in enumerate(machine.work):
        _class(machine, now, number, work, result)
    return result


def factor(machine: Machine, now: Now) -> float:
    """How much longer instructions take: other nodes' memory, latches, virtualization."""
    p = machine.host.processors
    return numa_factor(p, machine.host.bound) * scalability(p, now.busy) * (1 + p.overhead)


def _latched(machine: Machine) -> float:
    """How much longer a latch is held when its cache line was with a processor of another node."""
    p = machine.host.processors
    return 1 + remote_share(p, machine.host.bound) * (p.remote - 1)


def pace(machine: Machine, plan: Plan, residence: Floats, rate: Floats) -> float:
    """Return the pages a second that the cleaners can write: by Little's law, their number over the time of a write."""
    busy = pages = 0.0
    for flow, seconds in zip(plan.flows, residence, strict=True):
        if flow.crew == CLEANERS:
            busy += float(rate[flow.customer] * seconds) / flow.hand
    pages = sum(float(rate[number]) * each for number, each in plan.cleaned.items())
    return crews(machine)[CLEANERS] * pages / busy if busy > 0 and pages > 0 else math.inf


def _class(machine: Machine, now: Now, number: int, work: Work, out: Plan) -> None:
    slower = factor(machine, now)
    ways = machine.partitioning.members / slowest(machine)
    physical = copied = seconds = background = faults = 0.0
    for access in work.accesses:
        found = now.buffers.found[access.store]
        read = reads(machine, access, found)
        out.reads[number, access.store] = read
        home = space(machine, store(machine, access.store).space)
        page = page_size(machine, home.name)
        seconds += access.sequential * access.page_cpu + read.asked * translation(machine)
        physical += read.single
        background += (read.requests + read.scan_requests) * max(1, read.block.reads)
        copied += read.physical * page if home.file_system_caching else 0.0
        faults += read.asked * found.faults
        _read_flows(machine, now, number, access, read, home, slower, ways, out)
        writes = _writes(machine, now, number, access)
        background += sum(writes)
        _write_flows(machine, now, number, home, page, writes, ways, out)
    working = work_memory(machine, work, now.at_once)
    out.working.append(working)
    background += _temporary_flows(machine, now, number, working, ways, out)
    host = machine.host
    seconds += work.cpu + work.serial + physical * host.io_cpu + copied / host.copy + working.cpu
    compiled = work.dynamic * (1 - now.package[number]) * compile_cpu(machine, work)
    for label, demand in (("cpu", seconds), ("compile", compiled), ("fcm", exchange(machine, work))):
        out.flows.append(Flow(number, CPU, 1.0, demand * slower, label, ways=ways))
    out.flows.append(Flow(number, 2 + 2 * len(machine.devices), 1.0, work.serial * _latched(machine), "latch"))
    out.flows.append(Flow(number, CPU, 1.0, background * host.io_cpu * slower, "cpu", crew=BACKGROUND, never=True))
    busy = devices.random_access(machine.swap, page_size(machine, machine.spaces[0].name))
    swap = 1 + 2 * len(machine.devices)
    out.flows.append(Flow(number, swap, faults * FAULT_ACCESSES, busy, "paging", ways=ways))


def _read_flows(
    machine: Machine,
    now: Now,
    number: int,
    access: Access,
    read: Reads,
    home: Space,
    slower: float,
    ways: float,
    out: Plan,
) -> None:
    """Reads of single pages by the agent, of runs that were guessed, of scans; and their bytes on the path."""
    disk, page = device(machine, home.device), float(page_size(machine, home.name))
    at, outside = _station(machine, home.device), (1 - read.below) * (1 - disk.cached)
    single = devices.random_access(disk, page)
    if access.sequential and not access.random:
        single = _streamed(disk, page, now.streams[home.device])
    out.flows.append(Flow(number, at, read.single * outside, single, "read", ways=ways))
    block = read.block
    size = block.pages * page
    spread = devices.spread(disk, size) if block.reads else 1
    side = ways * devices.together(disk, spread, max(1, block.side_by_side))
    reads_each = max(1, block.reads) * spread
    arm = disk.seek + disk.revolution / 2 + size / spread / disk.transfer
    out.flows.append(Flow(number, at, read.requests * reads_each * outside, arm, "prefetch", crew=-1, ways=side))
    stream = _streamed(disk, size / spread, now.streams[home.device])
    hidden = read.scanned * access.page_cpu * slower / ways
    visits = read.scan_requests * reads_each * outside
    out.flows.append(
        Flow(number, at, visits, stream, "prefetch", hidden + 1e-12, crew=PREFETCHERS, ways=side, hand=spread)
    )
    window = max(1.0, disk.read_ahead)
    on = window / disk.transfer
    out.flows.append(Flow(number, at, read.ahead / window, on, "prefetch", crew=CONTROLLER, ways=ways))
    waited = read.single * outside * page
    carried = (read.used + read.unused + read.scanned) * outside * page + read.ahead
    out.overhead[number] = out.overhead.get(number, 0.0) + read.single * (1 - read.below) * disk.overhead / ways
    out.flows.append(Flow(number, at + 1, 1.0, waited / disk.path, "read", ways=ways))
    out.flows.append(Flow(number, at + 1, 1.0, carried / disk.path, "prefetch", hidden=hidden + 1e-12, ways=ways))


def _streamed(disk: Device, size: float, streams: float) -> float:
    """The time of the next read of a stream; with others on the device the arm was elsewhere in between."""
    moved = max(0.0, 1 - disk.disks / streams) if streams > 1 else 0.0
    moved = max(moved, 1 - 1 / max(1.0, streams))
    return moved * devices.random_access(disk, size) + (1 - moved) * devices.sequential_access(disk, size)


def _writes(machine: Machine, now: Now, number: int, access: Access) -> tuple[float, float]:
    """Pages of a store that cleaners, and that agents, write for each transaction of a class (by its updates)."""
    total = sum(
        now.rate[other] * each.updates
        for other, work in enumerate(machine.work)
        for each in work.accesses
        if each.store == access.store
    )
    if total <= 0 or access.updates <= 0:
        return 0.0, 0.0
    state = now.buffers.pools[space(machine, store(machine, access.store).space).pool]
    where = state.slices[access.store]
    count = state.count[where]
    share = access.updates / total
    cleaned = float((count * state.cleaning.cleaned[where]).sum()) * share
    stolen = float((count * state.cleaning.stolen[where]).sum()) * share
    return cleaned, stolen


def _write_flows(
    machine: Machine, now: Now, number: int, home: Space, page: int, writes: tuple[float, float], ways: float, out: Plan
) -> None:
    """Add the cleaners' writes, in bursts of one page for each cleaner, and the agents' writes, which delay agents."""
    disk, at = device(machine, home.device), _station(machine, home.device)
    cleaned, stolen = writes
    out.cleaned[number] = out.cleaned.get(number, 0.0) + cleaned
    state = now.buffers.pools[home.pool].cleaning
    together = min(settings.cleaners(machine) * UNDER_WAY, max(1.0, state.batch), CACHED_WRITES * disk.disks)
    company = 0.0 if settings.on(machine, "DB2_USE_ALTERNATE_PAGE_CLEANING") else max(0.0, (together - 1) / disk.disks)
    busy = devices.random_access(disk, page)
    accesses, hand = disk.write_accesses, devices.write_ways(disk)
    out.flows.append(
        Flow(number, at, cleaned * accesses, busy, "clean", crew=CLEANERS, company=company, never=True, hand=hand)
    )
    waited_by = CONTROLLER if disk.write_cache else -1
    out.flows.append(Flow(number, at, stolen * accesses, busy, "clean", crew=waited_by, ways=ways * hand))
    out.flows.append(Flow(number, at + 1, 1.0, cleaned * page / disk.path, "clean", crew=CLEANERS, never=True))
    out.flows.append(Flow(number, at + 1, 1.0, stolen * page / disk.path, "clean", ways=ways))


def _temporary_flows(machine: Machine, now: Now, number: int, working: WorkMemory, ways: float, out: Plan) -> float:
    """Spilled pages that do not stay in their pool: written by cleaners, read ahead. Returns requests."""
    if not machine.temporary:
        return 0.0
    home = space(machine, machine.temporary)
    disk, at, page = device(machine, home.device), _station(machine, home.device), temporary_page(machine)
    time = now.buffers.pools[temporary_pool(machine)].contents.time
    outside = 1 - temporary_found(machine, time, now.response[number])
    size = max(page, settings.prefetch_size(machine, home) * page)
    spread = devices.spread(disk, min(size, home.extent * page))
    extent = home.extent * page
    arm = disk.seek + disk.revolution / 2 + extent / spread / disk.transfer
    written, back = working.written / extent * outside * spread, working.read / extent * outside * spread
    side = ways * devices.together(disk, spread, max(1, min(home.containers, settings.servers(machine))))
    hidden = working.cpu / ways + 1e-12
    out.flows.append(Flow(number, at, written, arm, "temporary", crew=SPILLS, ways=side, hand=spread))
    out.flows.append(Flow(number, at, back, arm, "temporary", hidden, crew=PREFETCHERS, ways=side, hand=spread))
    carried = (working.written + working.read) * outside / disk.path
    out.flows.append(Flow(number, at + 1, 1.0, carried, "temporary", ways=ways))
    return (working.written + working.read) / extent
