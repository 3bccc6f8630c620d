"""The stand-in's wire, driven by the real driver over a backend of scripted statements."""

import datetime
import os
import socket
import ssl
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import ibm_db
import ibm_db_dbi
import pytest

from tests.standin.api import Outcome, Parameter
from tests.standin.drda import Server, replies
from tests.standin.drda.framing import parameter
from tests.standin.errors import Db2Error, Disconnect
from tests.standin.session import Prepared
from tests.standin.types import Column, SqlType

pytestmark = pytest.mark.full

os.environ["DB2_MAX_CLIENT_CONNRETRIES"] = "0"  # else the driver looks five seconds for a server that is gone
GONE = r"SQL30081N|SQL30108N|CLI0108E"  # the driver's words for a lost connection
LIMIT = 15.0  # seconds until a hanging client is cut off, so that its test fails

INTEGER = SqlType("INTEGER")
ID = Column("ID", INTEGER, nullable=False)
NAME = Column("NAME", SqlType("VARCHAR", 40))
TEXT = Column("TEXT", SqlType("CLOB", 1_000_000))


# --- the backend -------------------------------------------------------------------------------------------


class Rows:
    """A result set over given rows; an exception among them is raised when it is reached."""

    def __init__(self, columns: Sequence[Column], rows: Sequence[Any], name: str = "C1") -> None:
        self.columns = tuple(columns)
        self.name = name
        self.is_open = True
        self._rows = list(rows)

    def fetch(self, most: int) -> list[tuple[Any, ...]]:
        batch: list[tuple[Any, ...]] = []
        while self._rows and len(batch) < most:
            if isinstance(self._rows[0], Exception):
                if batch:
                    break
                raise self._rows.pop(0)
            batch.append(self._rows.pop(0))
        return batch

    def close(self) -> None:
        self.is_open = False


@dataclass
class Script:
    """A backend and its only kind of session: what each statement does, and a log of all that happened."""

    statements: dict[str, Prepared | Exception] = field(default_factory=dict)
    log: list[str] = field(default_factory=list)
    password: str = "s3cret"
    refusal: Db2Error | None = None
    interrupted: threading.Event = field(default_factory=threading.Event)

    def has_database(self, name: str) -> bool:
        return name.upper() == "SAMPLE"

    def connect(self, database: str, user: str, password: str) -> "Script | None":
        if self.refusal:
            raise self.refusal
        self.log.append(f"connect {database} {user}")
        return self if password == self.password else None

    def prepare(self, sql: str) -> Prepared:
        sql = sql.strip()
        if sql.startswith("CALL "):
            sql = "CALL " + "".join(sql[5:].split())  # ibm_db writes blanks of its own between the markers
        self.log.append(sql)
        statement = self.statements.get(sql, Db2Error(-104, "42601", sql))
        if isinstance(statement, Exception):
            raise statement
        return statement

    def commit(self) -> None:
        self.log.append("commit")

    def rollback(self) -> None:
        self.log.append("rollback")

    def interrupt(self) -> None:
        self.interrupted.set()

    def close(self) -> None:
        self.log.append("close")

    def query(self, sql: str, columns: Sequence[Column], *rows: Any) -> None:
        columns = tuple(columns)
        self.statements[sql] = Prepared("query", lambda _: Outcome(result=Rows(columns, rows)), columns)

    def other(self, sql: str, run: Callable[[Sequence[Any]], Outcome], *types: SqlType) -> None:
        markers = tuple(Parameter(Column("", type_)) for type_ in types)
        self.statements[sql] = Prepared("other", run, parameters=markers)

    def call(self, sql: str, run: Callable[[Sequence[Any]], Outcome], **modes: tuple[str, SqlType]) -> None:
        parameters = tuple(Parameter(Column(name, type_), mode) for name, (mode, type_) in modes.items())
        self.statements[sql] = Prepared("call", run, parameters=parameters)


@pytest.fixture
def script() -> Script:
    return Script()


@pytest.fixture
def server(script: Script) -> Iterator[Server]:
    """A server that cuts its clients off after a time: then the test fails instead of hanging."""
    with Server(script) as server:
        limit = threading.Timer(LIMIT, server.stop)
        limit.start()
        yield server
        limit.cancel()


def target(server: Server, **keywords: str) -> str:
    words = {"DATABASE": "SAMPLE", "HOSTNAME": "127.0.0.1", "PORT": str(server.port), "PROTOCOL": "TCPIP"}
    words |= {"UID": "dba", "PWD": "s3cret", "CONNECTTIMEOUT": "10"} | keywords
    return "".join(f"{key}={value};" for key, value in words.items())


class Client:
    """A connection that frees its statements before it closes: one that outlives it would free another's handle."""

    def __init__(self, target: str, is_autocommit: bool = True) -> None:
        self.connection = ibm_db.connect(target, "", "", {ibm_db.SQL_ATTR_AUTOCOMMIT: int(is_autocommit)})
        self._statements: list[Any] = []

    def prepare(self, sql: str) -> Any:
        self._statements.append(ibm_db.prepare(self.connection, sql))
        return self._statements[-1]

    def run(self, sql: str) -> Any:
        self._statements.append(ibm_db.exec_immediate(self.connection, sql))
        return self._statements[-1]

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        return rest(self.run(sql))

    def call(self, name: str, *values: Any) -> tuple[Any, ...]:
        """The statement (for its result sets), and the values of all parameters."""
        answer = ibm_db.callproc(self.connection, name, values)
        answer = answer if isinstance(answer, tuple) else (answer,)
        self._statements.append(answer[0])
        return answer

    def close(self) -> None:
        while self._statements:
            ibm_db.free_stmt(self._statements.pop())
        ibm_db.close(self.connection)


def rest(statement: Any) -> list[tuple[Any, ...]]:
    return list(iter(lambda: ibm_db.fetch_tuple(statement), False))


@pytest.fixture
def client(server: Server) -> Iterator[Client]:
    client = Client(target(server))
    yield client
    client.close()


# --- queries -----------------------------------------------------------------------------------------------


