"""Closed queueing networks with several classes, solved by approximate mean value analysis.

Sources: Lazowska, Zahorjan, Graham, Sevcik, *Quantitative System Performance* (1984), ch. 6-7 (exact and approximate
MVA, Little's law); Schweitzer (1979) for the approximation; Sakasegawa (1977) for several servers at one
queue; Bard (1979) for queues served first come, first served, with different service times.
Times in seconds, rates per second.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]

FULL = 0.999  # as busy as a station gets
SLOW = 0.1  # damping of queues that crews work on: what they leave to customers rises steeply
GAIN = 0.05  # of the pressure, a round


@dataclass(frozen=True)
class Station:
    """A resource: `shared` is one queue before all servers, otherwise each server has a queue of its own.

    `fair` shares the server among all present (a processor); otherwise it serves first come, first served (a disk).
    """

    name: str
    servers: float = 1
    shared: bool = False
    fair: bool = False


class Flow(NamedTuple):
    """Visits of one class of customers to a station.

    `visits` a transaction, `service` seconds a visit. `hidden` seconds of it a transaction are done while the
    customer does other work; a flow with a `crew` is carried by others (cleaners, prefetchers), who hide all of it as
    long as they are enough (`hidden` 0) or as long as the customer works (`hidden` above 0). `ways` visits are side by
    side; with `never` the customer waits in no case; a visit comes with `company` others of its own kind (a burst), which
    are before it in its queue; each of a crew has `hand` visits under way at once.
    """

    customer: int
    station: int
    visits: float
    service: float
    label: str = ""
    hidden: float = 0.0
    crew: int = -1
    ways: float = 1.0
    company: float = 0.0
    never: bool = False
    hand: float = 1.0


@dataclass(frozen=True)
class Network:
    """Classes by population, think time and further delay (seconds), stations, flows and the sizes of crews."""

    population: tuple[float, ...]
    think: tuple[float, ...]
    stations: tuple[Station, ...]
    flows: tuple[Flow, ...]
    delay: tuple[float, ...] = ()
    crews: tuple[float, ...] = ()


@dataclass
class Solution:
    """Throughput and response time by class; residence and waited-for time by flow (seconds a transaction)."""

    throughput: Floats
    response: Floats
    residence: Floats
    waited: Floats
    queue: Floats
    utilisation: Floats
    pressure: Floats
    rounds: int = 0


@dataclass
class _Arrays:
    """The flows of a network as columns."""

    customer: Ints
    station: Ints
    visits: Floats
    service: Floats
    hidden: Floats
    crew: Ints
    ways: Floats
    company: Floats
    never: Flags
    hand: Floats
    servers: Floats
    shared: Flags
    fair: Flags
    crews: Floats
    less: Floats
    work: Floats = field(init=False)
    here: Floats = field(init=False)
    burst: Floats = field(init=False)
    of_crew: Floats = field(init=False)
    of_station: Floats = field(init=False)

    def __post_init__(self) -> None:
        self.work = self.visits * self.service
        self.here = self._others(self.station)
        self.burst = self._others(self.station * (len(self.crews) + 1) + self.crew + 1)
        self.of_crew = np.equal.outer(np.arange(len(self.crews)), self.crew).astype(np.float64)
        self.of_station = np.equal.outer(np.arange(len(self.servers)), self.station).astype(np.float64)

    def _others(self, place: Ints) -> Floats:
        """A matrix that gives, of an amount by flow, what is at each flow's place when a customer of its class arrives.

        That is the network with one customer less of the class; Schweitzer takes its class's part down by 1/population.
        """
        same = np.equal.outer(place, place)
        own = same & np.equal.outer(self.customer, self.customer)
        return np.asarray(same - own * self.less[self.customer][:, None], dtype=np.float64)


def _arrays(network: Network) -> _Arrays:
    flows, stations = network.flows, network.stations
    return _Arrays(
        np.array([flow.customer for flow in flows], dtype=np.int64),
        np.array([flow.station for flow in flows], dtype=np.int64),
        np.array([flow.visits for flow in flows]),
        np.array([flow.service for flow in flows]),
        np.array([flow.hidden for flow in flows]),
        np.array([flow.crew for flow in flows], dtype=np.int64),
        np.array([flow.ways for flow in flows]),
        np.array([flow.company for flow in flows]),
        np.array([flow.never for flow in flows]),
        np.array([flow.hand for flow in flows]),
        np.array([station.servers for station in stations], dtype=np.float64),
        np.array([station.shared for station in stations]),
        np.array([station.fair for station in stations]),
        np.array(network.crews, dtype=np.float64),
        1.0 / np.maximum(np.array(network.population, dtype=np.float64), 1.0),
    )


def _residence(a: _Arrays, queue: Floats, throughput: Floats) -> tuple[Floats, Floats]:
    """Residence time of each flow, and the part of it that is spent in the queue that others see (seconds).

    At a queue of one server those before it are served first. At one queue before m servers one waits for those who
    wait, and when all servers are busy for the next that ends; all are busy with probability u**(sqrt(2(m+1))-1)
    (Sakasegawa), and only those who wait count as the queue.
    """
    servers, shared = a.servers[a.station], a.shared[a.station]
    present = a.here @ queue
    busy = np.minimum(1.0, np.maximum(0.0, a.here @ (throughput[a.customer] * a.work) / servers))
    all_busy = busy ** np.maximum(1e-9, np.sqrt(2 * (servers + 1)) - 1)
    alone = np.where(shared, a.work / np.minimum(1.0, servers), a.work)
    before = np.where(a.fair[a.station], a.work * present, a.visits * (a.here @ (queue * a.service)))
    wait = np.where(shared, a.work * (present + all_busy), before) / servers + a.work * _burst(a, queue)
    return alone + wait, np.where(shared, wait, alone + wait)


def _burst(a: _Arrays, queue: Floats) -> Floats:
    """Return a visit's predecessors in its own burst, less those of its crew that are at the station on average."""
    there = a.burst @ queue / a.servers[a.station]
    return np.asarray(np.maximum(0.0, a.company - there), dtype=np.float64)


