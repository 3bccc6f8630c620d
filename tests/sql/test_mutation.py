"""Mutants are what they should be, and a test that notices one is found."""

import ast
import re
from dataclasses import replace
from pathlib import Path

import pytest

from advisor.catalogue.rules import all_rules
from advisor.catalogue.views import model_files
from advisor.judgement.cases import FIRES
from advisor.resources import SQL
from tests.support.data_files import written
from tests.support.paths import cases_path
from tools.trials.mutation import code
from tools.trials.mutation.__main__ import main
from tools.trials.mutation.checks import list_cases, list_shared
from tools.trials.mutation.edges import find_edges
from tools.trials.mutation.explained import list_reasons
from tools.trials.mutation.mutants import Mutant, mutants_of
from tools.trials.mutation.parsing import is_valid
from tools.trials.mutation.same import is_same
from tools.trials.mutation.trial import list_noticed

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
    monkeypatch.setattr("tools.trials.mutation.mutants.SQL", tmp_path)
    path = tmp_path / "query.sql"
    path.write_text(QUERY, encoding="utf-8")
    return path


def test_each_word_of_code_is_changed_but_no_comment(query: Path) -> None:
    assert changes(query) == {
        "NULL -> NOT NULL", "A IS NULL -> 1 = 0", "1 -> 0", "1 -> 2", "ELSE B -> ",
        "* -> /", "1.5 -> 0.75", "1.5 -> 3", "0 -> NULL", "/ -> *",
        "LEFT -> INNER", "= -> <>",
        "5 -> 4", "5 -> 6", "6 -> 5", "6 -> 7", "AND (2) -> OR", "NOT IN -> IN", "MAX -> MIN",
    }  # fmt: skip


def test_excluded_mutant_has_a_form(query: Path) -> None:
    forms = {(mutant.before, mutant.form) for mutant in mutants_of(query) if mutant.form}
    assert forms == {("20", "sized"), ("0", "guarded")}


def test_a_rules_thresholds_and_conditions_are_changed_too() -> None:
    assert {"100 -> 50", "100 -> 200"} <= changes(all_rules()["log.buffer-full"].path)


def test_every_mutant_is_another_text() -> None:
    mutants = [mutant for path in (SQL / "rank").glob("*.sql") for mutant in mutants_of(path)]
    assert all(mutant.mutated != mutant.text for mutant in mutants)
    assert len({mutant.mutated for mutant in mutants}) == len(mutants)


def test_what_is_explained_is_there() -> None:
    keys = {mutant.key[:3] for path in SQL.rglob("*.sql") for mutant in mutants_of(path)}
    assert {key[:3] for key in list_reasons()} <= keys


FROM = "SELECT T.A FROM TUNE.X AS T LEFT JOIN TUNE.Y AS Y ON T.K = Y.K"
SAME = [  # what is changed, to what, and whether that has the same rows whatever the tables hold
    ("LEFT", "INNER", f"{FROM} WHERE Y.B > 1", True),
    ("LEFT", "INNER", f"{FROM} INNER JOIN TUNE.Z AS Z ON Y.B + 1 = Z.B", True),
    ("LEFT", "INNER", f"{FROM} WHERE COALESCE(Y.B, 2) > 1", False),
    ("LEFT", "INNER", f"{FROM} WHERE Y.B > 1 OR T.A = 1", False),
    ("LEFT", "INNER", f"{FROM} WHERE Y.B IS NULL", False),
    ("0", "NULL", f"{FROM} WHERE COALESCE(T.B, 0) = 1 OR T.A = 1", True),
    ("0", "NULL", f"{FROM} WHERE COALESCE(T.B, 0) < 1", False),
    ("0", "NULL", f"{FROM} WHERE NOT (COALESCE(T.B, 0) = 1)", False),
    ("0", "NULL", "SELECT COALESCE(T.B, 0) = 1 FROM TUNE.X AS T", False),
    ("ELSE 0", "", f"{FROM} WHERE CASE WHEN T.B > 5 THEN 2 ELSE 0 END > 1", True),
    ("ELSE 2", "", f"{FROM} WHERE CASE WHEN T.B > 5 THEN 0 ELSE 2 END > 1", False),
    (">", ">=", f"{FROM} WHERE T.B > 0 AND T.C / NULLIF(T.B, 0) < 3", True),
    (">", ">=", f"{FROM} WHERE T.B > 0 AND T.C / NULLIF(T.A, 0) < 3", False),
    (">", ">=", "SELECT CASE WHEN T.B > 0 THEN 1 / NULLIF(T.B, 0) END FROM TUNE.X AS T", True),
    (">", ">=", "SELECT CASE WHEN T.B > 0 THEN 1 / NULLIF(T.B, 0) ELSE 3 END FROM TUNE.X AS T", False),
    ("0", "NULL", "SELECT GREATEST(1, COALESCE(T.B, 0)) FROM TUNE.X AS T", False),
    ("MAX", "MIN", "SELECT MAX(CASE WHEN NAME = 'a' THEN NUM END) FROM TUNE.SETTING WHERE SCOPE = 'DB'", True),
    ("MAX", "MIN", "SELECT MAX(CASE WHEN NAME = 'a' THEN NUM END) FROM TUNE.CONFIG WHERE SCOPE = 'DB'", False),
    ("MAX", "MIN", "SELECT MAX(CASE WHEN NAME = 'a' THEN NUM END) FROM TUNE.SETTING", False),
]  # fmt: skip


