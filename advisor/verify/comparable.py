"""Which intervals a change is judged by: those that are alike but for the change, each side with its slots.

Left out, and counted by their reason, are intervals that hold the change, that cannot be used, that begin while caches
fill, with too little work, of a time that only one side has, with another load or with another mix of statements.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from math import atan2, cos, pi, sin, sqrt, tau
from statistics import median

from advisor.verify.measured import PRIMARY, SPAN, Executed, Interval

WARM = timedelta(hours=1)  # that caches take to fill, after the change and after activation
FEWEST_ACTIVITIES = 100
LOAD = 0.67, 1.5  # of what is usual at the time
LEAST_COSINE = 0.9  # of the executions by statement
WEEKS_S = 14 * 86_400  # from which on each day of the week is known


@dataclass(frozen=True)
class Moment:
    """When a change was made: after ``earliest`` and not later than ``latest``, by the server's clock."""

    earliest: datetime
    latest: datetime

    @classmethod
    def at(cls, when: datetime) -> "Moment":
        return cls(when, when)


@dataclass(frozen=True)
class Sided:
    """An interval that is compared. The other side must have some of its ``kind``; a ``slot`` has a level of its own."""

    interval: Interval
    after: bool
    kind: str
    slot: str


@dataclass
class Comparable:
    """What can be compared, and how many intervals were left out for which reason."""

    intervals: list[Sided] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)

    def count(self, after: bool) -> int:
        return sum(each.after == after for each in self.intervals)


def around(intervals: Iterable[Interval], moment: Moment) -> Comparable:
    """The intervals before and after a change, of one kind."""
    sides: list[tuple[Interval, bool]] = []
    found = Comparable()
    for interval in intervals:
        if interval.end <= moment.earliest:
            sides.append((interval, False))
        elif interval.begin < moment.latest:
            found.left_out["the change was made in it"] += 1
        elif interval.begin < moment.latest + WARM and moment.earliest == moment.latest:
            found.left_out["it begins within an hour of the change, while caches fill"] += 1
        else:
            sides.append((interval, True))
    return _alike(sides, found)


def between(before: Iterable[Interval], after: Iterable[Interval]) -> Comparable:
    """Intervals of which it is said which side they are on."""
    return _alike([(each, False) for each in before] + [(each, True) for each in after], Comparable())


def usual(intervals: Sequence[Interval]) -> list[Sided]:
    """Those of one kind that can be used and whose load is usual, of which none is said to be before or after anything.

    Their statements may be another mix: it is one of the reasons for which everything takes longer.
    """
    usable = [each for each in intervals if not _unusable(each)]
    return _like_load([Sided(each, False, *slot) for each, slot in zip(usable, _slots(usable), strict=True)])


def _alike(sides: list[tuple[Interval, bool]], found: Comparable) -> Comparable:
    usable = []
    for interval, after in sides:
        if reason := _unusable(interval):
            found.left_out[reason] += 1
        else:
            usable.append((interval, after))
    slots = _slots([interval for interval, _ in usable])
    sided = [Sided(interval, after, *slot) for (interval, after), slot in zip(usable, slots, strict=True)]
    for said, keep in (
        ("the other side has no interval of its hour and kind of day", _on_both_sides),
        (f"its load is not {LOAD[0]:g} to {LOAD[1]:g} times what is usual before the change", _like_load),
        ("its statements are another mix", _like_mix),
        ("the other side has no interval of its hour and kind of day", _on_both_sides),
    ):
        kept = keep(sided)
        found.left_out[said] += len(sided) - len(kept)
        sided = kept
    found.left_out = +found.left_out
    found.intervals = sided
    return found


def _unusable(interval: Interval) -> str | None:
    if interval.discarded:
        return interval.discarded
    if interval.uptime_s is not None and interval.uptime_s < WARM.total_seconds():
        return "it begins within an hour of the activation, while caches fill"
    if interval.activities < FEWEST_ACTIVITIES or not _positive(interval):
        return f"fewer than {FEWEST_ACTIVITIES} activities"
    return None


def _positive(interval: Interval) -> bool:
    found = interval.value(PRIMARY)
    return found is not None and found.value is not None and found.value > 0


def _slots(intervals: Sequence[Interval]) -> list[tuple[str, str]]:
    """Which intervals are alike: working days or not, and by hour; once two weeks are there, by the day of the week.

    Hours are counted from the minute around which the intervals lie, so that a job that starts a little earlier or
    later stays in its own.
    """
    if not intervals:
        return []
    middles = [each.begin + (each.end - each.begin) / 2 for each in intervals]
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


def _on_both_sides(sided: Sequence[Sided]) -> list[Sided]:
    both = {each.kind for each in sided if each.after} & {each.kind for each in sided if not each.after}
    return [each for each in sided if each.kind in both]


def _like_load(sided: Sequence[Sided]) -> list[Sided]:
    """By activities a second, or by active sessions: a change that makes the same sessions faster has them do more."""
    kept: set[int] = set()
    for measure in (load, sessions):
        usual = {kind: median(map(measure, of)) for kind, of in _before(sided).items()}
        for each in sided:
            ratio = measure(each.interval) / usual.get(each.slot, usual[each.kind])
            if LOAD[0] <= ratio <= LOAD[1]:
                kept.add(id(each))
    return [each for each in sided if id(each) in kept]


def load(interval: Interval) -> float:
    """Activities a second."""
    return interval.activities / interval.seconds


def sessions(interval: Interval) -> float:
    """Database time a second: how many sessions were active on average."""
    found = interval.value(PRIMARY)
    return load(interval) * (found.value or 0) / 1000 if found else 0.0


def _like_mix(sided: Sequence[Sided]) -> list[Sided]:
    usual = {kind: _mix(item for each in of for item in each.executed) for kind, of in _before(sided).items()}
    return [
        each
        for each in sided
        if not each.interval.executed
        or not usual[each.kind]
        or _cosine(_mix(each.interval.executed), usual[each.kind]) >= LEAST_COSINE
    ]


def _before(sided: Sequence[Sided]) -> dict[str, list[Interval]]:
    """The intervals before the change, by their kind and by their slot."""
    found: dict[str, list[Interval]] = {}
    for each in sided:
        for name in () if each.after else {each.kind, each.slot}:
            found.setdefault(name, []).append(each.interval)
    return found


def _mix(executed: Iterable[Executed]) -> Counter[str]:
    found: Counter[str] = Counter()
    for each in executed:
        found[each.statement] += each.executions
    return found


def _cosine(one: Counter[str], two: Counter[str]) -> float:
    lengths = sqrt(sum(n * n for n in one.values())) * sqrt(sum(n * n for n in two.values()))
    return sum(n * two[name] for name, n in one.items()) / lengths if lengths else 1.0
