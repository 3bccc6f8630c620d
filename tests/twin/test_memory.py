"""What a transaction asks for, one piece at a time: sorts, joins, locks and processors against their textbooks."""

from __future__ import annotations

import math
import random
from dataclasses import replace

import numpy as np
import pytest

from tests.twin import cpu, demand, locks, memory, samples, settings
from tests.twin.cache import zipf
from tests.twin.machine import Machine, Partitioning, Work


def configured(machine: Machine, **dbcfg: str) -> Machine:
    return replace(machine, dbcfg={**machine.dbcfg, **dbcfg})


def test_a_small_catalog_cache_makes_compiling_longer() -> None:
    machine = replace(samples.orders(), tables=2000)
    work = machine.work[0]
    assert demand.compile_cpu(configured(machine, CATALOGCACHE_SZ="1000"), work) == work.compile_cpu
    half = configured(machine, CATALOGCACHE_SZ=str(round(1000 * demand.CATALOG_ENTRY / 4096)))
    expected = work.compile_cpu + work.lookups * 0.5 * demand.CATALOG_READ
    assert demand.compile_cpu(half, work) == pytest.approx(expected, rel=0.01)


def test_a_package_cache_that_holds_all_statements_finds_all() -> None:
    machine = samples.orders()
    work = machine.work[0]
    need = work.distinct * work.section / 4096
    assert demand.package_hits(configured(machine, PCKCACHESZ=str(round(need + 1))), np.ones(1))[0] == pytest.approx(1)
    assert demand.package_hits(configured(machine, PCKCACHESZ=str(round(need / 10))), np.ones(1))[0] < 0.6


def test_one_member_ships_nothing_and_many_most() -> None:
    work = Work("w", 1, 1.0, (), shipped=1e9, exchanges=2)

    def seconds(members: int) -> float:
        return demand.exchange(
            replace(samples.orders(), partitioning=Partitioning(members, message=1e-5, byte=1e-9)), work
        )

    assert seconds(1) == 0
    assert seconds(4) == pytest.approx(0.75 + 2 * 12 * 1e-5)


def test_all_wait_for_the_fullest_member_and_for_the_slowest() -> None:
    def slow(**parts: float) -> float:
        return demand.slowest(replace(samples.orders(), partitioning=replace(Partitioning(8), **parts)))  # type: ignore[arg-type]

    assert slow() == 1
    assert slow(skew=0.5) == pytest.approx(1.5)
    assert slow(varies=0.1) == pytest.approx(1 + 0.1 * math.sqrt(2 * math.log(8)))


def test_oversized_pool_takes_only_its_tables_memory() -> None:
    machine = samples.orders()
    pages = sum(store.pages for store in machine.stores)
    full = replace(machine, pools=(replace(machine.pools[0], pages=pages),))
    larger = replace(machine, pools=(replace(machine.pools[0], pages=10 * pages),))
    assert demand.memory_used(larger, 0) == demand.memory_used(full, 0) > demand.memory_used(machine, 0)


@pytest.mark.parametrize(
    ("level", "changes", "expected"), [((9, 7), {}, 5), ((10, 1), {}, 1), ((9, 7), {"clients": 3}, 1)]
)
def test_mincommit_counts_before_10_1_with_many_applications(
    level: tuple[int, int], changes: dict[str, int], expected: int
) -> None:
    machine = configured(samples.orders(), MINCOMMIT="5")
    machine = replace(machine, level=level, work=(replace(machine.work[0], **changes),))  # type: ignore[arg-type]
    assert settings.mincommit(machine) == expected


def test_the_age_of_changed_pages_is_of_the_level() -> None:
    machine = configured(samples.orders(), LOGFILSIZ="1000", SOFTMAX="200")
    assert settings.oldest(machine, 1e6) == pytest.approx(2 * 4096 * 1000 / 1e6)
    assert settings.oldest(configured(machine, SOFTMAX="0"), 1e6) == 240


def test_parallel_io_sets_the_readers_of_a_container() -> None:
    machine = samples.orders()
    space = machine.spaces[0]
    assert settings.prefetch_size(machine, space) == space.extent * space.containers
    more = replace(machine, registry={"DB2_PARALLEL_IO": "*:3"})
    assert settings.prefetch_size(more, space) == 3 * space.extent * space.containers
    assert settings.per_container(replace(machine, registry={"DB2_PARALLEL_IO": "*"}), space) == 6


MIB = 1024.0**2


def test_sort_spills_completely_from_one_byte_too_many() -> None:
    assert not memory.sort(MIB, MIB).spilled
    assert memory.sort(MIB + 1, MIB).written == MIB + 1


@pytest.mark.parametrize(("runs", "heap", "passes"), [(8, 8, 1), (64, 8, 1), (65, 8, 2), (4096, 8, 2), (4097, 8, 3)])
def test_merge_passes_are_the_logarithm_of_runs_to_the_fan_in(runs: int, heap: int, passes: int) -> None:
    assert memory.sort(runs * heap * MIB, heap * MIB).passes == passes  # 8 MiB are 64 merge buffers


