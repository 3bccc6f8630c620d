"""Measure the advice on random sites, compare it with alternatives, and write docs/model-study.md with its curves.

    python -m tests.twin.report [--sites 1000] [--compared 80] [--first 40000] [--processes 2] [--within MINUTES]
    python -m tests.twin.report --site 70

Half of the sites have the usual distributions, half those of `drawing.OTHERS`, on which no rule was tuned. The work is
cut into parts, of both kinds in turn; when the time is over, the page covers the finished parts. With `--site` no page
is written: the output is that site's advice and its results.
"""

from __future__ import annotations

import argparse
import csv
import os
import sys
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from html import escape
from typing import TYPE_CHECKING, Any

from tests.support.paths import ROOT
from tests.twin import figures, rivals
from tests.twin.drawing import OTHERS, site
from tests.twin.figures import Compared, Measured
from tests.twin.page import CAREFUL, LIST, NIGHTLY, ONE_NIGHT, harm_list, page, sets, slower
from tests.twin.study import Walk, advised, carried, carried_out, carry_out_nightly, trials, walked

if TYPE_CHECKING:
    from collections.abc import Iterator

    from advisor.judgement.advice import Advice
    from tests.twin.drawing import DrawnSite
    from tests.twin.figures import Point


WIDTH, HEIGHT, LEFT, BOTTOM, TOP, RIGHT = 460, 340, 56, 48, 34, 16
STYLE = "text{font:12px sans-serif;fill:#222}.t{font-weight:bold}.g{stroke:#ddd}.d{stroke:#888;stroke-dasharray:4 4}"


