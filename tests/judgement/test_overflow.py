"""Values at the limit of their type."""

import re
from typing import Any

import pytest

from advisor.judgement import run
from tests.machines import MACHINES
from tests.support.states import State, write_capture

MOST = 2**63 - 1  # of a BIGINT
LARGE = [("system", "MEMORY_TOTAL"), ("transaction_log", "TOTAL_LOG_AVAILABLE")]


def overflowing(source: str, column: str) -> State:
    state = MACHINES["x445-8way"]().copy()
    for row in state.sources[source]:
        row[column] = MOST
    return state


@pytest.mark.parametrize(("source", "column"), LARGE)
def test_large_value_gives_advice_without_it(source: str, column: str, tmp_path: Any) -> None:
    """The engine calculates with a DOUBLE where a BIGINT is too small; no command contains such a number."""
    advice = run.advise(write_capture(overflowing(source, column), tmp_path / "capture"))
    assert advice.ranked
    assert not [line for item in advice.recommendations for line in item.actions if re.search(r"\d{15}", line)]


def test_time_beyond_bigint_ends_no_advice(tmp_path: Any) -> None:
    """The sum over several members exceeds BIGINT."""
    advice = run.advise(write_capture(overflowing("workload", "TOTAL_RQST_TIME"), tmp_path / "capture"))
    assert advice.recommendations
