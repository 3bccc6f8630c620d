"""The watched database of the stand-in: what it shows of a capture, at which time, and what commands do to it."""

import csv
import re
import shutil
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import duckdb
import pytest

from advisor.catalogue.sources import all_sources
from tests.standin.commands import Interpreter
from tests.standin.errors import Db2Error
from tests.standin.machine import Machine
from tests.standin.machine.contract import definitions
from tests.standin.machine.mapping import APART, mappings
from tests.support.advised import advised
from tests.support.carrying_out import difference, files, settle_state
from tests.support.paths import CAPTURES
from tests.support.states import Row, State, base_state, convert_row, read_state, state_of, write_capture

pytestmark = pytest.mark.full

NAMES = sorted(path.name for path in CAPTURES.glob("x445-*") if path.is_dir())
CAPTURE = CAPTURES / "x445-8way"
LENGTH_S = 300
# the statement computes them from the clock, or from the rows that it leaves out
TIMES = ("UPTIME_S", "STATS_AGE_H", "CACHED_S", "UNUSED_D", "AGE_D", "CACHED_STATEMENTS", "LEFT_OUT_TIME",
         "USED_DAYS", "BOUND_DAYS", "LONGEST_AGO_S", "MUCH_READ")  # fmt: skip
POOL = {"BP_NAME": "BP", "MEMBER": 0, "AUTOMATIC": 0, "BP_CUR_BUFFSZ": 100}

CHANGED = [
    "bufferpool",
    "cat_bufferpool",
    "cat_bufferpool_exception",
    "cat_tablespace",
    "container",
    "database",
    "dbcfg",
    "dbmcfg",
    "partition_group",
    "registry",
    "storage_path",
    "tablespace",
]

Filled = tuple[Machine, duckdb.DuckDBPyConnection]


def filled(machine: Machine) -> Filled:
    connection = duckdb.connect()
    machine.fill(connection)
    return machine, connection


def of(state: State, level: str | None = None) -> Filled:
    with TemporaryDirectory() as folder:
        return filled(Machine.from_capture(write_capture(state, Path(folder)), level))


def of_state(**case: Any) -> Filled:
    return of(state_of(case))


def rows(connection: duckdb.DuckDBPyConnection, query: str) -> list[tuple[Any, ...]]:
    return connection.execute(query).fetchall()


def value(connection: duckdb.DuckDBPyConnection, query: str) -> Any:
    ((only,),) = rows(connection, query)
    return only


@pytest.fixture(scope="module")
def paper() -> Filled:
    """The machine of the paper, eight members, which no test changes."""
    return filled(Machine.from_capture(CAPTURE))


@pytest.fixture(scope="module")
def modern() -> Filled:
    """One member of 11.5 in which no rule fires, which no test changes."""
    return of(base_state())


@pytest.fixture(scope="module", params=NAMES)
def replay(request: pytest.FixtureRequest) -> tuple[Path, Machine, duckdb.DuckDBPyConnection]:
    """A fixture and its machine; a test that moves the clock comes last."""
    return CAPTURES / request.param, *filled(Machine.from_capture(CAPTURES / request.param))


@pytest.fixture
def changing_paper() -> Filled:
    return filled(Machine.from_capture(CAPTURE))


@pytest.fixture
def changing() -> Filled:
    """A machine of which only what commands change was captured, so that it is soon made."""
    state = base_state()
    state.sources = {name: rows for name, rows in state.sources.items() if name in CHANGED}
    return of(state)


# what a snapshot collects


def captured(directory: Path, name: str, snapshot: int, newer: Iterable[str] = ()) -> tuple[list[str], Counter[str]]:
    """The columns that a capture has of a source, but ``newer`` ones, and the rows of one snapshot."""
    with (directory / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file)
        columns = [column for column in reader.fieldnames or [] if column not in ("SNAP_ID", *TIMES, *newer)]
        found = [{column: row[column] for column in columns} for row in reader if row["SNAP_ID"] == str(snapshot)]
    return columns, counted(found, name)


def newer(machine: Machine, name: str) -> set[str]:
    """Return the columns of a source that the machine's level lacks; a handwritten capture has all columns."""
    mapping = mappings()[name]
    key = mapping.schema, mapping.name
    there = {column.name for column in machine.relations()[key].columns}
    return {item.column.name for item in definitions()[key].columns} - there


def counted(found: list[Row], name: str) -> Counter[str]:
    return Counter(str(sorted(convert_row(name, row).items())) for row in found)


