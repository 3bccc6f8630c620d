"""Effect of verified changes on a rule's numbers: bounded, in the right direction, and zero without lessons."""

from dataclasses import replace
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.capture import open_capture
from advisor.capture.lessons import CONFIRMED, HARMFUL, NO_EFFECT, DatabaseKey, Lesson, Percent, Thing, Turned
from advisor.catalogue.embedded import open_tables
from advisor.catalogue.rules import all_rules
from advisor.judgement.advice import Advice, Recommendation
from advisor.judgement.lessons import (
    LEVEL,
    MAX_FACTOR,
    MIN_CONFIDENCE,
    MIN_FACTOR,
    Wanted,
    attach_warnings,
    confidence,
    factor,
    find_harmful,
    harm,
    learn,
    own_benefit,
    select_counted,
)
from advisor.judgement.run import evaluate
from advisor.report.text import title
from tests.support.advised import to_nine_digits
from tests.support.paths import CAPTURES

HERE = DatabaseKey("HRDB", "ibmserv", "hrinst")
RULE, OTHER = "prefetch.size-misaligned", "memory.sort-overflow"
SORTHEAP = Turned("DBCFG:SORTHEAP", "256", "1000")


def lesson(promised: float, brought: float, width: float = 2, verdict: str = CONFIRMED, rule: str = RULE) -> Lesson:
    bounds = Percent(brought - width / 2, brought, min(100, brought + width / 2))
    object_ = Thing("TABLESPACE", "ELSEWHERE")
    settings = (Turned("TABLESPACE:ELSEWHERE:PREFETCHSIZE", "8", "16"),)
    of = Percent(promised / 2, promised, promised * 2)
    return Lesson(HERE, "2026-02-01", rule, object_, settings, of, bounds, verdict)


MEASURED = st.builds(
    lesson,
    st.floats(0.01, 50),
    st.floats(-1000, 90),
    st.floats(0, 200),
    st.sampled_from((CONFIRMED, NO_EFFECT, HARMFUL)),
)
LESSONS = st.lists(MEASURED, max_size=12)


@given(LESSONS, st.floats(0.05, 0.9))
def test_whatever_happened_a_rule_moves_within_bounds(lessons: list[Lesson], own: float) -> None:
    assert MIN_FACTOR <= factor(lessons) <= MAX_FACTOR
    assert max(own - LEVEL, min(own, MIN_CONFIDENCE)) <= confidence(own, lessons) <= own + LEVEL


@given(LESSONS, st.permutations(range(12)), st.floats(0.05, 0.9))
def test_the_order_of_lessons_makes_no_difference(lessons: list[Lesson], order: list[int], own: float) -> None:
    turned = [lessons[place] for place in order if place < len(lessons)]
    assert (factor(turned), confidence(own, turned)) == (factor(lessons), confidence(own, lessons))


@given(LESSONS, st.floats(0.01, 50), st.floats(0, 50), st.floats(0, 50), st.floats(0.05, 0.9))
def test_who_brings_more_is_believed_no_less(
    lessons: list[Lesson], promised: float, brought: float, more: float, own: float
) -> None:
    less, better = (lesson(promised, each) for each in (brought, min(90, brought + more)))
    better = replace(better, brought_pct=better.brought_pct._replace(low=better.brought_pct.high - 2))  # equally sure
    less = replace(less, brought_pct=less.brought_pct._replace(low=less.brought_pct.high - 2))
    assert factor([*lessons, less]) <= factor([*lessons, better]) + 1e-12
    assert confidence(own, [*lessons, less]) <= confidence(own, [*lessons, better]) + 1e-12


@given(st.lists(st.floats(0.01, 50), max_size=12), st.floats(0.05, 0.9))
def test_who_keeps_what_was_promised_changes_no_benefit(promised: list[float], own: float) -> None:
    lessons = [lesson(each, each) for each in promised]
    assert factor(lessons) == pytest.approx(1)
    assert confidence(own, lessons) >= own


@pytest.mark.parametrize(
    ("brought", "most"),
    [
        (lesson(10, 90), 1.21),  # one lucky night
        (lesson(0.5, 2, width=8), 1.02),  # too small to be distinguished from zero
        (lesson(0.5, 0, width=4, verdict=NO_EFFECT), 1.0),
    ],
)
def test_one_change_alone_moves_little(brought: Lesson, most: float) -> None:
    assert 0.78 <= factor([brought]) <= most


def test_what_harmed_counts_as_bringing_nothing() -> None:
    assert factor([lesson(10, 30, verdict=HARMFUL)]) == factor([lesson(10, 0)]) < 1
    assert factor([lesson(10, -8, verdict=HARMFUL)] * 9) == MIN_FACTOR
    assert confidence(0.9, [lesson(10, -8, verdict=HARMFUL)] * 9) == pytest.approx(0.6)


def test_lessons_of_other_or_unpromised_changes_do_not_count() -> None:
    free = replace(lesson(10, 5), promised_pct=None)
    blind = replace(lesson(10, 5), brought_pct=None)
    assert select_counted([free, blind, lesson(10, 5, rule=OTHER)], RULE) == ()
    assert select_counted([replace(blind, verdict=HARMFUL)], RULE)


