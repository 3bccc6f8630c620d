"""The report of proposed indexes, and the command that prints it."""

import json
from dataclasses import replace
from pathlib import Path

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
    assert "4711/1: 920 -> 9.49 ms SELECT O.ID, O.TOTAL FROM SHOP.ORDERS" in text
    assert 'undo: DROP INDEX "SHOP"."IX_ORDERS_SHIPPED_STATUS"' in text


def test_report_lists_indexes_to_drop_with_their_definition(advice: Advice) -> None:
    text = " ".join("\n".join(report.lines(advice, 120)).split())
    assert 'DROP INDEX "SHOP"."ORDERS_CAMPAIGN"' in text
    assert 'undo: CREATE INDEX "SHOP"."ORDERS_CAMPAIGN" ON "SHOP"."ORDERS" ("CAMPAIGN")' in text


def test_declined_index_has_its_reason(advice: Advice) -> None:
    text = " ".join("\n".join(report.lines(advice, 120)).split())
    assert (
        '("SHIPPED", "STATUS", "ID", "TOTAL"): saves 0.00 % next to the others, 35.6 % alone; next to the chosen'
        in text
    )


def test_report_without_statistics_names_the_gap(advice: Advice) -> None:
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


def test_command_tries_indexes_of_a_person() -> None:
    ddl = "CREATE INDEX SHOP.MINE ON SHOP.ORDERS (SHIPPED, STATUS)"
    status, output = run(
        "--capture", str(DEMO_CAPTURE), "--with", ddl, "--without", "orders_campaign", "--format", "json"
    )
    found = json.loads(output)["what_if"]
    assert (status, found["unaffected"]) == (0, 3)
    assert [(item["statement"], round(item["ms_after"], 1)) for item in found["statements"]] == [("4711/1", 9.5)]
    assert "Statements that gain" in run("--capture", str(DEMO_CAPTURE), "--with", ddl)[1]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--with", "CREATE INDEX I"], "--with CREATE INDEX I: cannot be read at ON"),
        (["--with", "CREATE TABLE T (A INTEGER)"], "--with: must be a CREATE INDEX statement"),
        (["--with", "CREATE INDEX I ON SHOP.NONE (A)"], 'the input has no columns of table "SHOP"."NONE"'),
        (["--with", "CREATE INDEX I ON SHOP.ORDERS (A)"], 'table "ORDERS" has no column "A"'),
        (["--without", "NONE"], "--without NONE: the input has no such index"),
    ],
)
def test_unusable_index_of_a_person_is_refused(arguments: list[str], said: str) -> None:
    done = CliRunner().invoke(main, ["indexes", "--capture", str(DEMO_CAPTURE), *arguments])
    assert (done.exit_code, said in done.output) == (2, True)


def test_limits_move_along_the_curve() -> None:
    documents = [
        json.loads(run("--capture", str(DEMO_CAPTURE), *limit, "--format", "json")[1])["indexes"]
        for limit in ([], ["--megabytes", "1"])
    ]
    assert [len(each["create"]) for each in documents] == [1, 0]
    assert documents[0]["curve"][0]["saved_ms"] == documents[1]["curve"][0]["saved_ms"] > 0


def test_command_prints_json_for_programs() -> None:
    status, output = run("--capture", str(DEMO_CAPTURE), "--format", "json")
    document = json.loads(output)["indexes"]
    assert status == 0
    assert [item["actions"][0]["text"].startswith(INDEX) for item in document["create"]] == [True]
    assert document["create"][0]["statements"] == [{"statement": "4711/1", "ms": 920.0, "ms_after": 9.4873}]


def test_confirm_without_database_is_refused() -> None:
    done = CliRunner().invoke(main, ["indexes", "--capture", str(DEMO_CAPTURE), "--confirm"])
    assert (done.exit_code, "--confirm requires --database" in done.output) == (2, True)


def test_indexes_inside_the_database_are_refused() -> None:
    done = CliRunner().invoke(main, ["indexes", "--database", "db2://u@h:1/D", "--in-database"])
    assert (done.exit_code, "without --in-database" in done.output) == (2, True)


def test_prefix_of_the_site_names_indexes(tmp_path: Path) -> None:
    site = tmp_path / "site.toml"
    site.write_text('[site]\nindex_prefix = "Z_"\n')
    status, output = run("--capture", str(DEMO_CAPTURE), "--options", str(site))
    assert (status, '"SHOP"."Z_ORDERS_SHIPPED_STATUS"' in " ".join(output.split())) == (0, True)
