"""The ranking by itself: findings are written down by hand, the views of sql/rank/ put them in order."""

import pytest

from advisor.catalogue.rules import all_rules
from tests.support.handmade import List


def test_score_is_benefit_times_confidence_times_ease() -> None:
    row = List().finds("a", 20, header={"effect": "IR"}, recover=0.5, confidence=0.6).advice()[0]
    assert row["BENEFIT"] == pytest.approx(10)
    assert row["SCORE"] == pytest.approx(10 * 0.6 * 0.8)


def test_order_is_by_score() -> None:
    run = List().finds("small", 5).finds("sure", 20, confidence=0.9).finds("doubtful", 20, confidence=0.3)
    assert run.finds("rebuild", 20, confidence=0.9, header={"effect": "OB"}).order() == [
        "sure",
        "rebuild",
        "doubtful",
        "small",
    ]


def test_equal_scores_are_in_order_of_ease_then_name() -> None:
    run = List().finds("b", 10, header={"effect": "RC"}).finds("a", 10, header={"effect": "RC"}).finds("c", 9)
    assert run.order() == ["c", "a", "b"]


def test_high_risk_must_beat_a_safer_change_clearly() -> None:
    assert List().finds("risky", 14, header={"risk": "high"}).finds("safe", 10).order() == ["safe", "risky"]
    run = List().finds("risky", 15, header={"risk": "high"}).finds("safe", 10)
    assert run.order() == ["risky", "safe"]
    assert {row["RULE"]: row["SCORE"] for row in List().finds("risky", 15, header={"risk": "high"}).advice()} == {
        "risky": 7.5
    }


@pytest.mark.parametrize(("effect", "confidence"), [("ON", 0.9), ("OB", 0.3), ("HR", 0.3)])
def test_what_a_person_is_to_look_at_outranks_no_command_of_the_same_benefit(effect: str, confidence: float) -> None:
    run = List().finds("look", 20, confidence=0.9, action="-- look at it")
    run.finds("set", 20, obj="B", confidence=confidence, header={"effect": effect})
    rows = run.advice()
    assert [row["RULE"] for row in rows] == ["set", "look"]
    assert (rows[1]["CONFIDENCE"], rows[1]["EASE"]) == (0.6, 0.25)


def test_lanes_come_in_order_and_safety_by_severity() -> None:
    run = List().finds("ranked", 40).finds("tidy", 0, header={"lane": "H"}).finds("first", 0, header={"lane": "Q"})
    run.finds("low", 0, header={"lane": "S", "severity": "low"}).finds("normal", 0, header={"lane": "S"})
    run.finds("critical", 0, header={"lane": "S", "severity": "critical"})
    assert run.order() == ["first", "critical", "normal", "low", "ranked", "tidy"]


def test_a_finding_that_claims_nothing_goes_to_the_other_lane() -> None:
    run = List().finds("plain", 0).finds("safety", 0, header={"lane": "P/S"}).finds("safety", 10, obj="B")
    assert [(row["RULE"], row["LANE"]) for row in run.advice()] == [("safety", "S"), ("safety", "P"), ("plain", "H")]


def test_one_of_an_exclusion_group_wins_per_object() -> None:
    group = {"exclusive": "prefetch"}
    run = List().finds("a", 10, header=group).finds("b", 20, header=group).finds("a", 10, obj="B")
    rows = [(row["RULE"], row["OBJECT_NAME"], row["SUPERSEDED_BY"]) for row in run.advice()]
    assert rows == [("b", "A", None), ("a", "B", None), ("a", "A", "b")]


def test_one_of_two_with_a_target_wins() -> None:
    run = List().finds("a", 10, target="DBCFG:SORTHEAP").finds("b", 20, obj="B", target="DBCFG:SORTHEAP").finds("c", 5)
    assert run.left_out() == {"a": "b"}


def test_an_urgent_lane_wins_a_target_over_score() -> None:
    run = List().finds("fast", 30, target="X").finds("safe", 0, obj="B", target="X", header={"lane": "S"})
    assert run.left_out() == {"fast": "safe"}


@pytest.mark.parametrize(
    ("scope", "other_object", "other_claim", "gives_way"),
    [
        ("object", "A", 5, True),
        ("object", "B", 5, False),
        ("any", "B", 5, True),
        ("any+larger", "B", 5, False),
        ("any+larger", "B", 20, True),
        ("object+larger", "A", 20, True),
    ],
)
def test_a_rule_yields_to_the_cause(scope: str, other_object: str, other_claim: float, gives_way: bool) -> None:
    run = List().finds("symptom", 10, header={"yields": f"cause@{scope}"}).finds("cause", other_claim, obj=other_object)
    assert run.left_out() == ({"symptom": "cause"} if gives_way else {})


def test_what_gave_way_takes_no_target_from_others() -> None:
    run = List().finds("symptom", 20, target="X", header={"yields": "cause@object"}).finds("cause", 5)
    assert run.finds("third", 10, obj="B", target="X").left_out() == {"symptom": "cause"}


