"""Gates of a rule: utilities between the snapshots, and a database's HADR role."""

import pytest

from advisor.catalogue.rules import all_rules
from advisor.plan.steps import plan
from tests.machines import MACHINES
from tests.support.states import State, base_state
from tests.support.stepwise import Steps, stepwise

QUIET = "storage.io-latency-high"
RATE = "log.disk-latency-high"
STANDBY = "the database is an HADR standby: what it replays is changed on the primary"


def _in_hadr(role: str | None) -> State:
    """Return an OLTP machine under HADR with advice of all kinds."""
    state = MACHINES["linux-z-oltp"]()
    if role:
        model = state.sources["dbcfg"][0]
        state.sources["dbcfg"].append(model | {"NAME": "hadr_db_role", "VALUE": role, "DEFERRED_VALUE": role})
    return state


@pytest.mark.parametrize(
    ("counter", "utility"), [("TOTAL_LOADS", "LOAD"), ("TOTAL_REORGS", "REORG"), ("TOTAL_BACKUPS", "BACKUP")]
)
@stepwise
def test_utility_between_the_snapshots_closes_the_rates(counter: str, utility: str) -> Steps:
    assert all_rules()[QUIET].applies["quiet"] is True
    state = base_state()
    state.sources["workload"][0][counter] = 1
    advice = yield state
    reasons = dict(advice.not_run)
    assert f"utility {utility} ran at the time and falsifies the rates" in reasons[QUIET]


@stepwise
def test_no_utility_during_the_load() -> Steps:
    advice = yield base_state()
    assert [why for _, why in advice.not_run if "ran at the time" in why] == []


@pytest.mark.parametrize("role", ["PRIMARY", "STANDARD", "STANDBY"])
@stepwise
def test_standby_gets_no_advice_about_replayed_objects(role: str) -> Steps:
    advice = yield _in_hadr(role)
    closed = {rule for rule, why in advice.not_run if STANDBY in why}
    replayed = {name for name, rule in all_rules().items() if rule.changes_data}
    assert len(replayed) > 20
    assert closed & {"log.disk-latency-high", "log.nearly-full", "os.swappiness"} == set()
    assert {item.rule.name for item in advice.recommendations} & closed == set()
    if role == "STANDBY":
        assert {"stats.stale-or-off", "bufferpool.hit-ratio-low"} <= closed <= replayed
    else:
        assert closed == set()


@pytest.mark.parametrize(("role", "asked"), [("PRIMARY", True), ("STANDARD", False), (None, False)])
@stepwise
def test_a_primary_is_asked_whether_its_standby_is_read(role: str | None, asked: bool) -> Steps:
    advice = yield _in_hadr(role)
    steps = plan(advice, everything=True)
    assert any(item.rule.changes_data for step in steps for item in step.items)
    for step in steps:
        replayed = any(item.rule.changes_data for item in step.items)
        readers = [need for need in step.prerequisites if need.needs.startswith("nobody reads on the standby")]
        assert [need.query is not None for need in readers] == ([True] if asked and replayed else [])


def _without_times() -> State:
    """Return a database whose log is slow and whose request time is unknown, as in a snapshot."""
    state = base_state()
    state.sources["workload"][0]["TOTAL_RQST_TIME"] = None
    state.sources["transaction_log"][0] |= {"NUM_LOG_WRITE_IO": 3000, "LOG_WRITE_TIME": 30000}
    return state


@stepwise
def test_unknown_database_time_closes_load_and_not_rates() -> Steps:
    advice = yield _without_times()
    reasons = dict(advice.not_run)
    unknown = {rule for rule, why in reasons.items() if "how much time the requests took is not known" in why}
    assert unknown == {name for name, rule in all_rules().items() if rule.judged_by == "load"} & set(reasons)
    [found] = [item for item in advice.recommendations if item.rule.name == RATE]
    assert (found.lane, found.benefit, found.confidence) == ("C", 0, 0.3)


@pytest.mark.parametrize("name", ["mon_req_metrics", "mon_obj_metrics"])
@stepwise
def test_metrics_switched_off_close_rates(name: str) -> Steps:
    state = _without_times()
    setting = state.sources["dbcfg"][0] | {"NAME": name, "VALUE": "NONE", "DEFERRED_VALUE": "NONE"}
    others = [row for row in state.sources["dbcfg"] if row["NAME"] != name]
    state.sources["dbcfg"] = [*others, setting]
    advice = yield state
    assert f"metrics are switched off: {name} is NONE" in dict(advice.not_run)[RATE]


@stepwise
def test_rates_stay_if_time_is_known_without_its_parts() -> Steps:
    """Database time without the waits for the log says no share of it: the rule judges the times of single writes."""
    state = _without_times()
    state.sources["workload"][0] |= {"TOTAL_RQST_TIME": 6000000}
    for row in state.sources["workload"]:
        row.pop("LOG_DISK_WAIT_TIME", None)
    advice = yield state
    assert RATE not in dict(advice.not_run)
