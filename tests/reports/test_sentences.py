"""No report says a sentence twice about one recommendation."""

import re
from collections import Counter
from collections.abc import Iterator

import pytest

from advisor.plan import show, steps
from advisor.report import markdown, table
from advisor.report.selection import select
from advisor.ticket import content, template
from tests.support.advised import advised
from tests.support.paths import NAMES, kinds

_CODE = re.compile(r"```.*?```", re.DOTALL)


def _parts(name: str) -> Iterator[str]:
    """Return each part about one recommendation of each report."""
    advice = advised(name)
    for everything in (False, True):
        yield from re.split(r"\n(?=\n? +\d+ +\S)|\n\n", table.render(select(advice), 100, everything=everything))
        yield from re.split(r"\n(?=#)", markdown.render(select(advice), everything))
    yield from show.render(steps.plan(advice), advice, 100).split("\n\n")
    for item in advice.ranked:
        assert item.rank is not None
        ticket = content.ticket(advice, (item.rank,))
        yield from (template.fill(ticket, template.find(form)) for form in ("text", "markdown"))


def _sentences(part: str) -> list[str]:
    """Return the long sentences outside of commands and tables."""
    lines = [line.strip() for line in _CODE.sub("", part).splitlines() if not line.lstrip().startswith("|")]
    return [found for found in re.split(r"(?<=[.!?])\s+|\s{3,}", " ".join(lines)) if len(found) > 40]


@pytest.mark.parametrize(
    "name", [name if name in kinds()[:3] else pytest.param(name, marks=pytest.mark.full) for name in NAMES]
)
def test_report_says_no_sentence_twice(name: str) -> None:
    for part in _parts(name):
        assert [found for found, times in Counter(_sentences(part)).items() if times > 1] == []