def as_duckdb(statement: str) -> str:
    statement = statement.replace(", OCTETS)", ")")
    return re.sub(r"TABLE\((?:SYSPROC\.)?(\w+)(\(.*\))\) AS ([TMP])\b", r"SYSPROC.\1\2 AS \3", statement)


def collected(connection: duckdb.DuckDBPyConnection, name: str, columns: list[str], conditions: bool) -> Counter[str]:
    """What the statement of sql/collect/ finds, written as DuckDB understands it."""
    source = all_sources()[name]
    statement = source.statement([column for column in source.columns if column.name in columns])
    statement = as_duckdb(statement)
    if not conditions:
        statement = re.split(r"\nWHERE\s", statement)[0].replace("R.NUM_EXECUTIONS > 0", "TRUE")
    found = connection.execute(re.sub(r"FETCH FIRST (\d+) ROWS ONLY", r"LIMIT \1", statement)).fetchall()
    return counted([dict(zip(columns, row, strict=True)) for row in found], name)


def test_the_distribution_map_gives_each_partition_its_buckets(
    replay: tuple[Path, Machine, duckdb.DuckDBPyConnection],
) -> None:
    directory, _, connection = replay
    query = (
        'SELECT "DBPGNAME", "PARTITIONMAP" FROM SYSCAT.DBPARTITIONGROUPS JOIN SYSCAT.PARTITIONMAPS USING ("PMAP_ID")'
    )
    found: list[Row] = []
    for group, vector in rows(connection, query):
        entries = Counter(int.from_bytes(vector[at : at + 2], "big") for at in range(0, len(vector), 2))
        found += [
            {"DBPGNAME": group, "DBPARTITIONNUM": number, "BUCKETS": buckets} for number, buckets in entries.items()
        ]
    assert counted(found, "partition_map") == captured(directory, "partition_map", 1)[1]


def test_collecting_gives_back_the_capture(replay: tuple[Path, Machine, duckdb.DuckDBPyConnection]) -> None:
    directory, machine, connection = replay
    names = [name for name in all_sources() if name not in APART and (directory / f"{name}.csv").exists()]
    for snapshot in (1, 2):
        for name in names:
            columns, expected = captured(directory, name, snapshot, newer(machine, name))
            # what has counted nothing at the begin is not "in use" yet, so only the end is held to the conditions
            assert collected(connection, name, columns, conditions=snapshot == 2) == expected, (name, snapshot)
        machine.advance(LENGTH_S)


def test_lock_waits_are_counted_as_they_were() -> None:
    waits = [
        {"MEMBER": 0, "MODE_REQUESTED": "NS", "MODE_HELD": "X", "WAITERS": 3, "LONGEST_WAIT_S": 70},
        {"MEMBER": 0, "MODE_REQUESTED": "-", "MODE_HELD": "X", "WAITERS": 1, "LONGEST_WAIT_S": 5},
    ]
    machine, connection = of_state(lock_wait=waits)
    machine.advance(LENGTH_S)
    query = """SELECT COALESCE("LOCK_MODE_REQUESTED", '-'), COUNT(DISTINCT "REQ_APPLICATION_HANDLE"), MAX(N.T - "LOCK_WAIT_START_TIME")
        FROM SYSPROC.MON_GET_APPL_LOCKWAIT(NULL, -2, 0),
            (SELECT MAX("DB_CONN_TIME") + TO_SECONDS(MAX("UPTIME_S")) AS T FROM "$MACHINE"."database") AS N
        GROUP BY ALL ORDER BY 2 DESC"""
    assert rows(connection, query) == [("NS", 3, timedelta(seconds=70)), ("-", 1, timedelta(seconds=5))]


def test_of_many_statements_those_are_collected_that_take_most() -> None:
    many = [
        {"EXECUTABLE_ID": f"{n:064X}", "STMT_EXEC_TIME": n, "TOTAL_CPU_TIME": 5000 - n, "ROWS_READ": n * 7919 % 5000,
         "POOL_DATA_P_READS": n * 104_729 % 5000, "POOL_INDEX_P_READS": 0, "SORT_OVERFLOWS": int(n % 50 == 0),
         "STMT_TEXT": f"SELECT {n} FROM T", "STMT_TEXT_LENGTH": 20}
        for n in range(1, 5001)
    ]  # fmt: skip
    machine, connection = of_state(statement=many)
    machine.advance(LENGTH_S)
    columns = ["STMT_TEXT", "CACHED_STATEMENTS", "LEFT_OUT_TIME", "STMT_EXEC_TIME"]
    source = all_sources()["statement"]
    statement = source.statement([column for column in source.columns if column.name in columns])
    found = connection.execute(as_duckdb(statement)).fetchall()
    assert 100 <= len(found) <= 520
    assert {time for *_, time in found} >= {*range(4901, 5001), *range(1, 101)}
    assert {row[1:3] for row in found} == {(5000, 4901)}
    assert {text for text, *_ in found} >= {f"SELECT {n} FROM T" for n in range(4901, 5001)}


