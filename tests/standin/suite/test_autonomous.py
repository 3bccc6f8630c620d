"""Procedures that run in a session of their own. c0054575 (autonomous transactions): work that succeeds is committed, work
that fails is rolled back, and the calling transaction is not affected either way.
"""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.standin.backend import OWNER, PASSWORD, Backend, User
from tests.standin.errors import Db2Error
from tests.standin.objects.modes import Options
from tests.standin.session import Session
from tests.support.paths import CAPTURES

pytestmark = pytest.mark.full

READER = "reader"
USERS = {OWNER: User(PASSWORD, is_sysadm=True), READER: User(READER, frozenset({"CONNECT"}))}
NOTE = "CREATE PROCEDURE APP.NOTE (IN P_A INTEGER) AUTONOMOUS BEGIN INSERT INTO APP.L VALUES (P_A, P_A); {} END"
LINES = "SELECT A FROM APP.L ORDER BY A"


@pytest.fixture(scope="module")
def backend() -> Backend:
    return Backend.of(CAPTURES / "x445-8way", USERS, None, Options(user_temporary=True))


@pytest.fixture
def session(backend: Backend) -> Iterator[Session]:
    made = backend.connect("HRDB", OWNER, PASSWORD)
    assert made is not None
    run(made, "CREATE TABLE APP.L (A INTEGER NOT NULL PRIMARY KEY, B INTEGER)")
    run(made, "INSERT INTO APP.L VALUES (1, 1)")
    made.commit()
    yield made
    made.rollback()
    for (name,) in run(made, "SELECT SPECIFICNAME FROM SYSCAT.ROUTINES WHERE ROUTINESCHEMA = 'APP'"):
        run(made, f'DROP SPECIFIC PROCEDURE APP."{name}"')
    run(made, "DROP TABLE APP.L")
    made.commit()
    made.close()


def run(session: Session, sql: str) -> Any:
    result = session.prepare(sql).execute().result
    return result.fetch(100) if result else None


def refused(session: Session, sql: str) -> tuple[int, tuple[str, ...]]:
    with pytest.raises(Db2Error) as caught:
        run(session, sql)
    return caught.value.code, caught.value.tokens


def test_what_it_did_stays_when_its_caller_is_rolled_back(session: Session) -> None:
    run(session, NOTE.format(""))
    session.commit()
    run(session, "INSERT INTO APP.L VALUES (2, 2)")
    run(session, "CALL APP.NOTE(3)")
    session.rollback()
    assert run(session, LINES) == [(1,), (3,)]


def test_what_its_caller_did_is_not_committed_with_it(session: Session, backend: Backend) -> None:
    run(session, NOTE.format("COMMIT;"))
    session.commit()
    run(session, "INSERT INTO APP.L VALUES (2, 2)")
    run(session, "CALL APP.NOTE(3)")
    other = backend.connect("HRDB", OWNER, PASSWORD)
    assert other is not None
    assert run(other, LINES) == [(1,), (3,)]
    other.close()


def test_one_that_fails_takes_back_its_own_work_alone(session: Session) -> None:
    run(session, NOTE.format("SIGNAL SQLSTATE '70001' SET MESSAGE_TEXT = 'no';"))
    session.commit()
    run(session, "INSERT INTO APP.L VALUES (2, 2)")
    assert refused(session, "CALL APP.NOTE(3)")[0] == -438
    session.commit()
    assert run(session, LINES) == [(1,), (2,)]


def test_it_sees_what_is_committed(session: Session) -> None:
    """Its session is another one: what its caller has changed and not committed is not there (c0053760)."""
    run(
        session,
        "CREATE PROCEDURE APP.SEEN (OUT P_N INTEGER) AUTONOMOUS BEGIN SET P_N = (SELECT SUM(B) FROM APP.L); END",
    )
    session.commit()
    run(session, "UPDATE APP.L SET B = 9")
    assert session.prepare("CALL APP.SEEN(?)").execute((None,)).parameters == [1]
    session.commit()
    assert session.prepare("CALL APP.SEEN(?)").execute((None,)).parameters == [9]


