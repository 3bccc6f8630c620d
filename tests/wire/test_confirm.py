"""Estimates of proposed indexes by EXPLAIN, on a fake server whose plans are those of the cost model."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from advisor.capture import open_capture
from advisor.catalogue.embedded import open_tables
from advisor.db2.explaining import confirm as explain
from advisor.db2.explaining import read_colnames
from advisor.indexes.advice import IndexAdvice
from advisor.indexes.catalog import Catalog, Key
from advisor.indexes.costs import Plan
from advisor.indexes.rows import SOURCES, build_catalog
from advisor.indexes.shapes import Candidate
from advisor.indexes.statement import read_statement
from tests.support.paths import CAPTURES
from tests.wire.conftest import Server, standin

pytestmark = pytest.mark.full

SHOP = CAPTURES / "webshop"
PROPOSED = "IX_ORDERS_SHIPPED_STATUS"
TABLES = """\
CREATE TABLE DB2INST1.EXPLAIN_INSTANCE (EXPLAIN_REQUESTER VARCHAR(128) NOT NULL, EXPLAIN_TIME TIMESTAMP NOT NULL);
CREATE TABLE DB2INST1.EXPLAIN_STATEMENT (EXPLAIN_REQUESTER VARCHAR(128) NOT NULL, EXPLAIN_TIME TIMESTAMP NOT NULL,
    EXPLAIN_LEVEL CHAR(1) NOT NULL, TOTAL_COST DOUBLE NOT NULL);
CREATE TABLE DB2INST1.EXPLAIN_OBJECT (EXPLAIN_REQUESTER VARCHAR(128) NOT NULL, EXPLAIN_TIME TIMESTAMP NOT NULL,
    OBJECT_NAME VARCHAR(128) NOT NULL);
CREATE TABLE DB2INST1.EXPLAIN_OPERATOR (EXPLAIN_REQUESTER VARCHAR(128) NOT NULL, EXPLAIN_TIME TIMESTAMP NOT NULL,
    OPERATOR_ID INTEGER NOT NULL, OPERATOR_TYPE CHAR(6) NOT NULL, TOTAL_COST DOUBLE NOT NULL, IO_COST DOUBLE NOT NULL);
CREATE TABLE DB2INST1.EXPLAIN_STREAM (EXPLAIN_REQUESTER VARCHAR(128) NOT NULL, EXPLAIN_TIME TIMESTAMP NOT NULL,
    STREAM_ID INTEGER NOT NULL, SOURCE_ID SMALLINT NOT NULL, TARGET_TYPE CHAR(1) NOT NULL, TARGET_ID SMALLINT NOT NULL,
    OBJECT_SCHEMA VARCHAR(128), OBJECT_NAME VARCHAR(128), STREAM_COUNT DOUBLE NOT NULL);
