"""TUNE.ADVISE through IBM's JDBC driver, as DBeaver and Data Studio show it."""

from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from typing import Any

import pytest

from advisor.db2.connection import Out
from tests.standin.backend import OWNER, PASSWORD
from tests.support.h2 import UnavailableError, jar, load_jar
from tests.wire.conftest import Server

pytestmark = pytest.mark.full

ARTIFACT, VERSION = "com.ibm.db2:jcc", "12.1.2.0"
LIMIT_S = "60"  # for a login, and for each answer of the server
INTERVAL_S = 300
TEXT_COLUMNS = 78  # of a terminal, less the padding of the command line processor
NULL_CELL = "VALUES (CAST(NULL AS VARCHAR(5)), CAST(NULL AS DECIMAL(9,2)), 1)"


@dataclass(frozen=True)
class Shown:
    """One result set as a program shows it: the heading and display width of each column, and its cells as text."""

    headings: tuple[str, ...]
    widths: tuple[int, ...]
    rows: list[tuple[str | None, ...]]


Answer = list[Shown] | tuple[int, str]  # the result sets of a statement, or SQLCODE and SQLSTATE


def _ask(url: str, properties: dict[str, str], statements: tuple[str, ...]) -> list[Answer]:
    """Log in with the driver's defaults but for ``properties``, and run statements; a refused login is the only answer."""
    import jpype

    load_jar(jar(ARTIFACT, VERSION))
    given = jpype.JClass("java.util.Properties")()
    for name, value in properties.items():
        given.setProperty(name, value)
    try:
        connection = jpype.JClass("com.ibm.db2.jcc.DB2Driver")().connect(url, given)
    except jpype.JException as refused:
        return [_failure(refused)]
    connection.setAutoCommit(False)
    answers = []
    for sql in statements:
        try:
            answers.append(_show(connection, sql))
        except jpype.JException as failed:
            answers.append(_failure(failed))
    connection.commit()
    connection.close()
    return answers


def _show(connection: Any, sql: str) -> list[Shown]:
    """Run a statement, and return all its result sets."""
    statement = connection.createStatement()
    has_rows = statement.execute(sql)
    shown = []
    while has_rows:
        shown.append(_read(statement.getResultSet()))
        has_rows = statement.getMoreResults()
    statement.close()
    return shown


def _read(result: Any) -> Shown:
    described = result.getMetaData()
    places = range(1, described.getColumnCount() + 1)
    headings = tuple(str(described.getColumnLabel(place)) for place in places)
    widths = tuple(int(described.getColumnDisplaySize(place)) for place in places)
    rows = []
    while result.next():
        cells = (result.getString(place) for place in places)
        rows.append(tuple(None if cell is None else str(cell) for cell in cells))
    return Shown(headings, widths, rows)


def _failure(raised: BaseException) -> tuple[int, str]:
    """Return the SQLCODE and SQLSTATE of an SQLException."""
    return int(raised.getErrorCode()), str(raised.getSQLState())  # type: ignore[attr-defined]


Ask = Callable[..., list[Answer]]


@pytest.fixture(scope="module")
def ask() -> Iterator[Ask]:
    """Run statements in a process of its own: Java and IBM's CLI driver each handle signals."""
    try:
        jar(ARTIFACT, VERSION)
    except UnavailableError as error:
        pytest.skip(str(error))
    with ProcessPoolExecutor(1, get_context("spawn")) as java:

        def asking(server: Server, *statements: str, password: str = PASSWORD, **others: str) -> list[Answer]:
            if server.standin is None:
                pytest.skip("needs the fake server's port")
            url = f"jdbc:db2://127.0.0.1:{server.standin.port}/{server.standin.database}"
            limits = {"loginTimeout": LIMIT_S, "blockingReadConnectionTimeout": LIMIT_S}
            properties = {"user": OWNER, "password": password, **limits, **others}
            return java.submit(_ask, url, properties, statements).result()

        yield asking


def test_jdbc_by_default_shows_the_advice_of_ibm_cli(installed: Server, ask: Ask) -> None:
    with installed.connect() as cli:
        cli.call("TUNE.SNAPSHOT", [Out("INTEGER")])
        cli.commit()
    installed.advance(INTERVAL_S)
    ((text, ranked),) = ask(installed, "CALL TUNE.ADVISE()")
    with installed.connect() as cli:
        same_text = list(
            cli.rows("SELECT TEXT FROM TUNE.TEXT_LINE WHERE EXPLAINS = 0 ORDER BY PART, PLACE, LINE_NO, N")
        )
        _, (_, same) = cli.call("TUNE.ADVISE", [None, None, "1"])  # the same interval
        cli.rollback()
    assert text.headings == ("TEXT",)
    assert text.widths[0] <= TEXT_COLUMNS
    assert text.rows == same_text
    assert ranked.headings == same.columns == ("RANK", "RUN_ID", "LANE", "BENEFIT_PCT", "RULE", "OBJECT")
    assert len(ranked.rows) > 2
    rows = [tuple(None if cell is None else str(cell) for cell in row) for row in same.rows]
    assert [row[:1] + row[2:] for row in ranked.rows] == [row[:1] + row[2:] for row in rows]  # another RUN_ID
    for row in ranked.rows:
        assert all(len(cell or "") <= width for cell, width in zip(row, ranked.widths, strict=True)), row


def test_jdbc_shows_null_as_no_value(server: Server, ask: Ask) -> None:
    ((shown,),) = ask(server, NULL_CELL)
    assert (shown.headings, shown.widths, shown.rows) == (("1", "2", "3"), (5, 11, 11), [(None, None, "1")])


@pytest.mark.parametrize(
    ("sql", "expected"), [("SELECT * FROM NO.TABLE", (-204, "42704")), ("CALL NO.PROCEDURE()", (-440, "42884"))]
)
def test_jdbc_reports_code_and_state_of_an_error(server: Server, ask: Ask, sql: str, expected: tuple[int, str]) -> None:
    failed, (shown,) = ask(server, sql, "VALUES 1")
    assert (failed, shown.rows) == (expected, [("1",)])  # the connection is still usable


@pytest.mark.parametrize(("password", "mechanism"), [("wrong", "3"), (PASSWORD, "9")])
def test_jdbc_login_with_the_wrong_means_is_refused(server: Server, ask: Ask, password: str, mechanism: str) -> None:
    """Mechanism 9 encrypts: the driver falls back to 3 only if the user did not choose, as on AUTHENTICATION SERVER."""
    assert ask(server, password=password, securityMechanism=mechanism) == [(-4214, "28000")]
