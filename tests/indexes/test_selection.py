"""Index selection against exact answers, a search over all subsets, and public what-if costs."""

import random
import re
import time
from dataclasses import dataclass, field
from itertools import chain, combinations, pairwise
from pathlib import Path

import pytest

from advisor.indexes.selection import Reason, Selection, select

FOLDER = Path(__file__).parents[3] / "shared" / "index-selection"

_SIZE = re.compile(r"(\d+) (\d+) # \[(.*)\]")
_COMBINATION = re.compile(r"set indexes_per_combination\[(\d+)\]:= ([\d ]*);")
_COST = re.compile(r"(\d+) (\d+) (\S+)")
_QUERIES = re.compile(r"set QUERIES := ([\d ]+);")


@dataclass
class Costs:
    """The arguments of ``select`` with the numbers of the file."""

    sizes: dict[int, int] = field(default_factory=dict)
    combinations: dict[int, tuple[int, ...]] = field(default_factory=dict)
    costs: dict[tuple[int, int], float] = field(default_factory=dict)
    columns: dict[int, tuple[str, ...]] = field(default_factory=dict)


def load_costs(path: Path) -> Costs:
    """Return the costs of the queries in ``set QUERIES``; the file also has costs of others, which are errors."""
    loaded, queries = Costs(), set[int]()
    for line in path.read_text(encoding="utf-8").splitlines():
        if found := _SIZE.fullmatch(line):
            loaded.sizes[int(found[1])] = int(found[2])
            loaded.columns[int(found[1])] = tuple(found[3].replace("'", "").split(", "))
        elif found := _COMBINATION.fullmatch(line):
            loaded.combinations[int(found[1])] = tuple(int(index) for index in found[2].split())
        elif found := _QUERIES.fullmatch(line):
            queries = {int(query) for query in found[1].split()}
        elif (found := _COST.fullmatch(line)) and int(found[1]) in queries:
            loaded.costs[int(found[1]), int(found[2])] = float(found[3])
    return loaded


MB = 1_000_000
POINTS = 2.0  # most distance from the optimum, in percent of the cost without indexes
SECONDS = 5.0  # of processor time

# The share of the cost that the optimum leaves, in percent, per budget in bytes: an integer program solved exactly.
OPTIMA = [
    ("tpch", 500 * MB, 97.336),
    ("tpch", 1_500 * MB, 94.681),
    ("tpch", 3_000 * MB, 78.611),
    ("tpch", 5_000 * MB, 72.063),
    ("tpch", 10_000 * MB, 67.626),
    ("job", 500 * MB, 79.621),
    ("job", 1_500 * MB, 58.417),
    ("job", 4_000 * MB, 31.830),
]

# Two queries and three indexes: 1 helps query "a", 2 helps "b", 3 helps both a little less and is large.
SIZES = {1: 10, 2: 10, 3: 15}
COMBINATIONS = {0: (), 1: (1,), 2: (2,), 3: (3,), 12: (1, 2)}
COSTS = {("a", 0): 100.0, ("b", 0): 50.0, ("a", 1): 10.0, ("b", 2): 5.0, ("a", 3): 20.0, ("b", 3): 20.0}


class Workload:
    """A small random workload, and its exact cost with any set of indexes."""

    def __init__(self, seed: int) -> None:
        draw = random.Random(seed)
        indexes = range(1, draw.randint(4, 9) + 1)
        self.sizes = {index: draw.randint(1, 100) for index in indexes}
        groups = [group for size in (1, 2, 3) for group in combinations(indexes, size)]
        self.combinations: dict[int, tuple[int, ...]] = dict(
            enumerate(draw.sample(groups, draw.randint(4, min(20, len(groups)))), 1)
        )
        self.costs = {(query, 0): draw.uniform(10, 1_000) for query in range(draw.randint(1, 8))}
        for query, _ in list(self.costs):
            for combination in self.combinations:
                if draw.random() < 0.6:
                    self.costs[query, combination] = self.costs[query, 0] * draw.uniform(0.01, 1.1)
        self.weights = {query: draw.choice([1.0, 1.0, 10.0]) for query, _ in self.costs}
        self.write_costs = {index: draw.choice([0.0, 0.0, draw.uniform(1, 200)]) for index in indexes}
        self.budget = int(sum(self.sizes.values()) * draw.uniform(0.1, 1.0))

    def select(self, budget: int, most: int | None = None) -> Selection[int]:
        return select(
            self.sizes,
            self.combinations,
            self.costs,
            budget,
            weights=self.weights,
            write_costs=self.write_costs,
            most=most,
        )

    def cost(self, chosen: tuple[int, ...]) -> float:
        cheapest: dict[int, float] = {}
        for (query, combination), cost in self.costs.items():
            if set(self.combinations.get(combination, ())) <= set(chosen):
                cheapest[query] = min(cheapest.get(query, cost), cost)
        return sum(self.weights[query] * cost for query, cost in cheapest.items()) + sum(
            self.write_costs[index] for index in chosen
        )

    def least_cost(self, budget: int, most: int) -> float:
        subsets = chain.from_iterable(combinations(self.sizes, size) for size in range(most + 1))
        return min(self.cost(chosen) for chosen in subsets if sum(self.sizes[index] for index in chosen) <= budget)


