"""Texts with lines that a window or a mail wrapped: no value comes from a part of a line."""

import textwrap

import pytest

from advisor.imports.texts import import_texts
from tests.imports.reading import reading
from tests.support.paths import FIXTURES

SAMPLES = FIXTURES / "imports"


def fold(text: str, width: int) -> str:
    """Break each line at a width, as a window does."""
    return "\n".join(line[at : at + width] for line in text.split("\n") for at in (range(0, len(line), width) or [0]))


def wrap(text: str, width: int) -> str:
    """Break each line between words, as a mail does."""
    return "\n".join("\n".join(textwrap.wrap(line, width, break_long_words=False)) or "" for line in text.split("\n"))


def values(text: str) -> list[tuple[str, dict[str, str]]]:
    rows = reading(text).rows
    return [(source, {k: v for k, v in row.items() if k != "REPORT"}) for source in rows for row in rows[source]]


@pytest.mark.parametrize("width", [72, 80])
@pytest.mark.parametrize("broken", [fold, wrap])
@pytest.mark.parametrize(
    "name",
    [
        "db2pd-shop.txt",
        "db2pd-instance.txt",
        "db2pd-wlocks.txt",
        "list-tablespaces.txt",
        "list-tablespace-containers.txt",
        "listing-session.txt",
        "containers-and-file-systems.txt",
    ],
)
def test_wrapped_text_gives_no_value_that_the_whole_lacks(name, broken, width):
    text = (SAMPLES / name).read_text(encoding="utf-8")
    whole = values(text)
    paths = {"logarchmeth1", "logpath"}  # a path with blanks, broken between words, looks complete
    for source, row in values(broken(text, width)):
        if row.get("NAME") not in paths:
            assert any(source == other and row.items() <= found.items() for other, found in whole), (source, row)


def test_wrapped_table_of_db2pd_is_refused_with_a_note(tmp_path):
    text = (SAMPLES / "db2pd-shop.txt").read_text(encoding="utf-8")
    path = tmp_path / "narrow.txt"
    path.write_text(fold(text, 80), encoding="utf-8")
    result = import_texts([path], tmp_path)
    assert {row["TBSP_NAME"] for row in reading(fold(text, 80)).rows["tablespace"] if "TBSP_NAME" in row} <= {
        row["TBSP_NAME"] for row in reading(text).rows["tablespace"] if "TBSP_NAME" in row
    }
    [note] = [note for note in result.notes if "wrapped" in note]
    assert "wrapped; paste it wider; their values are not used" in note


def test_wide_window_keeps_the_rows():
    text = (SAMPLES / "db2pd-shop.txt").read_text(encoding="utf-8")
    assert values(fold(text, 400)) == values(text)
