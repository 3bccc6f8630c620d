"""Time to read one long line, which must not grow with the square of its length."""

import time

import pytest

from tests.imports.reading import reading
from tests.support.paths import FIXTURES

LENGTH = 60_000  # characters
MOST_SECONDS = 5  # the old expressions needed 10 to 1,000; a tenth of a second is usual


def _insert(sample: str, after: str, *lines: str) -> str:
    """Return a sample with lines after the one that contains a text."""
    text = (FIXTURES / "imports" / f"{sample}.txt").read_text(encoding="utf-8")
    before, found, behind = text.partition(after)
    assert found
    rest, end, others = behind.partition("\n")
    return "".join([before, found, rest, end, *(f"{line}\n" for line in lines), others])


@pytest.mark.parametrize(
    "text",
    [
        '"' + "\\n" * (LENGTH // 2),
        '"' + '\\"' * (LENGTH // 2) + "\\n",
        "\n".join(['"a"' + " " * LENGTH + "x"] * 3),
        " " * LENGTH + "obszar",
        _insert("db2diag-instance", "ADM5502W", "Reason code" + " " * LENGTH + "x"),
        _insert("db2exfmt", "Access Plan:", *["AB " * (LENGTH // 3)] * 3, "( 1) " * (LENGTH // 5)),
        _insert("db2pd-progress", "Table Reorg Stats", "0x1 a" + " 01/01/2026 1 1" * (LENGTH // 15)),
        _insert("db2pd-progress", "Progress:", "0x1 1 AB " + "1" * LENGTH),
    ],
    ids=["line ends", "quotes", "blanks", "translated", "record", "graph", "reorg", "progress"],
)
def test_long_line_takes_little_time(text: str) -> None:
    start = time.process_time()
    reading(text)
    assert time.process_time() - start < MOST_SECONDS
