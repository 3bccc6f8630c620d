"""Statements that became slower with another access plan than in earlier nights."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from advisor.nightly import history as kept_runs
from advisor.nightly import summary
from advisor.nightly.database import Outcome
from advisor.nightly.history import History
from advisor.nightly.runs import Run
from advisor.verify.measured import Executed
from advisor.verify.plans import SlowerPlan, find_slower_plans
from tests.verify.histories import Kind, history


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[History]:
    with kept_runs.open_history(tmp_path) as store:
        yield store


def query(ms: float, plan: int | None, executions: int = 100, pct: float = 20.0, rows: float = 500.0) -> Executed:
    """Return a statement's executions with ``ms`` each."""
    return Executed("7/1", "SELECT A", executions, executions * ms, pct, rows, plan)


def nights(kept: History, *executed: Executed) -> list[list[SlowerPlan]]:
    """Keep one run per night with this statement; return what each night reports."""
    found = []
    for interval, one in zip(history(Kind(), 1, len(executed), 0)[0], executed, strict=True):
        short = replace(
            interval, kind="interval", begin=interval.end - timedelta(seconds=300), seconds=300, executed=(one,)
        )
        number = kept.add(Run("SALES", interval.end.astimezone(), "SALES", ("SALES",), "300 s", None, (), (), ()))
        kept.measurements.add(number, [short], [])
        found.append(find_slower_plans(kept.measurements, "SALES"))
    return found


def test_slower_plan_is_reported_in_its_first_night(kept: History) -> None:
    *before, first, second = nights(kept, query(1.0, 5), query(1.5, 5), query(3.0, 6, rows=50_000), query(3.0, 6))
    assert before == [[], []]
    assert first == [SlowerPlan("7/1", "SELECT A", 5, 6, 2, 1.5, 3.0, 5.0, 500.0)]
    assert second == []
    outcome = Outcome("SALES", run=kept.runs("SALES")[-1], slower_plans=first)
    assert outcome.run
    text = " ".join(summary.render(outcome.run.started_at, [outcome]).split())
    assert text.startswith("db2tune: 1 database, 1 with a slower plan")
    assert (
        "Plan SELECT A: 3 ms per execution with a new access plan, at most 1.5 ms in 2 nights with the earlier one;"
        " rows read per execution 5 -> 500" in text
    )
    assert "to get the earlier plan back" in text
    assert "undo: run the UPDATE statements" in text
    (entry,) = summary.document(outcome.run.started_at, [outcome])["databases"]
    assert entry["slower_plans"][0]["planid"] == 6


@pytest.mark.parametrize(
    "executed",
    [
        [query(1.0, 5), query(1.5, 5), query(2.9, 6)],  # less than twice the slowest night
        [query(1.0, 5), query(2.9, 6)],  # less than three times the only night
        [query(3.0, 5), query(3.0, 5), query(1.0, 6)],  # faster
        [query(1.0, 5), query(1.0, 5), query(9.0, 5)],  # the same plan
        [query(1.0, 5), query(1.0, 5), query(9.0, None)],  # two plans ran
        [query(1.0, None), query(1.0, None), query(9.0, 6)],  # the earlier plan is unknown
        [query(1.0, 5), query(1.0, 5), query(9.0, 6, executions=9)],
        [query(1.0, 5, executions=9), query(9.0, 6)],
        [query(1.0, 5), query(1.0, 5), query(9.0, 6, pct=0.9)],
    ],
)
def test_other_plan_without_reliable_slowdown_is_not_reported(kept: History, executed: list[Executed]) -> None:
    assert not any(nights(kept, *executed))


def test_statement_with_three_times_the_only_night_is_reported(kept: History) -> None:
    assert [len(night) for night in nights(kept, query(1.0, 5, executions=10), query(3.0, 6, 10, 1.0))] == [0, 1]
