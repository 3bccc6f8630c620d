"""The class of the workload: what the site declares, else the mean of the votes of what was measured."""

from pathlib import Path
from typing import Any

import pytest

from advisor.engine import Workload, advise
from tests.states import Row, state_of, write_capture

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
