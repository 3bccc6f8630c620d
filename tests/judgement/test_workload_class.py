"""The class of the workload: the site's declaration, otherwise the mean of the measured votes."""

import json
from collections.abc import Generator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from advisor.catalogue.rules import all_rules
from advisor.errors import UserError
from advisor.judgement.advice import Advice, Workload
from advisor.judgement.run import advise
from advisor.report.text import workload
from tests.support.advised import read_view
from tests.support.states import Row, base_state, observe_state, state_of, write_capture
from tests.support.stepwise import Steps, Wanted, stepwise

# counters of a workload without measurable features
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
@stepwise
def test_declared_class_is_taken_whatever_was_measured(declared: str, name: str, p_bi: float) -> Steps:
    contrary = {"ROWS_RETURNED": 1000, "SELECT_SQL_STMTS": 100 if declared == "OLTP" else 1000}
    found = yield from _class(contrary, site={"workload": declared})
    assert (found.name, found.p_bi, found.p_oltp) == (name, p_bi, 1 - p_bi)


@stepwise
def test_nothing_measured_is_mixed() -> Steps:
    found = yield from _class({})
    assert found == Workload("mixed", 0.5, 0.5, known=False)


@pytest.mark.parametrize(
    ("rows", "p_bi"), [(10, 0.0), (999, 0.0), (1000, 0.0), (10000, 0.5), (100000, 1.0), (999999, 1.0)]
)
@stepwise
def test_many_rows_for_each_select_are_a_warehouse(rows: int, p_bi: float) -> Steps:
    found = yield from _class({"ROWS_RETURNED": rows, "SELECT_SQL_STMTS": 100})
    assert found.p_bi == pytest.approx(p_bi)


@pytest.mark.parametrize(("milliseconds", "p_bi"), [(49, 0.0), (50, 0.0), (100, 0.231), (1000, 1.0), (9999, 1.0)])
@stepwise
def test_long_activities_are_a_warehouse(milliseconds: int, p_bi: float) -> Steps:
    found = yield from _class({"TOTAL_ACT_TIME": milliseconds * 1000, "ACT_COMPLETED_TOTAL": 1000})
    assert found.p_bi == pytest.approx(p_bi, abs=0.001)


