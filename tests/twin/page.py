"""The page of the study: what was measured, against what was to be reached, and what the model does not know."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.twin import figures
from tests.twin.drawing import FEW

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.twin.figures import Measured
    from tests.twin.study import Trial

LIST, CAREFUL, SEARCH = "the list, step by step", "the list, what harms taken back", "Optuna, 200 trials"
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
        "# The advice on machines that obey physics",
        "",
        "The [twin](../tests/twin/README.md) is a model of a database server from textbooks and manuals: it turns",
        "hardware, work and configuration into times and counters. Machines as sites have them are drawn, captures of",
        "them are judged, what is advised is carried out, and the machine is solved again. What a change promised",
        "stands beside what it gained: the share of response time that is gone, transactions weighed as they came",
        "before. The model was built without a look at the rules. Load changes over the day, and a capture knows an hour of",
        "it, a minute, or what was counted since the activation; gains are those of the whole day.",
        "",
        f"Measured on {found.sites} sites by `python -m tests.twin.report` ({minutes:.0f} minutes of a processor); of",
        f"{found.given} recommendations that promise a benefit the model could carry out {len(found.trials)}. The rest",
        "is for a person (disks, indexes), or sets what the model has no opinion of.",
        "",
    )


def _targets(found: Measured) -> Iterator[str]:
    each, together = found.trials, found.compared
    alarms, near = figures.false_alarms(together)
    nothing, nothing_to_do, sick = figures.silent(together)
    share, pooled, _ = figures.closed(together, LIST)
    careful, _, changes = figures.closed(together, CAREFUL)
    search, _, _ = figures.closed(together, SEARCH)
    of_changes = (
        ("Changes that make response time worse by more than 1 %", figures.mean(t.harms for t in each), "at most 1 %"),
        (
            "Gains within low..high (half a percent for rounding)",
            figures.mean(t.covered for t in each),
            "at least 80 %",
        ),
    )
    of_sites = (
        ("Gap to the best known that the list closes, mean over sites", share, "at least 80 %"),
        ("the same of all gaps together", pooled, ""),
        (f"the same where what harms is taken back ({changes:.1f} changes)", careful, "no worse than the search"),
        ("the same by 200 trials of Optuna", search, ""),
        (f"False alarms: over 2 % promised on {near} sites within 2 % of their best", alarms, "under 3 %"),
        (f"Silence: no advice of lane P on {sick} sites that lose over 10 %", nothing, "under 5 %"),
        ("no advice there that the model can carry out", nothing_to_do, ""),
    )
    yield from ("## Figures", "", "| | measured | to be reached |", "|---|---|---|")
    for name, value, target in (*of_changes, *(of_sites if together else ())):
        yield f"| {name} | {100 * value:.1f} % | {target} |"
    then = figures.in_the_interval(each)
    yield f"| Kendall's tau of promised with gained | {figures.tau(each):.2f} | at least 0.6 |"
    yield f"| Within low..high, in the interval of the capture alone | {100 * figures.mean(t.covered for t in then):.1f} % | |"
    yield f"| Kendall's tau there | {figures.tau(then):.2f} | |"
    right = figures.ordered(each)
    yield f"| Two changes of one site that differ by more than 1 %: the larger promise gained more | {100 * right:.0f} % | |"
    yield ""


def _curves(found: Measured) -> Iterator[str]:
    yield from (
        "## Calibration",
        "",
        "![What was gained by what was promised](model-study/benefit.svg)",
        "![How often the low end was kept by confidence](model-study/confidence.svg)",
        "",
        "| promised, mean % | gained, mean % | changes |",
        "|---|---|---|",
    )
    for point in figures.benefit_curve(found.trials):
        yield f"| {point.at:.1f} | {point.found:.1f} | {point.count} |"
    yield from ("", "| confidence told, % | low end kept, % | changes |", "|---|---|---|")
    for point in figures.confidence_curve(found.trials):
        yield f"| {point.at:.0f} | {point.found:.0f} | {point.count} |"
    yield from ("", "A loss counts as no more than 100 % in means.", "")


def _known(found: Measured) -> Iterator[str]:
    yield from (
        "## By what the capture knows",
        "",
        f"Few are at work where it is at most {100 * FEW:.0f} % of the clients of every class.",
        "",
        "| known | sites | of these with a change | changes | within low..high | there, in the interval |",
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
        "## Beside what else a site could do",
        "",
        f"On {len(found.compared)} sites, of which {gaps} have a gap of more than {figures.NEAR:.0f} %; the best known is",
        "the best of everything here. Ten changes at most; a trial is a measurement of another configuration. Formulas of",
        "AUTOCONFIGURE are not published: 60 % of the memory for the pools, as in the manual's example, and AUTOMATIC counts.",
        "Rules of ratios see the hour of the capture; trials are measured at the loads that bring most of the response time.",
        "After ± is the standard error of the mean.",
        "",
        *(["Of so few sites these are indications.", ""] if gaps < ENOUGH else []),
        "| | gap closed, mean | all gaps together | changes or trials | sites left worse |",
        "|---|---|---|---|---|",
    )
    for name in names:
        mean, together, changes = figures.closed(found.compared, name)
        left = figures.worse(found.compared, name)
        error = figures.uncertain(found.compared, name)
        yield (
            f"| {name} | {100 * mean:.0f} ± {100 * error:.0f} % | {100 * together:.0f} % | {changes:.1f} "
            f"| {100 * left:.0f} % |"
        )
    yield ""


def _harm(found: Measured) -> Iterator[str]:
    harmful = sorted(harmed(found), key=lambda each: each.gained)
    yield from ("## Where advice harms", "")
    if not harmful:
        yield from ("No change that was carried out made response time worse by more than 1 %.", "")
        return
    yield from (
        f"{sum(each.harms for each in harmful)} changes made response time worse by more than 1 % over the day,",
        f"{sum(each.harms_then for each in harmful)} in the interval of the capture. [A list](model-study/harm.csv) has all of",
        f"them; here are the worst {SHOWN}. `python -m tests.twin.report --site NUMBER` shows what a site was advised. The",
        "parts of response time that grew most over the day, by class and component, are in percent of what it was before.",
        "",
        "| site | rule | set | promised, % | gained, % | in the interval | grew most |",
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
    "## What this does not tell",
    "",
    "The model is closed: clients that wait for less ask more often. Where two kinds of work share a device a change that",
    "speeds one up can slow the other down; it then counts as harm by the weight of the slower one.",
    "",
    "What the model does not have is listed in [its README](../tests/twin/README.md#not-modelled): access plans and statistics,",
    "compression, columnar tables, utilities and HADR, locks between classes, parallel sections, latches but one, warm-up,",
    "weekends, tables that grow. Shapes of days are assumed; self-tuning memory is where the busiest load would put it.",
    "Rules about those are not judged here. Sites are drawn by what is plausible, not from a survey: rates are of these",
    "sites, and a rule that seldom speaks has few changes behind its figures. The best known is the best that was found.",
    "",
)