def test_below_the_floor_is_left_out_but_not_in_other_lanes() -> None:
    run = List().finds("tiny", 0.9).finds("enough", 1).finds("safety", 0.2, header={"lane": "S"})
    assert run.left_out() == {"tiny": "benefit below the floor"}


def test_nothing_gives_way_to_what_is_below_the_floor() -> None:
    run = List().finds("symptom", 10, header={"yields": "cause@object"}).finds("cause", 0.1)
    assert run.left_out() == {"cause": "benefit below the floor"}
    group = {"exclusive": "pool"}
    run = List().finds("sure", 0.9, header=group).finds("doubtful", 1.1, confidence=0.3, header=group)
    assert run.left_out() == {"sure": "benefit below the floor"}


def test_a_claim_never_exceeds_its_bucket() -> None:
    row = List().finds("a", 70, second=30, header={"claims": "POOL_READ, LOG_DISK"}).advice()[0]
    assert row["CLAIMED_PCT"] == pytest.approx(40 + 10)


def test_members_of_one_object_claim_once() -> None:
    run = List().finds("a", 10, member=0).finds("a", 30, member=1).finds("a", 20, member=2)
    (row,) = run.advice()
    assert (row["CLAIMED_PCT"], row["MEMBER"]) == (30, None)


def test_benefits_after_those_above_add_up_to_no_more_than_the_bucket() -> None:
    run = List().finds("first", 40, recover=1).finds("second", 30).finds("other", 10, header={"claims": "LOG_DISK"})
    after = {row["RULE"]: (row["BENEFIT"], row["BENEFIT_AFTER"]) for row in run.advice()}
    assert after == {"first": (40, 40), "second": (15, 0), "other": (5, 5)}


def test_a_claim_on_two_buckets_keeps_what_is_left_in_each() -> None:
    both = {"claims": "POOL_READ, PREFETCH_WAIT"}
    run = List().finds("first", 40, recover=0.75).finds("second", 40, second=20, recover=0.5, header=both)
    after = {row["RULE"]: row["BENEFIT_AFTER"] for row in run.advice()}
    # 30 of 40 are taken from the first bucket, all 20 are left in the second
    assert after == {"first": pytest.approx(30), "second": pytest.approx(0.5 * (10 + 20))}


def test_what_fits_in_free_memory_is_given_without_a_donor() -> None:
    run = (
        List(budget_kb=1000)
        .finds("grow", 20, memory_kb=1000)
        .finds("idle", 0, obj="B", memory_kb=-500, header={"lane": "P/P", "donor": "yes"})
    )
    assert run.order() == ["grow"]
    assert List(budget_kb=None).finds("grow", 20, memory_kb=10**9).order() == ["grow"]


def test_a_donor_that_is_not_needed_says_so() -> None:
    run = List(budget_kb=1000).finds("idle", 0, memory_kb=-500, header={"lane": "P/P", "donor": "yes"})
    assert run.left_out() == {"idle": "no advice needs its memory"}


def test_what_does_not_fit_is_left_out() -> None:
    run = (
        List(budget_kb=1000).finds("grow", 20, memory_kb=800).finds("more", 10, obj="B", memory_kb=300).finds("free", 5)
    )
    assert run.left_out() == {"more": "memory budget"}


def test_what_can_never_fit_leaves_the_memory_to_others() -> None:
    run = List(budget_kb=1000).finds("huge", 20, memory_kb=5000).finds("grow", 10, obj="B", memory_kb=900)
    assert run.left_out() == {"huge": "memory budget"}


def test_a_donor_comes_right_before_what_it_pays_for() -> None:
    donor = {"lane": "P/P", "donor": "yes"}
    run = List(budget_kb=1000).finds("best", 40).finds("fits", 30, obj="B", memory_kb=900)
    run.finds("grow", 20, memory_kb=600).finds("last", 10).finds("idle", 0, obj="C", memory_kb=-700, header=donor)
    assert run.order() == ["best", "fits", "idle", "grow", "last"]


def test_a_donor_that_frees_too_little_is_not_asked() -> None:
    run = List(budget_kb=0).finds("grow", 20, memory_kb=900)
    run.finds("idle", 0, obj="B", memory_kb=-500, header={"lane": "P/P", "donor": "yes"})
    assert run.left_out() == {"grow": "memory budget", "idle": "no advice needs its memory"}


def test_one_snapshot_caps_confidence() -> None:
    rows = List(confidence_cap=0.6).finds("measured", 20, confidence=0.9).finds("guess", 10, confidence=0.3).advice()
    assert [row["CONFIDENCE"] for row in rows] == [0.6, 0.3]


def test_no_rules_give_way_to_each_other() -> None:
    """Two that each wait for the other would both vanish; where the larger one goes first, one stays."""
    waits: dict[str, set[str]] = {}
    for rule in all_rules().values():
        for relation in rule.listed("yields"):
            other, _, scope = relation.partition("@")
            if not scope.endswith("+larger"):
                waits.setdefault(rule.name, set()).add(other)
    for name, others in waits.items():
        seen, ahead = set(), list(others)
        while ahead:
            other = ahead.pop()
            if other not in seen:
                seen.add(other)
                ahead += waits.get(other, set())
        assert name not in seen
