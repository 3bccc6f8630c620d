"""Verdicts about histories with a known effect, and their lessons."""

import json
import random
from dataclasses import replace
from datetime import timedelta
from statistics import median

import jsonschema
import pytest

from advisor.capture.lessons import CONFIRMED, HARMFUL, INCONCLUSIVE, NO_EFFECT, DatabaseKey, Percent
from advisor.judgement.lessons import confidence
from advisor.plan.steps import LEAST_DAYS
from advisor.report.text import json_text
from advisor.verify import show
from advisor.verify.changed import Change
from advisor.verify.comparable import Comparable, Moment
from advisor.verify.days import Point
from advisor.verify.measured import PRIMARY
from advisor.verify.nights import lesson
from advisor.verify.statistics import FEWEST, change
from advisor.verify.verdict import Figure, Verdict, _decide, judge, judge_sides
from tests.support.paths import DOCS
from tests.verify.histories import GUARD, Kind, history, scaled, with_guard, with_statements

SCHEMA = json.loads((DOCS / "verdict.schema.json").read_text(encoding="utf-8"))
QUIET = Kind(deviation=0.01, bursts=0.0)
CHANGED = [
    Change("database configuration SORTHEAP: 256 -> 512", "DBCFG:SORTHEAP", "memory.sort-overflow", 9.0, ("UNDO",))
]


@pytest.mark.parametrize(
    ("effect", "expected"),
    [(-0.43, CONFIRMED), (-0.14, CONFIRMED), (-0.07, CONFIRMED), (0.10, HARMFUL), (0.30, HARMFUL)],
)
def test_an_effect_is_found_and_measured(effect: float, expected: str) -> None:
    verdict = judge(*history(replace(QUIET, effect=effect), 1, 28, 14))
    assert verdict.verdict == expected
    assert verdict.figure is not None
    assert verdict.figure.change_pct == pytest.approx(100 * effect, abs=2.5)
    sides = [[each.value for each in verdict.course if each.after == after] for after in (False, True)]
    assert list(map(median, sides)) == [verdict.figure.before, verdict.figure.after]
    assert [each.begin for each in verdict.course] == sorted(each.begin for each in verdict.course)


@pytest.mark.parametrize(("size", "error", "decided"), [(0.03, 0.02, True), (0.015, 0.01, False), (0.05, 0.06, False)])
def test_gain_and_loss_are_judged_alike(size: float, error: float, decided: bool) -> None:
    made = change([Point(n, 0.0, "", n >= 7) for n in range(14)])
    assert made
    loss = replace(made, estimate=size, low=size - error, high=size + error)
    gain = replace(made, estimate=-size, low=-size - error, high=-size + error)
    found = [_decide(each, [], [], Comparable())[0] for each in (loss, gain)]
    assert found == ([HARMFUL, CONFIRMED] if decided else [INCONCLUSIVE] * 2)


def test_change_without_effect_gets_that_verdict() -> None:
    assert judge(*history(replace(QUIET, deviation=0.004), 1, 28, 28)).verdict == NO_EFFECT


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("effect", [-0.14, 0.20])
def test_swapping_before_and_after_flips_the_verdict(effect: float, seed: int) -> None:
    intervals, moment = history(replace(QUIET, effect=effect), seed, 14, 14)
    before = [each for each in intervals if each.begin < moment.latest]
    after = [each for each in intervals if each.begin >= moment.latest]
    there, back = judge_sides(before, after), judge_sides(after, before)
    assert {there.verdict, back.verdict} == {CONFIRMED, HARMFUL}
    assert there.figure and back.figure
    assert (1 + there.figure.change_pct / 100) * (1 + back.figure.change_pct / 100) == pytest.approx(1, abs=0.01)


@pytest.mark.parametrize("factor", [0.5, 0.8, 1.25, 3.0])
def test_other_load_alone_is_not_an_effect(factor: float) -> None:
    intervals, moment = history(replace(QUIET, deviation=0.004), 2)
    verdict = judge(scaled(intervals, moment, factor), moment)
    assert verdict.verdict in (NO_EFFECT, INCONCLUSIVE)
    if factor in (0.5, 3.0):
        assert any("its load is not" in reason for reason, _ in verdict.left_out)


