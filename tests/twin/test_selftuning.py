"""Self-tuning memory: what is AUTOMATIC gets what it saves most with, what is fixed stays."""

from __future__ import annotations

from dataclasses import replace

from tests.twin import samples, settings
from tests.twin.change import Setting, apply
from tests.twin.cpu import GIB
from tests.twin.days import Day
from tests.twin.machine import Machine, pool
from tests.twin.model import solve
from tests.twin.selftuning import lived, moved, tuned

ALL = [
    *(Setting("dbcfg", name, "AUTOMATIC") for name in ("SORTHEAP", "SHEAPTHRES_SHR", "LOCKLIST", "PCKCACHESZ")),
    Setting("dbcfg", "SELF_TUNING_MEM", "ON"),
]


def automatic(machine: Machine) -> Machine:
    for one in (*(Setting("bufferpool", "SIZE", "AUTOMATIC", each.name) for each in machine.pools), *ALL):
        machine = apply(machine, one)
    return machine


def test_what_becomes_automatic_keeps_its_size_until_it_is_tuned() -> None:
    before, after = samples.both(), automatic(samples.both())
    assert [each.pages for each in after.pools] == [each.pages for each in before.pools]
    assert after.dbcfg["SORTHEAP"] == "AUTOMATIC(256)"
    assert solve(after).throughput == solve(replace(before, dbcfg=after.dbcfg)).throughput


def test_small_pool_and_spilling_sorts_get_free_memory() -> None:
    starved = replace(samples.both(), pools=tuple(replace(each, pages=2000) for each in samples.both().pools))
    after = tuned(automatic(starved))
    assert pool(after, "BP").pages > 100_000
    assert solve(after).response < 0.7 * solve(starved).response
    assert solve(after).memory_used < settings.instance_memory(after)


def test_what_is_fixed_or_not_tuned_stays() -> None:
    machine = samples.both()
    assert tuned(machine) is machine
    fixed = apply(automatic(machine), Setting("bufferpool", "SIZE", "3000", "BP"))
    assert pool(tuned(fixed), "BP").pages == 3000


def test_fixed_instance_memory_bounds_self_tuning() -> None:
    starved = replace(samples.both(), pools=tuple(replace(each, pages=2000) for each in samples.both().pools))
    bound = apply(automatic(starved), Setting("dbmcfg", "INSTANCE_MEMORY", "25"))
    assert solve(tuned(bound)).memory_used <= bound.host.memory / 4
    raised = apply(bound, Setting("dbmcfg", "INSTANCE_MEMORY", "50"))
    assert solve(tuned(raised)).response < solve(tuned(bound)).response


def test_fixed_database_memory_bounds_pools() -> None:
    machine = apply(samples.orders(), Setting("dbcfg", "DATABASE_MEMORY", "100000"))
    assert tuned(machine).pools[0].pages < 100_000 < machine.pools[0].pages


def test_a_step_is_bounded_and_memory_is_kept() -> None:
    """What shrinks by a fifth gives what another may grow by half of."""
    sizes = moved({"A": 1000.0, "B": 100.0}, {"A": 100.0, "B": 1000.0}, 1100.0)
    assert sizes == {"A": 800.0, "B": 150.0}
    assert sum(moved({"A": 1000.0, "B": 1000.0}, {"A": 900.0, "B": 5000.0}, 2000.0).values()) == 2000


def test_self_tuning_follows_the_load_and_does_not_know_the_next() -> None:
    """After a night of reports the morning begins with what the night has left."""
    machine = automatic(replace(samples.both(), host=replace(samples.both().host, memory=4 * GIB)))
    night, morning = (0.05, 1.0), (1.0, 0.05)
    after_night = lived(machine, Day((night,) * 12 + (morning,) * 12), 1e-3)
    short = lived(machine, Day((night,) * 23 + (morning,)), 1e-3)
    assert set(after_night.own) == {night, morning}
    assert pool(after_night.own[morning], "BP").pages > pool(after_night.own[night], "BP").pages
    assert pool(short.own[morning], "BP").pages < pool(after_night.own[morning], "BP").pages


def test_pool_of_temporary_pages_alone_is_tuned() -> None:
    """Joins that spill 600 MB gain by a pool that holds what they spill."""
    starved = replace(samples.reports(), pools=tuple(replace(each, pages=1000) for each in samples.reports().pools))
    machine = apply(automatic(starved), Setting("dbcfg", "SORTHEAP", "256"))
    assert pool(tuned(machine), "TEMP").pages > 10_000
