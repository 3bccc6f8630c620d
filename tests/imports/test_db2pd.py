"""db2pd: whole reports, single sections of other levels, edited texts, and missing values."""

import re
from datetime import datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.imports.garbling import garble_lines
from tests.imports.reading import reading
from tests.support.paths import FIXTURES

SAMPLES = FIXTURES / "imports"
SHOP = (SAMPLES / "db2pd-shop.txt").read_text(encoding="utf-8")
INSTANCE = (SAMPLES / "db2pd-instance.txt").read_text(encoding="utf-8")
HADR = (SAMPLES / "db2pd-hadr.txt").read_text(encoding="utf-8")

HEADING = "Database Member 2 -- Database SHOP -- Active -- Up 0 days 00:10:00 -- Date 2026-03-04-11.20.45.118203\n"
SPACES = """Tablespace Configuration:
Address            Id    Type Content PageSz ExtentSz Auto Prefetch BufID BufIDDisk FSC NumCntrs MaxStripe  LastConsecPg Name
0x07700001DAF2D000 4     DMS  Large   32768  32       No   96       3     3         Off 1        0          31           TS32K
"""
CONTAINERS = """Containers:
Address            TspId ContainNum Type    TotalPgs   UseablePgs PathID     StripeSet  Container
0x07700007514DA3A0 4     0          Disk    13107200   13107168   -          0          /dev/rts32k
"""
SETTINGS = """Database Configuration Settings:
Description                               Memory Value              Disk Value
"""


def row_of(text, source):
    (row,) = reading(text).rows[source]
    return {name: value for name, value in row.items() if name != "REPORT"}


@pytest.mark.parametrize(
    ("line", "database", "member", "taken_at", "row"),
    [
        (
            HEADING,
            "SHOP",
            2,
            datetime(2026, 3, 4, 11, 20, 45, 118203),
            {"DB_CONN_TIME": "2026-03-04 11:10:00", "UPTIME_S": "600"},
        ),
        (
            "Database Partition 0 -- Database TEST -- Active Standby -- Up 1 days 00:00:01 -- Date 10/13/2014 18:14:30",
            "TEST",
            0,
            datetime(2014, 10, 13, 18, 14, 30),
            {"DB_CONN_TIME": "2014-10-12 18:14:00", "UPTIME_S": "86401"},
        ),
        ("Database Partition 1 -- Database TEST -- Active -- Up 0 days 00:00:06", "TEST", 1, None, {"UPTIME_S": "6"}),
        ("Database Partition 1 -- Database TEST -- Act", "TEST", 1, None, None),
        (
            "Database Member 0 -- Active -- Up 3 days 00:00:00 -- Date 2026-03-04-11.20.45.118203",
            None,
            0,
            datetime(2026, 3, 4, 11, 20, 45, 118203),
            None,
        ),
    ],
)
def test_a_heading(line, database, member, taken_at, row):
    found = reading(line)
    (report,) = found.reports
    assert (report.database, report.member, report.taken_at) == (database, member, taken_at)
    assert [{k: v for k, v in item.items() if k != "REPORT"} for item in found.rows.get("database", [])] == [
        row
    ] * bool(row)


@pytest.mark.parametrize(
    "line",
    ["Database Member", "Database Member x -- y", "Database SAMPLE -- Active", "Containers:", "Logs:", "Address Id"],
)
def test_other_lines_start_nothing(line):
    assert [item.why for item in reading(line).ranges] == ["not recognised"]


def test_the_tables_of_a_table_space_are_put_together():
    spaces = {row["TBSP_NAME"]: row for row in reading(SHOP).rows["tablespace"]}
    assert spaces["TS ORDERS"] == {
        "REPORT": "1",
        "TBSP_NAME": "TS ORDERS",
        "TBSP_ID": "2",
        "TBSP_TYPE": "DMS",
        "TBSP_CONTENT_TYPE": "LARGE",
        "TBSP_PAGE_SIZE": "8192",
        "TBSP_EXTENT_SIZE": "32",
        "TBSP_PREFETCH_SIZE": "64",
        "TBSP_CUR_POOL_ID": "1",
        "TBSP_NEXT_POOL_ID": "2",
        "FS_CACHING": "1",
        "TBSP_USING_AUTO_STORAGE": "1",  # and no rebalancer mode: the text shows that it runs, but not its mode
        "STORAGE_GROUP_NAME": "IBMSTOGROUP",
        "TBSP_USED_PAGES": "988416",
        "TBSP_TOTAL_PAGES": "1310720",
        "TBSP_USABLE_PAGES": "1310656",
        "TBSP_FREE_PAGES": "322240",
        "TBSP_PAGE_TOP": "988416",
        "TBSP_STATE": "NORMAL",
        "TBSP_AUTO_RESIZE_ENABLED": "1",
        "TBSP_MAX_SIZE": "-1",
        "TBSP_LAST_RESIZE_FAILED": "0",
        "TBSP_NUM_CONTAINERS": "2",
        "RECLAIMABLE_SPACE_ENABLED": "1",
    }
    assert spaces["TS_LOB"]["TBSP_REBALANCER_MODE"] == "NO_REBAL"
    assert "STORAGE_GROUP_NAME" not in spaces["TS_LOB"]
    catalog = {row["TBSPACE"]: row for row in reading(SHOP).rows["cat_tablespace"]}
    assert {name: (row["PREFETCHSIZE"], row["DATATYPE"]) for name, row in catalog.items()} == {
        "SYSCATSPACE": ("-1", "A"),
        "TEMPSPACE1": ("-1", "T"),
        "TS ORDERS": ("-1", "L"),
        "TS_LOB": ("48", "L"),
    }


