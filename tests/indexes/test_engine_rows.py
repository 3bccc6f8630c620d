"""PostgreSQL's plans and statistics in the shape of Db2's."""

import pytest

from tools.trials.engine.cases import CASES, INDEXED
from tools.trials.engine.product import read_definition
from tools.trials.engine.rows import count_rows_read


def test_rows_read_of_a_scan_include_filtered_rows() -> None:
    scan = {"Node Type": "Seq Scan", "Actual Rows": 3, "Actual Loops": 2, "Rows Removed by Filter": 7}
    assert count_rows_read(scan) == 20


def test_rows_read_of_an_index_only_scan_are_fetches() -> None:
    scan = {"Node Type": "Index Only Scan", "Actual Rows": 30, "Actual Loops": 1, "Heap Fetches": 2}
    assert count_rows_read({"Node Type": "Sort", "Actual Rows": 30, "Actual Loops": 1, "Plans": [scan]}) == 2


def test_definition_of_an_advised_index_has_lower_case() -> None:
    keys = [{"column": "A", "descending": False}, {"column": "B", "descending": True}]
    found = read_definition({"table": "T", "columns": keys, "include": ["C"]})
    assert found.on == "t (a, b DESC, c)"
    assert found.name == "i_t_a_b_d_c"


@pytest.mark.parametrize("case", (*CASES, INDEXED), ids=lambda case: case.name)
def test_case_has_statements_of_each_kind(case: object) -> None:
    texts = next(each for each in (*CASES, INDEXED) if each == case).texts
    assert len(texts) >= 30
    assert {text.sql.split()[0] for text in texts} == {"SELECT", "INSERT", "UPDATE", "DELETE"}
    assert not any("LIMIT" in text.sql for text in texts)
