"""From a machine to its steady state: a fixed point between how often pages are found and how fast work is done.

Each round takes throughput and response as given, asks pools, cleaners, log, locks and working memory what follows,
and solves the network of queues with that; rounds are damped. Lazowska et al., ch. 9-12, do the same for
memory, swapping and disks.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from tests.twin import cache, demand, flows, locks, memory, queueing, settings
from tests.twin.buffers import FLOOR, Buffers, buffers
from tests.twin.devices import LogWrites, log_writes
from tests.twin.machine import Machine, device
from tests.twin.outcome import outcome_of
from tests.twin.queueing import Floats, Network, Solution

if TYPE_CHECKING:
    from tests.twin.outcome import Outcome

ROUNDS = 400
INNER = 8
STEPS = ((12, 0.7), (60, 0.5), (ROUNDS + 1, 0.2))  # how far to go, up to which round: what swings is damped more
LEAP = 3.0  # by which factor throughput may move in a round


@dataclass
class State:
    """What is carried from round to round."""

    rate: Floats
    response: Floats
    hold: Floats
    queue: Floats | None = None
    busy: float = 1.0
    log_queue: float = 0.0
    pressure: Floats | None = None
    fastest: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Round:
    """What a round found."""

    plan: flows.Plan
    buffers: Buffers
    solution: Solution
    network: Network
    log: LogWrites
    delays: dict[str, Floats]
    escalated: tuple[float, ...]
    lock_waits: Floats
    package: list[float]
    at_once: float
    used: float
    overcommit: float


def _first(machine: Machine) -> State:
    """A guess: every client has a transaction of thrice its processor time, or of a disk read for each hundredth page."""
    seconds = []
    for work in machine.work:
        pages = sum(access.random + access.sequential for access in work.accesses)
        seconds.append(3 * work.cpu + pages * 0.0001 + 0.001)
    response = np.array(seconds)
    rate = np.array([work.population for work in machine.work]) / (response + [work.think for work in machine.work])
    return State(np.minimum(rate, machine.host.processors.cores / np.array(seconds)), response, response)


def _locking(machine: Machine, state: State) -> tuple[Floats, Floats, tuple[float, ...]]:
    """Waits and seconds of waiting for locks by class, and the share of locks that the list denies.

    A class that gets table locks works one after the other: a single server, for as long as it works without waiting.
    """
    waits, times, denied = [], [], []
    for number, work in enumerate(machine.work):
        active = min(work.population, float(state.rate[number] * state.response[number]))
        share = locks.escalates(
            work.locks, settings.number(machine, "LOCKLIST"), settings.number(machine, "MAXLOCKS"), active
        )
        denied.append(share)
        hold = float(state.hold[number])
        in_turn = (
            queueing.exact([hold], max(1, round(work.population)), work.think)[1] - hold if work.locks > 0 else 0.0
        )
        if share > 0:
            waits.append(1.0 if active > 1 else 0.0)
            times.append(in_turn)
        else:
            granules = locks.granules(cache.zipf(work.hot_rows, work.hot_skew))
            wait = locks.waiting(active, work.locks, granules, float(state.response[number]))
            waits.append(wait.waits)
            times.append(min(wait.time, in_turn))
    return np.array(waits), np.array(times), tuple(denied)


def _log(machine: Machine, state: State) -> LogWrites:
    """The log at the rate of this round."""
    disk = device(machine, machine.log_device)
    sizes = np.array([work.log_bytes for work in machine.work])
    committing = float(state.rate[sizes > 0].sum())
    mean = float((state.rate * sizes).sum()) / committing if committing else 0.0
    bandwidth = min(disk.path, disk.transfer) if not disk.write_cache else disk.path
    latency = settings.log_latency(machine, state.log_queue)
    buffer = settings.size(machine, "LOGBUFSZ")
    members = machine.partitioning.members
    return log_writes(committing / members, mean, latency, bandwidth / members, buffer, settings.mincommit(machine))


def _delays(machine: Machine, state: State, log: LogWrites, lock: Floats, plan: flows.Plan) -> dict[str, Floats]:
    """Seconds a transaction outside the queues, by component and class."""
    logged = np.array([log.wait if work.log_bytes > 0 else 0.0 for work in machine.work])
    wire = [w.statements * machine.network_latency + w.network_bytes / machine.network_bandwidth for w in machine.work]
    overhead = np.array([plan.overhead.get(number, 0.0) for number in range(len(machine.work))])
    return {"log": logged, "lock": lock, "network": np.array(wire), "read": overhead}


def _streams(machine: Machine, state: State) -> dict[str, float]:
    """By device how many scans there are at a time, with an arm's other work counted as half a stream."""
    result = {each.name: 0.0 for each in machine.devices}
    homes = {
        store.name: space.device for store in machine.stores for space in machine.spaces if space.name == store.space
    }
    for number, work in enumerate(machine.work):
        active = min(work.population, float(state.rate[number] * state.response[number]))
        for name in {homes[access.store] for access in work.accesses if access.sequential}:
            result[name] += active
    return result


