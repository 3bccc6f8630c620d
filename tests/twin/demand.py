"""What a transaction asks of processors, disks and memory, given how much is found in the pools.

Sources: those of the modules it puts together; the accounting is that of Lazowska et al., ch. 12. Work a transaction
unless said otherwise.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from tests.twin import cache, cpu, devices, memory, settings
from tests.twin.buffers import Found, guessed
from tests.twin.machine import Access, Machine, Space, Work, Working, page_size, pool, space, store

if TYPE_CHECKING:
    from tests.twin.queueing import Floats

AGENT = 1024.0 * 1024.0  # private memory of an agent (IBM, "Memory requirements"): about a megabyte
CATALOG_ENTRY = 2000.0
CATALOG_READ = 0.0005
STATEMENT_SKEW = 0.8


@dataclass(frozen=True)
class Reads:
    """Reads of one store by one class: pages asked for, read by the agent, read ahead (used, unused), requests.

    `below` is the share of the pages read that the page cache had, `ahead` the bytes that the block layer read on.
    """

    asked: float
    single: float
    used: float
    unused: float
    requests: float
    scanned: float
    scan_requests: float
    below: float
    ahead: float
    block: devices.Block

    @property
    def physical(self) -> float:
        """Pages that come into the pool."""
        return self.single + self.used + self.unused + self.scanned


def reads(machine: Machine, access: Access, found: Found) -> Reads:
    """The reads behind the references of one access."""
    home = space(machine, store(machine, access.store).space)
    size = settings.prefetch_size(machine, home)
    side = settings.per_container(machine, home)
    block = devices.prefetch_block(size, home.extent, home.containers, side, settings.servers(machine))
    guess = guessed(machine, access)
    runs = access.random / access.run
    miss, scan_miss = 1 - found.random, 1 - found.sequential
    alone = max(0.0, access.random - runs * guess.used) * miss
    scans = access.sequential * scan_miss
    ahead, saved = _read_ahead(machine, access, home, miss)
    any_missing = 1 - (1 - miss) ** max(1, size)
    some_scanned = 1 - (1 - scan_miss) ** max(1, size)
    below = found.random_below if access.random >= access.sequential else found.sequential_below
    below += (1 - below) * saved
    return Reads(
        access.random + access.sequential,
        alone + (0.0 if size else scans),
        runs * guess.used * miss,
        runs * guess.wasted * miss,
        runs * guess.requests * any_missing,
        scans if size else 0.0,
        access.sequential / size * some_scanned if size else 0.0,
        below,
        ahead + runs * guess.requests * any_missing * _window(machine, home),
        block,
    )


def _window(machine: Machine, home: Space) -> float:
    """Bytes that the block layer reads on behind a stream: none where the file system does not cache."""
    if not home.file_system_caching:
        return 0.0
    return next(each.read_ahead for each in machine.devices if each.name == home.device)


def _read_ahead(machine: Machine, access: Access, home: Space, miss: float) -> tuple[float, float]:
    """Bytes that are read on after runs of single reads, and the share of single reads that are there by that."""
    window = _window(machine, home)
    if window <= 0 or access.run <= 1 or access.random <= 0:
        return 0.0, 0.0
    pages = window / page_size(machine, home.name)
    guess = devices.guess(access.run, pages, devices.READ_AHEAD_AFTER)
    runs = access.random / access.run
    return runs * guess.requests * miss * window, min(1.0, guess.used / access.run)


@dataclass(frozen=True)
class WorkMemory:
    """Sorts and joins of a class: seconds of processor, temporary bytes written and read, how many, how many spilled."""

    cpu: float
    written: float
    read: float
    count: float
    spilled: float
    joins: float
    joins_spilled: float


def work_memory(machine: Machine, work: Work, at_once: float) -> WorkMemory:
    """What sorts and joins of one transaction need, with `at_once` of them in the whole database."""
    full = settings.size(machine, "SORTHEAP")
    heap = memory.granted(full, settings.shared_sort(machine), at_once)
    total = WorkMemory(0, 0, 0, 0, 0, 0, 0)
    for each in work.sorts:
        spill = memory.sort(each.size, heap)
        total = _add(total, each, spill, memory.sort_work(each.rows), join=False)
    for each in work.joins:
        total = _add(total, each, memory.hash_join(each.size, each.probe, heap), 0.0, join=True)
    return total


def _add(total: WorkMemory, each: Working, spill: memory.Spill, seconds: float, join: bool) -> WorkMemory:
    passes = 1 + 0.5 * spill.passes
    total = replace(
        total,
        cpu=total.cpu + each.count * seconds * passes,
        written=total.written + each.count * spill.written,
        read=total.read + each.count * spill.read,
    )
    if join:
        return replace(
            total, joins=total.joins + each.count, joins_spilled=total.joins_spilled + each.count * spill.spilled
        )
    return replace(total, count=total.count + each.count, spilled=total.spilled + each.count * spill.spilled)


def sorts_at_once(machine: Machine, rate: Floats, response: Floats) -> float:
    """How many sorts and joins there are at a time, by Little's law: each lasts for half its transaction."""
    each = [sum(one.count for one in (*work.sorts, *work.joins)) for work in machine.work]
    alive = [work.population * max(1.0, one) for work, one in zip(machine.work, each, strict=True)]
    now = [min(r * t * n / 2, a) for r, t, n, a in zip(rate, response, each, alive, strict=True)]
    return float(sum(now))


