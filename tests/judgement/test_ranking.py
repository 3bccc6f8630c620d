"""The ranking alone: the views of sql/rank/ sort manually written findings."""

from typing import Any

import pytest

from advisor.catalogue.rules import all_rules
from tests.support.handmade import List, deferral


def test_score_is_benefit_times_confidence_times_ease() -> None:
    row = List().finds("a", 20, header={"takes_effect": "instance restart"}, recover=0.5, confidence=0.6).advice()[0]
    assert row["BENEFIT"] == pytest.approx(10)
    assert row["SCORE"] == pytest.approx(10 * 0.6 * 0.8)


def test_order_is_by_score() -> None:
    run = List().finds("small", 5).finds("sure", 20, confidence=0.9).finds("doubtful", 20, confidence=0.3)
    assert run.finds("rebuild", 20, confidence=0.9, header={"takes_effect": "object rebuilt or moved"}).order() == [
        "sure",
        "rebuild",
        "doubtful",
        "small",
    ]


def test_equal_scores_are_in_order_of_ease_then_name() -> None:
    run = (
        List()
        .finds("b", 10, header={"takes_effect": "new connections"})
        .finds("a", 10, header={"takes_effect": "new connections"})
        .finds("c", 9)
    )
    assert run.order() == ["c", "a", "b"]


def test_high_risk_must_beat_a_safer_change_clearly() -> None:
    assert List().finds("risky", 14, header={"risk": "high"}).finds("safe", 10).order() == ["safe", "risky"]
    run = List().finds("risky", 15, header={"risk": "high"}).finds("safe", 10)
    assert run.order() == ["risky", "safe"]
    assert {row["RULE"]: row["SCORE"] for row in List().finds("risky", 15, header={"risk": "high"}).advice()} == {
        "risky": 7.5
    }


@pytest.mark.parametrize(
    ("effect", "confidence"), [("immediately", 0.9), ("object rebuilt or moved", 0.3), ("host change", 0.3)]
)
def test_manual_action_never_outranks_an_equal_command(effect: str, confidence: float) -> None:
    run = List().finds("look", 20, confidence=0.9, action="-- look at it")
    run.finds("set", 20, obj="B", confidence=confidence, header={"takes_effect": effect})
    rows = run.advice()
    assert [row["RULE"] for row in rows] == ["set", "look"]
    assert (rows[1]["CONFIDENCE"], rows[1]["EASE"]) == (0.6, 0.25)


def test_effect_is_that_of_the_proposed_steps() -> None:
    header = {"takes_effect": "instance restart", "actions": [{"manual": "Look.", "takes_effect": "immediately"}]}
    run = List().finds("looks", action="-- Look.", header=header)
    assert run.finds("sets", header={"takes_effect": "instance restart"}).finds("now").order() == [
        "now",
        "sets",
        "looks",
    ]
    assert {row["RULE"]: row["EFFECT"] for row in run.advice()} == {"looks": "ON", "sets": "IR", "now": "ON"}


def test_lanes_come_in_order_and_safety_by_severity() -> None:
    run = (
        List()
        .finds("ranked", 40)
        .finds("tidy", 0, header={"lane": "housekeeping"})
        .finds("first", 0, header={"lane": "prerequisite"})
    )
    run.finds("low", 0, header={"lane": "safety", "severity": "low"}).finds("normal", 0, header={"lane": "safety"})
    run.finds("critical", 0, header={"lane": "safety", "severity": "critical"})
    assert run.order() == ["first", "critical", "normal", "low", "ranked", "tidy"]


def test_a_finding_that_claims_nothing_goes_to_the_other_lane() -> None:
    run = (
        List()
        .finds("plain", 0)
        .finds("safety", 0, header={"lane_without_claim": "safety"})
        .finds("safety", 10, obj="B")
    )
    assert [(row["RULE"], row["LANE"]) for row in run.advice()] == [("safety", "S"), ("safety", "P"), ("plain", "H")]


def test_one_of_an_exclusion_group_wins_per_object() -> None:
    group = {"exclusive": "prefetch"}
    run = List().finds("a", 10, header=group).finds("b", 20, header=group).finds("a", 10, obj="B")
    rows = [(row["RULE"], row["OBJECT_NAME"], row["SUPERSEDED_BY"]) for row in run.advice()]
    assert rows == [("b", "A", None), ("a", "B", None), ("a", "A", "b")]


