"""Disks, logs and prefetching against data sheets, a logger that really writes, and runs that are drawn."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from tests.twin.devices import (
    MIB,
    Block,
    Device,
    automatic_prefetch_size,
    automatic_servers,
    busy_share,
    flash,
    full_buffers,
    guess,
    log_writes,
    prefetch_block,
    random_access,
    sequential_access,
    spread,
    striped_access,
    together,
    write_ways,
)

DISK = Device("d", 12, seek=0.0036, rpm=15000, transfer=70 * MIB, stripe=64 * 1024)


def test_a_random_read_is_seek_half_a_turn_and_transfer() -> None:
    assert random_access(DISK, 70 * MIB / 100) == pytest.approx(0.0036 + 0.002 + 0.01)


def test_stream_is_near_the_mediums_rate_unlike_random_pages() -> None:
    assert 64 * MIB / sequential_access(DISK, 64 * MIB) == pytest.approx(70 * MIB, rel=0.25)
    assert 4096 / random_access(DISK, 4096) < MIB


def test_a_stripe_engages_as_many_disks_as_it_has_parts() -> None:
    assert [spread(DISK, size * 1024) for size in (4, 64, 65, 384, 10_000)] == [1, 1, 2, 6, 12]


def test_the_slowest_of_the_disks_of_a_stripe_is_waited_for() -> None:
    """Against the mean of the longest of six uniform rotations, drawn."""
    draw = random.Random(3)
    turns = [max(draw.random() for _ in range(6)) * DISK.revolution for _ in range(20_000)]
    expected = DISK.seek + sum(turns) / len(turns) + 64 * 1024 / DISK.transfer
    assert striped_access(DISK, 384 * 1024) == pytest.approx(expected, rel=0.005)


def test_flash_has_no_seek_and_no_rotation() -> None:
    device = flash("f")
    assert device.revolution == 0
    assert random_access(device, 4096) < 0.0002 < random_access(DISK, 4096) / 20


def test_reads_that_begin_anywhere_meet_on_some_disks() -> None:
    draw, number = random.Random(7), 5000
    drawn = sum(len({draw.randrange(12) for _ in range(8)}) for _ in range(number)) / number
    assert together(DISK, 1, 8) == pytest.approx(drawn, rel=0.01)
    assert together(DISK, 6, 1) == pytest.approx(6)


def test_two_accesses_of_a_small_write_are_side_by_side() -> None:
    """Chen et al. 1994: RAID 5 reads old data and parity, then writes both; the longer of two exponential times counts."""
    draw, number = random.Random(5), 20_000
    phase = sum(max(draw.expovariate(1), draw.expovariate(1)) for _ in range(number)) / number
    for accesses, phases in ((2, 1), (4, 2)):
        array = replace(DISK, write_accesses=float(accesses))
        assert accesses / write_ways(array) == pytest.approx(phases * phase, rel=0.02)
    assert write_ways(replace(DISK, write_accesses=1.0)) == 1


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


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ((48, 24, 2, 1, 8), Block(24, 2, 2)),
        ((32, 24, 2, 1, 8), Block(24, 2, 2)),
        ((24, 24, 2, 1, 8), Block(24, 1, 1)),
        ((8, 32, 4, 1, 8), Block(8, 1, 1)),
        ((128, 16, 4, 1, 3), Block(16, 8, 3)),
        ((128, 16, 4, 2, 12), Block(16, 8, 8)),
        ((0, 32, 4, 1, 8), Block(0, 0, 0)),
    ],
)
def test_a_request_is_cut_in_extents(arguments: tuple[int, int, int, int, int], expected: Block) -> None:
    assert prefetch_block(*arguments) == expected


@pytest.mark.parametrize(("run", "size"), [(2.0, 32), (8.0, 32), (8.0, 8), (40.0, 32)])
def test_requests_use_and_waste_are_those_of_runs_that_are_drawn(run: float, size: int) -> None:
    draw, requests, used, number = random.Random(2), 0, 0, 20_000
    for _ in range(number):
        length = 1
        while draw.random() < 1 - 1 / run:
            length += 1
        at = 3  # detection at the third page
        while length >= at:
            requests += at == 3 or length >= at
            used += min(size, length - at)
            at += size
    found = guess(run, size)
    assert found.requests == pytest.approx(requests / number, rel=0.04)
    assert found.used == pytest.approx(used / number, rel=0.06)
    assert found.wasted == pytest.approx(found.requests * size - found.used)


def test_no_prefetching_and_no_runs_guess_nothing() -> None:
    assert guess(8, 0).requests == guess(1, 32).requests == 0


def test_automatic_follows_the_manual_of_the_level() -> None:
    assert automatic_prefetch_size(32, 4, 5) == 640
    assert automatic_servers(4, 64, (9, 7)) == 4
    assert automatic_servers(1, 2, (9, 7)) == 3
    assert automatic_servers(4, 64, (11, 5)) == 64
    assert automatic_servers(4, 2, (11, 5)) == 12
