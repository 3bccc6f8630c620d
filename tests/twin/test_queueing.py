"""The solver of networks against exact solutions and laws that hold whatever the numbers.

Against the simulation of the same machine, throughput and response of each class are within a tenth.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from tests.twin import samples
from tests.twin.machine import Access, Work
from tests.twin.model import settled
from tests.twin.queueing import Flow, Network, Station, exact, exact_servers, solve
from tests.twin.simulation import Simulation

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.twin.machine import Machine


def one_class(demands: list[float], population: int, think: float, *, fair: bool = False) -> Network:
    stations = tuple(Station(str(number), fair=fair) for number in range(len(demands)))
    flows = tuple(Flow(0, number, 1.0, demand) for number, demand in enumerate(demands))
    return Network((float(population),), (think,), stations, flows)


@pytest.mark.parametrize("fair", [True, False])
@pytest.mark.parametrize("population", [1, 2, 5, 20, 100])
@pytest.mark.parametrize("demands", [[0.01], [0.01, 0.02], [0.02, 0.02, 0.02, 0.005]])
def test_single_servers_are_near_exact_mva(demands: list[float], population: int, fair: bool) -> None:
    rate, _ = exact(demands, population, 0.1)
    assert solve(one_class(demands, population, 0.1, fair=fair)).throughput[0] == pytest.approx(rate, rel=0.07)


def test_single_customer_never_waits() -> None:
    assert solve(one_class([0.01, 0.02], 1, 0.0)).response[0] == pytest.approx(0.03, rel=1e-6)


@pytest.mark.parametrize("population", [1, 2, 6, 20, 60])
@pytest.mark.parametrize("servers", [1, 4, 16])
def test_many_servers_are_near_the_machine_repair_model(servers: int, population: int) -> None:
    network = Network((float(population),), (0.02,), (Station("cpu", servers, True, True),), (Flow(0, 0, 1, 0.01),))
    expected = exact_servers(0.01, servers, population, 0.02)
    assert solve(network).throughput[0] == pytest.approx(expected, rel=0.08)


def test_the_machine_repair_model_with_one_server_is_exact_mva() -> None:
    assert exact_servers(0.01, 1, 7, 0.05) == pytest.approx(exact([0.01], 7, 0.05)[0])


def test_an_array_of_queues_is_as_many_single_servers() -> None:
    array = Network((8.0,), (0.0,), (Station("disks", 4),), (Flow(0, 0, 4.0, 0.01),))
    single = one_class([0.01] * 4, 8, 0.0)
    assert solve(array).throughput[0] == pytest.approx(solve(single).throughput[0], rel=1e-6)


def test_littles_law_and_utilisation_law_hold_per_class() -> None:
    flows = (Flow(0, 0, 1, 0.01), Flow(0, 1, 3, 0.004), Flow(1, 0, 2, 0.02), Flow(1, 1, 1, 0.03))
    network = Network((10.0, 4.0), (0.1, 0.5), (Station("cpu", 2, True, True), Station("disk")), flows)
    found = solve(network)
    for number in range(2):
        cycle = network.think[number] + found.response[number]
        assert found.throughput[number] * cycle == pytest.approx(network.population[number])
    assert found.utilisation[1] == pytest.approx(found.throughput[0] * 0.012 + found.throughput[1] * 0.03)
    assert max(found.utilisation) < 1


def test_a_short_service_waits_for_the_long_ones_before_it() -> None:
    flows = (Flow(0, 0, 1, 0.001), Flow(1, 0, 1, 0.1))
    busy = solve(Network((1.0, 1.0), (0.05, 0.0), (Station("disk"),), flows))
    fair = solve(Network((1.0, 1.0), (0.05, 0.0), (Station("cpu", fair=True),), flows))
    assert busy.response[0] > 20 * fair.response[0]


def test_small_crew_causes_waits() -> None:
    def response(cleaners: float) -> float:
        flows = (Flow(0, 0, 1, 0.01), Flow(0, 1, 4, 0.005, crew=0))
        stations = (Station("cpu", 4, True, True), Station("disks", 8))
        return float(solve(Network((8.0,), (0.0,), stations, flows, crews=(cleaners,))).response[0])

    alone = float(solve(Network((8.0,), (0.0,), (Station("cpu", 4, True, True),), (Flow(0, 0, 1, 0.01),))).response[0])
    assert response(1000) == pytest.approx(alone, rel=0.01)
    assert response(1) > response(4) > response(1000)


def test_work_done_meanwhile_hides_as_much_and_no_more() -> None:
    def response(hidden: float) -> float:
        flows = (Flow(0, 0, 1, 0.01, hidden=hidden),)
        return float(solve(Network((1.0,), (0.0,), (Station("disk"),), flows, delay=(0.02,))).response[0])

    assert response(0.004) == pytest.approx(0.026)
    assert response(0.5) == pytest.approx(0.02)


def test_no_station_is_busy_above_all_time() -> None:
    flows = (Flow(0, 0, 1, 0.01), Flow(0, 1, 10, 0.01, hidden=1e-12, ways=16))
    found = solve(Network((1.0,), (0.0,), (Station("cpu", 4), Station("disks", 8)), flows))
    assert found.utilisation[1] == pytest.approx(min(1.0, 0.1 / 8 * found.throughput[0]))
    assert 0.5 < found.utilisation[1] < 1
    assert solve(Network((1.0,), (0.0,), (Station("d", 2),), (Flow(0, 0, 10, 0.01, ways=16),))).throughput[
        0
    ] == pytest.approx(20, rel=0.01)


def by_crew(
    hands: float, hand: float = 1.0, company: float = 0.0, visits: float = 24.0, think: float = 0.05
) -> Network:
    """Two customers with a little work of their own, and visits to 4 disks that a crew carries."""
    own, carried = Flow(0, 0, 1, 0.01), Flow(0, 1, visits, 0.01, crew=0, company=company, hand=hand, never=company > 0)
    return Network((2.0,), (think,), (Station("cpu", 4, True), Station("disks", 4)), (own, carried), (), (hands,))


def test_hands_with_several_visits_each_are_worth_as_many_hands() -> None:
    assert solve(by_crew(2, hand=6)).throughput[0] == pytest.approx(solve(by_crew(12)).throughput[0])
    assert solve(by_crew(2, hand=6)).throughput[0] > 1.2 * solve(by_crew(2)).throughput[0]


@pytest.mark.parametrize("visits", [1, 4, 8])
def test_burst_is_not_counted_twice(visits: float) -> None:
    """With eight hands alone at 4 disks, each finds at most seven others, however seldom they rest."""
    found = solve(by_crew(8, company=7 / 4, visits=visits))
    assert found.residence[1] / visits == pytest.approx(0.01 * (1 + 7 / 4), rel=0.01)


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