def test_the_uptime_follows_from_the_clock(changing_paper: Filled) -> None:
    machine, connection = changing_paper
    machine.advance(LENGTH_S)
    since = value(connection, 'SELECT DISTINCT "DB_CONN_TIME" FROM "SYSPROC"."MON_GET_DATABASE"(-2)')
    assert (machine.now - since).total_seconds() == 93900


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ('SELECT "TYPE" FROM SYSCAT.TABLES WHERE "TABNAME" = \'EMPLOYEE\'', "T"),
        ('SELECT DISTINCT "DATA_PARTITION_ID" FROM SYSPROC.MON_GET_TABLE(NULL, NULL, -2)', None),
        ("SELECT OCTET_LENGTH(MIN(\"EXECUTABLE_ID\")) FROM SYSPROC.MON_GET_PKG_CACHE_STMT('D', NULL, NULL, -2)", 32),
        ('SELECT DISTINCT "DBPARTITIONNUM" FROM SYSIBMADM.DBCFG WHERE "MEMBER" = 3', 3),
        ("SELECT COUNT(*) FROM SYSIBMADM.REG_VARIABLES", 8),
        ('SELECT COUNT(*) FROM SYSCAT.NODEGROUPDEF WHERE "NODENUM" = 7', 1),
        ('SELECT COUNT(*) FROM SYSIBMADM.DB2_MEMBER WHERE "ID" = 7', 1),
        ("SELECT COUNT(*) FROM SYSPROC.MON_GET_LOCKS(NULL, -2)", 0),
        ("SELECT COUNT(*) FROM SYSPROC.MON_GET_CONNECTION(NULL, -2)", 8),
    ],
)
def test_text_after_a_collected_column(paper: Filled, query: str, expected: Any) -> None:
    assert value(paper[1], query) == expected


def test_text_of_fixed_length_is_padded() -> None:
    machine, connection = of_state()
    padded = {
        (schema, name, column.name): column.type.length
        for (schema, name), base in machine.relations().items()
        for column in base.columns
        if column.type.name == "CHAR" and column.type.length > 1 and not column.type.bit_data
    }
    assert padded
    for (schema, name, column), length in padded.items():
        found = rows(connection, f'SELECT DISTINCT "{column}" FROM "{schema}"."{name}"')
        assert all(text is None or len(text) == length for (text,) in found)


def test_every_object_can_be_read_and_has_its_columns(paper: Filled) -> None:
    machine, connection = paper
    for (schema, name), base in machine.relations().items():
        described = connection.execute(f'SELECT * FROM "{schema}"."{name}" LIMIT 1').description
        assert [item[0] for item in described] == [column.name for column in base.columns]


# time


POOLS = [
    "SNAP_ID,BP_NAME,MEMBER,AUTOMATIC,BP_CUR_BUFFSZ,POOL_DATA_L_READS,POOL_INDEX_L_READS,POOL_READ_TIME",
    f"1,BP,0,0,100,1000,{2**62},700",
    "1,OLD,0,0,100,5,5,5",
    f"2,BP,0,0,200,1900,{2**62 + 301},70",
    "2,NEW,0,0,100,40,0,0",
]


@pytest.fixture(scope="module")
def pools(tmp_path_factory: pytest.TempPathFactory) -> Filled:
    """Three buffer pools: BP in both snapshots, OLD only in the first, NEW only in the second."""
    target = tmp_path_factory.mktemp("pools") / "capture"
    shutil.copytree(CAPTURE, target)
    (target / "bufferpool.csv").write_text("\n".join(POOLS) + "\n", encoding="utf-8")
    return filled(Machine.from_capture(target))


