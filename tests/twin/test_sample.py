"""A sample of the study: the rates of docs/model-study.md, on sites whose numbers are fixed, get no worse unnoticed.

The bounds are what was measured here on 60 sites, with room for a change or two. The targets are narrower: at most 1 %
harm, 80 % within low..high.
"""

from __future__ import annotations

import pytest

from tests.twin import figures
from tests.twin.drawing import site
from tests.twin.study import Trial, advised, trials

HARM_AT_MOST, COVERED_AT_LEAST, PAIRS_AT_LEAST = 0.06, 0.65, 0.7


def tried(seeds: list[int]) -> list[Trial]:
    sites = [site(seed) for seed in seeds]
    return [each for one, advice in zip(sites, advised(sites), strict=True) for each in trials(one, advice)]


@pytest.mark.full
def test_rates_on_some_sites() -> None:
    found = tried(list(range(60)))
    assert len(found) > 12
    assert figures.mean(each.harms for each in found) <= HARM_AT_MOST
    assert figures.mean(each.covered for each in found) >= COVERED_AT_LEAST
    assert figures.ordered(found) >= PAIRS_AT_LEAST
