"""db2look and DDL: the meaning of each clause, defaults, and the shapes of users' texts."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.imports.garbling import EDITED_STATEMENTS, garble_lines
from tests.imports.printers.db2look import CONTAINER, HOLDS, TABLESPACE, printed
from tests.imports.reading import captured, reading, rows_of
from tests.machines import MACHINES
from tests.support.paths import FIXTURES

SHOP = (FIXTURES / "imports" / "db2look-shop.txt").read_text(encoding="utf-8")
HEADER = """-- This CLP file was created using DB2LOOK Version "9.7"
-- Timestamp: Fri 09 Aug 2013 02:23:58 PM PDT
-- Database Name: SAMPLE
-- Database Manager Version: DB2/AIX64 Version 9.7.4
"""


@pytest.mark.parametrize(
    ("text", "row"),
    [
        ('CREATE BUFFERPOOL "A" SIZE 250 PAGESIZE 32768;', {"NPAGES": "250", "PAGESIZE": "32768"}),
        ("create bufferpool a immediate size automatic pagesize 8 K;", {"NPAGES": "-2", "PAGESIZE": "8192"}),
        ("CREATE BUFFERPOOL A SIZE 1000 AUTOMATIC PAGESIZE 4K", {"NPAGES": "-2", "PAGESIZE": "4096"}),
        ("CREATE BUFFERPOOL A SIZE -1 NOT EXTENDED STORAGE @", {"NPAGES": "-1"}),
        (
            "CREATE BUFFERPOOL A ALL DBPARTITIONNUMS SIZE 9 EXCEPT ON DBPARTITIONNUMS (1 TO 2 SIZE 5) NUMBLOCKPAGES 4 BLOCKSIZE 2;",
            {"NPAGES": "9", "NUMBLOCKPAGES": "4", "BLOCKSIZE": "2"},
        ),
        ("ALTER BUFFERPOOL A SIZE 300;", {"NPAGES": "300"}),
        (
            "CREATE BUFFERPOOL A SIZE 100 PAGESIZE 4096;\nALTER BUFFERPOOL A SIZE 20;",
            {"NPAGES": "20", "PAGESIZE": "4096"},
        ),
        ("CREATE BUFFERPOOL A\n-- remark; 'not the end\n\n SIZE 7;\n", {"NPAGES": "7"}),
        ("db2 => create bufferpool a size 7 pagesize 5000\nDB20000I  The SQL command completed.\n", {"NPAGES": "7"}),
        ('[db2inst1@node1 ~]$ db2 "create bufferpool a size 7"\n', {"NPAGES": "7"}),
        ('db2 -v "create bufferpool a size 7" || exit 1\n', {"NPAGES": "7"}),
        ('db2 "create bufferpool a \\\n size 7"\necho done\n', {"NPAGES": "7"}),
    ],
)
def test_a_buffer_pool(text, row):
    assert rows_of(text, "cat_bufferpool") == [{"BPNAME": "A", **row}]


@pytest.mark.parametrize(
    ("clauses", "catalog", "gauges"),
    [
        (
            "PAGESIZE 8192 EXTENTSIZE 32",
            {"PAGESIZE": "8192", "EXTENTSIZE": "32"},
            {"TBSP_PAGE_SIZE": "8192", "TBSP_EXTENT_SIZE": "32"},
        ),
        (
            "EXTENTSIZE 256 K PAGESIZE 8 K PREFETCHSIZE 1 M",
            {"PAGESIZE": "8192", "EXTENTSIZE": "32", "PREFETCHSIZE": "128"},
            {"TBSP_PAGE_SIZE": "8192", "TBSP_EXTENT_SIZE": "32", "TBSP_PREFETCH_SIZE": "128"},
        ),
        ("EXTENTSIZE 256 K PREFETCHSIZE AUTOMATIC", {"PREFETCHSIZE": "-1"}, None),
        ("OVERHEAD INHERIT TRANSFERRATE 0.06", {"OVERHEAD": "-1", "TRANSFERRATE": "0.06"}, None),
        ("IN NODEGROUP g", {"DBPGNAME": "G"}, None),
        ('IN DATABASE PARTITION GROUP "a b"', {"DBPGNAME": "a b"}, None),
        ("IN G FILE SYSTEM CACHING", {"DBPGNAME": "G"}, {"FS_CACHING": "0"}),
        ("NO FILE SYSTEM CACHING", None, {"FS_CACHING": "1"}),
        ("AUTORESIZE NO MAXSIZE NONE", None, {"TBSP_AUTO_RESIZE_ENABLED": "0", "TBSP_MAX_SIZE": "-1"}),
        ("AUTORESIZE YES MAXSIZE 2 G", None, {"TBSP_AUTO_RESIZE_ENABLED": "1", "TBSP_MAX_SIZE": "2147483648"}),
        ("MANAGED BY AUTOMATIC STORAGE", {"TBSPACETYPE": "D"}, {"TBSP_TYPE": "DMS", "TBSP_USING_AUTO_STORAGE": "1"}),
        ("MANAGED BY SYSTEM USING ('/a')", {"TBSPACETYPE": "S"}, {"TBSP_TYPE": "SMS", "TBSP_USING_AUTO_STORAGE": "0"}),
        ("MANAGED BY DATABASE", {"TBSPACETYPE": "D"}, {"TBSP_TYPE": "DMS", "TBSP_USING_AUTO_STORAGE": "0"}),
        ('USING STOGROUP "FAST"', None, {"STORAGE_GROUP_NAME": "FAST"}),
        ("BUFFERPOOL X DROPPED TABLE RECOVERY ON DATA TAG INHERIT INCREASESIZE 10 PERCENT", None, None),
    ],
)
def test_a_table_space(clauses, catalog, gauges):
    text = f"CREATE TABLESPACE TS {clauses};"
    assert rows_of(text, "cat_tablespace") == ([{"TBSPACE": "TS", **(catalog or {})}] if catalog or gauges else [])
    assert rows_of(text, "tablespace") == ([{"TBSP_NAME": "TS", **(gauges or {})}] if catalog or gauges else [])


@pytest.mark.parametrize(
    ("kind", "managed", "expected"),
    [
        ("LARGE", "AUTOMATIC STORAGE", ("L", "D", "LARGE", "DMS")),
        ("REGULAR", "DATABASE", ("A", "D", "ANY", "DMS")),
        ("LONG", "DATABASE", ("L", "D", "LARGE", "DMS")),
        ("TEMPORARY", "SYSTEM", ("T", "S", "SYSTEMP", "SMS")),
        ("SYSTEM TEMPORARY", "AUTOMATIC STORAGE", ("T", "S", "SYSTEMP", "SMS")),
        ("USER TEMPORARY", "AUTOMATIC STORAGE", ("U", "S", "USRTEMP", "SMS")),
        ("SYSTEM TEMPORARY", "DATABASE", ("T", "D", "SYSTEMP", "DMS")),
        ("", "AUTOMATIC STORAGE", (None, "D", None, "DMS")),
    ],
)
def test_the_kinds_of_table_spaces(kind, managed, expected):
    found = reading(f"CREATE {kind} TABLESPACE TS MANAGED BY {managed};").rows
    (catalog,), (space,) = found["cat_tablespace"], found["tablespace"]
    assert (
        catalog.get("DATATYPE"),
        catalog.get("TBSPACETYPE"),
        space.get("TBSP_CONTENT_TYPE"),
        space.get("TBSP_TYPE"),
    ) == expected


def test_containers_of_each_member():
    rows = {
        (row.get("MEMBER"), row["CONTAINER_ID"]): row
        for row in rows_of(SHOP, "container")
        if row["TBSP_NAME"] == 'OLD "A"'
    }
    assert {
        place: (row["CONTAINER_NAME"], row["CONTAINER_TYPE"], row["TOTAL_PAGES"]) for place, row in rows.items()
    } == {
        ("0", "0"): ("/data1/old/c0", "FILE_EXTENT_TAG", "23100"),
        ("0", "1"): ("/data2/old/c;1", "FILE_EXTENT_TAG", "23100"),
        ("2", "0"): ("/dev/rold", "DISK_EXTENT_TAG", "327680"),
        ("3", "0"): ("/dev/rold", "DISK_EXTENT_TAG", "327680"),
    }
    paths = [row for row in rows_of(SHOP, "container") if row["TBSP_NAME"] == "USERTEMP"]
    assert [(row["CONTAINER_NAME"], row["CONTAINER_TYPE"], row.get("TOTAL_PAGES")) for row in paths] == [
        ("/temp1/usertemp", "PATH", None),
        ("/temp2/usertemp", "PATH", None),
    ]


def test_groups_of_partitions_and_of_storage():
    assert [(row["DBPGNAME"], row["DBPARTITIONNUM"], row["IN_USE"]) for row in rows_of(SHOP, "partition_group")] == [
        ("PG_DATA", number, "Y") for number in "0234"
    ]
    assert rows_of("CREATE NODEGROUP n ON NODES (7);", "partition_group") == [
        {"DBPGNAME": "N", "DBPARTITIONNUM": "7", "IN_USE": "Y"}
    ]
    media = {"OVERHEAD": "0.500000", "DEVICEREADRATE": "512.000000"}
    assert rows_of(SHOP, "storage_path") == [
        {"STORAGE_GROUP_NAME": "FAST", "DB_STORAGE_PATH": "/fast1"} | media,
        {"STORAGE_GROUP_NAME": "FAST", "DB_STORAGE_PATH": "/fast 2"} | media,
    ]


def test_what_is_altered_of_a_storage_group():
    """A dropped path stays in use until the table spaces have left it (ALTER STOGROUP, r0058603)."""
    text = (
        "CREATE STOGROUP S ON '/a' OVERHEAD 4;\nALTER STOGROUP S ADD '/b', '/c';\nALTER STOGROUP S DROP '/a';\n"
        "ALTER STOGROUP S OVERHEAD 1.5 DEVICE READ RATE 300;\nALTER STOGROUP T ADD '/t';\n"
    )
    found = {}
    for row in rows_of(text, "storage_path"):
        found.setdefault(row["DB_STORAGE_PATH"], {}).update(row)
    states = {path: (row.get("OVERHEAD"), row.get("DB_STORAGE_PATH_STATE")) for path, row in found.items()}
    assert states == {"/a": ("1.5", "DROP_PENDING"), "/b": ("1.5", None), "/c": ("1.5", None), "/t": (None, None)}


MADE = "CREATE TABLESPACE T PAGESIZE 4 K MANAGED BY DATABASE USING (FILE '/a' 1000, FILE '/b' 1000);\n"


@pytest.mark.parametrize(
    ("clause", "expected"),
    [
        ("ADD (FILE '/c' 500)", {"/a": "1000", "/b": "1000", "/c": "500"}),
        ("EXTEND (ALL 100)", {"/a": "1100", "/b": "1100"}),
        ("EXTEND (ALL CONTAINERS 1 M)", {"/a": "1256", "/b": "1256"}),
        ("EXTEND (FILE '/b' 100)", {"/a": "1000", "/b": "1100"}),
        ("REDUCE (FILE '/a' 200, FILE '/b' 300)", {"/a": "800", "/b": "700"}),
        ("RESIZE (ALL 5000)", {"/a": "5000", "/b": "5000"}),
        ("DROP (FILE '/a')", {"/b": "1000"}),
        ("DROP (FILE '/a') ADD (FILE '/c' 100) EXTEND (ALL 10)", {"/b": "1010", "/c": "110"}),
        ("EXTEND (ALL 1 M) BUFFERPOOL X", {"/a": "1256", "/b": "1256"}),
        ("REDUCE MAX", {"/a": "1000", "/b": "1000"}),
    ],
)
def test_containers_that_are_altered_in_the_order_of_the_text(clause, expected):
    """ALTER TABLESPACE, r0000890 of the manual."""
    found = rows_of(f"{MADE}ALTER TABLESPACE T {clause};\n", "container")
    assert {row["CONTAINER_NAME"]: row["TOTAL_PAGES"] for row in found} == expected
    assert len({row["CONTAINER_ID"] for row in found}) == len(expected)


def test_recreated_table_space_has_the_last_containers():
    made = "CREATE TABLESPACE T PAGESIZE 4096 MANAGED BY DATABASE USING (FILE '{0}' 1000, FILE '{0}b' 1000);"
    text = f"{made.format('/old')}\nDROP TABLESPACE T;\n{made.format('/new')}\nALTER TABLESPACE T EXTEND (ALL 24);\n"
    assert [(row["CONTAINER_NAME"], row["TOTAL_PAGES"]) for row in rows_of(text, "container")] == [
        ("/new", "1024"),
        ("/newb", "1024"),
    ]


def test_a_new_stripe_set():
    found = rows_of(f"{MADE}ALTER TABLESPACE T BEGIN NEW STRIPE SET (FILE '/c' 500, FILE '/d' 500);\n", "container")
    assert {row["CONTAINER_NAME"]: row.get("STRIPE_SET") for row in found} == {
        "/a": None,
        "/b": None,
        "/c": "1",
        "/d": "1",
    }


@pytest.mark.parametrize(
    "refusal", ["DB21034E  The command was processed as an SQL statement ...\n", "SQL0270N  No.\n"]
)
def test_a_statement_that_was_refused_changes_nothing(refusal):
    text = f'$ db2 "{MADE.strip()[:-1]}"\nDB20000I  The SQL command completed.\n'
    found = rows_of(f'{text}$ db2 "alter tablespace T extend (all 100)"\n{refusal}', "container")
    assert {row["TOTAL_PAGES"] for row in found} == {"1000"}


def test_what_was_refused_behind_another_command_is_not_this_one():
    text = (
        '$ db2 "alter tablespace T prefetchsize 64"\nDB20000I  The SQL command completed.\n\ndb2 -tvf more.sql\n'
        "CREATE DISTINCT TYPE X AS CLOB(512K)\nDB21034E  The command was processed as an SQL statement.\nSQL0601N  No.\n"
    )
    assert [row["PREFETCHSIZE"] for row in rows_of(text, "cat_tablespace")] == ["64"]


LISTED = """
           Tablespaces for Current Database

 Tablespace ID                        = 3
 Name                                 = STONES
 Type                                 = Database managed space
 Contents                             = All permanent data. Large table space.
 State                                = 0x0000
 Total pages                          = 16000
 Useable pages                        = 15968
 Used pages                           = 15960
 Free pages                           = 8
 Page size (bytes)                    = 8192
 Extent size (pages)                  = 32
 Number of containers                 = 1

            Tablespace Containers for Tablespace 3

 Container ID                         = 0
 Name                                 = /db2/data/stones
 Type                                 = File
 Total pages                          = 16000
 Useable pages                        = 15968
 Accessible                           = Yes

