"""Times of disks against the arithmetic of their data sheets."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from tests.twin.disks import (
    MIB,
    Device,
    flash,
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
