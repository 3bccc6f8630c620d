"""A value that no sum can hold costs the rules that need it, and no other."""

from typing import Any

import pytest

from advisor.catalogue.sources import all_sources
from advisor.errors import UserError
from advisor.judge import run
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


@pytest.mark.full
@pytest.mark.parametrize("machine", ["x445-8way", "warehouse-tuned", "purescale"])
def test_no_column_ends_all_advice(machine: str, tmp_path: Any) -> None:
    """Each BIGINT of each source in turn: what cannot be reckoned with is said in a line, and never a fault of ours."""
    for name, source in all_sources().items():
        for column in source.columns:
            state = MACHINES[machine]().copy()
            rows = [row for row in state.sources.get(name, []) if row.get(column.name) is not None]
            if column.type != "BIGINT" or column.kind == "key" or not rows:
                continue
            for row in rows:
                row[column.name] = MOST
            try:
                assert run.advise(write_capture(state, tmp_path / f"{name}-{column.name}")).not_run is not None
            except UserError as error:
                assert "cannot be reckoned with" in str(error)
