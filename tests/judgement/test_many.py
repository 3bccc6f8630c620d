"""Many states judged at once get the advice that each gets by itself."""

from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from advisor.capture import opened
from advisor.catalogue.rules import all_rules
from advisor.judge.many import judge
from advisor.judge.run import advise
from tests.machines import FIXTURES, MACHINES
from tests.support.states import observed, state_of, write_capture

SOME = ("vm-oltp-before", "purescale", "x445-8way")
RULES = list(all_rules().values())


def test_states_in_memory_and_captures_are_judged_alike() -> None:
    """Also each by rules of its own."""
    one_by_one = [advise(FIXTURES / name) for name in SOME]
    few = RULES[::7]
    assert one_by_one[0].ranked != []
    assert list(judge((observed(MACHINES[name]()), RULES) for name in SOME)) == one_by_one
    with ExitStack() as stack:
        captures = [stack.enter_context(opened(FIXTURES / name)) for name in SOME]
        cases = [(capture, RULES) for capture in captures] + [(captures[0], few)]
        assert list(judge(cases)) == [*one_by_one, advise(FIXTURES / SOME[0], few)]


def test_a_rule_that_fails_for_one_state_stops_no_other(tmp_path: Path) -> None:
    rule = all_rules()["config.monitoring-off"]
    number = "SELECT CAST(DB_NAME AS INTEGER) AS N FROM TUNE.RUN_DATABASE"
    select = f"SELECT F.* FROM ({rule.select}) AS F CROSS JOIN ({number}) AS D WHERE D.N >= 0"
    failing = replace(rule, name="fails.once", select=select)
    wrong = replace(rule, name="fails.always", select="SELECT NOTHING FROM TUNE.NOWHERE")
    rules = [rule, failing, wrong]
    states = [state_of({"config": {"mon_req_metrics": "NONE"}, "database": {"name": name}}) for name in ("7", "A", "8")]

    together = list(judge((observed(state), rules) for state in states))
    assert [len(advice.recommendations) for advice in together] == [2, 1, 2]
    assert [[name for name, _ in advice.not_run] for advice in together] == [
        ["fails.always"], ["fails.always", "fails.once"], ["fails.always"],
    ]  # fmt: skip
    paths = [write_capture(state, tmp_path / str(number)) for number, state in enumerate(states)]
    assert together == [advise(path, rules) for path in paths]
