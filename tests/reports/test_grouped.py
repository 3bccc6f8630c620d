"""The lane of findings without measured time: grouped by rule, worst first, short unless all are requested."""

from dataclasses import replace

import pytest

from advisor.catalogue.rules import all_rules
from advisor.judgement.advice import Advice, Recommendation
from advisor.report import blocks, jsonout, markdown, table
from advisor.report.selection import select
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
