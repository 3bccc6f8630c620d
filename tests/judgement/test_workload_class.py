"""The class of the workload: what the site declares, else the mean of the votes of what was measured."""

import json
from collections.abc import Generator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from advisor.catalogue.rules import all_rules
from advisor.errors import UserError
from advisor.judge.advice import Advice, Workload
from advisor.judge.run import advise
from advisor.report.text import workload
from tests.support.states import Row, base_state, observed, state_of, write_capture
from tests.support.together import Steps, Wanted, together

# counters of a workload in which no feature can be measured
BLANK: Row = {"TOTAL_RQST_TIME": 6000000, "TOTAL_CPU_TIME": 3000000000}
NO_READS: list[Row] = [{"TBSP_NAME": "USERSPACE1"}]


def _class(workload: Row, tablespace: list[Row] = NO_READS, **case: Any) -> Generator[Wanted, Advice, Workload]:
    advice = yield state_of({"workload": [BLANK | workload], "tablespace": tablespace, **case}), []
    return advice.workload


def _reads(physical: int, by_prefetchers: int) -> list[Row]:
    return [{"TBSP_NAME": "USERSPACE1", "POOL_DATA_P_READS": physical, "POOL_ASYNC_DATA_READS": by_prefetchers}]


@pytest.mark.parametrize(
    ("declared", "name", "p_bi"), [("BI", "BI", 1.0), ("OLTP", "OLTP", 0.0), ("MIXED", "mixed", 0.5), ("bi", "BI", 1.0)]
)
@together
def test_declared_class_is_taken_whatever_was_measured(declared: str, name: str, p_bi: float) -> Steps:
    contrary = {"ROWS_RETURNED": 1000, "SELECT_SQL_STMTS": 100 if declared == "OLTP" else 1000}
    found = yield from _class(contrary, site={"workload": declared})
    assert (found.name, found.p_bi, found.p_oltp) == (name, p_bi, 1 - p_bi)


@together
def test_nothing_measured_is_mixed() -> Steps:
    found = yield from _class({})
    assert found == Workload("mixed", 0.5, 0.5)


@pytest.mark.parametrize(("rows", "p_bi"), [(999, 0.0), (1000, 1.0)])
@together
def test_ten_rows_for_each_select_are_a_warehouse(rows: int, p_bi: float) -> Steps:
    found = yield from _class({"ROWS_RETURNED": rows, "SELECT_SQL_STMTS": 100})
    assert found.p_bi == p_bi


@pytest.mark.parametrize(("milliseconds", "p_bi"), [(49, 0.0), (50, 0.0), (525, 0.5), (1000, 1.0), (9999, 1.0)])
@together
def test_long_activities_are_a_warehouse(milliseconds: int, p_bi: float) -> Steps:
    found = yield from _class({"TOTAL_ACT_TIME": milliseconds * 1000, "ACT_COMPLETED_TOTAL": 1000})
    assert found.p_bi == pytest.approx(p_bi)


@pytest.mark.parametrize(("percent", "p_bi"), [(0, 0.0), (20, 0.0), (40, 0.5), (60, 1.0), (100, 1.0)])
@together
def test_reads_of_prefetchers_are_a_warehouse(percent: int, p_bi: float) -> Steps:
    found = yield from _class({}, _reads(10000, 100 * percent))
    assert found.p_bi == pytest.approx(p_bi)


@together
def test_few_reads_do_not_vote() -> Steps:
    found = yield from _class({}, _reads(999, 999))
    assert found.p_bi == 0.5


@pytest.mark.parametrize(("percent", "p_bi"), [(0, 1.0), (10, 0.5), (20, 0.0), (100, 0.0)])
@together
def test_changes_are_transactions(percent: int, p_bi: float) -> Steps:
    found = yield from _class({"SELECT_SQL_STMTS": 100 - percent, "UID_SQL_STMTS": percent})
    assert found.p_bi == pytest.approx(p_bi)


@pytest.mark.parametrize(
    ("milliseconds", "reads", "name"),
    [(1000, 60, "BI"), (50, 20, "OLTP"), (1000, 20, "mixed"), (810, 60, "BI"), (240, 20, "OLTP"), (620, 60, "BI"),
     (600, 60, "mixed"), (430, 20, "OLTP"), (450, 20, "mixed")],
)  # fmt: skip
@together
def test_the_mean_decides_and_between_the_two_it_is_mixed(milliseconds: int, reads: int, name: str) -> Steps:
    activities = {"TOTAL_ACT_TIME": milliseconds * 1000, "ACT_COMPLETED_TOTAL": 1000}
    found = yield from _class(activities, _reads(10000, 100 * reads))
    assert found.name == name


@pytest.mark.parametrize(
    ("registry", "tables", "p_bi"),
    [
        ({"DB2_WORKLOAD": "ANALYTICS"}, [], 0.5),
        ({"DB2_WORKLOAD": "SAP"}, [], 0.0),
        ({}, [{"TABNAME": "FACTS", "TABLEORG": "C"}, {"TABNAME": "OTHERS"}], 0.5),
        ({}, [{"TABNAME": "SHADOW", "TABLEORG": "C", "NPAGES": 1000}, {"TABNAME": "ORDERS"}], 0.0),
    ],
)
@together
def test_column_organization_is_a_warehouse(registry: Row, tables: list[Row], p_bi: float) -> Steps:
    few_rows = {"ROWS_RETURNED": 100, "SELECT_SQL_STMTS": 100}
    found = yield from _class(few_rows, registry_values=registry, cat_table=tables)
    assert found.p_bi == pytest.approx(p_bi)


