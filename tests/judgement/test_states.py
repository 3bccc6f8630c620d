"""States judged one after the other on the same tables: none affects the next, nor do values at the limit of their type."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from advisor.catalogue.embedded import open_tables
from advisor.catalogue.rules import all_rules
from advisor.errors import UserError
from advisor.judgement import run
from advisor.judgement.run import advise, evaluate
from tests.machines import MACHINES
from tests.support.paths import CAPTURES
from tests.support.states import State, observe_state, state_of, write_capture

SOME = ("x445-8way", "purescale")
RULES = list(all_rules().values())


def test_state_in_memory_and_capture_get_same_advice() -> None:
    """This holds after other states with other rules, on the same tables."""
    few = RULES[::7]
    captures = [advise(CAPTURES / name) for name in SOME]
    assert captures[0].ranked != []
    states = [evaluate(observe_state(MACHINES[name]()), RULES) for name in SOME]
    assert states == captures
    assert evaluate(observe_state(MACHINES[SOME[0]]()), few) == advise(CAPTURES / SOME[0], few)
    assert [evaluate(observe_state(MACHINES[name]()), RULES) for name in SOME] == captures


def test_second_state_compiles_no_statement_again() -> None:
    """The cache of the connection holds all statements of a judgement; otherwise each state takes 0.2 s more."""
    state = observe_state(MACHINES["webshop"]())
    with open_tables() as tables:
        pass  # the next caller gets these
    for _ in range(2):
        evaluate(state, RULES)
    before = tables.count_compiled()
    evaluate(state, RULES)
    assert tables.count_compiled() - before <= 5


def test_failed_state_leaves_no_rows_for_next() -> None:
    machine = MACHINES["webshop"]()
    expected = evaluate(observe_state(machine), RULES)
    broken = machine.copy()
    broken.sources["bufferpool"].append(dict(broken.sources["bufferpool"][0]))
    with pytest.raises(UserError, match="two rows have the same key"):
        evaluate(observe_state(broken), RULES)
    assert evaluate(observe_state(machine), RULES) == expected


def test_a_rule_that_fails_for_one_state_stops_no_other(tmp_path: Path) -> None:
    rule = all_rules()["config.monitoring-off"]
    number = "SELECT LENGTH(CASE WHEN DB_NAME = 'A' THEN ZEROBLOB(1000000000) ELSE '' END) AS N FROM TUNE.RUN_DATABASE"
    select = f"SELECT F.* FROM ({rule.select}) AS F CROSS JOIN ({number}) AS D WHERE D.N >= 0"
    failing = replace(rule, name="fails.once", select=select)
    wrong = replace(rule, name="fails.always", select="SELECT NOTHING FROM TUNE.NOWHERE")
    rules = [rule, failing, wrong]
    states = [state_of({"config": {"mon_req_metrics": "NONE"}, "database": {"name": name}}) for name in ("7", "A", "8")]

    together = [evaluate(observe_state(state), rules) for state in states]
    assert [len(advice.recommendations) for advice in together] == [2, 1, 2]
    assert [[name for name, _ in advice.not_run] for advice in together] == [
        ["fails.always"], ["fails.always", "fails.once"], ["fails.always"],
    ]  # fmt: skip
    paths = [write_capture(state, tmp_path / str(number)) for number, state in enumerate(states)]
    assert together == [advise(path, rules) for path in paths]


def test_a_list_has_at_most_a_thousand_objects_of_one_rule(tmp_path: Path) -> None:
    rule = all_rules()["tablespace.container-inaccessible"]
    spaces = [
        {"TBSP_NAME": f"TS{number:04}", "CONTAINER_ID": 0, "CONTAINER_NAME": "/c", "ACCESSIBLE": 0}
        for number in range(1003)
    ]
    states = [state_of({"container": some}) for some in (spaces, spaces[:1000])]
    found = [evaluate(observe_state(state), [rule]) for state in states]
    assert [len(advice.recommendations) for advice in found] == [1000, 1000]
    assert [advice.not_run for advice in found] == [
        [(rule.name, "found 1003 objects: the list contains 1000 of them, those with the largest shares of time")], [],
    ]  # fmt: skip
    assert found[0] == advise(write_capture(states[0], tmp_path / "x"), [rule])


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
