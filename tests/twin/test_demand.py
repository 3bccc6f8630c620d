"""What a transaction asks for: caches of statements and of the catalog, members, memory, one piece at a time."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from tests.twin import demand, samples, settings
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
