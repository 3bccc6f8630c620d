"""The drawn sites vary as widely as real ones, and carrying out what the program advises makes them no worse.

The bounds of the sample are what was measured here on 60 sites, with room for a change or two. The targets are narrower:
at most 1 % harm, 80 % within low..high.
"""

from __future__ import annotations

import random
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from advisor.judgement.advice import Setting as Advised
from tests.twin import figures, samples
from tests.twin.change import Setting, apply
from tests.twin.cpu import GIB
from tests.twin.days import Levels, even, gained
from tests.twin.drawing import CLOSE, LARGE, MOST_BUSY, SOLD, DrawnSite, Knowledge, _machine, lived_with, site
from tests.twin.machine import Host, Partitioning, space
from tests.twin.model import solve
from tests.twin.study import Trial, Walk, advised, carry_out_nightly, translated, trials

if TYPE_CHECKING:
    from collections.abc import Callable

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


HARM_AT_MOST, COVERED_AT_LEAST, PAIRS_AT_LEAST = 0.06, 0.65, 0.7


def one(kind: str, name: str, of: str | None, proposed: str | None, member: int | None = None) -> Advised:
    return Advised(kind, name, of, member, f"{kind}:{name}", "1", proposed, None)


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        (one("DBCFG", "LOGBUFSZ", "TWIN", "2048"), Setting("dbcfg", "LOGBUFSZ", "2048", "TWIN")),
        (one("DBCFG", "LOCKLIST", "TWIN", "5000 AUTOMATIC"), Setting("dbcfg", "LOCKLIST", "AUTOMATIC(5000)", "TWIN")),
        (one("DBCFG", "SORTHEAP", "TWIN", "AUTOMATIC"), Setting("dbcfg", "SORTHEAP", "AUTOMATIC", "TWIN")),
        (one("DBCFG", "NUM_IOCLEANERS", None, "AUTOMATIC"), Setting("dbcfg", "NUM_IOCLEANERS", "AUTOMATIC")),
        (
            one("TABLESPACE", "FS_CACHING", "DATA", "NO FILE SYSTEM CACHING"),
            Setting("tablespace", "FILE SYSTEM CACHING", "NO", "DATA"),
        ),
        (one("BUFFERPOOL", "SIZE", "BP", "5000"), Setting("bufferpool", "SIZE", "20000", "BP")),
        (one("TABLE", "COMPRESS", "T", "YES"), None),
        (one("BUFFERPOOL", "SIZE", "BP", "100", member=3), None),
    ],
)
def test_a_setting_in_the_models_words(given: Advised, wanted: Setting | None) -> None:
    """The size of a pool is one of four members'; of a heap the model does not know what self-tuning makes of it."""
    machine = replace(samples.reports(), partitioning=Partitioning(4))
    assert translated(machine, given) == wanted


def test_change_without_effect_gains_zero_and_worse_costs() -> None:
    machine = samples.reports()
    before = Levels(machine)

    def with_it(setting: Setting) -> float:
        return gained(before, Levels(apply(machine, setting)), even(machine).whole)

    assert with_it(Setting("dbmcfg", "INTRA_PARALLEL", "NO")) == pytest.approx(0, abs=1e-6)
    assert with_it(Setting("tablespace", "PREFETCHSIZE", "8", "FACTS")) < -0.1


@pytest.mark.full
def test_scans_that_wait_for_prefetchers_gain_what_is_promised() -> None:
    """Requests of 32 pages from containers of 24 read one or two of the four at a time."""
    machine = apply(samples.reports(), Setting("tablespace", "PREFETCHSIZE", "32", "FACTS"))
    assert space(machine, "FACTS").extent == 24
    here = DrawnSite(0, Levels(machine), even(machine))
    (advice,) = advised([here])
    (trial,) = [each for each in trials(here, advice) if each.rule == "prefetch.size-misaligned"]
    assert trial.settings == (Setting("tablespace", "PREFETCHSIZE", "96", "FACTS"),)
    assert trial.covered


@pytest.mark.full
@pytest.mark.parametrize("snapshots", [1, 2])
def test_advice_comes_with_and_without_facts_and_of_one_snapshot(snapshots: int) -> None:
    here = site(86)
    advice = advised([replace(here, knowledge=Knowledge(known, 60.0, snapshots)) for known in (True, False)])
    assert all(each.window.usable for each in advice)
    assert all(each.ranked for each in advice)


def tried(seeds: list[int]) -> list[Trial]:
    sites = [site(seed) for seed in seeds]
    return [each for one, advice in zip(sites, advised(sites), strict=True) for each in trials(one, advice)]


@pytest.mark.full
def test_rates_on_some_sites() -> None:
    found = tried(list(range(60)))
    assert len(found) > 12
    assert figures.mean(each.harms for each in found) <= HARM_AT_MOST
    assert figures.mean(each.covered for each in found) >= COVERED_AT_LEAST
    assert figures.ordered(found) >= PAIRS_AT_LEAST


@pytest.mark.full
@pytest.mark.parametrize(
    ("sample", "small"),
    [
        (samples.orders, Setting("dbcfg", "PCKCACHESZ", "32")),
        (samples.orders, Setting("bufferpool", "SIZE", "1000", "BP")),
        (samples.both, Setting("bufferpool", "SIZE", "1000", "BP")),
        (samples.reports, Setting("dbcfg", "SORTHEAP", "16")),
        (samples.reports, Setting("dbcfg", "NUM_IOSERVERS", "1")),
    ],
    ids=lambda value: getattr(value, "name", None) or value.__name__,
)
def test_two_nights_reach_most_of_ten(sample: Callable[[], Machine], small: Setting) -> None:
    """The rest of the machine has what its lists advise."""
    (healthy,) = carry_out_nightly([_walk(sample())], 10)
    walk = _walk(apply(healthy.now.machine, small))
    carry_out_nightly([walk], 2)
    two_nights = walk.gained
    carry_out_nightly([walk], 8)
    assert two_nights >= 0.8 * walk.gained > 10


def _walk(machine: Machine) -> Walk:
    one = DrawnSite(1, Levels(machine, CLOSE), even(machine), Knowledge())
    return Walk(one.levels, one)
