"""How often a page is found in a cache that drops the page not used for longest.

Che, Tung, Wang, *Hierarchical Web Caching Systems* (2002): a page referred to at rate r stays while the time since
its last reference is below T, the same for all pages; the T of a cache of C pages solves sum(1 - exp(-r T)) = C.
Fricker, Robert, Roberts (2012) show why that is good; Martina, Garetto, Leonardi (2014) for a cache below a cache.
Popularity is Zipf's: the page of rank k is referred to in proportion to k**-skew. Rates per second, times in seconds.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from tests.twin.queueing import Floats

EXACT_RANKS = 16
BINS = 48


@dataclass(frozen=True)
class Popularity:
    """Pages in groups of about equal popularity: how many in each, and each group's share of the references."""

    count: Floats
    share: Floats


@dataclass(frozen=True)
class Contents:
    """A cache at rest: its characteristic time, and by group the share of references found and of pages held."""

    time: float
    hit: Floats
    held: Floats


def _mass(low: Floats, high: Floats, skew: float) -> Floats:
    """The sum of k**-skew for low < k <= high, by the integral between half ranks (midpoint rule)."""
    a, b = low + 0.5, high + 0.5
    if abs(skew - 1.0) < 1e-9:
        return np.log(b / a)
    return np.asarray((b ** (1 - skew) - a ** (1 - skew)) / (1 - skew), dtype=np.float64)


@lru_cache(maxsize=4096)
def zipf(pages: int, skew: float) -> Popularity:
    """Pages by rank: the first by themselves, those further down in groups that grow geometrically."""
    pages = max(1, pages)
    edges = np.arange(0, min(pages, EXACT_RANKS) + 1, dtype=np.float64)
    if pages > EXACT_RANKS:
        rest = np.unique(np.round(np.geomspace(EXACT_RANKS, pages, BINS)))
        edges = np.concatenate([edges[:-1], rest])
    low, high = edges[:-1], edges[1:]
    if skew == 0.0:
        share = high - low
    else:
        share = _mass(low, high, skew)
        share[:EXACT_RANKS] = (high ** (-skew))[:EXACT_RANKS]
    return Popularity(high - low, share / share.sum())


def characteristic_time(rate: Floats, count: Floats, capacity: float, waste: float = 0.0) -> float:
    """Return the T of a cache of `capacity` pages; `waste` pages a second come in and are never referenced again."""
    used = rate > 0
    rate, count = rate[used], count[used]
    if capacity <= 0 or not len(rate):
        return 0.0 if capacity <= 0 else (math.inf if waste <= 0 else capacity / waste)
    if waste <= 0 and count.sum() <= capacity:
        return math.inf
    time = capacity / (float((rate * count).sum()) + waste)  # every reference a miss: the shortest T there can be
    for _ in range(200):
        gone = np.exp(-rate * time)
        excess = capacity - float((count * (1 - gone)).sum()) - waste * time
        if excess < 1e-9 * capacity:
            break
        time += excess / (float((count * rate * gone).sum()) + waste)  # Newton from below: the sum is concave in T
    return time


def contents(rate: Floats, count: Floats, capacity: float, waste: float = 0.0) -> Contents:
    """What a cache holds; `rate` is references a second to one page of each group."""
    time = characteristic_time(rate, count, capacity, waste)
    if math.isinf(time):
        held = np.where(rate > 0, 1.0, 0.0)
        return Contents(time, held, held)
    held = 1 - np.exp(-rate * time)
    return Contents(time, held, held)


def below(missed: Floats, count: Floats, above: Floats, capacity: float) -> Floats:
    """What a cache finds that sees only what was not found in those above, as a file system's below buffer pools.

    `missed` is how often a page of each group is not found above, `above` the characteristic time there. A page asked
    for here was last asked for longer ago than that: it is found if a request came between then and this cache's own
    time (Martina et al., equation 9).
    """
    time = characteristic_time(missed, count, capacity)
    if math.isinf(time):
        return np.where(missed > 0, 1.0, 0.0)
    return np.asarray(1 - np.exp(-missed * np.maximum(0.0, time - above)), dtype=np.float64)
