"""Time by bucket: the shares, the claims on them, and the meaning of an empty list."""

import re
from pathlib import Path
from typing import Any

import pytest

from advisor.catalogue.rules import Rule, all_rules
from advisor.judgement.advice import Advice
from advisor.judgement.states import settle_state
from advisor.report.spent import rows
from advisor.resources import data_file, query
from tests.support.data_files import written
from tests.support.paths import cases_path
from tests.support.properties import holds_for, states
from tests.support.states import State, state_of
from tests.support.stepwise import Steps, stepwise

CASES: list[dict[str, Any]] = written(Path(__file__).with_name("time_spent.yml"))


def rules_of(case: dict[str, Any]) -> list[Rule]:
    return list(all_rules().values()) if case.get("with_rules") else []


def shares(advice: Advice) -> dict[str, float]:
    return {share.bucket: share.pct for share in advice.time_spent.shares}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
@stepwise
def test_where_the_time_goes(case: dict[str, Any]) -> Steps:
    advice = yield state_of(case["case"]), rules_of(case)
    spent = advice.time_spent
    assert (spent.state, [share.bucket for share in spent.shares if share.look]) == (case["state"], case["looks"])
    found = shares(advice)
    assert {name: found[name] for name in case.get("shares", {})} == pytest.approx(case.get("shares", {}), abs=0.1)
    assert case.get("says", spent.says) == spent.says
    _adds_up(advice)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
@stepwise
def test_no_large_wait_is_passed_over(case: dict[str, Any]) -> Steps:
    """With any rules, a large share is claimed by a recommendation or is a finding itself."""
    spent = (yield state_of(case["case"])).time_spent
    for share in spent.shares if spent.is_judged else ():
        if share.kind in ("wait", "overhead") and share.pct >= 10:
            assert share.look or share.claimed_pct >= share.pct / 4, share
    assert (spent.state == "unexplained") == any(
        share.look and share.kind in ("wait", "overhead") for share in spent.shares if spent.is_judged
    )


@holds_for(states())
def test_shares_add_up_and_nothing_claims_more_than_there_is(state: State) -> Steps:
    _adds_up((yield state))


def _adds_up(advice: Advice) -> None:
    spent = advice.time_spent
    order = [(share.kind == "beside", -round(share.pct, 6), share.bucket) for share in spent.shares]
    assert order == sorted(order)
    assert all(share.look.what and share.look.causes and share.look.query for share in spent.shares if share.look)
    if spent.shares:
        assert sum(share.pct for share in spent.shares if share.kind != "beside") == pytest.approx(100)
    assert all(share.pct >= 0 and share.ms >= 0 for share in spent.shares)
    assert all(0 <= share.claimed_pct <= share.pct for share in spent.shares)
    assert all(share.unclaimed_pct == pytest.approx(share.pct - share.claimed_pct) for share in spent.shares)
    if spent.is_judged:
        assert sum(row.pct for row in rows(spent) if not row.title.startswith("+")) == pytest.approx(100)


@stepwise
def test_claimed_share_is_not_a_finding() -> Steps:
    """Log waits with a recommendation's claim, and unclaimed ones of the same size."""
    log = {"TOTAL_RQST_TIME": 6000000, "LOG_DISK_WAIT_TIME": 2400000, "LOG_DISK_WAITS_TOTAL": 120000,
           "TOTAL_APP_COMMITS": 120000, "TOTAL_CPU_TIME": 3300000000}  # fmt: skip
    slow = {"MEMBER": 0, "LOG_WRITES": 200000, "LOG_WRITE_TIME": 2300000, "NUM_LOG_WRITE_IO": 115000}
    advice = yield state_of({"workload": [log], "transaction_log": [slow]})
    (share,) = [share for share in advice.time_spent.shares if share.bucket == "LOG_DISK"]
    claimed = sum(claim.pct for item in advice.ranked for claim in item.claims if claim.bucket == "LOG_DISK")
    assert claimed > share.pct / 4
    assert (share.claimed_pct, share.look) == (pytest.approx(min(share.pct, claimed)), None)
    alone = yield state_of({"workload": [log], "transaction_log": [slow]}), []
    (share,) = [share for share in alone.time_spent.shares if share.bucket == "LOG_DISK"]
    assert (share.claimed_pct, share.look is None) == (0, False)


@pytest.mark.parametrize(
    ("rule", "name", "bucket", "pct", "claimed_pct", "is_found"),
    [
        ("cpu.quota-throttled", "throttled in a tenth of its periods", "NOT_CPU", 75, 7.0, True),
        ("stats.stale-or-off", "half of the rows changed in ten days", "NOT_CPU", 43.5, 25.4, False),
        ("cpu.instance-scaling-limit", "four sockets of 16 cores on Linux, unexplained time", "PROCESSING", 70, 18, False),
        ("sql.plan-slower", "a plan since ten minutes takes ten times as long", "PROCESSING", 50, 10.7, True),
    ],
)  # fmt: skip
@stepwise
def test_a_share_of_which_a_quarter_is_claimed_is_not_a_finding(
    rule: str, name: str, bucket: str, pct: float, claimed_pct: float, is_found: bool
) -> Steps:
    (case,) = (case for case in written(cases_path(all_rules()[rule]))["fires"] if case["name"] == name)
    advice = yield settle_state(state_of(case))
    (share,) = [share for share in advice.time_spent.shares if share.bucket == bucket]
    assert (share.pct, share.claimed_pct) == (pytest.approx(pct, abs=0.05), pytest.approx(claimed_pct, abs=0.05))
    assert (share.look is not None) == is_found
    _adds_up(advice)


@pytest.mark.parametrize(("unclaimed_pct", "state"), [(10, "unexplained"), (46, "seen")])
@stepwise
def test_from_which_share_on_is_the_sites_option(unclaimed_pct: float, state: str) -> Steps:
    advice = yield state_of(CASES[0]["case"] | {"site": {"unclaimed_pct": unclaimed_pct}}), []
    assert advice.time_spent.state == state


@stepwise
def test_rules_that_could_not_run_are_counted() -> Steps:
    (case,) = (case for case in CASES if case["name"] == "waits for what lies outside of Db2")
    advice = yield state_of(case["case"])
    missed = len({rule for rule, _ in advice.not_run})
    assert f" rules looked, {missed} could not run)" in advice.time_spent.says


@stepwise
def test_every_bucket_is_described() -> Steps:
    advice = yield state_of({})
    assert set(shares(advice)) == {row["BUCKET"] for row in data_file("rank", "buckets")}


@pytest.mark.parametrize("column", ["TITLE", "CAUSES"])
def test_bucket_text_in_time_list_is_not_truncated(column: str) -> None:
    (width,) = re.findall(rf"CAST\(T\.{column} AS VARCHAR\((\d+)\)\)", query("run/lists", "time_list"))
    assert max(len(row[column]) for row in data_file("rank", "buckets")) <= int(width)