def test_a_buffer_pool_has_its_sizes_and_what_was_counted():
    found = reading(SHOP)
    pools = {row["BP_NAME"]: row for row in found.rows["bufferpool"]}
    assert (pools["BP16K"]["BP_CUR_BUFFSZ"], pools["BP16K"]["POOL_DATA_P_READS"]) == ("50000", "300040")
    assert pools["IBMDEFAULTBP"]["AUTOMATIC"] == "1"
    catalog = {row["BPNAME"]: row for row in found.rows["cat_bufferpool"]}
    assert set(catalog) == {"IBMDEFAULTBP", "BP16K"}  # the catalog does not contain hidden pools
    assert [catalog[name]["NPAGES"] for name in ("IBMDEFAULTBP", "BP16K")] == ["-2", "60000"]
    assert found.reports[-1].counts == "since"
    assert reading(HEADING + SPACES).reports[0].counts == "state"


def test_pool_of_unknown_automatic_has_no_defined_size():
    text = (
        "Bufferpools:\nAddress    Id Name         PageSz PA-NumPgs BA-NumPgs BlkSize CurrentSz PostAlter\n"
        "0x05267580 1  IBMDEFAULTBP 4096   250       0         0       250       250\n"
    )
    assert row_of(text, "cat_bufferpool") == {
        "BPNAME": "IBMDEFAULTBP",
        "BUFFERPOOLID": "1",
        "PAGESIZE": "4096",
        "NUMBLOCKPAGES": "0",
        "BLOCKSIZE": "0",
    }


def test_a_stream_of_log_that_hadr_sends():
    first, second = reading(HADR).rows["hadr"]
    assert first == {
        "REPORT": "1",
        "STANDBY_ID": "1",
        "LOG_STREAM_ID": "0",
        "PRIMARY_MEMBER": "0",
        "HADR_ROLE": "PRIMARY",
        "HADR_STATE": "PEER",
        "HADR_SYNCMODE": "NEARSYNC",
        "HADR_CONNECT_STATUS": "CONNECTED",
        "CONNECT_STATUS_S": "1037225",
        "STANDBY_MEMBER_HOST": "shopdb2",
        "HADR_LOG_GAP": "0",
        "STANDBY_RECV_REPLAY_GAP": "2621440000",
        "REPLAY_LAG_S": "1320",
        "STANDBY_SPOOL_LIMIT": "524288",
        "STANDBY_SPOOL_PERCENT": "86",
        "PEER_WINDOW": "300000",
        "HEARTBEAT_MISSED": "0",
        "HEARTBEAT_EXPECTED": "5",
        "LOG_HADR_WAIT_CUR": "0",
        "LOG_HADR_WAIT_TIME": "598000",
        "LOG_HADR_WAITS_TOTAL": "1",
    }
    assert (second["STANDBY_ID"], second["CONNECT_STATUS_S"]) == ("2", "5400")
    assert "REPLAY_LAG_S" not in second
    assert "STANDBY_SPOOL_PERCENT" not in second


@pytest.mark.parametrize(
    "since", ["NULL", "04.03.2026 09:50:45.000000 (1772614245)", "04/03/2026 09:50:45.000000 (1772614245)"]
)
def test_a_time_of_another_territory_is_not_guessed(since):
    text = HADR.replace("03/04/2026 09:50:45.000000 (1772614245)", since)
    assert "CONNECT_STATUS_S" not in reading(text).rows["hadr"][1]


def test_set_without_stream_is_ignored():
    assert "hadr" not in reading("HADR_ROLE = PRIMARY\nHADR_LOG_GAP(bytes) = 7\n").rows