def test_it_waits_for_its_caller_in_vain(session: Session) -> None:
    """The caller cannot go on before it ends: the wait ends with SQL0911N, and the caller's work stays."""
    run(session, "CREATE PROCEDURE APP.BUSY () AUTONOMOUS BEGIN UPDATE APP.L SET B = B + 1; END")
    session.commit()
    run(session, "SET CURRENT LOCK TIMEOUT 1")
    run(session, "UPDATE APP.L SET B = 9")
    assert refused(session, "CALL APP.BUSY()") == (-911, ("68",))
    assert run(session, "SELECT B FROM APP.L") == [(9,)]


def test_its_declared_temporary_tables_are_its_own(session: Session) -> None:
    run(session, "CREATE PROCEDURE APP.OWN () AUTONOMOUS BEGIN"
                 " DECLARE GLOBAL TEMPORARY TABLE SESSION.T (A INTEGER) ON COMMIT PRESERVE ROWS;"
                 " EXECUTE IMMEDIATE 'INSERT INTO SESSION.T VALUES (5)'; END")  # fmt: skip
    session.commit()
    run(session, "CALL APP.OWN()")
    run(session, "CALL APP.OWN()")
    assert refused(session, "SELECT A FROM SESSION.T")[0] == -204


def test_registers_start_as_the_callers_and_end_with_it(session: Session) -> None:
    """r0008329: INHERIT SPECIAL REGISTERS."""
    run(session, "CREATE PROCEDURE APP.TIMEOUT (OUT P_S INTEGER) AUTONOMOUS BEGIN"
                 " SET P_S = CURRENT LOCK TIMEOUT; SET CURRENT LOCK TIMEOUT 99; END")  # fmt: skip
    session.commit()
    run(session, "SET CURRENT LOCK TIMEOUT 7")
    assert session.prepare("CALL APP.TIMEOUT(?)").execute((None,)).parameters == [7]
    assert run(session, "VALUES CURRENT LOCK TIMEOUT") == [(7,)]


def test_its_rights_are_those_of_its_definer(session: Session, backend: Backend) -> None:
    run(session, NOTE.format(""))
    run(session, f"GRANT EXECUTE ON PROCEDURE APP.NOTE TO USER {READER}")
    session.commit()
    reader = backend.connect("HRDB", READER, READER)
    assert reader is not None
    run(reader, "CALL APP.NOTE(3)")
    assert refused(reader, "INSERT INTO APP.L VALUES (4, 4)")[0] == -551
    reader.close()
    assert run(session, LINES) == [(1,), (3,)]


def test_callers_cursors_and_status_are_as_for_any_call(session: Session) -> None:
    run(
        session,
        "CREATE PROCEDURE APP.STATUS () AUTONOMOUS BEGIN INSERT INTO APP.L VALUES (3, 3); COMMIT; RETURN 4; END",
    )
    run(session, "CREATE PROCEDURE APP.CALLER (OUT P_A INTEGER, OUT P_S INTEGER) BEGIN"
                 " DECLARE C CURSOR FOR SELECT A FROM APP.L; OPEN C; CALL APP.STATUS();"
                 " GET DIAGNOSTICS P_S = DB2_RETURN_STATUS; FETCH C INTO P_A; CLOSE C; END")  # fmt: skip
    session.commit()
    assert session.prepare("CALL APP.CALLER(?, ?)").execute((None, None)).parameters == [1, 4]


def test_recursion_has_an_end(session: Session) -> None:
    run(session, "CREATE PROCEDURE APP.AGAIN () AUTONOMOUS BEGIN EXECUTE IMMEDIATE 'CALL APP.AGAIN()'; END")
    session.commit()
    assert refused(session, "CALL APP.AGAIN()")[0] == -724
