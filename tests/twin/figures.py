"""Figures of the study: from trials and walks to rates, curves and shares."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Protocol, TypeVar

import numpy as np

from tests.twin.drawing import OTHERS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from tests.twin.study import Trial

    Bounds = tuple[float, float]

BANDS = (0.0, 1.0, 2.0, 5.0, 10.0, 20.0, 40.0, 100.0)


class OfSite(Protocol):
    """Anything that was found on a site."""

    @property
    def seed(self) -> int:
        """The site's number."""
        ...


T = TypeVar("T", bound=OfSite)
NEAR, SICK = 2.0, 10.0  # percent of response time that the best configuration known would take away
RESAMPLES, OUTSIDE = 1000, 0.05  # of a bootstrap (Efron 1979): draws of sites, and the share outside its interval


@dataclass(frozen=True)
class Compared:
    """One site: what each way gained (percent of its response time) and how many changes or trials it took.

    `nights` is what the whole list had gained after each night.
    """

    seed: int
    best: float
    ways: dict[str, tuple[float, int]]
    promised: float
    advised: bool
    nights: tuple[float, ...] = ()

    def rival(self, *ways: str) -> float:
        """Return the best gain of all methods other than these: no method is measured against itself."""
        own = {_method(each) for each in ways}
        return max((gained for way, (gained, _) in self.ways.items() if _method(way) not in own), default=0.0)


def harmful_nights(some: list[Compared], harm: float) -> float:
    """Return the share of nights after which response time was longer by more than ``harm`` percent."""
    return mean(after < before - harm for each in some for before, after in pairwise((0.0, *each.nights)))


def reached_in_two_nights(some: list[Compared]) -> float:
    """Return the part of what all nights gained that the first two gained, of the sites that gained."""
    gains = [each.nights for each in some if each.nights and each.nights[-1] > NEAR]
    return mean(min(1.0, nights[:2][-1] / nights[-1]) for nights in gains)


def _method(way: str) -> str:
    """Return the method that a way belongs to: the name's part before a comma."""
    return way.partition(",")[0]


@dataclass
class Measured:
    """All that a run of the study found; `given` counts the recommendations of lane P, tried or not.

    `known` counts the sites by the kind of interval that is known of them, `promised` adds the benefits of `given`.
    """

    trials: list[Trial] = field(default_factory=list)
    compared: list[Compared] = field(default_factory=list)
    sites: int = 0
    given: int = 0
    known: Counter[str] = field(default_factory=Counter)
    promised: float = 0.0
    numbers: set[int] = field(default_factory=set)

    def add(self, other: Measured) -> None:
        """What another part of the run found."""
        self.trials += other.trials
        self.compared += other.compared
        self.sites += other.sites
        self.given += other.given
        self.known += other.known
        self.promised += other.promised
        self.numbers |= other.numbers

    def family(self, other: bool) -> Measured:
        """Return the usual sites' part or that of the other distributions."""
        return Measured(
            [each for each in self.trials if (each.seed >= OTHERS) == other],
            [each for each in self.compared if (each.seed >= OTHERS) == other],
            numbers={each for each in self.numbers if (each >= OTHERS) == other},
        )


@dataclass(frozen=True)
class Point:
    """A point of a curve: where, what was found there, and of how many."""

    at: float
    found: float
    count: int


def mean(values: Iterable[float]) -> float:
    """Return the mean, for booleans the share that is true; 0 without values."""
    each = list(values)
    return sum(each) / len(each) if each else 0.0


def tau(trials: list[Trial]) -> float:
    """Return Kendall's rank correlation (tau-b, 1945) of promised and actual gains, over all trials."""
    one, other = (np.array(each) for each in ([t.promised for t in trials], [t.gained for t in trials]))
    a, b = (np.sign(np.subtract.outer(each, each)) for each in (one, other))
    untied = float(np.sqrt(np.abs(a).sum() * np.abs(b).sum()))
    return float((a * b).sum()) / untied if untied else 0.0


def ordered(trials: list[Trial]) -> float:
    """Of two changes of one site that differ by more than a hundredth, how often the larger promise gained more."""
    pairs = [(a, b) for a in trials for b in trials if a.seed == b.seed and a.promised > b.promised and _differ(a, b)]
    return mean(a.gained > b.gained for a, b in pairs)


def _differ(a: Trial, b: Trial) -> bool:
    return abs(a.gained - b.gained) > 1.0


