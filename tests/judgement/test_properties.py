"""Properties of any database, on generated states."""

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import strategies as st

from advisor.catalogue.rules import all_rules
from advisor.catalogue.sources import all_sources
from advisor.judgement.advice import Advice, Recommendation
from advisor.judgement.observed import Observed
from tests.machines import x445
from tests.standin.commands import Interpreter, is_command
from tests.support.carrying_out import can_be_undone, carry_out, returned
from tests.support.properties import holds_for, states
from tests.support.states import State, observe_state
from tests.support.stepwise import Steps, stepwise

EPSILON = 1e-6
HOST_COMMANDS = ("db2set DB2PROCESSORS", "db2set DB2_RESOURCE_POLICY")


def commands(advice: Advice) -> list[str]:
    return [line for item in advice.ranked for line in item.actions if is_command(line)]


def lane_p(advice: Advice) -> list[Recommendation]:
    return [item for item in advice.ranked if item.lane == "P"]


def scaled(state: State, factor: int) -> State:
    """Return the same database with ``factor`` times the work in the interval."""
    result = state.copy()
    for name, rows in result.sources.items():
        for row in rows:
            for column in all_sources()[name].names("counter"):
                if row.get(column) is not None:
                    row[column] *= factor
    return result


@holds_for(states())
def test_carried_out_advice_ends_and_can_be_undone(state: State) -> Steps:
    """Properties 1 and 2."""
    before = yield state
    interpreter = Interpreter(state.copy())
    done = carry_out(interpreter, before)
    after = yield interpreter.state
    assert returned(done, after) == []
    can_be_undone(state, before)


@holds_for(states(), st.integers(2, 5))
def test_more_of_the_same_load_ranks_the_same(state: State, factor: int) -> Steps:
    """Property 3: shares of database time do not change when every counter is multiplied.

    Rates and counts do change. A rule with a minimum count may come in, and then others have less left. Advice in both
    lists keeps its benefit and its score, except for whole events, and its rank if no other advice comes in.
    """
    few = lane_p((yield state))
    many = lane_p((yield scaled(state, factor)))
    scores = {_key(item): item.score for item in many}
    for item in few:
        if _key(item) in scores:
            assert scores[_key(item)] == pytest.approx(item.score, rel=0.01)
    if {_key(item) for item in few} == scores.keys():
        assert [_key(item) for item in few] == list(scores)


def _key(item: Recommendation) -> tuple[str, str]:
    return item.rule.name, item.object_name


@holds_for(states())
def test_no_load_gives_no_performance_advice(state: State) -> Steps:
    """Property 4."""
    advice = yield scaled(state, 0)
    assert lane_p(advice) == []
    assert any("idle" in reason for _, reason in advice.not_run)


@pytest.mark.full
@holds_for(states(host_facts=False))
def test_more_free_memory_never_lowers_the_total(state: State) -> Steps:
    totals = []
    for free_mb in (512, 2048, 8192, 32768):
        changed = state.copy()
        for row in changed.sources["system"]:
            row["MEMORY_FREE"] = free_mb
        advice = yield changed
        totals.append(sum(item.benefit_after for item in advice.ranked))
    assert all(later >= earlier - 0.05 for earlier, later in pairwise(totals)), totals


@holds_for(states(host_facts=False))
def test_what_the_host_did_not_tell_is_asked(state: State) -> Steps:
    """Property 5."""
    _asks_instead_of_guessing((yield state))


@stepwise
def test_what_the_host_of_the_x445_did_not_tell_is_asked() -> Steps:
    """Property 5 on a machine whose facts lead to commands about processors."""
    state = x445()
    advice = yield state
    assert any(line.startswith(HOST_COMMANDS) for line in commands(advice))
    state.sources["hostfact"] = []
    _asks_instead_of_guessing((yield state))


def _asks_instead_of_guessing(advice: Advice) -> None:
    assert [line for line in commands(advice) if line.startswith(HOST_COMMANDS)] == []
    unknown = {rule for rule, reason in advice.not_run if "host fact" in reason}
    assert unknown
    asking = {name for name, rule in all_rules().items() if rule.get_list("asks")}  # these rules also run without it
    assert {item["RULE"] for item in advice.questions} <= unknown | asking
    assert advice.questions


@holds_for(states())
def test_claims_fit_and_what_db2_sets_itself_is_left_alone(state: State) -> Steps:
    """Properties 6 and 7."""
    advice = yield state
    left: dict[str, float] = {}
    for item in lane_p(advice):
        part = item.benefit / item.claimed_pct if item.claimed_pct else 0
        taken = 0.0
        for claim in item.claims:
            assert claim.pct <= claim.of_pct + EPSILON
            room = left.setdefault(claim.bucket, claim.of_pct)
            taken += min(claim.pct, max(0.0, room)) * part
            left[claim.bucket] = room - claim.pct * part
        assert item.benefit_after == pytest.approx(taken, abs=EPSILON)
    assert sum(item.benefit_after for item in lane_p(advice)) <= 100 + EPSILON

    for line in commands(advice):
        assert not [name for name in _automatic(state) if _fixes(line, name)], line


def _automatic(state: State) -> list[str]:
    """Return the beginnings of commands that would size what Db2 sizes itself."""
    found = [f" USING {row['NAME'].upper()} " for row in state.sources["dbcfg"] if row["VALUE_FLAGS"] == "AUTOMATIC"]
    found += [f'ALTER BUFFERPOOL "{row["BP_NAME"]}"' for row in state.sources["bufferpool"] if row["AUTOMATIC"] == 1]
    found += [
        f'ALTER TABLESPACE "{row["TBSPACE"]}" PREFETCHSIZE'
        for row in state.sources["cat_tablespace"]
        if row["PREFETCHSIZE"] == -1
    ]
    return sorted(set(found))


def _fixes(line: str, name: str) -> bool:
    return (
        name in line
        and ("USING" in name or "SIZE" in line.partition(name)[2] or "PREFETCHSIZE" in name)
        and ("AUTOMATIC" not in line)
    )


@holds_for(states(), st.sampled_from(("workload", "tablespace", "bufferpool", "activation")))
def test_a_restart_between_the_snapshots_discards_the_interval(state: State, what: str) -> Steps:
    """Property 8: a counter that fell, or a different activation time."""
    advice = yield _spoiled(observe_state(state), what)
    assert not advice.window.usable
    assert any("interval discarded" in reason for _, reason in advice.not_run)
    assert lane_p(advice) == []


def _spoiled(seen: Observed, what: str) -> Observed:
    """Change its first row at the begin of the interval."""
    source = "database" if what == "activation" else what
    first, *others = seen.sources[source]
    if what == "activation":
        assert first["DB_CONN_TIME"] == "2026-03-01 08:00:00"
        first = first | {"DB_CONN_TIME": "2026-03-01 07:00:00"}
    else:
        first = first | {"POOL_READ_TIME": 10**12}
    return replace(seen, sources={**seen.sources, source: [first, *others]})
