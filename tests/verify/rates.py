"""Rate of correct verdicts on histories with a known effect; ``python -m tests.verify.rates`` writes the page.

Captures are judged once, as by ``db2tune verify``. Nights are followed as in the nightly job: a verdict on each night of
``NIGHTS`` until one is final.
"""

import os
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from statistics import median

from advisor.capture.lessons import CONFIRMED, HARMFUL, INCONCLUSIVE
from advisor.verify import verdict
from advisor.verify.nights import LEVEL, NIGHTS
from advisor.verify.verdict import judge
from tests.support.paths import DOCS
from tests.verify.histories import Kind, history

PAGE = DOCS / "verification.md"
BEGIN, END = "<!-- measured: python -m tests.verify.rates -->\n", "<!-- end of what is measured -->\n"
HISTORIES = 2000  # of each kind: a rate of 5 % is known to 1 point with 95 % certainty
DAYS_BEFORE = 28
SIDES = (2, 4, 7, 14)  # days on each side of captures
WEDNESDAY = 2

HOURS = Kind(deviation=0.03, correlation=0.5, days=0.03, week=0.03, bursts=0.01, per_day=8)
NOTHING = {
    "days that differ by 3 %": Kind(),
    "by 5 %": Kind(deviation=0.05),
    "by 3 %, correlation with the day before 0.7": Kind(correlation=0.7),
    "without correlation": Kind(correlation=0.0),
    "growth of 0.5 % per day": Kind(growth=0.005),
    "growth of -0.5 % per day": Kind(growth=-0.005),
    "a random walk of 1 % per day": Kind(walk=0.01, deviation=0.01),
    "Tuesdays 10 % slower, other weekdays alike": Kind(week=0.0, tuesday=0.1),
    "bursts on a tenth of the days": Kind(bursts=0.1),
    "30 % more load after the change, which slows everything": Kind(load_change=0.3, load_matters=0.2),
    "30 % less load after the change, which speeds everything up": Kind(load_change=-0.3, load_matters=0.2),
    "four guards that differ by 20 % between days": Kind(guard=0.2),
    "ten statements that differ by 20 % between days": Kind(statements=0.2),
    "eight hours per day; days differ by 3 %": HOURS,
    "eight hours per day, growth of 0.5 % per day": replace(HOURS, growth=0.005),
}
LEFT_OUT = {"by 5 %", "without correlation"}  # of the nights, which take longer
FOLLOWED = [name for name, of in NOTHING.items() if of.per_day == 1 and not of.statements and name not in LEFT_OUT]
EFFECTS, DEVIATIONS = (-0.2, -0.1, -0.05, 0.05, 0.1), (0.02, 0.04)


@dataclass(frozen=True)
class Rates:
    """Shares of histories by verdict, and the median night of the decided ones."""

    histories: int
    shares: dict[str, float]
    night: float | None

    def share(self, verdict: str) -> float:
        return self.shares.get(verdict, 0.0)


def rates(follow: Callable[[int], tuple[str, int]], seeds: Iterable[int], pool: Executor | None = None) -> Rates:
    """Return the results for histories of one kind."""
    found = list(pool.map(follow, seeds, chunksize=50) if pool else map(follow, seeds))
    counted = Counter(result for result, _ in found)
    nights = [night for result, night in found if result != INCONCLUSIVE]
    shares = {result: n / len(found) for result, n in counted.items()}
    return Rates(len(found), shares, median(nights) if nights else None)


def skip_estimates() -> None:
    """Do not estimate in a worker how many more days an open verdict needs, which takes longer than the verdict."""
    verdict._estimate_missing = lambda *_: None


def compare_captures(kind: Kind, days: int, seed: int) -> tuple[str, int]:
    """Return the verdict on captures of this many days on each side; four days contain three working days."""
    weekday = WEDNESDAY if days == 4 else seed % 7
    return judge(*history(kind, seed, days, days, weekday)).verdict, days


