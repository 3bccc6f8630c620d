"""Listings of the command line processor: their view, their rows, and ignored parts."""

import io
import re
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from advisor.catalogue.sources import all_sources
from advisor.imports.formats import listing, table_csv
from advisor.imports.lines import Lines
from advisor.imports.queries import parse_query
from advisor.imports.reader import read_document
from advisor.imports.readings import SINCE, STATE
from advisor.imports.sources import LOCKS
from advisor.imports.tables import mentions_view, recognise
from advisor.imports.values import columns
from advisor.resources import ROOT
from tests.imports import reading as plain
from tests.imports.printers.listing import HOLDS, large, printed
from tests.imports.reading import reasons, without_report
from tests.imports.reading import rows_of as rows
from tests.imports.views import expected, own
from tests.machines import MACHINES

SAMPLE = (ROOT / "fixtures/imports/listing-session.txt").read_text(encoding="utf-8")
POOLS = """\
BP_NAME          MEMBER POOL_DATA_L_READS    POOL_DATA_P_READS
---------------- ------ -------------------- --------------------
IBMDEFAULTBP          0              1234567                12345
BP 32K                1                  900                    -

  2 record(s) selected.
"""
POOL_ROWS = [
    {"BP_NAME": "IBMDEFAULTBP", "MEMBER": "0", "POOL_DATA_L_READS": "1234567", "POOL_DATA_P_READS": "12345"},
    {"BP_NAME": "BP 32K", "MEMBER": "1", "POOL_DATA_L_READS": "900"},
]


class TestRows:
    @pytest.mark.parametrize(
        "text",
        [
            pytest.param(POOLS, id="as printed"),
            pytest.param(POOLS.replace("\n", "\r\n"), id="CRLF"),
            pytest.param(re.sub("^", "        ", POOLS, flags=re.M), id="indented"),
            pytest.param(re.sub("^", "\t", POOLS, flags=re.M), id="indented by tabs"),
            pytest.param(re.sub(" +$", "", POOLS, flags=re.M), id="no trailing blanks"),
            pytest.param(re.sub("^---.*\n", "", POOLS, flags=re.M), id="no dashes"),
            pytest.param(POOLS.replace("\n", "\n\n"), id="blank lines between"),
            pytest.param(POOLS.partition("\n\n")[0], id="truncated behind the rows"),
            pytest.param(
                POOLS.replace("BP 32K", "\n".join([*POOLS.splitlines()[:2], "BP 32K"])), id="heading repeated"
            ),
            pytest.param(POOLS.replace("IBMDEFAULTBP", "db2 => IBMDEFAULTBP"), id="prompt in the first row"),
            pytest.param(POOLS.replace("BP_NAME", "bp_name").replace("MEMBER", "member"), id="small letters"),
            pytest.param(POOLS.replace("  2 record(s) selected.", "  2 Satz/Sätze ausgewählt."), id="in German"),
            pytest.param("some words\n\n" + POOLS + "\nmore words about it\n", id="within prose"),
        ],
    )
    def test_are_read_however_they_were_pasted(self, text: str) -> None:
        assert rows(text, "bufferpool") == POOL_ROWS

    def test_with_squeezed_blanks_are_read_if_the_words_fit(self) -> None:
        text = re.sub("  +", " ", POOLS)
        assert rows(text, "bufferpool") == POOL_ROWS[:1]
        assert "not a row of MON_GET_BUFFERPOOL" in reasons(text)

    def test_without_dashes_and_blanks_too(self) -> None:
        text = "TBSP_NAME TBSP_TYPE TBSP_PAGE_SIZE\nTS1 DMS 4096\nTS2 SMS 8192\n"
        assert [row["TBSP_PAGE_SIZE"] for row in rows(text, "tablespace")] == ["4096", "8192"]

    def test_are_not_cut_where_nothing_separates_them(self) -> None:
        text = POOLS.replace(
            "IBMDEFAULTBP          0              1234567", "IBMDEFAULTBP_IS_TOO_LONG_BY_FAR_1234567890"
        )
        assert rows(text, "bufferpool") == POOL_ROWS[1:]

    def test_end_with_the_listing(self) -> None:
        text = POOLS + "\nDatabase Configuration for Database X\n Log buffer size (4KB) (LOGBUFSZ) = 256\n"
        assert rows(text, "bufferpool") == POOL_ROWS
        assert rows(text, "dbcfg") == [{"NAME": "logbufsz", "VALUE": "256", "VALUE_FLAGS": "NONE"}]

    def test_of_several_databases_become_several_reports(self) -> None:
        text = (
            "DB_NAME BP_NAME POOL_DATA_L_READS\n------- ------- -----------------\nA       BP                      1\n"
        )
        reports = plain.reading(text + "B       BP                      2\n").reports
        assert [report.database for report in reports] == ["A", "B"]

    def test_continued_by_the_newline_of_a_statement_text(self) -> None:
        text = (
            "EXECUTABLE_ID MEMBER ROWS_READ STMT_TEXT\n------------- ------ --------- ------------------\n"
            "x'01af'            0        12 select a\nfrom b where c > 1\nselect 1 from d\nx'02'              0        13 values 1\n"
        )
        assert rows(text, "statement") == [
            {"EXECUTABLE_ID": "01AF", "MEMBER": "0", "ROWS_READ": "12", "STMT_TEXT": "select a"},
            {"EXECUTABLE_ID": "02", "MEMBER": "0", "ROWS_READ": "13", "STMT_TEXT": "values 1", "STMT_TEXT_LENGTH": "8"},
        ]

    def test_that_say_different_things_of_one_member_are_not_used(self) -> None:
        text = "BP_NAME POOL_DATA_L_READS\n------- -----------------\nBP                      1\nBP                      2\n"
        assert rows(text, "bufferpool") == []
        assert reasons(text) == ["several rows of one object, and no column contains the member"]

    def test_of_windows_that_were_too_narrow_are_not_used(self) -> None:
        text = "BPNAME\nPAGESIZE NPAGES\n----------\n-------- -------\nBP1\n    4096    1000\n"
        assert rows(text, "cat_bufferpool") == []


