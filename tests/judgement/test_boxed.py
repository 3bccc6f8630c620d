"""Statements of strangers read only schema TUNE, within bounds."""

import re
from pathlib import Path

import apsw
import pytest

from advisor.capture import open_capture
from advisor.catalogue import embedded
from advisor.catalogue.embedded import open_tables
from advisor.catalogue.rules import all_rules
from advisor.errors import UserError
from advisor.judgement.queries import query
from advisor.judgement.run import evaluate
from tests.support.site_rule import strange_rule
from tests.support.states import base_state, write_capture

ENDLESS = "WITH RECURSIVE N (I) AS (SELECT 1 UNION ALL SELECT I + 1 FROM N) SELECT COUNT(*) AS X FROM N"
LARGE = (
    "WITH RECURSIVE N (I, T) AS (SELECT 1, 'x' UNION ALL SELECT I + 1, T || T FROM N) SELECT MAX(LENGTH(T)) AS X FROM N"
)
WIDE = (
    "WITH RECURSIVE N (I) AS (SELECT 1 UNION ALL SELECT I + 1 FROM N WHERE I < 100000000)"
    " SELECT I AS X FROM N ORDER BY I * 7919 % 10007"
)
OUTSIDE = (
    "ATTACH '{}' AS OTHER",
    "CREATE TABLE TUNE.MORE (A)",
    "CREATE TEMP TABLE MORE (A)",
    "DELETE FROM TUNE.RULE",
    "UPDATE TUNE.RULE SET LANE = 'P'",
    "INSERT INTO TUNE.NOT_RUN VALUES ('a', 'b')",
    "PRAGMA TUNE.journal_mode = WAL",
    "PRAGMA case_sensitive_like = OFF",
    "VACUUM INTO '{}'",
    "SELECT load_extension('{}')",
    "SELECT * FROM main.sqlite_schema",
    "SELECT * FROM pragma_database_list",
    "DROP TABLE TUNE.RULE",
    "SELECT 1; DROP TABLE TUNE.RULE",
)


@pytest.fixture
def capture(tmp_path: Path) -> Path:
    return write_capture(base_state(), tmp_path / "capture")


@pytest.mark.parametrize("statement", OUTSIDE)
def test_nothing_outside_can_be_reached(statement: str, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    with open_tables(boxed=True) as tables, tables.box(), pytest.raises(apsw.Error, match=r"authoriz|prohibited"):
        tables.fetch(statement.format(outside))
    assert not outside.exists()


def test_functions_of_files_do_not_exist(tmp_path: Path) -> None:
    for function in ("readfile", "writefile", "fts3_tokenizer", "edit"):
        with open_tables(boxed=True) as tables, tables.box(), pytest.raises(apsw.Error):
            tables.fetch(f"SELECT {function}('{tmp_path}/x', 'y')")


@pytest.mark.parametrize("select", [ENDLESS, WIDE])
def test_rule_that_never_ends_could_not_run(select: str, capture: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedded, "STRANGER_S", 0.2)
    with open_capture(capture) as state:
        advice = evaluate(state, [strange_rule(select), all_rules()["config.monitoring-off"]])
    assert advice.not_run == [("made.strange", "failed: ran longer than 0.2 s")]


def test_rule_with_endless_text_could_not_run(capture: Path) -> None:
    with open_capture(capture) as state:
        advice = evaluate(state, [strange_rule(LARGE)])
    assert advice.not_run == [("made.strange", "failed: string or blob too big")]


def test_query_that_never_ends_is_refused(capture: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedded, "STRANGER_S", 0.2)
    with pytest.raises(UserError, match=re.escape("ran longer than 0.2 s; select fewer rows")):
        query(capture, ENDLESS)
