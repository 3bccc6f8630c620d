"""Time by bucket in the reports: the first buckets, and the text for an empty list."""

import io
import json
import sys
from dataclasses import replace
from typing import Any

import jsonschema
import pytest

from advisor.judgement.time_spent import TimeSpent
from advisor.report import jsonout, markdown, spent, table
from advisor.report.selection import select
from tests.support.made_up import IDLE, SPENT, UNEXPLAINED, advice, item, rule
from tests.support.paths import DOCS

SCHEMA = json.loads((DOCS / "advice.schema.json").read_text(encoding="utf-8"))


def test_a_bar_for_each_large_share() -> None:
    assert "\n".join(spent.lines(SPENT, 80)).splitlines() == [
        "",
        "Where the time goes, in percent of database time",
        "                            share   claimed  (the advice saves a part of it)",
        "  Time of PROCESSING       60.0 %            █████████████████████████████████",
        "  Time of PREFETCH_WAIT    30.0 %    29.5 %  ████████████████",
        "  Time of LOCK              9.3 %            █████",
        "  2 more                    0.7 %",
        "  + Time of FCM            25.0 %            ██████████████",
        "",
        "  Time of PROCESSING is work, not waiting. The largest consumers:",
        "    look   SELECT PROCESSING FROM TABLE(MON_GET_WORKLOAD(NULL, -2)) AS T;",
    ]


def test_top_statements_replace_the_query_of_work() -> None:
    said = "\n".join(spent.lines(SPENT, 100, told=spent.notes(SPENT, listed=True)))
    assert "Time of PROCESSING is work, not waiting. The largest consumers are listed below." in said
    assert "look" not in said


def test_all_of_it_where_that_is_asked_for() -> None:
    said = "\n".join(spent.lines(SPENT, 80, everything=True))
    assert "Time of COMMIT" in said
    assert "more" not in said
    assert "Time of CF" not in said


def test_unclaimed_share_is_a_finding() -> None:
    said = "\n".join(spent.lines(UNEXPLAINED, 100))
    for text in (
        "  Time of WLM_QUEUE, 45.0 %: no recommendation claims it\n"
        "    Agents waited. Usual causes: one cause; another one.\n"
        "    look   SELECT WLM_QUEUE FROM TABLE(MON_GET_WORKLOAD(NULL, -2)) AS T;\n",
        "  Time of LOCK, 15.0 %: recommendations claim 2.0 % only\n",
        "  Time of PROCESSING is work, not waiting.",
    ):
        assert text in said


@pytest.mark.parametrize("width", [60, 80, 100, 132])
@pytest.mark.parametrize("of", [SPENT, UNEXPLAINED, IDLE], ids=lambda of: of.state)
def test_only_queries_are_wider_than_the_terminal(of: TimeSpent, width: int) -> None:
    lines = [line for line in spent.lines(of, width) if not line.startswith("    look")]
    assert max(map(len, lines)) <= width


def test_bars_in_ascii_where_the_output_has_no_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.BytesIO(), encoding="latin-1"))
    said = "\n".join(spent.lines(SPENT, 80))
    assert said.isascii()
    assert "#####" in said


@pytest.mark.parametrize("render", [lambda s: table.render(s, 100), markdown.render])
def test_it_opens_the_list(render: Any) -> None:
    report = render(select(advice(SPENT, item(rule("prefetch.third"), "P", 1))))
    assert 0 < report.index("Where the time goes") < report.rindex("Title of prefetch.third")


@pytest.mark.parametrize("render", [lambda s: table.render(s, 200), markdown.render])
@pytest.mark.parametrize(
    ("of", "says"),
    [
        (SPENT, "Nothing to recommend."),
        (
            UNEXPLAINED,
            "No rule knows a change, but time remains that none explains:"
            " Time of WLM_QUEUE 45.0 %, Time of LOCK 15.0 %.",
        ),
        (IDLE, "No recommendation, and not because all is well. The database was idle."),
    ],
    ids=lambda value: value.state if isinstance(value, TimeSpent) else "",
)
def test_empty_list_states_its_meaning(of: TimeSpent, says: str, render: Any) -> None:
    report = render(select(advice(of))).replace(r"\_", "_")
    assert says in report
    assert report.count("The database was idle.") == (of is IDLE)
    assert ("Nothing to recommend" in report) == (of is SPENT)
    assert ("Where the time goes" in report) == (of is not IDLE)


@pytest.mark.parametrize("render", [lambda s: table.render(s, 100), markdown.render])
def test_too_little_load_is_reported_with_advice_too(render: Any) -> None:
    report = render(select(advice(IDLE, item(rule("log.first"), "Q", 1))))
    assert report.index("The database was idle.") < report.rindex("Title of log.first")


@pytest.mark.parametrize("of", [SPENT, UNEXPLAINED, IDLE], ids=lambda of: of.state)
def test_json_has_all_of_it(of: TimeSpent) -> None:
    document = json.loads(jsonout.render(select(advice(of))))
    jsonschema.validate(document, SCHEMA)
    assert document["schema"] == 4
    said = document["time_spent"]
    assert (said["state"], said["says"]) == (of.state, of.says)
    assert [bucket["pct"] for bucket in said["buckets"]] == [share.pct for share in of.shares]
    first, look = said["buckets"][0]["finding"], of.shares[0].look
    assert first == (None if look is None else {"what": look.what, "causes": look.causes, "query": look.query})


def test_what_is_not_shown_of_the_list_does_not_change_it() -> None:
    """--area and --top only filter the output; the time distribution covers the whole list."""
    given = replace(advice(UNEXPLAINED), recommendations=[item(rule("prefetch.third"), "P", 1)])
    assert "No rule knows a change in log, but" in table.render(select(given, areas=("log",)), 200)
    assert "Time of WLM_QUEUE" in table.render(select(given, top=1), 100)