@pytest.mark.parametrize("most", [None, 1, 3])
def test_small_workloads_are_near_the_optimum(most: int | None) -> None:
    for seed in range(150):
        workload = Workload(seed)
        found = workload.select(workload.budget, most)
        limit = len(workload.sizes) if most is None else min(most, len(workload.sizes))
        optimum = workload.least_cost(workload.budget, limit)
        assert found.after == pytest.approx(workload.cost(found.chosen)), seed
        assert found.before == pytest.approx(workload.cost(())), seed
        assert found.size == sum(workload.sizes[index] for index in found.chosen) <= workload.budget, seed
        assert len(found.chosen) <= limit, seed
        assert 100 * (found.after - optimum) / found.before <= POINTS, seed
        assert found.after <= workload.least_cost(workload.budget, 1) * (1 + 1e-9), seed


def test_each_chosen_index_saves_something() -> None:
    for seed in range(150):
        workload = Workload(seed)
        chosen = workload.select(workload.budget).chosen
        for index in chosen:
            assert workload.cost(chosen) < workload.cost(tuple(other for other in chosen if other != index)), seed


def test_more_budget_seldom_costs_more() -> None:
    worse, pairs = [], 0
    for seed in range(100):
        workload = Workload(seed)
        afters = [workload.select(sum(workload.sizes.values()) * tenth // 10) for tenth in range(11)]
        for smaller, larger in pairwise(afters):
            pairs += 1
            if larger.after > smaller.after * (1 + 1e-9):
                worse.append(100 * (larger.after - smaller.after) / smaller.before)
    print(f"{len(worse)} of {pairs} steps to a larger budget cost more, at most {max(worse, default=0):.2f} points")
    assert len(worse) <= pairs / 100
    assert max(worse, default=0) <= POINTS


def test_two_small_indexes_beat_one_large() -> None:
    found = select(SIZES, COMBINATIONS, COSTS, 20)
    assert found.chosen == (1, 2)
    assert (found.before, found.after, found.size) == (150.0, 15.0, 20)
    assert [(row.index, row.reason, row.alone, row.beside, row.by) for row in found.rejected] == [
        (3, Reason.COVERED, 110.0, 0.0, 1)
    ]


def test_budget_for_one_takes_the_best_that_fits() -> None:
    found = select(SIZES, COMBINATIONS, COSTS, 15)
    assert found.chosen == (3,)
    assert [(row.index, row.reason, row.beside) for row in found.rejected] == [
        (1, Reason.NO_SPACE, 10.0),
        (2, Reason.NO_SPACE, 15.0),
    ]


def test_budget_zero_selects_nothing() -> None:
    found = select(SIZES, COMBINATIONS, COSTS, 0)
    assert (found.chosen, found.before, found.after, found.size) == ((), 150.0, 150.0, 0)
    assert {row.reason for row in found.rejected} == {Reason.TOO_LARGE}


def test_weight_decides_between_queries() -> None:
    assert select(SIZES, COMBINATIONS, COSTS, 10).chosen == (1,)
    assert select(SIZES, COMBINATIONS, COSTS, 10, weights={"b": 3.0}).chosen == (2,)


def test_write_cost_above_saving_rejects_index() -> None:
    found = select(SIZES, COMBINATIONS, COSTS, 20, write_costs={2: 45.0, 3: 120.0})
    assert (found.chosen, found.after) == ((1,), 60.0)
    assert {row.index: row.reason for row in found.rejected} == {3: Reason.WRITES, 2: Reason.WRITES}


def test_write_cost_is_part_of_the_cost() -> None:
    assert select(SIZES, COMBINATIONS, COSTS, 20, write_costs={1: 10.0}).after == 25.0


def test_limit_on_the_number_rejects_the_next() -> None:
    found = select(SIZES, COMBINATIONS, COSTS, 20, most=1)
    assert found.chosen == (3,)
    assert {row.index: row.reason for row in select(SIZES, COMBINATIONS, COSTS, 100, most=1).rejected} == {
        1: Reason.LIMIT,
        2: Reason.LIMIT,
    }


def test_pair_that_helps_only_together_is_found() -> None:
    costs = {("a", 0): 100.0, ("a", 12): 1.0, ("b", 0): 10.0, ("b", 3): 9.0}
    assert select(SIZES, COMBINATIONS, costs, 20).chosen == (1, 2)


def test_longer_index_replaces_the_shorter_one() -> None:
    columns = {1: ("ORDERS.STATUS",), 2: ("ORDERS.PLACED",), 3: ("ORDERS.STATUS", "ORDERS.PLACED")}
    costs = {("a", 0): 100.0, ("a", 1): 20.0, ("a", 3): 19.0, ("b", 0): 50.0, ("b", 3): 10.0}
    found = select(SIZES, COMBINATIONS, costs, 20, columns=columns)
    assert found.chosen == (3,)
    assert [(row.index, row.reason, row.by) for row in found.rejected] == [(1, Reason.CONTAINED, 3)]


def test_useless_index_is_not_mentioned() -> None:
    found = select(SIZES, COMBINATIONS, {("a", 0): 100.0, ("a", 1): 100.0, ("a", 2): 50.0}, 100)
    assert (found.chosen, found.rejected) == ((2,), ())


def test_empty_combination_is_the_cost_without_indexes() -> None:
    assert select({1: 10}, {"none": (), "one": (1,)}, {("a", "none"): 9.0, ("a", "one"): 4.0}, 10).after == 4.0


def test_no_queries_select_nothing() -> None:
    assert select(SIZES, COMBINATIONS, {}, 100).chosen == ()


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"costs": COSTS | {("a", 99): 1.0}}, "costs: combination 99 is unknown"),
        ({"combinations": {1: (7,)}}, "combination 1: index 7 is unknown"),
        ({"costs": {("a", 1): 1.0}}, "query a has no cost without indexes"),
        ({"weights": {"c": 1.0}}, "weights: query c is unknown"),
        ({"write_costs": {9: 1.0}}, "write_costs: index 9 is unknown"),
        ({"columns": {9: ("A",)}}, "columns: index 9 is unknown"),
        ({"sizes": SIZES | {1: -1}}, "sizes: 1 has -1; must be a number of at least 0"),
        ({"costs": {("a", 0): float("nan")}}, "costs: .* has nan"),
        ({"budget": -1}, "budget -1"),
        ({"most": -1}, "most -1"),
    ],
)
def test_invalid_input_raises_an_error(changed: dict[str, object], message: str) -> None:
    given = {"sizes": SIZES, "combinations": COMBINATIONS, "costs": COSTS, "budget": 20} | changed
    with pytest.raises(ValueError, match=message):
        select(**given)


@pytest.mark.full
@pytest.mark.parametrize(("name", "budget", "optimum"), OPTIMA)
def test_public_costs_are_near_the_optimum(name: str, budget: int, optimum: float) -> None:
    if not FOLDER.is_dir():
        pytest.skip(f"no public what-if costs in {FOLDER}")
    given = load_costs(FOLDER / f"cophy_{name}.txt")
    started = time.process_time()
    found = select(given.sizes, given.combinations, given.costs, budget, columns=given.columns)
    seconds = time.process_time() - started
    left = 100 * found.after / found.before
    print(
        f"{name} {budget // MB} MB: {left:.3f} % left, optimum {optimum} %, {len(found.chosen)} indexes, {seconds:.1f} s"
    )
    assert left <= optimum + POINTS
    assert left >= optimum - 0.001
    assert seconds < SECONDS
