"""Many states judged together get the same advice as each alone."""

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest

from advisor.capture import open_capture
from advisor.capture.lessons import DatabaseKey, Lesson
from advisor.capture.site import Accepted, Site
from advisor.catalogue.rules import all_rules
from advisor.errors import UserError
from advisor.judgement import many
from advisor.judgement.many import judge
from advisor.judgement.run import advise
from tests.machines import MACHINES
from tests.support.advised import to_nine_digits
from tests.support.paths import CAPTURES
from tests.support.states import observe_state, state_of, write_capture

SOME = ("x445-8way", "purescale")
RULES = list(all_rules().values())


def test_states_in_memory_and_captures_are_judged_alike() -> None:
    """This holds even if each has rules of its own."""
    one_by_one = [advise(CAPTURES / name) for name in SOME]
    few = RULES[::7]
    assert one_by_one[0].ranked != []
    in_memory = [(observe_state(MACHINES[name]()), RULES) for name in SOME]
    with ExitStack() as stack:
        captures = [stack.enter_context(open_capture(CAPTURES / name)) for name in SOME]
        told = list(judge([*in_memory, *((capture, RULES) for capture in captures), (captures[0], few)]))
    by_themselves = [replace(item, passed=[]) for item in (*one_by_one, *one_by_one, advise(CAPTURES / SOME[0], few))]
    assert to_nine_digits(told) == to_nine_digits(by_themselves)


def test_a_rule_that_fails_for_one_state_stops_no_other(tmp_path: Path) -> None:
    rule = all_rules()["config.monitoring-off"]
    number = "SELECT CAST(DB_NAME AS INTEGER) AS N FROM TUNE.RUN_DATABASE"
    select = f"SELECT F.* FROM ({rule.select}) AS F CROSS JOIN ({number}) AS D WHERE D.N >= 0"
    failing = replace(rule, name="fails.once", select=select)
    wrong = replace(rule, name="fails.always", select="SELECT NOTHING FROM TUNE.NOWHERE")
    rules = [rule, failing, wrong]
    states = [state_of({"config": {"mon_req_metrics": "NONE"}, "database": {"name": name}}) for name in ("7", "A", "8")]

    together = list(judge((observe_state(state), rules) for state in states))
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
    found = list(judge((observe_state(state), [rule]) for state in states))
    assert [len(advice.recommendations) for advice in found] == [1000, 1000]
    assert [advice.not_run for advice in found] == [
        [(rule.name, "found 1003 objects: the list contains 1000 of them, those with the largest shares of time")], [],
    ]  # fmt: skip
    assert found[0] == advise(write_capture(states[0], tmp_path / "x"), [rule])


def _captures(folder: Path) -> list[Path]:
    """Return captures of three databases; the second lacks its last column, the third has one snapshot."""
    states = [state_of({"config": {"mon_req_metrics": "NONE"}, "database": {"name": name}}) for name in "ABC"]
    for row in states[1].sources["dbcfg"]:
        del row["DEFERRED_VALUE_FLAGS"]
    states[2].single = True
    return [write_capture(state, folder / state.database["name"]) for state in states]


FEW = [all_rules()[name] for name in ("config.monitoring-off", "os.large-pages-linux")]


def test_captures_get_host_facts_and_what_the_site_says(tmp_path: Path) -> None:
    site = Site({"site": {"workload": "BI"}}, (Accepted("config.monitoring-off", "*", "known", "us"),))
    facts = {("db1", "memory", "hugepages_total"): "0"}
    paths = _captures(tmp_path)
    with ExitStack() as stack:
        captures = [stack.enter_context(open_capture(path)) for path in paths]
        for capture in captures[:2]:
            capture.hostfacts = facts
            capture.adopt(site)
        together = list(judge((capture, FEW) for capture in captures))
    one_by_one = [advise(path, FEW, facts, site) for path in paths[:2]] + [advise(paths[2], FEW)]
    assert together == one_by_one
    accepted = [any(item.accepted for item in advice.recommendations) for advice in together]
    assert accepted == [True, True, False]


def _doubled(text: str) -> str:
    return text + text.splitlines(keepends=True)[-1]


@pytest.mark.parametrize(
    "spoiled",
    [_doubled, lambda text: text.replace("\n2,", "\n7,"), lambda text: text.replace("\n2,0", "\n2,zero"),
     lambda text: text.replace("\n2,0", "\n2,")],
    ids=["a row twice", "another snapshot", "no number", "no key"],
)  # fmt: skip
def test_unusable_capture_is_reported_as_if_alone(spoiled: Callable[[str], str], tmp_path: Path) -> None:
    paths = _captures(tmp_path)
    file = paths[1] / "database.csv"
    text = file.read_text(encoding="utf-8")
    file.write_text(spoiled(text), encoding="utf-8")
    assert spoiled(text) != text
    with pytest.raises(UserError) as alone:
        advise(paths[1], FEW)
    with ExitStack() as stack, pytest.raises(UserError) as together:
        list(judge([(stack.enter_context(open_capture(path)), FEW) for path in paths]))
    assert str(together.value) == str(alone.value)


def test_groups_are_bounded_and_a_name_means_one_rule(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A site's rule may have the same name as another site's rule."""
    other = replace(FEW[0], select=f"SELECT F.* FROM ({FEW[0].select}) AS F WHERE 1 = 0")
    path = _captures(tmp_path)[0]
    seen = observe_state(state_of({"config": {"mon_req_metrics": "NONE"}}))
    taught = Lesson(DatabaseKey("A", "h", "i"), "2026-02-01", None, None, (), None, None, "no effect")
    with open_capture(path) as capture:
        assert [len(group) for group in many._groups([(seen, FEW), (capture, FEW)])] == [2]
        learned = replace(capture, lessons=(taught,))
        assert [len(group) for group in many._groups([(seen, FEW), (learned, FEW)])] == [1, 1]
        monkeypatch.setattr(many, "MOST_ROWS", 3 * seen.rows)
        monkeypatch.setattr(many, "LARGE", 1)
        cases: list[many.Case] = [(seen, FEW[:1])] * 2 + [(seen, [other]), (capture, FEW[:1])] + [(seen, FEW[:1])] * 4
        assert [len(group) for group in many._groups(cases)] == [2, 1, 1, 3, 1]
        assert [len(advice.recommendations) for advice in judge(cases)] == [1, 1, 0, 1, 1, 1, 1, 1]
