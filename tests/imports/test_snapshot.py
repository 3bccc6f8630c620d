"""Output of ``get snapshot for …``: the values, however it was taken and pasted, and the unused ones."""

import re
from datetime import datetime
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.imports.garbling import SPELLINGS
from tests.imports.printers.snapshot import large
from tests.imports.reading import Reading, Rows, reading
from tests.support.paths import FIXTURES

SAMPLES = FIXTURES / "imports"
ALL = (SAMPLES / "snapshot-all.txt").read_text(encoding="utf-8")
MANAGER = (SAMPLES / "snapshot-dbm.txt").read_text(encoding="utf-8")


@cache
def everything() -> Reading:
    return reading(ALL)


def section(heading: str) -> str:
    """Return one section of the sample."""
    return next(part for part in re.split(r"(?m)(?=^ +[\w ]+Snapshot)", ALL) if part.strip().startswith(heading))


def test_sections_of_one_database_and_moment_are_one_report() -> None:
    [report] = everything().reports
    assert (report.database, report.platform, report.member, report.counts) == ("SHOP", "Linux", 0, "since")
    assert report.taken_at == datetime(2026, 11, 4, 10, 30, 42, 550018)
    assert report.since == datetime(2026, 11, 2, 6, 0, 12, 104233)
    assert everything().rows["database"] == [
        {"REPORT": "0", "DB_CONN_TIME": "2026-11-02 06:00:12.104233", "UPTIME_S": "189030"},
        {
            **{"REPORT": "0", "SORT_SHRHEAP_TOP": "9120", "SORT_SHRHEAP_ALLOCATED": "310", "CAT_CACHE_OVERFLOWS": "0"},
            **{"PKG_CACHE_NUM_OVERFLOWS": "0", "LOCK_LIST_IN_USE": "131072"},
            **{"APPLS_CUR_CONS": "24", "CONNECTIONS_TOP": "61"},
            **{"LAST_BACKUP": "2026-11-03 23:00:05", "BACKED_UP": "1"},
        },
    ]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("workload", {"WORKLOAD_NAME": "ALL", "LOCK_WAITS": "812", "LOCK_WAIT_TIME": "48211", "ROWS_RETURNED": "9120441"}),
        ("transaction_log", {"LOG_WRITES": "2204118", "LOG_WRITE_TIME": "811204", "TOTAL_LOG_AVAILABLE": "1320401022"}),
        ("bufferpool", {"BP_NAME": "IBMDEFAULTBP", "MEMBER": "0", "BP_CUR_BUFFSZ": "400000", "POOL_READ_TIME": "2210440"}),
        ("tablespace", {"TBSP_NAME": "SYSCATSPACE", "TBSP_TYPE": "DMS", "FS_CACHING": "1", "POOL_READ_TIME": "140"}),
        ("cat_tablespace", {"TBSPACE": "SYSCATSPACE", "TBSPACETYPE": "D", "DATATYPE": "A", "PREFETCHSIZE": "-1"}),
        ("container", {"TBSP_NAME": "SYSCATSPACE", "CONTAINER_TYPE": "FILE_EXTENT_TAG", "ACCESSIBLE": "1"}),
        ("table", {"TABSCHEMA": "SHOP", "TABNAME": "ORDERS", "ROWS_READ": "70112044", "DATA_PARTITION_ID": "0"}),
    ],
)  # fmt: skip
def test_values(source: str, expected: dict[str, str]) -> None:
    row = everything().rows[source][0]
    assert {name: row.get(name) for name in expected} == expected


def test_what_only_seems_the_same_is_left_out() -> None:
    [workload] = everything().rows["workload"]
    for name in ("TOTAL_RQST_TIME", "POOL_READ_TIME", "LOCK_ESCALS_LOCKLIST", "POST_THRESHOLD_SORTS", "ROWS_MODIFIED"):
        assert name not in workload
    assert len(everything().rows["table"]) == 1  # without the catalog and temporary ones