def test_one_of_two_with_a_target_wins() -> None:
    run = List().finds("a", 10, target="DBCFG:SORTHEAP").finds("b", 20, obj="B", target="DBCFG:SORTHEAP").finds("c", 5)
    assert run.left_out() == {"a": "b"}


@pytest.mark.parametrize("lane", ["prerequisite", "safety", "condition", "housekeeping"])
def test_what_claims_time_wins_a_target_in_any_lane(lane: str) -> None:
    run = List().finds("fast", 30, target="X").finds("other", 0, obj="B", target="X", header={"lane": lane})
    assert run.left_out() == {"other": "fast"}


@pytest.mark.parametrize(
    ("lane", "defers"), [("prerequisite", True), ("safety", True), ("condition", False), ("housekeeping", False)]
)
def test_what_claims_time_defers_to_a_cause_without_claim_only_if_it_is_urgent(lane: str, defers: bool) -> None:
    run = List().finds("fast", 30, header={"defers_to": [deferral("cause", "object")]})
    run.finds("cause", 0, header={"lane": lane})
    assert run.left_out() == ({"fast": "cause"} if defers else {})


def test_an_urgent_lane_wins_a_target_among_those_without_claim() -> None:
    run = List().finds("tidy", 0, target="X", header={"lane": "condition"})
    run.finds("safe", 0, obj="B", target="X", header={"lane": "safety"})
    assert run.left_out() == {"tidy": "safe"}


@pytest.mark.parametrize(
    ("scope", "other_object", "other_claim", "gives_way"),
    [
        (("object",), "A", 9, True),
        (("object",), "A", 5, False),
        (("object",), "B", 20, False),
        (("any",), "B", 20, True),
        (("any",), "B", 5, False),
        (("any", True), "B", 5, False),
        (("any", True), "B", 20, True),
        (("object", True), "A", 20, True),
    ],
)
def test_rule_defers_to_the_cause(
    scope: tuple[Any, ...], other_object: str, other_claim: float, gives_way: bool
) -> None:
    run = (
        List()
        .finds("symptom", 10, header={"defers_to": [deferral("cause", *scope)]})
        .finds("cause", other_claim, obj=other_object)
    )
    assert run.left_out() == ({"symptom": "cause"} if gives_way else {})


@pytest.mark.parametrize(("judged_by", "lane"), [("config", "H"), ("load", "P")])
def test_a_wrong_setting_below_the_floor_is_housekeeping(judged_by: str, lane: str) -> None:
    header = {"judged_by": judged_by, "lane_without_claim": "housekeeping"}
    (row,) = List().finds("a", 0.8, header=header).advice()
    assert (row["LANE"], row["SUPERSEDED_BY"]) == (lane, None if lane == "H" else "benefit below the floor")


def test_what_gave_way_takes_no_target_from_others() -> None:
    run = (
        List().finds("symptom", 20, target="X", header={"defers_to": [deferral("cause", "object")]}).finds("cause", 25)
    )
    assert run.finds("third", 10, obj="B", target="X").left_out() == {"symptom": "cause"}


def test_every_setting_of_a_recommendation_counts() -> None:
    run = List().finds("both", 20, target="DBCFG:LOGBUFSZ").finds("both", 20, target="DBCFG:SORTHEAP")
    run.finds("second", 10, obj="B", target="DBCFG:SORTHEAP").finds("third", 5, obj="B", target="DBCFG:LOCKLIST")
    assert run.left_out() == {"second": "both"}


def test_a_parameter_of_all_members_is_that_of_each() -> None:
    run = (
        List().finds("all", 20, target="DBCFG:SORTHEAP").finds("one", 10, obj="B", target="DBCFG:SORTHEAP", of_member=3)
    )
    assert run.left_out() == {"one": "all"}
    run = List().finds("three", 20, target="DBCFG:SORTHEAP", of_member=3)
    assert run.finds("four", 10, obj="B", target="DBCFG:SORTHEAP", of_member=4).left_out() == {}


def test_buffer_pool_gets_one_size_now_or_deferred() -> None:
    run = List().finds("now", 20, target="BUFFERPOOL:BP1:SIZE")
    assert run.finds("later", 10, obj="B", target="BUFFERPOOL:BP1:DEFERRED_SIZE").left_out() == {"later": "now"}


def test_a_loser_comes_back_when_its_winner_does_not_fit() -> None:
    group = {"exclusive": "pool"}
    run = List(budget_kb=100).finds("large", 20, memory_kb=500, header=group).finds("small", 10, header=group)
    assert run.left_out() == {"large": "not enough free memory"}
    run = (
        List(budget_kb=100)
        .finds("cause", 30, obj="B", memory_kb=500)
        .finds("symptom", 10, header={"defers_to": [deferral("cause", "any")]})
    )
    assert run.left_out() == {"cause": "not enough free memory"}