def test_rows_with_names_types_and_nulls(script: Script, client: Client) -> None:
    script.query("SELECT ID, NAME FROM T", [ID, NAME], (1, "héllo"), (2, None), (3, ""))
    statement = client.run("SELECT ID, NAME FROM T")
    described = [
        (ibm_db.field_name(statement, n), ibm_db.field_type(statement, n), ibm_db.field_nullable(statement, n))
        for n in range(ibm_db.num_fields(statement))
    ]
    assert described == [("ID", "int", False), ("NAME", "string", True)]
    assert rest(statement) == [(1, "héllo"), (2, None), (3, "")]


DAY, NOON = datetime.date(2024, 2, 29), datetime.time(13, 14, 15)
MOMENT = datetime.datetime(2024, 2, 29, 13, 14, 15, 123456)
VALUES = [
    (SqlType("SMALLINT"), -32768, -32768),
    (SqlType("SMALLINT"), 32767, 32767),
    (INTEGER, -(2**31), -(2**31)),
    (INTEGER, 2**31 - 1, 2**31 - 1),
    (SqlType("BIGINT"), -(2**63), -(2**63)),
    (SqlType("BIGINT"), 2**63 - 1, 2**63 - 1),
    (SqlType("REAL"), 0.5, 0.5),
    (SqlType("DOUBLE"), -1.25e300, -1.25e300),
    (SqlType("DOUBLE"), 3, 3.0),
    (SqlType("DECIMAL", 9, 2), Decimal("-1234567.89"), "-1234567.89"),
    (SqlType("DECIMAL", 4, 0), Decimal("42"), "42"),
    (SqlType("DECIMAL", 5, 5), Decimal("0.00001"), ".00001"),
    (SqlType("DECIMAL", 31, 6), Decimal("1234567890123456789012345.123456"), "1234567890123456789012345.123456"),
    (SqlType("CHAR", 5), "ab", "ab   "),
    (SqlType("CHAR", 4), "é", "é  "),
    (SqlType("CHAR", 4, bit_data=True), b"\x00\xffab", b"\x00\xffab"),
    (SqlType("VARCHAR", 20), "grüße", "grüße"),
    (SqlType("VARCHAR", 20), "", ""),
    (SqlType("VARCHAR", 32672), "x" * 32672, "x" * 32672),
    (SqlType("VARCHAR", 8, bit_data=True), b"\x00\x01", b"\x00\x01"),
    (SqlType("BINARY", 4), b"\x01\x02", b"\x01\x02\x00\x00"),
    (SqlType("VARBINARY", 8), b"\x01\x02", b"\x01\x02"),
    (SqlType("DATE"), DAY, DAY),
    (SqlType("DATE"), datetime.date(1, 1, 1), datetime.date(1, 1, 1)),
    (SqlType("TIME"), NOON, NOON),
    (SqlType("TIMESTAMP", 6), MOMENT, MOMENT),
    (SqlType("TIMESTAMP", 0), MOMENT, MOMENT.replace(microsecond=0)),
    (SqlType("TIMESTAMP", 3), MOMENT, MOMENT.replace(microsecond=123000)),
    (SqlType("TIMESTAMP", 12), MOMENT, MOMENT),
    (SqlType("BOOLEAN"), True, True),
    (SqlType("BOOLEAN"), False, False),
    (SqlType("CLOB", 1_000_000), "grüße", "grüße"),
    (SqlType("CLOB", 1_000_000), "", ""),
    (SqlType("CLOB", 1_000_000), "long " * 60_000, "long " * 60_000),
    (SqlType("BLOB", 1_000_000), bytes(range(256)) * 400, bytes(range(256)) * 400),
]


@pytest.mark.parametrize(("type_", "value", "seen"), VALUES, ids=lambda item: str(item)[:30])
def test_a_value_of_each_type_between_others(
    script: Script, client: Client, type_: SqlType, value: Any, seen: Any
) -> None:
    columns = [ID, Column("V", type_), Column("W", type_, nullable=False), NAME]
    script.query("SELECT *", columns, (1, value, value, "one"), (2, None, value, "two"))
    assert client.rows("SELECT *") == [(1, seen, seen, "one"), (2, None, seen, "two")]


DESCRIPTIONS = [
    (SqlType("SMALLINT"), "int", 5, 0),
    (SqlType("BIGINT"), "bigint", 19, 0),
    (SqlType("DECIMAL", 9, 2), "decimal", 9, 2),
    (SqlType("VARCHAR", 20), "string", 20, 0),
    (SqlType("TIMESTAMP", 6), "timestamp", 26, 6),
    (SqlType("CLOB", 500), "clob", 500, 0),
]


@pytest.mark.parametrize(("type_", "name", "precision", "scale"), DESCRIPTIONS, ids=str)
def test_a_query_is_described_without_running(
    script: Script, client: Client, type_: SqlType, name: str, precision: int, scale: int
) -> None:
    script.statements["SELECT V FROM T WHERE ID = ?"] = Prepared(
        "query", lambda _: pytest.fail("it ran"), (Column("V", type_),), (Parameter(ID),)
    )
    statement = client.prepare("SELECT V FROM T WHERE ID = ?")
    assert ibm_db.field_type(statement, 0) == name
    assert ibm_db.field_precision(statement, 0) == precision
    assert ibm_db.field_scale(statement, 0) == scale


def test_lobs_of_many_rows_stay_with_their_rows(script: Script, client: Client) -> None:
    data = SqlType("BLOB", 100_000)
    rows = [
        (n, None if n % 3 == 0 else "é" * (n % 7) * 50, None if n % 4 == 0 else bytes([n % 256]) * (n % 5 * 1000))
        for n in range(200)
    ]
    script.query("SELECT *", [ID, TEXT, Column("DATA", data, nullable=False)], *[(a, b, c or b"") for a, b, c in rows])
    assert client.rows("SELECT *") == [(a, b, c or b"") for a, b, c in rows]