def test_not_collected_is_absent() -> None:
    hidden = everything().rows["bufferpool"][1]
    assert hidden == {"REPORT": "0", "BP_NAME": "IBMSYSTEMBP8K", "MEMBER": "0", "BP_CUR_BUFFSZ": "16"}


def test_unused_parts_are_reported() -> None:
    reasons = {item.why: (item.first, item.last) for item in everything().ranges if item.why}
    assert sorted(why.split()[0] for why in reasons) == ["locks", "page", "the"]
    lines = ALL.splitlines()
    first, last = next(span for why, span in reasons.items() if why.startswith("page reads"))
    assert lines[first - 1].strip() == "Application Snapshot"
    assert "Dynamic SQL Snapshot Result" in lines[last]


UPDATE = "update orders\nset total = 5\nwhere id = 7"


def test_statements_are_named_by_their_text() -> None:
    update, select, unknown = everything().rows["statement"]
    assert all(re.fullmatch("TEXT-[0-9A-F]{16}", row["EXECUTABLE_ID"]) for row in (update, select, unknown))
    assert {name: value for name, value in update.items() if name not in ("REPORT", "EXECUTABLE_ID")} == {
        **{"STMT_TEXT": UPDATE, "STMT_TEXT_LENGTH": "40", "NUM_EXECUTIONS": "4", "ROWS_READ": "400"},
        **{"COORD_STMT_EXEC_TIME": "47", "TOTAL_CPU_TIME": "2142", "TOTAL_SORTS": "0", "SORT_OVERFLOWS": "0"},
        **{"TOTAL_SECTION_SORT_TIME": "0", "POOL_DATA_P_READS": "3", "POOL_INDEX_P_READS": "5"},
        "POOL_TEMP_DATA_P_READS": "0",
    }
    assert (select["SORT_OVERFLOWS"], select["TOTAL_CPU_TIME"]) == ("17", "1289322350")
    assert unknown.keys() == {"REPORT", "EXECUTABLE_ID", "STMT_TEXT", "STMT_TEXT_LENGTH"}


def _statement(executions: int, text: str) -> str:
    return f" Number of executions = {executions}\n Rows read = 5\n Statement text = {text}\n"


HEAD = "      Dynamic SQL Snapshot Result\n\n Database name = SHOP\n\n"


def test_statements_of_one_text_are_added_up() -> None:
    text = HEAD + _statement(4, UPDATE) + "\n" + _statement(1, "values 1") + _statement(6, UPDATE)
    found = reading(text)
    assert [(row["NUM_EXECUTIONS"], row["ROWS_READ"]) for row in found.rows["statement"]] == [("10", "10"), ("1", "5")]
    assert [report.database for report in found.reports] == ["SHOP"]


def test_a_text_with_an_empty_line_is_not_all_of_it() -> None:
    text = HEAD + _statement(4, "update orders\n\nset total = 5") + "\n" + _statement(1, "values 1")
    first, second = reading(text).rows["statement"]
    assert (first["STMT_TEXT"], first.get("STMT_TEXT_LENGTH")) == ("update orders", None)
    assert second["STMT_TEXT_LENGTH"] == "8"


def test_a_long_text_is_cut_to_what_a_source_holds() -> None:
    (row,) = reading(HEAD + _statement(4, "values '" + "\u00e4" * 3000 + "'")).rows["statement"]
    assert (len(row["STMT_TEXT"].encode()), row["STMT_TEXT_LENGTH"]) == (4000, "6009")


def test_behind_statements_comes_another_section() -> None:
    found = reading(HEAD + _statement(4, UPDATE) + "\n" + section("Tablespace Snapshot"))
    assert len(found.rows["statement"]) == 1
    assert len(found.rows["tablespace"]) == len(everything().rows["tablespace"])


