"""Managed platforms: every command is one that the platform accepts, takes effect there and can be undone."""

from typing import Any

import pytest

from advisor.catalogue.platforms import HOST
from advisor.catalogue.rules import Rule, all_rules
from advisor.report.text import platform_name
from advisor.resources import data_file
from tests.machines import MACHINES
from tests.standin.commands import is_command
from tests.standin.commands.platforms import ManagedHands, RefusedError
from tests.support.carrying_out import (
    carry_out,
    difference,
    files,
    first_cases,
    hands_of,
    has_commands,
    settle_state,
    take_back,
)
from tests.support.paths import CAPTURES, NAMES
from tests.support.states import State, read_state, state_of
from tests.support.stepwise import Steps, judge, stepwise

PLATFORMS = tuple(row["RUNS_ON"] for row in data_file("schema", "platforms") if row["RUNS_ON"] != HOST)

# signs of a database, the platform that follows from them, and its name in the output
SIGNS: list[tuple[dict[str, Any], str | None, str]] = [
    ({"database": {"instance": "rdsdb"}}, "rds", "Amazon RDS (instance rdsdb)"),
    ({"database": {"rows": {"RDS_GRANTS": 1}}}, "rds", "Amazon RDS (role MASTER_USER_ROLE)"),
    ({"config": {"logpath": "/rdsdbdata/log/"}}, "rds", "Amazon RDS (path /rdsdbdata/log/)"),
    (
        {"database": {"name": "BLUDB", "rows": {"BLUADMIN_GRANTS": 1}}},
        "saas",
        "Db2 on IBM Cloud (database BLUDB with user BLUADMIN)",
    ),
    ({"database": {"rows": {"BLUADMIN_GRANTS": 1}}}, None, ""),  # any database can have a user of that name
    ({"database": {"host": "c-sales-db2u-0"}}, "db2u", "Db2uInstance (Kubernetes) (host c-sales-db2u-0)"),
    (
        {"config": {"logpath": "/mnt/blumeta0/db2/log/"}},
        "db2u",
        "Db2uInstance (Kubernetes) (path /mnt/blumeta0/db2/log/)",
    ),
    ({"dbmcfg": [{"NAME": "diagpath", "VALUE": "/home/db2inst1/sqllib/db2dump"}]}, "host", ""),
    ({}, None, ""),
    ({"database": {"instance": "rdsdb"}, "site": {"runs_on": "HOST"}}, "host", ""),
    ({"database": {"instance": "rdsdb", "runs_on": "db2u"}}, "db2u", "Db2uInstance (Kubernetes)"),
]


def managed(state: State, runs_on: str) -> State:
    state = settle_state(state)
    state.site = {**state.site, "runs_on": runs_on.upper()}
    return state


def can_be_carried_out(state: State, runs_on: str, rules: list[Rule]) -> Steps:
    """Assert that a platform accepts each command and each undo, and that the undo restores the state."""
    advice = yield state, rules
    hands = hands_of(state.copy())
    done = carry_out(hands, advice, reversible=True)
    carry_out(hands_of(state.copy()), advice)
    take_back(hands, done)
    assert difference(files(state), files(hands.state)) == []
    for item in advice.ranked:
        assert item.actions, f"{item.rule.name}: nothing to do"
        assert item.undo or not has_commands(item.actions), f"{item.rule.name}: no undo"


@pytest.mark.parametrize(("shown", "runs_on", "said"), SIGNS)
@stepwise
def test_recognised(shown: dict[str, Any], runs_on: str | None, said: str) -> Steps:
    advice = yield state_of(shown), []
    assert advice.database["runs_on"] == runs_on
    assert platform_name(advice.database) == said


@stepwise
def test_refused_changes_are_listed_with_the_reason() -> Steps:
    """The customer cannot change the slow log of the managed machine."""
    state = MACHINES["managed"]()
    advice = yield state
    refused = {item.superseded_by for item in advice.recommendations if item.rank is None}
    assert "Db2 on IBM Cloud does not offer it: LOGBUFSZ" in refused
    assert all(way in line for item in advice.ranked for line in item.actions for way in ("POST ",) if is_command(line))