SHAPES = {
    "no rows": (1, 0, 10),
    "10,000 rows": (2, 10_000, 10),
    "64 KB rows": (2, 20, 32_672),
    "300 columns": (300, 50, 10),
    "1000 columns": (1000, 3, 10),
}


@pytest.mark.parametrize(("width", "height", "length"), SHAPES.values(), ids=SHAPES)
def test_results_of_every_shape(script: Script, client: Client, width: int, height: int, length: int) -> None:
    columns = [Column(f"C{n}", SqlType("VARCHAR", length)) for n in range(width)]
    rows = [tuple(f"{row}.{n}".ljust(length, "x")[:length] for n in range(width)) for row in range(height)]
    script.query("SELECT *", columns, *rows)
    assert client.rows("SELECT *") == rows


def test_two_cursors_interleaved(script: Script, client: Client) -> None:
    for name in "AB":
        script.query(f"SELECT {name}", [ID, NAME], *[(n, name * 40) for n in range(3000)])
    first, second = (client.run(f"SELECT {name}") for name in "AB")
    for n in range(3000):
        assert ibm_db.fetch_tuple(first) == (n, "A" * 40)
        assert ibm_db.fetch_tuple(second) == (n, "B" * 40)
    assert not ibm_db.fetch_tuple(first)


def test_a_cursor_closed_early(script: Script, client: Client) -> None:
    result = Rows([ID, NAME], [(n, "x" * 40) for n in range(5000)])
    script.statements["SELECT *"] = Prepared("query", lambda _: Outcome(result=result), result.columns)
    statement = client.run("SELECT *")
    assert ibm_db.fetch_tuple(statement) == (0, "x" * 40)
    assert result.is_open
    ibm_db.free_result(statement)
    assert not result.is_open


def test_a_cursor_is_held_over_a_commit_and_closed_by_a_rollback(script: Script, client: Client) -> None:
    ibm_db.autocommit(client.connection, ibm_db.SQL_AUTOCOMMIT_OFF)
    result = Rows([ID, NAME], [(n, "x" * 40) for n in range(5000)])
    script.statements["SELECT *"] = Prepared("query", lambda _: Outcome(result=result), result.columns)
    statement = client.run("SELECT *")
    for n in range(10):
        assert ibm_db.fetch_tuple(statement) == (n, "x" * 40)
    ibm_db.commit(client.connection)
    for n in range(10, 3000):
        assert ibm_db.fetch_tuple(statement) == (n, "x" * 40)
    ibm_db.rollback(client.connection)
    assert not result.is_open


# --- errors ------------------------------------------------------------------------------------------------

NO_TABLE = Db2Error(-204, "42704", "APP.NOSUCH")
NO_TABLE_TEXT = 'SQL0204N  "APP.NOSUCH" is an undefined name.  SQLSTATE=42704'
ERRORS = [
    (NO_TABLE, NO_TABLE_TEXT),
    (Db2Error(-433, "22001", "too long"), 'SQL0433N  Value "too long" is too long.  SQLSTATE=22001'),
    (Db2Error(-551, "42501", "DBA", "SELECT", "T.U"), "SQL0551N"),
    (Db2Error(-801, "22012"), "SQL0801N  Division by zero was attempted.  SQLSTATE=22012"),
    (Db2Error(-438, "70001", "No such area."), "SQL0438N"),
]


def raising(error: Exception) -> Callable[[Sequence[Any]], Outcome]:
    def run(_: Sequence[Any]) -> Outcome:
        raise error

    return run


def failing(client: Client, sql: str) -> str:
    """The message of a statement that fails when it is executed or fetched."""
    with pytest.raises(Exception, match="SQL") as caught:
        client.rows(sql)
    return str(caught.value)


@pytest.mark.parametrize(("error", "text"), ERRORS, ids=lambda item: str(item)[:10])
@pytest.mark.parametrize("sql", ["SELECT 1", "UPDATE T", "CALL P()"])
@pytest.mark.parametrize("when", ["prepare", "run"])
def test_an_error_has_its_code_state_and_tokens(
    script: Script, client: Client, error: Db2Error, text: str, sql: str, when: str
) -> None:
    kind = {"S": "query", "U": "other", "C": "call"}[sql[0]]
    script.statements[sql] = error if when == "prepare" else Prepared(kind, raising(error), (ID,))
    message = failing(client, sql)
    assert text in message
    assert f"SQLCODE={error.code}" in message
    assert all(token in message for token in error.tokens)
    script.query("SELECT 2", [ID], (2,))
    assert client.rows("SELECT 2") == [(2,)], "the connection works on"


@pytest.mark.parametrize("good", [0, 1, 150, 5000])
def test_an_error_in_the_middle_of_a_result(script: Script, client: Client, good: int) -> None:
    script.query("SELECT *", [ID, NAME], *[(n, "x" * 40) for n in range(good)], Db2Error(-801, "22012"))
    statement = client.run("SELECT *")
    for n in range(good):
        assert ibm_db.fetch_tuple(statement) == (n, "x" * 40)
    with pytest.raises(Exception, match="SQL0801N"):
        ibm_db.fetch_tuple(statement)
    script.query("SELECT 2", [ID], (2,))
    assert client.rows("SELECT 2") == [(2,)]


@pytest.mark.parametrize(
    ("tokens", "seen"),
    [(["x" * 70], "x" * 70), (["x" * 71], "x" * 70), (["é" * 40], "é" * 35), (["a" + "é" * 40], "a" + "é" * 34)],
    ids=["70 bytes", "71 bytes", "between characters", "not within a character"],
)
def test_long_tokens_are_cut(script: Script, client: Client, tokens: list[str], seen: str) -> None:
    script.statements["UPDATE T"] = Db2Error(-204, "42704", *tokens)
    assert f'"{seen}"' in failing(client, "UPDATE T")


def test_of_many_tokens_the_last_is_cut(script: Script, client: Client) -> None:
    script.statements["UPDATE T"] = Db2Error(-551, "42501", "U" * 30, "SELECT", "S" * 128)
    message = failing(client, "UPDATE T")
    assert "U" * 30 in message
    assert '"' + "S" * 32 + '"' in message


