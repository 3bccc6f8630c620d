"""No cell of a CSV file is a formula, whatever separator the spreadsheet uses."""

import pytest

from advisor.report import csvout


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        ("=1+1", "'=1+1"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("\uff1d1+1", "'\uff1d1+1"),
        ("\uff0bcmd", "'\uff0bcmd"),
        ("x;=1+1", "x;'=1+1"),
        ("x; @SUM(A1)", "x;' @SUM(A1)"),
        ("x;\uff1d1", "x;'\uff1d1"),
        ("x;-1+cmd", "x;'-1+cmd"),
        ("UPDATE A; -- by hand", "UPDATE A; -- by hand"),
        ("-4.5", "-4.5"),
        ("plain", "plain"),
        (-3, -3),
    ],
)
def test_cell_is_never_a_formula(text: str | int, cell: str | int) -> None:
    assert csvout.cell(text) == cell