"""


@pytest.mark.parametrize(
    ("text", "size", "containers"),
    [
        (LISTED, "16000", "16000"),
        (
            LISTED + '$ db2 "alter tablespace stones extend (all 4000)"\nDB20000I  The SQL command completed.\n',
            None,
            "",
        ),
        (LISTED + "ALTER TABLESPACE STONES ADD (FILE '/db2/data/more' 16000);\n", None, None),
        (LISTED + "ALTER TABLESPACE OTHER ADD (FILE '/db2/data/more' 16000);\n", "16000", "16000"),
        (
            LISTED + '$ db2 "alter tablespace stones extend (all 4000)"\nSQL0298N  Bad container path.\n',
            "16000",
            "16000",
        ),
        ("ALTER TABLESPACE STONES EXTEND (ALL 4000);\n$ db2 list tablespaces show detail\n" + LISTED, "16000", "16000"),
    ],
    ids=["listed", "extended", "added", "of another", "refused", "listed behind it"],
)
def test_a_listing_is_outdated_by_what_was_altered_behind_it(text, size, containers, tmp_path):
    """Its size is then unknown, so it is not reported as full."""
    found = captured(tmp_path, text)
    (space,) = [row for row in found.rows("tablespace") if row["TBSP_NAME"] == "STONES"]
    assert space.get("TBSP_TOTAL_PAGES") == size
    assert [row.get("TOTAL_PAGES", "") for row in found.rows("container")] == (
        [] if containers is None else [containers]
    )


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("CREATE NODEGROUP N ON ALL NODES;", "ON ALL does not list the partitions"),
        ("CREATE NODEGROUP N ON NODE (5 TO 4000000000);", "its partition numbers are not valid"),
        (
            "ALTER DATABASE SHOP ADD STORAGE ON '/a', '/b';",
            "the paths of automatic storage have no name of a storage group",
        ),
        (
            "ALTER BUFFERPOOL A DBPARTITIONNUM 3 SIZE 5;",
            "the size of a pool on one member is listed under the pool's number, which DDL does not have",
        ),
        (
            "ALTER STOGROUP A OVERHEAD 6.7 DEVICE READ RATE 100 SET AS DEFAULT;",
            "contains nothing that the catalog shows",
        ),
        ("CREATE TABLESPACE pms_data DATAFILE '/u01/pms.dbf' SIZE 200M;", "contains nothing that the catalog shows"),
        ("CREATE TABLESPACE A MANAGED BY SYSTEM USING ('/a/p $N');", "the names of its containers are expressions"),
        ("CREATE TABLESPACE A EXTENTSIZE many;", "is not understood as a statement of Db2"),
        ("CREATE BUFFERPOOL 'A", "is not understood as a statement of Db2"),
        (f"CREATE BUFFERPOOL A {'X ' * 40_000};", "a statement of more than 65536 characters"),
    ],
)
def test_unusable_parts_are_reported(text, why):
    found = reading(text)
    assert why in {item.why for item in found.ranges}
    assert not {"cat_bufferpool", "partition_group", "storage_path", "container"} & found.rows.keys()


@pytest.mark.parametrize(
    ("header", "about"),
    [
        (HEADER, ("SAMPLE", "9.7.4", "AIX")),
        (HEADER.replace("\n", "\n\n"), ("SAMPLE", "9.7.4", "AIX")),
        (
            '-- 此 CLP 文件是使用 DB2LOOK 版本 "9.7" 创建的 \n-- 时间戳记: 2012-4-24 21:22:20\n'
            "-- 数据库名称: SHOP_DB        \n-- 数据库管理器版本: DB2/NT Version 9.7.5          \n",
            ("SHOP_DB", "9.7.5", "Windows"),
        ),
        (
            "-- This CLP file was created using DB2LOOK Version 6.0\n-- Database Name: MSER           \n"
            "-- Database Manager Version: DB2/6000 Version 6.1.0        \n",
            ("MSER", "6.1.0", "AIX"),
        ),
        ("-- This CLP file was created using DB2LOOK Version 9.1\n\nCONNECT TO shop;\n", ("SHOP", None, None)),
    ],
)
def test_what_the_text_is_about(header, about):
    found = reading(header + "\nCREATE BUFFERPOOL A SIZE 1;\n")
    (report,) = found.reports
    assert (report.database, report.level, report.platform) == about
    assert found.rows["cat_bufferpool"]


@pytest.mark.parametrize("between", ["", "CREATE BUFFERPOOL X SIZE 1;\nTERMINATE;\n", "CREATE TABLE T (\n X INTEGER"])
def test_several_databases_are_several_reports(between):
    other = HEADER.replace("SAMPLE", "OTHER")
    found = reading(f"{HEADER}{between}\n{other}CREATE BUFFERPOOL A SIZE 5;\n")
    assert [report.database for report in found.reports] == ["SAMPLE", "OTHER"]
    assert found.rows["cat_bufferpool"][-1]["REPORT"] == "1"
    found = reading("CREATE BUFFERPOOL A SIZE 5;\nCONNECT TO B1;\nCONNECT TO B2;\nCREATE BUFFERPOOL B SIZE 6;\n")
    assert [(report.database) for report in found.reports] == ["B1", "B2"]


@pytest.mark.parametrize("end", ["", "TERMINATE;\n", "$ db2 get db cfg\n"])
def test_another_format_ends_it(end):
    text = f"{HEADER}CREATE BUFFERPOOL A SIZE 5;\n{end}Database Configuration for Database SAMPLE\n (LOGBUFSZ) = 256\n"
    assert reading(text).rows["dbcfg"][0]["VALUE"] == "256"
    assert reading("CREATE BUFFERPOOL A\n\n (LOGBUFSZ) = 256\n").rows["dbcfg"][0]["VALUE"] == "256"


def test_other_statements_are_skipped_whole():
    text = HEADER + "CREATE TABLE T (\n  C INTEGER,\n  (LOGBUFSZ) = 256\n  );\nGRANT USE OF TABLESPACE T TO PUBLIC;\n"
    found = reading(text + "CREATE BUFFERPOOL A SIZE 5;\n")
    assert found.rows.keys() == {"cat_bufferpool"}
    assert "statements that define no storage, table or index" in {item.why for item in found.ranges}


@pytest.mark.parametrize("change", EDITED_STATEMENTS)
def test_edited_texts_are_read(change):
    expected = reading(SHOP).rows
    assert reading(change(SHOP)).rows == expected


@pytest.mark.parametrize("name", ["x445-8way", "docker-default", "oltp-tuned"])
def test_what_is_printed_is_read_back(name):
    state = MACHINES[name]()
    found = reading(printed(state)).rows
    for source, columns in HOLDS.items():
        assert [typed(row, columns) for row in found[source]] == [typed(row, columns) for row in state.sources[source]]
    managed = {row["TBSP_NAME"] for row in state.sources["tablespace"] if row["TBSP_USING_AUTO_STORAGE"]}
    own = [typed(row, CONTAINER) for row in state.sources["container"] if row["TBSP_NAME"] not in managed]
    assert [typed(row, CONTAINER) for row in found.get("container", [])] == own
    spaces = {row["TBSP_NAME"]: typed(row, TABLESPACE) for row in state.sources["tablespace"]}
    for row in found["tablespace"]:
        assert typed(row, TABLESPACE) == spaces.get(row["TBSP_NAME"], typed(row, TABLESPACE))


def typed(row, columns):
    """Return the values of some columns: numbers as numbers, the others as text."""
    return {column: plain(row[column]) for column in columns if row.get(column) not in {None, ""}}


def plain(value):
    text = str(value)
    return float(text) if re.fullmatch(r"-?[\d.]+", text) else text


MEANT = {"DMS", "SMS", "D", "S", "ANY", "LARGE", "SYSTEMP", "USRTEMP", "A", "L", "T", "U", "Y", "-1", "-2", "0", "1"}
MEANT |= {"FILE_EXTENT_TAG", "DISK_EXTENT_TAG", "PATH", "3", 'OLD "A"'}  # 2 TO 3, a quoted quote
MEANT |= {str(10 * 2**20 // kb) for kb in (4, 8, 16, 32)}  # 10 GB in pages of each size


@given(st.data())
@settings(max_examples=30)
def test_garbled_text_gives_nothing_that_is_not_in_it(data):
    lines = garble_lines(data, SHOP.splitlines(), ["delete", "double", "squeeze", "swap"])
    text = "\n".join(lines)[: data.draw(st.integers(0, 2 * len(SHOP)))]
    for rows in reading(text).rows.values():
        for row in rows:
            for name, value in row.items():
                assert name == "REPORT" or value in MEANT or value.lower() in SHOP.lower(), (name, value)


def test_hostile_text_is_read_in_linear_time():
    deep = "CREATE TABLESPACE A X " + "(" * 20_000 + ")" * 20_000 + ";\n"
    many = "CREATE BUFFERPOOL A '\n" * 300
    text = deep + many + "CREATE BUFFERPOOL A SIZE " + "1" * 50_000 + ";\n" + "-- DB2/" + "1" * 60_000 + "\n"
    assert "cat_tablespace" not in reading(HEADER + text).rows


@pytest.mark.parametrize(
    "statement",
    [
        "db2 ALTER TABLESPACE $TBS AUTORESIZE YES INCREASESIZE 5 G MAXSIZE NONE;",
        "CREATE TABLESPACE ${PREFIX}DATA PAGESIZE 8 K EXTENTSIZE 16 PREFETCHSIZE 16;",
        "CREATE BUFFERPOOL $BP SIZE 1000 PAGESIZE 8 K;",
        "CREATE TABLESPACE WARES_${SUFFIX} PAGESIZE 8 K;",
    ],
)
def test_script_variable_is_not_a_name(statement):
    assert not reading(f"for TBS in a b\ndo\n{statement}\ndone\n").rows


def test_a_name_in_quotes_may_begin_with_a_dollar():
    assert [row["TBSP_NAME"] for row in rows_of('CREATE TABLESPACE "$TBS" PAGESIZE 8 K;', "tablespace")] == ["$TBS"]


PATHS = "CREATE STOGROUP SG ON '/d1', '/d2', '/d3';\n"
SPACE = "CREATE TABLESPACE WARES PAGESIZE 8 K MANAGED BY AUTOMATIC STORAGE USING STOGROUP SG EXTENTSIZE 16;\n"


@pytest.mark.parametrize(
    ("text", "containers"),
    [
        (PATHS + SPACE, "3"),
        (SPACE + PATHS, "3"),
        (SPACE, None),  # the text does not define its paths
        (PATHS + SPACE + "ALTER STOGROUP SG ADD '/d4';\n", None),  # a rebalance may be pending
        (HEADER + PATHS + SPACE, None),  # the table space may be older than the last path
        (PATHS + SPACE.replace("USING STOGROUP SG ", ""), None),  # another group may be the default
        (PATHS + SPACE.replace("AUTOMATIC STORAGE", "DATABASE"), None),
        (PATHS + SPACE.replace("TABLESPACE", "USER TEMPORARY TABLESPACE"), "3"),
    ],
)
def test_automatic_storage_has_a_container_on_each_path(text, containers):
    """How automatic storage table spaces expand (c0054960): created with a container on each path of the group."""
    [row] = rows_of(text, "tablespace")
    assert row.get("TBSP_NUM_CONTAINERS") == containers
