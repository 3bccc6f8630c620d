"""Promises of index advice, statement by statement, before and after the index was created."""

import json
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import apsw
import pytest
from click.testing import CliRunner

from advisor.capture.lessons import DatabaseKey, Lesson, Percent, Thing, Turned
from advisor.catalogue.rules import all_rules
from advisor.cli.main import main
from advisor.judgement.run import evaluate
from advisor.nightly import history
from advisor.verify.changed import find_changes
from tests.support.nights import BY_ID, BY_STATUS, orders, statement, write_night
from tests.support.states import observe_state, state_of

RULE = "sql.missing-index"
SLOW = statement(BY_STATUS.format("NEW"), 500_000)
BY_KEY = statement(BY_ID.format(7), 900, number=3)


def verify(*arguments: object) -> tuple[int, str]:
    done = CliRunner().invoke(main, ["verify", *map(str, arguments)])
    return done.exit_code, done.output


@pytest.mark.parametrize(
    ("ms", "verdict"),
    [(1_000, "as promised"), (250_000, "partly"), (495_000, "no gain"), (600_000, "slower"), (None, "did not run")],
)
def test_statement_after_the_index_gets_a_verdict(ms: int | None, verdict: str, tmp_path: Path) -> None:
    again = [] if ms is None else [statement(BY_STATUS.format("PAID"), ms, rows_read=1_000)]
    before = write_night(tmp_path, 0, SLOW, BY_KEY)
    after = write_night(tmp_path, 1, *again, BY_KEY, indexes={"MY_OWN": "STATUS"})
    document = json.loads(verify(before, "--after", after, "--format", "json")[1])
    (change,), (found,) = document["changes"], document["promised"]
    assert (change["target"], change["rule"]) == ("INDEX:SHOP.MY_OWN", RULE)
    assert change["object_name"] == "SHOP.IX_ORDERS_STATUS"
    assert found["verdict"] == verdict
    assert (found["before_ms"], found["ms"]) == (5_000, None if ms is None else ms / 100)
    assert (found["rows_read_before"], found["rows_read"]) == (900_000, None if ms is None else 10)
    assert found["promised_ms"] < 1_000
    assert f"1 {verdict}" in verify(before, "--after", after)[1]


def test_index_that_no_advice_proposed_is_not_a_change(tmp_path: Path) -> None:
    before = write_night(tmp_path, 0, SLOW)
    after = write_night(tmp_path, 1, SLOW, indexes={"OTHER": "TOTAL"})
    assert find_changes(before, after)[0] == []


@pytest.mark.parametrize(("brought", "factor"), [(0.0, 0.8), (20.0, 1.2)])
def test_factor_moves_the_promise_of_its_database_only(brought: float, factor: float) -> None:
    state, own = observe_state(state_of(orders(statement(BY_STATUS.format(7), 200_000)))), [all_rules()[RULE]]
    here = DatabaseKey(state.database["name"], "db1", "inst")
    taught = Lesson(
        here, "2026-02-01", RULE, Thing("INDEX", "A.B"), (Turned("INDEX:A.B", None, "created"),), Percent(5, 10, 20),
        Percent(brought, brought, brought), "confirmed",
    )  # fmt: skip
    alone, learned, other = (
        evaluate(replace(state, lessons=lessons), own)
        for lessons in ((), (taught,), (replace(taught, database=here._replace(name="OTHER")),))
    )
    assert alone.indexes == other.indexes
    (before,), (after,) = (each.indexes.chosen for each in (alone, learned))
    assert after.saved_ms == pytest.approx(min(factor * before.saved_ms, 200_000))
    assert learned.ranked[0].benefit == pytest.approx(alone.ranked[0].benefit * after.saved_ms / before.saved_ms)
    assert learned.ranked[0].learned.factor == pytest.approx(factor)


def test_store_without_promises_gets_their_tables(tmp_path: Path) -> None:
    with history.open_history(tmp_path):
        pass
    with closing(apsw.Connection(str(tmp_path / history.FILE))) as connection:
        connection.execute("DROP TABLE promise; DROP TABLE promised_statement; PRAGMA user_version = 2")
    for _ in range(2):
        with history.open_history(tmp_path) as kept:
            assert kept.measurements.load_figures([1]) == {}
