"""The plan: the order of steps, the text of a step, and shared restarts."""

import json
import re
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from hypothesis import given, settings
from hypothesis import strategies as st

from advisor.catalogue.rules import Rule, all_rules, precedence
from advisor.catalogue.sources import all_sources
from advisor.cli.main import main
from advisor.judgement.advice import Advice
from advisor.plan.show import heading, list_details
from advisor.plan.steps import must_precede, plan
from advisor.report.text import STOPPING
from advisor.resources import SQL, data_file, query, sections
from tests.standin.sql import compile_statement
from tests.support import made_up
from tests.support.advised import advised
from tests.support.handmade import List
from tests.support.markup import Page
from tests.support.paths import CAPTURES
from tests.support.run_tables import Monitored

BUDGET_KB = 1000


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["plan", *arguments])


@pytest.fixture(scope="module", params=["vm-oltp-before", "linux-z-oltp"])
def advice(request: pytest.FixtureRequest) -> Advice:
    return advised(request.param)


# --- the order ------------------------------------------------------------------------------------------------------


@st.composite
def lists(draw: st.DrawFn) -> list[dict[str, Any]]:
    """Return rules that come after some of the earlier ones, each with a finding that may add or free memory."""
    found: list[dict[str, Any]] = []
    for number in range(draw(st.integers(2, 7))):
        frees = draw(st.booleans()) and draw(st.booleans())
        names = [item["rule"] for item in found if not frees]
        after = draw(st.lists(st.sampled_from(names), unique=True, max_size=2)) if names else []
        found.append(
            {
                "rule": f"r{number}",
                "claim": draw(st.integers(2, 60)),
                "target": draw(st.sampled_from([None, None, "DBCFG:SORTHEAP", "DBCFG:LOGBUFSZ"])),
                "memory_kb": -draw(st.integers(1, 900)) if frees else draw(st.sampled_from([0, 0, 300, 800])),
                "header": {"after": list(after), "lane_without_claim": "performance"}
                | ({"donor": True} if frees else {}),
            }
        )
    return draw(st.permutations(found))


@settings(max_examples=12)
@given(lists())
def test_a_plan_is_in_an_order_in_which_it_can_be_carried_out(found: list[dict[str, Any]]) -> None:
    made = List(budget_kb=BUDGET_KB)
    for item in found:
        made.finds(obj=item["rule"], **item)
    steps = made.plan()
    assert [row["STEP"] for row in steps] == list(range(1, len(steps) + 1))
    assert sorted(row["POSITION"] for row in steps) == list(range(1, len(steps) + 1))
    before = precedence(made.rules)
    for place, row in enumerate(steps):
        later = {other["RULE"] for other in steps[place:]}
        assert not before[row["RULE"]] & later, "comes before what it has to wait for"
        if row["MEMORY_DELTA_KB"] > 0:
            assert all(other["MEMORY_DELTA_KB"] >= 0 for other in steps[place:]), "memory is freed first"
    targets = [row["TARGET"] for row in steps if row["TARGET"]]
    assert len(set(targets)) == len(targets), "one setting is set twice"
    memory = 0
    for row in steps:
        assert row["MEMORY_BEFORE_KB"] == memory
        memory += row["MEMORY_DELTA_KB"]
        assert row["MEMORY_AFTER_KB"] == memory <= BUDGET_KB


def test_without_a_reason_the_ranked_list_is_the_plan() -> None:
    made = List().finds("small", 5).finds("large", 20, obj="B").finds("between", 10, obj="C")
    assert [row["RULE"] for row in made.plan()] == ["large", "between", "small"]


def test_what_the_best_waits_for_comes_first() -> None:
    made = List().finds("best", 30, header={"after": ["base"]}).finds("second", 20, obj="B").finds("base", 2, obj="C")
    assert [row["RULE"] for row in made.plan()] == ["base", "best", "second"]


def test_memory_is_freed_before_the_first_change_that_needs_it_even_if_that_comes_early() -> None:
    made = List(budget_kb=1000).finds("best", 30, header={"after": ["grow"]})
    made.finds("free", 20, obj="B", memory_kb=-500).finds("grow", 10, obj="C", memory_kb=300)
    assert [row["RULE"] for row in made.plan()] == ["free", "grow", "best"]


def test_it_waits_through_a_rule_that_found_nothing() -> None:
    made = List().finds("last", 30, header={"after": ["between"]}).finds("first", 10, obj="B")
    made.rules.append(Rule("between", made.rules[0].header | {"after": ["first"]}, "", Path()))
    assert [row["RULE"] for row in made.plan()] == ["first", "last"]


def test_headers_name_rules_and_no_donor_waits() -> None:
    """Memory is freed before anything grows, so a donor cannot wait for another step."""
    for rule in all_rules().values():
        assert set(rule.get_list("after")) <= all_rules().keys() - {rule.name}
        assert not (rule.donor and rule.get_list("after")), rule.name
    assert precedence(all_rules().values()).keys() == all_rules().keys()


# --- the steps ------------------------------------------------------------------------------------------------------


