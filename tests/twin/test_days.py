"""Loads of a day: what a time is a mixture of, and what counts more in it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.twin import days, samples
from tests.twin.change import Setting, apply
from tests.twin.days import DAY, HOUR, Levels, shaped


def test_a_time_is_a_mixture_of_the_hours_that_it_touches() -> None:
    day = shaped("peaks")
    assert day.hours[7] == (0.2,)
    assert day.spent(7.5 * HOUR, 8.25 * HOUR) == pytest.approx({(0.2,): 0.5 * HOUR, (0.5,): 0.25 * HOUR})
    assert sum(day.whole.values()) == pytest.approx(DAY)
    long = day.spent(23 * HOUR, 23 * HOUR + 3 * DAY + 9 * HOUR)
    assert long[(0.2,)] == pytest.approx(3 * day.whole[(0.2,)] + HOUR)


def test_shapes_have_24_hours_with_a_peak_of_everybody() -> None:
    for name in days.SHAPES:
        shares = [share for (share,) in shaped(name).hours]
        assert len(shares) == 24
        assert max(shares) == 1
        assert min(shares) >= days.LEAST


def test_fewer_at_work_do_less_and_wait_less() -> None:
    levels = Levels(samples.orders())
    half, everybody = levels.at((0.5,)).outcome, levels.at((1.0,)).outcome
    assert half.throughput < everybody.throughput
    assert half.response < everybody.response
    few = levels.at((0.5 / 60,)).outcome  # a client that works half of the time never waits
    one = levels.at((1 / 60,)).outcome
    assert few.response == pytest.approx(one.response, rel=0.02)
    assert few.throughput == pytest.approx(one.throughput / 2, rel=0.02)


def test_busy_hours_weigh_more() -> None:
    before = Levels(samples.orders())
    after = Levels(apply(before.machine, Setting("bufferpool", "SIZE", "1000000", "BP")))
    idle, busy = ((share,) for share in (0.05, 1.0))
    parts = [days.gained(before, after, {load: 1.0}) for load in (idle, busy)]
    whole = days.gained(before, after, {idle: 1.0, busy: 1.0})
    assert min(parts) < whole < max(parts)
    assert abs(whole - parts[1]) < abs(whole - parts[0])
    assert days.most_of(before, {idle: 1.0, busy: 1.0}, 0.8) == {busy: 1.0}
    assert days.response(before, {busy: 2.0}) == pytest.approx(before.at(busy).outcome.response)


def test_what_grew_adds_up_to_what_was_lost() -> None:
    before = Levels(samples.orders())
    after = Levels(apply(before.machine, Setting("bufferpool", "SIZE", "100000", "BP")))
    mixture: days.Mixture = {(0.5,): 1.0, (1.0,): 2.0}
    parts = days.grown(before, after, mixture)
    assert sum(parts.values()) == pytest.approx(-days.gained(before, after, mixture), abs=1e-6)
    assert max(parts, key=lambda name: parts[name]) == "new order read"


def test_day_of_a_site_is_repeatable_and_captured_in_an_hour() -> None:
    machine = samples.orders()
    named = replace(machine, work=tuple(replace(each, name="order") for each in machine.work))
    assert days.drawn(7, named) == days.drawn(7, named)
    assert len({days.drawn(seed, named) for seed in range(20)}) > 10
    assert all(0 <= days.drawn(seed, named)[1] < 24 for seed in range(50))
