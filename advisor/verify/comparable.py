"""The selection of comparable intervals: similar ones from before and after the change, with their slots.

An interval is left out, and counted by reason, if it contains the change, cannot be used, begins while caches fill, or
has too little work. It is also left out if a side has too few days with its hour, or if its load or statement mix differs.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from math import atan2, cos, pi, sin, sqrt, tau
from statistics import median

from advisor.verify.measured import PRIMARY, SPAN, Executed, Interval
from advisor.verify.statistics import FEWEST

WARM = timedelta(hours=1)  # time to fill caches, after the change and after activation
FEWEST_ACTIVITIES = 100
LOAD = 0.67, 1.5  # times the usual load of the slot
LEAST_COSINE = 0.9  # of the executions by statement
FEW_DAYS = f"a side has fewer than {FEWEST} days with its hour and kind of day"
WEEKS_S = 14 * 86_400  # least time to tell the days of the week apart


@dataclass(frozen=True)
class Moment:
    """The time of a change: after ``earliest`` and at most ``latest``, by the server's clock."""

    earliest: datetime
    latest: datetime

    @classmethod
    def from_time(cls, when: datetime) -> "Moment":
        return cls(when, when)


@dataclass(frozen=True)
class Sided:
    """An interval to compare. Both sides need days of its ``kind``; each ``slot`` has its own usual load."""

    interval: Interval
    after: bool
    kind: str
    slot: str


@dataclass
class Comparable:
    """The comparable intervals, and the number of intervals left out by reason.

    ``missing`` is the number of days after the change that are missing for a comparison, or None if days before it are.
    """

    intervals: list[Sided] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)
    missing: int | None = None

    def count(self, after: bool) -> int:
        """Return the number of days of a side."""
        return len({each.interval.middle.date() for each in self.intervals if each.after == after})


def select_around(intervals: Iterable[Interval], moment: Moment) -> Comparable:
    """Select the intervals of one kind before and after a change."""
    sides: list[tuple[Interval, bool]] = []
    found = Comparable()
    for interval in intervals:
        if interval.end <= moment.earliest:
            sides.append((interval, False))
        elif interval.begin < moment.latest:
            found.left_out["the change happened during it"] += 1
        elif interval.begin < moment.latest + WARM and moment.earliest == moment.latest:
            found.left_out["it begins within an hour of the change, while caches fill"] += 1
        else:
            sides.append((interval, True))
    return _select_alike(sides, found)


def select_between(before: Iterable[Interval], after: Iterable[Interval]) -> Comparable:
    """Select from intervals with known sides."""
    return _select_alike([(each, False) for each in before] + [(each, True) for each in after], Comparable())


def select_usual(intervals: Sequence[Interval]) -> list[Sided]:
    """Return the usable intervals of one kind that have a usual load, without a before and after.

    Their statement mix may differ, because another mix is one possible cause of a regression.
    """
    usable = [each for each in intervals if not _explain_unusable(each)]
    return _select_similar_load([Sided(each, False, *slot) for each, slot in zip(usable, _slots(usable), strict=True)])


def _select_alike(sides: list[tuple[Interval, bool]], found: Comparable) -> Comparable:
    usable = []
    for interval, after in sides:
        if reason := _explain_unusable(interval):
            found.left_out[reason] += 1
        else:
            usable.append((interval, after))
    slots = _slots([interval for interval, _ in usable])
    sided = [Sided(interval, after, *slot) for (interval, after), slot in zip(usable, slots, strict=True)]
    found.missing = _count_missing(sided)
    for said, keep in (
        (FEW_DAYS, _select_common),
        (f"its load is not {LOAD[0]:g} to {LOAD[1]:g} times the usual load before the change", _select_similar_load),
        ("its statement mix differs", _select_similar_mix),
        (FEW_DAYS, _select_common),
    ):
        kept = keep(sided)
        found.left_out[said] += len(sided) - len(kept)
        sided = kept
    found.left_out = +found.left_out
    found.intervals = sided
    return found


def _explain_unusable(interval: Interval) -> str | None:
    if interval.discarded:
        return interval.discarded
    if interval.uptime_s is not None and interval.uptime_s < WARM.total_seconds():
        return "it begins within an hour of the activation, while caches fill"
    found = interval.value(PRIMARY)
    if interval.activities < FEWEST_ACTIVITIES or found is None or (found.value or 0) <= 0:
        return f"fewer than {FEWEST_ACTIVITIES} activities"
    return None


