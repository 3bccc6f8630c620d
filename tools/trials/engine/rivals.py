"""Other ways to choose indexes, each within a budget of bytes, from HypoPG's what-if costs."""

from collections.abc import Collection, Iterable, Sequence
from itertools import combinations

from tools.trials.engine.definition import Definition
from tools.trials.engine.whatif import WhatIf

LEAST = 0.001  # share of the time of all statements that an index must save
POOL = 12  # indexes whose subsets are all compared
OFFERED = 60  # indexes of a step of the search


def useful(whatif: WhatIf, definitions: Iterable[Definition]) -> list[Definition]:
    """Return the indexes that save time alone, the largest saving per byte first."""
    now = whatif.time(())
    savings = {each: now - whatif.time([each]) for each in definitions}
    found = [each for each, saving in savings.items() if saving > LEAST * now]
    return sorted(found, key=lambda each: -savings[each] / whatif.size([each]))


def choose_by_fixed_benefit(whatif: WhatIf, offered: Sequence[Definition], budget: int) -> list[Definition]:
    """Return the indexes with the best saving per byte, as if they did not influence each other."""
    return _fill(whatif, offered, budget)


def choose_per_statement(whatif: WhatIf, offered: Sequence[Definition], budget: int) -> list[Definition]:
    """Return the best single index of each statement, the largest saving per byte first."""
    best: dict[Definition, float] = {}
    for text in whatif.engine.texts:
        times = {each: whatif.time_of(text, [each]) for each in offered if each.table in whatif.tables[text]}
        found = min(times, key=times.__getitem__, default=None)
        saved = whatif.time_of(text, ()) - times[found] if found else 0.0
        if found and saved > 0:
            best[found] = best.get(found, 0.0) + saved
    return _fill(whatif, sorted(best, key=lambda each: -best[each] / whatif.size([each])), budget)


def choose_by_search(
    whatif: WhatIf, offered: Sequence[Definition], budget: int, starts: Iterable[Collection[Definition]]
) -> list[Definition]:
    """Return the best of greedy searches with exchanges, then of all subsets of the most promising indexes."""
    found = [_exchange(whatif, offered, budget, list(start)) for start in ((), *starts)]
    best = min(found, key=whatif.time)
    pool = list(dict.fromkeys((*best, *(each for other in found for each in other), *offered)))[:POOL]
    rest = [each for each in best if each not in pool]
    subsets = (subset for size in range(len(pool) + 1) for subset in combinations(pool, size))
    left = budget - whatif.size(rest)
    fitting = ([*subset, *rest] for subset in subsets if whatif.size(subset) <= left)
    return min(fitting, key=whatif.time)


def _fill(whatif: WhatIf, ranked: Iterable[Definition], budget: int) -> list[Definition]:
    chosen: list[Definition] = []
    for each in ranked:
        if whatif.size([*chosen, each]) <= budget:
            chosen.append(each)
    return chosen


def _exchange(whatif: WhatIf, offered: Sequence[Definition], budget: int, chosen: list[Definition]) -> list[Definition]:
    """Add the index with the best saving per byte, and exchange chosen ones, until nothing saves more."""
    while True:
        chosen = _grow(whatif, offered, budget, chosen)
        now = whatif.time(chosen)
        found = chosen
        for gone in chosen:
            rest = [each for each in chosen if each != gone]
            grown = _grow(whatif, [each for each in offered if each != gone], budget, rest)
            if whatif.time(grown) < 0.999 * min(now, whatif.time(found)):
                found = grown
        if found is chosen:
            return chosen
        chosen = found


def _grow(whatif: WhatIf, offered: Sequence[Definition], budget: int, chosen: list[Definition]) -> list[Definition]:
    while True:
        now, left = whatif.time(chosen), budget - whatif.size(chosen)
        fitting = [each for each in offered[:OFFERED] if each not in chosen and whatif.size([each]) <= left]
        savings = {each: now - whatif.time([*chosen, each]) for each in fitting}
        rated = {each: saving / whatif.size([each]) for each, saving in savings.items() if saving > LEAST * now}
        if not rated:
            return chosen
        chosen = [*chosen, max(rated, key=rated.__getitem__)]
