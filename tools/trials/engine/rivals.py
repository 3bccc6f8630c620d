"""Other ways to choose indexes, each within the limits of the product, from HypoPG's what-if costs."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from tools.trials.engine.cases import Definition
from tools.trials.engine.whatif import WhatIf

LEAST = 0.001  # share of the time of all statements that an index must save
POOL = 12  # indexes whose subsets are all compared
OFFERED = 60  # indexes of a step of the search


@dataclass(frozen=True)
class Limits:
    """The largest size of a list in bytes, and its largest number of indexes."""

    bytes: int
    number: int

    def allow(self, whatif: WhatIf, chosen: Collection[Definition]) -> bool:
        """Return whether a list keeps the limits."""
        return len(chosen) <= self.number and whatif.size(chosen) <= self.bytes


def useful(whatif: WhatIf, definitions: Iterable[Definition]) -> list[Definition]:
    """Return the indexes that save time alone, the largest saving per byte first."""
    now = whatif.time(())
    savings = {each: now - whatif.time([each]) for each in definitions}
    found = [each for each, saving in savings.items() if saving > LEAST * now]
    return sorted(found, key=lambda each: -savings[each] / whatif.size([each]))


def choose_per_statement(whatif: WhatIf, offered: Sequence[Definition], limits: Limits) -> list[Definition]:
    """Return the best single index of each statement, the largest saving per byte first."""
    best: dict[Definition, float] = {}
    for text in whatif.engine.texts:
        times = {each: whatif.time_of(text, [each]) for each in offered if each.table in whatif.tables[text]}
        found = min(times, key=times.__getitem__, default=None)
        saved = whatif.time_of(text, ()) - times[found] if found else 0.0
        if found and saved > 0:
            best[found] = best.get(found, 0.0) + saved
    chosen: list[Definition] = []
    for each in sorted(best, key=lambda each: -best[each] / whatif.size([each])):
        if limits.allow(whatif, [*chosen, each]):
            chosen.append(each)
    return chosen


def choose_by_search(
    whatif: WhatIf, offered: Sequence[Definition], limits: Limits, starts: Iterable[Collection[Definition]]
) -> list[Definition]:
    """Return the best of greedy searches with exchanges, then of all subsets of the most promising indexes."""
    found = [_exchange(whatif, offered, limits, list(start), power) for start in ((), *starts) for power in (1, 0)]
    best = min(found, key=whatif.time)
    pool = list(dict.fromkeys((*best, *(each for other in found for each in other), *offered)))[:POOL]
    rest = [each for each in best if each not in pool]
    subsets = ([*subset, *rest] for size in range(len(pool) + 1) for subset in combinations(pool, size))
    return min((subset for subset in subsets if limits.allow(whatif, subset)), key=whatif.time)


def _exchange(
    whatif: WhatIf, offered: Sequence[Definition], limits: Limits, chosen: list[Definition], power: int
) -> list[Definition]:
    """Add the index with the best saving per byte, or of all, and exchange chosen ones, until nothing saves more."""
    while True:
        chosen = _grow(whatif, offered, limits, chosen, power)
        now = whatif.time(chosen)
        found = chosen
        for gone in chosen:
            rest = [each for each in chosen if each != gone]
            grown = _grow(whatif, [each for each in offered if each != gone], limits, rest, power)
            if whatif.time(grown) < 0.999 * min(now, whatif.time(found)):
                found = grown
        if found is chosen:
            return chosen
        chosen = found


def _grow(
    whatif: WhatIf, offered: Sequence[Definition], limits: Limits, chosen: list[Definition], power: int
) -> list[Definition]:
    while True:
        now = whatif.time(chosen)
        fitting = [each for each in offered[:OFFERED] if each not in chosen and limits.allow(whatif, [*chosen, each])]
        savings = {each: now - whatif.time([*chosen, each]) for each in fitting}
        rated = {
            each: saving / whatif.size([each]) ** power for each, saving in savings.items() if saving > LEAST * now
        }
        if not rated:
            return chosen
        chosen = [*chosen, max(rated, key=rated.__getitem__)]
