"""Units of work beside each other: who sees what, who waits for whom, and how a wait ends (SQL0911N)."""

import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.standin.backend import OWNER, PASSWORD, Backend
from tests.standin.errors import Db2Error
from tests.standin.session import Session

pytestmark = pytest.mark.full

Pair = tuple[Session, Session]


@pytest.fixture(scope="module")
def backend() -> Backend:
    return Backend.of(Path("fixtures/x445-8way"))


@pytest.fixture
def pair(backend: Backend) -> Iterator[Pair]:
    """Two sessions, and a table with two rows that both may change; nobody waits longer than a second."""
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
