"""Concurrent units of work: which changes each sees, which session waits for which, and how a wait ends (SQL0911N)."""

import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.standin.backend import OWNER, PASSWORD, Backend
from tests.standin.errors import Db2Error
from tests.standin.objects.modes import Options
from tests.standin.session import Session

pytestmark = pytest.mark.full

Pair = tuple[Session, Session]


@pytest.fixture(scope="module")
def backend() -> Backend:
    return Backend.of(Path("fixtures/x445-8way.capture"))


@pytest.fixture
def pair(backend: Backend) -> Iterator[Pair]:
    """Two sessions, and a table with two rows that both may change; each lock wait ends after a second."""
    sessions = tuple(backend.connect("HRDB", OWNER, PASSWORD) for _ in range(2))
    one, other = sessions
    assert one is not None and other is not None
    run(one, "CREATE TABLE APP.L (A INTEGER NOT NULL PRIMARY KEY, B INTEGER)")
    run(one, "INSERT INTO APP.L VALUES (1, 1), (2, 2)")
    one.commit()
    for session in (one, other):
        run(session, "SET CURRENT LOCK TIMEOUT 1")
    yield one, other
    one.rollback()
    other.rollback()
    run(one, "DROP TABLE APP.L")
    one.commit()
    one.close()
    other.close()


def run(session: Session, sql: str) -> Any:
    result = session.prepare(sql).execute().result
    return result.fetch(100) if result else None


def refused(session: Session, sql: str) -> tuple[int, str, tuple[str, ...]]:
    with pytest.raises(Db2Error) as caught:
        run(session, sql)
    return caught.value.code, caught.value.state, caught.value.tokens


class Later:
    """A statement in a thread of its own."""

    def __init__(self, session: Session, sql: str) -> None:
        self.error: Db2Error | None = None
        self._thread = threading.Thread(target=self._run, args=(session, sql))
        self._thread.start()
        time.sleep(0.2)

    def _run(self, session: Session, sql: str) -> None:
        try:
            run(session, sql)
        except Db2Error as error:
            self.error = error

    @property
    def waits(self) -> bool:
        return self._thread.is_alive()

    def ended(self) -> Db2Error | None:
        self._thread.join(10)
        assert not self.waits
        return self.error


@pytest.mark.parametrize(
    "change", ["INSERT INTO APP.L VALUES (3, 3)", "UPDATE APP.L SET B = 9", "DELETE FROM APP.L WHERE A = 1"]
)
def test_others_see_what_is_committed(pair: Pair, change: str) -> None:
    """Cursor stability with cur_commit ON reads what is currently committed (c0053760); UR reads anything."""
    one, other = pair
    query = "SELECT A, B FROM APP.L ORDER BY A"
    run(one, change)
    assert run(other, query) == [(1, 1), (2, 2)] != run(one, query)
    assert run(other, f"{query} WITH UR") == run(one, query)
    one.commit()
    assert run(other, query) == run(one, query) != [(1, 1), (2, 2)]


def test_a_second_writer_of_a_row_waits(pair: Pair) -> None:
    one, other = pair
    run(one, "UPDATE APP.L SET B = B + 10 WHERE A = 1")
    run(other, "UPDATE APP.L SET B = B + 1 WHERE A = 2")  # another row
    second = Later(other, "UPDATE APP.L SET B = B + 1 WHERE A = 1")
    assert second.waits
    one.commit()
    assert second.ended() is None
    other.commit()
    assert run(one, "SELECT B FROM APP.L ORDER BY A") == [(12,), (3,)]


def test_a_key_that_is_not_committed_decides_when_it_ends(pair: Pair) -> None:
    one, other = pair
    run(one, "INSERT INTO APP.L VALUES (3, 3)")
    second = Later(other, "INSERT INTO APP.L VALUES (3, 4)")
    assert second.waits
    one.rollback()
    assert second.ended() is None
    assert run(other, "SELECT B FROM APP.L WHERE A = 3") == [(4,)]


@pytest.mark.parametrize("change", ["DELETE FROM APP.L WHERE A = 1", "UPDATE APP.L SET A = 7 WHERE A = 1"])
@pytest.mark.parametrize(("end", "code"), [("commit", 0), ("rollback", -803)])
def test_a_key_that_another_has_deleted_may_come_back(pair: Pair, change: str, end: str, code: int) -> None:
    """c0009699: the key stays in the index, marked deleted, until the unit of work ends."""
    one, other = pair
    run(one, change)
    second = Later(other, "INSERT INTO APP.L VALUES (1, 4)")
    assert second.waits
    getattr(one, end)()
    ended = second.ended()
    assert (ended.code if ended else 0) == code


@pytest.mark.parametrize("isolation", ["RS", "RR"])
def test_repeatable_reads_block_changes(pair: Pair, isolation: str) -> None:
    """c0004121: RS locks the rows that were read, RR also keeps others from adding to them."""
    one, other = pair
    run(one, f"SELECT A FROM APP.L WITH {isolation}")
    timed_out = (-911, "40001", ("68",))
    assert refused(other, "DELETE FROM APP.L WHERE A = 1") == timed_out
    if isolation == "RR":
        assert refused(other, "INSERT INTO APP.L VALUES (3, 3)") == timed_out
    else:
        run(other, "INSERT INTO APP.L VALUES (3, 3)")
        other.commit()
    one.commit()
    run(other, "DELETE FROM APP.L WHERE A = 1")


