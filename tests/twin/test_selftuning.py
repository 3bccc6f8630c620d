"""Self-tuning memory: what is AUTOMATIC gets what it saves most with, what is fixed stays."""

from __future__ import annotations

from dataclasses import replace

from tests.twin import samples
from tests.twin.change import Setting, apply
from tests.twin.machine import Machine, pool
from tests.twin.model import solve
from tests.twin.selftuning import TAKEN, tuned

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
    assert solve(after).memory_used < TAKEN * after.host.memory


def test_what_is_fixed_or_not_tuned_stays() -> None:
    machine = samples.both()
    assert tuned(machine) is machine
    fixed = apply(automatic(machine), Setting("bufferpool", "SIZE", "3000", "BP"))
    assert pool(tuned(fixed), "BP").pages == 3000