# BP at each moment: POOL_READ_TIME falls, so its course in between is unknown
MOMENTS = [
    (0, "OLD", 100, 1000, 2**62, 700),
    (0.4, "OLD", 100, 1001, 2**62, 700),
    (100, "OLD", 100, 1300, 2**62 + 100, 700),
    (150, "OLD", 100, 1450, 2**62 + 151, 700),
    (299.999, "OLD", 100, 1900, 2**62 + 301, 700),
    (300, "NEW", 200, 1900, 2**62 + 301, 70),
    (600, "NEW", 200, 2800, 2**62 + 602, 70),
]


@pytest.mark.parametrize(("seconds", "other", "size", "data", "index", "time"), MOMENTS)
def test_counters_grow_and_the_rest_jumps(
    pools: Filled, seconds: float, other: str, size: int, data: int, index: int, time: int
) -> None:
    machine, connection = pools
    machine.advance(seconds - (machine.now - datetime(2026, 3, 2, 10, 0)).total_seconds())
    columns = "BP_NAME, BP_CUR_BUFFSZ, POOL_DATA_L_READS, POOL_INDEX_L_READS, POOL_READ_TIME"
    found = rows(connection, f"SELECT {columns} FROM SYSPROC.MON_GET_BUFFERPOOL(NULL, 0) ORDER BY BP_NAME <> 'BP'")
    assert found[0] == ("BP", size, data, index, time)
    assert [row[0] for row in found[1:]] == [other]


def test_a_restart_begins_at_zero(changing_paper: Filled) -> None:
    machine, connection = changing_paper
    reads = "SELECT SUM(\"POOL_DATA_L_READS\") FROM SYSPROC.MON_GET_BUFFERPOOL('BP16K', -2)"
    machine.advance(LENGTH_S)
    before = value(connection, reads)
    machine.restart()
    assert value(connection, reads) == 0
    assert rows(connection, 'SELECT DISTINCT "DB_CONN_TIME" FROM SYSPROC.MON_GET_DATABASE(-2)') == [(machine.now,)]
    assert rows(connection, 'SELECT DISTINCT "DB2START_TIME" FROM SYSPROC.MON_GET_INSTANCE(-2)') == [(machine.now,)]
    machine.advance(LENGTH_S)
    assert value(connection, reads) == before


def test_a_single_snapshot_counts_since_the_activation() -> None:
    machine, connection = of_state(single=True, bufferpool=[POOL | {"POOL_DATA_L_READS": 9390000}])
    reads = "SELECT POOL_DATA_L_READS FROM SYSPROC.MON_GET_BUFFERPOOL('BP', 0)"
    assert value(connection, reads) == 9390000
    machine.advance(939)
    assert value(connection, reads) == 9390000 + 93900


def test_the_clock_does_not_go_back(paper: Filled) -> None:
    assert paper[0].now == datetime(2026, 3, 2, 10, 0)
    with pytest.raises(ValueError, match="back"):
        paper[0].advance(-1)


# arguments


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        (("MON_GET_BUFFERPOOL", ["NULL", "-2"]), 16),
        (("MON_GET_BUFFERPOOL", ["''", "-2"]), 16),
        (("MON_GET_BUFFERPOOL", ["'BP16K  '", "-2"]), 8),
        (("MON_GET_BUFFERPOOL", ["'bp16k'", "-2"]), 0),
        (("MON_GET_BUFFERPOOL", ["NULL", "-1"]), 2),
        (("MON_GET_BUFFERPOOL", ["NULL", "NULL"]), 2),
        (("MON_GET_BUFFERPOOL", ["NULL", "5"]), 2),
        (("MON_GET_BUFFERPOOL", ["NULL", "99"]), 0),
        (("MON_GET_TABLE", ["'HRDB'", "'EMPLOYEE'", "-2"]), 8),
        (("MON_GET_TABLE", ["'HRDB'", "'OTHER'", "-2"]), 0),
        (("DB_GET_CFG", []), 19),
        (("ENV_GET_REG_VARIABLES", ["-2", "0"]), 8),
        (("ENV_GET_REG_VARIABLES", ["-2"]), 8),
        (("ENV_GET_SYSTEM_RESOURCES", []), 8),
    ],
    ids=str,
)
def test_arguments_choose_rows(paper: Filled, call: tuple[str, list[str]], expected: int) -> None:
    machine, connection = paper
    assert value(connection, f"SELECT COUNT(*) FROM {machine.source(*call)} AS T") == expected


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("MON_GET_BUFFERPOOL", ["NULL"]),
        ("MON_GET_BUFFERPOOL", ["NULL", "-2", "0"]),
        ("ENV_GET_SYSTEM_RESOURCES", ["-2"]),
        ("MON_GET_NOTHING", ["-2"]),
        ("TABLES", []),
    ],
)
def test_a_function_that_is_not_there(paper: Filled, name: str, arguments: list[str]) -> None:
    with pytest.raises(Db2Error) as raised:
        paper[0].source(name, arguments)
    assert (raised.value.code, raised.value.state, raised.value.tokens) == (-440, "42884", (name, "FUNCTION"))


