"""How often a page is found in a cache that drops the page not used for longest.

Che, Tung, Wang, *Hierarchical Web Caching Systems* (2002): a page referred to at rate r stays while the time since
its last reference is below T, the same for all pages; the T of a cache of C pages solves sum(1 - exp(-r T)) = C.
Fricker, Robert, Roberts (2012) show why that is good; Martina, Garetto, Leonardi (2014) for a cache below a cache.
Popularity is Zipf's: the page of rank k is referred to in proportion to k**-skew. Or a hot set: a part of the pages
gets most references (Leutenegger and Dias, *A Modeling Study of the TPC-C Benchmark*, 1993: 84 % go to 20 %).

A scan refers to pages in order, so a list that drops the page not used for longest finds none of them again unless it
holds all that came since: all of a table, or of a part that is scanned again. `test_cache.py` keeps such lists. Rates
per second, times in seconds.
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
HALVINGS = 32


@dataclass(frozen=True)
class Popularity:
    """Pages in groups of about equal popularity: how many in each, and each group's share of the references."""

    count: Floats
    share: Floats


@dataclass(frozen=True)
class Scans:
    """Scans of each group's store: how many a second, the part of the store that each reads, how many at a time."""

    each: Floats
    part: Floats
    streams: Floats

    @property
    def rate(self) -> Floats:
        """References a second to one page."""
        return self.each * self.part

    def held(self, time: float | Floats) -> Floats:
        """Return the share of the pages that a scan has passed in the last `time` seconds."""
        return 1 - (1 - self._passed(self._own(time))) ** self.streams

    def found(self, time: float | Floats) -> Floats:
        """Return the share of a scan's pages that were passed in the last `time` seconds.

        A stream finds its own earlier scans as far as they reach back, and the trails of the other streams by chance.
        """
        own = self._own(time)
        return 1 - (1 - self._again(own)) * (1 - self._passed(own)) ** (self.streams - 1)

    def _own(self, time: float | Floats) -> Floats:
        """Return how many scans one stream does in `time` seconds."""
        return np.asarray(np.minimum(1e9, self.each * np.minimum(time, 1e15) / self.streams), dtype=np.float64)

    def _passed(self, scans: Floats) -> Floats:
        """Return the share of the pages that this many scans of one stream pass, each beginning anywhere."""
        whole = np.floor(scans)
        return np.asarray(1 - (1 - self.part) ** whole * (1 - self.part * (scans - whole)), dtype=np.float64)

    def _again(self, scans: Floats) -> Floats:
        """Return the probability that the scan that last read a page is at most this many scans ago.

        Scan j before this one read it with p (1-p)**j; it is 1+j scans ago, more or less by where the two began.
        """
        width = np.clip((1 - self.part) / np.maximum(self.part, 1e-12), 1e-6, 1.0)
        sure = np.maximum(0.0, np.floor(scans - 1 - width) + 1)
        total = 1 - (1 - self.part) ** sure
        for later in range(3):
            at = np.clip((scans - sure - later - 1 + width) / (2 * width), 0.0, 1.0)
            soon = np.where(at < 0.5, 2 * at**2, 1 - 2 * (1 - at) ** 2)
            total = total + self.part * (1 - self.part) ** (sure + later) * soon
        return np.asarray(np.minimum(1.0, total), dtype=np.float64)


@dataclass(frozen=True)
class Contents:
    """A cache at rest: its characteristic time, and by group the share of references found and of pages held.

    `held` is also the share of random references found, `scanned` that of scans.
    """

    time: float
    hit: Floats
    held: Floats
    scanned: Floats


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


def hot_set(pages: int, hot: float, drawn: float) -> Popularity:
    """Return two groups: the part `hot` of the pages gets the part `drawn` of the references."""
    few = min(max(1, round(hot * pages)), max(1, pages - 1))
    return Popularity(np.array([float(few), float(max(1, pages - few))]), np.array([drawn, 1 - drawn]))


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


def no_scans(groups: int) -> Scans:
    """Return that nothing is scanned."""
    return Scans(np.zeros(groups), np.zeros(groups), np.ones(groups))


def contents(rate: Floats, count: Floats, capacity: float, waste: float = 0.0, scans: Scans | None = None) -> Contents:
    """What a cache holds; `rate` is references a second to one page of each group, those by `scans` included."""
    if scans is None or not scans.rate.any():
        time = characteristic_time(rate, count, capacity, waste)
        held = np.where(rate > 0, 1.0, 0.0) if math.isinf(time) else 1 - np.exp(-rate * time)
        return Contents(time, held, held, held)
    alone = np.maximum(0.0, rate - scans.rate)
    time = _time_with_scans(alone, count, capacity, waste, scans)
    if math.isinf(time):
        held = np.where(rate > 0, 1.0, 0.0)
        return Contents(time, held, held, held)
    held, scanned = _shares(alone, scans, time)
    hit = np.divide(alone * held + scans.rate * scanned, rate, out=np.zeros_like(rate), where=rate > 0)
    return Contents(time, hit, held, scanned)


def _held(alone: Floats, scans: Scans, time: float | Floats) -> Floats:
    """Return the share of the pages that were used in the last `time` seconds."""
    return np.asarray(1 - np.exp(-alone * time) * (1 - scans.held(time)), dtype=np.float64)


def _shares(alone: Floats, scans: Scans, time: float | Floats) -> tuple[Floats, Floats]:
    """Return the shares of random references and of scans that are found, for pages used in the last `time` seconds."""
    return _held(alone, scans, time), 1 - np.exp(-alone * time) * (1 - scans.found(time))


def _time_with_scans(alone: Floats, count: Floats, capacity: float, waste: float, scans: Scans) -> float:
    """Return the characteristic time by halving: what scans hold has corners."""
    used = alone + scans.rate > 0
    if capacity <= 0:
        return 0.0
    if waste <= 0 and float(count[used].sum()) <= capacity:
        return math.inf

    def held(time: float) -> float:
        return float((count * _held(alone, scans, time)).sum()) + waste * time

    low = high = capacity / (float((count * (alone + scans.rate)).sum()) + waste)
    while held(high) < capacity and high < 1e15:
        low, high = high, high * 4
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if held(middle) < capacity else (low, middle)
    return low


def below(missed: Floats, count: Floats, above: Floats, capacity: float, scans: Scans | None = None) -> Contents:
    """What a cache finds that sees only what was not found in those above, as a file system's below buffer pools.

    `missed` is how often a page of each group is not found above, `above` the characteristic time there. A page asked
    for here was last asked for longer ago than that: it is found if a request came between then and this cache's own
    time (Martina et al., equation 9). `scans` are those that came from above.
    """
    scans = scans or no_scans(len(missed))
    alone = np.maximum(0.0, missed - scans.rate)
    inside = contents(missed, count, capacity, scans=scans)
    if math.isinf(inside.time):
        return inside
    since = np.maximum(0.0, inside.time - above)
    random = _held(alone, scans, since)
    return Contents(inside.time, random, inside.held, inside.scanned)
