"""Measure the advice on sites that are drawn, beside what else a site could do, and write docs/twin.md with its curves.

    python -m tests.twin.report [--sites 1000] [--compared 60]

Some 15 minutes of one processor; the comparison, with its searches of 200 trials, takes most of it.
"""

from __future__ import annotations

import argparse
import importlib.util
import time
from typing import TYPE_CHECKING

from tests.support.paths import ROOT
from tests.twin import figures, rivals
from tests.twin.curves import curve
from tests.twin.drawing import site
from tests.twin.figures import Compared, Measured
from tests.twin.page import CAREFUL, LIST, page
from tests.twin.study import advised, carried, trials
from tests.twin.walking import Walk, walked

if TYPE_CHECKING:
    from advisor.judge.advice import Advice
    from tests.twin.drawing import Site

PAGE = ROOT / "docs" / "twin.md"
AT_ONCE = 250


def measured(first: int, sites: int, compared: int) -> Measured:
    """The study of so many sites from a number on, and a comparison on the first of them."""
    found = Measured(sites=sites)
    judged: list[tuple[Site, Advice]] = []
    for begin in range(first, first + sites, AT_ONCE):
        some = [site(seed) for seed in range(begin, min(begin + AT_ONCE, first + sites))]
        for one, advice in zip(some, advised(some), strict=True):
            found.trials += trials(one, advice)
            found.given += sum(item.lane == "P" for item in advice.ranked)
            if len(judged) < compared:
                judged.append((one, advice))
    found.compared = comparison(judged)
    return found


def comparison(judged: list[tuple[Site, Advice]]) -> list[Compared]:
    """What each site gains by the list, with and without taking back what harms, and by each of its rivals."""
    walks = walked([Walk(one.levels, one, undo=undo) for undo in (False, True) for one, _ in judged])
    blind, measuring = walks[: len(judged)], walks[len(judged) :]
    rows = []
    for (one, advice), plain, careful in zip(judged, blind, measuring, strict=True):
        ways = {
            LIST: (plain.gained, len(plain.gains)),
            CAREFUL: (careful.gained, len(careful.gains)),
        }
        tried = {"AUTOCONFIGURE, as far as told": rivals.autoconfigured(one), "rules of ratios": rivals.by_ratios(one)}
        if importlib.util.find_spec("optuna"):
            tried |= {f"Optuna, {each.changes} trials": each for each in rivals.searched(one)}
        ways |= {name: (each.gained, each.changes) for name, each in tried.items()}
        best = max(0.0, *(gained for gained, _ in ways.values()), *plain.gains, *careful.gains)
        rows.append(Compared(one.seed, best, ways, _promised(one, advice), any(i.lane == "P" for i in advice.ranked)))
    return rows


def _promised(one: Site, advice: Advice) -> float:
    """The most that a change which the model can carry out is expected to bring, percent."""
    able = [item.benefit for item in advice.ranked if item.lane == "P" and carried(one.machine, item)]
    return max(able, default=0.0)


def write(found: Measured, minutes: float) -> None:
    """The page and its pictures."""
    pictures = PAGE.with_suffix("")
    pictures.mkdir(exist_ok=True)
    dots = [(each.promised, each.gained) for each in found.trials if each.gained > -20]
    benefit = figures.benefit_curve(found.trials)
    confidence = figures.confidence_curve(found.trials)
    drawn = {
        "benefit.svg": curve("Benefit", "promised, %", "gained, %", benefit, dots),
        "confidence.svg": curve("Confidence", "told, %", "low end of the promise kept, %", confidence, []),
    }
    for name, text in drawn.items():
        (pictures / name).write_text(text, encoding="utf-8")
    PAGE.write_text(page(found, minutes), encoding="utf-8")


def main() -> None:
    """Measure and write."""
    parser = argparse.ArgumentParser(description="Measure the advice on machines of the model; write docs/twin.md.")
    parser.add_argument("--sites", type=int, default=1000, help="how many are drawn and judged")
    parser.add_argument("--compared", type=int, default=60, help="of how many the list and its rivals are carried out")
    given = parser.parse_args()
    begun = time.process_time()
    found = measured(0, given.sites, min(given.sites, given.compared))
    write(found, (time.process_time() - begun) / 60)


if __name__ == "__main__":
    main()
