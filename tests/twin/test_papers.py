"""Five published studies: the model's results for their machines, step by step, compared with the measurements.

No mechanism was fitted to them; `README.md` lists the free parameters. If the model misses an effect, the assertion
covers the part that holds, and `README.md` names the missing mechanism.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import pairwise

import pytest

from tests.twin.cpu import Processors
from tests.twin.model import solve
from tests.twin.papers import guests, linux_z, pages, x445, zones


def ratios(rates: list[float]) -> list[float]:
    return [after / before for before, after in pairwise(rates)]


@cache
def milestones() -> list[float]:
    return ratios([solve(machine).throughput for machine in linux_z.milestones()])


def test_each_milestone_on_z_gains_and_the_first_most() -> None:
    found = milestones()
    assert min(found) > 1
    assert max(found) == found[0]


def test_no_prefetching_and_read_ahead_gains_about_half() -> None:
    assert milestones()[0] == pytest.approx(linux_z.PUBLISHED[0], rel=0.2)
    before, after = (solve(machine) for machine in linux_z.milestones()[:2])
    assert before.utilisation["ds8000 path"] > 0.9 > 3 * after.utilisation["ds8000 path"]
    assert sum(each.unused for each in before.stores.values()) > 0.5 * before.pools["BP"].read
    assert after.pools["BP"].hit_ratio > before.pools["BP"].hit_ratio + 0.1


def test_higher_changed_pages_threshold_gains_below_a_tenth() -> None:
    assert milestones()[1] == pytest.approx(linux_z.PUBLISHED[1], abs=0.05)
    before, after = (solve(machine) for machine in linux_z.milestones()[1:3])
    written = [each.pools["BP"].written / each.throughput for each in (before, after)]
    assert written[1] < 0.95 * written[0]


def test_pools_of_their_own_find_more_of_the_customer_index() -> None:
    before, after = (solve(machine) for machine in linux_z.milestones()[2:4])
    rates = [each.stores["CUSTOMER_IX"].read / each.throughput for each in (before, after)]
    assert rates[1] < 0.7 * rates[0]
    assert 1.02 < milestones()[2] < linux_z.PUBLISHED[2]  # less than measured: latches of a pool are not modelled


def test_larger_pages_of_the_customer_index_do_no_harm() -> None:
    assert 1.0 < milestones()[3] < linux_z.PUBLISHED[3]  # a trace of the measured effect: splits are not modelled


@pytest.mark.full
@pytest.mark.parametrize("disks", [32, 128])
@pytest.mark.parametrize("cached", [0.4, 0.8])
@pytest.mark.parametrize("paths", [1, 2])
@pytest.mark.parametrize("pool", [1000, 2000])
def test_free_parameters_keep_the_sign_of_two_milestones(disks: int, cached: float, paths: int, pool: int) -> None:
    machine = linux_z.start()
    array = replace(machine.devices[0], disks=disks, cached=cached, path=paths * 200 * 1024.0**2)
    machine = replace(
        machine, devices=(array, machine.devices[1]), pools=(replace(machine.pools[0], pages=pool * 256),)
    )
    without = linux_z.no_read_ahead(machine)
    found = ratios([solve(each).throughput for each in (machine, without, linux_z.threshold(without))])
    assert found[0] > 1.03
    assert found[1] > 0.999


def test_six_processors_a_guest_are_worse_than_four() -> None:
    four, six = solve(guests.machine(4)), solve(guests.machine(6))
    assert 1 - six.throughput / four.throughput == pytest.approx(guests.PUBLISHED, abs=0.03)
    io = sum(pool.read + pool.written for pool in four.pools.values())
    assert io == pytest.approx(3500, rel=0.1)  # as told: the free parameter is right


@pytest.mark.full
def test_instances_bound_to_sockets_scale_nearly_linearly() -> None:
    box = solve(zones.machine(bound=False))
    logical = Processors(32, threads=2).logical
    busy = box.utilisation["cpu"] * 40 / logical
    assert busy == pytest.approx(0.20, abs=0.02)  # as told: the free parameter is right
    found = [count * solve(zones.machine(True, count)).throughput / box.throughput for count in range(1, 5)]
    assert 1 < found[0] < found[1] < found[2] < found[3]
    assert found[3] == pytest.approx(zones.PUBLISHED[3], rel=0.15)
    for modelled, published in zip(found, zones.PUBLISHED, strict=True):
        assert modelled == pytest.approx(published, rel=0.2)


def test_four_times_the_processors_scale_sublinearly() -> None:
    eight, more = solve(x445.machine(8, threads=2)), solve(x445.machine(32, threads=1))
    read = eight.pools["BP16K"].read * 16384
    assert read == pytest.approx(x445.RATE, rel=0.1)  # as told: the free parameter is right
    assert 0.9 * x445.PUBLISHED < more.throughput / eight.throughput < 3.7  # interconnect and memory not modelled


@pytest.mark.full
def test_second_thread_gains_the_published_value() -> None:
    with_it, without = solve(x445.machine(8, threads=2)), solve(x445.machine(8, threads=1))
    assert 1.02 < with_it.throughput / without.throughput < 1.14


@pytest.mark.full
@pytest.mark.parametrize("large", [True, False])
def test_larger_pages_of_the_system_never_do_harm(large: bool) -> None:
    found = ratios([solve(pages.machine(large, size)).throughput for size in pages.SIZES])
    assert min(found) > 0.9999
    assert max(found) > 1.02


@pytest.mark.full
def test_the_last_two_steps_of_page_sizes_are_about_as_measured() -> None:
    """The first is not: with pages scattered at random a TLB holds as few of 64 KB as of 4 KB that are in use."""
    found = ratios([solve(pages.machine(True, size)).throughput for size in pages.SIZES])
    assert 1 < found[0] < pages.PUBLISHED_LARGE[0]
    assert found[1] == pytest.approx(pages.PUBLISHED_LARGE[1], abs=0.03)
    assert found[2] == pytest.approx(pages.PUBLISHED_LARGE[2], abs=0.02)
    assert found[1] > found[2]


@pytest.mark.full
def test_small_machine_matches_its_calibration() -> None:
    found = ratios([solve(pages.machine(False, size)).throughput for size in pages.SIZES[:2]])
    assert found[0] == pytest.approx(pages.PUBLISHED_SMALL, abs=0.02)
