"""A value that overflows sums affects only the rules that need it."""

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
def test_one_counter_costs_its_rules(source: str, column: str, tmp_path: Any) -> None:
    state = overflowing(source, column)
    advice = run.advise(write_capture(state, tmp_path / "capture"))
    failed = {rule for rule, reason in advice.not_run if "failed: " in reason}
    assert failed
    assert advice.ranked
    assert failed.isdisjoint(item.rule.name for item in advice.recommendations)


def test_time_that_no_number_holds_ends_no_advice(tmp_path: Any) -> None:
    """The sum over several members exceeds BIGINT."""
    advice = run.advise(write_capture(overflowing("workload", "TOTAL_RQST_TIME"), tmp_path / "capture"))
    assert advice.recommendations
