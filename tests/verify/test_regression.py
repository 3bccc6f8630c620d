"""A database that got worse without a change, and one that did not."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from advisor.verify.measured import Executed, Interval
from advisor.verify.regression import AFTER, BEFORE, regression
from advisor.verify.statements import MIX, PLANS, SLOWER, describe_statements
from tests.verify.histories import Kind, history, scaled
from tests.verify.rates import NOTHING
from tests.verify.regressions import followed

WORSE = Kind(effect=0.2, deviation=0.01, bursts=0.0)


def test_what_got_worse_is_found_with_its_night_and_by_how_much() -> None:
    intervals, moment = history(WORSE, 1, 28, 7)
    found = regression(intervals)
    assert found
    assert found.earliest <= moment.latest.replace(hour=2) <= found.latest
    assert (found.latest - found.earliest).days <= 2
    assert found.figure.low_pct < 20 < found.figure.high_pct
    assert sum(each.after for each in found.sided) == 7


def test_improvement_or_more_load_is_not_a_regression() -> None:
    assert regression(history(replace(WORSE, effect=-0.2), 1)[0]) is None
    intervals, moment = history(replace(WORSE, effect=0.0), 1)
    assert regression(scaled(intervals, moment, 1.4)) is None
    assert regression(scaled(intervals, moment, 0.7)) is None


@pytest.mark.parametrize(("before", "after"), [(BEFORE - 1, AFTER), (28, AFTER - 1), (0, 0)])
def test_too_little_data_gives_no_report(before: int, after: int) -> None:
    assert regression(history(WORSE, 1, before, after)[0]) is None


def test_few_bad_nights_are_not_a_regression() -> None:
    intervals, moment = history(replace(WORSE, effect=0.0), 1, 28, 14)
    bad, _ = history(replace(WORSE, effect=1.0), 1, 28, 14)
    days = [each.begin >= moment.latest for each in intervals]
    first = days.index(True)
    for night in range(first, first + 12):
        so_far = [*intervals[:first], *bad[first : min(first + 3, night)], *intervals[first + 3 : night]]
        assert regression(so_far) is None


def test_bursts_are_not_a_regression() -> None:
    assert followed(NOTHING["bursts on a tenth of the days"], 9003, 40) is None


@pytest.mark.full
def test_false_alarms_are_few_and_harm_is_found() -> None:
    quiet = [followed(NOTHING["bursts on a tenth of the days"], seed) for seed in range(9000, 9012)]
    assert sum(each is not None for each in quiet) <= 2
    worse = [followed(Kind(effect=0.2, deviation=0.02), seed, 28 + 14) for seed in range(9100, 9112)]
    assert sum(each is not None and each.night > 28 for each in worse) >= 10


def _with(intervals: list[Interval], first: int, made: Callable[[bool], list[Executed]]) -> list[Interval]:
    return [replace(each, executed=tuple(made(n >= first))) for n, each in enumerate(intervals)]


def test_slower_statements_with_other_rows_are_listed() -> None:
    def made(after: bool) -> list[Executed]:
        slow = Executed("A", "SELECT A", 1000, 9000.0 if after else 5000.0, 50.0, 2e6 if after else 2000.0)
        return [slow, Executed("B", "SELECT B", 1000, 5000.0, 50.0, 3000.0)]

    found = regression(_with(history(WORSE, 1, 28, 7)[0], 28, made))
    assert found
    said = describe_statements(found.sided)
    assert said
    assert said[MIX] == []
    assert [text.startswith("SELECT A: +80.0 %") for text in said[SLOWER]] == [True]
    assert said[PLANS] == ["SELECT A: 2 -> 2000 rows read per execution"]


def test_statement_with_another_plan_is_listed() -> None:
    def made(after: bool) -> list[Executed]:
        return [Executed("A", "SELECT A", 1000, 5000.0, 50.0, 2000.0, 8 if after else 7)]

    found = regression(_with(history(WORSE, 1, 28, 7)[0], 28, made))
    assert found
    said = describe_statements(found.sided)
    assert said
    assert said[PLANS] == ["SELECT A: another access plan, 2 -> 2 rows read per execution"]


def test_other_statement_mix_is_listed_if_known() -> None:
    def made(after: bool) -> list[Executed]:
        return [
            Executed("A", "SELECT A", 200 if after else 800, 1000.0, 50.0),
            Executed("B", "SELECT B", 800 if after else 200, 1000.0, 50.0),
        ]

    intervals = history(WORSE, 1, 28, 7)[0]
    found = regression(_with(intervals, 28, made))
    assert found
    said = describe_statements(found.sided)
    assert said
    assert said[MIX] == [
        "60 % of the executions moved to other statements",
        "SELECT B: 20.0 -> 80.0 % of the executions",
    ]
    alone = regression(intervals)
    assert alone
    assert describe_statements(alone.sided) is None
