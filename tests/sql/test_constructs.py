"""Each construct of the SQL that a server receives has a precedent: tests/sql/constructs.csv."""

import csv
import re
from functools import cache

import pytest

from advisor.resources import ROOT
from tests.sql.census import Part, take_census
from tests.sql.expressions import Kinds, find_constructs
from tools.reference.pages import CONSTRUCTS

pytestmark = pytest.mark.full

MOST_UNCONFIRMED = 3  # may only fall
_PAGE_OR_FILE = re.compile(r"[cr]00\d{5}|[\w.-]+/[\w.-]+:[\w./ (),-]+")


@cache
def _rows() -> dict[str, dict[str, str]]:
    with CONSTRUCTS.open(encoding="utf-8", newline="") as file:
        return {row["CONSTRUCT"]: row for row in csv.DictReader(file)}


def test_constructs_of_sent_statements_have_rows() -> None:
    found = take_census()
    new = [f"{construct} ({file})" for construct, file in sorted(found.items()) if construct not in _rows()]
    assert not new, f"cite a manual page or a public file, or write it differently: {new}"
    assert sorted(_rows().keys() - found.keys()) == []


def test_constructs_are_sorted_and_their_files_exist() -> None:
    assert list(_rows()) == sorted(_rows())
    assert [row["WHERE"] for row in _rows().values() if not (ROOT / row["WHERE"]).is_file()] == []


def test_constructs_have_precedents_or_are_unconfirmed() -> None:
    for construct, row in _rows().items():
        confirmed = row["UNCONFIRMED"] == "" and _PAGE_OR_FILE.fullmatch(row["PRECEDENT"])
        assert confirmed or (row["UNCONFIRMED"] == "unconfirmed" and not row["PRECEDENT"]), construct


def test_unconfirmed_constructs_only_fall() -> None:
    assert sum(row["UNCONFIRMED"] != "" for row in _rows().values()) == MOST_UNCONFIRMED


@pytest.mark.parametrize(
    ("statement", "construct"),
    [
        ("SELECT LOCATE_IN_STRING('A', 'B', 1) FROM T", "LOCATE_IN_STRING(text, text, number)"),
        ("SELECT A FROM T, TABLE(SYSPROC.F(T.A, NULL)) AS X", "FROM TABLE(SYSPROC.F(column, NULL)) AS name"),
        ("SELECT A FROM T INNER JOIN U ON T.A = U.A", "INNER JOIN name ON condition"),
        ("SELECT CAST(1 AS VARCHAR(20)) FROM T", "CAST(number AS VARCHAR(n))"),
        ("SELECT SUM(1) OVER (PARTITION BY A) FROM T", "SUM(number) OVER (PARTITION BY)"),
        ("WITH X (A) AS (VALUES 1 UNION ALL SELECT A FROM X) SELECT A FROM X", "WITH name (columns) AS (recursive query)"),
        ("SELECT CURRENT TIMESTAMP - 3 HOURS FROM T", "timestamp - number HOURS"),
        ("SELECT A FROM T WHERE A = 1 AND B = '' OR C NOT IN (SELECT D FROM E)", "NOT IN"),
        ("MERGE INTO T AS T USING (VALUES (1)) AS S (A) ON T.A = S.A WHEN MATCHED THEN UPDATE SET B = 1",
         "MERGE: WHEN MATCHED THEN UPDATE"),
        ("CREATE TABLE T AS (SELECT A FROM U) DEFINITION ONLY ORGANIZE BY ROW", "CREATE TABLE: ORGANIZE BY ROW"),
        ("BEGIN DECLARE EXIT HANDLER FOR SQLSTATE '42704' BEGIN END; COMMIT; END",
         "DECLARE EXIT HANDLER FOR SQLSTATE 'text' ..."),
        ("BEGIN FOR C AS SELECT A FROM T DO SET B = C.A; END FOR; END", "FOR name AS query DO ... END FOR"),
    ],
)  # fmt: skip
def test_census_of_statement_contains_construct(statement: str, construct: str) -> None:
    part = Part(statement)
    kinds = Kinds(part.trees, part.variables)
    assert construct in [*part.constructs, *(each for tree in part.trees for each in find_constructs(tree, kinds))]


def test_census_reads_dynamic_statements() -> None:
    part = Part("BEGIN EXECUTE IMMEDIATE 'DROP TABLE TUNE.' || V_NAME; END")
    assert part.dynamic == ["DROP TABLE TUNE.X"]