@pytest.mark.parametrize("isolation", ["RS", "RR"])
def test_readers_above_cursor_stability_wait_for_commits(pair: Pair, isolation: str) -> None:
    """c0053760: the currently committed version is read with cursor stability alone."""
    one, other = pair
    run(one, "UPDATE APP.L SET B = 9")
    run(other, f"SET CURRENT ISOLATION {isolation}")
    assert refused(other, "SELECT A FROM APP.L") == (-911, "40001", ("68",))
    run(other, "SET CURRENT ISOLATION RESET")
    assert run(other, "SELECT COUNT(*) FROM APP.L WHERE B = 9") == [(0,)]


def test_session_isolation_applies_to_dynamic_statements(pair: Pair) -> None:
    """r0010945: what a routine has compiled in runs with the isolation of its package, cursor stability."""
    one, other = pair
    text = "CREATE PROCEDURE APP.N (OUT P_N INTEGER) BEGIN SET CURRENT ISOLATION UR; {}; END"
    run(one, text.format("SELECT COUNT(*) INTO P_N FROM APP.L WHERE B = 9"))
    run(one, text.replace("APP.N", "APP.D").format(
        "BEGIN DECLARE C CURSOR FOR S; PREPARE S FROM 'SELECT COUNT(*) FROM APP.L WHERE B = 9';"
        " OPEN C; FETCH C INTO P_N; END"
    ))  # fmt: skip
    one.commit()
    run(one, "UPDATE APP.L SET B = 9")
    assert [other.prepare(f"CALL APP.{name}(?)").execute((None,)).parameters for name in "ND"] == [[0], [2]]
    other.commit()
    one.rollback()
    run(one, "DROP PROCEDURE APP.N")
    run(one, "DROP PROCEDURE APP.D")
    one.commit()


@pytest.mark.parametrize("setting", ["DISABLED", "AVAILABLE"])
def test_without_cur_commit_reading_waits_for_the_writer(setting: str) -> None:
    """r0053556 (cur_commit)."""
    made = Backend.of(Path("fixtures/x445-8way.capture"), None, None, Options(cur_commit=setting))
    one, other = (made.connect("HRDB", OWNER, PASSWORD) for _ in range(2))
    assert one is not None and other is not None
    run(one, "CREATE TABLE APP.L (A INTEGER)")
    one.commit()
    run(one, "INSERT INTO APP.L VALUES (1)")
    run(other, "SET CURRENT LOCK TIMEOUT 1")
    assert refused(other, "SELECT A FROM APP.L") == (-911, "40001", ("68",))
    assert run(other, "SELECT A FROM APP.L WITH UR") == [(1,)]
    one.close()
    other.close()


def test_a_time_out_rolls_the_unit_of_work_back(pair: Pair) -> None:
    """SQL0911N, reason code 68."""
    one, other = pair
    run(other, "INSERT INTO APP.L VALUES (7, 7)")
    run(one, "UPDATE APP.L SET B = 5 WHERE A = 1")
    assert refused(other, "DELETE FROM APP.L WHERE A = 1") == (-911, "40001", ("68",))
    assert run(other, "SELECT COUNT(*) FROM APP.L WHERE A = 7 WITH UR") == [(0,)]


def test_a_time_out_inside_of_sql_pl_rolls_back_too(pair: Pair) -> None:
    one, other = pair
    run(one, "UPDATE APP.L SET B = 5 WHERE A = 1")
    run(
        other,
        "BEGIN DECLARE CONTINUE HANDLER FOR SQLSTATE '40001' BEGIN END;"
        " INSERT INTO APP.L VALUES (7, 7); UPDATE APP.L SET B = 6 WHERE A = 1; INSERT INTO APP.L VALUES (8, 8); END",
    )
    assert run(other, "SELECT A FROM APP.L WHERE A > 2") == [(8,)]


def test_a_deadlock_ends_one_of_the_two(pair: Pair) -> None:
    """SQL0911N, reason code 2."""
    one, other = pair
    for session in pair:
        run(session, "SET CURRENT LOCK TIMEOUT 10")
    run(one, "UPDATE APP.L SET B = 5 WHERE A = 1")
    run(other, "UPDATE APP.L SET B = 6 WHERE A = 2")
    second = Later(other, "UPDATE APP.L SET B = 6 WHERE A = 1")
    assert refused(one, "UPDATE APP.L SET B = 5 WHERE A = 2") == (-911, "40001", ("2",))
    assert second.ended() is None
    assert run(other, "SELECT B FROM APP.L ORDER BY A") == [(6,), (6,)]


def test_a_definition_that_is_not_committed_is_waited_for(pair: Pair) -> None:
    one, other = pair
    run(one, "CREATE VIEW APP.LV AS SELECT A FROM APP.L")
    assert refused(other, "SELECT A FROM APP.LV") == (-911, "40001", ("68",))
    assert refused(other, "CREATE VIEW APP.LV AS SELECT B FROM APP.L") == (-911, "40001", ("68",))
    one.rollback()
    assert refused(other, "SELECT A FROM APP.LV")[0] == -204


def test_a_table_whose_rows_are_changed_is_not_dropped(pair: Pair) -> None:
    one, other = pair
    run(one, "UPDATE APP.L SET B = 5 WHERE A = 1")
    assert refused(other, "DROP TABLE APP.L") == (-911, "40001", ("68",))
    one.commit()
    assert run(other, "SELECT B FROM APP.L WHERE A = 1") == [(5,)]


def test_who_hangs_up_gives_its_locks_back(pair: Pair, backend: Backend) -> None:
    one, _ = pair
    third = backend.connect("HRDB", OWNER, PASSWORD)
    assert third is not None
    run(third, "UPDATE APP.L SET B = 5")
    second = Later(one, "UPDATE APP.L SET B = B + 1")
    assert second.waits
    third.close()
    assert second.ended() is None
    assert run(one, "SELECT B FROM APP.L ORDER BY A") == [(2,), (3,)]
