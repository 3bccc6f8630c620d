"""Working memory: sorts, hash joins, the caches of statements and of the catalog, and real memory itself.

Sources: Ramakrishnan and Gehrke, *Database Management Systems*, ch. 13-14 (external merge sort, hybrid hash join);
IBM, "sortheap", "sheapthres_shr", "pckcachesz", "catalogcache_sz"; Erlang's loss formula for concurrent sorts that
find the shared sort memory taken. Sizes in bytes, times in seconds.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

MERGE_BUFFER = 32 * 4096.0


@dataclass(frozen=True)
class Spill:
    """What goes out to temporary table spaces and comes back: bytes written, bytes read, passes, whether any."""

    written: float
    read: float
    passes: int
    spilled: bool


def sort(size: float, heap: float) -> Spill:
    """An external merge sort: runs of a heap's size, merged as many at once as the heap has merge buffers."""
    if size <= heap:
        return Spill(0.0, 0.0, 0, False)
    runs = math.ceil(size / heap)
    fan_in = max(2, int(heap / MERGE_BUFFER))
    passes = max(1, math.ceil(math.log(runs) / math.log(fan_in) - 1e-9))
    return Spill(size * passes, size * passes, passes, True)


def hash_join(build: float, probe: float, heap: float) -> Spill:
    """A hybrid hash join: the part of both sides for which there is no room is written and read once."""
    if build <= heap:
        return Spill(0.0, 0.0, 0, False)
    out = 1 - heap / build
    return Spill((build + probe) * out, (build + probe) * out, 1, True)


def erlang_loss(load: float, servers: int) -> float:
    """The share of arrivals that find all servers taken (Erlang 1917), by its recursion."""
    lost = 1.0
    for server in range(1, servers + 1):
        lost = load * lost / (server + load * lost)
    return lost


def granted(heap: float, shared: float, at_once: float) -> float:
    """Return the average heap of a sort: all of SORTHEAP, or the remainder if SHEAPTHRES_SHR is used up.

    A late sort gets an equal share of the memory among all sorts.
    """
    if shared <= 0 or at_once <= 0 or math.isinf(shared):
        return heap
    late = erlang_loss(at_once, max(1, int(shared / heap)))
    return (1 - late) * min(heap, shared) + late * min(heap, shared / (at_once + 1))


def sort_work(rows: float, compare: float = 2.5e-8) -> float:
    """Seconds of processor for n log2 n comparisons."""
    return rows * math.log2(max(2.0, rows)) * compare


def overcommitted(used: float, real: float) -> float:
    """The share of the memory in use that is not in real memory."""
    return max(0.0, 1 - real / used) if used > 0 else 0.0