@pytest.mark.parametrize(
    ("setting", "known"),
    [
        (Wanted("DBCFG:SORTHEAP", None, "256", "6400"), True),
        (Wanted("DBCFG:SORTHEAP:3", 3, "256", "6400"), True),
        (Wanted("DBCFG:SORTHEAP", None, "4000", "1000"), True),  # to the same value
        (Wanted("DBCFG:SORTHEAP", None, "6400", "2000"), False),
        (Wanted("DBCFG:SORTHEAP", None, "256", "256 AUTOMATIC"), False),
        (Wanted("DBCFG:SHEAPTHRES", None, "256", "6400"), False),
    ],
)
def test_the_same_change_is_the_same_setting_turned_the_same_way(setting: Wanted, known: bool) -> None:
    made = replace(lesson(2, -8, verdict=HARMFUL, rule=OTHER), settings=(SORTHEAP,))
    assert (harm(find_harmful([made], "hrdb"), [setting]) is not None) is known
    assert harm(find_harmful([made], "ANOTHER"), [setting]) is None
    assert harm(find_harmful([replace(made, verdict=NO_EFFECT)], "HRDB"), [setting]) is None


@pytest.mark.parametrize(
    ("brought", "expected", "sure"), [(90, 0.6, [0.6, 0.9]), (0, 0.4, [0.3, 0.6]), (10, 0.5, [0.6, 0.9])]
)
def test_what_is_expected_stays_in_the_range_of_the_rule(brought: float, expected: float, sure: list[float]) -> None:
    lessons = [replace(lesson(10, brought, rule="r"), made_on=f"2026-02-{day:02}") for day in range(1, 29)]
    with open_tables() as tables:
        tables.execute(
            "INSERT INTO TUNE.FINDING"
            " (RULE, OBJECT_TYPE, OBJECT_NAME, RECOVER_LOW, RECOVER_EXPECTED, RECOVER_HIGH, CONFIDENCE) VALUES"
            " ('r', 'DATABASE', 'A', 0.4, 0.5, 0.6, 0.3), ('r', 'DATABASE', 'B', NULL, NULL, NULL, 0.9),"
            " ('other', 'DATABASE', 'A', 0.4, 0.5, 0.6, 0.3)"
        )
        learn(tables, lessons, "HRDB")
        rows = tables.fetch("SELECT RECOVER_EXPECTED, CONFIDENCE FROM TUNE.FINDING ORDER BY RULE DESC, OBJECT_NAME")
    assert rows == [(pytest.approx(expected), pytest.approx(sure[0])), (None, pytest.approx(sure[1])), (0.5, 0.3)]


@cache
def judged(*lessons: Lesson) -> Advice:
    with open_capture(CAPTURES / "x445-8way") as capture:
        capture.lessons = lessons
        return evaluate(capture, [all_rules()[name] for name in (RULE, OTHER, "log.shares-data-device")])


def of(advice: Advice, rule: str) -> Recommendation:
    (item,) = [item for item in advice.ranked if item.rule.name == rule]
    return item


def test_lessons_change_a_rules_benefit_and_rank() -> None:
    harmed = replace(lesson(2, -8, verdict=HARMFUL, rule=OTHER), settings=(SORTHEAP,))
    poor = [replace(lesson(10, 0, verdict=NO_EFFECT), made_on=f"2026-02-{day:02}") for day in range(1, 10)]
    before, after = judged(), judged(harmed, *poor)
    was, is_ = of(before, RULE), of(after, RULE)
    assert (is_.benefit_low, is_.benefit_high) == (was.benefit_low, was.benefit_high)
    assert is_.benefit == pytest.approx(MIN_FACTOR * was.benefit)
    assert own_benefit(is_) == pytest.approx((was.benefit_low, was.benefit, was.benefit_high))
    assert is_.learned and len(is_.learned.lessons) == 9
    assert is_.confidence == pytest.approx(was.confidence - LEVEL)
    again = of(after, OTHER)
    assert again.learned and again.learned.harm == harmed
    assert again.finding.startswith(
        "This change was made on 2026-02-01 on ibmserv (DBCFG:SORTHEAP 256 -> 1000) and made it 8.0 %"
    )
    assert again.confidence == pytest.approx(0.3)
    assert to_nine_digits(of(before, "log.shares-data-device")) == to_nine_digits(of(after, "log.shares-data-device"))


def test_list_without_lessons_reports_harm_and_stays() -> None:
    made = replace(lesson(2, -8, verdict=HARMFUL, rule=OTHER), settings=(SORTHEAP,))
    before = judged()
    after = attach_warnings(before, [made, lesson(10, 0)])
    assert [(item.rank, item.benefit, item.confidence) for item in after.recommendations] == [
        (item.rank, item.benefit, item.confidence) for item in before.recommendations
    ]
    assert [item.rule.name for item in after.ranked if item.finding.startswith("This change was made on")] == [OTHER]
    assert "did harm" in title(of(after, OTHER))


def test_lessons_of_silent_rules_do_not_change_advice() -> None:
    assert to_nine_digits(judged(lesson(10, 1, rule="log.buffer-full"))) == to_nine_digits(judged())
