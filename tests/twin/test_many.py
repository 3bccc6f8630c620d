"""Random machines: for any numbers, the model comes to rest and its books balance."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from tests.twin import samples
from tests.twin.machine import Partitioning, Work
from tests.twin.model import solve

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.twin.machine import Machine


def drawn(seed: int) -> Machine:
    """One of the samples with hardware, work and configuration drawn over wide ranges."""
    draw = random.Random(seed)
    machine = draw.choice([samples.orders, samples.both, samples.reports])()
    processors = replace(
        machine.host.processors,
        cores=draw.choice([2, 8, 32]),
        nodes=draw.choice([1, 4]),
        coherency=draw.choice([0, 1e-4]),
    )
    disk = replace(
        machine.devices[0],
        disks=draw.choice([2, 12, 100]),
        write_cache=draw.random() < 0.5,
        write_accesses=draw.choice([1, 4]),
        cached=draw.choice([0, 0.5]),
        read_ahead=draw.choice([0, 131072]),
    )
    work = tuple(_drawn_work(draw, each) for each in machine.work)
    dbcfg = {
        "CHNGPGS_THRESH": draw.choice(["5", "30", "60", "99"]),
        "NUM_IOCLEANERS": draw.choice(["1", "8", "AUTOMATIC"]),
        "NUM_IOSERVERS": draw.choice(["1", "8", "AUTOMATIC"]),
        "SORTHEAP": draw.choice(["64", "2048", "50000"]),
        "LOCKLIST": draw.choice(["50", "20000"]),
        "PCKCACHESZ": draw.choice(["100", "10000"]),
        "LOGBUFSZ": draw.choice(["8", "2048"]),
    }
    return replace(
        machine,
        host=replace(machine.host, processors=processors, memory=draw.choice([1, 4, 64]) * 2**30),
        devices=(disk, *machine.devices[1:]),
        pools=tuple(replace(each, pages=int(each.pages * 10 ** draw.uniform(-2, 1.3))) for each in machine.pools),
        spaces=tuple(
            replace(each, prefetch=draw.choice([-1, 0, 32, 256]), file_system_caching=draw.random() < 0.3)
            for each in machine.spaces
        ),
        work=work,
        log_device=draw.choice(["data", "log"]),
        dbcfg=machine.dbcfg | dbcfg,
        registry={"DB2_USE_ALTERNATE_PAGE_CLEANING": draw.choice(["ON", "OFF"])},
        level=draw.choice([(9, 7), (11, 5)]),
        partitioning=Partitioning(draw.choice([1, 1, 4])),
    )


def more_pool(machine: Machine) -> Machine:
    """Pools twice as large."""
    return replace(machine, pools=tuple(replace(each, pages=2 * each.pages) for each in machine.pools))


def more_disks(machine: Machine) -> Machine:
    """Twice the disks, on paths twice as wide."""
    wider = tuple(replace(each, disks=2 * each.disks, path=2 * each.path) for each in machine.devices)
    return replace(machine, devices=wider)


def no_network(machine: Machine) -> Machine:
    """Clients on the host itself."""
    return replace(machine, network_latency=0.0)


def _drawn_work(draw: random.Random, work: Work) -> Work:
    change, run = draw.choice([0, 1, 3]), draw.choice([1.0, 1.0, 4.0])
    accesses = tuple(replace(a, updates=min(a.random, a.updates * change), run=run) for a in work.accesses)
    clients = max(1, int(work.clients * 10 ** draw.uniform(-1.5, 1)))
    return replace(work, accesses=accesses, clients=clients, think=draw.choice([0.0, 0.0, 1.0]))


@pytest.mark.full
@pytest.mark.parametrize("seed", range(80))
def test_it_comes_to_rest_and_its_books_balance(seed: int) -> None:
    machine = drawn(seed)
    found = solve(machine)
    assert found.drift < 1e-3
    assert 0 < max(found.utilisation.values()) < 1.001
    for each, work in zip(found.classes, machine.work, strict=True):
        assert min(each.parts.values()) >= 0
        assert sum(each.parts.values()) == pytest.approx(each.response, rel=1e-6)
        assert each.throughput * (each.response + work.think) == pytest.approx(work.clients, rel=1e-6)


@pytest.mark.full
@pytest.mark.parametrize("better", [more_pool, more_disks, no_network])
@pytest.mark.parametrize("seed", range(20))
def test_what_can_only_help_does_no_harm(seed: int, better: Callable[[Machine], Machine]) -> None:
    machine = drawn(seed)
    machine = replace(machine, host=replace(machine.host, memory=1e12))
    before, after = solve(machine), solve(better(machine))
    gains = [b.throughput / a.throughput for a, b in zip(before.classes, after.classes, strict=True)]
    assert max(gains) > 0.99