@pytest.mark.parametrize("sql", ["SELECT 1", "UPDATE T", "CALL P()"])
def test_fake_server_fault_is_reported_and_logged(
    script: Script, client: Client, caplog: pytest.LogCaptureFixture, sql: str
) -> None:
    kind = {"S": "query", "U": "other", "C": "call"}[sql[0]]
    script.statements[sql] = Prepared(kind, raising(KeyError("lost")), (ID,))
    message = failing(client, sql)
    assert "SQLCODE=-901" in message
    assert "SQLSTATE=58004" in message
    assert "KeyError: 'lost'" in message
    assert "Traceback" in caplog.text


def test_a_value_that_its_type_cannot_hold_is_a_fault(script: Script, client: Client) -> None:
    script.query("SELECT *", [Column("V", SqlType("VARCHAR", 3))], ("abcd",))
    assert "'abcd' does not fit VARCHAR(3)" in failing(client, "SELECT *")


# --- statements --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("count", [1, 70_000])
def test_row_counts(script: Script, client: Client, count: int) -> None:
    script.other("DELETE FROM T", lambda _: Outcome(rowcount=count))
    statement = client.run("DELETE FROM T")
    assert ibm_db.num_rows(statement) == count


def test_a_statement_without_rows_has_no_row_count(script: Script, client: Client) -> None:
    script.other("CREATE TABLE T", lambda _: Outcome())
    statement = client.run("CREATE TABLE T")
    assert ibm_db.num_rows(statement) == -1


def test_update_of_zero_rows_is_not_an_error(script: Script, client: Client) -> None:
    script.other("DELETE FROM T", lambda _: Outcome(code=100, state="02000"))
    statement = client.run("DELETE FROM T")
    assert ibm_db.num_rows(statement) == 0


def test_a_warning_is_shown(script: Script, client: Client) -> None:
    script.other("UPDATE CFG", lambda _: Outcome(code=1363, state="01000"))
    statement = client.run("UPDATE CFG")
    assert "SQL1363W" in ibm_db.stmt_warn(statement)


def test_a_warning_of_a_query(script: Script, client: Client) -> None:
    outcome = Outcome(result=Rows([ID], [(1,)]), code=437, state="01602", tokens=("1",))
    script.statements["SELECT 1"] = Prepared("query", lambda _: outcome, (ID,))
    statement = client.run("SELECT 1")
    assert "SQL0437W" in ibm_db.stmt_warn(statement)
    assert rest(statement) == [(1,)]


@pytest.fixture
def worker(script: Script, server: Server) -> Iterator[Client]:
    """A client without autocommit, that can insert."""
    script.other("INSERT INTO T", lambda _: Outcome(rowcount=1))
    client = Client(target(server), is_autocommit=False)
    script.log.clear()
    yield client
    client.close()


def test_units_of_work(script: Script, worker: Client) -> None:
    for end in (ibm_db.commit, ibm_db.rollback):
        worker.run("INSERT INTO T")
        end(worker.connection)
    ibm_db.autocommit(worker.connection, ibm_db.SQL_AUTOCOMMIT_ON)
    worker.run("INSERT INTO T")
    assert script.log == ["INSERT INTO T", "commit", "INSERT INTO T", "rollback", "INSERT INTO T", "commit"]