def package_hits(machine: Machine, rate: Floats) -> list[float]:
    """By class the share of dynamic statements found in the package cache, one list for all."""
    rates, counts, at, slices = [], [], 0, []
    for number, work in enumerate(machine.work):
        z = cache.zipf(work.distinct, STATEMENT_SKEW)
        rates.append(rate[number] * work.dynamic * z.share / z.count)
        counts.append(z.count * work.section)
        slices.append(slice(at, at + len(z.count)))
        at += len(z.count)
    inside = cache.contents(np.concatenate(rates), np.concatenate(counts), settings.size(machine, "PCKCACHESZ"))
    return [
        float((cache.zipf(work.distinct, STATEMENT_SKEW).share * inside.hit[where]).sum()) if work.dynamic else 1.0
        for work, where in zip(machine.work, slices, strict=True)
    ]


def compile_cpu(machine: Machine, work: Work) -> float:
    """Seconds of processor to compile a statement, with the descriptors that are not in the catalog cache."""
    room = settings.size(machine, "CATALOGCACHE_SZ") / CATALOG_ENTRY
    missed = max(0.0, 1 - room / machine.tables)
    return work.compile_cpu + work.lookups * missed * CATALOG_READ


def pages_in_use(machine: Machine) -> dict[str, int]:
    """Return the pages of each pool that something was ever read into."""
    homes = {each.name: each.pool for each in machine.spaces}
    stored = {each.name: 0 for each in machine.pools}
    for each in machine.stores:
        stored[homes[each.space]] += each.pages
    temporary = temporary_pool(machine)
    return {
        each.name: each.pages if each.name == temporary else min(each.pages, stored[each.name])
        for each in machine.pools
    }


def private_memory(machine: Machine) -> float:
    """Return the bytes of all agents."""
    return machine.partitioning.members * sum(work.clients for work in machine.work) * AGENT


def memory_used(machine: Machine, at_once: float) -> float:
    """Bytes of all heaps, pools and agents on the host."""
    members, pages = machine.partitioning.members, pages_in_use(machine)
    pools = sum(pages[each.name] * each.page_size for each in machine.pools)
    heaps = sum(
        settings.size(machine, name) for name in ("LOCKLIST", "PCKCACHESZ", "CATALOGCACHE_SZ", "LOGBUFSZ", "DBHEAP")
    )
    heap = memory.granted(settings.size(machine, "SORTHEAP"), settings.shared_sort(machine), at_once)
    return pools + members * heaps + private_memory(machine) + at_once * heap


def translation(machine: Machine) -> float:
    """Seconds of address translation a reference to a page of a buffer pool."""
    host = machine.host
    if host.lookups <= 0:
        return 0.0
    total = float(sum(each.pages * each.page_size for each in machine.pools))
    skew = sum(each.skew * each.pages for each in machine.stores) / sum(each.pages for each in machine.stores)
    return host.lookups * _walks(host.processors.translation, total, host.large_page, round(skew, 3))


_KNOWN: dict[tuple[cpu.Translation, float, float, float], float] = {}


def _walks(hardware: cpu.Translation, total: float, large_page: float, skew: float) -> float:
    key = (hardware, total, large_page, skew)
    if key not in _KNOWN:
        _KNOWN[key] = cpu.walks(*key)
    return _KNOWN[key]


def exchange(machine: Machine, work: Work) -> float:
    """Seconds of processor to ship rows between members: a hash sends (m-1)/m of them away, each to all in turn."""
    parts = machine.partitioning
    m = parts.members
    if m <= 1:
        return 0.0
    return work.shipped * (m - 1) / m * parts.byte + work.exchanges * m * (m - 1) * parts.message


def slowest(machine: Machine) -> float:
    """The slowest member's time over the mean: that of the most data, and the greatest of m that vary at random.

    The expected maximum of m normal values is near sqrt(2 ln m) deviations above the mean.
    """
    parts = machine.partitioning
    if parts.members <= 1:
        return 1.0
    return (1 + parts.skew) * (1 + parts.varies * math.sqrt(2 * math.log(parts.members)))


def temporary_page(machine: Machine) -> float:
    """Bytes of a page of the temporary table space."""
    return float(page_size(machine, machine.temporary)) if machine.temporary else 4096.0


def temporary_found(machine: Machine, characteristic: float, response: float) -> float:
    """The share of spilled pages that are still in their pool when they are read again, half a response later."""
    if math.isinf(characteristic):
        return 1.0
    return 1 - math.exp(-2 * characteristic / max(1e-9, response))


def temporary_pool(machine: Machine) -> str:
    """The pool of the temporary table space."""
    return pool(machine, space(machine, machine.temporary).pool).name if machine.temporary else ""
