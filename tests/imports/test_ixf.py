"""The files of a db2mon export: each file's source, and damaged files."""

import io
from datetime import datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from advisor.imports.formats.ixf import is_ixf, read_ixf
from advisor.imports.readings import SINCE, Readings
from tests.imports.reading import RecordedReadings
from tests.support.ixf import BIGINT, BITS, CHAR, CLOB, SMALLINT, TIMESTAMP, VARCHAR, Column, ixf

WORKLOAD: list[Column] = [
    ("TS", TIMESTAMP, 6),
    ("WORKLOAD_NAME", VARCHAR, 128),
    ("WORKLOAD_ID", BIGINT, 8),
    ("MEMBER", SMALLINT, 2),
    *[
        (name, BIGINT, 8)
        for name in (
            *("TOTAL_RQST_TIME", "TOTAL_CPU_TIME", "TOTAL_WAIT_TIME", "TOTAL_ACT_TIME", "ACT_COMPLETED_TOTAL"),
            *("POOL_READ_TIME", "POOL_WRITE_TIME", "PREFETCH_WAIT_TIME", "PREFETCH_WAITS", "DIRECT_READ_TIME"),
            *("DIRECT_WRITE_TIME", "LOG_DISK_WAIT_TIME", "LOG_DISK_WAITS_TOTAL", "LOG_BUFFER_WAIT_TIME"),
            *("LOCK_WAIT_TIME", "LOCK_WAITS", "DEADLOCKS", "FCM_RECV_WAIT_TIME", "FCM_SEND_WAIT_TIME"),
            *("TOTAL_SORTS", "SORT_OVERFLOWS", "TOTAL_HASH_JOINS", "HASH_JOIN_OVERFLOWS", "ROWS_READ"),
            *("ROWS_RETURNED", "ROWS_MODIFIED", "SELECT_SQL_STMTS", "UID_SQL_STMTS", "TOTAL_APP_COMMITS"),
            *("TOTAL_APP_ROLLBACKS", "PKG_CACHE_LOOKUPS", "PKG_CACHE_INSERTS", "CAT_CACHE_LOOKUPS", "TOTAL_LOADS"),
            *("TOTAL_REORGS", "TOTAL_RUNSTATS"),
        )
    ],
]
STATEMENT: list[Column] = [
    ("TS", TIMESTAMP, 6),
    ("MEMBER", SMALLINT, 2),
    ("EXECUTABLE_ID", BITS, 32),
    *[
        (name, BIGINT, 8)
        for name in ("NUM_EXECUTIONS", "STMT_EXEC_TIME", "ROWS_READ", "ROWS_RETURNED", "TOTAL_SORTS", "SORT_OVERFLOWS")
    ],
    ("STMT_TEXT", CLOB, 32000),
]
TABLE: list[Column] = [
    ("TS", TIMESTAMP, 6),
    *[(name, VARCHAR, 128) for name in ("TABSCHEMA", "TABNAME")],
    ("MEMBER", SMALLINT, 2),
    ("TAB_TYPE", VARCHAR, 14),
    ("DATA_PARTITION_ID", BIGINT, 8),
    ("TAB_ORGANIZATION", CHAR, 1),
    *[(name, BIGINT, 8) for name in ("TBSP_ID", "TABLE_SCANS", "ROWS_READ", "ROWS_INSERTED", "ROWS_UPDATED")],
]
BEGIN = datetime(2026, 3, 2, 10, 0, 0, 125000)


def _workload(at: datetime, total: int) -> bytes:
    counters: list[object] = [total, *range(2, len(WORKLOAD) - 3)]
    return ixf(WORKLOAD, [[at, "SYSDEFAULTUSERWORKLOAD", 1, member, *counters] for member in (0, 1)])


Read = tuple[Readings, dict[str, list[dict[str, str]]]]


def _read(tmp_path: Path, files: dict[str, bytes]) -> Read:
    readings = RecordedReadings(tmp_path)
    for name, content in files.items():
        read_ixf(name, io.BytesIO(content), readings)
    readings.close()
    return readings, readings.given


def _whys(readings: Readings) -> list[str]:
    return [item.why for item in readings.ranges if item.why is not None]


@pytest.mark.parametrize(
    ("head", "known"),
    [(_workload(BEGIN, 1)[:20], True), (b"REPORT STARTS HERE", False), (b"", False), (b"000050H", False)],
)
def test_ixf_is_known_by_its_first_record(head: bytes, known: bool) -> None:
    assert is_ixf(head) is known


