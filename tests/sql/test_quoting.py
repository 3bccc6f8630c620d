"""Code, comments and quoted text are told apart as in Db2, and quoted text is read back unchanged, whatever it contains."""

import shlex
import sys
import unicodedata

import duckdb
import pytest

from advisor.catalogue.sqltext import code, references, remove_comments
from advisor.catalogue.views import model_views
from advisor.quoting import CONTROLS, alias, literal, quoted, shell


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


NAMES = ["A", "o'hara", 'a "b" c', "''", '""', "x\n; DROP", "ü", "{0}", "\\"]


@pytest.mark.parametrize("name", NAMES)
def test_names_and_texts_are_read_as_they_are(name: str) -> None:
    found = duckdb.sql(f"SELECT {literal(name)} AS {quoted(name)}")
    assert (found.columns, found.fetchall()) == ([name], [(name,)])


@pytest.mark.parametrize("value", [None, 0, -1, 2.5, 1e300])
def test_numbers_are_read_as_they_are(value: float | None) -> None:
    assert duckdb.sql(f"SELECT {literal(value)}").fetchall() == [(value,)]


@pytest.mark.parametrize("name", ["SALES", "S@L#E$_1", "9"])
def test_an_alias_of_db2_is_written_unchanged(name: str) -> None:
    assert alias(name) == name


@pytest.mark.parametrize("name", ["", "my db", "A;B", "A--B", "it's", 'a"b', "SALES\n", "ü"])
def test_another_name_of_a_database_is_delimited(name: str) -> None:
    assert alias(name) == quoted(name)


@pytest.mark.parametrize("name", ["SALES", "S@L#E$_1", "my db", "A;B", "A--B", "it's", 'a"b', "SALES\n", "ü"])
def test_rules_and_program_write_the_same_alias(name: str) -> None:
    connection = duckdb.connect()
    connection.execute("CREATE SCHEMA TUNE")
    connection.execute("CREATE TABLE TUNE.RUN_DATABASE AS SELECT ? AS DB_NAME", [name])
    connection.execute("CREATE TABLE TUNE.CHARACTER_PLACE AS SELECT UNNEST(RANGE(1, 257)) AS PLACE")
    word = model_views()["DATABASE_WORD"]
    shown = name if name == "SALES" else "<database>"
    assert connection.execute(word).fetchall() == [(shown, alias(name))]


@pytest.mark.parametrize("word", ["", "a b", "it's", "$(x)", "`x`", "\\", "~", "*", "a;b"])
def test_a_word_of_a_shell_is_read_as_it_is(word: str) -> None:
    assert shlex.split(shell(word)) == [word]


@pytest.mark.parametrize("control", ["\n", "\x1b", "\x85", "\u2028", "\u202e", "\0"])
def test_a_control_character_gets_into_no_word_of_a_shell(control: str) -> None:
    assert (shell(f"a{control}b"), shell(f"a{control}b", "FILE")) == ("NAME", "FILE")


def test_control_characters_are_those_of_unicode() -> None:
    """C0, DEL, C1, line separators and every mark of text direction that has no width."""
    every = map(chr, range(sys.maxunicode + 1))
    classes = {"LRE", "RLE", "PDF", "LRO", "RLO", "LRI", "RLI", "FSI", "PDI"}
    found = [
        one
        for one in every
        if unicodedata.category(one) in ("Cc", "Zl", "Zp") or unicodedata.bidirectional(one) in classes
    ]
    assert sorted(CONTROLS) == sorted([*found, "\N{LEFT-TO-RIGHT MARK}", "\N{RIGHT-TO-LEFT MARK}"])
