"""Figures of the study, compared with numbers counted manually."""

from __future__ import annotations

import importlib.util
from collections import Counter
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from tests.twin import figures, report, rivals, samples
from tests.twin.change import Setting
from tests.twin.days import Levels, even
from tests.twin.drawing import OTHERS, DrawnSite, site
from tests.twin.figures import Compared, Measured, Point
from tests.twin.model import solve
from tests.twin.page import harm_list, page
from tests.twin.report import curve
from tests.twin.study import Trial, Walk, carry_out_nightly, walked


def trial(promised: float, gained: float, confidence: float = 0.6, seed: int = 1) -> Trial:
    setting = Setting("dbcfg", "LOGBUFSZ", "256")
    promise = (confidence, promised / 2, promised, 2 * promised)
    slower = (("order read", 3.2),) if gained < 0 else ()
    return Trial(seed, "log.buffer-full", (setting,), 1, *promise, gained, gained + 1, slower)


TRIALS = [trial(10, 12), trial(20, 25), trial(1, -3), trial(4, 1.4, 0.3), trial(30, 2, 0.9, 2)]
COMPARED = [
    Compared(1, 40.0, {"the list, step by step": (30.0, 3), "Optuna, 200 trials": (40.0, 200)}, 20.0, True),
    Compared(2, 1.0, {"the list, step by step": (-2.0, 1), "Optuna, 200 trials": (1.0, 200)}, 5.0, True),
    Compared(3, 20.0, {"the list, step by step": (0.0, 0), "Optuna, 200 trials": (10.0, 200)}, 0.0, False),
]


def test_harm_and_coverage() -> None:
    assert [each.harms for each in TRIALS] == [False, False, True, False, False]
    assert [each.covered for each in TRIALS] == [True, True, False, False, False]


def test_ranks_and_pairs() -> None:
    assert figures.tau([trial(1, 1), trial(2, 2), trial(3, 3)]) == pytest.approx(1)
    assert figures.tau([trial(1, 3), trial(2, 2), trial(3, 1)]) == pytest.approx(-1)
    assert figures.ordered(TRIALS) == pytest.approx(1)
    assert figures.ordered([trial(5, 0), trial(4, 9), trial(1, 0.5)]) == pytest.approx(1 / 2)


def test_curves_have_a_point_for_each_band_and_level() -> None:
    assert figures.benefit_curve(TRIALS) == [Point(1, -3, 1), Point(4, 1.4, 1), Point(10, 12, 1), Point(25, 13.5, 2)]
    kept = figures.confidence_curve(TRIALS)
    assert [(each.at, each.count) for each in kept] == [(30, 1), (60, 3), (90, 1)]
    assert [each.found for each in kept] == pytest.approx([0, 200 / 3, 0])


def test_the_interval_of_the_capture_is_judged_by_itself() -> None:
    then = figures.in_the_interval(TRIALS)
    assert [each.gained for each in then] == [13, 26, -2, 2.4, 3]
    assert figures.mean(each.covered for each in then) == pytest.approx(3 / 5)


def test_gaps_alarms_and_silence() -> None:
    assert figures.closed(COMPARED, "the list, step by step") == pytest.approx((0.375, 0.6, 1.5))
    assert figures.worse(COMPARED, "the list, step by step") == pytest.approx(1 / 3)
    assert figures.false_alarms(COMPARED) == (1.0, 1)
    assert figures.silent(COMPARED) == (0.5, 0.5, 2)


def test_method_is_not_measured_against_itself() -> None:
    """The list knows most on site 2 and closes the rivals' gap there; the search's gap is what the list gains."""
    ways = {
        "the list, step by step": (30.0, 3),
        "the list, harmful changes undone": (31.0, 3),
        "Optuna, 9 trials": (20.0, 9),
    }
    both = [Compared(2, 31.0, ways, 20.0, True)]
    assert both[0].rival("the list, step by step") == 20
    assert both[0].rival("Optuna, 9 trials") == 31
    assert figures.shares(both, "the list, step by step") == [1.0]
    assert figures.shares(both, "Optuna, 9 trials") == pytest.approx([20 / 31])


