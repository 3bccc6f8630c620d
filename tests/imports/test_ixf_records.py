"""Records of PC/IXF: each column type, rows of several records, and contents that EXPORT never writes."""

import io
import json
import struct
from contextlib import suppress
from datetime import datetime
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from advisor.imports.formats.ixf_records import DamagedError, Table
from tests.support.ixf import (
    BIGINT,
    BITS,
    BLOB,
    CHAR,
    CLOB,
    DATE,
    DECFLOAT,
    DECIMAL,
    FLOAT,
    INTEGER,
    SMALLINT,
    TIME,
    TIMESTAMP,
    VARCHAR,
    ixf,
)
from tests.support.paths import FIXTURES

SAMPLE = FIXTURES / "ixf" / "types.ixf"
MOMENT = datetime(2026, 3, 2, 10, 0, 0, 125000)


def rows(content):
    table = Table(io.BytesIO(content))
    return list(table.rows(table.columns))


@pytest.mark.parametrize(
    ("kind", "length", "value", "text"),
    [
        (SMALLINT, 2, -32768, "-32768"),
        (INTEGER, 4, 2**31 - 1, "2147483647"),
        (BIGINT, 8, -(2**63), "-9223372036854775808"),
        (FLOAT, 8, 0.1, "0.1"),
        (FLOAT, 8, -2.5e300, "-2.5e+300"),
        (DECIMAL, 502, Decimal("-123.45"), "-123.45"),
        (DECIMAL, 502, Decimal("0.05"), "0.05"),
        (DECIMAL, 1000, Decimal(7), "7"),
        (DECIMAL, 3131, Decimal("0.1234567890123456789012345678901"), "0.1234567890123456789012345678901"),
        (DATE, 0, "2026-02-28", "2026-02-28"),
        (TIME, 0, "23.59.01", "23:59:01"),
        (TIMESTAMP, 6, MOMENT, "2026-03-02 10:00:00.125000"),
        (TIMESTAMP, 6, MOMENT.replace(microsecond=0), "2026-03-02 10:00:00"),
        (CHAR, 8, "OPEN", "OPEN"),
        (VARCHAR, 30, "Größe 表 ", "Größe 表"),
        (VARCHAR, 30, "", ""),
        (CLOB, 200, "SELECT 1\nFROM T", "SELECT 1\nFROM T"),
        (BITS, 4, b"\x01\0\xfe\x20", "0100FE20"),
        (BLOB, 4, b"\0\xff", "00FF"),
        (DECFLOAT, 16, b"", None),
    ],
)
def test_a_value_of_each_type(kind, length, value, text):
    columns = [("BEFORE", INTEGER, 4), ("X", kind, length), ("BEHIND", VARCHAR, 9)]
    assert rows(ixf(columns, [[1, value, "a"], [2, None, "b"]])) == [["1", text, "a"], ["2", None, "b"]]


@pytest.mark.parametrize(("page", "text"), [(850, "Größe"), (1252, "Größe"), (943, "表"), (1386, "表")])
def test_code_pages(page, text):
    encoded = {943: 932, 1386: 936}.get(page, page)
    content = ixf([("X", VARCHAR, 20)], [[text]], page=encoded)
    assert rows(content.replace(b"%05d" % encoded, b"%05d" % page)) == [[text]]


def test_an_unknown_code_page_keeps_what_is_in_ascii():
    content = ixf([("X", VARCHAR, 20)], [["SHOP"]], page=850).replace(b"00850", b"09999")
    assert rows(content) == [["SHOP"]]


def test_a_row_of_several_records():
    columns = [("A", CLOB, 32000), ("B", CLOB, 32000), ("C", INTEGER, 4)]
    content = ixf(columns, [["a" * 32000, "b", 1], [None, "c" * 32000, 2]], closed=True)
    assert content.count(b"D002    ") == 2
    assert rows(content) == [["a" * 32000, "b", "1"], [None, "c" * 32000, "2"]]