def test_a_commit_that_fails(script: Script, worker: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    worker.run("INSERT INTO T")
    with monkeypatch.context() as patch:
        patch.setattr(script, "commit", lambda: raising(Db2Error(-964, "57011"))(()))
        with pytest.raises(SystemError) as caught:  # what ibm_db makes of an error here
            ibm_db.commit(worker.connection)
    assert "SQL0964C" in str(caught.value.__cause__)
    worker.run("INSERT INTO T")
    ibm_db.commit(worker.connection)
    assert script.log == ["INSERT INTO T", "INSERT INTO T", "commit"]


def test_uncommitted_work_is_rolled_back_at_disconnect(script: Script, server: Server) -> None:
    script.other("INSERT INTO T", lambda _: Outcome(rowcount=1))
    client = Client(target(server), is_autocommit=False)
    client.run("INSERT INTO T")
    server.stop()
    assert script.log[-3:] == ["INSERT INTO T", "rollback", "close"]
    with pytest.raises(Exception, match=GONE):
        client.close()


@pytest.mark.parametrize("size", [40_000, 300_000])
def test_long_statements_arrive_whole(script: Script, client: Client, size: int) -> None:
    sql = f"SELECT 'ß{'x' * size}'"
    script.query(sql, [ID], (7,))
    assert client.rows(sql) == [(7,)]


@pytest.mark.parametrize(
    "sql", ["-- why\nSELECT 1", "/* why */ SELECT 1", "(SELECT 1)", " WITH A AS (B) SELECT 1", "values 1"]
)
def test_a_query_is_known_by_the_driver(script: Script, client: Client, sql: str) -> None:
    script.query(sql.strip(), [ID], (7,))
    assert client.rows(sql) == [(7,)]


# --- parameter markers -------------------------------------------------------------------------------------

INPUTS = [
    (SqlType("SMALLINT"), -5, -5),
    (INTEGER, 2**31 - 1, 2**31 - 1),
    (INTEGER, "12", 12),
    (SqlType("BIGINT"), -(2**63), -(2**63)),
    (SqlType("REAL"), 0.5, 0.5),
    (SqlType("DOUBLE"), -1.25e300, -1.25e300),
    (SqlType("DECIMAL", 9, 2), "-12.34", Decimal("-12.34")),
    (SqlType("DECIMAL", 31, 6), "1234567890123456789012345.123456", Decimal("1234567890123456789012345.123456")),
    (SqlType("CHAR", 5), "ab", "ab"),
    (SqlType("VARCHAR", 20), "grüße €", "grüße €"),
    (SqlType("VARCHAR", 20), "", ""),
    (SqlType("VARCHAR", 8, bit_data=True), b"\x00\x01", b"\x00\x01"),
    (SqlType("VARBINARY", 8), b"\x00\x01", b"\x00\x01"),
    (SqlType("DATE"), DAY, DAY),
    (SqlType("DATE"), "2024-02-29", DAY),
    (SqlType("TIME"), NOON, NOON),
    (SqlType("TIMESTAMP", 6), MOMENT, MOMENT),
    (SqlType("TIMESTAMP", 6), "2024-02-29 13:14:15.123456", MOMENT),
    (SqlType("TIMESTAMP", 0), MOMENT.replace(microsecond=0), MOMENT.replace(microsecond=0)),
    (SqlType("BOOLEAN"), True, True),
    (SqlType("CLOB", 1_000_000), "grüße", "grüße"),
    (SqlType("CLOB", 1_000_000), "", ""),
    (SqlType("CLOB", 1_000_000), "ß" * 200_000, "ß" * 200_000),
    (SqlType("BLOB", 1_000_000), bytes(range(256)) * 400, bytes(range(256)) * 400),
]


@pytest.mark.parametrize(("type_", "value", "got"), INPUTS, ids=lambda item: str(item)[:30])
@pytest.mark.parametrize("kind", ["query", "other"])
def test_a_parameter_of_each_type_between_others(
    script: Script, client: Client, kind: str, type_: SqlType, value: Any, got: Any
) -> None:
    seen: list[Any] = []

    def run(values: Sequence[Any]) -> Outcome:
        seen.extend(values)
        return Outcome(rowcount=1, result=Rows([ID], [(1,)]) if kind == "query" else None)

    sql = {"query": "SELECT ?, ?, ?, ?", "other": "INSERT INTO T VALUES (?, ?, ?, ?)"}[kind]
    markers = tuple(Parameter(Column("", each)) for each in (INTEGER, type_, type_, NAME.type))
    script.statements[sql] = Prepared(kind, run, (ID,) if kind == "query" else (), markers)
    statement = client.prepare(sql)
    ibm_db.execute(statement, (1, value, None, "end"))
    assert seen == [1, got, None, "end"]
    assert type(seen[1]) is type(got)


@pytest.mark.parametrize("count", [1, 2, 1000, 5000])
def test_array_input(script: Script, client: Client, count: int) -> None:
    seen: list[Any] = []

    def run(values: Sequence[Any]) -> Outcome:
        seen.append(tuple(values))
        return Outcome(rowcount=1)

    script.other("INSERT INTO T VALUES (?, ?, ?)", run, INTEGER, NAME.type, SqlType("DECIMAL", 9, 2))
    rows = [(n, None if n % 5 == 4 else f"n{n}", f"{n}.25") for n in range(count)]
    statement = client.prepare("INSERT INTO T VALUES (?, ?, ?)")
    assert ibm_db.execute_many(statement, tuple(rows)) == count
    assert seen == [(n, name, Decimal(amount)) for n, name, amount in rows]


def test_array_input_stops_at_a_bad_row(script: Script, client: Client) -> None:
    seen: list[Any] = []

    def run(values: Sequence[Any]) -> Outcome:
        if values[0] == 3:
            raise Db2Error(-803, "23505", "1", "APP.T")
        seen.append(values[0])
        return Outcome(rowcount=1)

    script.other("INSERT INTO T VALUES (?)", run, INTEGER)
    statement = client.prepare("INSERT INTO T VALUES (?)")
    with pytest.raises(Exception, match="SQL0803N"):
        ibm_db.execute_many(statement, tuple((n,) for n in range(6)))
    assert seen == [0, 1, 2]


def test_a_statement_is_executed_again_and_again(script: Script, client: Client) -> None:
    script.statements["SELECT ?"] = Prepared(
        "query", lambda values: Outcome(result=Rows([ID], [(values[0],)])), (ID,), (Parameter(ID),)
    )
    statement = client.prepare("SELECT ?")
    for n in range(5):
        ibm_db.execute(statement, (n,))
        assert rest(statement) == [(n,)]
    assert script.log.count("SELECT ?") == 1


# --- procedures --------------------------------------------------------------------------------------------


def test_a_call_with_parameters_of_all_modes(script: Script, client: Client) -> None:
    def run(values: Sequence[Any]) -> Outcome:
        return Outcome(parameters=[values[0], values[0] + 1, f"got {values[2]}"])

    script.call("CALL P(?,?,?)", run, A=("IN", INTEGER), B=("OUT", INTEGER), C=("INOUT", NAME.type))
    assert client.call("P", 41, 0, "hé")[1:] == (41, 42, "got hé")


OUTPUTS = [
    (SqlType("SMALLINT"), 0, 32767, 32767),
    (INTEGER, 0, 2**31 - 1, 2**31 - 1),
    (SqlType("BIGINT"), 0, 10**17, 10**17),
    (SqlType("REAL"), 0.0, 0.5, 0.5),
    (SqlType("DOUBLE"), 0.0, -1.25e300, -1.25e300),
    (SqlType("DECIMAL", 9, 2), "0", Decimal("1234.56"), "1234.56"),
    (SqlType("CHAR", 5), "", "ab", "ab   "),
    (SqlType("VARCHAR", 20), "", "grüße", "grüße"),
    (SqlType("VARCHAR", 32672), "", "x" * 32672, "x" * 32672),
    (SqlType("DATE"), datetime.date(1, 1, 1), DAY, DAY),
    (SqlType("TIMESTAMP", 6), datetime.datetime(1, 1, 1), MOMENT, MOMENT),
    (SqlType("BOOLEAN"), False, True, True),
    (SqlType("CLOB", 100_000), "", "grüße", "grüße"),
    (SqlType("CLOB", 100_000), "y" * 50_000, "x" * 49_000, "x" * 49_000),
]


@pytest.mark.parametrize(("type_", "sent", "value", "seen"), OUTPUTS, ids=lambda item: str(item)[:30])
def test_an_out_parameter_of_each_type(
    script: Script, client: Client, type_: SqlType, sent: Any, value: Any, seen: Any
) -> None:
    parameters = {"A": ("INOUT", type_), "B": ("OUT", NAME.type), "C": ("OUT", NAME.type)}
    script.call("CALL P(?,?,?)", lambda _: Outcome(parameters=[value, None, "end"]), **parameters)
    assert client.call("P", sent, None, "")[1:] == (seen, None, "end")


def test_a_call_with_result_sets(script: Script, client: Client) -> None:
    sets = [[(n, "a" * 40) for n in range(4000)], [], [(7, None)]]

    def run(_: Sequence[Any]) -> Outcome:
        return Outcome(parameters=[3], result_sets=[Rows([ID, NAME], rows, f"C{n}") for n, rows in enumerate(sets)])

    script.call("CALL P(?)", run, A=("OUT", INTEGER))
    statement, count = client.call("P", 0)
    assert count == 3
    assert rest(statement) == sets[0]
    second = ibm_db.next_result(statement)
    assert rest(second) == sets[1]
    third = ibm_db.next_result(statement)
    assert ibm_db.field_name(third, 1) == "NAME"
    assert rest(third) == sets[2]
    assert not ibm_db.next_result(statement)


def test_a_call_with_result_sets_and_no_parameters(script: Script, client: Client) -> None:
    for _ in range(3):
        script.call("CALL P()", lambda _: Outcome(result_sets=[Rows([ID, TEXT], [(1, "clob"), (2, None)])]))
        assert client.rows("CALL P()") == [(1, "clob"), (2, None)]


def test_a_prepared_call_is_executed_again(script: Script, client: Client) -> None:
    def run(values: Sequence[Any]) -> Outcome:
        return Outcome(result_sets=[Rows([ID, NAME], [(values[0], "first")]), Rows([ID], [(values[0] + 1,)])])

    script.call("CALL P(?)", run, A=("IN", INTEGER))
    statement = client.prepare("CALL P(?)")
    for n in range(3):
        ibm_db.execute(statement, (n,))
        assert rest(statement) == [(n, "first")]
        assert rest(ibm_db.next_result(statement)) == [(n + 1,)]


@pytest.mark.parametrize("close", [ibm_db.free_result, ibm_db.free_stmt])
def test_result_sets_left_unread_are_closed(script: Script, server: Server, close: Callable[[Any], bool]) -> None:
    results: list[Rows] = []

    def run(_: Sequence[Any]) -> Outcome:
        results.append(Rows([ID, NAME], [(n, "a" * 40) for n in range(4000)]))
        return Outcome(result_sets=[results[-1]])

    script.call("CALL P()", run)
    client = ibm_db.connect(target(server), "", "")
    for _ in range(3):
        statement = ibm_db.exec_immediate(client, "CALL P()")
        assert ibm_db.fetch_tuple(statement) == (0, "a" * 40)
        close(statement)
    assert [result.is_open for result in results] == [False] * 3
    del statement
    ibm_db.close(client)


def test_an_error_within_a_result_set(script: Script, client: Client) -> None:
    rows = [(1, "a"), Db2Error(-801, "22012")]
    script.call("CALL P()", lambda _: Outcome(result_sets=[Rows([ID, NAME], rows)]))
    statement = client.run("CALL P()")
    assert ibm_db.fetch_tuple(statement) == (1, "a")
    with pytest.raises(Exception, match="SQL0801N"):
        ibm_db.fetch_tuple(statement)


def test_a_catalogue_call(script: Script, client: Client) -> None:
    names = ("TABLE_CAT", "TABLE_SCHEM", "TABLE_NAME", "TABLE_TYPE", "REMARKS")
    columns = [Column(name, SqlType("VARCHAR", 128)) for name in names]
    modes = {f"P{n}": ("IN", SqlType("VARCHAR", 128)) for n in range(5)}
    rows = [(None, "TUNE", "RUN", "TABLE", None)]
    script.call("CALL SYSIBM.SQLTABLES(?,?,?,?,?)", lambda _: Outcome(result_sets=[Rows(columns, rows)]), **modes)
    statement = ibm_db.tables(client.connection, None, "TUNE", "%", "TABLE")
    assert rest(statement) == rows
    ibm_db.free_stmt(statement)


# --- connections -------------------------------------------------------------------------------------------


def test_what_the_driver_knows_of_the_server(client: Client) -> None:
    info = ibm_db.server_info(client.connection)
    assert info.DBMS_NAME == "DB2/LINUXX8664"
    assert info.DBMS_VER == "12.01.0400"


@pytest.mark.parametrize(
    ("keywords", "text"),
    [({"PWD": "wrong"}, r'SQL30082N .* reason "24"'), ({"DATABASE": "NOWHERE"}, 'SQL30061N .*"NOWHERE *"')],
    ids=["wrong password", "unknown database"],
)
def test_a_connection_is_refused(server: Server, keywords: dict[str, str], text: str) -> None:
    with pytest.raises(Exception, match=text):
        ibm_db.connect(target(server, **keywords), "", "")


def test_a_connection_fails_for_another_reason(script: Script, server: Server) -> None:
    script.refusal = Db2Error(-1060, "08004", "DBA")
    with pytest.raises(Exception, match="SQL1060N"):
        ibm_db.connect(target(server), "", "")


def test_no_listener(server: Server) -> None:
    server.stop()
    with pytest.raises(Exception, match="SQL30081N"):
        ibm_db.connect(target(server), "", "")


@pytest.mark.parametrize("password", ["éclair", "日本語", "with  blanks", "at its end  ", '"{quoted}"', "x" * 60])
def test_passwords_of_every_kind(script: Script, server: Server, password: str) -> None:
    script.password = password
    Client(target(server, PWD=password)).close()
    assert "connect SAMPLE dba" in script.log


def test_a_client_of_another_locale(script: Script, server: Server) -> None:
    """Where the locale is C, the driver writes ISO 8859-1."""
    script.password = "éclair"
    code = f"import ibm_db; ibm_db.connect({target(server, PWD=script.password, UID='müller')!r}, '', '')"
    subprocess.run([sys.executable, "-c", code], env=os.environ | {"LC_ALL": "C"}, check=True, timeout=60)
    assert "connect SAMPLE müller" in script.log


@pytest.mark.parametrize("authentication", ["SERVER", "CLIENT"])
def test_authentications(script: Script, server: Server, authentication: str) -> None:
    client = Client(target(server, AUTHENTICATION=authentication))
    script.query("SELECT 1", [ID], (1,))
    assert client.rows("SELECT 1") == [(1,)]
    client.close()


def test_the_driver_pings(client: Client) -> None:
    assert ibm_db.active(client.connection)


def test_the_schema_of_the_connection_string(script: Script, server: Server) -> None:
    script.other('SET CURRENT SCHEMA "APP"', lambda _: Outcome())
    Client(target(server, CURRENTSCHEMA="app")).close()
    assert 'SET CURRENT SCHEMA "APP"' in script.log


def test_a_dropped_connection_is_not_answered(script: Script, server: Server) -> None:
    script.query("SELECT *", [ID, NAME], *[(n, "x" * 40) for n in range(2000)], Disconnect())
    client = Client(target(server))
    statement = client.run("SELECT *")
    with pytest.raises(Exception, match=GONE):
        rest(statement)
    client.close()


def test_a_server_comes_back_on_its_port(script: Script, server: Server) -> None:
    script.query("SELECT 1", [ID], (1,))
    Client(target(server)).close()
    port = server.port
    server.stop()
    server.start()
    assert server.port == port
    client = Client(target(server))
    assert client.rows("SELECT 1") == [(1,)]
    client.close()


def test_many_clients_at_once(script: Script, server: Server) -> None:
    rows = [(n, "x" * 40) for n in range(2000)]
    script.query("SELECT *", [ID, NAME], *rows)
    seen = []

    def work() -> None:
        client = Client(target(server))
        seen.append(client.rows("SELECT *"))
        client.close()

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(LIMIT)
    assert seen == [rows] * 6


# --- interrupts --------------------------------------------------------------------------------------------


def hanging(script: Script) -> Callable[[Sequence[Any]], Outcome]:
    """A statement that runs until it is interrupted."""

    def run(_: Sequence[Any]) -> Outcome:
        if not script.interrupted.wait(LIMIT):
            return Outcome(rowcount=1, result=Rows([ID], [(1,)]))
        script.interrupted.clear()
        raise Db2Error(-952, "57014")

    return run


def test_a_statement_times_out(script: Script, client: Client) -> None:
    script.other("UPDATE T SET A = ?", hanging(script), INTEGER)
    statement = client.prepare("UPDATE T SET A = ?")
    ibm_db.set_option(statement, {ibm_db.SQL_ATTR_QUERY_TIMEOUT: 1}, 0)
    began = time.monotonic()
    with pytest.raises(Exception, match="SQL0952N"):
        ibm_db.execute(statement, (1,))
    assert time.monotonic() - began < LIMIT
    script.query("SELECT 2", [ID], (2,))
    assert client.rows("SELECT 2") == [(2,)], "the connection works on"


def test_a_fetch_times_out(script: Script, client: Client) -> None:
    class Waiting(Rows):
        def fetch(self, most: int) -> list[tuple[Any, ...]]:
            rows = super().fetch(most)
            if not rows:
                hanging(script)(())
            return rows

    result = Waiting([ID, NAME], [(n, "x" * 40) for n in range(2000)])
    script.statements["SELECT ?"] = Prepared(
        "query", lambda _: Outcome(result=result), result.columns, (Parameter(ID),)
    )
    statement = client.prepare("SELECT ?")
    ibm_db.set_option(statement, {ibm_db.SQL_ATTR_QUERY_TIMEOUT: 1}, 0)
    ibm_db.execute(statement, (1,))
    for n in range(2000):
        assert ibm_db.fetch_tuple(statement) == (n, "x" * 40)
    with pytest.raises(Exception, match="SQL0952N"):
        ibm_db.fetch_tuple(statement)
    assert not result.is_open


def test_an_interrupt_after_the_statement_is_ignored(script: Script, server: Server, client: Client) -> None:
    script.query("SELECT 2", [ID], (2,))
    assert client.rows("SELECT 2") == [(2,)]
    for token in range(10):
        server.interrupt(token.to_bytes(8, "big"))
    assert not script.interrupted.is_set()


def test_stopping_the_server_ends_what_runs(script: Script, server: Server) -> None:
    script.other("UPDATE T", hanging(script))
    client = Client(target(server))
    stop = threading.Timer(0.3, server.stop)
    stop.start()
    began = time.monotonic()
    with pytest.raises(Exception, match=GONE):
        client.run("UPDATE T")
    client.close()
    stop.join()
    assert time.monotonic() - began < LIMIT
    assert script.log[-1] == "close"


# --- DB-API ------------------------------------------------------------------------------------------------


@pytest.fixture
def database(server: Server) -> Iterator[Any]:
    connection = ibm_db_dbi.connect(target(server), "", "")
    yield connection
    connection.close()


def test_db_api_queries(script: Script, database: Any) -> None:
    parameters = (Parameter(Column("", INTEGER)), Parameter(Column("", NAME.type)))
    amount = Column("AMOUNT", SqlType("DECIMAL", 9, 2))
    script.statements["SELECT ?, ?"] = Prepared(
        "query",
        lambda values: Outcome(result=Rows([ID, NAME, amount], [(*values, Decimal("1.50"))])),
        (ID, NAME, amount),
        parameters,
    )
    cursor = database.cursor()
    cursor.execute("SELECT ?, ?", (5, "five"))
    assert [column[0] for column in cursor.description] == ["ID", "NAME", "AMOUNT"]
    assert cursor.fetchall() == [(5, "five", Decimal("1.50"))]
    cursor.close()


def test_db_api_units_of_work(script: Script, database: Any) -> None:
    script.other("INSERT INTO T VALUES (?)", lambda _: Outcome(rowcount=1), INTEGER)
    cursor = database.cursor()
    script.log.clear()
    cursor.execute("INSERT INTO T VALUES (?)", (1,))
    assert cursor.rowcount == 1
    database.commit()
    cursor.executemany("INSERT INTO T VALUES (?)", [(n,) for n in range(10)])
    assert cursor.rowcount == 10
    database.rollback()
    cursor.close()
    assert [line for line in script.log if line in {"commit", "rollback"}] == ["commit", "rollback"]


def test_db_api_procedures(script: Script, database: Any) -> None:
    sets = [[(1, "a"), (2, None)], [(3, "c")]]

    def run(values: Sequence[Any]) -> Outcome:
        return Outcome(parameters=[values[0], 7], result_sets=[Rows([ID, NAME], rows) for rows in sets])

    script.call("CALL P(?,?)", run, A=("IN", INTEGER), B=("OUT", INTEGER))
    cursor = database.cursor()
    assert tuple(cursor.callproc("P", (41, 0))) == (41, 7)
    assert cursor.fetchall() == sets[0]
    assert cursor.nextset()
    assert cursor.fetchall() == sets[1]
    cursor.close()


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (Db2Error(-204, "42704", "APP.T"), ibm_db_dbi.ProgrammingError),
        (Db2Error(-803, "23505", "1", "APP.T"), ibm_db_dbi.IntegrityError),
        (Db2Error(-801, "22012"), ibm_db_dbi.DataError),
    ],
    ids=lambda item: getattr(item, "__name__", ""),
)
def test_db_api_error_classes(script: Script, database: Any, error: Db2Error, kind: type[Exception]) -> None:
    script.statements["UPDATE T"] = error
    cursor = database.cursor()
    with pytest.raises(kind, match=f"SQLCODE={error.code}"):
        cursor.execute("UPDATE T")
    cursor.close()