def test_what_lost_to_a_loser_comes_back() -> None:
    run = List().finds("first", 30, target="X").finds("second", 20, obj="B", target="X", header={"exclusive": "g"})
    assert run.finds("third", 10, obj="B", header={"exclusive": "g"}).left_out() == {"second": "first"}


def test_what_has_taken_the_time_of_another_takes_its_place() -> None:
    """In a bucket, in a table space, and in its pool; other objects keep their time."""
    run = List().has("BP1", TS1=30, TS2=4).has("BP2", TS3=6)
    run.finds("pool", 34, obj="BP1", kind="BUFFERPOOL", recover=1).finds("space", 20, obj="TS1").finds(
        "other", 6, obj="TS3"
    )
    assert run.left_out() == {"space": "pool"}
    run = (
        List()
        .finds("all", 40, recover=1)
        .finds("none", 20, obj="B")
        .finds("log", 10, header={"claims": {"LOG_DISK": {}}})
    )
    assert run.left_out() == {"none": "all"}


def test_no_more_is_promised_of_an_object_than_it_has() -> None:
    run = List().has("BP1", TS1=30, TS2=10).finds("first", 30, obj="TS1", recover=0.6).finds("second", 30, obj="TS1")
    run.finds("third", 30, obj="TS1", recover=0.5, confidence=0.5)
    after = {row["RULE"]: row["BENEFIT_AFTER"] for row in run.advice()}
    # 18 of 30, half of the remaining 12, half of 6
    assert after == {"first": pytest.approx(18), "second": pytest.approx(6), "third": pytest.approx(3)}


def test_next_choice_is_the_best_remaining_one() -> None:
    """After the first choice little is left for the second, so the third overtakes it."""
    run = (
        List()
        .finds("first", 40, recover=0.9)
        .finds("second", 40, obj="B")
        .finds("third", 20, header={"claims": {"PROCESSING": {}}})
    )
    rows = [(row["RULE"], row["BENEFIT"], row["BENEFIT_AFTER"]) for row in run.advice()]
    assert rows == [("first", 36, 36), ("third", 10, 10), ("second", 20, 2)]


@pytest.mark.parametrize(("place", "gives_way"), [("TS1", True), ("TS9", False)])
def test_rule_defers_to_another_in_the_same_pool(place: str, gives_way: bool) -> None:
    run = List().has("BP1", TS1=10, TS2=10).has("BP2", TS9=10)
    run.finds(
        "grow", 8, obj="BP1", kind="BUFFERPOOL", header={"defers_to": [deferral("index", "pool", larger=True)]}
    ).finds("index", 10, obj=place)
    assert run.left_out() == ({"grow": "index"} if gives_way else {})


def test_what_is_about_the_database_is_in_every_pool() -> None:
    run = (
        List()
        .has("BP1", TS1=30)
        .finds("grow", 8, obj="BP1", kind="BUFFERPOOL", header={"defers_to": [deferral("sort", "pool")]})
    )
    assert run.finds("sort", 10, obj="SAMPLE", kind="DATABASE").left_out() == {"grow": "sort"}


def test_what_waits_for_each_other_is_settled_by_score() -> None:
    run = (
        List()
        .finds("a", 10, header={"defers_to": [deferral("b", "any")]})
        .finds("b", 20, header={"defers_to": [deferral("c", "any")]})
    )
    assert run.finds("c", 5, header={"defers_to": [deferral("a", "any")]}).left_out() == {"a": "b"}


def test_below_the_floor_is_left_out_but_not_in_other_lanes() -> None:
    run = List().finds("tiny", 0.9).finds("enough", 1).finds("safety", 0.2, header={"lane": "safety"})
    assert run.left_out() == {"tiny": "benefit below the floor"}


def test_nothing_defers_to_advice_below_the_floor() -> None:
    run = List().finds("symptom", 10, header={"defers_to": [deferral("cause", "object")]}).finds("cause", 0.1)
    assert run.left_out() == {"cause": "benefit below the floor"}
    group = {"exclusive": "pool"}
    run = List().finds("sure", 0.9, header=group).finds("doubtful", 1.1, confidence=0.3, header=group)
    assert run.left_out() == {"sure": "benefit below the floor"}


