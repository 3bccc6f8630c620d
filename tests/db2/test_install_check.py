"""The file of each statement of the installation, and the trial in the command line processor."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from advisor.catalogue.rules import all_rules
from advisor.db2.failures import Db2Failure
from advisor.install.check import CHECK_TITLE, Checked, Tried, check_script
from advisor.install.origins import find_created_object, origin
from advisor.install.statement import COMMIT, Statement
from advisor.report.check import render
from advisor.resources import PROCEDURES, ROOT
from tests.support.clp import read
from tests.support.installing import installing

STATEMENTS = installing()


def _of(name: str) -> Statement:
    return next(each for each in STATEMENTS if find_created_object(each) == name)


def test_every_statement_comes_from_a_line_of_a_file() -> None:
    for each in STATEMENTS:
        file, _, line = origin(each).rpartition(":")
        assert 1 <= int(line) <= len((ROOT / file).read_text(encoding="utf-8").splitlines()), each.text[:80]


@pytest.mark.parametrize(
    ("name", "file", "begins"),
    [
        ("TUNE.COLLECT", "sql/schema/snapshots.sql", "CREATE TABLE TUNE.COLLECT"),
        ("TUNE.S_TRANSACTION_LOG", "sql/collect/transaction_log.sql", ""),
        ("TUNE.D_BUFFERPOOL", "sql/collect/bufferpool.sql", ""),
        ("TUNE.C_TIME_SPENT", "sql/rank/time_spent.sql", ""),
        ("TUNE.M_TIME_SPENT", "sql/rank/time_spent.sql", ""),
        ("TUNE.X_M_TIME_SPENT", "sql/rank/time_spent.sql", ""),
        ("TUNE.ADVICE_LIST", "sql/run/lists.sql", ""),
        ("TUNE.O_SITE", "sql/schema/site_options.csv", ""),
        ("TUNE.FINDING", "advisor/catalogue/tables.py", ""),
        ("TUNE.PURGE", "procedures/purge.sql", "CREATE OR REPLACE PROCEDURE TUNE.PURGE"),
    ],
)
def test_statement_is_in_the_reported_file(name: str, file: str, begins: str) -> None:
    found, _, line = origin(_of(name)).rpartition(":")
    assert found == file
    assert (ROOT / file).read_text(encoding="utf-8").splitlines()[int(line) - 1].startswith(begins)


def test_procedure_of_a_rule_comes_from_the_first_line_of_its_select() -> None:
    rule = next(iter(all_rules().values()))
    file, _, line = origin(_of(rule.procedure)).rpartition(":")
    assert ROOT / file == rule.path
    assert re.match("SELECT|WITH", rule.path.read_text(encoding="utf-8").splitlines()[int(line) - 1])


def test_a_rule_of_a_site_comes_from_its_own_file(tmp_path: Path) -> None:
    path = tmp_path / "own.sql"
    path.write_text("/*---\nrule: own.rule\n---*/\nSELECT 1\n", encoding="utf-8")
    own = replace(next(iter(all_rules().values())), name="own.rule", path=path)
    assert origin(Statement("CREATE OR REPLACE PROCEDURE TUNE.R_OWN_RULE () SELECT 1"), [own]) == f"{path}:4"


def test_line_named_by_db2_is_reported_as_line_of_the_file() -> None:
    """c0060679: messages about SQL PL contain LINE NUMBER=n, which counts the sent lines, without comments."""
    path = PROCEDURES / "purge.sql"
    lines = path.read_text(encoding="utf-8").splitlines()
    sent = _of("TUNE.PURGE").text.splitlines()
    number = next(n for n, line in enumerate(sent, 1) if "DELETE FROM" in line)
    at = int(origin(_of("TUNE.PURGE"), (), f"SQL0204N ... LINE NUMBER={number}.").rpartition(":")[2])
    assert lines[at - 1].strip() == sent[number - 1].strip()


def test_the_script_tries_what_is_installed_and_takes_it_back() -> None:
    """r0001975: a batch file may set autocommit (c) and stop on error (s); r0000992: ROLLBACK also undoes DDL."""
    text = check_script(STATEMENTS)
    statements = list(read(text, "@"))
    assert text.splitlines()[0] == f"-- {CHECK_TITLE}"
    assert " -s" not in CHECK_TITLE
    assert statements[:2] == ["UPDATE COMMAND OPTIONS USING C OFF", "UPDATE COMMAND OPTIONS USING S OFF"]
    assert statements[-1] == "ROLLBACK"
    assert "COMMIT" not in statements
    echoed, tried = statements[2:-1:2], statements[3:-1:2]
    assert tried == [one.trial or one.text for one in STATEMENTS if one != COMMIT]
    assert echoed[0] == f"ECHO 1 of {len(tried)}: {origin(STATEMENTS[0])}"
    assert [line for line in echoed if not re.fullmatch(r"ECHO \d+ of \d+: [\w./-]+:\d+", line)] == []


def test_the_options_of_routines_do_not_outlive_the_trial() -> None:
    """r0011873: they are valid for the session, which continues in the processor, and ROLLBACK does not undo a CALL."""
    calls = [text for text in read(check_script(STATEMENTS), "@") if "SET_ROUTINE_OPTS" in text]
    assert calls[-1] == "CALL SYSPROC.SET_ROUTINE_OPTS(CAST(NULL AS VARCHAR(1)))"


def _refused(number: int, text: str, state: str, follows: int | None = None) -> Tried:
    failure = Db2Failure(f"[IBM][CLI Driver][DB2/LINUXX8664] {text}  SQLSTATE={state} SQLCODE=-1")
    return Tried(number, STATEMENTS[number - 1], f"sql/x.sql:{number}", 0.0, failure, follows)


def test_refused_statement_is_reported_apart_from_its_effects() -> None:
    said = render(
        Checked(
            9,
            (
                Tried(1, STATEMENTS[0], "sql/a.sql:1", 0.0),
                _refused(2, 'SQL0104N  An unexpected token "A\x1bB" was found', "42601"),
                _refused(3, 'SQL0204N  "TUNE.A" is an undefined name.', "42704", 2),
            ),
        ),
        200,
    )
    assert "2  sql/x.sql:2  SQL0104N  SQLSTATE 42601\n" in said
    assert "3  sql/x.sql:3  SQL0204N  SQLSTATE 42704, follows from 2\n" in said
    assert "tokens: TUNE.A" in said
    assert "\x1b" not in said
    assert (
        "3 of 9 statements tried, 2 refused, 1 of them because another refused statement creates what they use" in said
    )


@pytest.mark.parametrize(
    ("state", "ends"), [("40001", True), ("57011", True), ("70081", True), ("42601", False), ("57014", False)]
)
def test_trial_ends_after_the_last_statement(state: str, ends: bool) -> None:
    """SQL0911N rolls the unit of work back; a full log (SQL0964C, 57011) stays full for the next statement.

    Objects of another user are refused one by one.
    """
    assert _refused(2, "SQL0000N  x", state).is_last is ends
    assert ("nothing more can be tried" in render(Checked(9, (_refused(2, "SQL0000N  x", state),)), 200)) is ends
