"""Concurrent access: two callers, an installation during a call, a lost caller; the schema stays consistent."""

import subprocess
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

from advisor.db2.failures import Db2Failure
from advisor.install.installer import install
from advisor.install.refusals import Refusal
from tests.wire.conftest import Server

pytestmark = pytest.mark.full

RUNS = "SELECT RUN_ID FROM TUNE.RUN ORDER BY RUN_ID"
ORPHANS = "SELECT COUNT(*) FROM TUNE.M_ADVICE WHERE RUN_ID NOT IN (SELECT RUN_ID FROM TUNE.RUN)"
FOUND = "SELECT COUNT(*) FROM TUNE.M_FINDING"
PARTS = "SELECT COUNT(*) FROM TUNE.SNAPSHOT_SOURCE WHERE SNAP_ID NOT IN (SELECT SNAP_ID FROM TUNE.SNAPSHOT)"

PATIENCE_S = 240
CALLER = """
import sys
from advisor.db2.address import parse_address
from advisor.db2.connection import Connection
from advisor.db2.password import Secret
with Connection(parse_address(sys.argv[1]), Secret(sys.argv[2]), statement_timeout_s=0) as connection:
    connection.call("TUNE.ADVISE", [None, None, "ACTIVATION", None])
    connection.commit()
"""


def _beside(*acts: Callable[[], Any]) -> list[Any]:
    """Run all functions concurrently, and return each result or failure."""
    results: list[Any] = [None] * len(acts)

    def run(place: int) -> None:
        try:
            results[place] = acts[place]()
        except Exception as error:  # the caller checks the thread's exception
            results[place] = error

    threads = [threading.Thread(target=run, args=(place,)) for place in range(len(acts))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE_S)
        assert not thread.is_alive()
    return results


def _advise(server: Server) -> int:
    """Return the number of rows of the ranked list."""
    with server.connect() as connection:
        _, sets = connection.call("TUNE.ADVISE", [None, None, "ACTIVATION", None])
        connection.commit()
    return len(sets[1].rows)


def _install(server: Server) -> list[Refusal]:
    """Install in a separate process, because all threads of a process share its output."""
    with server.connect() as connection:
        return install(connection).refused


def _until(reached: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not reached():
        assert time.monotonic() < deadline
        time.sleep(0.2)


def _rows(server: Server, query: str) -> list[tuple[Any, ...]]:
    with server.connect() as connection:
        return list(connection.rows(query))


def _is_whole(server: Server, runs: int) -> None:
    assert len(_rows(server, RUNS)) == runs
    assert _rows(server, ORPHANS) == _rows(server, PARTS) == [(0,)]


def _is_consistent(server: Server, runs: int) -> None:
    _is_whole(server, runs)
    assert _advise(server) > 0


def test_of_two_calls_at_once_each_gives_all_advice_or_none(installed: Server) -> None:
    """The first runs detect missing columns of older levels; a run that waits too long is rolled back completely."""
    found = _beside(lambda: _advise(installed), lambda: _advise(installed))
    advised = [rows for rows in found if not isinstance(rows, Db2Failure)]
    assert advised, found
    assert {failure.id for failure in found if isinstance(failure, Db2Failure)} <= {"SQL0911N"}
    assert len(set(advised)) == 1
    assert advised[0] > 0
    _is_whole(installed, len(advised))
    assert _beside(lambda: _advise(installed), lambda: _advise(installed)) == [advised[0]] * 2


def test_installation_during_a_call_leaves_both_complete(installed: Server) -> None:
    found, done = _beside(lambda: _advise(installed), lambda: installed.tune("install"))
    refused = {"SQL0911N", "SQL0438N", "SQL0440N"}  # 70091 and 70092, or what it calls is missing
    assert found > 0 if isinstance(found, int) else found.id in refused, found
    if done.exit_code:  # the phases before the deadlock are committed: the next installation completes them
        assert "SQL0911N" in done.output, done.output
        done = installed.tune("install")
        assert done.exit_code == 0, done.output
    _is_consistent(installed, len(_rows(installed, RUNS)))


def test_of_two_installations_at_once_one_is_there_whole(server: Server) -> None:
    """The second one finds it installed, or reports that another installation created it or holds a lock on it."""
    done = _beside(lambda: _install(server), lambda: _install(server))
    failed = [each for each in done if isinstance(each, Exception)]
    assert len(failed) < 2, failed
    assert {getattr(each, "id", each) for each in failed} <= {"SQL0601N", "SQL0911N"}
    assert [] in done  # no refused rules
    _is_consistent(server, 0)


@pytest.mark.parametrize("how", ["-911 40001 68", "-964 57011"])
def test_rolled_back_unit_of_work_is_not_a_refused_rule(server: Server, how: str) -> None:
    """Otherwise the installation would continue without the statements before it in the unit of work."""
    if server.standin is None:
        pytest.skip("makes the stand-in fail")
    server.say(f"CALL STANDIN.FAIL('refuse', 'CREATE OR REPLACE PROCEDURE TUNE.R_CONFIG_MONITORING_OFF', '{how}')")
    done = server.tune("install")
    assert done.exit_code == 2, done.output
    assert _rows(server, "SELECT COUNT(*) FROM TUNE.VERSION") == [(0,)]


def test_caller_killed_half_way_leaves_nothing(installed: Server) -> None:
    """Db2 rolls back the unit of work of a connection that ends without COMMIT."""
    if installed.standin is None:
        pytest.skip("makes the stand-in slow, to be there in time")
    locks = installed.standin.backend.database.locks
    installed.say(
        "CALL STANDIN.FAIL('hang', 'CHOICE_CONTENDER', '60')"
    )  # snapshot, run and findings are written by then
    caller = subprocess.Popen([sys.executable, "-c", CALLER, installed.url, installed.password])
    try:
        _until(lambda: _rows(installed, f"{FOUND} WITH UR") > [(0,)])
        assert _rows(installed, FOUND) == [(0,)]  # not visible to others
        assert caller.poll() is None
    finally:
        caller.kill()
        caller.wait()
    installed.say("CALL STANDIN.HEAL()")
    _until(lambda: not locks.holders)
    _is_consistent(installed, 0)
