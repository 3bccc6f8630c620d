"""Lessons of a verdict, and verdicts without a lesson."""

from dataclasses import replace

import pytest

from advisor.capture.lessons import DatabaseKey, Percent
from advisor.verify.changed import Change
from advisor.verify.lessons import lesson
from advisor.verify.verdict import CONFIRMED, HARMFUL, INCONCLUSIVE, NO_EFFECT, Figure, Verdict

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


def test_harm_of_an_unadvised_change_is_a_lesson() -> None:
    found = lesson(replace(DECIDED, verdict=HARMFUL, figure=None), [UNASKED], DATABASE, "2026-03-02")
    assert found
    assert (found.rule, found.object, found.promised_pct, found.brought_pct) == (None, None, None, None)
