"""A setting changes what it names and nothing else, and the model answers."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.twin import samples
from tests.twin.change import Setting, apply, modelled
from tests.twin.model import solve
from tests.twin.papers import linux_z


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