# --- the protocol itself -----------------------------------------------------------------------------------


def exchange(server: Server, *commands: tuple[int, bytes]) -> bytes:
    """Send one chain of raw commands; the code points and data that come back."""
    chain = b""
    for place, (code, data) in enumerate(commands):
        flags = 0x01 | (0x40 if place + 1 < len(commands) else 0)
        chain += (len(data) + 10).to_bytes(2, "big") + bytes([0xD0, flags, 0, place + 1])
        chain += (len(data) + 4).to_bytes(2, "big") + code.to_bytes(2, "big") + data
    with socket.create_connection(("127.0.0.1", server.port), LIMIT) as client:
        client.sendall(chain)
        client.shutdown(socket.SHUT_WR)
        return b"".join(iter(lambda: client.recv(65536), b""))


def test_an_unknown_command_is_not_supported(server: Server) -> None:
    assert exchange(server, (0x2BAD, b"")).hex() == "0016d0020001001012500006114900080006000c2bad"


def test_sql_before_the_connection_is_out_of_order(server: Server) -> None:
    assert exchange(server, (0x200E, b""))[8:10].hex() == "1245"


@pytest.mark.parametrize(("asked", "refusal"), [("0003", ""), ("0009", "000511a401")])
def test_another_security_mechanism_is_refused_with_an_offer(server: Server, asked: str, refusal: str) -> None:
    """JCC falls back to the offer only if SECCHKCD says that its own choice is not supported."""
    named = parameter(0x2110, "SAMPLE".ljust(18).encode("cp500"))
    answer = exchange(server, (0x106D, bytes.fromhex("000611a2" + asked) + named))
    assert answer[10:].hex() == "000611a20003" + refusal


