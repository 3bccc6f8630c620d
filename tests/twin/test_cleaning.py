"""Cleaners against pages that are really changed and dropped."""

from __future__ import annotations

import math
import random
from collections import OrderedDict
from typing import TYPE_CHECKING

import pytest

from tests.twin import cache, flows, samples
from tests.twin.change import Setting, apply
from tests.twin.cleaning import Cleaning, age_limit, automatic_cleaners, cleaning
from tests.twin.model import solve

if TYPE_CHECKING:
    import numpy as np


def modelled(
    threshold: float,
    oldest: float = math.inf,
    proactive: bool = False,
    size: int = 300,
    fastest: float = math.inf,
    cleaners: int = 0,
) -> Cleaning:
    z = cache.zipf(1000, 0.7)
    rate = z.share / z.count * 1000
    inside = cache.contents(rate, z.count, size)
    return cleaning(rate, rate * 0.3, z.count, inside, size, threshold, oldest, proactive, fastest, cleaners)


def total(each: np.ndarray[tuple[int], np.dtype[np.float64]]) -> float:
    return float((each * cache.zipf(1000, 0.7).count).sum())


def simulated(threshold: float, size: int = 300, asked: int = 40_000) -> tuple[float, float]:
    """Writes a reference by cleaners and by victims, of 0.3 changes a reference, with cleaners that write in no time."""
    draw, pages = random.Random(8), OrderedDict[int, bool]()
    weights = [rank**-0.7 for rank in range(1, 1001)]
    cleaned = stolen = dirty = 0
    for number, page in enumerate(draw.choices(range(1000), weights, k=asked)):
        was = pages.pop(page, False)
        now = was or draw.random() < 0.3
        dirty += now - was
        pages[page] = now
        if len(pages) > size:
            victim = pages.popitem(last=False)[1]
            dirty -= victim
            stolen += victim and number >= asked / 4
        if dirty >= threshold * size:
            cleaned += dirty * (number >= asked / 4)
            dirty, pages = 0, OrderedDict.fromkeys(pages, False)
    return cleaned / asked / 0.75, stolen / asked / 0.75


@pytest.mark.parametrize("threshold", [0.1, 0.2, 0.3, 0.9])
def test_all_writes_are_those_of_a_pool_that_is_really_kept(threshold: float) -> None:
    found = modelled(threshold)
    cleaned, stolen = simulated(threshold)
    assert total(found.cleaned + found.stolen) / 1000 == pytest.approx(cleaned + stolen, rel=0.05)


def test_higher_threshold_writes_less_and_steals_more() -> None:
    low, high, never = modelled(0.05), modelled(0.4), modelled(0.99)
    assert total(low.cleaned + low.stolen) > total(high.cleaned + high.stolen)
    assert total(low.stolen) < total(high.stolen) < total(never.stolen)
    assert low.changed < high.changed
    assert never.by_threshold == 0 < never.by_steal


def test_age_starts_the_cleaners_before_the_threshold() -> None:
    young = modelled(0.9, oldest=0.05)
    assert young.by_age == pytest.approx(20)
    assert young.by_threshold == 0
    assert total(young.cleaned) > total(modelled(0.9, oldest=0.5).cleaned)


def test_alternate_method_has_no_dirty_victims_or_threshold() -> None:
    found = modelled(0.05, proactive=True)
    assert total(found.stolen) == 0 == found.by_threshold
    assert total(found.cleaned) > 0
    assert total(found.cleaned) == total(modelled(0.9, proactive=True).cleaned)


def test_the_alternate_method_writes_no_more_than_the_other_one() -> None:
    """Pages in constant use are not victims: they are written when old, as without the method (IBM, c0011381)."""
    for oldest in (math.inf, 2.0, 0.2):
        often, seldom = (modelled(threshold, oldest=oldest) for threshold in (0.05, 0.99))
        found = modelled(0.05, oldest=oldest, proactive=True)
        assert total(found.cleaned) == pytest.approx(total(seldom.cleaned) + total(seldom.stolen))
        assert total(found.cleaned) <= total(often.cleaned) + total(often.stolen) + 1e-9


def test_no_changes_no_writes() -> None:
    z = cache.zipf(1000, 0.7)
    inside = cache.contents(z.share / z.count, z.count, 50)
    found = cleaning(z.share, z.share * 0, z.count, inside, 50, 0.6, math.inf)
    assert total(found.cleaned) == total(found.stolen) == found.batch == 0


def test_automatic_and_ages() -> None:
    assert automatic_cleaners(8) == 7
    assert automatic_cleaners(1) == 1
    assert automatic_cleaners(32, 32) == 1
    assert age_limit((9, 7), 100, 4e6, 1e6, 240) == pytest.approx(4)
    assert age_limit((11, 5), 0, 4e6, 1e6, 240) == 240
    assert age_limit((9, 7), 0, 4e6, 1e6, 240) == math.inf


def test_dirty_victim_starts_cleaners_that_write_more() -> None:
    """IBM, r0001252, pool_drty_pg_steal_clns: a cleaner is invoked because a synchronous write was needed."""
    alone, helped, slow = (
        modelled(0.99, cleaners=crew, fastest=fastest) for crew, fastest in ((0, math.inf), (4, math.inf), (4, 40.0))
    )
    assert total(helped.stolen) == pytest.approx(total(alone.stolen) / 5)
    assert total(helped.cleaned + helped.stolen) == pytest.approx(total(alone.cleaned + alone.stolen))
    assert total(slow.cleaned) == pytest.approx(40)


def test_one_cleaner_has_several_writes_under_way() -> None:
    """With one write at a time, one cleaner disturbed reads least and was the best number of cleaners."""
    one = apply(samples.orders(20), Setting("dbcfg", "NUM_IOCLEANERS", "1"))
    assert flows.crews(one)[flows.CLEANERS] == flows.UNDER_WAY
    two = apply(one, Setting("dbcfg", "NUM_IOCLEANERS", "2"))
    assert solve(two).throughput > solve(one).throughput