@pytest.mark.parametrize(("before", "after", "text", "same"), SAME)
def test_what_says_the_same_in_other_words_is_known(before: str, after: str, text: str, same: bool) -> None:
    start = text.index(before)
    assert is_same(Mutant("q.sql", text, start, start + len(before), after)) is same


SOURCE = """def f(a: int = 1, b: str = 'x < 1') -> bool:
    '1 < 2'
    return a <= 2 and not b.strip() in ('x' + b, f'{a + 1}')
"""


def test_words_of_python_are_changed_one_by_one() -> None:
    whole, negated = ast.unparse(ast.parse(SOURCE)).partition("return ")[2], "b.strip() in ('x' + b, f'{a + 1}')"
    assert {str(mutant).partition(": ")[2] for mutant in code.mutants_of("m.py", SOURCE)} == {
        "1 -> 2", "2 -> 3", "a <= 2 -> a < 2", "b.strip() -> b",
        f"{whole} -> a <= 2 or not {negated}", f"{whole} -> None",
        f"not {negated} -> {negated}", f"{negated} -> {negated.replace(' in ', ' not in ')}",
    }  # fmt: skip


@pytest.mark.full
def test_a_change_of_python_is_tried_in_a_copy(tmp_path: Path) -> None:
    module, tests = "advisor/quoting.py", ["tests/sql/test_quoting.py"]
    source = (code.ROOT / module).read_text(encoding="utf-8")
    copied = code.Copy(tmp_path)
    assert copied.passes(module, source, tests)
    assert not copied.passes(module, source.replace("is None", "is not None"), tests)
    assert (code.ROOT / module).read_text(encoding="utf-8") == source


def test_check_notices_a_mutant_but_not_its_original() -> None:
    rule = all_rules()[RULE]
    other = next(mutant for mutant in mutants_of(rule.path) if mutant.before == "AND")
    same, broken, untyped = (replace(other, after=after) for after in ("and", "AND AND", "|| 'a' +"))
    assert [is_valid(mutant) for mutant in (other, same, broken, untyped)] == [True, True, False, False]
    assert [list_noticed(check, [other, same]) for check in list_cases(rule)] == [[], [], [other], [other]]


def test_default_of_a_threshold_is_noticed() -> None:
    rule = all_rules()["log.buffer-full"]
    mutants = [mutant for mutant in mutants_of(rule.path) if mutant.key[1].startswith("min_full")]
    assert {mutant.after for mutant in mutants} == {"50", "200"}
    assert {mutant for check in list_cases(rule) for mutant in list_noticed(check, mutants)} == {*mutants}


def test_machine_notices_a_mutant_of_a_view() -> None:
    mutants = [mutant for mutant in mutants_of(model_files()["DATABASE_TIME"]) if mutant.before == "/"]
    machine = next(check for check in list_shared() if check.name == "machine webshop")
    assert list_noticed(machine, mutants)


def test_edge_is_the_last_value_with_which_a_rule_fires() -> None:
    rule = all_rules()[RULE]
    case = written(cases_path(rule))[FIRES][0]
    assert next(find_edges(rule, case)) == {"of": case["name"], "workload.0.TOTAL_RQST_TIME": [24000000, 24000001]}


@pytest.mark.full
def test_most_of_a_sample_are_noticed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--sample", "10", "--least", "60", "rules/lock"]) == 0
    assert re.search(r"^noticed \d+ of 10 \(\d+ %\), 0 invalid$", capsys.readouterr().out, re.MULTILINE)
