"""What Db2 would show of a machine: how counters are made, and what each class of work does.

Each counter is computed at its finest grain (table space and member, class and member, or member) and cut to a whole
number there; what is above is the sum of it, so that all levels agree in every snapshot. Source: IBM, "Monitor
elements": times in milliseconds, TOTAL_CPU_TIME in microseconds, log pages of 4 KB.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from tests.twin import demand, flows
from tests.twin.cpu import numa_factor, scalability

if TYPE_CHECKING:
    from tests.twin.machine import Machine, Work
    from tests.twin.model import Round
    from tests.twin.outcome import Outcome
    from tests.twin.queueing import Flow

Row = dict[str, Any]
Counters = dict[str, float]
MS = 1000.0
ACTIVATED = datetime(2026, 3, 2, 8, 0, 0)


@dataclass(frozen=True)
class Shown:
    """A machine, its outcome and the last round behind it, as seen `uptime` seconds after activation."""

    machine: Machine
    outcome: Outcome
    found: Round
    uptime: float
    activated: datetime = ACTIVATED

    @property
    def members(self) -> range:
        """Numbers of the members."""
        return range(self.machine.partitioning.members)

    def cut(self, rate: float) -> int:
        """What a counter shows of a rate a second of all members together, at one of them."""
        return math.floor(rate * self.uptime / len(self.members) + 1e-9)


@dataclass(frozen=True)
class Class:
    """A class of work, a second: processor, working memory, and what spills, in bytes that leave their pool or not.

    `processor` are seconds of processors for its requests, `sorting` and `sorted` seconds of sections that sort (work,
    and work with the temporary pages), `spill_reads` and `spill_writes` seconds waited for temporary pages.
    """

    rate: float
    processor: float
    sorting: float
    sorted: float
    spilled: float
    read_back: float
    outside: float
    spill_reads: float
    spill_writes: float


def share(part: float, whole: float) -> float:
    """A part of a whole; of nothing, none."""
    return part / whole if whole > 0 else 0.0


def waited(shown: Shown, component: str) -> float:
    """Seconds of a component that all transactions wait, a second."""
    return sum(each.throughput * each.parts[component] for each in shown.outcome.classes)


def classes(shown: Shown) -> list[Class]:
    """All classes of work."""
    return [_class(shown, number) for number in range(len(shown.machine.work))]


def _class(shown: Shown, number: int) -> Class:
    machine, found, outcome = shown.machine, shown.found, shown.outcome.classes[number]
    working, rate, parts = found.plan.working[number], outcome.throughput, outcome.parts
    mine = [
        (flow, float(seconds))
        for flow, seconds in zip(found.network.flows, found.solution.waited, strict=True)
        if flow.customer == number
    ]
    reads, writes = _spill_waits([each for each in mine if each[0].label == "temporary"], working)
    demands = {flow.label: flow.visits * flow.service for flow, _ in mine if _of_agents(flow)}
    slower = _slower(shown)
    sorting = parts["cpu"] * share(working.cpu * slower, demands.get("cpu", 0.0))
    alone = demand.work_memory(machine, _sorts_only(shown, number), found.at_once)
    waits = parts["temporary"] * share(alone.written, working.written)
    busy = min(demands.get("cpu", 0.0) + demands.get("fcm", 0.0), parts["cpu"] + parts["fcm"])
    return Class(
        rate,
        rate * busy,
        rate * sorting,
        rate * (sorting + waits),
        rate * working.written,
        rate * working.read,
        _outside(shown, outcome.response),
        rate * reads,
        rate * writes,
    )


def _of_agents(flow: Flow) -> bool:
    return flow.station == flows.CPU and not flow.never


def _slower(shown: Shown) -> float:
    """How much longer instructions take, as the model has it of the last round."""
    p = shown.machine.host.processors
    busy = float(shown.found.solution.utilisation[0]) * shown.found.network.stations[0].servers
    return numa_factor(p, shown.machine.host.bound) * scalability(p, busy) * (1 + p.overhead)


def _sorts_only(shown: Shown, number: int) -> Work:
    return replace(shown.machine.work[number], joins=())


def _spill_waits(of: list[tuple[Flow, float]], working: demand.WorkMemory) -> tuple[float, float]:
    """Seconds waited for temporary pages to come back and to go out; the path is shared by what it carries."""
    back = sum(seconds for flow, seconds in of if flow.crew == flows.PREFETCHERS)
    out = sum(seconds for flow, seconds in of if flow.crew == flows.SPILLS)
    path = sum(seconds for flow, seconds in of if flow.crew not in (flows.PREFETCHERS, flows.SPILLS))
    carried = share(working.read, working.read + working.written)
    return back + path * carried, out + path * (1 - carried)


def _outside(shown: Shown, response: float) -> float:
    """The share of spilled pages that leave their pool before they are read again."""
    machine = shown.machine
    if not machine.temporary:
        return 0.0
    time = shown.found.buffers.pools[demand.temporary_pool(machine)].contents.time
    return 1 - demand.temporary_found(machine, time, response)
