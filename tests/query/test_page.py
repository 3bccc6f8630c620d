"""The examples of docs/slow-statement.md are the answers of today."""

import re

import pytest

from advisor.diagnosis.checks import all_checks
from advisor.diagnosis.door import answer_text
from advisor.report.query import lines
from tests.support.paths import DOCS

PAGE = (DOCS / "slow-statement.md").read_text(encoding="utf-8")
PAIRS = re.findall(r"```text\n(.*?)```\n\nAnswer:\n\n```text\n(.*?)```", PAGE, re.DOTALL)


@pytest.mark.parametrize(("pasted", "answer"), PAIRS)
def test_example_is_true(pasted: str, answer: str) -> None:
    assert "\n".join(lines(answer_text(pasted), 100)) + "\n" == answer


def test_there_are_three_subjects_and_a_proof() -> None:
    assert len(PAIRS) == 4


def test_page_lists_all_checks() -> None:
    listed = re.findall(r"^\| ([a-z0-9-]+) \| (.*) \|$", PAGE.partition("## Checks")[2], re.MULTILINE)
    assert [("check", "looks for"), *((check.name, check.title) for check in all_checks())] == listed