def test_database_manager() -> None:
    found = reading(MANAGER)
    [report] = found.reports
    assert (report.instance, report.level, report.member, report.database) == ("db2inst1", "11.5.8.0", 0, None)
    assert report.since == datetime(2026, 11, 1, 5, 59, 58, 120331)
    assert found.rows == {"instance": [{"REPORT": "0", "AGENTS_FROM_POOL": "9120", "AGENTS_CREATED_EMPTY_POOL": "402"}]}


def test_several_partitions_make_an_instance_dpf() -> None:
    text = MANAGER.replace("partitions in DB2 instance  = 1", "partitions in DB2 instance  = 4")
    assert text != MANAGER
    assert reading(text).reports[0].topology == "dpf"


def test_counters_since_the_last_reset() -> None:
    found = reading(
        ALL.replace("Last reset timestamp                       =", "Last reset timestamp = 11/04/2026 10:20:42")
    )
    assert found.reports[0].since == datetime(2026, 11, 4, 10, 20, 42)
    assert found.rows["database"][0]["UPTIME_S"] == "600"
    assert found.rows["database"][0]["DB_CONN_TIME"] == "2026-11-02 06:00:12.104233"


def test_buffer_pools_count_since_when_their_database_says() -> None:
    later = section("Bufferpool Snapshot").replace("10:30:42", "10:30:43")
    found = reading(section("Database Snapshot") + later)
    assert [report.since for report in found.reports] == [datetime(2026, 11, 2, 6, 0, 12, 104233)] * 2
    assert reading(later).reports[0].since is None


def test_several_databases_and_moments() -> None:
    text = ALL + ALL.replace("SHOP", "STOCK") + ALL.replace("11/04/2026 10:30:42", "11/04/2026 10:35:42")
    found = reading(text)
    assert [(report.database, report.taken_at.minute) for report in found.reports if report.taken_at] == [
        ("SHOP", 30),
        ("STOCK", 30),
        ("SHOP", 35),
    ]
    assert [row["REPORT"] for row in found.rows["workload"]] == ["0", "1", "2"]


def _broken_behind_the_sign(text: str) -> str:
    return re.sub(r"^([^=\n]*[^=\s:][^=\n]*)= (\S[^=\n]*)$", r"\1=\n\2", text, flags=re.M)


FORMS = {
    **SPELLINGS,
    "no blanks at the sign": lambda text: re.sub(r" *= *", "=", text),
    "broken behind the sign": _broken_behind_the_sign,
    "broken before the sign": lambda text: re.sub(r" +(\(\w+\) *=)", r"\n\1", text),
    "broken before the time of day": lambda text: re.sub(r"(\d{4}) (\d\d:)", r"\1\n\2", text),
    "dates with dashes": lambda text: re.sub(r"(\d\d)/(\d\d)/(\d{4})", r"\1-\2-\3", text),
    "dates of ISO": lambda text: re.sub(r"(\d\d)/(\d\d)/(\d{4}) ", r"\3-\1-\2 ", text),
    "decimal commas": lambda text: re.sub(r"= (\d+)\.(\d{9})$", r"= \1,\2", text, flags=re.M),
    "thousands separators": lambda text: re.sub(r"= (\d{1,3})(\d{3})(\d{3})$", r"= \1.\2.\3", text, flags=re.M),
    "small letters": str.lower,
}


@pytest.mark.parametrize("name", FORMS)
def test_spellings(name: str) -> None:
    def folded(rows: Rows) -> Rows:
        if name != "small letters":
            return rows
        return {
            source: [{column: value.lower() for column, value in row.items()} for row in lines]
            for source, lines in rows.items()
        }

    used = re.sub(r"(?ms)^ +Application Snapshot.*?(?=^ +Tablespace Snapshot)", "", ALL)
    assert folded(reading(FORMS[name](used)).rows) == folded(reading(used).rows)