@pytest.mark.parametrize("runs_on", PLATFORMS)
def test_platform_loses_no_advice_without_a_reason(runs_on: str) -> None:
    """What a machine gets on a host of its own is given in another way, or listed with the reason."""
    pairs = 0
    for name, machine in MACHINES.items():
        given = {
            (item.rule.name, item.object_name): item for item in judge(managed(machine(), runs_on)).recommendations
        }
        for item in judge(managed(machine(), HOST)).ranked:
            pairs += 1
            found = given.get((item.rule.name, item.object_name))
            assert found is not None, f"{name}: {item.rule.name} is lost"
            assert found.rank is not None or found.superseded_by, f"{name}: {item.rule.name} has no reason"
            assert found.rank is None or found.actions, f"{name}: {item.rule.name} has no steps"
    assert pairs >= 100


@stepwise
def test_slow_log_of_a_managed_platform_needs_faster_storage() -> Steps:
    """The platform does not offer log paths, but more operations per second."""
    advice = yield managed(MACHINES["linux-z-oltp"](), "rds")
    (item,) = [item for item in advice.ranked if item.rule.name == "log.disk-latency-high"]
    assert [line for line in item.actions if "faster storage" in line]
    assert not [line for line in item.actions if "NEWLOGPATH" in line]


def test_prefetch_size_of_zero_is_refused_with_the_reason() -> None:
    """RDS takes AUTOMATIC or 1 to 32767 pages."""
    ((rule, case),) = [given.values for given in first_cases() if given.values[0].name == "prefetch.oltp-useless"]
    advice = judge((managed(state_of(case), "rds"), [rule]))
    assert advice.ranked == []
    assert {item.superseded_by for item in advice.recommendations} == {"Amazon RDS does not offer it: PREFETCHSIZE"}


@pytest.mark.full
@pytest.mark.parametrize("runs_on", PLATFORMS)
@pytest.mark.parametrize(("rule", "case"), first_cases())
@stepwise
def test_of_a_rule(rule: Rule, case: dict[str, Any], runs_on: str) -> Steps:
    yield from can_be_carried_out(managed(state_of(case), runs_on), runs_on, [rule])


@pytest.mark.parametrize("runs_on", PLATFORMS)
@pytest.mark.parametrize("fixture", NAMES)
@stepwise
def test_of_a_capture(fixture: str, runs_on: str) -> Steps:
    yield from can_be_carried_out(managed(read_state(CAPTURES / fixture), runs_on), runs_on, list(all_rules().values()))


def test_the_operator_writes_its_values_again() -> None:
    """A value that the command line processor sets is lost at the operator's next turn."""
    hands = ManagedHands("db2u", managed(state_of({}), "db2u"))
    hands.carry_out('spec: {environment: {databases: [{name: SAMPLE, dbConfig: {MAXFILOP: "61440"}}]}}')
    hands.inner.carry_out("UPDATE DB CFG FOR SAMPLE USING MAXFILOP 20000")
    assert _maxfilop(hands.state) == {"20000"}
    hands.reconcile()
    assert _maxfilop(hands.state) == {"61440"}


@pytest.mark.parametrize(
    ("runs_on", "line"),
    [
        ("rds", "UPDATE DB CFG FOR SAMPLE USING LOCKLIST AUTOMATIC"),
        ("rds", "db2set DB2_PARALLEL_IO=*"),
        ("rds", "CALL RDSADMIN.UPDATE_DB_PARAM('SAMPLE', 'LOGFILSIZ', '4000')"),
        ("saas", 'POST /manage/deployments/custom_setting {"registry": {}, "db": {"LOGFILSIZ": "4000"}, "dbm": {}}'),
        ("db2u", 'spec: {environment: {instance: {dbmConfig: {INSTANCE_MEMORY: "1000"}}}}'),
    ],
)
def test_other_commands_are_refused(runs_on: str, line: str) -> None:
    with pytest.raises(RefusedError):
        ManagedHands(runs_on, state_of({})).carry_out(line)


def _maxfilop(state: State) -> set[str]:
    return {row["VALUE"] for row in state.sources["dbcfg"] if row["NAME"] == "maxfilop"}
