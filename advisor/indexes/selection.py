"""The selection of a set of indexes under a budget of bytes, from the costs of queries with combinations of indexes.

The method is Extend (Schlosser, Kossmann, Boissier, "Efficient scalable multi-attribute index selection using recursive
strategies", ICDE 2019): take the step with the best benefit per byte, again and again. A step adds an index, or replaces
chosen indexes by a longer one that starts with their columns. Extend can stop in a local optimum. A local search
therefore follows: it removes a chosen index that saves little, or adds a promising index or combination and evicts what
is in its way, and fills the budget again.

The result depends on the input and its order alone: no chance, no clock.
"""

from collections.abc import Container, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import reduce
from itertools import combinations as pairs
from itertools import islice
from math import inf, isclose, isfinite
from operator import or_
from typing import Generic, NamedTuple, TypeVar

Index = TypeVar("Index", bound=Hashable)
Query = TypeVar("Query", bound=Hashable)
Combination = TypeVar("Combination", bound=Hashable)
Item = TypeVar("Item", bound=Hashable)

POWERS = (1.0, 0.0)  # of the size by which a benefit is divided: 1 is Extend, 0 ignores sizes
MOVES = 16  # most removed indexes, forced indexes and forced combinations of a round of the local search
ROUNDS = 10  # most rounds of the local search
SAME = 1 + 1e-9  # two benefits whose ratio is less are equal: sums in another order may tell them apart
NOISE = 1e-10  # least benefit, as a share of the cost without indexes: less is rounding

_Plan = tuple[float, int, int]  # cost, needed indexes as bits, position among the plans of its query


class Reason(StrEnum):
    """The reason why a promising index is not in the set."""

    CONTAINED = "a chosen index starts with its columns"
    COVERED = "saves nothing next to the chosen indexes"
    WRITES = "its write cost exceeds its saving"
    TOO_LARGE = "larger than the budget"
    NO_SPACE = "too large for what is left of the budget"
    LIMIT = "the limit on the number of indexes is reached"


@dataclass(frozen=True)
class Rejected(Generic[Index]):
    """A promising index that is not in the set.

    ``alone`` and ``beside`` are its savings without other indexes and next to the chosen ones, before write cost. ``by``
    is the chosen index that contains it, or that serves most of what it would save; None if no index does.
    """

    index: Index
    reason: Reason
    alone: float
    beside: float
    by: Index | None = None


@dataclass(frozen=True)
class Selection(Generic[Index]):
    """The chosen indexes, best benefit per byte first, and the rejected ones, largest saving first.

    ``before`` and ``after`` are the cost of the workload without and with them, including write cost; ``size`` is in bytes.
    """

    chosen: tuple[Index, ...]
    before: float
    after: float
    size: int
    rejected: tuple[Rejected[Index], ...]
    further: tuple[Index, ...] = ()


def select(  # noqa: PLR0913 -- most callers use the defaults
    sizes: Mapping[Index, int],
    combinations: Mapping[Combination, Iterable[Index]],
    costs: Mapping[tuple[Query, Combination], float],
    budget: int,
    *,
    weights: Mapping[Query, float] | None = None,
    write_costs: Mapping[Index, float] | None = None,
    columns: Mapping[Index, Sequence[str]] | None = None,
    most: int | None = None,
) -> Selection[Index]:
    """Return the indexes that lower the cost of a workload most within a budget. Raise ValueError on invalid input.

    sizes         bytes of each candidate index
    combinations  the indexes of each combination; combination 0 needs no entry and has no index
    costs         cost of each query with each combination that matters to it, and with combination 0 or an empty one
    budget        bytes that the chosen indexes may use together
    weights       factor of each query's costs, default 1. Executions, if a cost is one execution's time; executions x
                  measured time, if a cost is the share of that time that is left (1.0 without indexes).
    write_costs   cost of maintaining each index, default 0, in the unit of weight x cost
    columns       qualified columns of each index in order, such as ("SHOP.ORDERS.STATUS", ...). They tell which index is
                  a longer form of another; without them no index is.
    most          the largest number of indexes; None: no limit

    A query costs what its cheapest combination costs that is a subset of the chosen set. The cost of the workload is the
    sum of weight x cost, plus the write costs of the chosen indexes.
    """
    problem = _Problem(sizes, combinations, costs, weights or {}, write_costs or {}, columns or {})
    limits = _Limits(budget, len(sizes) if most is None else most)
    if min(limits) < 0:
        raise ValueError(f"budget {budget}, most {most}: must be at least 0")
    starts = (problem.fill(problem.empty, limits, power, replace=True) for power in POWERS)
    best = problem.improve(min(starts, key=lambda found: (found.total, found.size)), limits)
    ids = list(sizes)
    rejected = (
        Rejected(ids[index], reason, alone, beside, None if by is None else ids[by])
        for index, reason, alone, beside, by in problem.reject(best, limits)
    )
    chosen = tuple(ids[index] for index in problem.order(best, problem.empty))
    more = problem.fill(best, _Limits(sum(problem.sizes), len(ids)), power=1.0)
    further = tuple(ids[index] for index in problem.order(more, best))
    return Selection(chosen, problem.empty.total, best.total, best.size, tuple(rejected), further)