def test_a_hybrid_join_writes_only_what_has_no_room() -> None:
    assert memory.hash_join(4 * MIB, 40 * MIB, 3 * MIB).written == pytest.approx(44 * MIB / 4)
    assert not memory.hash_join(4 * MIB, 40 * MIB, 4 * MIB).spilled


@pytest.mark.parametrize(("load", "servers"), [(0.5, 1), (3.0, 2), (10.0, 12)])
def test_the_loss_formula_by_its_definition(load: float, servers: int) -> None:
    terms = [load**n / math.factorial(n) for n in range(servers + 1)]
    assert memory.erlang_loss(load, servers) == pytest.approx(terms[-1] / sum(terms))


def test_shared_sort_memory_gives_less_when_many_sort() -> None:
    assert memory.granted(MIB, 100 * MIB, 2) == pytest.approx(MIB)
    assert memory.granted(MIB, 4 * MIB, 40) < 0.3 * MIB
    assert memory.granted(MIB, math.inf, 1000) == MIB


def test_memory_beyond_the_real_is_the_share_that_is_out() -> None:
    assert memory.overcommitted(20, 16) == pytest.approx(0.2)
    assert memory.overcommitted(10, 16) == 0


def test_conflicts_are_those_of_transactions_that_are_drawn() -> None:
    """Nine others hold half of their 20 locks each, of 5000 rows: how many of 20 requests meet one."""
    draw, met, tries = random.Random(6), 0, 3000
    for _ in range(tries):
        held = {draw.randrange(5000) for _ in range(9) for _ in range(10)}
        met += sum(draw.randrange(5000) in held for _ in range(20))
    assert locks.waiting(10, 20, 5000, 1.0).waits == pytest.approx(met / tries, rel=0.05)


def test_hot_rows_are_fewer_granules() -> None:
    assert locks.granules(zipf(10_000, 0.0)) == pytest.approx(10_000)
    assert locks.granules(zipf(10_000, 1.0)) < 100


def test_waits_grow_with_time_held_and_need_two() -> None:
    assert locks.waiting(10, 20, 5000, 2.0).time == pytest.approx(2 * locks.waiting(10, 20, 5000, 1.0).time)
    assert locks.waiting(1, 20, 5000, 2.0).time == 0


def test_escalation_begins_where_the_list_ends() -> None:
    room = 100 * 4096 / locks.LOCK_BYTES
    assert locks.escalates(room * 0.1, 100, 10, 2) == 0
    assert locks.escalates(room * 0.1 + 1, 100, 10, 2) > 0
    assert locks.escalates(room * 0.1, 100, 10, 40) > 0


def test_a_second_thread_adds_a_part_and_guests_share() -> None:
    assert cpu.capacity(cpu.Processors(8, threads=2, second_thread=0.25)) == 10
    assert cpu.capacity(cpu.Processors(8, virtual=4)) == 4
    assert cpu.capacity(cpu.Processors(8, threads=2, second_thread=0.25, virtual=6, guests=4)) == 2.5


def test_remote_memory_costs_its_share() -> None:
    four = cpu.Processors(32, nodes=4, stalled=0.4, remote=1.5)
    assert cpu.numa_factor(four, bound=True) == 1
    assert cpu.numa_factor(four, bound=False) == pytest.approx(1 + 0.4 * 0.75 * 0.5)


def test_a_guest_that_fits_into_a_node_is_local() -> None:
    assert cpu.remote_share(cpu.Processors(8, nodes=2, virtual=4), bound=False) == 0
    assert cpu.remote_share(cpu.Processors(8, nodes=2, virtual=6), bound=False) == 0.5


def test_scalability_has_a_peak_where_gunther_has_it() -> None:
    p = cpu.Processors(64, contention=0.02, coherency=0.001)
    speed = {n: n / cpu.scalability(p, n) for n in range(1, 65)}
    assert max(speed, key=lambda n: speed[n]) == pytest.approx(math.sqrt(0.98 / 0.001), abs=1)


@pytest.mark.parametrize("size", [18, 473])
def test_larger_pages_walk_less(size: int) -> None:
    power5 = cpu.Translation(2048, 18 * cpu.MIB, 2e-8, 1.2e-7)
    costs = [cpu.walks(power5, size * cpu.GIB, page, 0.8) for page in sorted(set(cpu.LARGE_PAGES.values()))]
    assert costs == sorted(costs, reverse=True)
    assert costs[-1] == pytest.approx(0, abs=1e-12)


def test_more_memory_walks_more() -> None:
    t = cpu.Translation()
    assert cpu.walks(t, 100 * cpu.GIB, 4096, 0.8) > cpu.walks(t, 1 * cpu.GIB, 4096, 0.8)
