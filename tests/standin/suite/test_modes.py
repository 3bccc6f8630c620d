"""The modes of a database, and what Db2 refuses of statements that are right as SQL, as IBM's manual says."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.machines import x445
from tests.standin.backend import OWNER, PASSWORD, Backend
from tests.standin.errors import Db2Error
from tests.standin.objects.modes import CODEUNITS32, DATE, VARCHAR2, Options
from tests.standin.session import Session
from tests.support.paths import CAPTURES
from tests.support.states import write_capture

pytestmark = pytest.mark.full

STATE = CAPTURES / "x445-8way"
Connect = Callable[..., Session]


@pytest.fixture
def connect() -> Iterator[Connect]:
    sessions: list[Session] = []

    def made(level: str | None = None, **options: Any) -> Session:
        session = Backend.of(STATE, None, level, Options(**options)).connect("HRDB", OWNER, PASSWORD)
        assert session is not None
        sessions.append(session)
        return session

    yield made
    for session in sessions:
        session.close()


def run(session: Session, sql: str) -> list[tuple[Any, ...]]:
    result = session.prepare(sql).execute().result
    return [] if result is None else result.fetch(100)


@pytest.mark.parametrize(
    ("expression", "usual", "compatible"),
    [
        ("COALESCE('', 'none')", "", "none"),
        ("COALESCE(REPLACE('a', 'a', ''), 'none')", "", "none"),
        ("COALESCE(RTRIM('  '), 'none')", "", "none"),
        ("'a' || NULLIF('b', 'b')", None, "a"),
        ("REPLACE('ab', 'b', '')", "a", "a"),
        ("TRANSLATE('a1', '0', '1')", "a0", "a1"),
        ("CASE WHEN CAST('a ' AS VARCHAR(5)) = 'a' THEN 'same' ELSE 'other' END", "same", "other"),
        ("CASE WHEN '' = '' THEN 'same' ELSE 'other' END", "same", "other"),
    ],
)
def test_varchar2_compat(connect: Connect, expression: str, usual: str | None, compatible: str) -> None:
    """r0052880: an empty text is NULL, || leaves NULL out, TRANSLATE takes from before to, no blanks are padded."""
    sql = f"SELECT {expression} FROM SYSIBM.SYSDUMMY1"
    assert run(connect(), sql) == [(usual,)]
    assert run(connect(modes=frozenset({VARCHAR2})), sql) == [(compatible,)]


def test_date_compat(connect: Connect) -> None:
    """r0053667: DATE is TIMESTAMP(0), a number is days, the difference of two timestamps is days."""
    session = connect(modes=frozenset({DATE}))
    ask = "SELECT {} FROM SYSIBM.SYSDUMMY1".format
    moment = "TIMESTAMP('2008-03-28-12.00.00')"
    assert str(run(session, ask(f"{moment} + 1.3"))[0][0]) == "2008-03-29 19:12:00"
    assert run(session, ask(f"{moment} - TIMESTAMP('2008-03-27-00.00.00')")) == [(1.5,)]
    assert str(run(session, ask(f"CAST({moment} AS DATE)"))[0][0]) == "2008-03-28 12:00:00"
    today = session.prepare(ask("CURRENT DATE")).columns[0].type
    assert (today.name, today.length) == ("TIMESTAMP", 0)
    run(session, "CREATE TABLE TUNE.D (A DATE)")
    found = run(session, "SELECT TYPENAME, SCALE FROM SYSCAT.COLUMNS WHERE TABSCHEMA = 'TUNE' AND TABNAME = 'D'")
    assert found == [("TIMESTAMP", 0)]


def test_tables_are_column_organized_by_default(connect: Connect) -> None:
    """r0060587; on 10.5 CREATE INDEX fails with SQL1667N there and LOBs with SQL1666N, c0061528."""
    session = connect("10.5", dft_table_org="COLUMN")
    run(session, "CREATE TABLE TUNE.C (A INTEGER)")
    with pytest.raises(Db2Error, match="1667"):
        run(session, "CREATE INDEX TUNE.X ON TUNE.C (A)")
    with pytest.raises(Db2Error, match="1666"):
        run(session, "CREATE TABLE TUNE.L (A CLOB(1000))")
    run(session, "CREATE TABLE TUNE.R (A CLOB(1000)) ORGANIZE BY ROW")
    found = run(session, "SELECT TABNAME, TABLEORG FROM SYSCAT.TABLES WHERE TABSCHEMA = 'TUNE' ORDER BY TABNAME")
    assert found == [("C", "C"), ("R", "R")]


def test_lengths_are_of_characters_with_codeunits32(connect: Connect) -> None:
    """r0060936 and r0008470: VARCHAR has at most 8168 of them; r0060917: a session may set it back to bytes."""
    session = connect(string_units=CODEUNITS32)
    with pytest.raises(Db2Error, match="604"):
        run(session, "CREATE TABLE TUNE.V (A VARCHAR(8169))")
    with pytest.raises(Db2Error, match="604"):
        run(session, "CREATE PROCEDURE TUNE.P () BEGIN DECLARE V_A VARCHAR(9000); END")
    run(session, "CREATE TABLE TUNE.V (A VARCHAR(100))")
    length = "SELECT LENGTH FROM SYSCAT.COLUMNS WHERE TABSCHEMA = 'TUNE' AND TABNAME = 'V' AND COLNAME = 'A'"
    assert run(session, length) == [(400,)]
    run(session, "SET SYSIBM.NLS_STRING_UNITS = 'SYSTEM'")
    run(session, "DROP TABLE TUNE.V")
    run(session, "CREATE TABLE TUNE.V (A VARCHAR(8169))")
    run(session, "CREATE PROCEDURE TUNE.P () BEGIN DECLARE V_A VARCHAR(9000); END")


def test_a_restrictive_database_grants_nothing_to_public(connect: Connect) -> None:
    """r0001941: RESTRICTIVE."""
    asked = "SELECT COUNT(*) FROM SYSCAT.DBAUTH WHERE GRANTEE = 'PUBLIC'"
    assert run(connect(), asked) == [(1,)]
    assert run(connect(restrictive=True), asked) == [(0,)]


@pytest.mark.parametrize(("page", "euro"), [(1208, "€"), (819, "\x1a"), (1252, "€")])
def test_text_is_converted_to_the_code_page(connect: Connect, page: int, euro: str) -> None:
    """CDRA, enforced subset conversion: a character that the page lacks becomes X'1A', that of ASCII pages."""
    session = connect(codepage=page)
    assert run(session, "VALUES 'é€'") == [("é" + euro,)]
    run(session, "CREATE TABLE TUNE.T (A VARCHAR(3))")
    session.prepare("INSERT INTO TUNE.T VALUES (?)").execute(["€"])
    assert run(session, "SELECT A FROM TUNE.T") == [(euro,)]


@pytest.mark.parametrize(("page", "name"), [(1208, "Größe€日"), (819, "Größe\x1a\x1a"), (1252, "Größe€\x1a")])
def test_what_the_machine_shows_is_in_its_code_page(tmp_path: Path, page: int, name: str) -> None:
    """Names and values of the catalog and of the monitor are texts of the database, too."""
    state = x445()
    for rows in state.sources.values():
        for row in rows:
            row |= {column: "Größe€日" for column, value in row.items() if value == "EMPLOYEE_TABLE"}
    made = Backend.of(write_capture(state, tmp_path), None, None, Options(codepage=page))
    session = made.connect("HRDB", OWNER, PASSWORD)
    assert session is not None
    for query in (
        "SELECT TBSPACE FROM SYSCAT.TABLESPACES",
        "SELECT TBSP_NAME FROM TABLE(SYSPROC.MON_GET_TABLESPACE(NULL, -2)) AS T",
    ):
        assert (name,) in run(session, query)
    session.close()


@pytest.mark.parametrize(("page", "length", "part"), [(1208, 3, "\x1a"), (819, 2, "é"), (1252, 2, "é")])
def test_a_character_of_a_single_byte_page_is_a_byte(connect: Connect, page: int, length: int, part: str) -> None:
    """r0008470: lengths are of bytes, and é takes two of them in UTF-8 and one in ISO 8859-1."""
    session = connect(codepage=page)
    run(session, "CREATE TABLE TUNE.T (A VARCHAR(10))")
    run(session, "INSERT INTO TUNE.T VALUES ('né')")
    assert run(session, "SELECT LENGTH(A), SUBSTR(A, 2, 1) FROM TUNE.T") == [(length, part)]
    codepage = "SELECT CODEPAGE FROM SYSCAT.COLUMNS WHERE TABSCHEMA = 'TUNE' AND TABNAME = 'T'"
    assert run(session, codepage) == [(page,)]


def test_a_single_byte_database_has_no_choice_of_string_units(connect: Connect) -> None:
    """r0060917: NLS_STRING_UNITS is for Unicode databases."""
    with pytest.raises(Db2Error) as caught:
        run(connect(codepage=819), "SET SYSIBM.NLS_STRING_UNITS = 'SYSTEM'")
    assert caught.value.state == "42815"


WIDE = "SELECT A, COUNT(*) FROM TUNE.W GROUP BY A"  # rows of 5,000 bytes and more


@pytest.fixture
def session() -> Iterator[Session]:
    yield from _session(8)


def _session(system_temporary: int) -> Iterator[Session]:
    options = Options(system_temporary=system_temporary)
    made = Backend.of(CAPTURES / "x445-8way", None, None, options).connect("HRDB", OWNER, PASSWORD)
    assert made is not None
    run(made, "CREATE TABLE TUNE.T (A INTEGER)")
    run(made, "CREATE TABLE TUNE.W (A VARCHAR(5000))")
    yield made
    made.close()


def refused(session: Session, sql: str) -> int:
    with pytest.raises(Db2Error) as caught:
        run(session, sql)
    return caught.value.code


@pytest.mark.parametrize(
    ("declared", "statement", "code"),
    [
        ("READS SQL DATA", "INSERT INTO TUNE.T VALUES (1)", -577),
        ("CONTAINS SQL", "INSERT INTO TUNE.T VALUES (1)", -577),
        ("CONTAINS SQL", "SELECT MAX(A) INTO V FROM TUNE.T", -579),
    ],
)
def test_a_routine_does_what_it_declares(session: Session, declared: str, statement: str, code: int) -> None:
    """r0008329 (CREATE PROCEDURE, SQL data access): refused when it is created."""
    text = f"CREATE PROCEDURE TUNE.P () {declared} BEGIN DECLARE V INTEGER; {statement}; END"
    assert refused(session, text) == code
    run(session, text.replace(declared, "MODIFIES SQL DATA"))


def test_sql_pl_with_bind_behavior_prepares_no_definitions(session: Session) -> None:
    """c0007210: GRANT, REVOKE, ALTER, CREATE and DROP are prepared with run behavior alone (SQL0549N)."""
    grant = "BEGIN EXECUTE IMMEDIATE 'GRANT SELECT ON TUNE.T TO PUBLIC'; END"
    run(session, "CALL SYSPROC.SET_ROUTINE_OPTS('DYNAMICRULES BIND')")
    run(session, f"CREATE PROCEDURE TUNE.BOUND () {grant}")
    assert refused(session, grant) == -549
    run(session, "GRANT SELECT ON TUNE.T TO PUBLIC")  # of the client itself
    run(session, "CALL SYSPROC.SET_ROUTINE_OPTS(CAST(NULL AS VARCHAR(1)))")
    run(session, grant)
    assert refused(session, "CALL TUNE.BOUND()") == -549


@pytest.mark.parametrize("inside", ["EXECUTE IMMEDIATE 'DELETE FROM TUNE.T'", "CALL TUNE.WRITES()"])
def test_what_it_calls_and_prepares_may_do_no_more(session: Session, inside: str) -> None:
    run(session, "CREATE PROCEDURE TUNE.WRITES () MODIFIES SQL DATA BEGIN DELETE FROM TUNE.T; END")
    run(session, f"CREATE PROCEDURE TUNE.READER () READS SQL DATA BEGIN {inside}; END")
    assert refused(session, "CALL TUNE.READER()") == -577
    run(session, "CALL TUNE.WRITES()")


def test_an_autonomous_procedure_with_result_sets_is_refused(session: Session) -> None:
    """c0054575 does not say to whom the cursors of a session belong that has ended."""
    text = "CREATE PROCEDURE TUNE.P () DYNAMIC RESULT SETS 1 AUTONOMOUS BEGIN DELETE FROM TUNE.T; END"
    assert refused(session, text) == -270


def test_rows_too_wide_for_temporary_table_spaces_are_refused() -> None:
    """SQL1585N: 5,000 bytes do not fit a page of 4 KB, which takes 4,005 of them (r0001029)."""
    for session in _session(4):
        assert refused(session, WIDE) == -1585
        assert run(session, "SELECT COUNT(*) FROM TUNE.W") == [(0,)]
    for session in _session(8):
        assert run(session, WIDE) == []


def test_a_table_function_needs_no_correlation_name(session: Session) -> None:
    """IBM's db2mon has TABLE(DB_GET_CFG(-2)) without one, and runs at every level that is supported."""
    assert run(session, "SELECT COUNT(*) FROM TABLE(ENV_GET_INST_INFO())") == run(
        session, "SELECT COUNT(*) FROM TABLE(ENV_GET_INST_INFO()) AS T"
    )
