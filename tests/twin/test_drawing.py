"""Tests that the drawn sites vary as widely as real ones, and that users could accept each of them."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from tests.twin import samples
from tests.twin.cpu import GIB
from tests.twin.days import even
from tests.twin.drawing import LARGE, MOST_BUSY, SOLD, _machine, lived_with, site
from tests.twin.machine import Host
from tests.twin.model import solve

if TYPE_CHECKING:
    from tests.twin.machine import Machine


@pytest.mark.full
def test_the_same_number_is_the_same_site() -> None:
    assert site(5) == site(5) != site(6)


def test_full_or_abandoned_machine_is_not_drawn() -> None:
    def named(clients: int, **changes: object) -> Machine:
        work = tuple(replace(each, name="order", think=1.0, clients=clients) for each in samples.orders().work)
        return replace(samples.orders(), work=work, **changes)  # type: ignore[arg-type]

    fits = named(20)
    assert lived_with(fits, solve(fits))
    paged = replace(fits, host=replace(fits.host, memory=2.0**30))
    assert not lived_with(paged, solve(paged))
    crowded = named(5000)
    assert not lived_with(crowded, solve(crowded))


@pytest.mark.full
def test_sites_are_of_all_kinds() -> None:
    sites = [site(seed) for seed in range(80)]
    machines = [each.machine for each in sites]
    assert {each.level for each in machines} == {(9, 7), (10, 1), (10, 5), (11, 1), (11, 5), (12, 1)}
    assert {each.dbcfg["SELF_TUNING_MEM"] for each in machines} == {"ON", "OFF"}
    assert {each.devices[0].rpm for each in machines} >= {0.0, 7200.0, 15000.0}
    assert {each.devices[0].write_accesses for each in machines} >= {1.0, 2.0, 4.0}
    assert {bool(each.host.processors.virtual) for each in machines} == {True, False}
    assert {len(each.work) for each in machines} >= {1, 2}
    assert max(each.partitioning.members for each in machines) > 1
    assert {each.knowledge.snapshots for each in sites} == {1, 2}
    assert {each.knowledge.facts for each in sites} == {True, False}
    assert {work.name for each in machines for work in each.work} == {"order", "change", "report"}
    busiest = [max(each.levels.at(even(each.machine).hours[0]).outcome.utilisation.values()) for each in sites]
    assert min(busiest) < 0.2
    assert 0.7 < max(busiest) <= MOST_BUSY


def test_other_distributions_have_what_rules_were_not_tuned_on() -> None:
    usual, other = ([_machine(random.Random(seed), family) for seed in range(40)] for family in (False, True))
    assert not any(store.hot for machine in usual for store in machine.stores)
    assert all(store.hot for machine in other for store in machine.stores if store.name != "FACT")
    both = [machine for machine in other if len(machine.work) > 1 and machine.temporary]
    assert any(len(machine.pools) == 1 for machine in both if machine.spaces[0].name == "TABLES")
    assert {machine.host.memory / GIB for machine in usual} < {float(size) for size in SOLD if size < LARGE}
    assert min(machine.host.memory for machine in other) >= LARGE * GIB
    guests = [machine.host for machine in other if machine.host.processors.virtual]
    assert all(host.io_cpu > Host(host.processors).io_cpu for host in guests)


def test_some_machines_have_bounds_of_memory_and_other_programs() -> None:
    machines = [_machine(random.Random(seed), False) for seed in range(60)]
    assert any("INSTANCE_MEMORY" in machine.dbmcfg for machine in machines)
    assert any("DATABASE_MEMORY" in machine.dbcfg for machine in machines)
    assert any(machine.host.others > 0 for machine in machines)