def test_storage_paths_need_the_name_of_their_group():
    rows = reading(SHOP).rows["storage_path"]
    assert [(row["STORAGE_GROUP_NAME"], row["DB_STORAGE_PATH"], row["DBPARTITIONNUM"]) for row in rows] == [
        ("IBMSTOGROUP", "/data1", "0"),
        ("IBMSTOGROUP", "/data2", "0"),
    ]
    text = "Storage Group Paths:\nAddress SGID PathID PathState PathName\n0x00007FBB1B348000 0 0 InUse /db2/data\n"
    found = reading(HEADING + text)
    assert "storage_path" not in found.rows
    assert "no table of this report names the object with the number 0 0" in {item.why for item in found.ranges}


def test_the_host():
    found = reading(INSTANCE)
    assert row_of(INSTANCE, "system") == {
        "HOST_NAME": "shopdb1",
        "OS_NAME": "Linux",
        "CPU_TOTAL": "32",
        "CPU_ONLINE": "32",
        "CPU_HMT_DEGREE": "2",
        "CPU_CORES_PER_SOCKET": "16",
        "MEMORY_TOTAL": "128513",
        "MEMORY_FREE": "9120",
    }
    assert (found.reports[0].host, found.reports[0].platform) == ("shopdb1", "Linux")
    windows = "Operating System Information:\nOSName:   WIN32_NT\nNodeName: SHOP1\nRelease:\nCPU Information:\n"
    windows += "TotalCPU OnlineCPU ConfigCPU Speed(MHz) HMTDegree\n2 2 2 3058 n/a\n"
    assert row_of(windows, "system") == {
        "HOST_NAME": "SHOP1",
        "OS_NAME": "WIN32_NT",
        "CPU_TOTAL": "2",
        "CPU_ONLINE": "2",
    }
    assert reading(windows).reports[0].platform == "Windows"


@pytest.mark.parametrize(
    ("lines", "row"),
    [
        (
            "SORTHEAP (4KB)                            1024                      2048",
            {"NAME": "sortheap", "VALUE": "1024", "DEFERRED_VALUE": "2048"},
        ),
        ("SORTHEAP (4KB) 1024 2048", {"NAME": "sortheap", "VALUE": "1024", "DEFERRED_VALUE": "2048"}),
        (
            "LOCKLIST (4KB)                            AUTOMATIC(20480)          AUTOMATIC(16384)",
            {
                "NAME": "locklist",
                "VALUE": "20480",
                "VALUE_FLAGS": "AUTOMATIC",
                "DEFERRED_VALUE": "16384",
                "DEFERRED_VALUE_FLAGS": "AUTOMATIC",
            },
        ),
        (
            "SOME_LONG (a unit) LOGBUFSZ\nLOGBUFSZ (4KB)                            256                       -",
            {"NAME": "logbufsz", "VALUE": "256"},
        ),
        (
            "Path to log files                         /db2log/a b/              /db2log/a b/",
            {"NAME": "logpath", "VALUE": "/db2log/a b/", "DEFERRED_VALUE": "/db2log/a b/"},
        ),
        ("LOGARCHMETH1 (memory)                     DISK:/x y/", {"NAME": "logarchmeth1", "VALUE": "DISK:/x y/"}),
        ("LOGARCHMETH1 (disk)   OFF", {"NAME": "logarchmeth1", "DEFERRED_VALUE": "OFF"}),
        (
            "NEWLOGPATH                                                          /new/",
            {"NAME": "newlogpath", "DEFERRED_VALUE": "/new/"},
        ),
        ("Database is consistent                    NO                        NO", {"NAME": "database_consistent"}),
    ],
)
def test_a_setting(lines, row):
    found = row_of(SETTINGS + lines + "\n", "dbcfg")
    if "VALUE" in row or "DEFERRED_VALUE" in row:
        found = {name: value for name, value in found.items() if value != "NONE"}
    assert row.items() <= found.items()
    assert {"VALUE", "DEFERRED_VALUE"} & found.keys() >= {"VALUE", "DEFERRED_VALUE"} & row.keys()


def test_the_configurations_of_the_database_and_of_the_instance():
    shop, instance = reading(SHOP), reading(INSTANCE)
    assert {row["NAME"]: row.get("VALUE") for row in instance.rows["dbmcfg"]}["instance_memory"] == "6815744"
    assert "dbcfg" not in instance.rows
    assert "dbmcfg" not in shop.rows
    assert shop.reports[-1].level == instance.reports[0].level == "11.5"


def test_empty_sections_are_reported():
    found = reading(SHOP)
    why = {item.why for item in found.ranges if item.why}
    assert "the section 'Storage Group Statistics' of db2pd contains nothing that advice needs" in why
    (groups,) = (item for item in found.ranges if item.why and "'Storage Group Statistics'" in item.why)
    assert SHOP.splitlines()[groups.first - 1] == "Storage Group Statistics:"
    assert SHOP.splitlines()[groups.last].startswith("Storage Group Paths")


