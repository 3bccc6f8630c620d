"""Distinction of code, comments and quoted text, as in Db2."""

import pytest

from advisor.catalogue.sqltext import code, references, remove_comments


@pytest.mark.parametrize(
    ("sql", "left"),
    [
        ("SELECT 1 -- one\nFROM T", "SELECT 1\nFROM T"),
        ("-- what it is\n\nSELECT 1", "SELECT 1"),
        ("SELECT /* one\n-- ' */ 1", "SELECT   1"),
        ("VALUES '--', 'it''s -- 5', \"A--B\"", "VALUES '--', 'it''s -- 5', \"A--B\""),
        ("VALUES 'D:\\' -- a path", "VALUES 'D:\\'"),
        ("SELECT A#, # B", "SELECT A#, # B"),
        ("VALUES 7 - 1 / 2", "VALUES 7 - 1 / 2"),
        ("VALUES '\n  -- in a text\n'", "VALUES '\n  -- in a text\n'"),
        ("", ""),
    ],
)
def test_comments_go_and_what_is_quoted_stays(sql: str, left: str) -> None:
    assert remove_comments(sql) == left


def test_code_leaves_out_comments_and_what_is_quoted() -> None:
    assert code("SELECT 'a::b' -- WITH UR\nFROM \"x\"") == "SELECT ''  \nFROM  "
    assert code("SELECT 'it''s', /* 'x */ '/*'") == "SELECT '',   ''"


def test_a_reference_is_code() -> None:
    sql = "SELECT 'TUNE.A' AS TUNE -- TUNE.B\nFROM TUNE.C, /* TUNE.D */ TUNE.E AS F, \"TUNE.G\", NEPTUNE.H"
    assert references(sql) == {"C", "E"}