def test_nights_count_harm_and_how_early_the_gain_comes() -> None:
    nights = [
        replace(COMPARED[0], nights=(16.0, 14.5, 20.0)),
        replace(COMPARED[1], nights=(-3.0,)),
        replace(COMPARED[2], nights=(10.0, 9.5)),
    ]
    assert figures.harmful_nights(nights, harm=1) == pytest.approx(2 / 6)
    assert figures.reached_in_two_nights(nights) == pytest.approx((14.5 / 20 + 1) / 2)


def test_ahead_measures_both_against_the_others() -> None:
    ways = {"the list, step by step": (30.0, 3), rivals.BLANKET: (20.0, 9), "rules of ratios": (40.0, 2)}
    assert figures.ahead([Compared(1, 40.0, ways, 0, True)], "the list, step by step", rivals.BLANKET) == pytest.approx(
        0.25
    )


def test_interval_counts_sites_and_is_never_a_point() -> None:
    """Ten alike changes of one site tell no more than one; without any harm the exact bound is left."""
    harm = lambda some: figures.mean(each.harms for each in some)  # noqa: E731
    alike = [trial(1, -3 if seed % 2 else 3, seed=seed) for seed in range(10) for _ in range(10)]
    low, high = figures.interval(alike, harm)
    assert low <= 0.2
    assert high >= 0.8
    assert figures.interval([trial(1, 3, seed=seed) for seed in range(20)], harm) == pytest.approx(
        (0, 0.168), abs=0.001
    )


def test_family_follows_from_the_site_number() -> None:
    found = Measured([trial(1, 1), trial(2, 2, seed=OTHERS)], numbers={1, OTHERS})
    assert [each.promised for each in found.family(other=True).trials] == [2]
    assert found.family(other=False).numbers == {1}


def test_page_has_the_figures_and_well_formed_curves() -> None:
    text = page(Measured(TRIALS, COMPARED, 3, 9, promised=100.0), 1.0)
    assert "| Changes that increase response time by more than 1 % | 20.0 % (" in text
    assert "\n5 of 9 recommendations with a promised benefit, 65 % of all" in text
    assert "| the list, step by step | 37.5 % (" in text
    assert "| 1 | log.buffer-full | LOGBUFSZ 256 | 1.0 | -3.0 | -2.0 | order read +3.2 |" in text
    named = Measured([replace(each, known="an hour") for each in TRIALS], [], 4, 9, Counter({"an hour": 4}))
    assert "| an hour | 4 | 50 % | 5 | 40 % | 60 % |" in page(named, 1.0)
    assert [row[0] for row in harm_list(Measured(TRIALS))] == ["site", 1]
    none = page(Measured([each for each in TRIALS if not each.harms], COMPARED, 3, 9), 1.0)
    assert "No change increased response time" in none
    picture = curve("A & B", "x", "y", figures.benefit_curve(TRIALS), [(10, 12)])
    assert len(ElementTree.fromstring(picture).findall(".//{*}circle")) == 5


def test_ratios_double_what_is_bad_while_there_is_memory() -> None:
    machine = samples.reports()
    found = rivals.ratios(machine, solve(machine))
    assert [(each.name, each.value) for each in found] == [("SIZE", "120000"), ("SORTHEAP", "4096")]
    done = rivals.by_ratios(DrawnSite(0, Levels(machine), even(machine)))
    assert 2 < done.changes <= 10
    assert done.gained > 0


@pytest.mark.full
def test_a_search_finds_more_with_more_trials() -> None:
    if not importlib.util.find_spec("optuna"):
        pytest.skip("Optuna is not installed: pip install optuna")
    few, more = rivals.searched(site(64), (5, 40))
    assert 0 <= few.gained <= more.gained
    assert more.gained > 10


@pytest.mark.full
def test_walk_follows_advice_and_can_undo_harm() -> None:
    sites = [site(seed) for seed in (5001, 5010)]
    for walk in walked([Walk(each.levels, each, undo=True) for each in sites], most=3):
        assert len(walk.gains) >= 1
        assert walk.gained >= -1


@pytest.mark.full
def test_a_small_run_of_the_report(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(report, "walked", lambda walks: walked(walks, most=1))
    monkeypatch.setattr(report, "carry_out_nightly", lambda walks: carry_out_nightly(walks, nights=1))
    monkeypatch.setattr(rivals, "TRIALS", (2, 3))
    found = report.measured(6, 2)
    found.add(report.compared(8, 1))
    assert found.sites == 2
    assert len(found.compared) == 1
    assert len(found.compared[0].nights) == 1
    assert found.given >= len(found.trials)
