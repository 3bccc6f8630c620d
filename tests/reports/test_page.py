"""The advice as one HTML file: complete, self-contained, and small enough to send."""

import re
from dataclasses import replace

import pytest

from advisor.judgement.advice import Advice
from advisor.judgement.run import advise
from advisor.judgement.statements import Statements
from advisor.report import page, pages, pictures
from advisor.report.pages import escape
from advisor.report.selection import select
from advisor.report.statements import HEADERS
from advisor.resources import data_file
from tests.support.made_up import IDLE, SPENT, advice, item, rule, statement
from tests.support.markup import Page
from tests.support.paths import CAPTURES


def _rendered(given: Advice) -> tuple[str, Page, str]:
    text = page.render(select(given))
    parsed = Page(text)
    assert parsed.open == []
    return text, parsed, " ".join(parsed.text.split())


@pytest.fixture(scope="module")
def demo() -> Advice:
    return advise(CAPTURES / "purescale", also=pictures.statements())


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


def test_rule_name_links_to_its_reason(demo: Advice) -> None:
    text, _, _ = _rendered(demo)
    for each in demo.ranked:
        assert f'<a href="#why-{each.rank}">{each.rule.name}</a>' in text
        reason = text.split(f'<dl id="why-{each.rank}">')[1].partition("</dl>")[0]
        assert str(escape(each.rule.why)) in reason


def test_statements_follow_the_shares_of_time() -> None:
    """A text has a line of its own below its numbers; statements with little time are collapsed."""
    many = tuple(statement(n, time_pct=50 / n) for n in range(1, 9))
    given = replace(advice(SPENT, item(rule("a.b"), "P", 1)), statements=Statements(many, 8, 8))
    text, parsed, said = _rendered(given)
    ids = [of["id"] for _, of in parsed.elements if "id" in of]
    assert ids.index("time") < ids.index("statements") < ids.index("lane-P")
    table, folded = re.findall(r'<table class="statements">.*?</table>', text, re.DOTALL)
    assert table.count("<tbody>") + folded.count("<tbody>") == 8
    assert table.count(f'<tr><td colspan="{len(HEADERS) + 1}"><code>') == table.count("<tbody>")
    assert f"{folded.count('<tbody>')} further statements" in said


def test_pictures_are_drawn_from_the_capture(demo: Advice) -> None:
    """Every chart's statement returns the columns in columns.csv, and its chart is on the page."""
    _, parsed, _ = _rendered(demo)
    ids = {of.get("id") for _, of in parsed.elements}
    for name, rows in demo.seen.items():
        assert set(rows[0]) == {row["COLUMN"] for row in data_file("pictures", "columns") if row["PICTURE"] == name}
        assert name in ids
    assert {"time", *demo.seen} == {of["PICTURE"] for of in pages.pictures("advice")}
    assert "Not drawn here" not in parsed.text
    now, then = demo.seen["memory"]
    assert then["HELD_KB"] + then["ADDED_KB"] == now["HELD_KB"] + sum(each.memory_delta_kb for each in demo.ranked)


def test_a_bar_is_as_long_as_its_part_of_the_largest() -> None:
    rows = [{"MEMBER": n, "DBT_MS": 1000.0 * n, "LEAST_MS": 1000.0, "CPU_MS": None, "ROWS_READ": 7} for n in (1, 4)]
    ((of, columns, (first, last)),) = pictures.select_pictures({"members": rows})
    assert (of["HEADING"], [column.head for column in columns][:2]) == ("Members", ["Member", "Database time"])
    assert (first.cells, last.cells[:2]) == (["1", "1 s", "1 s", "", "7"], ["4", "4 s"])
    assert 'width="25.00" height="8"' in first.drawing
    assert 'class="whole" x="0.00" y="2" width="100.00"' in last.drawing


def test_a_long_list_is_one_file_that_can_be_sent() -> None:
    of = rule("prefetch.size-misaligned")
    many = [item(of, "P", rank, f"TS{rank:04}" * 8) for rank in range(1, 91)]
    apart = [item(of, "P", None, f"TS{rank:04}", superseded_by=of.name) for rank in range(91, 2091)]
    text, parsed, _ = _rendered(advice(SPENT, *many, *apart))
    assert len(text.encode()) < 3_000_000
    assert len([1 for tag, _ in parsed.elements if tag == "article"]) == 90


def test_what_was_not_read_for_a_page_is_named() -> None:
    _, _, said = _rendered(advice(SPENT))
    assert "Not drawn here: Memory against its budget, Buffer pools, Containers, Members, Log against its size." in said


def test_idle_database_is_reported_as_idle() -> None:
    given = advice(IDLE)
    _, _, said = _rendered(given)
    assert select(given).explain_empty() in said
