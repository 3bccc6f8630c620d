"""Rates of found and false regressions in histories without a known change.

``python -m tests.verify.regressions`` writes the page. Each history is followed as in the nightly job: a check every
night for eight weeks, from the first possible night on.
"""

import sys
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from itertools import product

from advisor.verify.regression import AFTER, BEFORE, regression
from tests.verify.histories import Kind, history
from tests.verify.rates import DAYS_BEFORE, FOLLOWED, NOTHING, percent, write

BEGIN, END = "<!-- measured: python -m tests.verify.regressions -->\n", "<!-- end of the regressions measured -->\n"
HISTORIES = 100
NIGHTS = 56  # of checks
EFFECTS, DEVIATIONS = (0.05, 0.1, 0.2, 0.4), (0.02, 0.03, 0.05)


@dataclass(frozen=True)
class Found:
    """The night in which a regression was first reported, and its reported beginning."""

    night: int
    since: int
    earliest: int
    latest: int
    change_pct: float


def followed(kind: Kind, seed: int, nights: int = BEFORE + AFTER + NIGHTS) -> Found | None:
    """Return the first report in this many nights; the change is after four weeks."""
    intervals, _ = history(kind, seed, DAYS_BEFORE, nights - DAYS_BEFORE)
    first = intervals[0].begin.toordinal()
    for night in range(BEFORE + AFTER, nights + 1):
        so_far = intervals[: night * kind.per_day]
        if found := regression(so_far):
            since, earliest, latest = (each.toordinal() - first for each in (found.begin, found.earliest, found.latest))
            return Found(night, since, earliest, latest, found.figure.change_pct)
    return None


def page(histories: int, pool: Executor) -> Iterator[str]:
    """Return the tables as lines of Markdown; each kind of history has seeds of its own."""
    yield f"Of {histories} histories of each kind without a regression, checked every night for eight weeks:\n\n"
    yield "| history | reported as regression |\n|---|---|\n"
    kinds = [(name, NOTHING[name]) for name in FOLLOWED if not NOTHING[name].guard]
    wrong = 0
    for number, (name, kind) in enumerate(kinds):
        false = sum(each is not None for each in pool.map(partial(followed, kind), _seeds(number, histories)))
        wrong += false
        yield f"| {name} | {percent(false / histories)} |\n"
    yield f"| all kinds | {percent(wrong / histories / len(kinds))} |\n"
    yield f"\nOf {histories} histories with a regression after four weeks, by difference between nights:\n\n"
    yield "| true effect | nights differ by | found within 7 nights | 14 nights | 28 nights | true night among those reported |\n"
    yield "|---|---|---|---|---|---|\n"
    for number, (effect, deviation) in enumerate(product(EFFECTS, DEVIATIONS), len(kinds)):
        kind = replace(Kind(), effect=effect, deviation=deviation)
        made = list(pool.map(partial(followed, kind, nights=DAYS_BEFORE + 28), _seeds(number, histories)))
        true = [each for each in made if each and each.night > DAYS_BEFORE]
        shares = [sum(each.night <= DAYS_BEFORE + nights for each in true) / histories for nights in (7, 14, 28)]
        told = sum(each.earliest <= DAYS_BEFORE <= each.latest for each in true) / len(true) if true else 0.0
        cells = " | ".join(map(percent, [*shares, told]))
        yield f"| {100 * effect:+.0f} % | {100 * deviation:.0f} % | {cells} |\n"


def _seeds(number: int, histories: int) -> range:
    return range(1_000_000 + 10_000 * number, 1_000_000 + 10_000 * number + histories)


if __name__ == "__main__":
    with ProcessPoolExecutor() as workers:
        write(page(int(sys.argv[1]) if len(sys.argv) > 1 else HISTORIES, workers), BEGIN, END)
