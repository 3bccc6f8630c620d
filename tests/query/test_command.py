"""The command query, and the same answer by advise, from Python, for statements of a capture."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from advisor import UserError, query
from advisor.cli.main import main
from tests.query.test_answers import CASES
from tests.support.paths import FIXTURES

SHOP = str(FIXTURES / "webshop.capture")
INDEX = "CREATE INDEX SHOP.IX_ORDERS_SHIPPED_STATUS ON SHOP.ORDERS (SHIPPED, STATUS)"
SQL = "SELECT PAT_ID FROM HOSP.PATIENT WHERE UCASE(SURNAME) = ?"


def run(*arguments: str, text: str | None = None) -> Result:
    return CliRunner().invoke(main, arguments, input=text)


@pytest.fixture(name="plan")
def fixture_plan(tmp_path: Path) -> str:
    file = tmp_path / "plan.txt"
    file.write_text(CASES["join-index"]["text"], encoding="utf-8")
    return str(file)


def test_file_standard_input_and_option_agree(plan: str) -> None:
    of_file = run("query", plan)
    assert of_file.exit_code == 0 and "ON MET.READING (METER_ID" in of_file.stdout
    assert run("query", "-", text=CASES["join-index"]["text"]).stdout == of_file.stdout
    assert "UCASE(SURNAME)" in run("query", "--statement", SQL).stdout


def test_advise_prints_the_same_answer_and_no_clean_verdict(plan: str) -> None:
    done = run("advise", plan, "--no-keep")
    assert run("query", plan).stdout in done.stdout
    assert "No changes recommended" not in done.stdout


def test_a_report_keeps_its_verdict() -> None:
    """A snapshot with a few statements is a report on a database, not a question about one of them."""
    done = run("advise", "fixtures/imports/snapshot-all.txt", "--no-keep")
    assert "5 checks ran and passed" in done.stdout and "Top statements (2)" in done.stdout


def test_advise_answers_what_the_import_cannot_use(tmp_path: Path) -> None:
    file = tmp_path / "paste.txt"
    file.write_text(CASES["or-over-tables"]["text"], encoding="utf-8")
    done = run("advise", str(file), "--no-keep")
    assert done.exit_code == 0 and "B.CARD_ID = 4711" in done.stdout.upper()


def test_statement_of_a_capture_has_the_indexes_of_the_index_advice() -> None:
    by_rank = run("query", "--capture", SHOP, "1")
    assert INDEX in by_rank.stdout
    assert run("query", "--capture", SHOP, "4711/1").stdout == by_rank.stdout
    assert run("query", SHOP, "--rank", "1").stdout == by_rank.stdout
    assert (
        "Paste next"
        in run("query", "--capture", SHOP, "--statement", "SELECT ID FROM SHOP.ORDERS WHERE TOTAL = 7").stdout
    )


def test_json_has_each_part() -> None:
    document = json.loads(run("query", "--capture", SHOP, "1", "--format", "json").stdout)
    (proposal, *_) = document["query"]["proposals"]
    assert INDEX in proposal["steps"][0] and proposal["undo"] and proposal["saves_pct"]
    assert document["query"]["understood"] is True
    assert query(SHOP, key="1") == document["query"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["query"], "name a file, '-' for standard input, or --statement"),
        (["query", "--capture", SHOP], "name one statement"),
        (["query", "--capture", SHOP, "1", "--statement", SQL], "name one statement"),
        (["query", "--capture", SHOP, "99"], "no statement 99"),
        (["query", "/nowhere/plan.txt"], "no such file"),
        (["query", SHOP], "--rank: name one of the statements"),
    ],
)
def test_bad_input_is_one_line(arguments: list[str], message: str) -> None:
    done = run(*arguments)
    assert done.exit_code == 2 and message in done.output and "Traceback" not in done.output


def test_text_without_a_statement_is_named() -> None:
    done = run("query", "-", text="The database is slow.")
    assert done.exit_code == 2 and "no statement and no plan" in done.stdout


def test_python_refuses_a_capture_without_a_statement() -> None:
    with pytest.raises(UserError, match="key"):
        query(SHOP)
