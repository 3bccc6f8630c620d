"""Histories: a machine that is watched every night, with changes between the nights.

    from tests.twin import samples
    from tests.twin.series import series

    history = series(samples.orders(), 14, 300, hour=2, changes={8: 'ALTER BUFFERPOOL "BP" SIZE 1000000'})
    folders = history.write(tmp_path)      # night-01 ... night-14: captures of two snapshots, 300 s apart
    history.effects[8].interval            # the true share of response time saved, here 0.61
    history.nights[7].response             # true mean seconds of a transaction in the eighth interval

The machine may also be a `drawing.Site`. A change is a command, a `Setting` or several of them. It is carried out six
hours before its night's interval, which is the first with the change. If a change needs a new activation of the
database, the database is activated and counters start at 0.

`shape` names a shape of the day for each class of work (`days.SHAPES`). Without it a site has its own day, and on any
other machine all clients are always at work. The number of clients in an interval is the day's number at that hour,
times a random number around 1 (`noise` is its deviation, separate for each class of work), times the growth so far
(`growth` a night). Noise and growth vary the load independently of the changes; they apply to intervals only. The same
arguments give the same history.

Effects are exact by the model: the same transactions at the same loads with the change and without it. `interval`
covers the intervals with the change, `inside` the same without the network, which Db2 does not count, and `day` a whole
day. Shares are from 0 to 1; a negative share is a loss.
"""

from __future__ import annotations

import math
import random
from collections import defaultdict
from dataclasses import dataclass
from datetime import timedelta
from itertools import product
from typing import TYPE_CHECKING

from tests.twin import days, selftuning
from tests.twin.capturing import Moment, written
from tests.twin.change import Setting, apply, restarts, settings_of
from tests.twin.days import DAY, HOUR, Day, Levels, Load, Mixture
from tests.twin.drawing import DrawnSite
from tests.twin.monitored import ACTIVATED

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from tests.twin.machine import Machine

OPENED = 8 * HOUR  # of the clock, when the database was activated
FIRST = 7  # nights after the activation; a large pool is full only after days
BEFORE = 6 * HOUR  # the interval that follows, a change is carried out
RATIO = 1.25  # between loads that are solved
Change = str | Setting | tuple[Setting, ...]


@dataclass(frozen=True)
class Night:
    """An interval: its number, starting at 1, its snapshots, its loads (seconds at each) and its machine."""

    number: int
    moments: tuple[Moment, Moment]
    mixture: Mixture
    levels: Levels

    @property
    def response(self) -> float:
        """Mean seconds of a transaction, as users wait for it."""
        return days.response(self.levels, self.mixture)

    @property
    def inside(self) -> float:
        """The same without the network."""
        return days.response(self.levels, self.mixture, inside=True)


@dataclass(frozen=True)
class Effect:
    """What a change did: shares of response time that are gone."""

    interval: float
    inside: float
    day: float


@dataclass(frozen=True)
class History:
    """All nights, and the effects of all changes by the night that first had them."""

    nights: tuple[Night, ...]
    effects: dict[int, Effect]

    def write(self, folder: Path) -> list[Path]:
        """Write a capture of each night; their folders."""
        places = [folder / f"night-{night.number:02}" for night in self.nights]
        for place, night in zip(places, self.nights, strict=True):
            written(place, list(night.moments))
        return places


def series(
    of: Machine | DrawnSite,
    nights: int,
    interval_s: float = 300.0,
    *,
    hour: float | Sequence[float] = 2.0,
    changes: Mapping[int, Change] | None = None,
    shape: Sequence[str] = (),
    noise: float = 0.05,
    growth: float = 0.0,
    seed: int = 0,
) -> History:
    """Return the history of `nights` nights; `hour` is the hour of all intervals, or of each.

    Raise ValueError for a command, an object or a value that the model does not cover.
    """
    machine, day = _given(of, shape)
    hours = list(hour) if not isinstance(hour, int | float) else [hour] * nights
    draw = random.Random(f"series {seed}")
    timeline = Timeline(Levels(machine))
    found, starts = [], {}
    for number, at in enumerate(hours, start=1):
        begin = (FIRST + number - 1) * DAY + at * HOUR
        if changes and number in changes:
            starts[number] = timeline.levels
            timeline.pass_by(day.spent(timeline.clock, begin - BEFORE))
            timeline.change(_settings(changes[number]))
        timeline.pass_by(day.spent(timeline.clock, begin))
        swing = [math.exp(draw.gauss(0, noise)) * (1 + growth) ** (number - 1) for _ in machine.work]
        mixture = _swung(day.spent(begin, begin + interval_s), swing)
        found.append(Night(number, timeline.watched(mixture), mixture, timeline.levels))
    return History(tuple(found), {number: _effect(number, before, found, day) for number, before in starts.items()})