def test_each_change_is_one_step(advice: Advice) -> None:
    steps = plan(advice, everything=True)
    assert sorted(item.rank or 0 for step in steps for item in step.items) == [item.rank for item in advice.ranked]
    assert all(len({item.rule.name for item in step.items}) == 1 for step in steps)
    assert {item.lane for step in plan(advice) for item in step.items} == {item.lane for item in advice.ranked} - {"H"}


def test_batch_puts_together_what_needs_the_same_restart(advice: Advice) -> None:
    single, batched = plan(advice), plan(advice, batch=True)
    assert len(batched) < len(single)
    for step in batched:
        assert {item.effect for item in step.items} == {step.effect}
        assert step.joint == (len(step.items) > 1)
        assert not step.joint or step.effect in ("RA", "IR")
    assert sorted(_ranks(batched)) == sorted(_ranks(single))


@pytest.mark.parametrize("batch", [False, True])
def test_steps_keep_to_the_order(advice: Advice, batch: bool) -> None:
    steps = plan(advice, batch, everything=True)
    for step in steps:
        assert all(number < step.number for number in step.comes_after)
        for later in steps[step.number :]:
            assert not any(must_precede(two, one) for one in step.items for two in later.items)
    assert any(step.comes_after for step in steps)


def test_memory_adds_up(advice: Advice) -> None:
    steps = plan(advice)
    assert [step.memory_before_kb for step in steps] == [0, *(step.memory_after_kb for step in steps[:-1])]
    assert steps[-1].memory_after_kb == sum(item.memory_delta_kb for step in steps for item in step.items)


def test_step_names_its_needs_and_its_measure(advice: Advice) -> None:
    for step in plan(advice, everything=True):
        assert step.verify.startswith("after " if step.guards else "once it is in effect")
        if not step.by_hand:
            assert step.prerequisites
        needs = {prerequisite.needs for prerequisite in step.prerequisites}
        assert ("so much memory is free on the host of each member" in needs) == (
            step.memory_after_kb > step.memory_before_kb
        )


def _ranks(steps: list[Any]) -> list[int]:
    return [item.rank for step in steps for item in step.items]


# --- the words ------------------------------------------------------------------------------------------------------


def test_guards_of_every_rule_are_elements_that_are_read() -> None:
    rows = data_file("plan", "guards")
    columns = {name for source in all_sources().values() for name in source.names("key", "gauge", "hwm", "counter")}
    for row in rows:
        assert set(re.findall(r"\b[A-Z_]{4,}\b", row["GUARDS"])) <= columns, row["RULE"]
    areas = {row["RULE"] for row in rows if row["RULE"].endswith(".*")}
    assert areas == {f"{rule.area}.*" for rule in all_rules().values()}
    first = {name: next(row["RULE"] for row in rows if fnmatchcase(name, row["RULE"])) for name in all_rules()}
    assert set(first.values()) | {"*"} == {row["RULE"] for row in rows}, "a row that no rule reaches"


def of(*rules: Rule) -> Advice:
    """Return advice with one recommendation per rule, in this order."""
    items = [made_up.item(one, "P", number, f"T{number}", step=number) for number, one in enumerate(rules, 1)]
    return replace(advised("webshop"), recommendations=items)


SPACE, SPEED = made_up.rule("tablespace.nearly-full"), made_up.rule("prefetch.wait-high")


@pytest.mark.parametrize(
    ("rules", "when"),
    [
        ((SPACE, SPEED), ["now", "directly after step 1, in the same window"]),
        ((SPACE, made_up.rule("prefetch.x", takes_effect="instance restart")), ["now", "directly after step 1"]),
        ((SPEED, SPEED), ["now", "after the evaluation of step 1"]),
        ((SPEED, SPACE, SPEED), ["now", "now", "after the evaluation of step 1"]),
        (
            (SPEED, made_up.rule("storage.path-full", takes_effect="host change")),
            ["now", "after the evaluation of step 1"],
        ),
    ],
)
def test_only_a_step_with_guards_is_evaluated_first(rules: tuple[Rule, ...], when: list[str]) -> None:
    assert [step.when for step in plan(of(*rules))] == when


def test_space_has_no_performance_guard() -> None:
    """Raising MAXSIZE cannot slow down reads, so the plan names no guard and only checks the result."""
    step, after = plan(of(SPACE, SPEED))
    assert step.guards == []
    assert list_details(step)["check"] == "once it is in effect: db2tune advise must no longer list it"
    assert not {"guard", "judge"} & list_details(step).keys()
    assert after.guards == ["PREFETCH_WAIT_TIME per activity", "POOL_READ_TIME per activity"]
    assert plan(of(made_up.rule("own.rule")))[0].guards == ["TOTAL_RQST_TIME per activity"]


