"""The solver against the simulation of the same machine: throughput and response of each class within a tenth."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from tests.twin import samples
from tests.twin.machine import Access, Work
from tests.twin.model import settled
from tests.twin.simulation import Simulation

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.twin.machine import Machine


def in_memory(clients: int, think: float) -> Machine:
    """Return orders whose pages are all in the pool: only the processors and the log are limits."""
    machine = samples.orders()
    work = replace(machine.work[0], clients=clients, think=think)
    return replace(machine, pools=(replace(machine.pools[0], pages=2_300_000),), work=(work,))


def with_batch() -> Machine:
    """Return orders together with a class that changes many pages: cleaners and agents write."""
    machine = samples.orders(30)
    batch = Work("batch", 6, 0.02, (Access("ORDERS", random=150, updates=60),), log_bytes=60_000)
    return replace(machine, work=(*machine.work, batch))


def check(machine: Machine, transactions: int) -> None:
    """Solve and simulate; the solver's delays but the log's are taken as they are, the log is simulated."""
    found = settled(machine)[0]
    waited = np.sum([seconds for name, seconds in found.delays.items() if name != "log"], axis=0)
    commits = {number: 1.0 for number, work in enumerate(machine.work) if work.log_bytes > 0}
    network = replace(found.network, delay=tuple(float(each) for each in waited))
    drawn = Simulation(network, commits, found.log.write_time, transactions).run()
    for number, (throughput, response) in enumerate(drawn):
        assert found.solution.throughput[number] == pytest.approx(throughput, rel=0.10)
        assert found.solution.response[number] == pytest.approx(response, rel=0.10)


def test_an_array_that_is_busy() -> None:
    check(samples.orders(), 3000)


@pytest.mark.full
@pytest.mark.parametrize(
    ("machine", "transactions"),
    [
        (lambda: samples.orders(8), 8000),
        (lambda: in_memory(60, 0.0), 20_000),
        (lambda: in_memory(120, 0.05), 20_000),
        (with_batch, 8000),
    ],
)
def test_few_clients_processors_thinking_and_two_classes(machine: Callable[[], Machine], transactions: int) -> None:
    check(machine(), transactions)
