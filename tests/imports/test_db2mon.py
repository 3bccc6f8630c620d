"""Reports of db2mon, of several versions and in the forms in which people send them."""

import re
from collections.abc import Callable
from datetime import datetime
from functools import cache

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from advisor.catalogue.sources import all_sources
from advisor.imports.readings import INTERVAL
from tests.imports.printers.db2mon import large, printed, section
from tests.imports.reading import Rows, reading
from tests.machines import MACHINES
from tests.support.paths import FIXTURES

SAMPLES = FIXTURES / "imports"
SAMPLE = (SAMPLES / "db2mon-report.txt").read_text(encoding="utf-8")
OLD = (SAMPLES / "db2mon-titles.txt").read_text(encoding="utf-8")


def _merged(rows: Rows) -> dict[str, dict[tuple[str, ...], dict[str, str]]]:
    """Return the combined data of all rows of one report with the same key."""
    found: dict[str, dict[tuple[str, ...], dict[str, str]]] = {}
    for source, some in rows.items():
        keys = ["REPORT", *all_sources()[source].names("key")]
        for row in some:
            found.setdefault(source, {}).setdefault(tuple(row.get(key, "") for key in keys), {}).update(row)
    return found


def _section(title: str, header: str, *rows: str) -> str:
    return "\n".join(
        ["=" * 20, f" {title}  ", "=" * 20, "", header, *rows, "", f"  {len(rows)} record(s) selected.", ""]
    )


def test_rates_percentages_and_averages_become_counters_again() -> None:
    state = MACHINES["x445-8way"]()
    found = _merged(reading(printed(state)).rows)
    for row in state.sources["workload"]:
        again = found["workload"]["0", "ALL", str(row["MEMBER"])]
        for column in ("ACT_COMPLETED_TOTAL", "TOTAL_APP_COMMITS", "ROWS_RETURNED", "SELECT_SQL_STMTS"):
            assert int(again[column]) == pytest.approx(row[column], abs=0.1 * state.seconds)
        for column in ("POOL_READ_TIME", "PREFETCH_WAIT_TIME", "LOG_DISK_WAIT_TIME", "TOTAL_SECTION_SORT_PROC_TIME"):
            assert int(again[column]) == pytest.approx(row[column], abs=row["TOTAL_RQST_TIME"] / 10_000 + 1)
    for row in state.sources["tablespace"]:
        again = found["tablespace"]["0", row["TBSP_NAME"], str(row["MEMBER"])]
        assert int(again["POOL_READ_TIME"]) == pytest.approx(
            row["POOL_READ_TIME"], rel=0.01, abs=row["POOL_DATA_P_READS"]
        )
    for row in state.sources["bufferpool"]:
        again = found["bufferpool"]["0", row["BP_NAME"], str(row["MEMBER"])]
        assert int(again["POOL_DATA_LBP_PAGES_FOUND"]) == pytest.approx(
            row["POOL_DATA_LBP_PAGES_FOUND"] * row["POOL_DATA_L_READS"]
            / max(1, row["POOL_DATA_L_READS"] + row["POOL_TEMP_DATA_L_READS"]),
            rel=0.01,
            abs=10,
        )  # fmt: skip


def test_what_a_report_is_about() -> None:
    (report,) = reading(SAMPLE).reports
    assert (report.counts, report.seconds, report.taken_at) == (INTERVAL, 300, datetime(2026, 3, 2, 9, 19, 2, 640117))
    assert (report.database, report.instance, report.host) == ("SHOP", "db2inst1", "shopdb1")
    assert (report.level, report.platform, report.topology) == ("11.5.8.0", "Linux", "single")


def test_an_old_report_has_titles_only() -> None:
    result = reading(OLD)
    (report,) = result.reports
    assert (report.seconds, report.taken_at) == (60, datetime(2014, 6, 11, 10, 0, 30, 500000))
    assert report.topology == "purescale"
    first = _merged(result.rows)["workload"]["0", "ALL", "0"]
    assert first["ROWS_MODIFIED"] == "660"  # the second of two columns with one name
    assert first["ACT_COMPLETED_TOTAL"] == "3000"
    assert (first["FCM_RECV_WAIT_TIME"], first["FCM_SEND_WAIT_TIME"]) == ("600", "400")
    assert result.rows["transaction_log"][1]["LOG_WRITES"] == "2900"
    space = _merged(result.rows)["tablespace"]["0", "TS_DATA", "0"]
    assert (space["FS_CACHING"], space["POOL_DATA_L_READS"]) == ("1", "90000")


