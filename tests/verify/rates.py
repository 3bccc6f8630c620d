"""Rate of correct verdicts on histories with a known effect; ``python -m tests.verify.rates`` writes the page.

Each history is followed as in the nightly job: a verdict every night until one is final.
"""

import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import product
from statistics import median

from advisor.verify.nights import NIGHTS, level
from advisor.verify.statistics import FEWEST
from advisor.verify.verdict import CONFIRMED, HARMFUL, INCONCLUSIVE, judge
from tests.support.paths import DOCS
from tests.verify.histories import Kind, history

PAGE = DOCS / "verification.md"
BEGIN, END = "<!-- measured: python -m tests.verify.rates -->\n", "<!-- end of what is measured -->\n"
HISTORIES = 200
DAYS_BEFORE = 28

NOTHING = {
    "nights that differ by 3 %": Kind(),
    "by 5 %": Kind(deviation=0.05),
    "by 3 %, correlation with the night before 0.7": Kind(correlation=0.7),
    "without correlation": Kind(correlation=0.0),
    "a drift of +0.05 % per day": Kind(drift=0.0005),
    "a drift of -0.05 % per day": Kind(drift=-0.0005),
    "bursts in a tenth of the nights": Kind(bursts=0.1),
    "30 % more load after the change, which slows everything": Kind(load_change=0.3, load_matters=0.2),
    "30 % less load after the change, which speeds everything up": Kind(load_change=-0.3, load_matters=0.2),
    "24 intervals per day, with daily seasons": Kind(per_day=24, correlation=0.8),
}
EFFECTS = (0.1, -0.07, -0.14, -0.43)


@dataclass(frozen=True)
class Rates:
    """Shares of histories by verdict, and the median night of the decided ones."""

    histories: int
    shares: dict[str, float]
    night: float | None

    def share(self, verdict: str) -> float:
        return self.shares.get(verdict, 0.0)


def rates(kind: Kind, seeds: Iterable[int]) -> Rates:
    """Return the results for histories of one kind."""
    found = [followed(kind, seed) for seed in seeds]
    counted = Counter(verdict for verdict, _ in found)
    nights = [night for verdict, night in found if verdict != INCONCLUSIVE]
    shares = {verdict: n / len(found) for verdict, n in counted.items()}
    return Rates(len(found), shares, median(nights) if nights else None)


def followed(kind: Kind, seed: int) -> tuple[str, int]:
    """Return the verdict on one history, and the night in which it was final."""
    intervals, moment = history(
        kind, seed, DAYS_BEFORE if kind.per_day == 1 else 14, NIGHTS[-1] if kind.per_day == 1 else 14
    )
    begin = moment.latest.toordinal()
    for night in range(FEWEST, NIGHTS[-1] + 1) if kind.per_day == 1 else NIGHTS[:2]:
        so_far = [each for each in intervals if each.begin.toordinal() < begin + night]
        verdict = judge(so_far, moment, level(night)).verdict
        if verdict != INCONCLUSIVE:
            return verdict, night
    return INCONCLUSIVE, NIGHTS[-1]


def percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def page(histories: int) -> Iterator[str]:
    """Return the tables as lines of Markdown."""
    yield f"Of {histories} histories of each kind without an effect (a tenth as many with 24 intervals per day):\n\n"
    yield "| history | judged harmful | judged confirmed | undecided after four weeks |\n|---|---|---|---|\n"
    total = Counter[str]()
    for number, (name, kind) in enumerate(NOTHING.items()):
        some = histories if kind.per_day == 1 else histories // 10
        found = rates(kind, range(10_000 * number, 10_000 * number + some))  # each kind has seeds of its own
        for verdict, share in found.shares.items():
            total[verdict] += round(share * some)
        cells = [percent(found.share(each)) for each in (HARMFUL, CONFIRMED, INCONCLUSIVE)]
        yield f"| {name} | {' | '.join(cells)} |\n"
    n = sum(total.values())
    yield f"| all kinds | {' | '.join(percent(total[each] / n) for each in (HARMFUL, CONFIRMED, INCONCLUSIVE))} |\n"
    yield f"\nOf {histories} histories with an effect, by difference between nights:\n\n"
    yield "| true effect | nights differ by | found | wrong direction | undecided | median night |\n|---|---|---|---|---|---|\n"
    for number, (effect, deviation) in enumerate(product(EFFECTS, (0.02, 0.03, 0.05)), len(NOTHING)):
        right, wrong = (HARMFUL, CONFIRMED) if effect > 0 else (CONFIRMED, HARMFUL)
        kind = replace(Kind(), effect=effect, deviation=deviation)
        found = rates(kind, range(10_000 * number, 10_000 * number + histories))
        cells = [percent(found.share(each)) for each in (right, wrong, INCONCLUSIVE)]
        night = "" if found.night is None else f"{found.night:.0f}"
        yield f"| {100 * effect:+.0f} % | {100 * deviation:.0f} % | {' | '.join(cells)} | {night} |\n"


def main(histories: int = HISTORIES) -> None:
    write(page(histories), BEGIN, END)


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
    main(int(sys.argv[1]) if len(sys.argv) > 1 else HISTORIES)
