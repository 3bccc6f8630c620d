"""What the program advises of machines of the model is carried out on them. A sample of the study gets no worse unnoticed.

The bounds of the sample are what was measured here on 60 sites, with room for a change or two. The targets are narrower:
at most 1 % harm, 80 % within low..high.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from advisor.judgement.advice import Setting as Advised
from tests.twin import figures, samples
from tests.twin.change import Setting, apply
from tests.twin.days import Levels, even, gained
from tests.twin.drawing import DrawnSite, Knowledge, site
from tests.twin.machine import Partitioning, space
from tests.twin.study import Trial, advised, translated, trials

HARM_AT_MOST, COVERED_AT_LEAST, PAIRS_AT_LEAST = 0.06, 0.65, 0.7


def one(kind: str, name: str, of: str | None, proposed: str | None, member: int | None = None) -> Advised:
    return Advised(kind, name, of, member, f"{kind}:{name}", "1", proposed, None)


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        (one("DBCFG", "LOGBUFSZ", "TWIN", "2048"), Setting("dbcfg", "LOGBUFSZ", "2048", "TWIN")),
        (one("DBCFG", "LOCKLIST", "TWIN", "5000 AUTOMATIC"), Setting("dbcfg", "LOCKLIST", "AUTOMATIC(5000)", "TWIN")),
        (one("DBCFG", "SORTHEAP", "TWIN", "AUTOMATIC"), Setting("dbcfg", "SORTHEAP", "AUTOMATIC", "TWIN")),
        (one("DBCFG", "NUM_IOCLEANERS", None, "AUTOMATIC"), Setting("dbcfg", "NUM_IOCLEANERS", "AUTOMATIC")),
        (
            one("TABLESPACE", "FS_CACHING", "DATA", "NO FILE SYSTEM CACHING"),
            Setting("tablespace", "FILE SYSTEM CACHING", "NO", "DATA"),
        ),
        (one("BUFFERPOOL", "SIZE", "BP", "5000"), Setting("bufferpool", "SIZE", "20000", "BP")),
        (one("TABLE", "COMPRESS", "T", "YES"), None),
        (one("BUFFERPOOL", "SIZE", "BP", "100", member=3), None),
    ],
)
def test_a_setting_in_the_models_words(given: Advised, wanted: Setting | None) -> None:
    """The size of a pool is one of four members'; of a heap the model does not know what self-tuning makes of it."""
    machine = replace(samples.reports(), partitioning=Partitioning(4))
    assert translated(machine, given) == wanted


def test_change_without_effect_gains_zero_and_worse_costs() -> None:
    machine = samples.reports()
    before = Levels(machine)

    def with_it(setting: Setting) -> float:
        return gained(before, Levels(apply(machine, setting)), even(machine).whole)

    assert with_it(Setting("dbmcfg", "INTRA_PARALLEL", "NO")) == pytest.approx(0, abs=1e-6)
    assert with_it(Setting("tablespace", "PREFETCHSIZE", "8", "FACTS")) < -0.1


@pytest.mark.full
def test_scans_that_wait_for_prefetchers_gain_what_is_promised() -> None:
    """Requests of 32 pages from containers of 24 read one or two of the four at a time."""
    machine = apply(samples.reports(), Setting("tablespace", "PREFETCHSIZE", "32", "FACTS"))
    assert space(machine, "FACTS").extent == 24
    here = DrawnSite(0, Levels(machine), even(machine))
    (advice,) = advised([here])
    (trial,) = [each for each in trials(here, advice) if each.rule == "prefetch.size-misaligned"]
    assert trial.settings == (Setting("tablespace", "PREFETCHSIZE", "96", "FACTS"),)
    assert trial.covered


@pytest.mark.full
@pytest.mark.parametrize("snapshots", [1, 2])
def test_advice_comes_with_and_without_facts_and_of_one_snapshot(snapshots: int) -> None:
    here = site(86)
    advice = advised([replace(here, knowledge=Knowledge(known, 60.0, snapshots)) for known in (True, False)])
    assert all(each.window.usable for each in advice)
    assert all(each.ranked for each in advice)


def tried(seeds: list[int]) -> list[Trial]:
    sites = [site(seed) for seed in seeds]
    return [each for one, advice in zip(sites, advised(sites), strict=True) for each in trials(one, advice)]


@pytest.mark.full
def test_rates_on_some_sites() -> None:
    found = tried(list(range(60)))
    assert len(found) > 12
    assert figures.mean(each.harms for each in found) <= HARM_AT_MOST
    assert figures.mean(each.covered for each in found) >= COVERED_AT_LEAST
    assert figures.ordered(found) >= PAIRS_AT_LEAST