class _Limits(NamedTuple):
    size: int
    number: int


class _Set(NamedTuple):
    """A set of indexes as bits, the plan of each query with it, its size and write cost, and the cost of the workload."""

    mask: int
    plans: tuple[_Plan, ...]
    size: int
    writes: float
    total: float


class _Problem:
    """The workload with indexes and queries as positions, and the plans of each query, cheapest first."""

    def __init__(  # noqa: PLR0913, PLR0917 -- the parts of a workload
        self,
        sizes: Mapping[Index, int],
        combinations: Mapping[Combination, Iterable[Index]],
        costs: Mapping[tuple[Query, Combination], float],
        weights: Mapping[Query, float],
        write_costs: Mapping[Index, float],
        columns: Mapping[Index, Sequence[str]],
    ) -> None:
        position = {index: number for number, index in enumerate(sizes)}
        cheapest: dict[Query, dict[int, float]] = {query: {} for query, _ in costs}
        _check_known("write_costs: index", write_costs, position)
        _check_known("weights: query", weights, cheapest)
        _check_known("columns: index", columns, position)
        _check_numbers("sizes", sizes)
        _check_numbers("write_costs", write_costs)
        _check_numbers("weights", weights)
        _check_numbers("costs", costs)
        needs: dict[Hashable, int] = {0: 0}
        for combination, members in combinations.items():
            unique = set(members)
            _check_known(f"combination {combination}: index", unique, position)
            needs[combination] = sum(1 << position[index] for index in unique)
        _check_known("costs: combination", (combination for _, combination in costs), needs)
        for (query, combination), cost in costs.items():
            known, needed = cheapest[query], needs[combination]
            known[needed] = min(cost * weights.get(query, 1.0), known.get(needed, inf))
        for query, known in cheapest.items():
            if 0 not in known:
                raise ValueError(f"costs: query {query} has no cost without indexes (combination 0)")
        self.sizes = list(sizes.values())
        self.writes = [write_costs.get(index, 0.0) for index in sizes]
        self.plans = [_useful(known) for known in cheapest.values()]
        self.shorter = _prefixes([tuple(columns.get(index, ())) for index in sizes])
        self.measured: dict[int, tuple[int, float]] = {}
        without = tuple(plans[-1] for plans in self.plans)
        self.empty = _Set(0, without, 0, 0.0, sum(plan[0] for plan in without))
        self.least = NOISE * self.empty.total

    def measure(self, mask: int) -> tuple[int, float]:
        """Return the size and the write cost of indexes that a step adds or drops."""
        if mask not in self.measured:
            indexes = list(_bits(mask))
            self.measured[mask] = sum(self.sizes[i] for i in indexes), sum(self.writes[i] for i in indexes)
        return self.measured[mask]

    def savings(self, chosen: _Set) -> dict[int, float]:
        """Return what plans save that lack indexes of a set, per lacking indexes as bits, before write cost."""
        savings: dict[int, float] = {}
        for plans, (now, _, rank) in zip(self.plans, chosen.plans, strict=True):
            counted = set()
            for cost, needed, _ in islice(plans, rank):
                missing = needed & ~chosen.mask
                if missing not in counted:
                    counted.add(missing)
                    savings[missing] = savings.get(missing, 0.0) + now - cost
        return savings

    def add(self, chosen: _Set, added: int) -> _Set:
        have = chosen.mask | added
        found = (
            next((plan for plan in islice(plans, now[2]) if plan[1] & have == plan[1]), now)
            for plans, now in zip(self.plans, chosen.plans, strict=True)
        )
        return self._changed(chosen, have, tuple(found), 1)

    def drop(self, chosen: _Set, dropped: int) -> _Set:
        have, found = chosen.mask & ~dropped, list(chosen.plans)
        for query, (_, needed, rank) in enumerate(chosen.plans):
            if needed & dropped:
                later = islice(self.plans[query], rank + 1, None)
                found[query] = next(plan for plan in later if plan[1] & have == plan[1])
        return self._changed(chosen, have, tuple(found), -1)

    def _changed(self, chosen: _Set, mask: int, plans: tuple[_Plan, ...], sign: int) -> _Set:
        size, write_cost = self.measure(chosen.mask ^ mask)
        writes = chosen.writes + sign * write_cost
        return _Set(mask, plans, chosen.size + sign * size, writes, sum(plan[0] for plan in plans) + writes)

    def fill(self, chosen: _Set, limits: _Limits, power: float, barred: int = 0, replace: bool = False) -> _Set:
        """Take the best step until none helps, and leave out the indexes that save nothing."""
        while True:
            savings = self.savings(chosen)
            longer = {added: chosen.mask & self.shorter.get(added, 0) for added in savings} if replace else {}
            best, score = chosen, 0.0
            for replaced in dict.fromkeys((0, *longer.values())):
                left = self.drop(chosen, replaced) if replaced else chosen
                found = self.savings(left) if replaced else savings
                offered = {added: saving for added, saving in found.items() if longer.get(added, 0) == replaced}
                value, added = self._best_step(chosen, left, offered if replaced else found, limits, power, barred)
                if value > score * SAME:
                    best, score = self.add(left, added), value
            trimmed = self.trim(best)
            if trimmed.mask == chosen.mask:
                return chosen
            chosen = trimmed

    def _best_step(  # noqa: PLR0913, PLR0917 -- what limits a step
        self, chosen: _Set, left: _Set, savings: Mapping[int, float], limits: _Limits, power: float, barred: int
    ) -> tuple[float, int]:
        """Return the best addition to the rest of a set, with its benefit per byte to that power; or zeros."""
        best, score, lost = 0, 0.0, left.total - chosen.total
        for added, saving in savings.items():
            size, write_cost = self.measured.get(added) or self.measure(added)
            benefit = saving - write_cost - lost
            if benefit > self.least and left.size + size <= limits.size and not added & barred:
                value = benefit / max(left.size + size - chosen.size, 1) ** power
                is_better = value > score * SAME or (added < best and value * SAME > score)
                if is_better and (left.mask | added).bit_count() <= limits.number:
                    best, score = added, value
        return score, best

    def trim(self, chosen: _Set) -> _Set:
        """Leave out one index after another that saves no more than its write cost."""
        while True:
            used = reduce(or_, (plan[1] for plan in chosen.plans), 0)
            doubtful = (index for index in _bits(chosen.mask) if self.writes[index] or not used >> index & 1)
            smaller = (self.drop(chosen, 1 << index) for index in doubtful)
            found = next((after for after in smaller if after.total <= chosen.total), None)
            if found is None:
                return chosen
            chosen = found

    def improve(self, chosen: _Set, limits: _Limits) -> _Set:
        """Return the end of a local search: no removal and no forced index of a round leads to a better set."""
        for _ in range(ROUNDS):
            start = chosen
            least = sorted((self.drop(start, 1 << index).total, 1 << index) for index in _bits(start.mask))[:MOVES]
            for _, bit in least:
                for power in (0.0, 1.0):
                    if chosen.mask & bit:
                        chosen = self._better(chosen, self.fill(self.drop(chosen, bit), limits, power, barred=bit))
            for forced in self._promising(chosen, limits):
                if forced & ~chosen.mask:
                    chosen = self._better(chosen, self.fill(self._force(chosen, forced, limits), limits, power=1.0))
            if chosen is start:
                break
        return chosen

    def _better(self, chosen: _Set, other: _Set) -> _Set:
        return other if other.total < chosen.total - self.least else chosen

    def _promising(self, chosen: _Set, limits: _Limits) -> list[int]:
        """Return single indexes and groups, as bits, that save most next to a set if they may evict others."""
        single: list[tuple[float, int]] = []
        several: list[tuple[float, int]] = []
        savings = self.savings(chosen)
        for added, direct in savings.items():
            size, write_cost = self.measure(added)
            group = several if added.bit_count() > 1 else single
            # In other queries, the indexes of a combination also save what they save alone.
            saving = direct + sum(savings.get(1 << i, 0.0) for i in _bits(added) if group is several)
            if saving > write_cost + self.least and size <= limits.size and added.bit_count() <= limits.number:
                group.append((write_cost - saving, added))
        return [added for group in (single, several) for _, added in sorted(group)[:MOVES]]

    def _force(self, chosen: _Set, forced: int, limits: _Limits) -> _Set:
        """Add indexes, and evict others with the least loss per byte until the set fits."""
        full = self.add(chosen, forced)
        power = full.size > limits.size  # if only the number is too large, sizes do not matter
        losses = []
        for bit in (1 << index for index in _bits(full.mask & ~forced)):
            size, _ = self.measure(bit)
            losses.append(((self.drop(full, bit).total - full.total) / max(size, 1) ** power, bit))
        for _, bit in sorted(losses):
            if full.size <= limits.size and full.mask.bit_count() <= limits.number:
                break
            full = self.drop(full, bit)
        return full

    def order(self, chosen: _Set, made: _Set) -> list[int]:
        """Return the indexes of a set that another one lacks, the best benefit per byte next to those before it first."""
        left, ordered = list(_bits(chosen.mask & ~made.mask)), []
        while left:
            savings = self.savings(made)
            rates = [(savings.get(1 << i, 0.0) - self.writes[i]) / max(self.sizes[i], 1) for i in left]
            best = max(rates)  # of equal rates, which sums in another order may tell apart, the first
            ordered.append(left.pop(next(n for n, rate in enumerate(rates) if isclose(rate, best))))
            made = self.add(made, 1 << ordered[-1])
        return ordered

    def reject(self, chosen: _Set, limits: _Limits) -> list[tuple[int, Reason, float, float, int | None]]:
        """Return the unchosen indexes of useful plans, with reason, both savings and the index that serves instead."""
        alone, beside = self.savings(self.empty), self.savings(chosen)
        useful = reduce(or_, alone, 0) & ~chosen.mask
        rejected = []
        for index in _bits(useful):
            saving, by = beside.get(1 << index, 0.0), None
            if saving <= self.least:
                longer = (i for i in _bits(chosen.mask) if self.shorter.get(1 << i, 0) >> index & 1)
                by = next(longer, None)
                reason = Reason.COVERED if by is None else Reason.CONTAINED
                by = self._server(chosen, index) if by is None else by
            elif saving <= self.writes[index] + self.least:
                reason = Reason.WRITES
            elif self.sizes[index] > limits.size:
                reason = Reason.TOO_LARGE
            else:
                reason = Reason.LIMIT if chosen.size + self.sizes[index] <= limits.size else Reason.NO_SPACE
            rejected.append((index, reason, alone.get(1 << index, 0.0), saving, by))
        return sorted(rejected, key=lambda row: -row[2])

    def _server(self, chosen: _Set, index: int) -> int | None:
        """Return the chosen index whose plans save most in the queries that another index helps alone."""
        served: dict[int, float] = {}
        for plans, (now, needed, _) in zip(self.plans, chosen.plans, strict=True):
            if any(plan[1] == 1 << index for plan in plans):
                for server in _bits(needed):
                    served[server] = served.get(server, 0.0) + plans[-1][0] - now
        return max(served, key=lambda server: served[server], default=None)


