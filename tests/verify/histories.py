"""Histories of intervals with a known effect, and with disturbances that hide it.

The logarithm of each interval is the sum of its hour's and weekday's value, the day's value, growth, a random walk, the
load, the effect of the change, and a first-order autoregression. Some intervals contain a part of a burst. The same seed
always gives the same history.
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
GUARDS = (GUARD, "lock timeouts", "sort overflows", "pages swapped out")


@dataclass(frozen=True)
class Kind:
    """The kind of a history: deviations and effects as shares, ``growth`` and ``walk`` as shares per day.

    ``days``, ``week`` and ``season`` are the deviations between days, weekdays and hours; Tuesdays are slower by
    ``tuesday``. ``bursts`` is the share of intervals with a burst. ``load_change`` is the growth of the load after the
    change, and ``load_matters`` its effect on an activity's time (a power of the load). ``per_day`` is the number of
    intervals per day; more than one are hours. ``guard`` and ``statements`` are the deviations between the days of guards and of ten
    statements.
    """

    effect: float = 0.0
    deviation: float = 0.03
    correlation: float = 0.4
    growth: float = 0.0
    walk: float = 0.0
    days: float = 0.0
    week: float = 0.1
    tuesday: float = 0.0
    season: float = 0.3
    bursts: float = 0.03
    load_change: float = 0.0
    load_matters: float = 0.0
    per_day: int = 1
    guard: float = 0.0
    statements: float = 0.0


def history(
    kind: Kind, seed: int, before: int = 28, after: int = 28, weekday: int = 0
) -> tuple[list[Interval], Moment]:
    """Return the intervals of this many days before and after a change, and its time; the first day is a ``weekday``."""
    first = BEGIN + timedelta(days=weekday)
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
    weekdays = (day + weekday) % 7
    load = 3 * of_day[weekdays] + 0.1 * draw.normal(size=n) + np.log1p(kind.load_change) * changed
    value = noise + of_day[weekdays] + of_hour + kind.growth * day + np.log1p(kind.effect) * changed
    value += kind.load_matters * load
    value += (draw.random(n) < kind.bursts) * draw.exponential(0.5, size=n)
    of_one = kind.walk * np.cumsum(draw.normal(size=before + after)) + kind.days * draw.normal(size=before + after)
    value += of_one[day] + np.log1p(kind.tuesday) * (weekdays == 1)
    guards = np.exp(kind.guard * draw.normal(size=(before + after, len(GUARDS) if kind.guard else 1)))[day]
    intervals = [
        _interval(first + timedelta(days=int(d), hours=2 if kind.per_day == 1 else int(h)), kind, v, w, g)
        for d, h, v, w, g in zip(day, hour, value, load, guards.tolist(), strict=True)
    ]
    if kind.statements:
        times = np.exp(kind.statements * draw.normal(size=(n, 10)))
        intervals = [
            replace(each, executed=tuple(Executed(f"S{n}", None, 100, float(ms), 10.0) for n, ms in enumerate(of)))
            for each, of in zip(intervals, times, strict=True)
        ]
    return intervals, Moment.from_time(first + timedelta(days=before))


def _interval(begin: datetime, kind: Kind, value: float, load: float, guards: Sequence[float]) -> Interval:
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
            *(Value(name, "ms", of, 1000, True, True, 0.2) for name, of in zip(GUARDS, guards, strict=False)),
        ),
    )


def scaled(intervals: Sequence[Interval], moment: Moment, factor: float) -> list[Interval]:
    """Return the same history with another load after the change and no other difference."""
    return [
        replace(each, values=tuple(replace(value, events=(value.events or 0) * factor) for value in each.values))
        if each.begin >= moment.latest
        else each
        for each in intervals
    ]


def with_guard(intervals: Sequence[Interval], moment: Moment, ms: float) -> list[Interval]:
    """Return the same history, with commits that wait this many milliseconds for the log after the change."""
    return [
        replace(each, values=tuple(replace(v, value=ms) if v.metric == GUARD else v for v in each.values))
        if each.begin >= moment.latest
        else each
        for each in intervals
    ]


def with_statements(intervals: Sequence[Interval], moment: Moment, slower: float, share: float) -> list[Interval]:
    """Return the same history with ten statements; one with a share of the time takes longer after the change."""
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
