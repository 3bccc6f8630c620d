"""``db2pd`` -tcbstats and -utilities."""

import pytest

from tests.imports.reading import reading, reasons
from tests.support.paths import FIXTURES

TEXT = (FIXTURES / "imports" / "db2pd-tcbstats.txt").read_text(encoding="utf-8")
TABLES, UTILITIES = TEXT.split("$ db2pd -utilities\n")


def tables(text: str) -> list[tuple[str, str]]:
    return [(row["TABNAME"], row["DATA_PARTITION_ID"]) for row in reading(text).rows.get("table", [])]


def test_counters_have_names_and_table_space() -> None:
    found = reading(TABLES)
    row = found.rows["table"][0]
    assert (row["TABSCHEMA"], row["TABNAME"], row["TBSP_ID"]) == ("SHOP", "ORDERS", "4")
    assert (row["TABLE_SCANS"], row["ROWS_READ"], row["OVERFLOW_ACCESSES"]) == ("412", "91204410", "12044107")
    assert (row["ROWS_INSERTED"], row["ROWS_UPDATED"], row["ROWS_DELETED"]) == ("81200", "96412", "4432")
    assert {report.counts for report in found.reports if report.format == "db2pd"} == {"since"}


def test_catalog_temporary_and_unused_tables_are_omitted() -> None:
    assert tables(TABLES) == [("ORDERS", "0"), ("SALES", "0"), ("SALES", "1")]


def test_name_that_may_be_cut_is_not_used() -> None:
    assert any("may be cut" in why for why in reasons(TABLES))
    assert ("STOCK", "0") in tables(TABLES.replace("WAREHOUS", "STORE   "))


def test_counters_without_table_space_are_not_used() -> None:
    text = TABLES[: TABLES.index("TCB Table Information")] + TABLES[TABLES.index("TCB Table Stats") :]
    assert tables(text) == []
    assert any("add 'TCB Table Information'" in why for why in reasons(text))


def test_section_without_heading_is_recognized() -> None:
    assert tables(TABLES[TABLES.index("TCB Table Information") :])[0] == ("ORDERS", "0")


@pytest.mark.parametrize("width", [100, 140, 155])
def test_wrapped_table_is_refused(width: int) -> None:
    wrapped = "\n".join(
        line[at : at + width] for line in TABLES.splitlines() for at in range(0, max(1, len(line)), width)
    )
    assert tables(wrapped) == []
    assert any("wrapped" in why for why in reasons(wrapped))


def test_section_after_the_counters_is_read() -> None:
    assert reading(TEXT).rows["utility"]


def test_utility_has_type_start_and_database() -> None:
    found = reading(UTILITIES)
    [row] = found.rows["utility"]
    assert (row["UTILITY_TYPE"], row["UTILITY_START_TIME"]) == ("BACKUP", "2026-03-04 01:30:02")
    assert [report.database for report in found.reports if report.database] == ["SHOP"]


def test_utility_without_valid_start_is_omitted() -> None:
    assert reading(UTILITIES.replace("Mar  4 01:30:02 2026 SHOP", "Mar 44 01:30:02 2026 SHOP")).rows == {}


def test_list_of_edus_is_named_in_its_reason() -> None:
    heading = "Database Member 0 -- Active -- Up 0 days 00:07:31 -- Date 2026-03-04-11.20.52.204417\n\n"
    text = f"{heading}List of all EDUs for database member 0\n\ndb2sysc PID: 5120\n"
    assert reasons(text) == ["the section 'EDUs' of db2pd contains nothing that advice needs"]


def test_no_utility_gives_no_row() -> None:
    assert reading("".join(line for line in UTILITIES.splitlines(True) if line[:2] != "0x")).rows == {}
