"""A setting changes what it names and nothing else, and self-tuning memory moves only what is AUTOMATIC."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.twin import samples, settings
from tests.twin.change import Setting, apply, modelled
from tests.twin.cpu import GIB
from tests.twin.days import Day
from tests.twin.machine import Machine, pool
from tests.twin.model import solve
from tests.twin.papers import linux_z
from tests.twin.selftuning import lived, moved, tuned


@pytest.mark.parametrize(
    ("setting", "field"),
    [
        (Setting("bufferpool", "SIZE", "300000", "BP"), "pools"),
        (Setting("tablespace", "PREFETCHSIZE", "0", "TABLES"), "spaces"),
        (Setting("tablespace", "EXTENTSIZE", "16", "TABLES"), "spaces"),
        (Setting("tablespace", "CONTAINERS", "8", "TABLES"), "spaces"),
        (Setting("tablespace", "FILE SYSTEM CACHING", "YES", "TABLES"), "spaces"),
        (Setting("dbcfg", "chngpgs_thresh", "30"), "dbcfg"),
        (Setting("dbmcfg", "SHEAPTHRES", "0"), "dbmcfg"),
        (Setting("registry", "DB2_PARALLEL_IO", "*:4"), "registry"),
        (Setting("host", "MEMORY", "4e9"), "host"),
        (Setting("host", "VIRTUAL", "4"), "host"),
        (Setting("device", "DISKS", "48", "data"), "devices"),
    ],
)
def test_one_thing_is_another(setting: Setting, field: str) -> None:
    before = samples.orders()
    after = apply(before, setting)
    assert getattr(after, field) != getattr(before, field)
    assert replace(after, **{field: getattr(before, field)}) == before


@pytest.mark.parametrize(
    "setting",
    [
        Setting("bufferpool", "SIZE", "1", "NONE"),
        Setting("tablespace", "COLOUR", "1", "TABLES"),
        Setting("tablespace", "BUFFERPOOL", "NONE", "TABLES"),
        Setting("weather", "SUN", "1"),
    ],
)
def test_what_is_not_there_is_refused(setting: Setting) -> None:
    with pytest.raises(ValueError, match=r"no"):
        apply(samples.orders(), setting)


def test_undone_it_answers_as_before() -> None:
    machine = samples.orders()
    there = apply(machine, Setting("bufferpool", "SIZE", "900000", "BP"))
    back = apply(there, Setting("bufferpool", "SIZE", "250000", "BP"))
    assert solve(there).throughput > 1.2 * solve(machine).throughput
    assert solve(back) == solve(machine)


def test_the_first_milestone_by_its_settings() -> None:
    machine = linux_z.start()
    for space in machine.spaces:
        machine = apply(machine, Setting("tablespace", "PREFETCHSIZE", "0", space.name))
    machine = apply(machine, Setting("device", "READ AHEAD", "0", "ds8000"))
    assert replace(machine, devices=()) == replace(linux_z.no_read_ahead(linux_z.start()), devices=())
    assert solve(machine).throughput > 1.2 * solve(linux_z.start()).throughput


def test_large_pages_come_with_their_variable() -> None:
    machine = apply(samples.orders(), Setting("registry", "DB2_LARGE_PAGE_MEM", "DB"))
    assert machine.host.large_page == 2 * 1024 * 1024


def test_model_has_no_opinion_on_unknown_changes() -> None:
    machine = samples.orders()
    known, unknown = Setting("dbcfg", "LOGBUFSZ", "8"), Setting("dbcfg", "DLCHKTIME", "3000")
    assert modelled(known)
    assert not modelled(unknown)
    assert solve(apply(machine, unknown)) == solve(machine)
    assert solve(apply(machine, known)) != solve(machine)


def test_log_moves_to_the_device_that_has_nothing_else() -> None:
    """A path that the host facts name, or the only one that a person could choose."""
    beside = replace(samples.orders(), log_device="data")
    for path in ("/db2/log/log", ""):
        moved = apply(beside, Setting("dbcfg", "NEWLOGPATH", path))
        assert moved.log_device == "log"
        assert solve(moved).response < solve(beside).response
    with pytest.raises(ValueError, match="no device"):
        apply(moved, Setting("dbcfg", "NEWLOGPATH", ""))


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
