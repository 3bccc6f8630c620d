"""Every kind of value in every spelling, and its value in a column."""

import pytest

from advisor.catalogue.sources import Column
from advisor.imports.cells import find_form, form_of, member


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [
        ("BIGINT", " 12 ", "12"),
        ("BIGINT", "+5", "5"),
        ("BIGINT", "-1", "-1"),
        ("BIGINT", "1,234,567", "1234567"),
        ("BIGINT", "1\t\t//lock escalations", "1"),
        ("BIGINT", "1.234", "1234"),
        ("BIGINT", "7.0000", "7"),
        ("BIGINT", "12.5", None),
        ("BIGINT", "\u0663", None),
        ("INTEGER", "Not Collected", None),
        ("SMALLINT", "-", None),
        ("DOUBLE", "0,14", "0.14"),
        ("DOUBLE", "+9.00000000000000E-001", "0.9"),
        ("DOUBLE", "1E999", None),
        ("TIMESTAMP", "2026-03-02-10.05.00.000000", "2026-03-02 10:05:00"),
        ("TIMESTAMP", "03/02/2026 10:05:00.123456", "2026-03-02 10:05:00.123456"),
        ("TIMESTAMP", "yesterday", None),
        ("VARCHAR(128)", " TS 1 ", "TS 1"),
        ("VARCHAR(128)", "n/a", None),
    ],
)
def test_the_type_of_the_column_decides(kind: str, text: str, value: str | None) -> None:
    assert form_of(Column("A", "gauge", kind, "T.A"))(text) == value


@pytest.mark.parametrize(
    ("how", "text", "value"),
    [
        ("hex", "x'01af'", "01AF"),
        ("hex", "x'01ag'", None),
        ("level", "DB2 v11.5.8.0", "11.5.8.0"),
        ("platform", "LINUXX8664", "Linux"),
        ("sec.ns", "12.345678900", "12345"),
        ("sec.ns", "-1.0", None),
        ("times 1024", "3", "3072"),
        ("times 1024", "-1", "-1"),
        ("D=DMS S=SMS", "S", "SMS"),
        ("D=DMS S=SMS", "X", None),
        ("", "- ", None),
    ],
)
def test_word_next_to_the_column_may_decide(how: str, text: str, value: str | None) -> None:
    assert find_form(how)(text) == value


@pytest.mark.parametrize(("text", "value"), [(" 0003", "3"), ("12345", None), ("-1", None), ("all", None)])
def test_members_are_numbers_of_four_digits(text: str, value: str | None) -> None:
    assert member(text) == value