@pytest.mark.parametrize(
    ("cut", "source", "count"), [("Bufferpool name", "bufferpool", 2), ("Tablespace name", "tablespace", 2)]
)
def test_a_paste_may_begin_behind_the_heading(cut: str, source: str, count: int) -> None:
    found = reading(ALL[ALL.index(cut) :])
    assert len(found.rows[source]) == count


def test_a_repeated_heading_and_filtered_lines() -> None:
    lines = [line for line in ALL.splitlines() if re.search(r"Snapshot$|name  |timestamp|reads|  Container", line)]
    text = "\n".join([*lines[:1], *lines])
    found = reading(text)
    pools = {row["BP_NAME"]: row.get("POOL_DATA_L_READS") for row in found.rows["bufferpool"]}
    assert pools == {"IBMDEFAULTBP": "81234567"}  # only the other one's name is left
    assert [row["CONTAINER_ID"] for row in found.rows["container"]] == ["0", "0", "1"]


def test_other_formats_and_prompts_between() -> None:
    text = (
        f"$ db2 get snapshot for dbm\n{MANAGER}[i] DB2COMM=TCPIP\ndb2 => get snapshot for all on shop\n{ALL}"
        "\n       Database Configuration for Database SHOP\n\n Log buffer size (4KB) (LOGBUFSZ) = 2152\n"
    )
    found = reading(text)
    assert found.rows["registry"][0]["REG_VAR_VALUE"] == "TCPIP"
    assert found.rows["dbcfg"][0]["VALUE"] == "2152"
    assert {name: len(found.rows[name]) for name in ("instance", "workload", "bufferpool")} == {
        "instance": 1,
        "workload": 1,
        "bufferpool": 2,
    }


def test_text_behind_a_snapshot_is_not_taken_for_it() -> None:
    found = reading(section("Bufferpool Snapshot") + "\nDear all,\nthis is from today.\nRegards\nA. Person\n")
    assert found.ranges[-1].format is None


POOL = """
             Bufferpool Snapshot

Bufferpool name                            = BP8K
Database name                              = SHOP
Snapshot timestamp                         = 11/04/2026 10:30:42.550018
Buffer pool data logical reads             = 100
"""


def test_one_member_of_several() -> None:
    found = reading(
        f"{POOL}Node number                                = 3\n Current size                              = 5\n"
    )
    assert found.rows["bufferpool"] == [
        {"REPORT": "0", "BP_NAME": "BP8K", "MEMBER": "3", "BP_CUR_BUFFSZ": "5", "POOL_DATA_L_READS": "100"}
    ]


def test_sums_over_members_are_not_used() -> None:
    found = reading(f"{POOL}Node number = 0\n Current size = 5\nNode number = 1\n Current size = 6\n")
    assert found.rows["bufferpool"] == [
        {"REPORT": "0", "BP_NAME": "BP8K", "MEMBER": "0", "BP_CUR_BUFFSZ": "5"},
        {"REPORT": "0", "BP_NAME": "BP8K", "MEMBER": "1", "BP_CUR_BUFFSZ": "6"},
    ]
    assert found.reports[0].topology == "dpf"
    assert any(item.why and "sums" in item.why for item in found.ranges)
    logs = (
        "Node number = 0\nFile number of first active log = 1\nNode number = 1\nFile number of first active log = 1\n"
    )
    assert "workload" not in reading(section("Database Snapshot") + logs).rows


@pytest.mark.parametrize("at", [0, 500, 4000, 9000, 15000, 20000])
def test_truncated(at: int) -> None:
    found = reading(ALL[:at])
    for source, rows in found.rows.items():
        if source not in ("database", "transaction_log", "workload"):
            known = [row.items() for row in everything().rows[source]]
            assert all(any(row.items() <= whole for whole in known) for row in rows[:-1])


def test_a_large_text_has_all_its_rows() -> None:
    pieces = list(large(1))
    found = reading("".join(pieces))
    assert len(found.rows["tablespace"]) == 200 * len(pieces)
    assert len(found.rows["container"]) == 400 * len(pieces)
    assert {item.format for item in found.ranges if item.format} == {"get snapshot"}
    assert len(found.rows["statement"]) == 400 * len(pieces)
    assert len({item.why for item in found.ranges if item.why}) == 1  # applications


