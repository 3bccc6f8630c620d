"""The class of the workload: what the site declares, else the mean of the votes of what was measured."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from advisor.catalogue.rules import all_rules
from advisor.errors import UserError
from advisor.judge.advice import Advice, Workload
from advisor.judge.run import advise
from advisor.report.text import workload
from tests.support.states import Row, state_of, write_capture

# counters of a workload in which no feature can be measured
BLANK: Row = {"TOTAL_RQST_TIME": 6000000, "TOTAL_CPU_TIME": 3000000000}
NO_READS: list[Row] = [{"TBSP_NAME": "USERSPACE1"}]


def _class(target: Path, workload: Row, tablespace: list[Row] = NO_READS, **case: Any) -> Workload:
    state = state_of({"workload": [BLANK | workload], "tablespace": tablespace, **case})
    return advise(write_capture(state, target), []).workload


def _reads(physical: int, by_prefetchers: int) -> list[Row]:
    return [{"TBSP_NAME": "USERSPACE1", "POOL_DATA_P_READS": physical, "POOL_ASYNC_DATA_READS": by_prefetchers}]


@pytest.mark.parametrize(
    ("declared", "name", "p_bi"), [("BI", "BI", 1.0), ("OLTP", "OLTP", 0.0), ("MIXED", "mixed", 0.5), ("bi", "BI", 1.0)]
)
def test_declared_class_is_taken_whatever_was_measured(declared: str, name: str, p_bi: float, tmp_path: Path) -> None:
    contrary = {"ROWS_RETURNED": 1000, "SELECT_SQL_STMTS": 100 if declared == "OLTP" else 1000}
    found = _class(tmp_path, contrary, site={"workload": declared})
    assert (found.name, found.p_bi, found.p_oltp) == (name, p_bi, 1 - p_bi)


def test_nothing_measured_is_mixed(tmp_path: Path) -> None:
    assert _class(tmp_path, {}) == Workload("mixed", 0.5, 0.5)


@pytest.mark.parametrize(("rows", "p_bi"), [(999, 0.0), (1000, 1.0)])
def test_ten_rows_for_each_select_are_a_warehouse(rows: int, p_bi: float, tmp_path: Path) -> None:
    found = _class(tmp_path, {"ROWS_RETURNED": rows, "SELECT_SQL_STMTS": 100})
    assert found.p_bi == p_bi


@pytest.mark.parametrize(("milliseconds", "p_bi"), [(49, 0.0), (50, 0.0), (525, 0.5), (1000, 1.0), (9999, 1.0)])
def test_long_activities_are_a_warehouse(milliseconds: int, p_bi: float, tmp_path: Path) -> None:
    found = _class(tmp_path, {"TOTAL_ACT_TIME": milliseconds * 1000, "ACT_COMPLETED_TOTAL": 1000})
    assert found.p_bi == pytest.approx(p_bi)


@pytest.mark.parametrize(("percent", "p_bi"), [(0, 0.0), (20, 0.0), (40, 0.5), (60, 1.0), (100, 1.0)])
def test_reads_of_prefetchers_are_a_warehouse(percent: int, p_bi: float, tmp_path: Path) -> None:
    assert _class(tmp_path, {}, _reads(10000, 100 * percent)).p_bi == pytest.approx(p_bi)


def test_few_reads_do_not_vote(tmp_path: Path) -> None:
    assert _class(tmp_path, {}, _reads(999, 999)).p_bi == 0.5


@pytest.mark.parametrize(("percent", "p_bi"), [(0, 1.0), (10, 0.5), (20, 0.0), (100, 0.0)])
def test_changes_are_transactions(percent: int, p_bi: float, tmp_path: Path) -> None:
    found = _class(tmp_path, {"SELECT_SQL_STMTS": 100 - percent, "UID_SQL_STMTS": percent})
    assert found.p_bi == pytest.approx(p_bi)


@pytest.mark.parametrize(
    ("milliseconds", "reads", "name"),
    [(1000, 60, "BI"), (50, 20, "OLTP"), (1000, 20, "mixed"), (810, 60, "BI"), (240, 20, "OLTP"), (620, 60, "BI"),
     (600, 60, "mixed"), (430, 20, "OLTP"), (450, 20, "mixed")],
)  # fmt: skip
def test_the_mean_decides_and_between_the_two_it_is_mixed(
    milliseconds: int, reads: int, name: str, tmp_path: Path
) -> None:
    activities = {"TOTAL_ACT_TIME": milliseconds * 1000, "ACT_COMPLETED_TOTAL": 1000}
    assert _class(tmp_path, activities, _reads(10000, 100 * reads)).name == name


@pytest.mark.parametrize(
    ("registry", "tables", "p_bi"),
    [
        ({"DB2_WORKLOAD": "ANALYTICS"}, [], 0.5),
        ({"DB2_WORKLOAD": "SAP"}, [], 0.0),
        ({}, [{"TABNAME": "FACTS", "TABLEORG": "C"}, {"TABNAME": "OTHERS"}], 0.5),
        ({}, [{"TABNAME": "SHADOW", "TABLEORG": "C", "NPAGES": 1000}, {"TABNAME": "ORDERS"}], 0.0),
    ],
)
def test_column_organization_is_a_warehouse(registry: Row, tables: list[Row], p_bi: float, tmp_path: Path) -> None:
    few_rows = {"ROWS_RETURNED": 100, "SELECT_SQL_STMTS": 100}
    assert _class(tmp_path, few_rows, registry_values=registry, cat_table=tables).p_bi == pytest.approx(p_bi)


# what each half of the interval does
TRANSACTIONS: Row = {"ROWS_RETURNED": 3000, "SELECT_SQL_STMTS": 3000, "UID_SQL_STMTS": 1000, "ACT_COMPLETED_TOTAL": 4000,
                     "TOTAL_ACT_TIME": 40000}  # fmt: skip
ANALYSIS: Row = {"ROWS_RETURNED": 3000, "SELECT_SQL_STMTS": 30, "UID_SQL_STMTS": 0, "ACT_COMPLETED_TOTAL": 30,
                 "TOTAL_ACT_TIME": 60000}  # fmt: skip


def _two_windows(target: Path, first: Row, second: Row, **site: str) -> Advice:
    """The advice over three snapshots, between which the counters rose by ``first`` and by ``second``."""
    both = {name: first[name] + second[name] for name in first}
    path = write_capture(state_of({"workload": [BLANK | both], "tablespace": NO_READS, "site": site}), target)
    manifest = json.loads((path / "manifest.json").read_text(encoding="utf-8"))
    begin, end = manifest["snapshots"]
    middle = {**begin, "id": 2, "taken_at": "2026-03-02T10:02:30"}
    manifest["snapshots"] = [begin, middle, {**end, "id": 3}]
    (path / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    for file in path.glob("*.csv"):
        with file.open(encoding="utf-8", newline="") as read:
            reader = csv.DictReader(read)
            rows = list(reader)
        ends = [row | {"SNAP_ID": "3"} for row in rows if row["SNAP_ID"] == "2"]
        rows = [row for row in rows if row["SNAP_ID"] == "1"] + ends
        if file.stem in ("database", "workload", "tablespace"):
            rows += [row | {"SNAP_ID": "2"} | {name: first[name] for name in first if name in row} for row in ends]
        with file.open("w", encoding="utf-8", newline="") as write:
            writer = csv.DictWriter(write, reader.fieldnames or [])
            writer.writeheader()
            writer.writerows(rows)
    return advise(path, [all_rules()["workload.classify"]])


def test_windows_that_disagree_are_mixed_and_say_so(tmp_path: Path) -> None:
    advice = _two_windows(tmp_path, TRANSACTIONS, ANALYSIS)
    assert advice.workload == Workload("mixed", 0.5, 0.5, windows_disagree=True)
    assert workload(advice) == "mixed: one part of the interval is BI, another OLTP"


def test_windows_that_agree_say_nothing(tmp_path: Path) -> None:
    assert _two_windows(tmp_path, ANALYSIS, ANALYSIS).workload == Workload("BI", 0.0, 1.0)


def test_a_window_of_little_work_has_no_say(tmp_path: Path) -> None:
    few = {name: value // 10 for name, value in TRANSACTIONS.items()}
    advice = _two_windows(tmp_path, few, ANALYSIS)
    assert not advice.workload.windows_disagree


def test_a_window_in_which_a_counter_fell_has_no_say(tmp_path: Path) -> None:
    advice = _two_windows(tmp_path, {**TRANSACTIONS, "ROWS_RETURNED": 9000}, {**ANALYSIS, "ROWS_RETURNED": -10})
    assert not advice.workload.windows_disagree


def test_the_site_knows_better_than_windows_that_disagree(tmp_path: Path) -> None:
    advice = _two_windows(tmp_path, TRANSACTIONS, ANALYSIS, workload="OLTP")
    assert (advice.workload.name, advice.recommendations) == ("OLTP", [])


def test_snapshots_out_of_order_are_refused(tmp_path: Path) -> None:
    _two_windows(tmp_path, ANALYSIS, ANALYSIS)
    manifest = json.loads((tmp_path / "manifest.json").read_text(encoding="utf-8"))
    manifest["snapshots"].reverse()
    (tmp_path / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    with pytest.raises(UserError, match="the ids of the snapshots do not rise"):
        advise(tmp_path, [])


@pytest.mark.parametrize(
    ("declared", "action"),
    [("OLTP", 'ALTER TABLESPACE "TS" PREFETCHSIZE 0'), ("BI", 'ALTER TABLESPACE "TS" PREFETCHSIZE 64')],
)
def test_the_class_decides_what_one_table_space_is_told(declared: str, action: str, tmp_path: Path) -> None:
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
    advice = advise(write_capture(state, tmp_path), rules)
    assert [item.actions for item in advice.ranked] == [[action]]