class TestRecognition:
    @pytest.mark.parametrize(
        ("names", "source"),
        [
            ("BPNAME NPAGES PAGESIZE", "cat_bufferpool"),
            ("TBSP_NAME TBSP_TYPE TBSP_STATE", "tablespace"),
            ("TABSCHEMA TABNAME ROWS_READ TABLE_SCANS", "table"),
            ("TABSCHEMA TABNAME CARD NPAGES OVERFLOW", "cat_table"),
            ("TABSCHEMA TABNAME IID INDNAME NLEAF", "index"),
            ("TBSP_ID CONTAINER_ID CONTAINER_NAME TOTAL_PAGES", "container"),
            ("DBPARTITIONNUM TOTAL_LOG_USED_KB TOTAL_LOG_AVAILABLE_KB", "transaction_log"),
            ("WORKLOAD_NAME MEMBER TOTAL_RQST_TIME TOTAL_WAIT_TIME", "workload"),
            ("DB_NAME DB_CONN_TIME TOTAL_LOG_USED LOG_WRITES", "transaction_log"),
            ("MEMBER DB_CONN_TIME TOTAL_RQST_TIME", "workload"),
            ("ID HOME_HOST STATE", "member"),
            ("HOST_NAME OS_NAME TOTAL_CPUS TOTAL_MEMORY", "system"),
        ],
    )
    def test_is_by_the_columns(self, names: str, source: str) -> None:
        values = " ".join("7" if name != "DB_CONN_TIME" else "2026-03-01-08.00.00.000000" for name in names.split())
        assert len(rows(f"{names}\n{values}\n", source)) == 1

    @pytest.mark.parametrize(
        "names",
        [
            "BP_NAME TOTAL_HIT_RATIO_PERCENT DATA_HIT_RATIO_PERCENT",  # ratios are not counts
            "APPLICATION_HANDLE MEMBER ROWS_READ TOTAL_CPU_TIME",  # of connections, not of the database
            "SERVICE_SUPERCLASS_NAME SERVICE_SUBCLASS_NAME MEMBER TOTAL_RQST_TIME",
            "MEMBER TOTAL_RQST_TIME TOTAL_WAIT_TIME",  # no named object
            "TABNAME ROWS_READ",
            "MEMBER STATE",
            "MEMORY_POOL_TYPE MEMORY_SET_TYPE MEMORY_POOL_USED",
        ],
    )
    def test_leaves_alone_what_it_does_not_surely_know(self, names: str) -> None:
        result = plain.reading(f"{names}\n{'-- ' * len(names.split())}\n{' '.join('7' for _ in names.split())}\n")
        assert not result.rows
        assert any(item.why for item in result.ranges)

    @pytest.mark.parametrize(
        ("name", "source"),
        [("logbufsz", "dbcfg"), ("sheapthres", "dbmcfg"), ("indexrec", None), ("CPU_TOTAL", "system")],
    )
    def test_of_names_and_values_is_by_the_first_name(self, name: str, source: str | None) -> None:
        result = plain.reading(f"NAME         VALUE\n------------ -----\n{name:12} 12\n")
        assert set(result.rows) == ({source} if source else set())

    def test_uses_the_statement(self) -> None:
        text = "db2 => select name, value from sysibmadm.dbmcfg where name = 'indexrec'\n\nNAME     VALUE\n-------- -----\nindexrec X\n"
        assert rows(text, "dbmcfg") == [{"NAME": "indexrec", "VALUE": "X"}]

    def test_does_not_believe_the_names_of_computed_columns(self) -> None:
        text = "select bp_name, sum(pool_data_l_reads) as pool_data_l_reads, max(files_closed) from table(mon_get_bufferpool('',-2)) as t group by bp_name;\n\n"
        assert (
            rows(
                text + "BP_NAME POOL_DATA_L_READS 3\n------- ----------------- -\nBP                      1 2\n",
                "bufferpool",
            )
            == []
        )

    def test_does_not_believe_the_names_of_other_tables(self) -> None:
        assert rows('db2 "select * from history.pools"\n\n' + POOLS, "bufferpool") == []