def known_of(site: DrawnSite) -> list[Moment]:
    """The snapshots of a site's only capture; of one that has a single one, the later."""
    timeline = Timeline(site.levels)
    timeline.pass_by(site.day.spent(OPENED, FIRST * DAY + site.knowledge.hour * HOUR))
    return list(timeline.watched(site.watched))[-site.knowledge.snapshots :]


def _given(of: Machine | DrawnSite, shape: Sequence[str]) -> tuple[Machine, Day]:
    machine = of.machine if isinstance(of, DrawnSite) else of
    own = of.day if isinstance(of, DrawnSite) else days.even(machine)
    return machine, days.shaped(*shape) if shape else own


def _settings(change: Change) -> tuple[Setting, ...]:
    if isinstance(change, str):
        return settings_of(change)
    return (change,) if isinstance(change, Setting) else tuple(change)


def _swung(mixture: Mixture, swing: Iterable[float]) -> Mixture:
    """A mixture with more or fewer at work: each load is one of few that are solved, or to and fro between two."""
    factors = list(swing)
    found: defaultdict[Load, float] = defaultdict(float)
    for load, seconds in mixture.items():
        corners = [_between(share * factor) for share, factor in zip(load, factors, strict=True)]
        for corner in product(*corners):
            found[tuple(share for share, _ in corner)] += seconds * math.prod(weight for _, weight in corner)
    return {load: seconds for load, seconds in found.items() if seconds > 0}


def _between(share: float) -> list[tuple[float, float]]:
    """The two solved shares around one, and the parts of time at each that make it their mean."""
    low = RATIO ** math.floor(math.log(share, RATIO) + 1e-9)
    part = max(0.0, (share / low - 1) / (RATIO - 1))
    return [(low, 1 - part), (low * RATIO, part)]


def _effect(number: int, before: Levels, nights: list[Night], day: Day) -> Effect:
    """Of the change that night `number` was the first to have, until the next one."""
    after = nights[number - 1].levels
    whole: defaultdict[Load, float] = defaultdict(float)
    for night in nights:
        for load, seconds in night.mixture.items() if night.levels is after else ():
            whole[load] += seconds
    interval, inside = (days.gained(before, after, dict(whole), inside=each) for each in (False, True))
    return Effect(interval, inside, days.gained(before, after, day.whole))


class Timeline:
    """What was since the activation."""

    def __init__(self, levels: Levels) -> None:
        self.levels = levels
        self.clock = OPENED
        self._activated = OPENED
        self._past: list[tuple[Levels, Mixture]] = [(levels, {})]

    def pass_by(self, mixture: Mixture) -> None:
        """Time goes by with these loads."""
        now = self._past[-1][1]
        for load, seconds in mixture.items():
            now[load] = now.get(load, 0.0) + seconds
        self.clock += sum(mixture.values())

    def change(self, wanted: tuple[Setting, ...]) -> None:
        """Change the machine, with a new activation if a setting needs one."""
        machine = self.levels.machine
        for one in wanted:
            machine = apply(machine, one)
        self.levels = Levels(selftuning.tuned(machine))
        if any(restarts(one) for one in wanted):
            self._activated, self._past = self.clock, []
        self._past.append((self.levels, {}))

    def watched(self, mixture: Mixture) -> tuple[Moment, Moment]:
        """Watch an interval that starts now, with a snapshot at either end."""
        now = max(mixture, key=lambda load: mixture[load])
        first = self._moment(now)
        self.pass_by(mixture)
        return first, self._moment(now)

    def _moment(self, now: Load) -> Moment:
        """A snapshot; the load that most of the interval has is the one that gauges show."""
        flat = [(levels, load, seconds) for levels, mixture in self._past for load, seconds in mixture.items()]
        last = sum(seconds for levels, load, seconds in flat if levels is self.levels and load == now)
        rest = [(lv.at(load), s) for lv, load, s in flat if not (lv is self.levels and load == now)]
        activated = ACTIVATED + timedelta(seconds=round(self._activated - OPENED))
        return Moment(activated, (*rest, (self.levels.at(now), last)))
