"""The page of the study: what was measured, against what was to be reached, and what the model does not know."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tests.twin import figures
from tests.twin.drawing import FEW
from tests.twin.rivals import BLANKET
from tests.twin.study import HARM, NIGHTS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.twin.figures import Compared, Measured
    from tests.twin.study import Trial

LIST, CAREFUL = "the list, step by step", "the list, harmful changes undone"
ONE_NIGHT, NIGHTLY = "the list, all at once", f"the list, all at once on {NIGHTS} nights"
ENOUGH = 50  # sites with a gap
SHOWN = 20


def page(found: Measured, minutes: float) -> str:
    """The whole page in Markdown."""
    return "\n".join(
        (
            *_head(found, minutes),
            *_targets(found),
            *_curves(found),
            *_known(found),
            *_ways(found),
            *_rules(found),
            *_harm(found),
            *END,
        )
    )


def _head(found: Measured, minutes: float) -> Iterator[str]:
    yield from (
        "# The advice on the model database",
        "",
        "The [model](../tests/twin/README.md) computes times and counters of a database server from hardware, work and",
        "configuration. It was built from textbooks and manuals, without knowledge of the rules. The study draws plausible",
        "machines, judges their captures, carries out the advice and solves each machine again. The gain is the decrease of",
        "response time over the whole day, weighted by transactions. A capture covers an hour, a minute, or the time since",
        "activation.",
        "",
        f"Measured on {found.sites} sites by `python -m tests.twin.report` ({minutes:.0f} CPU minutes). The model could apply",
        f"{len(found.trials)} of {found.given} recommendations with a promised benefit, {_judged(found):.0f} % of all that was promised. The rest is",
        "manual (disks, indexes) or outside the model.",
        "",
        *(f"{line}" for line in _numbers(found)),
        "",
    )


def _judged(found: Measured) -> float:
    """Return the share of the promised benefit that belongs to changes that the model could apply, percent."""
    return 100 * sum(each.promised for each in found.trials) / max(1e-9, found.promised)


def _numbers(found: Measured) -> Iterator[str]:
    """Which sites were measured, and compared."""
    names = {False: "The usual sites", True: "The sites of other distributions"}
    for other, name in names.items():
        numbers, part = sorted(found.family(other).numbers), found.family(other)
        if numbers:
            yield f"{name} have numbers {numbers[0]} to {numbers[-1]}; the first {len(part.compared)} are compared with other methods."
    yield "No rule and no part of the model was changed after a look at these numbers. Other distributions: a hot set"
    yield "instead of Zipf's popularity, orders and reports in one pool, hosts of 512 GB and more, longer runs of"
    yield "neighbouring pages, and guests that pay for each I/O. No rule was tuned on them."


def _targets(found: Measured) -> Iterator[str]:
    usual, other = found.family(other=False), found.family(other=True)
    yield from (
        "## Figures",
        "",
        "In brackets: 95 % intervals, from a bootstrap by site.",
        "",
        "| | usual sites | other distributions | all | target |",
        "|---|---|---|---|---|",
    )
    for name, figure, target in OF_CHANGES:
        yield _line(name, [_bounded(part.trials, figure) for part in (usual, other, found)], target)
    if found.compared:
        for name, belongs, of_sites, target in OF_SITES:
            parts = [[each for each in part.compared if belongs(each)] for part in (usual, other, found)]
            yield _line(name, [_bounded(each, of_sites) for each in parts], target)
    taus = [f"{_tau(part.trials, figures.tau)}" for part in (usual, other, found)]
    yield _line("Kendall's tau of promise and gain", taus, "at least 0.6")
    counts = [f"{len(part.trials)}, {len(part.compared)}" for part in (usual, other, found)]
    yield _line("Changes, compared sites", counts, "")
    yield ""


def _line(name: str, cells: list[str], target: str) -> str:
    return f"| {name} | {' | '.join(cells)} | {target} |"


def _bounded(found: list[Any], figure: Callable[[list[Any]], float]) -> str:
    """Return a share in percent with its interval."""
    if not found:
        return "-"
    low, high = figures.interval(found, figure)
    sites = len({each.seed for each in found})
    few = f", {sites} site{'s' if sites > 1 else ''}" if sites < ENOUGH else ""
    return f"{100 * figure(found):.1f} % ({100 * low:.1f} to {100 * high:.1f}{few})"


def _tau(found: list[Trial], figure: Callable[[list[Trial]], float]) -> str:
    low, high = figures.interval(found, figure)
    return f"{figure(found):.2f} ({low:.2f} to {high:.2f})"


def _then(trials: list[Trial]) -> float:
    return figures.mean(each.covered for each in figures.in_the_interval(trials))


OF_CHANGES: tuple[tuple[str, Callable[[list[Trial]], float], str], ...] = (
    (
        "Changes that increase response time by more than 1 %",
        lambda some: figures.mean(each.harms for each in some),
        "at most 1 %, upper bound 3 %",
    ),
    ("Gains within low..high (±0.5 %)", lambda some: figures.mean(each.covered for each in some), "at least 80 %"),
    ("the same, only in the interval of the capture", _then, ""),
    ("Pairs of changes of a site (difference above 1 %) whose larger promise gained more", figures.ordered, ""),
)
Counts = Callable[["Compared"], bool]


def _all(_: Compared) -> bool:
    return True


def _near(each: Compared) -> bool:
    return each.best <= figures.NEAR


def _sick(each: Compared) -> bool:
    return each.best > figures.SICK


OF_SITES: tuple[tuple[str, Counts, Callable[[list[Compared]], float], str], ...] = (
    (
        "Gap to the best rival closed by the list, mean over sites",
        _all,
        lambda some: figures.mean(figures.shares(some, LIST)),
        "at least 80 %",
    ),
    ("the same, all gaps together", _all, lambda some: figures.closed(some, LIST)[1], ""),
    ("the same, by the whole list in one night", _all, lambda some: figures.mean(figures.shares(some, ONE_NIGHT)), ""),
    (
        f"the same, by the whole list in {NIGHTS} nights",
        _all,
        lambda some: figures.mean(figures.shares(some, NIGHTLY)),
        "",
    ),
    (f"Of the gain of {NIGHTS} nights, reached in two", _all, figures.reached_in_two_nights, "at least 80 %"),
    (
        "Nights that increase response time by more than 1 %",
        _all,
        lambda some: figures.harmful_nights(some, HARM),
        "at most 1 %",
    ),
    ("Gap closed by everything AUTOMATIC", _all, lambda some: figures.mean(figures.shares(some, BLANKET)), ""),
    (
        "Of the gap to the best of the others: the list less everything AUTOMATIC",
        _all,
        lambda some: figures.ahead(some, LIST, BLANKET),
        "at least 10 points",
    ),
    (
        f"False alarms: over {figures.NEAR:.0f} % promised, of the sites within that of their best",
        _near,
        lambda some: figures.false_alarms(some)[0],
        "at most 3 %",
    ),
    (
        f"Silence: no advice of lane P, of the sites that lose over {figures.SICK:.0f} %",
        _sick,
        lambda some: figures.silent(some)[0],
        "at most 5 %",
    ),
    ("no advice there that the model can apply", _sick, lambda some: figures.silent(some)[1], ""),
)


def _curves(found: Measured) -> Iterator[str]:
    yield from (
        "## Calibration",
        "",
        "![Gain by promise](model-study/benefit.svg)",
        "![Lower bound reached, by confidence](model-study/confidence.svg)",
        "",
        "| promised, mean % | gained, mean % | changes |",
        "|---|---|---|",
    )
    for point in figures.benefit_curve(found.trials):
        yield f"| {point.at:.1f} | {point.found:.1f} | {point.count} |"
    yield from ("", "| confidence, % | lower bound reached, % | changes |", "|---|---|---|")
    for point in figures.confidence_curve(found.trials):
        yield f"| {point.at:.0f} | {point.found:.0f} | {point.count} |"
    yield from ("", "In means, a loss counts as at most 100 %.", "")


def _known(found: Measured) -> Iterator[str]:
    yield from (
        "## By content of the capture",
        "",
        f"Few are at work: at most {100 * FEW:.0f} % of the clients of every class.",
        "",
        "| content | sites | with a change | changes | within low..high | in the interval |",
        "|---|---|---|---|---|---|",
    )
    for known, sites in sorted(found.known.items()):
        own = [each for each in found.trials if each.known == known]
        then = figures.in_the_interval(own)
        covered, covered_then = (100 * figures.mean(t.covered for t in some) for some in (own, then))
        share = 100 * len({each.seed for each in own}) / sites
        yield f"| {known} | {sites} | {share:.0f} % | {len(own)} | {covered:.0f} % | {covered_then:.0f} % |"
    yield ""


def _ways(found: Measured) -> Iterator[str]:
    if not found.compared:
        return
    names = list(dict.fromkeys(name for each in found.compared for name in each.ways))
    gaps = sum(each.best > figures.NEAR for each in found.compared)
    yield from (
        "## Compared with other methods",
        "",
        f"{len(found.compared)} sites, {gaps} of them with a gap of more than {figures.NEAR:.0f} % to the best known result of all methods.",
        "The gap of a method is the best gain of the other methods: its own result is not part of its measure. A method that",
        "gains more than all others closes 100 %. Each method makes at most ten changes, but for AUTOMATIC; a trial measures",
        "one configuration under the main loads. All methods have the same memory: that of the host and INSTANCE_MEMORY.",
        "AUTOCONFIGURE's formulas are not published: the model gives 60 % of memory to the pools, as in the manual's example,",
        "and counts AUTOMATIC. Ratio rules see the hour of the capture. In brackets: 95 % intervals.",
        "",
        *(["With so few sites these are indications.", ""] if gaps < ENOUGH else []),
        "| method | gap closed, mean | all gaps together | changes or trials | sites made worse |",
        "|---|---|---|---|---|",
    )
    for name in names:
        _, together, changes = figures.closed(found.compared, name)
        left = figures.worse(found.compared, name)
        share = _bounded(found.compared, lambda some, name=name: figures.mean(figures.shares(some, name)))  # type: ignore[misc]
        yield f"| {name} | {share} | {100 * together:.0f} % | {changes:.1f} | {100 * left:.0f} % |"
    yield ""


def _harm(found: Measured) -> Iterator[str]:
    harmful = sorted(harmed(found), key=lambda each: each.gained)
    yield from ("## Harmful advice", "")
    if not harmful:
        yield from ("No change increased response time by more than 1 %.", "")
        return
    yield from (
        f"{sum(each.harms for each in harmful)} changes increased response time by more than 1 % over the day,",
        f"{sum(each.harms_then for each in harmful)} in the interval of the capture. These are the worst {SHOWN}; [harm.csv](model-study/harm.csv)",
        "lists all. `python -m tests.twin.report --site NUMBER` prints the advice for a site. The increases are the",
        "parts of response time that grew most over the day, by class and component, in percent.",
        "",
        "| site | rule | settings | promised, % | gained, % | in the interval | largest increases |",
        "|---|---|---|---|---|---|---|",
    )
    for each in harmful[:SHOWN]:
        yield (
            f"| {each.seed} | {each.rule} | {sets(each)} | {each.promised:.1f} | {each.gained:.1f} | {each.then:.1f} "
            f"| {slower(each)} |"
        )
    yield ""


def harmed(found: Measured) -> list[Trial]:
    """The trials that harm over the day, or in the interval of their capture."""
    return [each for each in found.trials if each.harms or each.harms_then]


def sets(trial: Trial) -> str:
    """What was set."""
    return "; ".join(" ".join(filter(None, (s.of, s.name, s.value))) for s in trial.settings)


def slower(trial: Trial) -> str:
    """The parts of response time that grew most."""
    return ", ".join(f"{name} +{part:.1f}" for name, part in trial.slower)


def harm_list(found: Measured) -> Iterator[list[object]]:
    """Rows of the machine-readable list of changes that harm, with its heading."""
    yield ["site", "rule", "sets", "rank", "confidence", "low", "promised", "high", "gained", "in_interval", "slower"]
    for each in harmed(found):
        numbers = (each.low, each.promised, each.high, each.gained, each.then)
        rounded = (round(value, 2) for value in numbers)
        yield [each.seed, each.rule, sets(each), each.rank, each.confidence, *rounded, slower(each)]


def _rules(found: Measured) -> Iterator[str]:
    yield from (
        "## By rule",
        "",
        "| rule | changes | harm | within low..high | promised, mean % | gained, mean % | worst: site, gained % |",
        "|---|---|---|---|---|---|---|",
    )
    for name, trials in figures.by_rule(found.trials).items():
        worst = min(trials, key=lambda each: each.gained)
        harm = sum(each.harms for each in trials)
        covered = 100 * figures.mean(each.covered for each in trials)
        promised, gained = (
            figures.mean(v) for v in ([t.promised for t in trials], [max(-100.0, t.gained) for t in trials])
        )
        yield (
            f"| {name} | {len(trials)} | {harm} | {covered:.0f} % | {promised:.1f} | {gained:.1f} "
            f"| {worst.seed}: {worst.gained:.1f} |"
        )
    yield ""


END = (
    "## Limits",
    "",
    "The model is closed: clients that wait less ask more often. If two kinds of work share a device, a change that speeds",
    "one up can slow the other down; this counts as harm by the weight of the slower one.",
    "",
    "[Its README](../tests/twin/README.md#not-modelled) lists the parts that it lacks: access plans and statistics,",
    "compression, columnar tables, utilities, HADR, locks between classes, parallel sections, most latches, warm-up,",
    "weekends, growth. Rules about them are not measured. Daily load curves are assumed, as are the steps of self-tuning",
    "memory ([all assumptions](../tests/twin/README.md#assumptions)). Sites are plausible, not surveyed, and rules with few",
    "changes have uncertain figures. The best known result is the best that was found. Some thresholds of rules were once",
    "chosen with this model: its figures show how well rules and model agree, not how well either fits a real server.",
    "",
)