class TestReports:
    def test_take_over_what_the_session_says(self) -> None:
        result = plain.reading(SAMPLE)
        last = result.reports[-1]
        assert (last.database, last.level, last.platform) == ("SHOP", "11.5.8.0", "Linux")
        assert last.taken_at == datetime(2026, 3, 2, 10, 5, 0, 123456)

    def test_listings_name_what_their_counters_count(self) -> None:
        counts = {report.format: report.counts for report in plain.reading(SAMPLE).reports}
        assert counts["listing of MON_GET_BUFFERPOOL"] == SINCE
        assert counts["listing of TABLESPACES"] == STATE

    def test_know_activation_and_reset(self) -> None:
        text = (
            "SNAPSHOT_TIMESTAMP         DB_NAME DB_CONN_TIME               LAST_RESET                 LOG_WRITE_TIME_S LOG_WRITE_TIME_NS\n"
            "-------------------------- ------- -------------------------- -------------------------- ---------------- -----------------\n"
            "2026-03-02-10.00.00.000000 SHOP    2026-03-01-08.00.00.000000 2026-03-02-09.00.00.000000               12         345000000\n"
        )
        result = plain.reading(text)
        report = result.reports[0]
        assert (report.database, report.taken_at, report.since) == (
            "SHOP",
            datetime(2026, 3, 2, 10),
            datetime(2026, 3, 2, 9),
        )
        assert without_report(result.rows["transaction_log"]) == [{"LOG_WRITE_TIME": "12345"}]
        assert without_report(result.rows["database"]) == [{"DB_CONN_TIME": "2026-03-01 08:00:00"}]

    def test_of_the_instance(self) -> None:
        text = "INST_NAME  SERVICE_LEVEL\n---------- --------------\ndb2inst1   DB2 v11.5.8.0\n"
        report = plain.reading(text).reports[0]
        assert (report.instance, report.level) == ("db2inst1", "11.5.8.0")