# Values that differ from the text: words of Db2, times in Db2's format, and values computed from two others.
FIXED = {"ALL", "DMS", "D", "ANY", "LARGE", "A", "L", "FILE_EXTENT_TAG", "NO_REBAL", "NORMAL", "0", "1", "-1"}
COMPUTED = {"REPORT", "DB_CONN_TIME", "UPTIME_S", "LOG_WRITE_TIME", "COORD_STMT_EXEC_TIME", "TOTAL_CPU_TIME"}
COMPUTED |= {"EXECUTABLE_ID", "STMT_TEXT_LENGTH", "LAST_BACKUP"}


@settings(max_examples=30)
@given(st.data())
def test_garbled_text_is_read_without_inventing(data: st.DataObject) -> None:
    lines = (ALL + MANAGER).splitlines()
    begin = data.draw(st.integers(0, len(lines)))
    part = lines[begin : begin + data.draw(st.integers(0, 250))]
    fates = data.draw(st.lists(st.sampled_from((0, 1, 1, 1, 1, 2)), min_size=len(part), max_size=len(part)))
    text = "\n".join(line for line, fate in zip(part, fates, strict=True) for _ in range(fate))
    text = text[: data.draw(st.integers(0, len(text)))]
    if data.draw(st.booleans()):
        text = re.sub(r" +", " ", text)
    for rows in reading(text).rows.values():
        for row in rows:
            for column, value in row.items():
                assert column in COMPUTED or value in FIXED or value in text


@pytest.mark.parametrize(
    "cut",
    [
        "Log space available to the database (Bytes)= 4000000\nLog space used by the database (Bytes)     = 36000000\n",
        "...\nLock list memory in use (Bytes)            = 6528\nDeadlocks detected                         = 0\n"
        "Lock escalations                           = 1\t\t\t//lock escalations\n...\n",
        "Last backup timestamp                      = 03/10/2026 15:50:28.000000\n--\nHADR Status\n  Role    = Primary\n",
    ],
)
def test_grepped_database_snapshot_is_read_by_its_labels(cut: str) -> None:
    found = reading(f"$ db2 get snapshot for database on wares | grep -i something\n{cut}")
    rows = [row for source in ("database", "transaction_log") for row in found.rows.get(source, [])]
    assert rows
    assert {found.reports[int(row["REPORT"])].database for row in rows} <= {None, "WARES"}


def test_grepped_log_is_of_the_database_in_the_command() -> None:
    found = reading(
        "$ db2 get snapshot for database on wares | grep -i 'log space'\n"
        "Log space available to the database (Bytes)= 4000000\nLog space used by the database (Bytes)     = 36000000\n"
    )
    [row] = found.rows["transaction_log"]
    assert (row["TOTAL_LOG_AVAILABLE"], row["TOTAL_LOG_USED"]) == ("4000000", "36000000")
    assert {report.database for report in found.reports if report.database} == {"WARES"}


PROSE = "We saw many waits here.\nThe vendor says that this is normal.\nSo we asked again.\nNo answer yet.\n\n"


def test_prose_inside_section_keeps_later_counters() -> None:
    text = (SAMPLES / "snapshot-counts.txt").read_text(encoding="utf-8")
    place = text.index("Total Shared Sort heap allocated")
    assert reading(text[:place] + PROSE + text[place:]).rows == reading(text).rows


def test_prose_before_repeated_label_is_not_skipped() -> None:
    other = (
        "Database Snapshot\nDatabase name = A\nLock waits = 5\n" + PROSE + "Lock waits = 7\nDeadlocks detected = 3\n"
    )
    assert [row.get("DEADLOCKS") for row in reading(other).rows["workload"]] == [None]
