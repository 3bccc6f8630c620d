"""Group commit against a logger that really writes, and the limits of the formula."""

from __future__ import annotations

import random

import pytest

from tests.twin.log import busy_share, full_buffers, log_writes


def simulated(rate: float, write: float, commits: int) -> tuple[float, float]:
    """Mean wait and commits a write of a logger that takes all who wait at once, each time for `write` seconds."""
    draw, now, arrivals = random.Random(9), 0.0, []
    for _ in range(commits):
        now += draw.expovariate(rate)
        arrivals.append(now)
    at, clock, waited, writes = 0, 0.0, 0.0, 0
    while at < len(arrivals):
        clock = max(clock, arrivals[at])
        end, first = clock + write, at
        while at < len(arrivals) and arrivals[at] <= clock:
            at += 1
        waited += sum(end - arrived for arrived in arrivals[first:at])
        clock, writes = end, writes + 1
    return waited / commits, commits / writes


@pytest.mark.parametrize("rate", [10.0, 300.0, 1000.0, 5000.0])
def test_wait_and_group_size_match_a_real_logger(rate: float) -> None:
    found = log_writes(rate, 0.0, 0.002, 1e12, 1e9)
    wait, group = simulated(rate, found.write_time, 20_000)
    assert found.wait == pytest.approx(wait, rel=0.03)
    assert found.group == pytest.approx(group, rel=0.03)


def test_the_busy_share_goes_from_the_offered_load_to_all() -> None:
    assert busy_share(1.0, 0.001) == pytest.approx(0.001, rel=0.01)
    assert busy_share(100_000.0, 0.001) == pytest.approx(1.0)
    assert busy_share(0.0, 0.001) == 0.0


def test_commits_that_share_writes_do_not_saturate_a_logger() -> None:
    slow, quick = log_writes(20_000, 200, 0.002, 400e6, 1e7), log_writes(20, 200, 0.002, 400e6, 1e7)
    assert slow.wait < 1.6 * quick.wait
    assert slow.writes < 501


def test_bytes_do() -> None:
    assert log_writes(9_000, 10_000, 0.001, 100e6, 1e9).wait > 5 * log_writes(900, 10_000, 0.001, 100e6, 1e9).wait


def test_mincommit_writes_less_often_and_holds_back() -> None:
    alone, held = log_writes(50, 2000, 0.002, 50e6, 1e6), log_writes(50, 2000, 0.002, 50e6, 1e6, mincommit=5)
    assert held.wait == pytest.approx(alone.wait + 4 / 2 / 50, rel=0.05)
    assert held.writes == pytest.approx(10, rel=0.01)
    assert alone.writes > 4 * held.writes


def test_commits_are_delayed_at_most_a_second() -> None:
    assert log_writes(0.1, 2000, 0.002, 50e6, 1e6, mincommit=25).wait < 1.01


def test_full_buffers_are_counted_as_drawn() -> None:
    draw = random.Random(4)
    drawn = sum(int(draw.expovariate(1 / 3000) / 4096) for _ in range(100_000)) / 100_000
    assert full_buffers(3000, 4096) == pytest.approx(drawn, rel=0.03)
    assert full_buffers(3000, 100 * 4096) < 1e-9


def test_a_small_buffer_fills_and_costs_writes() -> None:
    small, large = log_writes(2000, 4000, 0.002, 50e6, 8 * 4096), log_writes(2000, 4000, 0.002, 50e6, 2048 * 4096)
    assert small.full > 100 * max(large.full, 1e-9)
    assert small.wait > large.wait