class TestSample:
    def test_rows(self) -> None:
        found = plain.reading(SAMPLE).rows
        assert without_report(found["bufferpool"])[1] == {
            "BP_NAME": "BP_ORDERS",
            "MEMBER": "0",
            "BP_CUR_BUFFSZ": "500000",
            "POOL_DATA_L_READS": "2812345678",
            "POOL_DATA_P_READS": "281234567",
        }
        assert without_report(found["cat_tablespace"])[2] == {
            "TBSPACE": "TS_HISTORY",
            "EXTENTSIZE": "32",
            "PREFETCHSIZE": "64",
            "PAGESIZE": "16384",
            "OVERHEAD": "-1.0",
        }
        assert without_report(found["dbcfg"])[1] == {"NAME": "sortheap", "VALUE": "2048", "VALUE_FLAGS": "AUTOMATIC"}
        assert set(found) == {"bufferpool", "cat_tablespace", "tablespace", "dbcfg"}
        assert "nothing from MON_GET_CONNECTION is used" in reasons(SAMPLE)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("select substr(bp_name,1,15), t.x as y from a.b t", ("BP_NAME", "X")),
        ("select cast(a as varchar(20)), b c, d + e, 'f', count(*) from g", ("A", "B", "", "", "")),
        ("select distinct bigint(a), current timestamp as now, current server from x", ("A", "CURRENT_TIMESTAMP", "CURRENT_SERVER")),
        ("select case when a > 0 then b end, \"Mixed\" from x", ("", "MIXED")),
        ("select t.*, a from x as t", None),
        ("select name, value, type, level as l, left(state, 3), \"Role\".key from x", ("NAME", "VALUE", "TYPE", "LEVEL", "STATE", "KEY")),
        ("select cast(a as bigint), cast(b as decimal(5, 2)), substr(c, d), (e), -f, g concat h, i from x", ("A", "", "", "E", "", "", "I")),
        ("select a -- , b\n, c /* , d */ from x", ("A", "C")),
        ("select a, (b, c from x", ("A", "", "C")),
        ("values current timestamp, current server", ("CURRENT_TIMESTAMP", "CURRENT_SERVER")),
    ],
)  # fmt: skip
def test_select_lists(text: str, expected: tuple[str, ...] | None) -> None:
    statement = parse_query(text)
    assert statement is not None
    assert statement.columns == expected


@pytest.mark.parametrize(
    ("text", "expected", "computed"),
    [
        ("select a from table(mon_get_table('','',-2)) as t, syscat.tables u where b in (select c from d)", ("MON_GET_TABLE", "TABLES"), False),
        ("select a from table(sysproc.snap_get_tbsp_v91('',-1)) t join syscat.tablespaces x on x.a = t.b", ("SNAPTBSP", "TABLESPACES"), False),
        ("select a from b left outer join c on b.name = c.dbcfg inner join table(f(null, -2)) as g using (h), d", ("B", "C", "F", "D"), False),
        ("select a from (b inner join \"C\".\"d\" on b.e = d.e) where f = 'it''s; from g'", ("B", "d"), False),
        ("with x as (select 1 from y) select a from x", ("X",), True),
        ("select a from (select a from y) z", ("SELECT",), True),
        ("select a from x union all select b from y", ("X",), True),
    ],
)  # fmt: skip
def test_objects(text: str, expected: tuple[str, ...], computed: bool) -> None:
    statement = parse_query(text)
    assert statement is not None
    assert (statement.computed, statement.objects if not computed else expected) == (computed, expected)


def test_what_is_too_deep_or_too_long_counts_as_computed() -> None:
    for text in ("select " + "(" * 5_000 + ")" * 5_000, "select " + "a," * 8_000, "values " + "f(" * 5_000):
        statement = parse_query(text)
        assert statement is not None
        assert statement.computed or not any(statement.columns or ())
    assert parse_query("insert into a values 1") is None


def test_the_columns_of_views_are_those_of_the_contract() -> None:
    """The contract's views have the columns that columns/listing.csv names."""
    contract: dict[str, set[str]] = {}
    for line in (ROOT / "tests/contract/columns.csv").read_text(encoding="utf-8").splitlines()[1:]:
        view, _, _, column = line.split(",")[:4]
        contract.setdefault(view.rpartition(".")[2], set()).add(column)
    lacking = [
        (view, row["COLUMN"])
        for row in columns("listing")
        for view in row["VIEW"].split("|")
        if view in contract and row["COLUMN"] not in {"", "*", *contract[view]}
    ]
    assert not lacking
    unknown = {view for row in columns("listing") for view in row["VIEW"].split("|")} - contract.keys()
    assert unknown <= {"*", "SNAPBP", "SNAPTBSP"}  # deprecated before 10.5, but still in use
    assert {row["TARGET"] for row in columns("listing")} <= {"", "report", *all_sources(), *LOCKS}


