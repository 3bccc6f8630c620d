"""The load of a machine over a day: the clients at work in each hour, and the machine's behaviour at each load.

A load is the share of clients at work by class of work. The model is solved once for each load, and any period is a
mixture of loads with the seconds at each. Counters over a minute or a week are then the sum over the mixture, and all
books balance as they do at each load. Clocks count seconds from midnight before the activation.

Shapes are of four kinds that occur: users of one time zone, who eat at noon; a shop, busiest from 17 to 20 and least
from 5 to 8 (so the example in IBM's US patent 7,509,336 on periodic database workloads); users around the world; work
of the night. The depth of the valleys is assumed. A load is never quite zero: some clients are always at work.
"""

from __future__ import annotations

import random
from collections import defaultdict
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

from tests.twin.model import settled
from tests.twin.outcome import outcome_of

if TYPE_CHECKING:
    from tests.twin.machine import Machine
    from tests.twin.model import Round
    from tests.twin.outcome import Outcome

Load = tuple[float, ...]
Mixture = dict[Load, float]
"""Seconds at each load."""

HOUR, DAY = 3600.0, 86400.0
LEAST = 0.05
SHAPES = {  # tenths of the clients, hour by hour; 0 is `LEAST`
    "office": "0000000258aaa8aaa8520000",
    "shop": "520000025558888888aaaa85",
    "world": "5555588888aaaa8888888855",
    "night": "aaaa50000000000000000025",
    "night and day": "aaaa50002222222222000025",
    "peaks": "00000002588aa858aa520000",
}
OF_CLASS = {
    "order": ("peaks", "peaks", "office", "shop", "world"),
    "change": ("peaks", "night", "world"),
    "report": ("office", "night", "night", "night and day", "peaks"),
}
CAPTURED_AT = ((9, 16), (9, 16), (0, 4), (0, 23))  # by day, by a job of the night, at any hour


@dataclass(frozen=True)
class Day:
    """The load of each of 24 hours, the same every day."""

    hours: tuple[Load, ...]

    def spent(self, begin: float, end: float) -> Mixture:
        """Seconds at each load between two times of the clock."""
        days = int((end - begin) // DAY)
        found: defaultdict[Load, float] = defaultdict(float)
        for load, seconds in self.whole.items() if days > 0 else ():
            found[load] = days * seconds
        at = begin + max(0, days) * DAY
        while at < end:
            until = min(end, (at // HOUR + 1) * HOUR)
            found[self.hours[int(at // HOUR) % 24]] += until - at
            at = until
        return dict(found)

    @cached_property
    def whole(self) -> Mixture:
        """Seconds at each load of a whole day."""
        found: defaultdict[Load, float] = defaultdict(float)
        for load in self.hours:
            found[load] += HOUR
        return dict(found)


def even(machine: Machine) -> Day:
    """A day on which everybody is always at work."""
    return Day((tuple(1.0 for _ in machine.work),) * 24)


def shaped(*names: str) -> Day:
    """A day of these shapes, one for each class of work."""
    tenths = [[max(LEAST, int(digit, 16) / 10) for digit in SHAPES[name]] for name in names]
    return Day(tuple(zip(*tenths, strict=True)))


def drawn(seed: int, machine: Machine) -> tuple[Day, int]:
    """The day of a site, and the hour at which it is captured; the machine of the same number does not depend on it."""
    draw = random.Random(f"day {seed}")
    day = shaped(*(draw.choice(OF_CLASS[work.name]) for work in machine.work))
    return day, draw.randint(*draw.choice(CAPTURED_AT))


@dataclass(frozen=True)
class Solved:
    """A machine at one load: with the clients that are at work, the last round, what it does."""

    machine: Machine
    found: Round
    outcome: Outcome


@dataclass
class Levels:
    """A machine at every load that is asked for; each is solved once.

    Self-tuning memory has made `own` machines of it, which are in force at these loads.
    """

    machine: Machine
    tolerance: float = 1e-6
    known: dict[Load, Solved] = field(default_factory=dict, compare=False)
    own: dict[Load, Machine] = field(default_factory=dict)

    def at(self, load: Load) -> Solved:
        """The machine at a load."""
        if load not in self.known:
            of = self.own.get(load, self.machine)
            work = tuple(replace(one, present=share) for one, share in zip(of.work, load, strict=True))
            machine = replace(of, work=work)
            last = settled(machine, self.tolerance)
            self.known[load] = Solved(machine, last[0], outcome_of(machine, *last))
        return self.known[load]


def gained(before: Levels, after: Levels, mixture: Mixture, inside: bool = False) -> float:
    """The share of response time that went away over a mixture of loads, from 0 to 1; below 0 where it grew.

    Transactions are weighed as they came before: the busy hours count as much more as more is done in them. `inside`
    leaves out the network, of which Db2 counts nothing.
    """
    old = new = 0.0
    for load, seconds in mixture.items():
        pairs = zip(before.at(load).outcome.classes, after.at(load).outcome.classes, strict=True)
        for one, other in pairs:
            old += seconds * one.throughput * (one.response - inside * one.parts["network"])
            new += seconds * one.throughput * (other.response - inside * other.parts["network"])
    return 1 - new / old


def grown(before: Levels, after: Levels, mixture: Mixture) -> dict[str, float]:
    """What response time consists of, by class and component: by how much it grew, as a share of all response time.

    They add up to what was lost: they are negative where something was gained.
    """
    old, parts = 0.0, defaultdict[str, float](float)
    for load, seconds in mixture.items():
        pairs = zip(before.at(load).outcome.classes, after.at(load).outcome.classes, strict=True)
        for one, other in pairs:
            old += seconds * one.throughput * one.response
            for name in one.parts:
                parts[f"{one.name} {name}"] += seconds * one.throughput * (other.parts[name] - one.parts[name])
    return {name: seconds / old for name, seconds in parts.items()}


def response(levels: Levels, mixture: Mixture, inside: bool = False) -> float:
    """Mean seconds of a transaction over a mixture of loads; `inside` without the network."""
    time = count = 0.0
    for load, seconds in mixture.items():
        for each in levels.at(load).outcome.classes:
            count += seconds * each.throughput
            time += seconds * each.throughput * (each.response - inside * each.parts["network"])
    return time / count


def most_of(levels: Levels, mixture: Mixture, share: float) -> Mixture:
    """The loads that bring at least that share of all response time, those that bring most."""
    outcomes = {load: levels.at(load).outcome for load in mixture}
    time = {load: mixture[load] * sum(c.throughput * c.response for c in o.classes) for load, o in outcomes.items()}
    found: Mixture = {}
    for load in sorted(mixture, key=lambda each: -time[each]):
        if sum(time[each] for each in found) < share * sum(time.values()):
            found[load] = mixture[load]
    return found