def _round(machine: Machine, state: State, final: bool) -> Round:
    at_once = demand.sorts_at_once(machine, state.rate, state.response)
    used = demand.memory_used(machine, at_once)
    real = settings.real_memory(machine)
    overcommit = memory.overcommitted(used, real)
    room = max(FLOOR * machine.host.memory, real - used)
    log = _log(machine, state)
    spilled = sum(
        float(state.rate[number]) * demand.work_memory(machine, work, at_once).written
        for number, work in enumerate(machine.work)
    )
    held = buffers(
        machine,
        state.rate,
        state.response,
        log.bytes_per_second,
        overcommit,
        room,
        spilled / demand.temporary_page(machine),
        state.fastest,
    )
    package = demand.package_hits(machine, state.rate)
    streams = _streams(machine, state)
    now = flows.Now(state.rate, state.response, state.busy, held, package, at_once, streams)
    plan = flows.plan(machine, now)
    waits, times, denied = _locking(machine, state)
    delays = _delays(machine, state, log, times, plan)
    total = np.sum(list(delays.values()), axis=0)
    network = Network(
        tuple(work.population for work in machine.work),
        tuple(work.think for work in machine.work),
        flows.stations(machine),
        tuple(plan.flows),
        tuple(float(each) for each in total),
        flows.crews(machine),
    )
    solution = queueing.solve(network, state.queue, 1e-9, 4000 if final else INNER, state.pressure)
    return Round(plan, held, solution, network, log, delays, denied, waits, package, at_once, used, overcommit)


def _fastest(machine: Machine, state: State, found: Round, step: float) -> dict[str, float]:
    """Pages a second that the cleaners can write of each pool: shared in proportion to what each has changed."""
    total = flows.pace(machine, found.plan, found.solution.residence, found.solution.throughput)
    wanted = {name: float((pool.count * pool.cleaning.cleaned).sum()) for name, pool in found.buffers.pools.items()}
    every = sum(wanted.values())
    if every <= 0 or math.isinf(total):
        return state.fastest
    result = {}
    for name, pages in wanted.items():
        now = total * pages / every
        before = state.fastest.get(name, now)
        result[name] = before + step * (now - before) if pages > 0 else before
    return result


def _log_queue(machine: Machine, found: Round) -> float:
    """Return the requests at a disk of the log's device."""
    at = 1 + 2 * [each.name for each in machine.devices].index(machine.log_device)
    there = sum(q for q, flow in zip(found.solution.queue, found.network.flows, strict=True) if flow.station == at)
    return float(there) / device(machine, machine.log_device).disks


def solve(machine: Machine, tolerance: float = 1e-6) -> Outcome:
    """The steady state of a machine. Deterministic."""
    found, done, drift = settled(machine, tolerance)
    return outcome_of(machine, found, done, drift)


def settled(machine: Machine, tolerance: float = 1e-6) -> tuple[Round, int, float]:
    """The last round, how many there were, and by which share throughput still moved."""
    state = _first(machine)
    drift, done = 1.0, 0
    for done in range(1, ROUNDS + 1):
        found = _round(machine, state, final=False)
        rate, response = found.solution.throughput, found.solution.response
        rate = np.clip(rate, state.rate / LEAP, state.rate * LEAP)
        drift = float(np.max(np.abs(rate - state.rate) / np.maximum(rate, 1e-12)))
        busy = float(found.solution.utilisation[0]) * found.network.stations[0].servers
        step = next(step for until, step in STEPS if done < until)
        state = State(
            state.rate + step * (rate - state.rate),
            state.response + step * (response - state.response),
            state.hold + step * (response - found.delays["lock"] - state.hold),
            found.solution.queue,
            state.busy + step * (busy - state.busy),
            state.log_queue + step * (_log_queue(machine, found) - state.log_queue),
            found.solution.pressure,
            _fastest(machine, state, found, step),
        )
        if drift < tolerance and done > 5:
            break
    return _round(machine, state, final=True), done, drift