def curve(title: str, across: str, upward: str, points: list[Point], dots: list[tuple[float, float]]) -> str:
    """Draw points over percent from 0 to 100, the diagonal of equality, and single `dots` behind; `upward` from -20."""

    def x(value: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * value / 100

    def y(value: float) -> float:
        return HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * (max(-20.0, value) + 20) / 120

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img">',
        f"<title>{escape(title)}</title><style>{STYLE}</style>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>',
        f'<text class="t" x="{LEFT}" y="20">{escape(title)}</text>',
    ]
    for value in range(0, 101, 20):
        parts += [
            f'<line class="g" x1="{x(value):.0f}" y1="{y(-20):.0f}" x2="{x(value):.0f}" y2="{y(100):.0f}"/>',
            f'<text x="{x(value):.0f}" y="{HEIGHT - BOTTOM + 16}" text-anchor="middle">{value}</text>',
        ]
    for value in range(-20, 101, 20):
        parts += [
            f'<line class="g" x1="{x(0):.0f}" y1="{y(value):.0f}" x2="{x(100):.0f}" y2="{y(value):.0f}"/>',
            f'<text x="{LEFT - 6}" y="{y(value) + 4:.0f}" text-anchor="end">{value}</text>',
        ]
    parts.append(f'<line class="d" x1="{x(0):.0f}" y1="{y(0):.0f}" x2="{x(100):.0f}" y2="{y(100):.0f}"/>')
    parts += [f'<circle cx="{x(a):.1f}" cy="{y(b):.1f}" r="1.6" fill="#9bc" fill-opacity=".6"/>' for a, b in dots]
    line = " ".join(f"{x(each.at):.1f},{y(each.found):.1f}" for each in points)
    parts.append(f'<polyline points="{line}" fill="none" stroke="#14589c" stroke-width="2"/>')
    for each in points:
        radius = min(9.0, 2 + each.count**0.5 / 3)
        parts.append(f'<circle cx="{x(each.at):.1f}" cy="{y(each.found):.1f}" r="{radius:.1f}" fill="#14589c"/>')
    parts += [
        f'<text x="{(LEFT + WIDTH - RIGHT) / 2:.0f}" y="{HEIGHT - 10}" text-anchor="middle">{escape(across)}</text>',
        f'<text transform="translate(14 {(TOP + HEIGHT - BOTTOM) / 2:.0f}) rotate(-90)" text-anchor="middle">'
        f"{escape(upward)}</text>",
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


PAGE = ROOT / "docs" / "model-study.md"
AT_ONCE = {"measured": 50, "compared": 12}  # judging has a fixed cost
UNSEEN = 60_000
"""The first site of the study. Raise it by 10,000 whenever a rule or the model changes after a look at its sites."""
Others = Callable[["DrawnSite"], dict[str, rivals.Tried]]


def measured(first: int, sites: int) -> Measured:
    """Return the study of `sites` sites from number `first` on."""
    some = [site(seed) for seed in range(first, first + sites)]
    found = Measured(sites=sites, known=Counter(one.known for one in some), numbers={one.seed for one in some})
    for one, advice in zip(some, advised(some), strict=True):
        found.trials += trials(one, advice)
        found.given += sum(item.lane == "P" for item in advice.ranked)
        found.promised += sum(item.benefit for item in advice.ranked if item.lane == "P")
    return found


def compared(first: int, sites: int, others: Others = rivals.everyone) -> Measured:
    """Return the comparison on `sites` sites from number `first` on, with the results of `others` there."""
    some = [site(seed) for seed in range(first, first + sites)]
    return Measured(compared=comparison(list(zip(some, advised(some), strict=True)), others))


def comparison(judged: list[tuple[DrawnSite, Advice]], others: Others) -> list[Compared]:
    """What each site gains by the list, with and without taking back what harms, and by each of its rivals."""
    walks = walked([Walk(one.levels, one, undo=undo) for undo in (False, True) for one, _ in judged])
    blind, measuring = walks[: len(judged)], walks[len(judged) :]
    all_at_once = carry_out_nightly([Walk(one.levels, one) for one, _ in judged])
    rows = []
    for (one, advice), plain, careful, nightly in zip(judged, blind, measuring, all_at_once, strict=True):
        ways = {LIST: (plain.gained, len(plain.gains)), CAREFUL: (careful.gained, len(careful.gains))}
        ways |= {
            ONE_NIGHT: (nightly.gains[0] if nightly.gains else 0.0, 1),
            NIGHTLY: (nightly.gained, len(nightly.gains)),
        }
        ways |= {name: (each.gained, each.changes) for name, each in others(one).items()}
        best = max(0.0, *(gained for gained, _ in ways.values()), *plain.gains, *careful.gains, *nightly.gains)
        is_advised = any(item.lane == "P" for item in advice.ranked)
        rows.append(Compared(one.seed, best, ways, _promised(one, advice), is_advised, tuple(nightly.gains)))
    return rows


def _promised(one: DrawnSite, advice: Advice) -> float:
    """The most that a change which the model can carry out is expected to bring, percent."""
    able = [item for item in advice.ranked if item.lane == "P" and carried(one.machine, item)]
    done = [item.benefit for item in able if carried_out(one.machine, carried(one.machine, item))]
    return max(done, default=0.0)


def run(
    sites: int, to_compare: int, first: int = UNSEEN, processes: int = 1, within_s: float = float("inf")
) -> tuple[Measured, float]:
    """The whole study, as far as it comes in that time; and seconds of a processor that it took."""
    parts = [
        (position, kind, number, count)
        for kind, many in (("measured", sites), ("compared", to_compare))
        for position, number, count in _parts(AT_ONCE[kind], many, first)
    ]
    found, took, begun = Measured(), 0.0, time.monotonic()
    with ProcessPoolExecutor(processes) as pool:
        waiting = {pool.submit(_done, part) for _, *part in sorted(parts)}
        while waiting and time.monotonic() - begun < within_s:
            done, waiting = wait(
                waiting, within_s - (time.monotonic() - begun) if within_s < 1e9 else None, FIRST_COMPLETED
            )
            for each in done:
                part, seconds = each.result()
                found.add(part)
                took += seconds
            print(f"{found.sites} sites, {len(found.compared)} compared", file=sys.stderr, flush=True)
        pool.shutdown(cancel_futures=True)
    found.trials.sort(key=lambda each: (each.seed, each.rank))
    found.compared.sort(key=lambda each: each.seed)
    return found, took


def _parts(at_once: int, sites: int, first: int) -> Iterator[tuple[float, int, int]]:
    """Yield parts of both families: how far through the work each is, its first site and how many."""
    half = (sites + 1) // 2
    for offset in range(0, half, at_once):
        for family in (0, OTHERS):
            yield offset / half, first + family + offset, min(at_once, half - offset)


def _done(part: list[Any]) -> tuple[Measured, float]:
    what, first, sites = part
    begun = time.process_time()
    return (measured if what == "measured" else compared)(first, sites), time.process_time() - begun


def write(found: Measured, minutes: float) -> None:
    """Write the page, its pictures and the list of harmful changes."""
    beside = PAGE.with_suffix("")
    beside.mkdir(exist_ok=True)
    dots = [(each.promised, each.gained) for each in found.trials if each.gained > -20]
    benefit = figures.benefit_curve(found.trials)
    confidence = figures.confidence_curve(found.trials)
    drawn = {
        "benefit.svg": curve("Benefit", "promised, %", "gained, %", benefit, dots),
        "confidence.svg": curve("Confidence", "told, %", "low end of the promise kept, %", confidence, []),
    }
    for name, text in drawn.items():
        (beside / name).write_text(text, encoding="utf-8")
    with (beside / "harm.csv").open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows(harm_list(found))
    PAGE.write_text(page(found, minutes), encoding="utf-8")


def show(seed: int) -> None:
    """Print a site's advice and its results."""
    one = site(seed)
    (advice,) = advised([one])
    print(f"site {seed}: hour {one.knowledge.hour}, {one.knowledge.seconds:.0f} s, {one.knowledge.snapshots} snapshots")
    for each in trials(one, advice):
        print(f"{each.rank}. {each.rule}: {sets(each)}")
        print(f"   promised {each.low:.1f} .. {each.promised:.1f} .. {each.high:.1f} %, confidence {each.confidence}")
        print(f"   gained {each.gained:.1f} %, in the interval {each.then:.1f} %; grew: {slower(each) or 'nothing'}")


def main() -> None:
    """Measure and write, or show one site."""
    parser = argparse.ArgumentParser(
        description="Measure the advice on machines of the model; write docs/model-study.md."
    )
    parser.add_argument("--sites", type=int, default=1000, help="how many are drawn and judged")
    parser.add_argument("--compared", type=int, default=80, help="on how many the list and its rivals are carried out")
    parser.add_argument("--first", type=int, default=UNSEEN, help="the number of the first site")
    parser.add_argument("--processes", type=int, default=os.cpu_count(), help="how many parts at a time")
    parser.add_argument("--within", type=float, default=float("inf"), help="minutes after which what is done is enough")
    parser.add_argument("--site", type=int, help="show this one and write nothing")
    given = parser.parse_args()
    if given.site is not None:
        show(given.site)
        return
    found, took = run(given.sites, given.compared, given.first, given.processes, 60 * given.within)
    write(found, took / 60)


if __name__ == "__main__":
    main()