@pytest.mark.parametrize("closed", [False, True])
def test_a_file_becomes_rows_of_the_source_with_its_columns(tmp_path: Path, closed: bool) -> None:
    row: list[object] = [BEGIN, 0, bytes(range(224, 256)), 100, 5000, 7, 3, None, 1, "SELECT 1 FROM T"]
    readings, rows = _read(tmp_path, {"export/mon_get_pkg_cache_stmt_end.ixf": ixf(STATEMENT, [row], closed)})
    assert rows["statement"] == [
        {
            **{"REPORT": "0", "EXECUTABLE_ID": bytes(range(224, 256)).hex().upper(), "MEMBER": "0"},
            **{"NUM_EXECUTIONS": "100", "STMT_EXEC_TIME": "5000", "ROWS_READ": "7", "ROWS_RETURNED": "3"},
            "SORT_OVERFLOWS": "1",
        }
    ]
    assert not _whys(readings)


def test_start_and_end_are_two_reports(tmp_path: Path) -> None:
    end = BEGIN.replace(second=30)
    table = ixf(TABLE, [[BEGIN, "APP", "ORDERS", 0, "USER_TABLE", None, "R", 4, 1, 2, 3, 4]])
    readings, rows = _read(
        tmp_path,
        {
            "x/mon_get_workload_start.ixf": _workload(BEGIN, 1000),
            "x/mon_get_workload_end.ixf": _workload(end, 5000),
            "x/mon_get_table_start.ixf": table,
            "y/mon_get_workload_end.ixf": _workload(end, 7000),
        },
    )
    assert [(item.taken_at, item.counts) for item in readings.reports] == [(BEGIN, SINCE), (end, SINCE), (end, SINCE)]
    assert [(row["REPORT"], row["MEMBER"], row["TOTAL_RQST_TIME"]) for row in rows["workload"]] == [
        *[("0", member, "1000") for member in "01"],
        *[("1", member, "5000") for member in "01"],
        *[("2", member, "7000") for member in "01"],
    ]
    assert rows["table"][0]["REPORT"] == "0"


def test_a_source_is_not_filled_with_what_it_leaves_out(tmp_path: Path) -> None:
    rows: list[list[object]] = [
        [BEGIN, "APP ", "ORDERS", 0, "USER_TABLE", None, "R", 4, 1, 2, 3, 4],
        [BEGIN, "SYSIBM", "SYSTABLES", 0, "CATALOG_TABLE", None, "R", 0, 1, 2, 3, 4],
    ]
    _, found = _read(tmp_path, {"mon_get_table_end.ixf": ixf(TABLE, rows)})
    assert [(row["TABSCHEMA"], row["DATA_PARTITION_ID"]) for row in found["table"]] == [("APP", "0")]


@pytest.mark.parametrize(
    "columns",
    [
        pytest.param([("MEMBER", SMALLINT, 2), ("LOCK_NAME", VARCHAR, 32)], id="locks"),
        pytest.param([item for item in WORKLOAD if item[0] != "WORKLOAD_NAME"], id="without its key"),
        pytest.param(
            [("MEMBER", SMALLINT, 2), ("MEMORY_SET_TYPE", VARCHAR, 32), ("DB_NAME", VARCHAR, 128)], id="only a key"
        ),
    ],
)
def test_unknown_columns_are_reported(tmp_path: Path, columns: list[Column]) -> None:
    readings, rows = _read(tmp_path, {"a.ixf": ixf(columns, [])})
    assert not rows
    assert _whys(readings) == ["no source has the columns of this IXF file"]


@pytest.mark.parametrize("kept", [30, 1000, 5000, -3, -100])
def test_a_damaged_file_keeps_its_whole_rows(tmp_path: Path, kept: int) -> None:
    readings, rows = _read(tmp_path, {"mon_get_workload_end.ixf": _workload(BEGIN, 1000)[:kept]})
    assert len(_whys(readings)) == 1
    assert "damaged" in _whys(readings)[0]
    assert len(rows.get("workload", [])) == (1 if kept < 0 else 0)


@settings(max_examples=30)
@given(st.lists(st.tuples(st.integers(0, 40_000), st.binary(max_size=6)), min_size=1, max_size=4))
def test_no_damage_is_an_error(tmp_path_factory: pytest.TempPathFactory, damage: list[tuple[int, bytes]]) -> None:
    content = bytearray(_workload(BEGIN, 1000))
    for at, data in damage:
        content[at % len(content) : at % len(content) + len(data)] = data
    _, rows = _read(tmp_path_factory.mktemp("facts"), {"mon_get_workload_end.ixf": bytes(content)})
    assert len(rows.get("workload", [])) <= 2
