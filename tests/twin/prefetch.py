"""Prefetching: the pages read ahead of an agent, their blocks, the parallel reads, and the share that is not used.

Sources: IBM, Db2 documentation, "Prefetching data into the buffer pool", "Optimizing parallel I/O", "num_ioservers",
"seqdetect", "Table space extent and prefetch size": a prefetch request of PREFETCHSIZE pages is cut into reads of an
extent, one container after the other; prefetchers do them in parallel. Runs of neighbouring pages have geometric
lengths; sequential detection starts at a run's third page. Sizes in pages unless noted otherwise.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

DETECTED_AFTER = 3
READ_AHEAD_AFTER = 2


@dataclass(frozen=True)
class Block:
    """A prefetch request: reads of `pages` each, `reads` of them, `side_by_side` at once."""

    pages: float
    reads: int
    side_by_side: int


@dataclass(frozen=True)
class Guess:
    """What detection of a run leads to, a run: requests, pages of them that are used, and pages read for nothing."""

    requests: float
    used: float
    wasted: float


def block(prefetch: int, extent: int, containers: int, per_container: int, prefetchers: int) -> Block:
    """How a request of `prefetch` pages is read; `per_container` reads may be under way on one container."""
    if prefetch <= 0:
        return Block(0.0, 0, 0)
    pages = float(min(prefetch, extent))
    reads = math.ceil(prefetch / extent)
    return Block(pages, reads, max(1, min(reads, containers * per_container, prefetchers)))


def automatic_size(extent: int, containers: int, per_container: int) -> int:
    """PREFETCHSIZE AUTOMATIC: containers x disks of each x extent (IBM, "Prefetch size adjustment")."""
    return extent * containers * per_container


def automatic_servers(parallelism: int, threads: int, level: tuple[int, int]) -> int:
    """NUM_IOSERVERS AUTOMATIC (IBM, "num_ioservers" of 10.1, 10.5 and note 1991890)."""
    if level < (10, 5):
        return max(parallelism, 3)
    return max(parallelism, threads, 12 if level > (10, 5) else 16)


def guess(run: float, prefetch: float, after: int = DETECTED_AFTER) -> Guess:
    """Runs of geometric length with mean `run`; a run that lasts beyond a request's pages asks for the next one.

    With q = 1 - 1/run a run reaches page n with q**(n-1), and of a request of P pages uses q(1-q**P)/(1-q).
    """
    if prefetch <= 0 or run <= 1:
        return Guess(0.0, 0.0, 0.0)
    q = 1 - 1 / run
    started = q ** (after - 1)
    through = q**prefetch
    requests = started / (1 - through)
    used = requests * q * (1 - through) / (1 - q)
    return Guess(requests, used, max(0.0, requests * prefetch - used))