@pytest.mark.parametrize("encoding", ["utf-8", "cp500"])
def test_a_login_is_answered_in_its_own_encoding(script: Script, server: Server, encoding: str) -> None:
    """pydrda and adbc-driver-db2 write EBCDIC until they send CCSIDMGR 1208 in a second EXCSAT."""

    def text(code: int, value: str) -> bytes:
        return parameter(code, value.encode(encoding))

    name = text(0x2110, "SAMPLE".ljust(18))
    check = bytes.fromhex("000611a20003") + name + text(0x11A0, "dba") + text(0x11A1, "s3cret")
    answer = exchange(server, (0x106E, check), (0x2001, name + text(0x2F, "QTDSQLASC")))
    assert script.log[0] == "connect SAMPLE dba"
    assert text(0x2F, "QTDSQLX86") in answer
    assert text(0x112E, "SQL12014") in answer


def test_descriptions_have_what_other_clients_read() -> None:
    """As recorded by the tests of pydrda on Db2: an SQLCA after PREPARE, numbered markers, DECIMAL without a length."""
    price = Column("", SqlType("DECIMAL", 11, 2))
    assert replies.prepared([price]).data.startswith(bytes(5) + b"00000")
    described = replies.description([price, replace(price, name="P")]).data
    entry = bytes.fromhex("0b0002000000000000000000e501")
    assert described.startswith(b"\xff\xff\x02\x00" + entry)
    assert [described.count(name) for name in (entry, b"\0\x011", b"\0\x01P")] == [2, 1, 1]


