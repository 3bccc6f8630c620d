"""Processors: what makes the same instructions take longer or shorter.

Sources: Hennessy and Patterson, *Computer Architecture*, ch. 2 and app. B (cycles an instruction, stalls of memory and
of address translation); IBM, POWER5 system microarchitecture (IBM J. R&D 49, 2005: a TLB of 2048 entries, a third
level cache of 36 MB); Molka et al., *Memory Performance and Cache Coherency Effects on an Intel Nehalem* (PACT 2009:
65 ns local, 105 ns remote); Gunther, *Guerrilla Capacity Planning* (2007), universal scalability. Times in seconds.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tests.twin.cache import contents, zipf

if TYPE_CHECKING:
    from tests.twin.queueing import Floats

TABLE_ENTRY = 16.0
KIB, MIB, GIB = 1024.0, 1024.0**2, 1024.0**3
LARGE_PAGES = {"NO": 4 * KIB, "64K": 64 * KIB, "2M": 2 * MIB, "16M": 16 * MIB, "16GB": 16 * GIB}


@dataclass(frozen=True)
class Translation:
    """Hardware that translates addresses: entries, bytes of cache for the page table, cost of a walk (seconds)."""

    entries: int = 1536
    table_cache: float = 4 * MIB
    walk_cached: float = 1.0e-8
    walk_memory: float = 9.0e-8


@dataclass(frozen=True)
class Processors:
    """`cores` in `nodes`, threads a core and what the second one adds, the share of the time stalled on memory.

    `remote` is a remote access in local ones, `virtual` processors a guest has (0: none), `guests` like ones share
    the host, `overhead` what virtualization adds to the work.
    `contention` and `coherency` are of Gunther's law, of the database's latches.
    """

    cores: int
    nodes: int = 1
    threads: int = 1
    second_thread: float = 0.25
    stalled: float = 0.3
    remote: float = 1.6
    virtual: int = 0
    guests: int = 1
    overhead: float = 0.0
    contention: float = 0.0
    coherency: float = 0.0
    translation: Translation = Translation()

    @property
    def logical(self) -> int:
        """Processors that the operating system sees."""
        return self.virtual or self.cores * self.threads


def capacity(p: Processors) -> float:
    """How many processors' work of one thread a core can be done: a second thread adds a part only."""
    physical = p.cores * (1 + p.second_thread * (p.threads > 1))
    if not p.virtual:
        return physical
    share = physical / p.guests
    return min(float(p.virtual), share)


def remote_share(p: Processors, bound: bool) -> float:
    """Return the share of memory accesses that go to another node: 0 if processes stay with their memory.

    A guest fits into one node if it has no more processors than the node has cores; otherwise its memory is spread over
    all of them in turn.
    """
    if p.nodes <= 1:
        return 0.0
    if p.virtual:
        return 0.0 if p.virtual <= p.cores // p.nodes else 1 - 1 / p.nodes
    return 0.0 if bound else 1 - 1 / p.nodes


def numa_factor(p: Processors, bound: bool) -> float:
    """How much longer the work takes than with local memory only."""
    return 1 + p.stalled * remote_share(p, bound) * (p.remote - 1)


def scalability(p: Processors, busy: float) -> float:
    """Gunther's law: return the work that a processor does while `busy` others work, as a factor of time."""
    others = max(0.0, busy - 1)
    return 1 + p.contention * others + p.coherency * busy * others


def walks(t: Translation, memory: float, page: float, skew: float, database_page: float = 4 * KIB) -> float:
    """Seconds of address translation a reference to a page of a pool of `memory` bytes that the system cut in `page`.

    Pages of the database lie scattered in memory: a larger page of the system holds `page / database_page` of them,
    of any popularity. Of n groups of g random pages the popularity is that of the hottest of each, and a common rest.
    """
    database = max(1, int(memory / database_page))
    z = zipf(database, skew)
    group = max(1.0, page / database_page)
    frames = max(1.0, database / group)
    each = z.share / z.count
    if group > 1:
        top = z.count.cumsum() <= frames
        rest = float(z.share[~top].sum())
        alone = each[top] + rest / frames
        count, rate = z.count[top], alone
        if count.sum() < frames:
            missing = frames - count.sum()
            count = _append(count, missing)
            rate = _append(rate, max(0.0, 1 - float((alone * z.count[top]).sum())) / missing)
    else:
        count, rate = z.count, each
    in_tlb = contents(rate, count, t.entries)
    in_cache = contents(rate, count, t.table_cache / TABLE_ENTRY)
    weight = rate * count / float((rate * count).sum())
    cost = t.walk_cached * in_cache.hit + t.walk_memory * (1 - in_cache.hit)
    return float((weight * (1 - in_tlb.hit) * cost).sum())


def _append(values: Floats, last: float) -> Floats:
    return np.append(values, last)