def _slots(intervals: Sequence[Interval]) -> list[tuple[str, str]]:
    """Return the kind and slot of each interval: weekday or weekend with the hour, after two weeks also the day.

    Hours start at the usual minute of the intervals, so that a job that starts a little earlier or later stays in its
    hour.
    """
    if not intervals:
        return []
    middles = [each.middle for each in intervals]
    weeks = (max(middles) - min(middles)).total_seconds() >= WEEKS_S
    turned = [tau * (middle.minute * 60 + middle.second) / 3600 for middle in middles]
    centre = atan2(sum(map(sin, turned)), sum(map(cos, turned))) * 1800 / pi
    slots = []
    for interval, middle in zip(intervals, middles, strict=True):
        shifted = middle - timedelta(seconds=centre - 1800) if interval.kind == SPAN else middle
        hour = f" {shifted.hour:02}h" if interval.kind == SPAN else ""
        kind = "Sat or Sun" if shifted.weekday() >= 5 else "Mon to Fri"
        slots.append((f"{kind}{hour}", f"{shifted:%a}{hour}" if weeks else f"{kind}{hour}"))
    return slots


def _select_common(sided: Sequence[Sided]) -> list[Sided]:
    days = _group_dates(sided)
    both = {kind for kind, sides in days.items() if min(map(len, sides)) >= FEWEST}
    return [each for each in sided if each.kind in both]


def _count_missing(sided: Sequence[Sided]) -> int | None:
    """Return the least number of days after the change that make a kind comparable."""
    sides = _group_dates(sided).values()
    return min((max(0, FEWEST - len(after)) for before, after in sides if len(before) >= FEWEST), default=None)


def _group_dates(sided: Sequence[Sided]) -> dict[str, tuple[set[date], set[date]]]:
    """Group the days before and after the change by kind."""
    found: dict[str, tuple[set[date], set[date]]] = {}
    for each in sided:
        found.setdefault(each.kind, (set(), set()))[each.after].add(each.interval.middle.date())
    return found


def _select_similar_load(sided: Sequence[Sided]) -> list[Sided]:
    """Select by activities per second or active sessions: if a change makes sessions faster, they do more activities."""
    kept: set[int] = set()
    for measure in (load, sessions):
        usual = {kind: median(map(measure, of)) for kind, of in _group_before(sided).items()}
        for each in sided:
            ratio = measure(each.interval) / usual.get(each.slot, usual[each.kind])
            if LOAD[0] <= ratio <= LOAD[1]:
                kept.add(id(each))
    return [each for each in sided if id(each) in kept]


def load(interval: Interval) -> float:
    """Return the activities per second."""
    return interval.activities / interval.seconds


def sessions(interval: Interval) -> float:
    """Return the average number of active sessions: database time per second."""
    found = interval.value(PRIMARY)
    return load(interval) * (found.value or 0) / 1000 if found else 0.0


def _select_similar_mix(sided: Sequence[Sided]) -> list[Sided]:
    usual = {
        kind: count_executions(item for each in of for item in each.executed)
        for kind, of in _group_before(sided).items()
    }
    return [
        each
        for each in sided
        if not each.interval.executed
        or not usual[each.kind]
        or _cosine(count_executions(each.interval.executed), usual[each.kind]) >= LEAST_COSINE
    ]


def _group_before(sided: Sequence[Sided]) -> dict[str, list[Interval]]:
    """Group the intervals before the change by their kind and by their slot."""
    found: dict[str, list[Interval]] = {}
    for each in sided:
        for name in () if each.after else {each.kind, each.slot}:
            found.setdefault(name, []).append(each.interval)
    return found


def count_executions(executed: Iterable[Executed]) -> Counter[str]:
    """Return the executions by statement."""
    found: Counter[str] = Counter()
    for each in executed:
        found[each.statement] += each.executions
    return found


def _cosine(one: Counter[str], two: Counter[str]) -> float:
    lengths = sqrt(sum(n * n for n in one.values())) * sqrt(sum(n * n for n in two.values()))
    return sum(n * two[name] for name, n in one.items()) / lengths if lengths else 1.0
