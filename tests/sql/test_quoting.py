"""Quoted text is read back unchanged, whatever it contains."""

from pathlib import Path

import duckdb
import pytest

from advisor.quoting import literal, quote_path, quoted

NAMES = ["A", "o'hara", 'a "b" c', "''", '""', "x\n; DROP", "ü", "{0}", "\\"]


@pytest.mark.parametrize("name", NAMES)
def test_names_and_texts_are_read_as_they_are(name: str) -> None:
    found = duckdb.sql(f"SELECT {literal(name)} AS {quoted(name)}")
    assert (found.columns, found.fetchall()) == ([name], [(name,)])


@pytest.mark.parametrize("value", [None, 0, -1, 2.5, 1e300])
def test_numbers_are_read_as_they_are(value: float | None) -> None:
    assert duckdb.sql(f"SELECT {literal(value)}").fetchall() == [(value,)]


def test_a_path_is_one_file(tmp_path: Path) -> None:
    for name in ("v1", "v[1]", "v?", "v*"):
        (tmp_path / name).write_text(f"A\n{name}\n", encoding="utf-8")
        found = duckdb.read_csv(quote_path(tmp_path / name), header=True, sep=",").fetchall()
        assert found == [(name,)]
