"""The report of proposed indexes, and the command that prints it."""

import json
from dataclasses import replace

import pytest
from click.testing import CliRunner

from advisor.cli.main import main
from advisor.db2.explaining import Confirmed
from advisor.judgement.advice import Advice
from advisor.judgement.run import advise
from advisor.report import indexes as report
from advisor.resources import DEMO_CAPTURE

INDEX = 'CREATE INDEX "SHOP"."IX_ORDERS_SHIPPED_STATUS" ON "SHOP"."ORDERS" ("SHIPPED", "STATUS")'


@pytest.fixture(scope="module")
def advice() -> Advice:
    return advise(DEMO_CAPTURE)


def run(*arguments: str) -> tuple[int, str]:
    done = CliRunner().invoke(main, ["indexes", *arguments], standalone_mode=False)
    return done.exit_code, done.output


def test_report_names_index_gain_and_undo(advice: Advice) -> None:
    text = " ".join("\n".join(report.lines(advice, 120)).split())
    assert "Create 1 index: 35.6 % less statement time, 7 MB" in text
    assert INDEX in text
    assert "4711/1: 920 -> 9.20 ms SELECT O.ID, O.TOTAL FROM SHOP.ORDERS" in text
    assert 'undo: DROP INDEX "SHOP"."IX_ORDERS_SHIPPED_STATUS"' in text


def test_report_lists_indexes_to_drop_with_their_definition(advice: Advice) -> None:
    text = " ".join("\n".join(report.lines(advice, 120)).split())
    assert 'DROP INDEX "SHOP"."ORDERS_CAMPAIGN"' in text
    assert 'undo: CREATE INDEX "SHOP"."ORDERS_CAMPAIGN" ON "SHOP"."ORDERS" ("CAMPAIGN")' in text


def test_report_says_why_an_index_is_not_proposed(advice: Advice) -> None:
    text = " ".join("\n".join(report.lines(advice, 120)).split())
    assert '("SHIPPED", "STATUS", "ID", "TOTAL"): alone it saves 35.6 %; its write cost exceeds its saving' in text


def test_report_without_statistics_says_what_is_missing(advice: Advice) -> None:
    assert "no column statistics" in " ".join(report.lines(replace(advice, indexes=None), 200))


def test_report_shows_estimates_of_db2(advice: Advice) -> None:
    confirmed = [
        Confirmed("4711/1", 81_000.0, 42.4, ("IX_ORDERS_SHIPPED_STATUS",)),
        Confirmed("4712/1", 10.0, 10.0),
        Confirmed("4713/1", reason="SQL0206N"),
    ]
    lines = report.lines(advice, 120, confirmed=confirmed)
    assert "    4711/1: 81,000 -> 42 timerons, uses IX_ORDERS_SHIPPED_STATUS" in lines
    assert "    4712/1: 10 -> 10 timerons, uses none of the proposed indexes" in lines
    assert "    4713/1: not explained: SQL0206N" in lines


def test_command_prints_json_for_programs() -> None:
    status, output = run("--capture", str(DEMO_CAPTURE), "--format", "json")
    document = json.loads(output)["indexes"]
    assert status == 0
    assert [item["command"].startswith(INDEX) for item in document["create"]] == [True]
    assert document["create"][0]["statements"] == [{"statement": "4711/1", "ms": 920.0, "ms_after": 9.1964}]


def test_confirm_without_database_is_refused() -> None:
    done = CliRunner().invoke(main, ["indexes", "--capture", str(DEMO_CAPTURE), "--confirm"])
    assert (done.exit_code, "--confirm requires --database" in done.output) == (2, True)


def test_indexes_inside_the_database_are_refused() -> None:
    done = CliRunner().invoke(main, ["indexes", "--database", "db2://u@h:1/D", "--in-database"])
    assert (done.exit_code, "without --in-database" in done.output) == (2, True)