def benefit_curve(trials: list[Trial]) -> list[Point]:
    """What was gained on average by what was promised, in bands."""
    points = []
    for low, high in pairwise(BANDS):
        inside = [each for each in trials if low <= each.promised < high]
        if inside:
            points.append(
                Point(mean(e.promised for e in inside), mean(max(-100.0, e.gained) for e in inside), len(inside))
            )
    return points


def confidence_curve(trials: list[Trial]) -> list[Point]:
    """Return how often at least the low end of a promise was kept, by the promise's confidence; percent."""
    points = []
    for level in sorted({round(each.confidence, 1) for each in trials}):
        inside = [each for each in trials if round(each.confidence, 1) == level]
        points.append(Point(100 * level, 100 * mean(e.gained >= e.low - 0.5 for e in inside), len(inside)))
    return points


def in_the_interval(trials: list[Trial]) -> list[Trial]:
    """The trials, each with what it gained in the interval of its capture."""
    return [replace(each, gained=each.then) for each in trials]


def interval(found: Sequence[T], figure: Callable[[list[T]], float]) -> Bounds:
    """Return the 95 % interval of a figure: a bootstrap by site, because the changes of a site are alike.

    If all sites agree on none or all of a share, a bootstrap does not vary; then the exact binomial bound applies.
    """
    by_site: dict[int, list[T]] = {}
    for each in found:
        by_site.setdefault(each.seed, []).append(each)
    sites = list(by_site.values())
    if not sites:
        return 0.0, 0.0
    draw = random.Random(len(sites))
    drawn = sorted(
        figure([each for site in draw.choices(sites, k=len(sites)) for each in site]) for _ in range(RESAMPLES)
    )
    low, high = drawn[int(RESAMPLES * OUTSIDE / 2)], drawn[int(RESAMPLES * (1 - OUTSIDE / 2)) - 1]
    left = 1 - (OUTSIDE / 2) ** (1 / len(sites))
    if low == high == 0.0:
        return 0.0, left
    return (1 - left, 1.0) if low == high == 1.0 else (low, high)


def shares(compared: Iterable[Compared], way: str) -> list[float]:
    """Return the shares of the gap to the best rival that a way closes, on the sites with such a gap.

    A share counts from -1 to 1: more than the rivals know closes the gap and no more.
    """
    gaps = [(each.ways[way][0], each.rival(way)) for each in compared if way in each.ways]
    return [max(-1.0, min(1.0, gained / gap)) for gained, gap in gaps if gap > NEAR]


def closed(compared: list[Compared], way: str) -> tuple[float, float, float]:
    """Of sites with a gap: the mean share of it that a way closes, the share of all gaps together, and the changes."""
    open_ones = [each for each in compared if way in each.ways and each.rival(way) > NEAR]
    gained = sum(max(-100.0, each.ways[way][0]) for each in open_ones)
    together = gained / max(1e-9, sum(each.rival(way) for each in open_ones))
    return mean(shares(open_ones, way)), together, mean(each.ways[way][1] for each in open_ones)


def ahead(compared: Iterable[Compared], one: str, other: str) -> float:
    """Return by how much more of the gap one way closes than the other; the best of neither is the gap."""
    found = []
    for each in compared:
        gap = each.rival(one, other)
        if gap > NEAR and one in each.ways and other in each.ways:
            a, b = (max(-1.0, min(1.0, each.ways[way][0] / gap)) for way in (one, other))
            found.append(a - b)
    return mean(found)


def worse(compared: list[Compared], way: str) -> float:
    """The share of sites that a way leaves worse by more than a hundredth."""
    return mean(each.ways[way][0] < -1.0 for each in compared if way in each.ways)


def false_alarms(compared: list[Compared]) -> tuple[float, int]:
    """Of sites that are nearly at their best, how many are promised more than that by what can be carried out."""
    near = [each for each in compared if each.best <= NEAR]
    return mean(each.promised > NEAR for each in near), len(near)


def silent(compared: list[Compared]) -> tuple[float, float, int]:
    """Of sites that lose much: those with no advice of lane P at all, and with none that can be carried out."""
    sick = [each for each in compared if each.best > SICK]
    return mean(not each.advised for each in sick), mean(each.promised <= 0 for each in sick), len(sick)


def by_rule(trials: list[Trial]) -> dict[str, list[Trial]]:
    """The trials of each rule, those with most first."""
    found: dict[str, list[Trial]] = {}
    for each in trials:
        found.setdefault(each.rule, []).append(each)
    most: Callable[[str], tuple[int, str]] = lambda name: (-len(found[name]), name)  # noqa: E731
    return {name: found[name] for name in sorted(found, key=most)}
