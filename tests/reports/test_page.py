"""The advice as one HTML file: whole, by itself, and of a size that can be sent."""

import pytest

from advisor.judge.advice import Advice
from advisor.judge.run import advise
from advisor.report import page
from advisor.report.selection import select
from tests.support.made_up import IDLE, SPENT, advice, item, rule
from tests.support.markup import Page
from tests.support.paths import FIXTURES


def _rendered(given: Advice) -> tuple[str, Page, str]:
    text = page.render(select(given))
    parsed = Page(text)
    assert parsed.open == []
    return text, parsed, " ".join(parsed.text.split())


@pytest.fixture(scope="module")
def demo() -> Advice:
    return advise(FIXTURES / "x445-8way")


def test_everything_that_a_change_needs_is_there(demo: Advice) -> None:
    _, _, said = _rendered(demo)
    for each in demo.ranked:
        assert said.count(f"{each.rank}. ") >= 1
        assert " ".join(each.finding.split()) in said
        for line in (*each.actions, *each.undo):
            assert " ".join(line.removeprefix("-- ").split()) in said
        for name, value in each.evidence.items():
            assert f"{name} {value}" in said
        for source in each.rule.sources:
            assert " ".join(source.split()) in said


def test_a_long_list_is_one_file_that_can_be_sent() -> None:
    of = rule("prefetch.size-misaligned")
    many = [item(of, "P", rank, f"TS{rank:04}" * 8) for rank in range(1, 91)]
    apart = [item(of, "P", None, f"TS{rank:04}", superseded_by=of.name) for rank in range(91, 2091)]
    text, parsed, _ = _rendered(advice(SPENT, *many, *apart))
    assert len(text.encode()) < 3_000_000
    assert len([1 for tag, _ in parsed.elements if tag == "article"]) == 90


def test_an_idle_database_says_so() -> None:
    given = advice(IDLE)
    _, _, said = _rendered(given)
    assert select(given).nothing() in said
