"""What Db2 refuses of statements that are right as SQL: what a routine did not declare, rows too wide for any page."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.standin.backend import OWNER, PASSWORD, Backend
from tests.standin.errors import Db2Error
from tests.standin.objects.modes import Options
from tests.standin.session import Session
from tests.support.paths import CAPTURES

pytestmark = pytest.mark.full

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


def run(session: Session, sql: str) -> list[tuple[Any, ...]]:
    result = session.prepare(sql).execute().result
    return [] if result is None else result.fetch(100)


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