@pytest.mark.parametrize(
    ("statements", "p_bi"), [(100, 2 / 3), (300, 2 / 3), (3000, 1 / 3), (30000, 0.0), (900000, 0.0)]
)
@stepwise
def test_few_statements_a_second_are_a_warehouse(statements: int, p_bi: float) -> Steps:
    """In 300 seconds, half of them changes, which count as transactions with half the weight."""
    found = yield from _class({"SELECT_SQL_STMTS": statements // 2, "UID_SQL_STMTS": statements // 2})
    assert found.p_bi == pytest.approx(p_bi)


@pytest.mark.parametrize(("operators", "p_bi"), [(0, 0.5), (3, 1 / 2.5), (9, 1 / 2.5), (90, 2 / 2.5)])
@stepwise
def test_sorts_and_hash_joins_in_each_statement_are_a_warehouse(operators: int, p_bi: float) -> Steps:
    """Of 30 statements, half of them changes. Zero sorts and joins mean that they were not counted."""
    rare = {"SELECT_SQL_STMTS": 15, "UID_SQL_STMTS": 15, "TOTAL_SORTS": operators, "TOTAL_HASH_JOINS": 0}
    found = yield from _class(rare)
    assert found.p_bi == pytest.approx(2 / 3 if operators == 0 else p_bi)


@pytest.mark.parametrize(("percent", "p_bi"), [(0, 1 / 3), (1, 1 / 3), (20, 0.0), (100, 0.0)])
@stepwise
def test_changes_are_transactions(percent: int, p_bi: float) -> Steps:
    changes = {"UID_SQL_STMTS": 1000 * percent, "ROWS_MODIFIED": 1000 * percent}
    found = yield from _class({"SELECT_SQL_STMTS": 1000 * (100 - percent)} | changes)
    assert found.p_bi == pytest.approx(p_bi)


@stepwise
def test_changes_of_thousands_of_rows_are_not_transactions() -> Steps:
    found = yield from _class({"SELECT_SQL_STMTS": 30, "UID_SQL_STMTS": 30, "ROWS_MODIFIED": 3000000})
    assert found.name == "BI"


@pytest.mark.parametrize("by_prefetchers", [0, 90])
@stepwise
def test_how_pages_are_read_does_not_count(by_prefetchers: int) -> Steps:
    """A transaction without an index reads like analysis."""
    found = yield from _class({"ROWS_RETURNED": 300, "SELECT_SQL_STMTS": 300}, _reads(10000, 100 * by_prefetchers))
    assert found.name == "OLTP"


# Whole databases that are easily misclassified, in 300 seconds.
DATABASES: dict[str, tuple[str, Row, list[Row]]] = {
    "a shop that lacks an index: two of its statements scan for 90 % of the time": (
        "OLTP",
        {"TOTAL_ACT_TIME": 6000000, "ACT_COMPLETED_TOTAL": 60000, "SELECT_SQL_STMTS": 42000, "UID_SQL_STMTS": 18000,
         "ROWS_RETURNED": 120000, "ROWS_MODIFIED": 20000, "TOTAL_SORTS": 3000, "TOTAL_HASH_JOINS": 100},
        [{"EXECUTABLE_ID": "01", "NUM_EXECUTIONS": 2000, "STMT_EXEC_TIME": 3400000, "TOTAL_SORTS": 0},
         {"EXECUTABLE_ID": "02", "NUM_EXECUTIONS": 1500, "STMT_EXEC_TIME": 2000000, "TOTAL_SORTS": 0}],
    ),
    "the same, so slow that little else gets done": (
        "mixed",
        {"TOTAL_ACT_TIME": 6000000, "ACT_COMPLETED_TOTAL": 4000, "SELECT_SQL_STMTS": 3800, "UID_SQL_STMTS": 200,
         "ROWS_RETURNED": 50000, "ROWS_MODIFIED": 400, "TOTAL_SORTS": 400, "TOTAL_HASH_JOINS": 10},
        [{"EXECUTABLE_ID": "01", "NUM_EXECUTIONS": 2500, "STMT_EXEC_TIME": 5800000, "TOTAL_SORTS": 0}],
    ),
    "a catalogue that is only read": (
        "OLTP",
        {"TOTAL_ACT_TIME": 3000000, "ACT_COMPLETED_TOTAL": 600000, "SELECT_SQL_STMTS": 600000, "UID_SQL_STMTS": 0,
         "ROWS_RETURNED": 9000000, "TOTAL_SORTS": 90000, "TOTAL_HASH_JOINS": 0},
        [],
    ),
    "transactions, and reports that take half of the time": (
        "mixed",
        {"TOTAL_ACT_TIME": 6000000, "ACT_COMPLETED_TOTAL": 300060, "SELECT_SQL_STMTS": 200060, "UID_SQL_STMTS": 100000,
         "ROWS_RETURNED": 600000, "ROWS_MODIFIED": 150000, "TOTAL_SORTS": 20000, "TOTAL_HASH_JOINS": 900},
        [{"EXECUTABLE_ID": "01", "NUM_EXECUTIONS": 60, "STMT_EXEC_TIME": 3000000, "TOTAL_SORTS": 240}],
    ),
    "a warehouse whose answers are small aggregates": (
        "BI",
        {"TOTAL_ACT_TIME": 9000000, "ACT_COMPLETED_TOTAL": 600, "SELECT_SQL_STMTS": 590, "UID_SQL_STMTS": 10,
         "ROWS_RETURNED": 9000, "ROWS_MODIFIED": 500000, "TOTAL_SORTS": 1500, "TOTAL_HASH_JOINS": 3000},
        [],
    ),
    "loads of a data vault: every statement changes": (
        "BI",
        {"TOTAL_ACT_TIME": 9000000, "ACT_COMPLETED_TOTAL": 240, "SELECT_SQL_STMTS": 40, "UID_SQL_STMTS": 200,
         "ROWS_RETURNED": 40, "ROWS_MODIFIED": 90000000, "TOTAL_SORTS": 300, "TOTAL_HASH_JOINS": 900},
        [],
    ),
    "dashboards that refresh": (
        "mixed",
        {"TOTAL_ACT_TIME": 1800000, "ACT_COMPLETED_TOTAL": 6000, "SELECT_SQL_STMTS": 6000, "UID_SQL_STMTS": 0,
         "ROWS_RETURNED": 180000, "TOTAL_SORTS": 9000, "TOTAL_HASH_JOINS": 12000},
        [],
    ),
    "a batch at night that commits row by row": (
        "OLTP",
        {"TOTAL_ACT_TIME": 2400000, "ACT_COMPLETED_TOTAL": 240000, "SELECT_SQL_STMTS": 100000, "UID_SQL_STMTS": 140000,
         "ROWS_RETURNED": 3000000, "ROWS_MODIFIED": 140000, "TOTAL_SORTS": 200, "TOTAL_HASH_JOINS": 100},
        [],
    ),
    "scans that take two thirds of the time, with 1,500 short statements a second": (
        "mixed",
        {"TOTAL_ACT_TIME": 3000000, "ACT_COMPLETED_TOTAL": 450004, "SELECT_SQL_STMTS": 300004, "UID_SQL_STMTS": 150000,
         "ROWS_RETURNED": 900000, "ROWS_MODIFIED": 150000, "TOTAL_SORTS": 20000, "TOTAL_HASH_JOINS": 900},
        [{"EXECUTABLE_ID": "01", "NUM_EXECUTIONS": 4, "STMT_EXEC_TIME": 2000000, "TOTAL_SORTS": 0}],
    ),
    "a small shop": (
        "OLTP",
        {"TOTAL_ACT_TIME": 60000, "ACT_COMPLETED_TOTAL": 1500, "SELECT_SQL_STMTS": 1100, "UID_SQL_STMTS": 400,
         "ROWS_RETURNED": 9000, "ROWS_MODIFIED": 500, "TOTAL_SORTS": 60, "TOTAL_HASH_JOINS": 0},
        [],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", DATABASES)
@stepwise
def test_requests_decide_the_class(name: str) -> Steps:
    expected, workload, statements = DATABASES[name]
    found = yield from _class(workload, _reads(1000000, 900000), statement=statements)
    assert found.name == expected, (name, found)


@stepwise
def test_partitions_are_a_vote_for_a_warehouse() -> Steps:
    rows = {"ROWS_RETURNED": 100, "SELECT_SQL_STMTS": 100}
    found = yield from _class(rows, database={"topology": "dpf"})
    assert found.p_bi == pytest.approx(2 / 3)


@pytest.mark.parametrize(
    ("registry", "tables", "p_bi"),
    [
        ({"DB2_WORKLOAD": "ANALYTICS"}, [], 2 / 3),
        ({"DB2_WORKLOAD": "SAP"}, [], 0.0),
        ({}, [{"TABNAME": "FACTS", "TABLEORG": "C"}, {"TABNAME": "OTHERS"}], 2 / 3),
        ({}, [{"TABNAME": "FACTS", "TABLEORG": "C", "NPAGES": 49_999}, {"TABNAME": "OTHERS"}], 0.0),
        ({}, [{"TABNAME": "SHADOW", "TABLEORG": "C", "NPAGES": 1000}, {"TABNAME": "ORDERS"}], 0.0),
    ],
)
@stepwise
def test_column_organization_is_a_warehouse(registry: Row, tables: list[Row], p_bi: float) -> Steps:
    few_rows = {"ROWS_RETURNED": 100, "SELECT_SQL_STMTS": 100}
    found = yield from _class(few_rows, registry_values=registry, cat_table=tables)
    assert found.p_bi == pytest.approx(p_bi)


# the work of each half of the interval
TRANSACTIONS: Row = {"ROWS_RETURNED": 3000, "SELECT_SQL_STMTS": 3000, "UID_SQL_STMTS": 1000, "ACT_COMPLETED_TOTAL": 4000,
                     "TOTAL_ACT_TIME": 40000}  # fmt: skip
ANALYSIS: Row = {"ROWS_RETURNED": 3000, "SELECT_SQL_STMTS": 30, "UID_SQL_STMTS": 0, "ACT_COMPLETED_TOTAL": 30,
                 "TOTAL_ACT_TIME": 60000}  # fmt: skip


def _two_windows(first: Row, second: Row, **site: str) -> Generator[Wanted, Advice, Advice]:
    """Return the advice over three snapshots, between which the counters rose by ``first`` and by ``second``."""
    both = {name: first[name] + second[name] for name in first}
    seen = observe_state(state_of({"workload": [BLANK | both], "tablespace": NO_READS, "site": site}))
    begin, end = seen.snapshots
    middle = replace(end, taken_at=begin.taken_at + timedelta(seconds=150))
    sources = {}
    for name, rows in seen.sources.items():
        ends = [row for row in rows if row["SNAP_ID"] == end.id]
        uptime = {"UPTIME_S": 1000} if name == "database" else {}
        sources[name] = [row | uptime for row in rows if row["SNAP_ID"] == begin.id]
        sources[name] += [row | dict.fromkeys(uptime, 1300) | {"SNAP_ID": 3} for row in ends]
        if name in ("database", "workload", "tablespace"):
            half = first | dict.fromkeys(uptime, 1150)
            sources[name] += [row | {column: half[column] for column in half if column in row} for row in ends]
    three = replace(seen, snapshots=[begin, middle, replace(end, id=3)], sources=sources)
    return (yield three, [all_rules()["workload.classify"]])


@stepwise
def test_disagreeing_windows_are_mixed_and_reported() -> Steps:
    advice = yield from _two_windows(TRANSACTIONS, ANALYSIS)
    assert advice.workload == Workload("mixed", 0.5, 0.5, windows_disagree=True)
    assert workload(advice) == "mixed: one part of the interval is BI, another OLTP"


@stepwise
def test_agreeing_windows_are_not_reported() -> Steps:
    advice = yield from _two_windows(ANALYSIS, ANALYSIS)
    assert (advice.workload.name, advice.workload.windows_disagree) == ("BI", False)


@stepwise
def test_a_window_of_little_work_has_no_say() -> Steps:
    few = {name: value // 10 for name, value in TRANSACTIONS.items()}
    advice = yield from _two_windows(few, ANALYSIS)
    assert not advice.workload.windows_disagree


@stepwise
def test_a_window_in_which_a_counter_fell_has_no_say() -> Steps:
    advice = yield from _two_windows({**TRANSACTIONS, "ROWS_RETURNED": 9000}, {**ANALYSIS, "ROWS_RETURNED": -10})
    assert not advice.workload.windows_disagree


@stepwise
def test_the_site_knows_better_than_windows_that_disagree() -> Steps:
    advice = yield from _two_windows(TRANSACTIONS, ANALYSIS, workload="OLTP")
    assert (advice.workload.name, advice.recommendations) == ("OLTP", [])


def test_snapshots_out_of_order_are_refused(tmp_path: Path) -> None:
    write_capture(base_state(), tmp_path)
    manifest = json.loads((tmp_path / "manifest.json").read_text(encoding="utf-8"))
    first = manifest["snapshots"][0]
    manifest["snapshots"] = [first | {"id": number} for number in (1, 3, 2)]
    (tmp_path / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    with pytest.raises(UserError, match="the ids of the snapshots do not increase"):
        advise(tmp_path, [])


@pytest.mark.parametrize(
    ("declared", "unread", "action"),
    [
        ("OLTP", 90000, 'ALTER TABLESPACE "TS" PREFETCHSIZE 0'),
        ("OLTP", 30000, None),
        ("BI", 90000, None),
        ("BI", 30000, 'ALTER TABLESPACE "TS" PREFETCHSIZE 64'),
    ],
)
@stepwise
def test_class_decides_the_advice_for_a_table_space(declared: str, unread: int, action: str | None) -> Steps:
    """PREFETCHSIZE 0 for transactions, extent size x containers for analysis; each without contrary measurements."""
    state = state_of(
        {
            "site": {"workload": declared},
            "workload": [
                BLANK | {"POOL_READ_TIME": 700000, "PREFETCH_WAIT_TIME": 900000, "SELECT_SQL_STMTS": 1000,
                         "ROWS_RETURNED": 2000}
            ],
            "tablespace": [
                {"TBSP_NAME": "TS", "POOL_DATA_L_READS": 900000, "POOL_DATA_P_READS": 300000, "POOL_READ_TIME": 600000,
                 "POOL_ASYNC_DATA_READS": 150000, "POOL_ASYNC_READ_TIME": 100000, "UNREAD_PREFETCH_PAGES": unread}
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
    assert [item.actions for item in advice.ranked] == ([[action]] if action else [])


def test_a_table_space_that_does_not_prefetch_has_the_class_of_the_database() -> None:
    """Its scans look like random reads."""
    reports = {"TOTAL_ACT_TIME": 9000000, "ACT_COMPLETED_TOTAL": 600, "SELECT_SQL_STMTS": 600, "ROWS_RETURNED": 600000}
    states = [
        state_of(
            {
                "workload": [BLANK | reports],
                "tablespace": [{"TBSP_NAME": "TS", "POOL_DATA_L_READS": 900000, "POOL_DATA_P_READS": 300000}],
                "cat_tablespace": [{"TBSPACE": "TS", "PREFETCHSIZE": size}],
            }
        )
        for size in (0, 32)
    ]
    without, with_prefetching = (
        row["P_BI"] for rows in read_view("OBJECT_CLASS", states) for row in rows if row["NAME"] == "TS"
    )
    assert without == 2 * with_prefetching > 0