def test_several_databases_and_members_are_several_reports():
    other = HEADING.replace("SHOP", "BANK").replace("Member 2", "Member 3")
    found = reading(HEADING + SPACES + CONTAINERS + other + SPACES.replace("TS32K", "TSBANK") + CONTAINERS)
    assert [(report.database, report.member) for report in found.reports] == [("SHOP", 2), ("BANK", 3)]
    assert [(row["REPORT"], row["TBSP_NAME"]) for row in found.rows["container"]] == [("0", "TS32K"), ("1", "TSBANK")]


def test_another_format_ends_it():
    found = reading(
        HEADING + SPACES + "\nDatabase Configuration for Database SHOP\n (LOGBUFSZ) = 256\n" + HEADING + SPACES
    )
    assert [report.format for report in found.reports] == ["db2pd", "get db cfg", "db2pd"]
    assert reading(HEADING + SPACES + "$ db2 list applications\nname\n").ranges[-1].why == "not recognised"


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace("\n", "\n\n"),
        lambda text: text.replace("\n", "\r\n"),
        lambda text: re.sub(r"(?m)^", "\t", text),
        lambda text: re.sub(r" +", " ", text),
        lambda text: re.sub(r" {2,}", "\t", text),
        lambda text: text.replace("Useable", "Usable"),
        lambda text: text.replace("Tablespace Configuration:\n", "").replace("Containers:\n", ""),
        lambda text: text.replace(
            "Containers:\n", "#The field AS is No\nContainers:\nAddress TspId ContainNum Type\n\nContainers:\n"
        ),
        lambda text: re.sub(r"0x07700001DAF2D000 4", "0x07700001DAF2D000 1 DMS\n0x07700001DAF2D000 4", text),
        lambda text: text + "0x07700001DAF2D000 5     0          Fi",
    ],
)
def test_edited_texts_are_read(change):
    found = reading(change(HEADING + SPACES + CONTAINERS))
    assert {name: value for name, value in found.rows["container"][0].items() if name != "REPORT"} == {
        "TBSP_NAME": "TS32K",
        "CONTAINER_ID": "0",
        "TBSP_ID": "4",
        "CONTAINER_NAME": "/dev/rts32k",
        "CONTAINER_TYPE": "DISK_EXTENT_TAG",
        "STRIPE_SET": "0",
        "TOTAL_PAGES": "13107200",
        "USABLE_PAGES": "13107168",
    }
    assert len(found.rows["container"]) == len(found.rows["tablespace"]) == 1


def test_containers_without_their_table_space_keep_its_number():
    assert row_of(HEADING + CONTAINERS, "container")["TBSP_ID"] == "4"
    assert "TBSP_NAME" not in row_of(HEADING + CONTAINERS, "container")


LINES = (SHOP + INSTANCE).splitlines()
WORDS = (SHOP + INSTANCE).lower()
# The meaning of words in the text, and the remainders of its numbers.
MEANT = {"DMS", "SMS", "D", "S", "ANY", "LARGE", "SYSTEMP", "USRTEMP", "A", "L", "T", "U", "-1", "-2", "0", "1", "NONE"}
MEANT |= {"FILE_EXTENT_TAG", "DISK_EXTENT_TAG", "PATH", "IN_USE", "NO_REBAL", "NORMAL"}
DERIVED = {"DB_CONN_TIME", "UPTIME_S", "NAME"}


@given(st.data())
@settings(max_examples=30)
def test_garbled_text_gives_nothing_that_is_not_in_it(data):
    lines = garble_lines(data, LINES, ["delete", "double", "squeeze", "cut", "swap"])
    for rows in reading("\n".join(lines)).rows.values():
        for row in rows:
            for name, value in row.items():
                assert name == "REPORT" or name in DERIVED or value in MEANT or value.lower() in WORDS, (name, value)


def test_a_long_text_takes_no_longer_for_every_line():
    line = "0x07700001DAF2D000 " + "4 " * 20_000
    reading(HEADING + SPACES + f"{line}\n" * 3 + "A" * 60_000 + ":\n" + "Database " + "-- " * 20_000)


LOGS = """Database Partition 0 -- Database WARES -- Active -- Up 0 days 00:05:08 -- Date 2026-03-02-04.33.33.910169

Logs:
Current Log Number            57
Pages Written                 71
{0}Archive Status       {1}
{0}Next Log to Archive  31
{0}First Failure        {2}
"""


@pytest.mark.parametrize("method", ["", "Method 1 "])
@pytest.mark.parametrize(
    ("status", "first", "expected"),
    [("Failure", "n/a", "31"), ("Failure", "33", "33"), ("Success", "n/a", None), ("n/a", "n/a", None)],
)
def test_the_file_whose_archiving_fails(method, status, first, expected):
    (row,) = reading(LOGS.format(method, status, first)).rows["transaction_log"]
    assert (row["METHOD1_NEXT_LOG_TO_ARCHIVE"], row.get("METHOD1_FIRST_FAILURE")) == ("31", expected)