def test_faster_sessions_are_compared_despite_more_work() -> None:
    intervals, moment = history(replace(QUIET, effect=-0.6), 2)
    verdict = judge(scaled(intervals, moment, 2.5), moment)
    assert verdict.verdict == CONFIRMED
    assert verdict.figure and verdict.figure.change_pct == pytest.approx(-60, abs=2)


def test_the_order_in_which_intervals_are_given_does_not_matter() -> None:
    intervals, moment = history(Kind(effect=-0.1), 3)
    assert judge(intervals, moment) == judge(intervals[::-1], moment)


def test_commits_that_wait_longer_make_a_gain_harmful() -> None:
    intervals, moment = history(replace(QUIET, effect=-0.2), 4)
    verdict = judge(with_guard(intervals, moment, 2.0), moment)
    assert verdict.verdict == HARMFUL
    assert verdict.reasons == (f"{GUARD} got worse",)
    assert "UNDO" in show.render(verdict, CHANGED, 100)


def test_next_to_nothing_may_be_twice_that() -> None:
    intervals, moment = history(replace(QUIET, effect=-0.2), 4)
    little = [
        replace(each, values=tuple(replace(value, value=0.001) if value.guard else value for value in each.values))
        for each in intervals
    ]
    assert judge(with_guard(little, moment, 0.002), moment).verdict == CONFIRMED


@pytest.mark.parametrize(("share", "expected"), [(0.2, HARMFUL), (0.03, CONFIRMED)])
def test_slower_statement_counts_by_its_share_and_is_named(share: float, expected: str) -> None:
    intervals, moment = history(replace(QUIET, effect=-0.2), 5, 14, 14)
    verdict = judge(with_statements(intervals, moment, 2.0, share), moment)
    assert verdict.verdict == expected
    assert [(each.text, each.slower) for each in verdict.changed] == [("SELECT 0", True)]
    assert "SELECT 0" in show.render(verdict, CHANGED, 100)


def test_intervals_with_filling_caches_are_left_out() -> None:
    intervals, moment = history(replace(QUIET, effect=-0.2), 6, 14, 14)
    cold = [
        replace(
            each, uptime_s=60.0, values=tuple(replace(v, value=50.0) if v.metric == PRIMARY else v for v in each.values)
        )
        if moment.latest <= each.begin < moment.latest + timedelta(days=2)
        else replace(
            each, discarded="interval discarded: the database was activated again between the snapshots", values=()
        )
        if each.end > moment.latest > each.begin
        else each
        for each in intervals
    ]
    verdict = judge(cold, moment)
    assert verdict.verdict == CONFIRMED
    assert sum(n for reason, n in verdict.left_out if "caches fill" in reason) == 2


def test_too_few_intervals_are_inconclusive_with_their_number() -> None:
    verdict = judge(*history(QUIET, 7, 14, 1))
    assert verdict.verdict == INCONCLUSIVE
    assert verdict.further == 2
    assert "2 more" in show.render(verdict, [], 100)


def test_no_interval_gives_no_verdict() -> None:
    assert judge([], Moment.from_time(history(QUIET, 1, 1, 1)[1].latest)).verdict == INCONCLUSIVE


@pytest.mark.parametrize("effect", [-0.3, 0.3, 0.0])
def test_the_document_is_as_its_schema_says(effect: float) -> None:
    intervals, moment = history(replace(QUIET, effect=effect), 8, 14, 7)
    verdict = judge(with_statements(intervals, moment, 2.0, 0.5), moment)
    document = json.loads(json_text(show.document(verdict, CHANGED)))
    jsonschema.validate(document, SCHEMA)
    assert [step["text"] for step in document["undo"]] == (["UNDO"] if verdict.verdict == HARMFUL else [])


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


def test_a_plan_names_the_days_that_a_verdict_needs() -> None:
    assert LEAST_DAYS == FEWEST
