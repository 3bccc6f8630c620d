"""Comparable intervals: the exact bounds."""

from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from advisor.verify.comparable import Moment, Sided, select_around, select_between, select_usual
from advisor.verify.measured import DAY, PRIMARY, SPAN, Executed, Interval, Value

MONDAY = datetime(2026, 3, 2, 9, 0)


def interval(
    begin: datetime = MONDAY, minutes: int = 60, activities: float = 3600.0, ms: float | None = 10.0
) -> Interval:
    """Return an interval whose activities take this many ms."""
    values = (Value(PRIMARY, "ms", ms, activities, True, False, 0.0),)
    return Interval(SPAN, begin, begin + timedelta(minutes=minutes), 60.0 * minutes, None, values)


def run(statement: str, executions: int) -> Executed:
    return Executed(statement, None, executions, 1.0, None)


def three_days(*intervals: Interval) -> list[Interval]:
    """Return the intervals on three working days."""
    days = [timedelta(days=day) for day in range(3)]
    return [replace(each, begin=each.begin + day, end=each.end + day) for each in intervals for day in days]


def slots(*intervals: Interval) -> list[tuple[str, str]]:
    return [(each.kind, each.slot) for each in select_usual(intervals)]


def test_job_that_starts_slightly_off_stays_in_its_hour() -> None:
    starts = [MONDAY + timedelta(days=day, minutes=minutes) for day, minutes in enumerate((26, 33, 30, 35, 31, 25))]
    assert slots(*map(interval, starts)) == [("Mon to Fri 10h",) * 2] * 5 + [("Sat or Sun 10h",) * 2]
    assert {hour for _, hour in slots(*(interval(start, minutes=10) for start in starts))} == {
        "Mon to Fri 10h", "Sat or Sun 10h",
    }  # fmt: skip


@pytest.mark.parametrize(("days", "slot"), [(13.99, "Mon to Fri 09h"), (14, "Mon 09h")])
def test_from_two_weeks_on_each_day_is_its_own(days: float, slot: str) -> None:
    last = interval(MONDAY + timedelta(days=14) - timedelta(days=14 - days))
    assert slots(interval(), last)[0] == ("Mon to Fri 09h", slot)


def test_a_whole_day_has_no_hour() -> None:
    assert slots(replace(interval(), kind=DAY)) == [("Mon to Fri",) * 2]


@pytest.mark.parametrize(
    ("other", "reason"),
    [
        (interval(activities=100), None),
        (interval(activities=99), "fewer than 100 activities"),
        (interval(ms=0.0), "fewer than 100 activities"),
        (interval(ms=None), "fewer than 100 activities"),
        (replace(interval(), uptime_s=3600.0), None),
        (replace(interval(), uptime_s=3599.0), "it begins within an hour of the activation, while caches fill"),
        (replace(interval(), discarded="counters went back"), "counters went back"),
    ],
)
def test_what_can_be_used(other: Interval, reason: str | None) -> None:
    same = [
        replace(
            other,
            uptime_s=None,
            discarded=None,
            values=(Value(PRIMARY, "ms", 10.0, other.activities, True, False, 0.0),),
        )
    ]
    found = select_between(three_days(*same), three_days(other))
    assert [why for why in found.left_out if "fewer than 3 days" not in why] == ([reason] if reason else [])
    assert found.count(True) == (0 if reason else 3)


@pytest.mark.parametrize(
    ("activities", "ms", "kept"),
    [
        (5400, 10.0, True), (5401, 10.0, False), (2412, 10.0, True), (2411, 10.0, False),
        (7200, 5.0, True), (7200, 3.0, False),  # the same number of sessions with more work, or fewer sessions
    ],
)  # fmt: skip
def test_the_load_is_like_what_is_usual(activities: float, ms: float, kept: bool) -> None:
    found = select_between(three_days(interval()), three_days(interval(activities=activities, ms=ms)))
    assert bool(found.count(True)) is kept


@pytest.mark.parametrize(
    ("after", "kept"),
    [
        ({"a": 5, "b": 10}, True), ({"a": 20, "b": 16}, True),  # a cosine of 0.908
        ({"a": 20, "b": 15}, False), ({"c": 10}, False), ({}, True),  # of 0.894
    ],
)  # fmt: skip
def test_the_mix_of_statements_is_like_before(after: dict[str, int], kept: bool) -> None:
    before = replace(interval(), executed=(run("a", 10), run("b", 20)))
    other = replace(interval(), executed=tuple(run(name, count) for name, count in after.items()))
    assert bool(select_between(three_days(before), three_days(other)).count(True)) is kept
    assert select_between(three_days(interval()), three_days(other)).count(True)  # the earlier mix is unknown


@pytest.mark.parametrize(("begin", "side"), [(-60, "before"), (-59, None), (0, None), (59, None), (60, "after")])
def test_on_which_side_of_a_change_an_interval_is(begin: int, side: str | None) -> None:
    around_it = [replace(interval(MONDAY + timedelta(days=days)), kind=DAY) for days in (-7, -6, 0, 2, 3, 4)]
    change = MONDAY + timedelta(days=1)
    each = replace(interval(change + timedelta(minutes=begin), activities=3601), kind=DAY)
    found = select_around([*around_it, each], Moment.from_time(change))
    there: list[Sided] = [one for one in found.intervals if one.interval == each]
    assert ["after" if one.after else "before" for one in there] == ([side] if side else [])


@pytest.mark.parametrize(("before", "after", "missing"), [(3, 0, 3), (4, 1, 2), (2, 5, None), (3, 3, 0)])
def test_missing_days_after_the_change_are_counted(before: int, after: int, missing: int | None) -> None:
    sides = [[interval(MONDAY + timedelta(days=7 * n)) for n in range(many)] for many in (before, after)]
    sides[1] = [
        replace(each, begin=each.begin + timedelta(days=98), end=each.end + timedelta(days=98)) for each in sides[1]
    ]
    assert select_between(*sides).missing == missing


def test_hours_of_one_day_count_as_one_day() -> None:
    hours = [interval(MONDAY + timedelta(hours=n)) for n in range(8)]
    found = select_between(hours, [replace(each, begin=each.begin + timedelta(days=1)) for each in hours])
    assert found.intervals == []
    assert found.left_out == {"a side has fewer than 3 days with its hour and kind of day": 16}