# what there is, and at which level


def test_what_was_not_collected_is_not_there(tmp_path: Path) -> None:
    shutil.copytree(CAPTURE, tmp_path / "capture")
    (tmp_path / "capture" / "fcm.csv").unlink()
    pools = tmp_path / "capture" / "bufferpool.csv"
    pools.write_text(pools.read_text(encoding="utf-8").replace("POOL_XDA_L_READS", "NOT_COLLECTED"), encoding="utf-8")
    relations = Machine.from_capture(tmp_path / "capture").relations()
    assert ("SYSPROC", "MON_GET_FCM") not in relations
    assert ("SYSPROC", "MON_GET_MEMORY_SET") not in relations  # the fixture has no such file
    pool = [column.name for column in relations["SYSPROC", "MON_GET_BUFFERPOOL"].columns]
    assert "POOL_DATA_L_READS" in pool
    assert "POOL_XDA_L_READS" not in pool  # the fixture has no such column
    assert "DIRECT_READS" in pool  # which the product does not collect


@pytest.mark.parametrize(
    ("level", "number", "there", "missing"),
    [
        ("10.5", 10050000, "POOL_DATA_L_READS", "AUTOMATIC"),
        ("11.1.4.7", 11010407, "AUTOMATIC", "DIRECT_READS"),
        ("11.5", 11050000, "DIRECT_READS", "LOGICAL_READS"),
        ("12.1.4", 12010400, "DIRECT_READS", "MEMBERS"),
    ],
)
def test_a_level_lacks_what_is_newer(level: str, number: int, there: str, missing: str) -> None:
    machine, connection = of(base_state(), level)
    columns = {column.name for column in machine.relations()["SYSPROC", "MON_GET_BUFFERPOOL"].columns}
    assert there in columns
    assert missing not in columns
    assert value(connection, "SELECT VERSIONNUMBER FROM SYSIBM.SYSVERSIONS") == number
    assert value(connection, "SELECT SERVICE_LEVEL FROM SYSIBMADM.ENV_INST_INFO").startswith(f"DB2 v{level}")


def test_a_later_level_has_more_columns() -> None:
    counts = [
        sum(len(base.columns) for base in of(base_state(), level)[0].relations().values())
        for level in ("10.5", "11.1", "11.5", "12.1")
    ]
    assert counts == sorted(set(counts))


@pytest.mark.parametrize(("topology", "facilities"), [("single", 0), ("dpf", 0), ("purescale", 2)])
def test_only_purescale_has_coupling_facilities(topology: str, facilities: int) -> None:
    _, connection = of_state(database={"topology": topology})
    assert value(connection, "SELECT COUNT(*) FROM SYSIBMADM.DB2_CF") == facilities


def test_database_reports_its_identity(modern: Filled) -> None:
    machine, connection = modern
    assert rows(connection, "SELECT INST_NAME, NUM_MEMBERS, SERVICE_LEVEL FROM SYSIBMADM.ENV_INST_INFO") == [
        ("db2inst1", 1, "DB2 v11.5.8.0")
    ]
    assert rows(connection, "SELECT OS_NAME, HOST_NAME FROM SYSIBMADM.ENV_SYS_INFO") == [("Linux", "db1")]
    assert rows(connection, "SELECT SERVER_PLATFORM FROM SYSPROC.MON_GET_INSTANCE(-2)") == [("LINUXAMD64",)]
    assert machine.database["name"] == "SAMPLE"


# statements and commands

CONFIGURED = 'SELECT "VALUE", "VALUE_FLAGS", "DEFERRED_VALUE" FROM SYSIBMADM.DBCFG WHERE "NAME" = \'{}\''


