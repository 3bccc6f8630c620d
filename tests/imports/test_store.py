"""The database of an import: types of values, and bounded memory."""

import errno
from datetime import datetime
from pathlib import Path
from typing import Any

import apsw
import pytest

from advisor.imports import store
from advisor.imports.store import Store, format_moment
from advisor.imports.texts import import_texts
from tests.support.paths import FIXTURES


def stored(folder: Path, source: str, column: str, values: list[Any]) -> list[Any]:
    """Return the values of a column after all of them were fitted to its type."""
    database = Store(folder / "rows")
    for value in values:
        database.add_row(0, source, {column: value})
    database.complete()
    found = [value for (value,) in database.connection.execute(f"SELECT {column} FROM F_{source} ORDER BY ROWID")]
    database.connection.close()
    return found


@pytest.mark.parametrize(
    ("value", "number"),
    [
        *(("12", 12), (" 12 ", 12), ("+5", 5), ("-0", 0), ("1e3", 1000), (7, 7), ("12.0", 12), (12.5, 13)),
        *(("12.5", 13), ("-12.5", -13), ("12.49", 12), (".5", 1), ("32767.4", 32767)),
        *((text, None) for text in ("", "a lot", "1,5", "12abc", "0x10", "\uff15", "true", "inf", "nan", "1e999")),
        *((text, None) for text in ("32768", "-32769", "32767.5", "1e30", str(1 << 63), str(1 << 70))),
        *((number, None) for number in (1 << 63, 1 << 70, None)),
    ],
)
def test_integer_is_rounded_or_absent(tmp_path: Path, value: Any, number: int | None) -> None:
    assert stored(tmp_path, "tablespace", "MEMBER", ["1", value, "2"]) == [1, number, 2]


def test_bigint_keeps_all_64_bits(tmp_path: Path) -> None:
    values = [str((1 << 63) - 1), str(-(1 << 63)), str(1 << 63)]
    assert stored(tmp_path, "tablespace", "TBSP_USED_PAGES", values) == [(1 << 63) - 1, -(1 << 63), None]


@pytest.mark.parametrize(
    ("value", "number"),
    [
        *(("12", 12.0), (" 0.5 ", 0.5), ("5.", 5.0), ("1E5", 1e5), ("0.985000", 0.985), (2.5, 2.5), ("1e-5", 1e-5)),
        *((text, None) for text in ("", "n/a", "1,5", "inf", "-Infinity", "nan", "1e999", "-1e999")),
    ],
)
def test_double_is_finite_or_absent(tmp_path: Path, value: Any, number: float | None) -> None:
    assert stored(tmp_path, "cat_tablespace", "OVERHEAD", ["1", value]) == [1.0, number]


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2026-03-02 09:15:42", "2026-03-02 09:15:42"),
        ("2026-03-02T09:15:42.120000", "2026-03-02 09:15:42.12"),
        (" 2026-03-02 09:15:42.000000 ", "2026-03-02 09:15:42"),
        ("2026-03-02 09:15:42+01:00", "2026-03-02 09:15:42"),
        *((text, None) for text in ("", "2026-02-30 00:00:00", "infinity", "noon")),
    ],
)
def test_time_is_in_the_form_of_captures(tmp_path: Path, text: str, moment: str | None) -> None:
    assert stored(tmp_path, "database", "DB_CONN_TIME", [text]) == [moment]


def test_time_on_the_hour_keeps_its_zeros() -> None:
    assert format_moment(datetime(2026, 3, 2, 10)) == "2026-03-02 10:00:00"


def test_large_number_keeps_its_neighbours_in_order(tmp_path: Path) -> None:
    assert stored(tmp_path, "tablespace", "TBSP_ID", ["1", 1 << 70, "3", 1 << 71, "5"]) == [1, None, 3, None, 5]


def test_rows_that_exceed_the_cache_are_on_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "MEMORY", 1 << 20)
    database = Store(tmp_path / "rows")
    database.add(
        0, "statement", ["EXECUTABLE_ID", "STMT_TEXT"], ((f"{number:x}", "x" * 200) for number in range(60_000))
    )
    used, _ = database.connection.status(apsw.SQLITE_DBSTATUS_CACHE_USED)
    assert used < 2 << 20
    assert (tmp_path / "rows").stat().st_size > 10 << 20
    assert database.connection.execute("SELECT COUNT(*), COUNT(DISTINCT EXECUTABLE_ID) FROM F_statement").get == (
        60_000,
        60_000,
    )
    database.connection.close()


def test_full_disk_is_an_error_of_the_system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fill(*_: Any) -> None:
        raise apsw.FullError("database or disk is full")

    monkeypatch.setattr(Store, "complete", fill)
    with pytest.raises(OSError, match="No space left") as raised:
        import_texts([FIXTURES / "imports" / "db2mtrk.txt"], tmp_path)
    assert raised.value.errno == errno.ENOSPC
