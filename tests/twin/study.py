"""Is the advice right? Machines are drawn, judged, changed as they are advised, and solved again.

A recommendation is carried out by itself, as far as the model has an opinion of what it sets. What it is worth is the
share of response time that it takes away, with transactions weighed as they came before.
"""

from __future__ import annotations

import random
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from advisor.capture import opened
from advisor.catalogue.rules import all_rules
from advisor.judge.many import judge
from tests.twin import capturing, samples
from tests.twin.change import Setting, apply, modelled
from tests.twin.model import solve

if TYPE_CHECKING:
    from collections.abc import Iterable

    from advisor.judge.advice import Advice, Recommendation
    from advisor.judge.advice import Setting as Advised
    from tests.twin.machine import Machine, Pool
    from tests.twin.outcome import Outcome

INTERVAL_S = 1800.0
KINDS = {
    "DBCFG": "dbcfg",
    "DBMCFG": "dbmcfg",
    "REGISTRY": "registry",
    "BUFFERPOOL": "bufferpool",
    "TABLESPACE": "tablespace",
}


@dataclass(frozen=True)
class Trial:
    """A recommendation that was carried out: what it promised and what it did, percent of response time."""

    seed: int
    rule: str
    settings: tuple[Setting, ...]
    rank: int
    low: float
    promised: float
    high: float
    gained: float


def drawn(seed: int) -> Machine:
    """A machine as sites have them: most of the configuration sensible or as it was made, some of it wrong."""
    draw = random.Random(seed)
    machine = draw.choice([samples.orders, samples.both, samples.reports])()
    processors = replace(machine.host.processors, cores=draw.choice([4, 8, 16, 32]))
    data = replace(
        machine.devices[0],
        disks=draw.choice([4, 8, 16, 48]),
        write_cache=draw.random() < 0.7,
        write_accesses=draw.choice([1, 2, 4]),
    )
    dbcfg = {
        "CHNGPGS_THRESH": draw.choice(["60", "60", "80", "20", "5"]),
        "NUM_IOCLEANERS": draw.choice(["AUTOMATIC", "AUTOMATIC", "1", "8"]),
        "NUM_IOSERVERS": draw.choice(["AUTOMATIC", "AUTOMATIC", "3", "16"]),
        "SORTHEAP": draw.choice(["256", "2048", "16000"]),
        "SHEAPTHRES_SHR": draw.choice(["5000", "100000"]),
        "LOCKLIST": draw.choice(["100", "4096", "20000"]),
        "PCKCACHESZ": draw.choice(["320", "4000", "20000"]),
        "LOGBUFSZ": draw.choice(["8", "256", "2048"]),
    }
    return replace(
        machine,
        host=replace(machine.host, processors=processors, memory=draw.choice([4, 16, 64]) * 2**30),
        devices=(data, *machine.devices[1:]),
        pools=tuple(_drawn_pool(draw, each) for each in machine.pools),
        spaces=tuple(replace(each, prefetch=draw.choice([-1, -1, 16, 32, 128])) for each in machine.spaces),
        work=tuple(replace(each, clients=max(1, round(each.clients * 10 ** draw.uniform(-1, 0.5)))) for each in machine.work),
        log_device=draw.choice(["log", "log", "data"]),
        dbcfg=machine.dbcfg | dbcfg,
    )  # fmt: skip


def _drawn_pool(draw: random.Random, pool: Pool) -> Pool:
    return replace(pool, pages=round(pool.pages * 10 ** draw.uniform(-1.5, 0.5)))


def advised(machines: Iterable[Machine]) -> list[Advice]:
    """What each machine is advised, of a capture of it."""
    rules = list(all_rules().values())
    with TemporaryDirectory(prefix="db2tune-twin-") as folder, ExitStack() as stack:
        captures = []
        for number, machine in enumerate(machines):
            place = Path(folder) / str(number)
            capturing.write(machine, place, INTERVAL_S)
            captures.append(stack.enter_context(opened(place)))
        return list(judge((capture, rules) for capture in captures))


def trials(seed: int, machine: Machine, advice: Advice) -> list[Trial]:
    """Each recommendation of lane P that the model can carry out, by itself."""
    before = solve(machine)
    found = []
    for item in advice.ranked:
        wanted = tuple(map(translated, item.settings))
        if item.lane == "P" and wanted and all(one is not None and modelled(one) for one in wanted):
            done = _carried_out(machine, [one for one in wanted if one is not None])
            if done is not None:
                found.append(_trial(seed, item, wanted, gained(before, solve(done))))
    return found


def _trial(seed: int, item: Recommendation, done: tuple[Setting | None, ...], share: float) -> Trial:
    settings = tuple(one for one in done if one is not None)
    rank = item.rank or 0
    return Trial(seed, item.rule.name, settings, rank, item.benefit_low, item.benefit, item.benefit_high, 100 * share)


def translated(one: Advised) -> Setting | None:
    """A setting in the model's words; None for one that no model of a server could know."""
    if one.kind not in KINDS or one.proposed is None or one.member is not None:
        return None
    name, value = one.name, one.proposed.split()[-1]
    if one.name == "FS_CACHING":
        name, value = "FILE SYSTEM CACHING", "NO" if one.proposed.startswith("NO ") else "YES"
    return Setting(KINDS[one.kind], name, value, one.object or "")


def _carried_out(machine: Machine, wanted: list[Setting]) -> Machine | None:
    """The machine with all of it; None where an object or a value is none that the model knows."""
    try:
        for one in wanted:
            machine = apply(machine, one)
    except ValueError:
        return None
    return machine


def gained(before: Outcome, after: Outcome) -> float:
    """The share of response time that went away, from 0 to 1; below 0 where it grew."""
    old = sum(each.throughput * each.response for each in before.classes)
    new = sum(a.throughput * b.response for a, b in zip(before.classes, after.classes, strict=True))
    return 1 - new / old