def test_a_claim_never_exceeds_its_bucket() -> None:
    row = List().finds("a", 70, second=30, header={"claims": {"POOL_READ": {}, "LOG_DISK": {}}}).advice()[0]
    assert row["CLAIMED_PCT"] == pytest.approx(40 + 10)


def test_members_of_one_object_claim_once() -> None:
    run = List().finds("a", 10, member=0).finds("a", 30, member=1).finds("a", 20, member=2)
    (row,) = run.advice()
    assert (row["CLAIMED_PCT"], row["MEMBER"]) == (30, None)


def test_remaining_benefits_never_exceed_the_bucket() -> None:
    run = (
        List().finds("first", 40, recover=1).finds("second", 30).finds("other", 10, header={"claims": {"LOG_DISK": {}}})
    )
    after = {row["RULE"]: (row["BENEFIT"], row["BENEFIT_AFTER"]) for row in run.advice()}
    assert after == {"first": (40, 40), "second": (15, 0), "other": (5, 5)}


def test_claim_on_two_buckets_keeps_the_rest_of_each() -> None:
    both = {"claims": {"POOL_READ": {}, "PREFETCH_WAIT": {}}}
    run = List().finds("first", 40, recover=0.75).finds("second", 40, second=20, recover=0.5, header=both)
    after = {row["RULE"]: row["BENEFIT_AFTER"] for row in run.advice()}
    # 30 of 40 are taken from the first bucket, all 20 are left in the second
    assert after == {"first": pytest.approx(30), "second": pytest.approx(0.5 * (10 + 20))}


def test_what_fits_in_free_memory_is_given_without_a_donor() -> None:
    run = (
        List(budget_kb=1000)
        .finds("grow", 20, memory_kb=1000)
        .finds("idle", 0, obj="B", memory_kb=-500, header={"lane_without_claim": "performance", "donor": True})
    )
    assert run.order() == ["grow"]
    assert List(budget_kb=None).finds("grow", 20, memory_kb=10**9).order() == ["grow"]


def test_unneeded_donor_is_reported() -> None:
    run = List(budget_kb=1000).finds(
        "idle", 0, memory_kb=-500, header={"lane_without_claim": "performance", "donor": True}
    )
    assert run.left_out() == {"idle": "no advice needs its memory"}


def test_what_does_not_fit_is_left_out() -> None:
    run = (
        List(budget_kb=1000).finds("grow", 20, memory_kb=800).finds("more", 10, obj="B", memory_kb=300).finds("free", 5)
    )
    assert run.left_out() == {"more": "not enough free memory"}


def test_what_can_never_fit_leaves_the_memory_to_others() -> None:
    run = List(budget_kb=1000).finds("huge", 20, memory_kb=5000).finds("grow", 10, obj="B", memory_kb=900)
    assert run.left_out() == {"huge": "not enough free memory"}


def test_a_donor_comes_right_before_what_it_pays_for() -> None:
    donor = {"lane_without_claim": "performance", "donor": True}
    run = List(budget_kb=1000).finds("best", 40).finds("fits", 30, obj="B", memory_kb=900)
    run.finds("grow", 20, memory_kb=600).finds("last", 10).finds("idle", 0, obj="C", memory_kb=-700, header=donor)
    assert run.order() == ["best", "fits", "idle", "grow", "last"]


def test_memory_that_a_ranked_command_frees_is_given() -> None:
    frees: dict[str, Any] = {"lane": "condition", "claims": {}}
    for header, withheld, order in (
        (frees, 0, ["grow", "drop"]),  # the plan has them in the other order
        (frees, 1, ["drop"]),
        (frees | {"takes_effect": "database reactivation"}, 0, ["drop"]),
    ):
        run = List(budget_kb=0, withheld=withheld).finds("grow", 20, memory_kb=600)
        assert run.finds("drop", 0, obj="B", memory_kb=-700, header=header).order() == order


def test_donors_give_until_it_is_paid() -> None:
    """The smallest sufficient donor; otherwise the largest first."""
    donor = {"lane_without_claim": "performance", "donor": True}
    run = List(budget_kb=10).finds("grow", 20, memory_kb=40)
    for name, kb in (("A", -1000), ("B", -500), ("C", -700)):
        run.finds("idle", 0, obj=name, memory_kb=kb, header=donor)
    given = [(row["RULE"], row["OBJECT_NAME"]) for row in run.advice() if row["POSITION"]]
    assert given == [("idle", "B"), ("grow", "A")]
    run = List(budget_kb=10).finds("grow", 20, memory_kb=1310)
    for name, kb in (("A", -1000), ("B", -200), ("C", -300), ("D", -400)):
        run.finds("idle", 0, obj=name, memory_kb=kb, header=donor)
    given = [(row["RULE"], row["OBJECT_NAME"]) for row in run.advice() if row["POSITION"]]
    assert given == [("idle", "A"), ("idle", "C"), ("grow", "A")]