def test_only_the_columns_that_are_asked_for_in_that_order():
    table = Table(io.BytesIO(ixf([("A", INTEGER, 4), ("B", CLOB, 32000), ("C", CLOB, 32000)], [[1, "b", "c"]])))
    assert list(table.rows([table.columns[2], table.columns[0]])) == [["c", "1"]]


def test_the_last_column_need_not_fill_its_place():
    content = ixf([("A", INTEGER, 4), ("B", VARCHAR, 20)], [[1, "b"]])
    end = content.index(b"D001")
    short = content[end : end + 8 + 6 + 2 + 2 + 1]
    assert rows(content[: end - 6] + b"%06d" % len(short) + short) == [["1", "b"]]
    assert rows(content[: end - 6] + b"%6d" % len(short) + short) == [["1", "b"]]


def test_records_of_applications_are_skipped():
    content = ixf([("A", INTEGER, 4)], [[1], [2]])
    for mark in (b"T010", b"C001", b"D001"):
        at = content.rindex(mark) - 6
        content = content[:at] + b"000013ASomebodyElse" + content[at:]
    assert rows(content) == [["1"], ["2"]]


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        (b"HIXF0002", b"HIXF0001", "version 0002"),
        (b"MPC   ", b"M370  ", "PC format"),
        (b"D001", b"D002", "part 2 of a row instead of part 1"),
        (b"D001    \0\0", b"D001    \0\1", "neither null nor a value"),
        (b"C001A", b"X001A", "a record C is missing"),
        (b"\x12\x34\x5c", b"\x12\x34\x56", "not a packed number"),
        (b"\x03\0abc", b"\x99\0abc", "cut off"),
        (b"00502001", b"     001", "a column without its length"),
        (b"000020D", b"0000zzD", "no length"),
    ],
)
def test_damage_is_one_line(old, new, why):
    content = ixf([("A", DECIMAL, 502), ("B", VARCHAR, 3)], [[Decimal("123.45"), "abc"]])
    assert old in content
    damaged = content.replace(old, new, 1)
    with pytest.raises(DamagedError, match=why) as raised:
        rows(damaged)
    assert "\n" not in str(raised.value)


def test_a_cut_file_keeps_its_whole_rows():
    table = Table(io.BytesIO(ixf([("A", INTEGER, 4)], [[1], [2]])[:-1]))
    found = table.rows(table.columns)
    assert (next(found), table.number) == (["1"], 1)
    with pytest.raises(DamagedError, match="ends within a record"):
        next(found)


@settings(max_examples=60)
@given(st.lists(st.tuples(st.integers(0, 40_000), st.binary(max_size=6)), min_size=1, max_size=4))
def test_whatever_the_damage_nothing_else_is_raised(damage):
    content = bytearray(SAMPLE.read_bytes())
    for at, data in damage:
        content[at % len(content) : at % len(content) + len(data)] = data
    with suppress(DamagedError):
        rows(bytes(content))


def test_the_sample_gives_what_another_reader_found_in_it():
    """types.json is the result of db2ixf 0.16.1, with decimal numbers rounded to their two digits."""
    expected = json.loads(SAMPLE.with_suffix(".json").read_text(encoding="utf-8"))
    table = Table(io.BytesIO(SAMPLE.read_bytes()))
    found = [
        dict(zip([column.name for column in table.columns], row, strict=True)) for row in table.rows(table.columns)
    ]
    assert len(found) == len(expected) > 1
    for row, other in zip(found, expected, strict=True):
        assert {name: row[name] for name in other} == other


def test_numbers_of_a_float_of_four_bytes():
    content = ixf([("A", FLOAT, 4), ("B", INTEGER, 4)], [[0.5, 1]])
    at = content.index(b"D001") + 8
    short = content[: at + 2] + struct.pack("<f", 0.5) + bytes(4) + content[at + 10 :]
    assert rows(short) == [["0.5", "1"]]