def follow_nights(kind: Kind, seed: int) -> tuple[str, int]:
    """Return the verdict on one history, and the night in which it was final."""
    intervals, moment = history(kind, seed, DAYS_BEFORE, NIGHTS[-1], seed % 7)
    begin = moment.latest.toordinal()
    for night in NIGHTS:  # the first of them ends the day with the change
        so_far = [each for each in intervals if each.begin.toordinal() < begin + night - 1]
        found = judge(so_far, moment, LEVEL).verdict
        if found != INCONCLUSIVE:
            return found, night
    return INCONCLUSIVE, NIGHTS[-1]


def percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def page(histories: int, pool: Executor) -> Iterator[str]:
    """Return the tables as lines of Markdown; each cell has seeds of its own."""
    number = 0

    def measure(follow: Callable[[int], tuple[str, int]], of: int = histories) -> Rates:
        nonlocal number
        number += 1
        return rates(follow, range(1_000_000 * number, 1_000_000 * number + of), pool)

    sides = " | ".join(f"{days} + {days}" for days in SIDES)
    yield f"Captures without an effect: confirmed or harmful, of {histories:,} histories, by days before and after:\n\n"
    yield f"| history | {sides} |\n|---|{'---|' * len(SIDES)}\n"
    for name, kind in NOTHING.items():
        found = [measure(partial(compare_captures, kind, days)) for days in SIDES]
        yield f"| {name} | {' | '.join(percent(each.share(HARMFUL) + each.share(CONFIRMED)) for each in found)} |\n"
    nights = max(1, histories // 2)
    yield f"\nNights without an effect, of {nights:,} histories:\n\n"
    yield "| history | harmful | confirmed | no effect or undecided after four weeks |\n|---|---|---|---|\n"
    for name in FOLLOWED:
        found_ = measure(partial(follow_nights, NOTHING[name]), nights)
        harmful, confirmed = found_.share(HARMFUL), found_.share(CONFIRMED)
        yield f"| {name} | {percent(harmful)} | {percent(confirmed)} | {percent(1 - harmful - confirmed)} |\n"
    few = max(1, histories // 5)
    yield f"\nFound effects, of {few} histories; the median night is of the decided nightly verdicts:\n\n"
    yield f"| true effect | days differ by | {' | '.join(f'{n} + {n}' for n in (7, 14, 28))} | nightly | median night |"
    yield " wrong direction |\n|---|---|---|---|---|---|---|---|\n"
    for effect, deviation in product(EFFECTS, DEVIATIONS):
        right, wrong = (HARMFUL, CONFIRMED) if effect > 0 else (CONFIRMED, HARMFUL)
        kind = Kind(effect=effect, deviation=deviation)
        of = [measure(partial(compare_captures, kind, days), few) for days in (7, 14, 28)]
        of.append(nightly := measure(partial(follow_nights, kind), few))
        night = "" if nightly.night is None else f"{nightly.night:.0f}"
        cells = [*(percent(each.share(right)) for each in of), night, percent(max(each.share(wrong) for each in of))]
        yield f"| {100 * effect:+.0f} % | {100 * deviation:.0f} % | {' | '.join(cells)} |\n"


def main(histories: int = HISTORIES) -> None:
    with ProcessPoolExecutor(initializer=skip_estimates) as pool:
        write(page(histories, pool), BEGIN, END)


def write(lines: Iterable[str], begin: str, end: str) -> None:
    """Put the results between two marks of the page."""
    made = []
    for line in lines:
        sys.stderr.write(line)
        made.append(line)
    text = PAGE.read_text(encoding="utf-8")
    before, _, rest = text.partition(begin)
    _, _, after = rest.partition(end)
    PAGE.write_text(f"{before}{begin}\n{''.join(made)}\n{end}{after}", encoding="utf-8")


if __name__ == "__main__":
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # one processor per worker
    main(int(sys.argv[1]) if len(sys.argv) > 1 else HISTORIES)
