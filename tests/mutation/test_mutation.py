"""Mutants are what they should be, and a test that notices one is found."""

from contextlib import closing
from pathlib import Path

import pytest

from advisor.catalogue.rules import all_rules
from advisor.resources import SQL
from tests.mutation.__main__ import main
from tests.mutation.checks import cases_of
from tests.mutation.explained import reasons
from tests.mutation.mutants import Mutant, mutants_of
from tests.mutation.trial import Grounds

RULE = "memory.implicit-compiles"
QUERY = """-- 1 < 2 says a comment
SELECT
    T.*,
    'a < 3' AS TEXT,
    CASE WHEN A IS NULL THEN 1 ELSE B END AS C,
    CAST(A * 1.5 AS VARCHAR(20)) AS D,
    COALESCE(E, 0) / NULLIF(F, 0) AS G
FROM TUNE.X AS T
LEFT JOIN TUNE.Y AS Y ON T.K = Y.K
WHERE A BETWEEN 5 AND 6 AND D NOT IN (SELECT MAX(D) FROM TUNE.Z)
"""


def changes(path: Path) -> set[str]:
    return {str(mutant).partition(": ")[2] for mutant in mutants_of(path) if mutant.form is None}


@pytest.fixture
def query(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("tests.mutation.mutants.SQL", tmp_path)
    path = tmp_path / "query.sql"
    path.write_text(QUERY, encoding="utf-8")
    return path


def test_each_word_of_the_code_is_changed_and_none_of_comments_and_texts(query: Path) -> None:
    assert changes(query) == {
        "NULL -> NOT NULL", "A IS NULL -> 1 = 0", "1 -> 0", "1 -> 2", "ELSE B -> ",
        "* -> /", "1.5 -> 0.75", "1.5 -> 3", "0 -> NULL", "/ -> *",
        "LEFT -> INNER", "= -> <>",
        "5 -> 4", "5 -> 6", "6 -> 5", "6 -> 7", "AND (2) -> OR", "NOT IN -> IN", "MAX -> MIN",
    }  # fmt: skip


def test_what_is_left_out_has_a_form(query: Path) -> None:
    forms = {(mutant.before, mutant.form) for mutant in mutants_of(query) if mutant.form}
    assert forms == {("20", "sized"), ("0", "guarded")}


def test_a_rules_thresholds_and_conditions_are_changed_too() -> None:
    assert {"5 -> 2.5", "5 -> 10", "100 -> 50"} <= changes(all_rules()[RULE].path)


def test_every_mutant_is_another_text() -> None:
    mutants = [mutant for path in (SQL / "rank").glob("*.sql") for mutant in mutants_of(path)]
    assert all(mutant.mutated != mutant.text for mutant in mutants)
    assert len({mutant.mutated for mutant in mutants}) == len(mutants)


def test_what_is_explained_is_there() -> None:
    keys = {mutant.key[:3] for path in SQL.rglob("*.sql") for mutant in mutants_of(path)}
    assert {key[:3] for key in reasons()} <= keys


def test_cases_notice_a_mutant_and_not_the_text_itself() -> None:
    rule = all_rules()[RULE]
    operator = next(mutant for mutant in mutants_of(rule.path) if mutant.before == "AND")
    same = Mutant(operator.file, operator.text, operator.start, operator.end, "and")
    broken = Mutant(operator.file, operator.text, operator.start, operator.end, "AND AND")
    with closing(Grounds(cases_of(rule))) as grounds:
        noticed, unnoticed, invalid = grounds.try_rule(rule, [operator, same, broken])
    assert noticed.by is not None
    assert unnoticed.valid and unnoticed.by is None
    assert not invalid.valid


@pytest.mark.full
def test_most_of_a_sample_are_noticed() -> None:
    assert main(["--sample", "10", "--least", "0.6", "rules/lock"]) == 0