# Forms in which people send reports; the content stays the same.
CHANGES: dict[str, Callable[[str], str]] = {
    "CRLF": lambda text: text.replace("\n", "\r\n"),
    "no lines of dashes": lambda text: re.sub(r"(?m)^[- ]*-[- ]*\n", "", text),
    "squeezed blanks": lambda text: re.sub(r" +", " ", text),
    "no indent": lambda text: re.sub(r"(?m)^ +", "", re.sub(r" +", " ", text)),
    "tabs": lambda text: re.sub(r"(?<=\S) {2,}(?=\S)", "\t", text),
    "blank lines between": lambda text: text.replace("\n", "\n\n"),
    "no blank lines": lambda text: re.sub(r"\n+", "\n", text),
    "no frames": lambda text: re.sub(r"(?m)^[=#*]+\n", "", text),
    "no counts of records": lambda text: re.sub(r"(?m)^.*record\(s\) selected\.\n", "", text),
    "repeated headings": lambda text: re.sub(r"(?m)^(MEMBER .*\n)(-.*\n)", r"\1\2\1\2", text),
    "a prompt before": lambda text: "$ ./db2mon.sh SHOP 30 > out.txt\n" + text,
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_what_a_report_says_is_not_in_its_shape(change: Callable[[str], str]) -> None:
    found, wanted = _merged(reading(change(SAMPLE)).rows), _merged(reading(SAMPLE).rows)
    if "------" not in change(SAMPLE):  # without them no line shows whether a statement's text was cut
        for row in wanted["statement"].values():
            del row["STMT_TEXT_LENGTH"]
    assert found == wanted


def test_several_reports_in_one_text() -> None:
    result = reading(SAMPLE + OLD + SAMPLE.replace("SHOP ", "BANK "))
    assert [report.database for report in result.reports] == ["SHOP", None, "BANK"]
    assert {row["REPORT"] for row in result.rows["workload"]} == {"0", "1", "2"}


def test_another_text_behind_a_report_is_not_its_own() -> None:
    result = reading(SAMPLE + "\n       Database Configuration for Database BANK\n\n (LOGPRIMARY) = 13\n")
    assert [report.format for report in result.reports] == ["db2mon", "get db cfg"]
    assert result.rows["dbcfg"][-1]["NAME"] == "logprimary"


def test_an_excerpt_is_known_by_a_column() -> None:
    result = reading("MEMBER TOTAL_RQST_TM TOTAL_WAIT_TM PCT_RQST_WAIT PCT_LOCK\n 0 1000 600 60.00 12.50\n")
    assert result.rows["workload"] == [
        {
            **{"REPORT": "0", "WORKLOAD_NAME": "ALL", "MEMBER": "0", "TOTAL_RQST_TIME": "1000"},
            **{"TOTAL_WAIT_TIME": "600", "LOCK_WAIT_TIME": "125"},
        }
    ]


@pytest.mark.parametrize(
    "line",
    ["Index operations", "Sequences information", "MEMBER TBSP_NAME POOL_DATA_P_READS", "select * from t", "a#b: c"],
)
def test_other_lines_start_no_report(line: str) -> None:
    assert "db2mon" not in {report.format for report in reading(f"{line}\n1 2 3\n").reports}


def _rows(source: str, text: str) -> list[dict[str, str]]:
    return list(_merged(reading(text).rows).get(source, {}).values())


SIZES = "MEMBER TBSP_NAME TBSP_ID TBSP_MB_HWM TBSP_EXTENT_SIZE"
READS = "MEMBER TBSP_NAME DATA_L_READS DATA_P_READS SYNC_DATA_P_READS DATA_HR"


@pytest.mark.parametrize(
    ("names", "cut", "whole"),
    [
        (["TS_ATTACHMENTS_OF_2025"], "TS_ATTACHMENTS_OF_20", "TS_ATTACHMENTS_OF_2025"),
        (["TS_ATTACHMENTS_OF_20"], "TS_ATTACHMENTS_OF_20", "TS_ATTACHMENTS_OF_20"),
        (["TS_ATTACHMENTS_OF_2025", "TS_ATTACHMENTS_OF_2026"], "TS_ATTACHMENTS_OF_20", None),
        ([], "TS_ATTACHMENTS_OF_20", None),
    ],
)
def test_a_cut_name_is_completed_or_not_used(names: list[str], cut: str, whole: str | None) -> None:
    io_times = _section(
        "TSP#DSKIO: Disk read and write I/O times", "MEMBER TBSP_NAME NUM_READS AVG_READ_TIME", f"0 {cut} 100 2.50"
    )
    sizes = _section("TSP#SIZE: Tablespace properties", SIZES, *(f"0 {name} 4 1.00 32" for name in names))
    result = reading(io_times + sizes)
    times = {
        row["TBSP_NAME"]: row["POOL_READ_TIME"] for row in result.rows.get("tablespace", []) if "POOL_READ_TIME" in row
    }
    assert times == ({whole: "250"} if whole else {})
    assert any("cut" in (item.why or "") for item in result.ranges) is (whole is None)


@pytest.mark.parametrize(
    ("type", "regular", "temporary"), [("L", "900", "0"), ("A", "900", "0"), ("T", "0", "900"), ("U", "0", "900")]
)
def test_reads_are_temporary_in_a_temporary_table_space(type: str, regular: str, temporary: str) -> None:
    text = _section("BPL#STATS: Bufferpool statistics by tablespace", READS, "0 TS1 900 9 9 99.00")
    text += _section("TSP#BPMAP: Tablespace to bufferpool mapping", "TBSP_NAME DATATYPE BPNAME", f"TS1 {type} BP1")
    row = next(row for row in _rows("tablespace", text) if "POOL_DATA_L_READS" in row)
    assert (row["POOL_DATA_L_READS"], row["POOL_TEMP_DATA_L_READS"]) == (regular, temporary)


def test_reads_of_a_table_space_of_unknown_kind_are_not_used() -> None:
    text = _section("BPL#STATS: Bufferpool statistics by tablespace", READS, "0 TS1 900 9 9 99.00")
    assert not _rows("tablespace", text)


@pytest.mark.parametrize(
    ("title", "header", "row", "source", "absent"),
    [
        ("DB#LOGWR: x", "MEMBER LOG_WRITE_MB_PER_S NUM_LOG_WRITE_IO", "0 0.0333 8", "transaction_log", "LOG_WRITES"),
        ("DB#SORT: x", "MEMBER TOTAL_SORTS SORT_OVERFLOWS", "0 5 -", "workload", "SORT_OVERFLOWS"),
        ("DB#SORT: x", "MEMBER TOTAL_SORTS SORT_OVERFLOWS", "0 5 -12", "workload", "SORT_OVERFLOWS"),
        ("DB#DLCKS: x", "MEMBER DEADLOCKS LOCK_ESCALS_MAXLOCKS", "0 1 n/a", "workload", "LOCK_ESCALS_MAXLOCKS"),
        ("DB#THRUP: x", "MEMBER ACT_PER_S CMT_PER_S", "0 5.0 6.0", "workload", "ACT_COMPLETED_TOTAL"),
        (
            *("TSP#DSKIO: x", "MEMBER TBSP_NAME NUM_WRITES DIRECT_READ_REQS AVG_DRCT_READ_TIME", "0 TS1 5 100 1.00"),
            *("tablespace", "DIRECT_READ_TIME"),
        ),
        ("BPL#SIZES: x", "MEMBER BP_NAME PAGESIZE NUM_PAGES", "0 BP_OF_THE_WAREHOUSE_ 4096 5", "bufferpool", "BP_NAME"),
        ("CFG#DB: x", "MEMBER NAME FLAGS CURRENT_VALUE", f"0 logpath AUTOMATIC {'/x' * 32}", "dbcfg", "NAME"),
    ],
)
def test_what_is_not_known_is_absent(title: str, header: str, row: str, source: str, absent: str) -> None:
    assert not any(absent in found for found in _rows(source, _section(title, header, row)))


def test_statements_with_one_text_are_not_mixed_up() -> None:
    rows = ["0 10 0.0 5.0 1.0 select 1", "0 20 0.0 7.0 1.0 select 1", "0 30 0.0 2.0 1.0 select 2"]
    text = _section(
        "SQL#TOPROWS: Row level statistics per stmt - top statements by execution time",
        "MEMBER NUM_EXEC AVG_ROWS_MOD AVG_ROWS_READ AVG_ROWS_RET STMT_TEXT",
        *rows,
    )
    text += _section("INF#EXPLN: x", "MEMBER EXECUTABLE_ID STMT_TEXT", "0 x'01' select 1", "0 x'02' select 2")
    assert [(row["EXECUTABLE_ID"], row["ROWS_READ"]) for row in _rows("statement", text)] == [("02", "60")]


def test_statement_is_merged_from_many_sections() -> None:
    first, second = _rows("statement", SAMPLE)
    assert first | {"REPORT": "0"} == {
        **{"REPORT": "0", "MEMBER": "0", "STMT_KEY": "1/2"},
        "EXECUTABLE_ID": "0100000000000000A10000000000000000000000020020260302091355118203",
        "STMT_TEXT": "SELECT O.ID, O.STATUS FROM SHOP.ORDERS O WHERE O.CUSTOMER = ?",
        "STMT_TEXT_LENGTH": "61",  # there is room for more
        **{"NUM_EXECUTIONS": "9000", "COORD_STMT_EXEC_TIME": "90000", "TOTAL_ACT_TIME": "90000"},
        **{"TOTAL_CPU_TIME": "35100000", "POOL_READ_TIME": "51300", "PREFETCH_WAIT_TIME": "2250"},
        **{"POOL_DATA_P_READS": "21600", "POOL_INDEX_P_READS": "2700"},
        **{"ROWS_READ": "1084500", "ROWS_RETURNED": "99000", "ROWS_MODIFIED": "0"},
        **{"TOTAL_SORTS": "1800", "TOTAL_SECTION_SORT_TIME": "1080"},  # averages of the executions of another section
    }
    assert second["LOCK_WAIT_TIME"] == "2700"
    # an average cut to 0.0 can be hundreds
    assert not {"SORT_OVERFLOWS", "POOL_INDEX_P_READS"} & second.keys()


def test_average_cut_to_zero_is_zero_if_done_seldom() -> None:
    title, header = "SQL#TOPIOSTA: x", "MEMBER NUM_EXEC AVG_D_PRD AVG_I_PRD STMT_TEXT"
    few, many = _rows("statement", _section(title, header, "0 9 0.0 5.0 select 1", "0 11 0.0 5.0 select 2"))
    assert (few["POOL_DATA_P_READS"], many.get("POOL_DATA_P_READS")) == ("0", None)


def test_a_statement_without_an_id_is_named_by_its_text() -> None:
    title, header = "SQL#TOPEXECT: x", "MEMBER NUM_EXEC COORD_STMT_EXEC_TIME STMT_TEXT"
    (row,) = _rows("statement", _section(title, header, "0 9 500 select 1"))
    assert row["EXECUTABLE_ID"].startswith("TEXT-")
    assert row["COORD_STMT_EXEC_TIME"] == "500"


def test_a_text_as_long_as_there_is_room_for_may_be_longer() -> None:
    header = "MEMBER NUM_EXEC COORD_STMT_EXEC_TIME STMT_TEXT"
    lines = section(
        "SQL#TOPEXECT: x", header, [[0, 9, 500, "select " + "x" * 193], [0, 9, 500, "values 1"]], (0, 0, 0, 200)
    )
    cut, whole = _rows("statement", "\n".join(lines))
    assert (cut.get("STMT_TEXT_LENGTH"), whole["STMT_TEXT_LENGTH"]) == (None, "8")


def test_latches_and_a_full_group_buffer_pool() -> None:
    (latch,) = _rows("latch", SAMPLE)
    assert latch["LATCH_NAME"] == "SQLO_LT_SQLB_BPD__bpdLatch_SX"
    assert (latch["TOTAL_EXTENDED_LATCH_WAIT_TIME"], latch["TOTAL_EXTENDED_LATCH_WAITS"]) == ("4200", "310")
    full = _section("CF#GBPFL: Count of group bufferpool full conditions", "MEMBER NUM_GBP_FULL", "0 7", "1 0")
    assert [(row["MEMBER"], row["NUM_GBP_FULL"]) for row in _rows("group_bufferpool", full)] == [("0", "7"), ("1", "0")]


def test_names_with_blanks_keep_their_place() -> None:
    lines = section(
        "IDX#OPS: Index operations",
        "MEMBER TABSCHEMA TABNAME INDNAME DATA_PART_ID IID INDEX_SCANS",
        [[0, "APP", "MY ORDERS", "IX 1", None, 2, 77], [1, "APP", "ORDERS", "IX2", 3, 2, 78]],
        (0, 16, 32, 32),
    )
    found = [(row["TABNAME"], row["DATA_PARTITION_ID"], row["INDEX_SCANS"]) for row in _rows("index", "\n".join(lines))]
    assert found == [("MY ORDERS", "0", "77"), ("ORDERS", "3", "78")]


@pytest.mark.parametrize(
    ("name", "schema", "scans", "found"),
    [
        ("ORDERS", "APP", "77", ("ORDERS", "APP", "77")),
        ("A,B", "APP", "77", ("A,B", "APP", "77")),
        ('A"B', '"APP"', "77", ('A"B', '"APP"', "77")),
        ("N" * 31, "S" * 15, "77", ("N" * 31, "S" * 15, "77")),
        ("ORDERS", "APP", "-", ("ORDERS", "APP", None)),
        ("ORDERS", "APP", "1.234.567", ("ORDERS", "APP", "1234567")),
        ("ORDERS", "APP", "-5", ("ORDERS", "APP", None)),
    ],
)
def test_an_odd_row_among_plain_ones_is_read(name: str, schema: str, scans: str, found: tuple[str | None, ...]) -> None:
    rows = [[member, schema, name, "IX", "-", 2, scans] for member in range(3)]
    rows[1:1] = [[0, "APP", f"T{number}", "IX", "-", 2, number] for number in range(3)]
    header = "MEMBER TABSCHEMA TABNAME INDNAME DATA_PART_ID IID INDEX_SCANS"
    text = "\n".join(section("IDX#OPS: Index operations", header, rows, (0, 16, 32, 32)))
    read = [
        (row["TABNAME"], row["TABSCHEMA"], row.get("INDEX_SCANS"), row["MEMBER"], row["IID"], row["DATA_PARTITION_ID"])
        for row in _rows("index", text)
    ]
    plain = [(f"T{number}", "APP", str(number), "0", "2", "0") for number in range(3)]
    assert sorted(map(str, read)) == sorted(map(str, plain + [(*found, str(member), "2", "0") for member in range(3)]))


@pytest.mark.parametrize(("name", "schema"), [("N" * 32, "APP"), ("ORDERS", "S" * 16), ("N/A", "APP"), ("-", "APP")])
def test_a_row_whose_name_is_cut_or_absent_is_not_used(name: str, schema: str) -> None:
    rows = [[0, "APP", "T", "IX", "-", 2, 7], [1, schema, name, "IX", "-", 2, 7], [2, "APP", "T", "IX", "-", 2, 7]]
    header = "MEMBER TABSCHEMA TABNAME INDNAME DATA_PART_ID IID INDEX_SCANS"
    text = "\n".join(section("IDX#OPS: Index operations", header, rows, (0, 16, 32, 32)))
    assert [row["MEMBER"] for row in _rows("index", text)] == ["0", "2"]


def test_tables_without_schema_are_reported() -> None:
    result = reading(SAMPLE)
    assert "table" not in result.rows
    assert "the key of its rows is not among its columns" in {item.why for item in result.ranges}


def test_a_large_report_is_read_whole() -> None:
    result = reading("".join(large(1.5)))
    assert len(result.rows["index"]) == len({(row["TABNAME"], row["MEMBER"]) for row in result.rows["index"]}) >= 2_000
    assert result.reports[0].seconds == 300


@cache
def _lines() -> list[str]:
    return (SAMPLE + OLD).splitlines()


_DERIVED = re.compile(r"(?:TEXT-[0-9A-F]{16}|\d+/\d+|0|ALL|NONE|ANY|LARGE|SYSTEMP|[012])")


@settings(max_examples=30)
@example([("delete", 0)] * 4 + [("cut", 485)], 487)  # a header with one name too many for its rows
@given(
    st.lists(st.tuples(st.sampled_from(["delete", "double", "cut", "squeeze"]), st.integers(0, 700)), max_size=12),
    st.integers(0, 700),
)
def test_garbled_reports_add_nothing(changes: list[tuple[str, int]], end: int) -> None:
    lines = list(_lines())
    for what, at in changes:
        place = at % len(lines)
        match what:
            case "delete":
                del lines[place]
            case "double":
                lines.insert(place, lines[place])
            case "cut":
                lines[place] = lines[place][: at % 50]
            case "squeeze":
                lines[place] = " ".join(lines[place].split())
    text = "\n".join(lines[: end + 1])
    columns = {source: {*all_sources()[source].names("key", "gauge", "hwm")} for source in all_sources()}
    for source, rows in reading(text).rows.items():
        for row in rows:
            for column, value in row.items():
                if column == "STMT_TEXT_LENGTH":
                    assert int(value) == len(row["STMT_TEXT"].encode())
                elif column in columns[source] and source not in ("memory_set", "system", "utility"):
                    assert value in text or _DERIVED.fullmatch(value)