@pytest.mark.parametrize(
    ("statements", "query", "expected"),
    [
        (["alter bufferpool IBMDEFAULTBP\n  size 5000"], "SELECT NPAGES FROM SYSCAT.BUFFERPOOLS", 5000),
        (['ALTER BUFFERPOOL "IBMDEFAULTBP" IMMEDIATE SIZE AUTOMATIC;'], "SELECT NPAGES FROM SYSCAT.BUFFERPOOLS", -2),
        (["ALTER BUFFERPOOL ibmdefaultbp MEMBER 0 SIZE 77"], "SELECT NPAGES FROM SYSCAT.BUFFERPOOLDBPARTITIONS", 77),
        (["CREATE BUFFERPOOL BP8 PAGESIZE 8 K"], "SELECT PAGESIZE FROM SYSCAT.BUFFERPOOLS WHERE BPNAME = 'BP8'", 8192),
        (
            ["CREATE BUFFERPOOL BP8 SIZE 10 NUMBLOCKPAGES 4 PAGESIZE 8192"],
            "SELECT NUMBLOCKPAGES FROM SYSCAT.BUFFERPOOLS WHERE BPNAME = 'BP8'",
            4,
        ),
        (
            ["CREATE BUFFERPOOL BP8 SIZE 10 PAGESIZE 8K", "DROP BUFFERPOOL BP8"],
            "SELECT COUNT(*) FROM SYSCAT.BUFFERPOOLS WHERE BPNAME = 'BP8'",
            0,
        ),
        (
            ['CREATE TABLESPACE "lower" PREFETCHSIZE 64'],
            "SELECT PREFETCHSIZE FROM SYSCAT.TABLESPACES WHERE TBSPACE = 'lower'",
            64,
        ),
        (
            ["create tablespace ts1", "alter tablespace ts1 prefetchsize automatic no file system caching"],
            "SELECT FS_CACHING FROM SYSPROC.MON_GET_TABLESPACE('TS1', -2)",
            1,
        ),
        (
            ["CREATE USER TEMPORARY TABLESPACE UT MANAGED BY AUTOMATIC STORAGE"],
            "SELECT DATATYPE FROM SYSCAT.TABLESPACES WHERE TBSPACE = 'UT'",
            "U",
        ),
        (
            ["CREATE TEMPORARY TABLESPACE T2 MANAGED BY SYSTEM USING ('/t2') EXTENTSIZE 16"],
            "SELECT TBSP_CONTENT_TYPE || TBSP_EXTENT_SIZE FROM SYSPROC.MON_GET_TABLESPACE('T2', -2)",
            "SYSTEMP16",
        ),
        (
            [
                "CREATE STOGROUP SG2 ON '/p1', '/p2'",
                "CREATE TABLESPACE T2 MANAGED BY AUTOMATIC STORAGE USING STOGROUP SG2",
            ],
            "SELECT COUNT(*) FROM SYSPROC.MON_GET_CONTAINER('T2', -2)",
            2,
        ),
        (
            ["CREATE STOGROUP SG2 ON '/p1'", "ALTER STOGROUP SG2 ADD '/p2'"],
            "SELECT COUNT(*) FROM SYSPROC.ADMIN_GET_STORAGE_PATHS('SG2', -2)",
            2,
        ),
        (
            ["CREATE STOGROUP SG2 ON '/p1'", "DROP STOGROUP SG2"],
            "SELECT COUNT(*) FROM SYSCAT.STOGROUPS WHERE SGNAME = 'SG2'",
            0,
        ),
    ],
)
def test_storage_statements(changing: Filled, statements: list[str], query: str, expected: Any) -> None:
    machine, connection = changing
    assert all(machine.admin(statement) for statement in statements)
    assert value(connection, query) == expected
    machine.advance(LENGTH_S)
    assert value(connection, query) == expected