def test_a_donor_does_not_pay_for_what_it_excludes() -> None:
    run = List(budget_kb=0).finds("grow", 20, memory_kb=100, target="DBCFG:SORTHEAP")
    run.finds(
        "idle",
        0,
        obj="B",
        memory_kb=-500,
        target="DBCFG:SORTHEAP",
        header={"lane_without_claim": "performance", "donor": True},
    )
    assert run.left_out() == {"grow": "not enough free memory", "idle": "no advice needs its memory"}


def test_advice_that_does_not_fit_blocks_no_other() -> None:
    run = List(budget_kb=1000).finds("first", 30, memory_kb=800).finds("misfit", 20, obj="B", memory_kb=500)
    assert run.finds("small", 10, obj="C", memory_kb=150).left_out() == {"misfit": "not enough free memory"}


def test_a_rule_with_ten_thousand_findings_is_cut() -> None:
    run = List()
    for number in range(120):
        run.finds("many", 0, obj=f"T{number:03}", memory_kb=1, header={"lane": "housekeeping"})
        run.finds("apart", 0, obj=f"T{number:03}", header={"lane": "housekeeping"})
    rows = [(row["RULE"], row["SUPERSEDED_BY"]) for row in run.advice()]
    assert [rows.count(row) for row in (("apart", None), ("many", None))] == [120, 100]
    assert rows.count(("many", "beyond the first 100 of its rule")) == 20


def test_a_donor_that_frees_too_little_is_not_asked() -> None:
    run = List(budget_kb=0).finds("grow", 20, memory_kb=900)
    run.finds("idle", 0, obj="B", memory_kb=-500, header={"lane_without_claim": "performance", "donor": True})
    assert run.left_out() == {"grow": "not enough free memory", "idle": "no advice needs its memory"}


def test_a_cause_may_wait_if_memory_suffices_without_the_donor_that_defers_to_it() -> None:
    donor = {"lane_without_claim": "performance", "donor": True, "defers_to": [deferral("cause", "object")]}
    for budget_kb, order in ((1000, ["grow", "cause"]), (100, ["cause"])):
        run = List(budget_kb=budget_kb).finds("grow", 20, memory_kb=500).finds("cause", 10, obj="B")
        assert run.finds("idle", 0, obj="B", memory_kb=-500, header=donor).order() == order


def test_the_cause_of_an_omission_is_the_one_that_took_most_of_its_time() -> None:
    claims = {"claims": {"POOL_READ": {}, "LOG_DISK": {}, "PREFETCH_WAIT": {}}}
    run = List().finds("broad", 45, header=claims, second=10, third=20, recover=1).finds("deep", 25, recover=1)
    assert run.finds("late", 20).left_out() == {"late": "deep"}


@pytest.mark.parametrize(("host", "left_out"), [("h1", {"symptom": "cause"}), ("h2", {})])
def test_members_of_one_host_are_near_each_other(host: str, left_out: dict[str, str]) -> None:
    run = List().finds("cause", 30, obj="0", kind="MEMBER").holds("HOST", ("h1", 0), (host, 1))
    run.finds("symptom", 10, obj="1", kind="MEMBER", header={"defers_to": [deferral("cause", "host")]})
    assert run.left_out() == left_out


def test_one_snapshot_caps_confidence() -> None:
    rows = List(confidence_cap=0.6).finds("measured", 20, confidence=0.9).finds("guess", 10, confidence=0.3).advice()
    assert [row["CONFIDENCE"] for row in rows] == [0.6, 0.3]


def test_no_rules_defer_to_each_other() -> None:
    """Two rules that defer to each other would both vanish; if the larger goes first, one stays."""
    waits: dict[str, set[str]] = {}
    for rule in all_rules().values():
        for other in rule.get_list("defers_to"):
            if not other.get("only_if_larger"):
                waits.setdefault(rule.name, set()).add(other["rule"])
    for name, others in waits.items():
        seen, ahead = set(), list(others)
        while ahead:
            other = ahead.pop()
            if other not in seen:
                seen.add(other)
                ahead += waits.get(other, set())
        assert name not in seen