@pytest.mark.parametrize(
    ("name", "element"),
    [
        ("memory.literal-statements", "TOTAL_CPU_TIME per activity"),  # UPDATE DB CFG of STMT_CONC
        ("log.buffer-full", "NUM_LOG_BUFFER_FULL"),  # UPDATE DB CFG of LOGBUFSZ
        ("log.nearly-full", None),  # UPDATE DB CFG of LOGSECOND
        ("config.monitoring-off", "TOTAL_CPU_TIME per activity"),  # UPDATE DB CFG of MON_REQ_METRICS
        ("cleaning.alternate-off", "POOL_DRTY_PG_STEAL_CLNS"),  # db2set
        ("bufferpool.hit-ratio-low", "POOL_READ_TIME per commit"),  # ALTER BUFFERPOOL
        ("stats.stale-or-off", "ROWS_READ per row returned"),  # RUNSTATS
        ("sql.unused-index", "ROWS_READ per row returned"),  # DROP INDEX
        ("backup.overdue", None),  # BACKUP DATABASE
    ],
)
def test_guards_fit_the_kind_of_change(name: str, element: str | None) -> None:
    guards = plan(of(all_rules()[name]))[0].guards
    assert element in guards if element else guards == []


def test_every_kind_of_command_names_its_needs() -> None:
    known = {row["WHEN"] for row in data_file("plan", "prerequisites")}
    assert {"RA", "IR", "OB", "HR"} <= known


QUERIES = sections(SQL / "plan" / "queries.sql")


@pytest.mark.parametrize("text", QUERIES.values(), ids=QUERIES)
def test_a_query_reads_what_the_contract_has(text: str) -> None:
    assert compile_statement(text, Monitored(), None).columns


def test_every_query_is_there_and_used() -> None:
    named = {row["QUERY"] for row in data_file("plan", "prerequisites")} - {""}
    there = {f"{folder}/{name}" for folder in ("plan", "doctor") for name in sections(SQL / folder / "queries.sql")}
    assert named <= there
    assert {f"plan/{name}" for name in QUERIES} <= named


# --- the command ----------------------------------------------------------------------------------------------------


def test_the_table_has_every_command_whole(advice: Advice) -> None:
    name = {"OLTP": "vm-oltp-before", "TRADE": "linux-z-oltp"}[advice.database["name"]]
    done = run("--capture", str(CAPTURES / name))
    assert done.exit_code == 0
    for step in plan(advice):
        assert f"Step {step.number}: " in done.output
        for item in step.items:
            for line in (*item.actions, *item.undo):
                assert line.startswith("-- ") or line in done.output


def test_json_is_for_programs() -> None:
    done = run("--capture", str(CAPTURES / "vm-oltp-before"), "--format", "json", "--batch", "recycle")
    document = json.loads(done.output)
    assert [step["step"] for step in document["steps"]] == list(range(1, len(document["steps"]) + 1))
    joint = next(step for step in document["steps"] if step["joint"])
    assert len(joint["ranks"]) == len(joint["rules"]) > 1
    assert joint["undo"]


def test_scripts_of_each_step(tmp_path: Path) -> None:
    done = run("--capture", str(CAPTURES / "vm-oltp-before"), "--scripts", str(tmp_path / "scripts"))
    steps = plan(advised("vm-oltp-before"))
    assert done.exit_code == 0
    assert {path.name for path in (tmp_path / "scripts").iterdir()} == {f"step-{step.number}" for step in steps}
    for step in steps:
        names = {path.stem for path in (tmp_path / "scripts" / f"step-{step.number}").iterdir()}
        # root's commands, and commands after another user's step, are in another file
        assert {name.partition("-")[0] for name in names} == {"apply", "undo"}
        assert {name.partition("-")[2] for name in names} <= {"", "then", "root", "root-then"}


def test_scripts_that_cannot_be_written_are_one_line(tmp_path: Path) -> None:
    (tmp_path / "step-1").write_text("a file", encoding="utf-8")
    done = run("--capture", str(CAPTURES / "x445-8way"), "--scripts", str(tmp_path))
    assert done.exit_code == 2
    assert len(done.stderr.splitlines()) == 1
    assert "step-1" in done.stderr


def test_markdown_has_the_queries() -> None:
    done = run("--capture", str(CAPTURES / "vm-oltp-before"), "--format", "markdown")
    assert done.output.startswith("# Plan for OLTP")
    for text in (query("doctor/queries", "authority"), QUERIES["connections"]):
        assert text in done.output


def test_page_has_every_step_and_its_interruption() -> None:
    done = run("--capture", str(CAPTURES / "vm-oltp-before"), "--format", "html")
    page, steps = Page(done.output), plan(advised("vm-oltp-before"))
    said = " ".join(page.text.split())
    for step in steps:
        assert heading(step) in said
        for item in step.items:
            assert all(line in said for line in (*item.actions, *item.undo) if not line.startswith("-- "))
    stopping = [of for tag, of in page.elements if tag == "li" and of.get("class") == "stops"]
    assert len(stopping) == sum(step.effect in STOPPING for step in steps) > 0
    assert QUERIES["connections"].split("\n")[1].strip() in page.text


def test_empty_plan_is_reported() -> None:
    done = run("--capture", str(CAPTURES / "blu"))
    assert "Nothing to plan." in done.output


def test_an_origin_is_needed() -> None:
    done = run("--format", "json")
    assert done.exit_code == 2
    assert done.stderr == "db2tune: use one of: FILE, --capture, --run or --database\n"