@pytest.mark.parametrize(
    ("statement", "code", "state", "tokens"),
    [
        ("ALTER BUFFERPOOL NONE SIZE 5", -204, "42704", ("NONE",)),
        ("DROP BUFFERPOOL NONE", -204, "42704", ("NONE",)),
        ("ALTER TABLESPACE NONE PREFETCHSIZE 5", -204, "42704", ("NONE",)),
        ("CREATE TABLESPACE T BUFFERPOOL NONE", -204, "42704", ("NONE",)),
        ("DROP STOGROUP NONE", -204, "42704", ("NONE",)),
        ("CREATE BUFFERPOOL IBMDEFAULTBP SIZE 5", -601, "42710", ("IBMDEFAULTBP", "BUFFERPOOL")),
        ("CREATE TABLESPACE USERSPACE1", -601, "42710", ("USERSPACE1", "TABLESPACE")),
        ("DROP BUFFERPOOL IBMDEFAULTBP", -478, "42893", ("BUFFERPOOL", "USERSPACE1", "TABLESPACE")),
        ("CREATE TABLESPACE T PAGESIZE 32K", -1582, "428CB", ("T", "IBMDEFAULTBP")),
        ("ALTER TABLESPACE USERSPACE1 EXTENTSIZE 64", -1763, "429BC", ("USERSPACE1", "1")),
        ("ALTER BUFFERPOOL IBMDEFAULTBP SIZZE 5", -104, "42601", None),
        ("ALTER BUFFERPOOL IBMDEFAULTBP", -104, "42601", None),
        ("CREATE BUFFERPOOL B COLOUR 5", -104, "42601", None),
        ("CALL SYSPROC.ADMIN_CMD('UPDATE DB CFG USING NONESUCH 5')", -104, "42601", None),
        ("CALL SYSPROC.ADMIN_CMD('LIST DATABASE DIRECTORY')", -104, "42601", None),
    ],
)
def test_statements_that_fail_change_nothing(
    modern: Filled, statement: str, code: int, state: str, tokens: tuple[str, ...] | None
) -> None:
    machine, _ = modern
    before = machine.sources()
    with pytest.raises(Db2Error) as raised:
        machine.admin(statement)
    assert (raised.value.code, raised.value.state) == (code, state)
    assert tokens in (None, raised.value.tokens)
    assert machine.sources() == before


@pytest.mark.parametrize("statement", ["SELECT 1 FROM SYSIBM.SYSDUMMY1", "ALTER TABLE T ADD C INTEGER", "CALL X.Y(1)"])
def test_other_statements_are_left_to_others(modern: Filled, statement: str) -> None:
    assert modern[0].admin(statement) is False


def test_syntax_error_is_reported_with_its_place(modern: Filled) -> None:
    with pytest.raises(Db2Error) as raised:
        modern[0].admin("ALTER BUFFERPOOL IBMDEFAULTBP SIZZE 5")
    assert raised.value.tokens[:2] == ("SIZZE", 'ALTER BUFFERPOOL "IBMDEFAULTBP"')


@pytest.mark.parametrize(
    ("command", "name", "at_once", "after_restart"),
    [
        ("UPDATE DB CFG FOR SAMPLE USING SORTHEAP 512", "sortheap", ("512", "NONE", "512"), ("512", "NONE", "512")),
        (
            "update database configuration using sortheap 512 automatic",
            "sortheap",
            ("512", "AUTOMATIC", "512"),
            ("512", "AUTOMATIC", "512"),
        ),
        ("UPDATE DB CFG USING SORTHEAP 512 DEFERRED", "sortheap", ("2048", "AUTOMATIC", "512"), ("512", "NONE", "512")),
        (
            "UPDATE DB CFG FOR SAMPLE USING LOGPRIMARY 60 IMMEDIATE",
            "logprimary",
            ("50", "NONE", "60"),
            ("60", "NONE", "60"),
        ),
        (
            "UPDATE DB CFG USING NEWLOGPATH /Logs/new",
            "logpath",
            ("/log/NODE0000/LOGSTREAM0000/", "NONE", "/Logs/new/NODE0000/LOGSTREAM0000/"),
            ("/Logs/new/NODE0000/LOGSTREAM0000/", "NONE", "/Logs/new/NODE0000/LOGSTREAM0000/"),
        ),
    ],
)
def test_a_parameter_waits_where_it_must(
    changing: Filled, command: str, name: str, at_once: tuple[str, ...], after_restart: tuple[str, ...]
) -> None:
    machine, connection = changing
    assert machine.admin(f"CALL SYSPROC.ADMIN_CMD('{command}')")
    assert rows(connection, CONFIGURED.format(name)) == [at_once]
    machine.restart()
    assert rows(connection, CONFIGURED.format(name)) == [after_restart]


def test_a_parameter_of_one_member() -> None:
    machine, connection = of_state(members=2)
    machine.admin_cmd("UPDATE DB CFG FOR SAMPLE MEMBER 1 USING SORTHEAP 512")
    found = rows(connection, 'SELECT "MEMBER", "VALUE" FROM SYSIBMADM.DBCFG WHERE "NAME" = \'sortheap\' ORDER BY 1')
    assert found == [(0, "2048"), (1, "512")]


def test_a_manager_parameter_waits_for_the_instance(changing: Filled) -> None:
    machine, connection = changing
    query = 'SELECT "VALUE", "DEFERRED_VALUE" FROM SYSIBMADM.DBMCFG WHERE "NAME" = \'intra_parallel\''
    machine.admin_cmd("UPDATE DATABASE MANAGER CONFIGURATION USING INTRA_PARALLEL YES")
    assert rows(connection, query) == [("NO", "YES")]
    machine.restart()
    assert rows(connection, query) == [("YES", "YES")]


