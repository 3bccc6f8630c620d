"""The top statements in the reports, and the file for the Design Advisor."""

import json
from dataclasses import replace

import jsonschema
import pytest

from advisor.catalogue.rules import all_rules
from advisor.judgement.statements import Statement, Statements
from advisor.report import advis, jsonout, markdown, statements, table
from advisor.report.selection import select
from advisor.ticket import template
from advisor.ticket.content import ticket
from tests.machines import MACHINES
from tests.reports.test_spent import SCHEMA, advice
from tests.support.advised import judge
from tests.support.made_up import SPENT, item, rule, statement
from tests.support.states import observe_state

HOSTILE = "SELECT '\x1b[2J\u202e<script>alert(1)</script>' FROM T"


def test_five_by_time_and_what_leads_by_something_else() -> None:
    many = tuple(statement(n, spills=9 * (n == 7)) for n in range(1, 10))
    assert [one.name for one in statements.select_statements(Statements(many))] == [
        "1/1",
        "2/1",
        "3/1",
        "4/1",
        "5/1",
        "7/1",
    ]
    assert len(statements.select_statements(Statements(many), everything=True)) == 9
    assert statements.select_statements(Statements()) == ()


def test_statement_without_text_and_time_is_not_shown() -> None:
    silent = Statements((statement(1, None, time_pct=0.0),))
    assert statements.select_statements(silent) == ()
    assert len(statements.select_statements(silent, everything=True)) == 1
    assert len(statements.select_statements(Statements((statement(1, time_pct=0.0),)))) == 1


def test_the_section_of_the_report() -> None:
    unknown = statement(
        2, None, cpu_pct=None, cpu_ms=None, rows_per_row=None, reads=None, unindexed='"APP"."T"', plans=2
    )
    assert "\n".join(statements.lines(Statements((statement(), unknown), 2, 50_000), 100)).splitlines() == [
        "",
        "Top statements (2 of 50,000 in the package cache)",
        "  time  processor  executions  ms each  rows read each  for each used  pages read  spills",
        "60.0 %     50.0 %       3,000    1,080         900,000        450,000     200,000       0",
        "    SELECT A FROM T WHERE B = ?",
        '    statement 1/1; reads "APP"."T"',
        "30.0 %          -       3,000    1,080         900,000              -           -       0",
        "    its text was not collected",
        '    statement 2/1; reads "APP"."T"; no index on "APP"."T" starts with a column of its predicates; 2',
        "    plans",
        "    More of them, and the calls that show their plans:",
        "    db2tune statements",
        "    Why one of them is slow, and what helps:",
        "    db2tune query --rank 1",
    ]
    assert statements.lines(Statements(), 100) == []


def test_text_cannot_control_terminal_or_browser() -> None:
    given = replace(
        advice(SPENT, item(rule("sql.first"), "P", 1)), statements=Statements((statement(text=HOSTILE),), 1, 1)
    )
    selection = select(given)
    for report in (table.render(selection, 100), markdown.render(selection), jsonout.render(selection)):
        assert report.replace("\n", "").isprintable()
    assert "<script>" not in markdown.render(selection)
    full = "\n".join(statements.list_all(given.statements, "DB", 100))
    assert full.replace("\n", "").isprintable()


def test_text_is_not_on_a_tickets_page() -> None:
    state = MACHINES["shop-missing-index"]()
    for row in state.sources["statement"]:
        row["STMT_TEXT"] = f"{HOSTILE} WHERE A = ?"
    (advice_of_it,) = judge([(observe_state(state), list(all_rules().values()))])
    html = template.fill(ticket(advice_of_it, [1]), template.find("html", None), None)
    assert "<script>alert" not in html
    assert "&lt;script&gt;alert" in html


def test_the_document_has_its_schema() -> None:
    given = replace(advice(SPENT), statements=Statements((statement(), statement(2, None, cpu_ms=None)), 2, 2))
    document = json.loads(jsonout.render(select(given)))
    jsonschema.validate(document, SCHEMA)
    assert [one["name"] for one in document["statements"]["top"]] == ["1/1", "2/1"]


BY_TEXT = {"executable_id": None, "see_plan": None, "rows_returned": None, "rows_modified": None}


def test_a_statement_that_is_known_by_its_text_alone() -> None:
    one = statement(**BY_TEXT)
    assert "section" not in "\n".join(statements.list_all(Statements((one,)), "DB", 100))
    assert "section" in "\n".join(statements.list_all(Statements((one, statement(2))), "DB", 100))
    written = advis.render(Statements((replace(one, text_state="cut"),)), "SALES")
    assert "is left out: its text is cut off." in written
    assert "MON_GET_PKG_CACHE_STMT" not in written
    given = replace(advice(SPENT), statements=Statements((one,), 1, None))
    jsonschema.validate(json.loads(jsonout.render(select(given))), SCHEMA)


@pytest.mark.parametrize(
    ("one", "lines"),
    [
        (statement(), ["--#SET FREQUENCY 3000", "SELECT A FROM T WHERE B = ?;"]),
        (statement(text="  ( select 1 from t ) \n", executions=0), ["--#SET FREQUENCY 1", "( select 1 from t );"]),
        (statement(text="CALL P(?)"), ["is left out: it is neither a query nor a change of rows."]),
        (statement(text="SELECT ';' FROM T"), ["is left out: a semicolon in its text would end it."]),
        (statement(text="SELECT 1 FROM T -- all"), ["is left out: a comment in its text would hide its end."]),
        (
            statement(text="SELECT 1\n--#SET FREQUENCY 9\nFROM T"),
            ["is left out: a comment in its text would hide its end."],
        ),
        (statement(text="SELECT 'a FROM T"), ["is left out: a quote or a comment in its text has no end."]),
        (statement(text="SELECT /* FROM T"), ["is left out: a quote or a comment in its text has no end."]),
        (statement(text="SELECT 1 FROM \u202eT"), ["is left out: its text holds control characters."]),
        (statement(text="SELECT 'it''s' /* ' */ FROM \"T\"\n"), ["SELECT 'it''s' /* ' */ FROM \"T\";"]),
        (statement(text=None), ["is left out: its text was not collected."]),
        (statement(text_state="cut"), ["is left out: its text is cut off."]),
    ],
)
def test_the_file_for_the_design_advisor(one: Statement, lines: list[str]) -> None:
    written = advis.render(Statements((one,)), "SALES")
    assert "db2advis -d SALES -i FILE -t 5" in written
    for line in lines:
        assert line in written
    assert ("--#SET FREQUENCY" in written) == lines[0].startswith(("--#SET", "SELECT"))
    commands = [line for line in written.splitlines() if not line.startswith("--")]
    assert any(commands) == lines[0].startswith(("--#SET", "SELECT"))


def test_database_name_in_shell_calls_is_quoted() -> None:
    assert "db2advis -d 'A$B' -i FILE" in advis.render(Statements((statement(),)), "A$B")
    assert "db2advis -d 'A$B' -i FILE" in "\n".join(statements.list_all(Statements((statement(),)), "A$B", 100))
