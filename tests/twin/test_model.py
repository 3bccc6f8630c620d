"""The whole model: its books balance, it always says the same, and settings move it the way the manuals say."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from tests.twin import samples
from tests.twin.cpu import GIB
from tests.twin.model import solve

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.twin.machine import Machine

SAMPLES = [samples.orders, samples.reports, samples.both]


def configured(machine: Machine, **dbcfg: str) -> Machine:
    return replace(machine, dbcfg={**machine.dbcfg, **dbcfg})


def pooled(machine: Machine, pages: int) -> Machine:
    return replace(machine, pools=(replace(machine.pools[0], pages=pages), *machine.pools[1:]))


def prefetching(machine: Machine, pages: int) -> Machine:
    return replace(machine, spaces=tuple(replace(space, prefetch=pages) for space in machine.spaces))


@pytest.mark.parametrize("sample", SAMPLES)
def test_the_books_balance(sample: Callable[[], Machine]) -> None:
    machine = sample()
    found = solve(machine)
    assert found.drift < 1e-5
    for each, work in zip(found.classes, machine.work, strict=True):
        assert sum(each.parts.values()) == pytest.approx(each.response, rel=1e-9)
        assert min(each.parts.values()) >= 0
        assert each.throughput * (each.response + work.think) == pytest.approx(work.clients, rel=1e-6)
    assert max(found.utilisation.values()) < 1
    for name, pool in found.pools.items():
        assert pool.read - pool.asked * (1 - pool.hit_ratio) == pytest.approx(
            sum(found.stores[s.name].unused for s in machine.stores if home(machine, s.space) == name), abs=1e-6
        )
    for rates in found.stores.values():
        assert 0 <= rates.unused <= rates.ahead <= rates.read + 1e-9
        assert rates.cleaned + rates.stolen <= rates.updates * (1 + 1e-9)


def home(machine: Machine, space: str) -> str:
    return next(each.pool for each in machine.spaces if each.name == space)


def test_it_says_the_same_twice_and_quickly() -> None:
    first = solve(samples.orders())
    started = time.process_time()
    second = solve(samples.orders())
    assert time.process_time() - started < 0.5
    assert first == second


def test_utilisation_is_work_done() -> None:
    machine = samples.orders()
    found = solve(machine)
    disk = machine.devices[0]
    busy = 0.0056 + 4096 / disk.transfer
    reads = sum(each.read for each in found.stores.values())
    writes = sum(each.cleaned + each.stolen for each in found.stores.values())
    assert found.utilisation["data"] == pytest.approx((reads + writes) * busy / disk.disks, rel=1e-3)


def test_more_clients_do_more_and_wait_longer() -> None:
    few, many = solve(samples.orders(4)), solve(samples.orders(64))
    assert many.throughput > 2 * few.throughput
    assert many.response > few.response


def test_a_larger_pool_helps_until_it_is_paged_out() -> None:
    machine = samples.orders()
    machine = replace(machine, host=replace(machine.host, memory=6 * GIB))
    found = [solve(pooled(machine, pages)) for pages in (50_000, 250_000, 1_000_000, 2_200_000)]
    rates = [each.throughput for each in found]
    assert rates[0] < rates[1] < rates[2] > 1.5 * rates[3]
    assert found[3].overcommit > 0.3
    assert found[3].part("paging") > 0 == found[2].part("paging")


def test_scans_need_whole_extent_prefetch_and_servers() -> None:
    def rate(pages: int, servers: str) -> float:
        return solve(configured(prefetching(samples.reports(), pages), NUM_IOSERVERS=servers)).throughput

    assert rate(0, "8") < rate(24, "8") < rate(96, "8")
    assert rate(96, "1") < rate(96, "8")


def test_short_runs_do_not_want_it() -> None:
    machine = samples.orders()
    order = machine.work[0]
    runs = tuple(replace(access, run=3.0) for access in order.accesses)
    machine = replace(machine, work=(replace(order, accesses=runs),))
    with_it, without = solve(prefetching(machine, 32)), solve(prefetching(machine, 0))
    assert without.throughput > 1.1 * with_it.throughput
    assert solve(configured(prefetching(machine, 32), SEQDETECT="NO")).throughput == pytest.approx(without.throughput)
    assert with_it.stores["ORDERS"].unused > 0 == without.stores["ORDERS"].unused


def test_sorts_and_joins_that_fit_do_not_spill() -> None:
    spilled, fits = solve(samples.reports()), solve(configured(samples.reports(), SORTHEAP="40000", SHEAPTHRES_SHR="0"))
    assert spilled.working.sort_overflows == pytest.approx(spilled.working.sorts)
    assert spilled.working.join_overflows > 0
    assert fits.working.sort_overflows == fits.working.join_overflows == 0
    assert fits.throughput > 1.02 * spilled.throughput
    assert fits.utilisation["data"] * fits.response < spilled.utilisation["data"] * spilled.response


def test_a_small_package_cache_compiles() -> None:
    machine = samples.orders()
    machine = replace(machine, work=(replace(machine.work[0], distinct=5000),))
    small, large = solve(configured(machine, PCKCACHESZ="300")), solve(configured(machine, PCKCACHESZ="20000"))
    assert small.package_hits[0] < 0.8 < large.package_hits[0] == pytest.approx(1)
    assert small.part("compile") > 0.001 > large.part("compile")


def test_few_locks_become_a_table_lock_and_one_works_at_a_time() -> None:
    free, taken = solve(samples.orders()), solve(configured(samples.orders(), LOCKLIST="4", MAXLOCKS="5"))
    assert free.locking.escalated[0] == 0 < taken.locking.escalated[0]
    assert taken.throughput < 0.3 * free.throughput
    assert taken.part("lock") > 0.5 * taken.response


def test_log_on_the_data_disk_is_slower_than_alone() -> None:
    alone = solve(samples.orders())
    beside = solve(replace(samples.orders(), log_device="data"))
    assert beside.part("log") > 2 * alone.part("log")


def test_mincommit_counts_until_10_1() -> None:
    held = configured(samples.orders(), MINCOMMIT="10")
    now, then = solve(held), solve(replace(held, level=(9, 7)))
    assert now.throughput == pytest.approx(solve(samples.orders()).throughput)
    assert then.log.writes < 0.3 * now.log.writes


def test_remote_memory_and_stolen_processors_cost() -> None:
    machine = pooled(samples.orders(), 2_300_000)
    quick = replace(machine.devices[0], disks=400)
    machine = replace(machine, devices=(quick, machine.devices[1]))

    def rate(**changes: object) -> float:
        processors = replace(machine.host.processors, **changes)  # type: ignore[arg-type]
        return solve(replace(machine, host=replace(machine.host, processors=processors))).throughput

    assert rate(nodes=4) < 0.95 * rate()
    assert rate(virtual=8, guests=2) < 0.7 * rate(virtual=8)
    assert rate(coherency=0.01) < 0.9 * rate()


def test_files_that_the_system_keeps_are_not_read_from_disk() -> None:
    machine = samples.orders()
    kept = replace(machine, spaces=tuple(replace(space, file_system_caching=True) for space in machine.spaces))
    direct, cached = solve(machine), solve(kept)
    assert cached.utilisation["data"] / cached.throughput < direct.utilisation["data"] / direct.throughput / 2
    assert cached.throughput > direct.throughput  # most of real memory is not in the pool here


def test_members_work_side_by_side_and_wait_for_the_fullest() -> None:
    machine = samples.reports(1)
    wide = tuple(replace(each, disks=60, path=1e10) for each in machine.devices)
    machine = replace(machine, devices=wide)

    def rate(members: int, skew: float) -> float:
        return solve(
            replace(machine, partitioning=replace(machine.partitioning, members=members, skew=skew))
        ).throughput

    assert rate(4, 0.0) > 1.5 * rate(1, 0.0)
    assert rate(4, 0.5) < 0.9 * rate(4, 0.0)


def test_too_few_cleaners_leave_pages_to_the_agents() -> None:
    machine = samples.orders()
    order = machine.work[0]
    changing = tuple(replace(access, updates=access.random * 0.8) for access in order.accesses)
    machine = configured(replace(machine, work=(replace(order, accesses=changing),)), CHNGPGS_THRESH="20")
    few, many = solve(configured(machine, NUM_IOCLEANERS="1")), solve(configured(machine, NUM_IOCLEANERS="24"))
    assert few.pools["BP"].written_by_agents > 1.5 * many.pools["BP"].written_by_agents
    assert few.part("clean") > 1.2 * many.part("clean")


def test_a_pool_that_drops_nothing_waits_for_no_cleaner() -> None:
    machine = pooled(samples.orders(), 2_300_000)
    found = solve(configured(machine, NUM_IOCLEANERS="1"))
    assert found.part("clean") == found.pools["BP"].written_by_agents == 0
    assert found.throughput >= 0.99 * solve(configured(machine, NUM_IOCLEANERS="24")).throughput


def test_a_latch_is_a_single_server() -> None:
    machine = pooled(samples.orders(200), 2_300_000)
    held = replace(machine, work=(replace(machine.work[0], serial=0.002),))
    found = solve(held)
    assert found.throughput == pytest.approx(500, rel=0.02)
    assert found.part("latch") > 0.8 * found.response
