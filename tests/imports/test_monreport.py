"""Reports of module MONREPORT."""

from datetime import datetime
from pathlib import Path

import pytest

from advisor.capture.manifest import UNNAMED
from advisor.imports.known import Known
from advisor.imports.texts import import_texts
from tests.imports.reading import reading
from tests.support.paths import FIXTURES

LOCKS = (FIXTURES / "imports" / "monreport-lockwait.txt").read_text(encoding="utf-8")
TEXT = (FIXTURES / "imports" / "monreport-dbsummary.txt").read_text(encoding="utf-8")


def test_summary_has_totals_of_its_interval() -> None:
    found = reading(TEXT)
    [row], [report] = found.rows["workload"], found.reports
    assert (row["TOTAL_RQST_TIME"], row["TOTAL_WAIT_TIME"], row["LOCK_WAIT_TIME"]) == ("1998204", "1420311", "741002")
    assert (row["TOTAL_APP_COMMITS"], row["ROWS_READ"], row["SORT_OVERFLOWS"]) == ("41204", "5120334", "402")
    assert row["TOTAL_CPU_TIME"] == "402110400"
    assert (report.database, report.seconds, report.taken_at) == ("SHOP", 300, datetime(2026, 3, 2, 10, 35, 24))


def test_short_interval_is_not_used() -> None:
    found = reading(TEXT.replace("monitored:                       300", "monitored:                       59"))
    assert found.rows == {}
    assert any("shorter than 60 seconds" in (item.why or "") for item in found.ranges)


def test_interval_of_a_minute_is_used() -> None:
    found = reading(TEXT.replace("monitored:                       300", "monitored:                       60"))
    assert "workload" in found.rows


def test_second_part_is_not_used() -> None:
    text = TEXT + "  LOG_BUFFER_WAIT_TIME      = 17\n"
    assert "LOG_BUFFER_WAIT_TIME" not in reading(text).rows["workload"][0]


def test_other_report_is_only_recognized() -> None:
    assert reading("Monitoring report - connections\nDatabase: SHOP\nLOCK_WAIT_TIME = 5\n").rows == {}


@pytest.mark.parametrize("name", ["SHOP; reboot", "$(reboot)", "MY_DATABASE"])
def test_name_that_no_database_has_is_replaced(name: str, tmp_path: Path) -> None:
    given, target = tmp_path / "given", tmp_path / "made"
    given.write_text(TEXT.replace("SHOP", name), encoding="utf-8")
    target.mkdir()
    result = import_texts([given], target, Known())
    assert result.unnamed[0] == f"database ({UNNAMED['database']} is used)"
    assert name not in (target / "manifest.json").read_text(encoding="utf-8")


@pytest.mark.parametrize("title", ["connection", "current applications", "current SQL", "package cache"])
def test_other_report_is_named_in_its_reason(title: str) -> None:
    found = reading(f"Monitoring report - {title}\nDatabase: SHOP\nLOCK_WAIT_TIME = 5\n")
    assert found.rows == {}
    assert any(f"MONREPORT, {title}" in (item.why or "") for item in found.ranges)


def test_lock_waits_have_holder_modes_and_length() -> None:
    found = reading(LOCKS)
    first, _, last = found.rows["lock_pair"]
    assert (first["WAITER"], first["HOLDER"], first["WAIT_S"]) == ("4720", "4711", "46")
    assert (first["MODE_REQUESTED"], first["MODE_HELD"]) == ("NS", "X")
    assert (last["WAITER"], last["HOLDER"], last["WAIT_S"]) == ("4740", "4733", "4")
    [report] = [report for report in found.reports if report.format == "MONREPORT"]
    assert (report.database, report.taken_at) == ("SHOP", datetime(2026, 3, 4, 11, 20, 45))


def test_lock_wait_without_details_has_no_length() -> None:
    rows = reading(LOCKS[: LOCKS.index("Part 2")]).rows["lock_pair"]
    assert ["WAIT_S" in row for row in rows] == [False] * 3


def test_lock_wait_without_known_holder_is_omitted() -> None:
    assert (
        len(reading(LOCKS.replace("4733             X      ROW", "-                X      ROW")).rows["lock_pair"]) == 2
    )