@pytest.mark.parametrize("statements", [True, False])
@pytest.mark.parametrize("machine", ["x445-8way", "docker-default", "oltp-tuned"])
def test_a_machine_comes_back(machine: str, statements: bool) -> None:
    state = MACHINES[machine]()
    result = plain.reading(printed(state, statements))
    for source in HOLDS:
        assert own(result, source) == expected(state, source), source
    assert {report.database for report in result.reports} == {state.database["name"]}


GARBLED = "\n".join(printed(MACHINES["docker-default"]()).splitlines()[:70]) + SAMPLE + POOLS


@settings(max_examples=30)
@given(data=st.data())
def test_garbled_text_claims_nothing_that_it_does_not_hold(data: st.DataObject) -> None:
    lines = GARBLED.splitlines()
    for _ in range(data.draw(st.integers(1, 12))):
        place = data.draw(st.integers(0, len(lines) - 1))
        lines[place : place + 1] = data.draw(
            st.sampled_from(
                [
                    [],
                    [lines[place]] * 2,
                    [lines[place][: len(lines[place]) // 2]],
                    [re.sub("  +", " ", lines[place])],
                    ["", lines[place]],
                ]
            )
        )
        lines = lines or [""]
    text = "\n".join(lines)
    words = {word.strip("'\"").removeprefix("x'").upper() for word in text.split()}
    words |= {"ALL", "0", "D", "S", "A", "L", "T", "U", "DMS", "SMS", "ANY", "LARGE", "SYSTEMP", "USRTEMP"}
    with TemporaryDirectory() as folder:
        readings = plain.RecordedReadings(Path(folder))
        read_document(
            "garbled",
            Lines(io.BufferedReader(io.BytesIO(text.encode()))),
            readings,
            (*table_csv.FORMATS, *listing.FORMATS),
        )
        readings.close()
        for source, rows in readings.given.items():
            kinds = {column.name: column.type for column in all_sources()[source].columns}
            for row in rows:
                for name, value in row.items():
                    if kinds.get(name) in {"SMALLINT", "INTEGER", "BIGINT"}:
                        assert value in words, (source, name, value)


def test_large_texts_are_read() -> None:
    blocks = large(8)
    text = next(blocks) + next(blocks)
    result = plain.reading(text)
    assert len(result.rows["bufferpool"]) == len(result.rows["table"]) == 4000


WORDS = [
    *("select", "from", "values", "as", ",", ".", "(", ")", "*", "table", "with", "where", "union", '"', "current"),
    *("timestamp", "x", "shop", "orders", "count"),
]
KNOWN = ["member", "bp_name", "sysibmadm", "dbcfg", "name", "snap_get_bp_v95", "mon_get_table", "tbsp_id", "db_name"]


@settings(max_examples=200)
@given(
    st.lists(st.sampled_from(WORDS + KNOWN), max_size=12),
    st.lists(st.sampled_from(["X", "1", *map(str.upper, KNOWN)]), min_size=1, max_size=3),
)
def test_text_without_a_view_gives_nothing(words, names):
    text = " ".join(["select", *words])
    if not mentions_view(f"{' '.join(names)} {text}"):
        assert isinstance(recognise(names, parse_query(text), ["1"] * len(names)), str)


def test_session_time_is_read_but_not_users_own_tables():
    asked = (
        '$ db2 "{}"\n\n1                         \n--------------------------\n{}\n\n  1 record(s) selected.\n\n'.format
    )
    text = asked("select count(*) from shop.orders", "17") + asked(
        "values current timestamp", "2026-03-04-11.32.10.123456"
    )
    assert [report.taken_at for report in plain.reading(text).reports] == [datetime(2026, 3, 4, 11, 32, 10, 123456)]
    assert "none of its values is known" in {item.why for item in plain.reading(text).ranges}