CREATE TABLE DB2INST1.ADVISE_INDEX (EXPLAIN_REQUESTER VARCHAR(128) NOT NULL DEFAULT USER,
    EXPLAIN_TIME TIMESTAMP NOT NULL DEFAULT CURRENT TIMESTAMP, NAME VARCHAR(128) NOT NULL,
    CREATOR VARCHAR(128) NOT NULL DEFAULT '', TBNAME VARCHAR(128) NOT NULL, TBCREATOR VARCHAR(128) NOT NULL DEFAULT '',
    COLNAMES VARCHAR(4000) NOT NULL, UNIQUERULE CHAR(1) NOT NULL, COLCOUNT SMALLINT NOT NULL, IID SMALLINT NOT NULL,
    NLEAF BIGINT, FIRSTKEYCARD BIGINT, FULLKEYCARD BIGINT, FIRST2KEYCARD BIGINT, FIRST3KEYCARD BIGINT,
    FIRST4KEYCARD BIGINT, UNIQUE_COLCOUNT SMALLINT, REVERSE_SCANS CHAR(1), USE_INDEX CHAR(1), INDEXTYPE CHAR(4),
    EXISTS CHAR(1), RIDTOBLOCK CHAR(1), MINPCTUSED SMALLINT, PCTFREE SMALLINT, NLEVELS SMALLINT, CLUSTERRATIO SMALLINT,
    CLUSTERFACTOR DOUBLE, SEQUENTIAL_PAGES BIGINT, DENSITY INTEGER, AVGPARTITION_CLUSTERRATIO SMALLINT,
    AVGPARTITION_CLUSTERFACTOR DOUBLE)"""


LATEST = "SELECT MAX(EXPLAIN_TIME) FROM DB2INST1.EXPLAIN_INSTANCE"


def read_catalog() -> Catalog:
    """Return the tables of the shop."""
    with open_capture(SHOP) as capture, open_tables() as tables:
        capture.load(tables)
        queries = {source: f"SELECT * FROM TUNE.S_{source.upper()} WHERE SNAP_ID = 2" for source in SOURCES}
        return build_catalog({source: tables.records(query) for source, query in queries.items()})


class Optimizer:
    """Explains statements by the cost model, and recommends ``recommended`` (COLNAMES on SHOP.ORDERS)."""

    def __init__(self, recommended: str | None = None) -> None:
        self.catalog = read_catalog()
        self.recommended = recommended
        self.explained: list[tuple[str, str]] = []

    def __call__(self, execute: Callable[[str], Any], mode: str, sql: str) -> None:
        self.explained.append((mode, sql))
        if mode == "RECOMMEND INDEXES":
            if self.recommended:
                execute(
                    "INSERT INTO DB2INST1.ADVISE_INDEX (NAME, TBNAME, TBCREATOR, COLNAMES, UNIQUERULE, COLCOUNT, IID,"
                    f" USE_INDEX, EXISTS) VALUES ('IDX1', 'ORDERS', 'SHOP', '{self.recommended}', 'D', 1, 1, 'Y', 'N')"
                )
            return
        indexes = []
        if mode == "EVALUATE INDEXES":
            found = execute("SELECT NAME, TBCREATOR, TBNAME, COLNAMES FROM DB2INST1.ADVISE_INDEX WHERE USE_INDEX = 'Y'")
            indexes = [
                (name, Candidate(owner, table, read_colnames(keys)))
                for name, owner, table, keys in found.result.fetch(100)
            ]
        statement = read_statement(sql, self.catalog)
        before = Plan(statement, self.catalog).cost().units
        after = Plan(statement, self.catalog).cost([index for _, index in indexes]).units
        used = [name for name, _ in indexes] if after < before else []
        own = f"'DB2INST1', CURRENT TIMESTAMP + {len(self.explained)} SECONDS"
        execute(f"INSERT INTO DB2INST1.EXPLAIN_INSTANCE VALUES ({own})")
        execute(f"INSERT INTO DB2INST1.EXPLAIN_STATEMENT SELECT I.*, 'P', {after!r} FROM DB2INST1.EXPLAIN_INSTANCE AS I"
                " WHERE I.EXPLAIN_TIME = (SELECT MAX(EXPLAIN_TIME) FROM DB2INST1.EXPLAIN_INSTANCE)")  # fmt: skip
        latest = f"SELECT I.*, {{}} FROM DB2INST1.EXPLAIN_INSTANCE AS I WHERE I.EXPLAIN_TIME = ({LATEST})"
        for operator in ("1, 'RETURN', 912.0, 90.0", "2, 'TBSCAN', 912.0, 90.0"):
            execute(f"INSERT INTO DB2INST1.EXPLAIN_OPERATOR {latest.format(operator)}")
        for stream in (
            "1, -1, 'O', 2, 'SHOP', 'ORDERS', 5000000.0",
            "2, 2, 'O', 1, NULLIF('', ''), NULLIF('', ''), 7.0",
        ):
            execute(f"INSERT INTO DB2INST1.EXPLAIN_STREAM {latest.format(stream)}")
        for name in used:
            execute(f"INSERT INTO DB2INST1.EXPLAIN_OBJECT SELECT I.*, '{name}' FROM DB2INST1.EXPLAIN_INSTANCE AS I"
                    " WHERE I.EXPLAIN_TIME = (SELECT MAX(EXPLAIN_TIME) FROM DB2INST1.EXPLAIN_INSTANCE)")  # fmt: skip


@pytest.fixture
def shop() -> Iterator[Server]:
    with contextmanager(standin)(SHOP) as server:
        server.advance(300)
        yield server


def confirm(server: Server, optimizer: Optimizer, *options: str) -> Any:
    assert server.standin is not None
    server.standin.backend.database.explainer = optimizer
    done = server.tune("indexes", "--interval", "0", "--confirm", "--format", "json", *options)
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)["indexes"]


def create_tables(server: Server) -> None:
    for statement in TABLES.split(";\n"):
        server.say(statement)


def test_confirm_asks_db2_and_leaves_no_row(shop: Server) -> None:
    create_tables(shop)
    optimizer = Optimizer()
    (item,) = confirm(shop, optimizer)["confirmed"]
    assert item["before"] > 100 * item["after"]
    assert (item["used"], item["reason"]) == ([PROPOSED], None)
    assert {mode for mode, _ in optimizer.explained} == {"RECOMMEND INDEXES", "EXPLAIN", "EVALUATE INDEXES"}
    with shop.connect() as connection:
        for table in ("EXPLAIN_INSTANCE", "EXPLAIN_STATEMENT", "EXPLAIN_STREAM", "ADVISE_INDEX"):
            assert list(connection.rows(f"SELECT COUNT(*) FROM DB2INST1.{table}")) == [(0,)]


def test_query_shows_the_plan_of_db2(shop: Server) -> None:
    create_tables(shop)
    assert shop.standin is not None
    shop.standin.backend.database.explainer = Optimizer()
    done = shop.tune("query", "--interval", "0", "1")
    assert "TBSCAN (2) reads all 5,000,000 rows of SHOP.ORDERS" in done.stdout, done.output
    assert "CREATE INDEX SHOP.IX_ORDERS_SHIPPED_STATUS" in done.stdout
    with shop.connect() as connection:
        assert list(connection.rows("SELECT COUNT(*) FROM DB2INST1.EXPLAIN_OPERATOR")) == [(0,)]


def test_query_without_explain_tables_has_an_answer(shop: Server) -> None:
    done = shop.tune("query", "--interval", "0", "1")
    assert (done.exit_code, "CREATE INDEX" in done.stdout) == (0, True), done.output
    assert "without the plan: no explain tables" in done.output


class Offered:
    """A workload that keeps the candidates that it is offered."""

    def __init__(self) -> None:
        self.found: list[Candidate] = []

    def offer(self, candidates: list[Candidate]) -> None:
        self.found += candidates

    def advise(self, budget: int, most: int | None) -> IndexAdvice:
        return IndexAdvice(1.0, 1.0)


def test_recommendations_of_db2_are_read(shop: Server) -> None:
    create_tables(shop)
    assert shop.standin is not None
    shop.standin.backend.database.explainer = Optimizer("+SHIPPED-TOTAL")
    workload = Offered()
    with shop.connect() as connection:
        advice, confirmed = explain(
            connection,
            IndexAdvice(1.0, 1.0, texts={"1": "SELECT 1 FROM SHOP.ORDERS"}, workload=workload),  # type: ignore[arg-type]
        )
    keys = (Key("SHIPPED"), Key("TOTAL", descending=True))
    assert workload.found == [Candidate("SHOP", "ORDERS", keys)]
    assert (advice.chosen, confirmed) == ((), [])


def test_confirm_without_explain_tables_names_the_option(shop: Server) -> None:
    assert shop.standin is not None
    done = shop.tune("indexes", "--interval", "0", "--confirm")
    assert done.exit_code == 2
    assert "no explain tables: create them with --create-explain-tables" in done.output


def test_colnames_are_read_in_order() -> None:
    assert read_colnames("+A-B+C D") == (Key("A"), Key("B", descending=True), Key("C D"))
