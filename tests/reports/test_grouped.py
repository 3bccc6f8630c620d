"""The lane of findings without measured time: grouped by rule, worst first, short unless all are requested."""

from dataclasses import replace

import pytest
from wcwidth import wcswidth

from advisor.catalogue.rules import all_rules
from advisor.judgement.advice import Advice, Recommendation
from advisor.plan import show
from advisor.plan.steps import plan
from advisor.report import blocks, jsonout, markdown, page, summary, table, text
from advisor.report.selection import select
from advisor.ticket.content import ticket
from tests.support.advised import advised
from tests.support.made_up import item, rule


def found(name: str, rank: int, of: str, severity: str = "medium") -> Recommendation:
    return item(
        rule(name, "condition", severity=severity, query="SELECT * FROM SYSCAT.TABLESPACES"),
        "C",
        rank,
        name=of,
        actions=[f'ALTER TABLESPACE "{of}" RESIZE (ALL 10 G)'],
        finding=f"{of} is full.",
    )


@pytest.fixture(name="advice", scope="module")
def fixture_advice() -> Advice:
    return advised("idle")


def shown(advice: Advice, items: list[Recommendation], everything: bool = False) -> str:
    return table.render(select(replace(advice, recommendations=items)), 200, everything=everything)


def test_findings_of_one_rule_are_printed_once(advice: Advice) -> None:
    items = [found("tablespace.full", 1 + n, f"TS{n}", "critical") for n in range(12)]
    said = shown(advice, items)
    assert "12 table spaces (TS0, TS1, TS2 and 9 more)" in said
    assert "application errors likely" in said
    assert said.count("do     ALTER TABLESPACE") == 1
    assert shown(advice, items, everything=True).count("do     ALTER TABLESPACE") == 12


def test_many_rules_take_three_lines_each_and_at_most_ten(advice: Advice) -> None:
    items = [found(f"tablespace.rule-{n}", 1 + n, "TS") for n in range(12)]
    lines = blocks.lines(items, 200)
    assert len(lines) == 32
    assert "and of 2 more rules: --all" in lines[-2]
    assert "More commands and the checks" in lines[-1]


def test_every_format_names_the_possible_consequence(advice: Advice) -> None:
    items = [found("tablespace.full", 1, "TS", "high"), found("tablespace.full", 2, "OTHER", "high")]
    selection = select(replace(advice, recommendations=items))
    assert "| data at risk |" in markdown.render(selection)
    assert markdown.render(selection).count("### ") == 1
    assert '"severity": "data at risk"' in jsonout.render(selection)


def test_every_rule_of_the_lane_names_its_confirmation() -> None:
    in_lane = [rule for rule in all_rules().values() if "C" in rule.lanes]
    assert [rule.name for rule in in_lane if not rule.query] == []


@pytest.fixture(name="many", scope="module")
def fixture_many(advice: Advice) -> Advice:
    items = [replace(found("tablespace.nearly-full", 1 + n, f"TS{n}", "critical"), step=1 + n) for n in range(301)]
    return replace(advice, recommendations=items)


def test_equal_findings_fit_a_screen_in_summary_and_plan(many: Advice) -> None:
    opening = summary.lines(select(many), 120)
    assert len(opening) <= summary.LINES
    assert sum("301 table spaces" in line for line in opening) == 2
    assert sum("Urgent" in line for line in opening) == 1
    steps = plan(many)
    assert [len(step.items) for step in steps] == [301]
    said = show.render(steps, many, 100)
    assert said.count("\n") <= summary.LINES
    assert "ranks 1 to 301" in said
    assert said.count("and 298 more: db2tune plan --scripts DIR writes them") == 2


def test_equal_findings_are_one_change_with_all_commands(many: Advice) -> None:
    (change,) = ticket(many, range(1, 302)).changes
    assert "301 table spaces (TS0, TS1, TS2 and 298 more)" in change.title
    assert len(change.commands) == len(change.undo) == 301
    assert show.markdown(plan(many), many).count("RESIZE (ALL 10 G)") == 301
    assert page.render(select(many)).count("<strong>Urgent:</strong>") == 1


def test_commands_of_many_members_are_counted_on_a_terminal(advice: Advice) -> None:
    lines = [f"db2set DB2PROCESSORS={n} -i db2inst1 {n}" for n in range(64)]
    of_all = item(rule("cpu.affinity-missing"), "P", 1, actions=lines, undo=lines)
    assert shown(advice, [of_all]).count("db2set") == 6
    assert shown(advice, [of_all], everything=True).count("db2set") == 128


def test_long_and_wide_names_keep_the_columns_of_the_summary(advice: Advice) -> None:
    items = [
        replace(found("tablespace.nearly-full", 1, "\u8868\u7a7a\u9593" * 20, "critical"), lane="P"),
        replace(found("tablespace.other", 2, "N" * 128, "critical"), lane="S"),
    ]
    opening = summary.lines(select(replace(advice, recommendations=items)), 100)
    assert max(map(wcswidth, opening)) <= 100
    assert next(line for line in opening if line.startswith("Urgent")).endswith(
        "...; application errors likely (rank 2)"
    )
    rows = [line for line in opening if line.endswith(("command", "how"))]
    assert len({wcswidth(line.rpartition(" ")[0]) for line in rows}) == 1


@pytest.mark.parametrize(
    ("ranks", "said"),
    [
        ([5], "rank 5"),
        ([1, 2], "ranks 1 and 2"),
        ([1, 2, 3], "ranks 1 to 3"),
        ([1, 3, 5, 9], "ranks 1, 3, 5 and 1 more"),
    ],
)
def test_ranks_of_a_group_are_named_in_few_words(ranks: list[int], said: str) -> None:
    assert text.ranks([item(rule("a.b"), "C", rank) for rank in ranks]) == said
