"""Che's approximation against its closed form, against lists that are really kept, and against itself."""

from __future__ import annotations

import random
from collections import OrderedDict

import numpy as np
import pytest

from tests.twin import cache


class Kept:
    """A list by last use, of `size` pages."""

    def __init__(self, size: int) -> None:
        self.size, self.pages = size, OrderedDict[int, None]()

    def asks(self, page: int) -> bool:
        found = page in self.pages
        self.pages.pop(page, None)
        self.pages[page] = None
        if len(self.pages) > self.size:
            self.pages.popitem(last=False)
        return found


def asked(pages: int, skew: float, number: int) -> list[int]:
    weights = [rank**-skew for rank in range(1, pages + 1)]
    return random.Random(5).choices(range(pages), weights, k=number)


def hit_ratio(pages: int, skew: float, size: float, waste: float = 0.0) -> float:
    z = cache.zipf(pages, skew)
    return float((cache.contents(z.share / z.count, z.count, size, waste).hit * z.share).sum())


@pytest.mark.parametrize(("pages", "size"), [(1000, 100), (50_000, 20_000), (1_000_000, 999_999)])
def test_of_pages_that_are_all_alike_the_share_held_is_found(pages: int, size: int) -> None:
    assert hit_ratio(pages, 0.0, size) == pytest.approx(size / pages, rel=1e-3)


@pytest.mark.parametrize(("skew", "size"), [(0.6, 100), (0.8, 300), (1.0, 50), (1.2, 1000)])
def test_a_list_that_is_really_kept_finds_as_much(skew: float, size: int) -> None:
    kept, stream = Kept(size), asked(2000, skew, 30_000)
    found = [kept.asks(page) for page in stream][6_000:]
    assert hit_ratio(2000, skew, size) == pytest.approx(sum(found) / len(found), abs=0.015)


def test_list_below_another_hits_like_a_real_list() -> None:
    upper, lower, stream = Kept(100), Kept(500), asked(2000, 0.8, 40_000)
    missed = [page for page in stream if not upper.asks(page)]
    found = [lower.asks(page) for page in missed][8_000:]
    z = cache.zipf(2000, 0.8)
    rate = z.share / z.count
    above = cache.contents(rate, z.count, 100)
    under = cache.below(rate * (1 - above.hit), z.count, np.full(len(rate), above.time), 500).hit
    misses = z.share * (1 - above.hit)
    assert float((misses * under).sum() / misses.sum()) == pytest.approx(sum(found) / len(found), abs=0.02)


@pytest.mark.parametrize("skew", [0.0, 0.5, 1.0, 1.3])
@pytest.mark.parametrize("pages", [1, 10, 17, 5000, 10_000_000])
def test_groups_have_all_pages_and_all_references(pages: int, skew: float) -> None:
    z = cache.zipf(pages, skew)
    assert z.count.sum() == pages
    assert z.share.sum() == pytest.approx(1)
    assert np.all(np.diff(z.share / z.count) <= 1e-15)


def test_the_share_of_the_first_pages_is_that_of_the_sum() -> None:
    z = cache.zipf(100_000, 0.9)
    total = sum(rank**-0.9 for rank in range(1, 100_001))
    assert z.share[0] == pytest.approx(1 / total, rel=0.002)


def test_more_room_finds_more_and_waste_takes_room() -> None:
    ratios = [hit_ratio(100_000, 0.8, size) for size in (100, 1000, 10_000, 99_000)]
    assert ratios == sorted(ratios)
    assert hit_ratio(100_000, 0.8, 10_000, waste=0.5) < 0.9 * hit_ratio(100_000, 0.8, 10_000)
    assert hit_ratio(100, 0.8, 100) == pytest.approx(1)
    assert hit_ratio(100, 0.8, 0) == 0.0


def scanned(table: int, part: int, size: int, streams: int) -> float:
    """Return the share found by `streams` scans of `part` pages from anywhere in a list that is really kept."""
    return sum(_scanned(table, part, size, streams, seed) for seed in range(8)) / 8


def _scanned(table: int, part: int, size: int, streams: int, seed: int) -> float:
    draw, kept, found, number = random.Random(seed), Kept(size), 0, 30 * table
    ends, places = [0] * streams, [0] * streams
    for stream in range(streams):
        places[stream] = draw.randrange(table)
        ends[stream] = table
    for reference in range(number):
        stream = draw.randrange(streams)
        if places[stream] >= ends[stream]:
            places[stream] = draw.randint(0, table - part)
            ends[stream] = places[stream] + part
        found += kept.asks(places[stream]) and reference > number / 6
        places[stream] += 1
    return found / (number * 5 / 6)


@pytest.mark.parametrize(
    ("part", "size", "streams"),
    [
        (600, 300, 1),
        (600, 590, 1),
        (600, 600, 1),
        (180, 60, 1),
        (180, 300, 1),
        (60, 200, 1),
        (180, 120, 6),
        (600, 300, 4),
    ],
)
def test_scans_find_what_a_kept_list_finds(part: int, size: int, streams: int) -> None:
    """A list that holds a half of a table has nothing of use for its scan.

    Several streams keep their distances for long, so what they find varies from one list to another.
    """
    one = np.ones(1)
    scans = cache.Scans(one, one * part / 600, one * streams)
    inside = cache.contents(scans.rate, one * 600, size, scans=scans)
    assert float(inside.scanned[0]) == pytest.approx(
        scanned(600, part, size, streams), abs=0.07 if streams == 1 else 0.14
    )


def test_hot_set_is_found_first() -> None:
    z = cache.hot_set(1000, 0.2, 0.84)
    assert z.count.sum() == 1000
    inside = cache.contents(z.share / z.count, z.count, 200)
    assert float((inside.hit * z.share).sum()) > 0.6
