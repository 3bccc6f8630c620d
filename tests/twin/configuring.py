"""Configurations as they are met: as the database was made, as consultants leave it, and with mistakes.

Defaults are those of 9.7 to 12.1 (IBM, "Database configuration parameters"); self-tuning memory gives pools and heaps
what a tuned system has, not always well. Pages of 4 KB but for pools.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tests.twin import demand
from tests.twin.selftuning import tuned

if TYPE_CHECKING:
    import random
    from collections.abc import Callable

    from tests.twin.machine import Machine

Change = "Callable[[random.Random, Machine], Machine]"


def configured(draw: random.Random, machine: Machine) -> Machine:
    """The machine with a configuration of some origin, with up to three mistakes."""
    origin = draw.choice([as_made, as_made, self_tuning, self_tuning, by_consultant, by_consultant])
    machine = origin(draw, machine)
    wrong = draw.choice([0, 0, 1, 1, 2, 3])
    for mistake in draw.sample(MISTAKES, wrong):
        machine = mistake(draw, machine)
    return tuned(bounded(draw, machine))


def bounded(draw: random.Random, machine: Machine) -> Machine:
    """The machine with fixed bounds of memory, as some have them: of the instance, with other programs on the host, or of a database."""
    kind = draw.choice(["instance", "shared", "database", "", "", "", "", ""])
    part = draw.choice([0.25, 0.5, 0.75])
    if kind == "database":
        pages = int(part * machine.host.memory / machine.partitioning.members / 4096)
        return _with(machine, DATABASE_MEMORY=str(pages))
    if not kind:
        return machine
    if kind == "shared":
        left = (1 - part) * machine.host.memory * draw.uniform(0.3, 0.8)
        machine = replace(machine, host=replace(machine.host, others=left))
    pages = int(part * machine.host.memory / machine.partitioning.members / 4096)
    return replace(machine, dbmcfg=machine.dbmcfg | {"INSTANCE_MEMORY": str(pages)})


def pooled(draw: random.Random, machine: Machine, share: float) -> Machine:
    """All pools together that share of real memory, in uneven parts, none larger than what it is for by much."""
    weights = [draw.uniform(0.3, 1) * (0.15 if each.name == "BPT" else 1) for each in machine.pools]
    spread = [share * machine.host.memory * weight / sum(weights) for weight in weights]
    pairs = zip(machine.pools, spread, strict=True)
    return replace(
        machine, pools=tuple(replace(pool, pages=max(1000, int(size / pool.page_size))) for pool, size in pairs)
    )


def as_made(draw: random.Random, machine: Machine) -> Machine:
    """Return the machine as CREATE DATABASE leaves it, without self-tuning: fixed heaps, pools of guessed sizes."""
    machine = pooled(draw, machine, draw.choice([0.01, 0.05, 0.2]))
    return _with(machine, SELF_TUNING_MEM="OFF", PCKCACHESZ=draw.choice(["320", "1280"]))


def self_tuning(draw: random.Random, machine: Machine) -> Machine:
    """Pools and heaps are AUTOMATIC; these are what they begin with."""
    machine = pooled(draw, machine, draw.uniform(0.3, 0.75))
    machine = replace(machine, pools=tuple(replace(each, automatic=True) for each in machine.pools))
    heap = int(machine.host.memory * draw.choice([0.0005, 0.005]) / 4096)
    return _with(
        machine,
        SELF_TUNING_MEM="ON",
        SORTHEAP=f"AUTOMATIC({heap})",
        SHEAPTHRES_SHR=f"AUTOMATIC({20 * heap})",
        LOCKLIST=f"AUTOMATIC({draw.choice([4096, 20000])})",
        MAXLOCKS="AUTOMATIC(98)",
        PCKCACHESZ=f"AUTOMATIC({draw.choice([4000, 30000])})",
        LOGBUFSZ=draw.choice(["256", "2048"]),
    )


def by_consultant(draw: random.Random, machine: Machine) -> Machine:
    """Round numbers that have served before."""
    machine = pooled(draw, machine, draw.choice([0.3, 0.5, 0.6]))
    disks = max(each.disks for each in machine.devices)
    if draw.random() < 0.3:
        machine = replace(machine, registry=machine.registry | {"DB2_USE_ALTERNATE_PAGE_CLEANING": "ON"})
    if draw.random() < 0.3:
        machine = replace(machine, registry=machine.registry | {"DB2_PARALLEL_IO": "*"})
    sizes = draw.choice([-1, -1, 32, 64, 128])
    machine = replace(machine, spaces=tuple(replace(each, prefetch=sizes) for each in machine.spaces))
    return _with(
        machine,
        SELF_TUNING_MEM="OFF",
        CHNGPGS_THRESH=draw.choice(["20", "30", "40", "60"]),
        NUM_IOCLEANERS=draw.choice(["AUTOMATIC", str(max(1, machine.host.processors.logical)), "10"]),
        NUM_IOSERVERS=draw.choice(["AUTOMATIC", str(disks + 2), "12"]),
        SORTHEAP=draw.choice(["2048", "10000", "32768"]),
        SHEAPTHRES_SHR=draw.choice(["50000", "200000"]),
        LOCKLIST=draw.choice(["10000", "50000"]),
        MAXLOCKS=draw.choice(["10", "22", "60"]),
        PCKCACHESZ=draw.choice(["8192", "40000"]),
        LOGBUFSZ=draw.choice(["512", "2048"]),
        CATALOGCACHE_SZ=draw.choice(["300", "1000"]),
    )


def _with(machine: Machine, **values: str) -> Machine:
    return replace(machine, dbcfg=machine.dbcfg | values)


def _setting(name: str, *values: str) -> Callable[[random.Random, Machine], Machine]:
    def mistake(draw: random.Random, machine: Machine) -> Machine:
        return _with(machine, **{name: draw.choice(values)})

    return mistake


def _small_pool(draw: random.Random, machine: Machine) -> Machine:
    """One pool as small as the first one of a new database."""
    wrong = draw.choice(machine.pools).name
    pages = draw.choice([1000, 10_000])
    pools = tuple(replace(each, pages=pages, automatic=False) if each.name == wrong else each for each in machine.pools)
    return replace(machine, pools=pools)


def _spaces(draw: random.Random, machine: Machine) -> Machine:
    """Table spaces that are read ahead too little, or that the file system caches as well."""
    prefetch, cached = draw.choice([(-1, True), (8, False), (16, False), (0, False), (32, True)])
    spaces = tuple(replace(each, prefetch=prefetch, file_system_caching=cached) for each in machine.spaces)
    return replace(machine, spaces=spaces)


def _log_with_data(draw: random.Random, machine: Machine) -> Machine:
    return replace(machine, log_device="data")


def _swapped_pools(draw: random.Random, machine: Machine) -> Machine:
    """The pool of temporary pages has the memory, the others have what it needs."""
    names = [each.name for each in machine.pools]
    if demand.temporary_pool(machine) not in names or len(names) < 2:
        return machine
    sizes = sorted(each.pages for each in machine.pools)
    own = demand.temporary_pool(machine)
    pools = (replace(each, pages=sizes[-1] if each.name == own else sizes[0]) for each in machine.pools)
    return replace(machine, pools=tuple(pools))


MISTAKES: list[Callable[[random.Random, Machine], Machine]] = [
    _setting("CHNGPGS_THRESH", "5", "99"),
    _setting("NUM_IOCLEANERS", "1", "2"),
    _setting("NUM_IOSERVERS", "1", "3"),
    _setting("SORTHEAP", "16", "256"),
    _setting("SHEAPTHRES_SHR", "250", "1000", "5000"),
    _setting("LOCKLIST", "50", "100"),
    _setting("MAXLOCKS", "1", "5"),
    _setting("PCKCACHESZ", "80", "160"),
    _setting("LOGBUFSZ", "8", "16"),
    _setting("CATALOGCACHE_SZ", "16", "40"),
    _setting("SEQDETECT", "NO"),
    _setting("SOFTMAX", "10", "1000"),
    _small_pool,
    _small_pool,
    _spaces,
    _spaces,
    _log_with_data,
    _swapped_pools,
]