def _waited(a: _Arrays, residence: Floats, occupied: Floats) -> Floats:
    """The part of each flow's residence that its customer waits for (seconds a transaction).

    What a crew of K carries is hidden while by Little's law no more than K are at work; the rest is waited for.
    `occupied` is how many requests of each flow are under way.
    """
    shorter = residence / a.ways
    waited = np.maximum(0.0, shorter - a.hidden)
    if len(a.crews):
        at_work = _by_crew(a, occupied / a.hand)
        uncovered = np.maximum(0.0, 1.0 - a.crews / np.maximum(at_work, 1e-300))[a.crew]
        least = np.where(a.hidden == 0.0, 0.0, waited)
        waited = np.where(a.crew >= 0, np.maximum(least, shorter * uncovered), waited)
    return np.where(a.never, 0.0, waited)


def _by_crew(a: _Arrays, amount: Floats) -> Floats:
    """An amount by flow, by crew."""
    return np.asarray(a.of_crew @ amount, dtype=np.float64)


def _bounded(a: _Arrays, queue: Floats, customers: float) -> Floats:
    """Limit the queues of crews: at most one request for each hand, and for each customer that does the work itself."""
    if not len(a.crews):
        return queue
    most = a.crews + customers * (_by_crew(a, np.where(a.never, 0.0, 1.0)) > 0)
    share = np.minimum(1.0, most / np.maximum(_by_crew(a, queue / a.hand), 1e-300))
    return np.where(a.crew >= 0, queue * share[a.crew], queue)


def _busy(a: _Arrays, throughput: Floats) -> Floats:
    return np.asarray(a.of_station @ (throughput[a.customer] * a.work) / a.servers, dtype=np.float64)


def solve(
    network: Network,
    start: Floats | None = None,
    tolerance: float = 1e-8,
    rounds: int = 4000,
    pressure: Floats | None = None,
) -> Solution:
    """The steady state of a network, by Schweitzer's fixed point with damping; `start` is a first guess of queues.

    A customer's requests that are under way at the same time do not see each other in Schweitzer's estimate. So that
    no station is busy for more than all the time (the asymptotic bound, Lazowska et al., ch. 5), times at a station
    that would be are stretched by a `pressure`, which is found on the way; it is 1 everywhere else.
    """
    a = _arrays(network)
    population = np.array(network.population, dtype=np.float64)
    think = np.array(network.think, dtype=np.float64)
    delay = np.array(network.delay, dtype=np.float64) if network.delay else np.zeros_like(think)
    queue = np.zeros(len(network.flows)) if start is None or len(start) != len(network.flows) else start.copy()
    response = np.zeros_like(population)
    throughput = np.zeros_like(population)
    push = np.ones(len(a.servers)) if pressure is None or len(pressure) != len(a.servers) else pressure.copy()
    step = np.where(a.crew >= 0, SLOW, 0.5)
    residence, waited, done = a.work, a.work, 0
    for done in range(1, rounds + 1):
        residence, queued = (each * push[a.station] for each in _residence(a, queue, throughput))
        waited = _waited(a, residence, queue)
        response = np.bincount(a.customer, weights=waited, minlength=len(population)) + delay
        throughput = population / np.maximum(think + response, 1e-12)
        target = _bounded(a, throughput[a.customer] * queued, float(population.sum()))
        stretched = np.maximum(1.0, push * (1 + GAIN * np.minimum(1.0, _busy(a, throughput) / FULL - 1)))
        moved = float(np.max(np.abs(stretched - push))) if done > 2 else 0.0
        push = stretched if done > 2 else push
        change = float(np.max(np.abs(target - queue) / (1.0 + queue))) if len(queue) else 0.0
        queue = queue + (step if done > 2 else 1.0) * (target - queue)
        if done > 3 and max(change, moved) < tolerance:
            break
    return Solution(throughput, response, residence, waited, queue, _busy(a, throughput), push, done)


def exact(demands: list[float], population: int, think: float = 0.0) -> tuple[float, float]:
    """Throughput and response time of one class at single servers, by exact MVA (Reiser and Lavenberg 1980)."""
    queue = [0.0] * len(demands)
    rate = response = 0.0
    for customers in range(1, population + 1):
        times = [demand * (1 + present) for demand, present in zip(demands, queue, strict=True)]
        response = sum(times)
        rate = customers / (think + response)
        queue = [rate * time for time in times]
    return rate, response


def exact_servers(demand: float, servers: int, population: int, think: float) -> float:
    """Throughput of one queue with several servers and a delay, exactly: the machine repair model (M/M/m//N).

    Lazowska et al., ch. 8: birth and death with rates (N-n)/Z up and min(n, m)/D down.
    """
    weight, weights = 1.0, [1.0]
    for present in range(1, population + 1):
        weight *= (population - present + 1) / think * demand / min(present, servers)
        weights.append(weight)
    return sum(w * min(n, servers) for n, w in enumerate(weights)) / demand / sum(weights)