def test_only_who_is_attached_changes_the_instance_at_once(changing: Filled) -> None:
    """ADMIN_CMD and sessions without an attachment change the configuration for the next start only."""
    machine, connection = changing
    query = 'SELECT "VALUE", "DEFERRED_VALUE" FROM SYSIBMADM.DBMCFG WHERE "NAME" = \'fcm_num_buffers\''
    machine.host_command("UPDATE DBM CFG USING FCM_NUM_BUFFERS 4500")
    assert rows(connection, query)[0][1] == "4500" != rows(connection, query)[0][0]
    with pytest.raises(Db2Error, match="SQL1097N"):
        machine.host_command("ATTACH TO other")
    machine.host_command("ATTACH TO db2inst1")
    machine.host_command("UPDATE DBM CFG USING FCM_NUM_BUFFERS 5000")
    assert rows(connection, query) == [("5000", "5000")]
    machine.host_command("DETACH")
    machine.host_command("UPDATE DBM CFG USING FCM_NUM_BUFFERS 5500")
    assert rows(connection, query) == [("5000", "5500")]
    machine.admin_cmd("UPDATE DBM CFG USING FCM_NUM_BUFFERS 6000")
    assert rows(connection, query) == [("5000", "6000")]


@pytest.mark.parametrize(
    ("command", "code"),
    [
        ("UPDATE DB CFG FOR SAMPLE USING NUM_IOCLEANERS 400", "SQL5130N"),
        ("UPDATE DB CFG FOR SAMPLE USING LOGBUFSZ 99999999", "SQL5130N"),
        ("UPDATE DB CFG FOR SAMPLE USING LOGSECOND 4097", "SQL5130N"),
        ("UPDATE DBM CFG USING MAX_COORDAGENTS 64001", "SQL5130N"),
        ("UPDATE DB CFG FOR OTHER USING LOGBUFSZ 512", "SQL1013N"),
    ],
)
def test_update_with_wrong_value_or_name_is_refused(changing: Filled, command: str, code: str) -> None:
    machine, _ = changing
    with pytest.raises(Db2Error, match=code):
        machine.host_command(command)


def test_a_registry_variable_waits_for_the_instance(changing: Filled) -> None:
    machine, connection = changing
    query = "SELECT REG_VAR_VALUE, REG_VAR_ON_DISK_VALUE FROM SYSPROC.ENV_GET_REG_VARIABLES(-2, 0)"
    assert machine.host_command("db2set DB2_PARALLEL_IO=*")
    assert rows(connection, query) == [(None, "*")]
    machine.restart()
    assert rows(connection, query) == [("*", "*")]
    assert machine.host_command("db2set DB2_PARALLEL_IO=")
    assert rows(connection, query) == [("*", None)]
    machine.restart()
    assert rows(connection, query) == []


def test_a_member_that_is_stopped_shows_nothing(changing_paper: Filled) -> None:
    machine, connection = changing_paper
    assert machine.host_command("db2stop DBPARTITIONNUM 0")
    assert machine.members == [1, 2, 3, 4, 5, 6, 7]
    assert value(connection, "SELECT DISTINCT MEMBER FROM SYSPROC.MON_GET_BUFFERPOOL(NULL, -1)") == 1
    assert value(connection, "SELECT NUM_MEMBERS FROM SYSIBMADM.ENV_INST_INFO") == 7


@pytest.mark.parametrize("fixture", ["x445-8way", "x445-map", "x445-skew"])
def test_advice_does_what_it_does_to_a_state(fixture: str) -> None:
    """After a restart the state is the one that the interpreter makes of the same commands."""
    machine, _ = filled(Machine.from_capture(CAPTURES / fixture))
    state = settle_state(read_state(CAPTURES / fixture))
    interpreter = Interpreter(state)
    machine.advance(LENGTH_S)
    for item in advised(fixture).ranked:
        for line in item.actions:
            interpreter.carry_out(line)
            machine.host_command(line)
    machine.restart()
    machine.advance(LENGTH_S)
    found = replace(state, sources=machine.sources())
    for only in ("database", "hostfact"):  # the restart, and what is not the database's to say
        for sources in (state.sources, found.sources):
            sources.pop(only, None)
    assert difference(files(found), files(state)) == []