def _bits(mask: int) -> Iterator[int]:
    """Return the positions of the set bits, lowest first."""
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


def _useful(costs: Mapping[int, float]) -> list[_Plan]:
    """Return plans, cheapest first, without those for which none, one or two of their indexes suffice."""
    kept = []
    for needed, cost in costs.items():
        bits = [1 << index for index in _bits(needed)]
        fewer = {0, *bits, *(one | other for one, other in pairs(bits, 2))} - {needed}
        if all(costs.get(mask, inf) > cost for mask in fewer):
            kept.append((cost, needed))
    return [(cost, needed, rank) for rank, (cost, needed) in enumerate(sorted(kept))]


def _prefixes(columns: Sequence[tuple[str, ...]]) -> dict[int, int]:
    """Return, per index as a bit, the indexes as bits whose columns are its first ones, if there are any."""
    same: dict[tuple[str, ...], int] = {}
    for index, names in enumerate(columns):
        if names:
            same[names] = same.get(names, 0) | 1 << index
    found = (sum(same.get(names[:length], 0) for length in range(1, len(names))) for names in columns)
    return {1 << index: shorter for index, shorter in enumerate(found) if shorter}


def _check_known(what: str, given: Iterable[Item], known: Container[Item]) -> None:
    for item in given:
        if item not in known:
            raise ValueError(f"{what} {item} is unknown")


def _check_numbers(what: str, given: Mapping[Item, float]) -> None:
    for item, number in given.items():
        if not (isfinite(number) and number >= 0):
            raise ValueError(f"{what}: {item} has {number}; must be a number of at least 0")
