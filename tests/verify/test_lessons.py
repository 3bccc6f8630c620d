"""Lessons of a verdict, and verdicts without a lesson."""

import random
from dataclasses import replace

import pytest

from advisor.capture.lessons import CONFIRMED, HARMFUL, INCONCLUSIVE, NO_EFFECT, DatabaseKey, Percent
from advisor.judgement.lessons import confidence
from advisor.verify.changed import Change
from advisor.verify.lessons import lesson
from advisor.verify.verdict import Figure, Verdict

DATABASE = DatabaseKey("SALES", "db1", "inst")
FIGURE = Figure("database time per activity", "ms", 10, 9, -10.0, -14.0, -6.0, 7, 7)
DECIDED = Verdict(CONFIRMED, "whole day", 0.95, FIGURE, (), (), 0, (), (), None)
ASKED = Change("text", "DBCFG:SORTHEAP", "memory.x", 8, (), "256", "512", "DATABASE", "SALES", 3, 15, 9)
BESIDE = replace(ASKED, target="DBCFG:SHEAPTHRES_SHR", old="1000", new="2000")
UNASKED = Change("text", "DBCFG:LOGBUFSZ", None, old="8", new="2048")


@pytest.mark.parametrize("verdict", [CONFIRMED, NO_EFFECT, HARMFUL, INCONCLUSIVE])
def test_what_was_measured_is_what_the_change_brought(verdict: str) -> None:
    found = lesson(replace(DECIDED, verdict=verdict), [ASKED], DATABASE, "2026-03-02")
    assert found
    assert found.brought_pct == Percent(6, 10, 14)
    assert found.promised_pct == Percent(3, 9, 15)
    assert found.verdict == verdict


def test_what_one_advice_sets_is_one_change() -> None:
    found = lesson(DECIDED, [ASKED, BESIDE, BESIDE], DATABASE, "2026-03-02")
    assert found
    assert [turned.target for turned in found.settings] == [ASKED.target, BESIDE.target]


@pytest.mark.parametrize(
    ("verdict", "changed"),
    [
        (CONFIRMED, [ASKED, UNASKED]),
        (CONFIRMED, [ASKED, replace(ASKED, object_name="OTHER")]),
        (HARMFUL, [UNASKED, replace(UNASKED, target="DBCFG:LOGFILSIZ")]),
        (CONFIRMED, [UNASKED]),
        (CONFIRMED, []),
    ],
)
def test_shared_or_unadvised_change_is_not_a_lesson(verdict: str, changed: list[Change]) -> None:
    assert lesson(replace(DECIDED, verdict=verdict), changed, DATABASE, "2026-03-02") is None


def test_unmeasured_change_is_not_a_lesson() -> None:
    assert lesson(replace(DECIDED, verdict=INCONCLUSIVE, figure=None), [ASKED], DATABASE, "2026-03-02") is None


@pytest.mark.parametrize(("effect", "expected"), [(0.0, 0.3), (9.0, 0.9), (-9.0, 0.3)])
def test_confidence_follows_the_true_effect_of_all_changes(effect: float, expected: float) -> None:
    """Simulate 200 changes that promise 9 % (3 to 15) and are measured to 8 points; most of those without effect stay open."""
    draw = random.Random(1)
    found = []
    for _ in range(200):
        brought = draw.gauss(effect, 4)
        verdict = CONFIRMED if brought > 8 else HARMFUL if brought < -8 else INCONCLUSIVE
        figure = replace(FIGURE, change_pct=-brought, low_pct=-brought - 8, high_pct=-brought + 8)
        found.append(lesson(replace(DECIDED, verdict=verdict, figure=figure), [ASKED], DATABASE, "2026-03-02"))
    known = [each for each in found if each]
    assert len(known) == 200
    assert confidence(0.6, known) == pytest.approx(expected, abs=0.05)
    decided = [each for each in known if each.verdict == CONFIRMED]  # the former selection
    assert not decided or confidence(0.6, decided) > 0.6


def test_harm_of_an_unadvised_change_is_a_lesson() -> None:
    found = lesson(replace(DECIDED, verdict=HARMFUL, figure=None), [UNASKED], DATABASE, "2026-03-02")
    assert found
    assert (found.rule, found.object, found.promised_pct, found.brought_pct) == (None, None, None, None)
