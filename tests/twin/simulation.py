"""The same network as the model solves, event by event: clients, processors, disks with queues, a logger, cleaners.

It shares only the description of the network with the solver. Services are drawn (exponential), each request goes to a
random disk, the logger serves all waiting commits at once, and each of the cleaners does one page at a time. Law and
Kelton, *Simulation Modeling and Analysis*, ch. 1: the event list. Times in seconds.
"""

from __future__ import annotations

import heapq
import random
from collections import deque
from collections.abc import Generator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.twin.queueing import Flow, Network

Steps = Generator[tuple[str, float, float], None, None]


@dataclass
class Server:
    """Servers with one queue, first come, first served."""

    servers: int
    free: int = 0
    waiting: deque[tuple[Task, float]] = field(default_factory=deque)


@dataclass
class Task:
    """Something that goes on by itself: its steps, and what waits for its end."""

    steps: Steps
    parent: Task | None = None
    open: int = 0


@dataclass
class Counted:
    """Transactions and their seconds since the warm-up, by class."""

    done: list[int]
    seconds: list[float]


class Simulation:
    """A network that runs for a given number of transactions; the first quarter is warm-up."""

    def __init__(self, network: Network, log: dict[int, float], log_write: float, transactions: int) -> None:
        self.network, self.draw = network, random.Random(11)
        self.log, self.log_write = log, log_write
        self.events: list[tuple[float, int, Task]] = []
        self.now, self.number, self.total, self.target = 0.0, 0, 0, transactions
        self.queues: list[list[Server]] = []
        for station in network.stations:
            count = 1 if station.shared else max(1, round(station.servers))
            self.queues.append([Server(max(1, round(station.servers)) if station.shared else 1) for _ in range(count)])
        for queue in (one for all_of in self.queues for one in all_of):
            queue.free = queue.servers
        self.crews = [Server(max(1, round(size)), max(1, round(size))) for size in network.crews]
        self.owed = [0] * len(network.crews)
        self.committing: list[Task] = []
        self.writing: list[Task] = []
        self.logger_busy = False
        classes = len(network.population)
        self.counted, self.since = Counted([0] * classes, [0.0] * classes), 0.0

    def run(self) -> list[tuple[float, float]]:
        """Throughput and response time by class."""
        for number, population in enumerate(self.network.population):
            for _ in range(round(population)):
                self._go(Task(self._client(number)))
        while self.total < self.target:
            self.now, _, task = heapq.heappop(self.events)
            self._go(task)
        spent = self.now - self.since
        pairs = zip(self.counted.done, self.counted.seconds, strict=True)
        return [(done / spent, seconds / max(1, done)) for done, seconds in pairs]

    def _later(self, seconds: float, task: Task) -> None:
        self.number += 1
        heapq.heappush(self.events, (self.now + seconds, self.number, task))

    def _go(self, task: Task) -> None:
        """One step on: `use` a server, `wait`, `commit`, or wait for children (`join`)."""
        try:
            kind, where, seconds = next(task.steps)
        except StopIteration:
            if task.parent is not None:
                task.parent.open -= 1
                if task.parent.open == 0:
                    self._later(0.0, task.parent)
            return
        if kind == "wait":
            self._later(seconds, task)
        elif kind == "use":
            self._use(self._queue(int(where)), task, seconds)
        elif kind == "crew":
            self._use(self.crews[int(where)], task, -1.0)
        elif kind == "commit":
            self.committing.append(task)
            if not self.logger_busy:
                self._go(Task(self._logger()))

    def _queue(self, station: int) -> Server:
        queues = self.queues[station]
        return queues[self.draw.randrange(len(queues))] if len(queues) > 1 else queues[0]

    def _use(self, server: Server, task: Task, seconds: float) -> None:
        if server.free:
            server.free -= 1
            self._serve(server, task, seconds)
        else:
            server.waiting.append((task, seconds))

    def _serve(self, server: Server, task: Task, seconds: float) -> None:
        if seconds < 0:  # a place in a crew, given back by _leave
            self._later(0.0, task)
        else:
            self._later(seconds, Task(self._served(server, task)))

    def _served(self, server: Server, task: Task) -> Steps:
        self._leave(server)
        self._go(task)
        return
        yield

    def _leave(self, server: Server) -> None:
        server.free += 1
        if server.waiting:
            server.free -= 1
            self._serve(server, *server.waiting.popleft())

    def _logger(self) -> Steps:
        self.logger_busy = True
        while self.committing:
            self.writing, self.committing = self.committing, []
            group = self.writing
            yield "wait", 0, self.log_write
            for task in group:
                self._later(0.0, task)
            yield "wait", 0, 0.0
        self.logger_busy = False

    def _times(self, flow: Flow) -> int:
        """Visits of this transaction: the whole part, and one more by chance."""
        whole = int(flow.visits)
        return whole + (self.draw.random() < flow.visits - whole)

    def _client(self, number: int) -> Steps:
        network, draw = self.network, self.draw
        mine = [flow for flow in network.flows if flow.customer == number and flow.visits * flow.service > 0]
        processor = sum(flow.visits * flow.service for flow in mine if flow.station == 0 and flow.crew < 0)
        waited = [flow for flow in mine if flow.station and flow.crew < 0 and flow.hidden == 0]
        others = [flow for flow in mine if flow.crew >= 0 or flow.hidden > 0]
        yield "wait", 0, draw.random() * (network.think[number] + 0.1)
        while True:
            if network.think[number]:
                yield "wait", 0, draw.expovariate(1 / network.think[number])
            begun = self.now
            for flow in others:
                for _ in range(self._times(flow)):
                    yield from self._hand_over(flow)
            visits = [flow for flow in waited for _ in range(self._times(flow))]
            draw.shuffle(visits)
            burst = processor / (len(visits) + 1)
            yield "use", 0, draw.expovariate(1 / burst)
            for visit in visits:
                yield "use", visit.station, draw.expovariate(1 / visit.service)
                yield "use", 0, draw.expovariate(1 / burst)
            if network.delay and network.delay[number] > 0:
                yield "wait", 0, network.delay[number]
            if number in self.log:
                yield "commit", 0, 0.0
            self._count(number, self.now - begun)

    def _hand_over(self, flow: Flow) -> Steps:
        """Do a crew's work: parallel to the client while the crew has free hands, else by the client."""
        seconds = self.draw.expovariate(1 / flow.service)
        if not flow.never and flow.crew >= 0 and self.owed[flow.crew] >= self.network.crews[flow.crew]:
            yield "use", flow.station, seconds
            return
        if flow.crew >= 0:
            self.owed[flow.crew] += 1
        self._later(0.0, Task(self._carried(flow, seconds)))

    def _carried(self, flow: Flow, seconds: float) -> Steps:
        yield "use", flow.station, seconds
        if flow.crew >= 0:
            self.owed[flow.crew] -= 1

    def _count(self, number: int, seconds: float) -> None:
        self.total += 1
        if self.total <= self.target // 4:
            self.since = self.now
            return
        self.counted.done[number] += 1
        self.counted.seconds[number] += seconds