def test_noise_is_not_answered(server: Server) -> None:
    with socket.create_connection(("127.0.0.1", server.port), LIMIT) as client:
        client.sendall(b"GET / HTTP/1.1\r\n\r\n")
        assert client.recv(100) == b""


# --- TLS ---------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A key and its own certificate for 127.0.0.1."""
    folder = tmp_path_factory.mktemp("tls")
    key, own = folder / "key.pem", folder / "own.pem"
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"]
    command += ["-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", str(key), "-out", str(own)]
    subprocess.run(command, check=True, capture_output=True, timeout=60)
    return key, own


@pytest.fixture
def tls_server(script: Script, certificate: tuple[Path, Path]) -> Iterator[Server]:
    key, own = certificate
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(own, key)
    with Server(script, tls=context) as server:
        limit = threading.Timer(LIMIT, server.stop)
        limit.start()
        yield server
        limit.cancel()


def test_tls(script: Script, tls_server: Server, certificate: tuple[Path, Path]) -> None:
    rows = [(n, "x" * 40) for n in range(3000)]
    script.query("SELECT *", [ID, NAME], *rows)
    client = Client(target(tls_server, SECURITY="SSL", SSLServerCertificate=str(certificate[1])))
    assert client.rows("SELECT *") == rows
    client.close()