# what each half of the interval does
TRANSACTIONS: Row = {"ROWS_RETURNED": 3000, "SELECT_SQL_STMTS": 3000, "UID_SQL_STMTS": 1000, "ACT_COMPLETED_TOTAL": 4000,
                     "TOTAL_ACT_TIME": 40000}  # fmt: skip
ANALYSIS: Row = {"ROWS_RETURNED": 3000, "SELECT_SQL_STMTS": 30, "UID_SQL_STMTS": 0, "ACT_COMPLETED_TOTAL": 30,
                 "TOTAL_ACT_TIME": 60000}  # fmt: skip


def _two_windows(first: Row, second: Row, **site: str) -> Generator[Wanted, Advice, Advice]:
    """The advice over three snapshots, between which the counters rose by ``first`` and by ``second``."""
    both = {name: first[name] + second[name] for name in first}
    seen = observed(state_of({"workload": [BLANK | both], "tablespace": NO_READS, "site": site}))
    begin, end = seen.snapshots
    middle = replace(end, taken_at=begin.taken_at + timedelta(seconds=150))
    sources = {}
    for name, rows in seen.sources.items():
        ends = [row for row in rows if row["SNAP_ID"] == end.id]
        sources[name] = [row for row in rows if row["SNAP_ID"] == begin.id] + [row | {"SNAP_ID": 3} for row in ends]
        if name in ("database", "workload", "tablespace"):
            sources[name] += [row | {column: first[column] for column in first if column in row} for row in ends]
    three = replace(seen, snapshots=[begin, middle, replace(end, id=3)], sources=sources)
    return (yield three, [all_rules()["workload.classify"]])


@together
def test_windows_that_disagree_are_mixed_and_say_so() -> Steps:
    advice = yield from _two_windows(TRANSACTIONS, ANALYSIS)
    assert advice.workload == Workload("mixed", 0.5, 0.5, windows_disagree=True)
    assert workload(advice) == "mixed: one part of the interval is BI, another OLTP"


@together
def test_windows_that_agree_say_nothing() -> Steps:
    advice = yield from _two_windows(ANALYSIS, ANALYSIS)
    assert advice.workload == Workload("BI", 0.0, 1.0)


@together
def test_a_window_of_little_work_has_no_say() -> Steps:
    few = {name: value // 10 for name, value in TRANSACTIONS.items()}
    advice = yield from _two_windows(few, ANALYSIS)
    assert not advice.workload.windows_disagree


@together
def test_a_window_in_which_a_counter_fell_has_no_say() -> Steps:
    advice = yield from _two_windows({**TRANSACTIONS, "ROWS_RETURNED": 9000}, {**ANALYSIS, "ROWS_RETURNED": -10})
    assert not advice.workload.windows_disagree


@together
def test_the_site_knows_better_than_windows_that_disagree() -> Steps:
    advice = yield from _two_windows(TRANSACTIONS, ANALYSIS, workload="OLTP")
    assert (advice.workload.name, advice.recommendations) == ("OLTP", [])


def test_snapshots_out_of_order_are_refused(tmp_path: Path) -> None:
    write_capture(base_state(), tmp_path)
    manifest = json.loads((tmp_path / "manifest.json").read_text(encoding="utf-8"))
    first = manifest["snapshots"][0]
    manifest["snapshots"] = [first | {"id": number} for number in (1, 3, 2)]
    (tmp_path / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    with pytest.raises(UserError, match="the ids of the snapshots do not rise"):
        advise(tmp_path, [])


@pytest.mark.parametrize(
    ("declared", "action"),
    [("OLTP", 'ALTER TABLESPACE "TS" PREFETCHSIZE 0'), ("BI", 'ALTER TABLESPACE "TS" PREFETCHSIZE 64')],
)
@together
def test_the_class_decides_what_one_table_space_is_told(declared: str, action: str) -> Steps:
    """PREFETCHSIZE 0 for transactions, extent size x containers for analysis, from the same measurements."""
    state = state_of(
        {
            "site": {"workload": declared},
            "workload": [
                BLANK | {"POOL_READ_TIME": 1200000, "PREFETCH_WAIT_TIME": 900000, "SELECT_SQL_STMTS": 1000,
                         "ROWS_RETURNED": 2000}
            ],
            "tablespace": [
                {"TBSP_NAME": "TS", "POOL_DATA_L_READS": 900000, "POOL_DATA_P_READS": 300000, "POOL_READ_TIME": 900000,
                 "POOL_ASYNC_DATA_READS": 150000, "POOL_ASYNC_READ_TIME": 100000, "UNREAD_PREFETCH_PAGES": 30000}
            ],
            "cat_tablespace": [{"TBSPACE": "TS", "PREFETCHSIZE": 32}],
            "container": [
                {"TBSP_NAME": "TS", "CONTAINER_ID": number, "CONTAINER_NAME": f"/data{number}"} for number in (0, 1)
            ],
        }
    )  # fmt: skip
    rules = [
        rule for rule in all_rules().values() if rule.name in ("prefetch.oltp-useless", "prefetch.size-misaligned")
    ]
    advice = yield state, rules
    assert [item.actions for item in advice.ranked] == [[action]]
