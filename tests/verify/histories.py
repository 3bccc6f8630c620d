"""Histories of intervals with a known effect, and with what makes it hard to see.

The logarithm of each interval is that of its hour and day of the week, a drift, the load, the effect of the change, and
an autoregression of the first order; now and then there is a burst, of which the interval has its part. A history is
the same whenever it is made from the same seed.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

import numpy as np

from advisor.verify.comparable import Moment
from advisor.verify.measured import DAY, PRIMARY, SPAN, Executed, Interval, Value

BEGIN = datetime(2026, 3, 2, 0, 0)  # a Monday
BASE_MS = 8.0
PER_SECOND = 200.0
GUARD = "log disk wait per commit"


@dataclass(frozen=True)
class Kind:
    """What a history is like: deviations and effects as shares, ``drift`` as a share a day.

    ``week`` and ``season`` are the deviations between days of the week and between hours, ``bursts`` is the part of
    the intervals that have one, ``load_change`` is by how much there is more to do after the change, ``load_matters``
    by how much an activity takes longer then (a power of the load), and ``per_day`` how many intervals a day has.
    """

    effect: float = 0.0
    deviation: float = 0.03
    correlation: float = 0.4
    drift: float = 0.0
    week: float = 0.1
    season: float = 0.3
    bursts: float = 0.03
    load_change: float = 0.0
    load_matters: float = 0.0
    per_day: int = 1


def history(kind: Kind, seed: int, before: int = 28, after: int = 28) -> tuple[list[Interval], Moment]:
    """Return the intervals of that many days before and after a change, and its time."""
    draw = np.random.default_rng(seed)
    n = (before + after) * kind.per_day
    day = np.arange(n) // kind.per_day
    hour = np.arange(n) % kind.per_day * (24 // kind.per_day)
    changed = day >= before
    noise = np.empty(n)
    last = draw.normal()
    for i in range(n):
        last = kind.correlation * last + draw.normal() * np.sqrt(1 - kind.correlation**2)
        noise[i] = kind.deviation * last
    of_day = draw.normal(size=7) * kind.week
    of_hour = kind.season * np.sin(2 * np.pi * hour / 24)
    load = 3 * of_day[day % 7] + 0.1 * draw.normal(size=n) + np.log1p(kind.load_change) * changed
    value = noise + of_day[day % 7] + of_hour + kind.drift * day + np.log1p(kind.effect) * changed
    value += kind.load_matters * load
    value += (draw.random(n) < kind.bursts) * draw.exponential(0.5, size=n)
    intervals = [
        _interval(BEGIN + timedelta(days=int(d), hours=2 if kind.per_day == 1 else int(h)), kind, v, w)
        for d, h, v, w in zip(day, hour, value, load, strict=True)
    ]
    return intervals, Moment.at(BEGIN + timedelta(days=before))


def _interval(begin: datetime, kind: Kind, value: float, load: float) -> Interval:
    whole = kind.per_day == 1
    seconds = 86_400.0 if whole else 3600.0
    return Interval(
        DAY if whole else SPAN,
        begin,
        begin + timedelta(seconds=seconds),
        seconds,
        1e6,
        (
            Value(
                PRIMARY,
                "ms",
                BASE_MS * float(np.exp(value)),
                PER_SECOND * seconds * float(np.exp(load)),
                True,
                False,
                0,
            ),
            Value(GUARD, "ms", 1.0, 1000, True, True, 0.2),
        ),
    )


def scaled(intervals: Sequence[Interval], moment: Moment, factor: float) -> list[Interval]:
    """The same with another load after the change and nothing else."""
    return [
        replace(each, values=tuple(replace(value, events=(value.events or 0) * factor) for value in each.values))
        if each.begin >= moment.latest
        else each
        for each in intervals
    ]


def with_guard(intervals: Sequence[Interval], moment: Moment, ms: float) -> list[Interval]:
    """Return the same, with commits that wait that many milliseconds for the log after the change."""
    return [
        replace(each, values=tuple(replace(value, value=ms) if value.guard else value for value in each.values))
        if each.begin >= moment.latest
        else each
        for each in intervals
    ]


def with_statements(intervals: Sequence[Interval], moment: Moment, slower: float, share: float) -> list[Interval]:
    """The same with ten statements, of which one with a share of the time takes longer after the change."""
    found = []
    for number, each in enumerate(intervals):
        after = each.begin >= moment.latest
        executed = []
        for n in range(10):
            part = share if n == 0 else (1 - share) / 9
            ms = 1000 * part * (1 + 0.01 * ((number * 7 + n) % 5)) * (slower if after and n == 0 else 1)
            executed.append(Executed(f"S{n}", f"SELECT {n}", 100, ms, 100 * part))
        found.append(replace(each, executed=tuple(executed)))
    return found
