"""Two callers at once, an installation beside a call, a caller that is cut off: each leaves the schema consistent."""

import threading
from collections.abc import Callable
from typing import Any

import pytest

from advisor.db2.failures import Db2Failure
from tests.wire.conftest import Server

pytestmark = pytest.mark.full

RUNS = "SELECT RUN_ID FROM TUNE.RUN ORDER BY RUN_ID"
ORPHANS = "SELECT COUNT(*) FROM TUNE.M_ADVICE WHERE RUN_ID NOT IN (SELECT RUN_ID FROM TUNE.RUN)"
PARTS = "SELECT COUNT(*) FROM TUNE.SNAPSHOT_SOURCE WHERE SNAP_ID NOT IN (SELECT SNAP_ID FROM TUNE.SNAPSHOT)"


def _beside(*acts: Callable[[], Any]) -> list[Any]:
    """What each gave, or how it failed; all of them at the same time."""
    results: list[Any] = [None] * len(acts)

    def run(place: int) -> None:
        try:
            results[place] = acts[place]()
        except Exception as error:  # what the thread raises is looked at below
            results[place] = error

    threads = [threading.Thread(target=run, args=(place,)) for place in range(len(acts))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(240)
        assert not thread.is_alive()
    return results


def _advise(server: Server) -> int:
    """The number of rows of the ranked list."""
    with server.connect() as connection:
        _, sets = connection.call("TUNE.ADVISE", [None, None, "ACTIVATION", None])
        connection.commit()
    return len(sets[1].rows)


def _rows(server: Server, query: str) -> list[tuple[Any, ...]]:
    with server.connect() as connection:
        return list(connection.rows(query))


def _is_consistent(server: Server, runs: int) -> None:
    assert len(_rows(server, RUNS)) == runs
    assert _rows(server, ORPHANS) == _rows(server, PARTS) == [(0,)]
    assert _advise(server) > 0


def test_of_two_calls_at_once_each_gives_all_advice_or_none(installed: Server) -> None:
    """The first runs find out which columns a level lacks; who waits for that too long is rolled back as a whole."""
    found = _beside(lambda: _advise(installed), lambda: _advise(installed))
    advised = [rows for rows in found if not isinstance(rows, Db2Failure)]
    assert advised, found
    assert {failure.id for failure in found if isinstance(failure, Db2Failure)} <= {"SQL0911N"}
    assert len(set(advised)) == 1
    assert advised[0] > 0
    _is_consistent(installed, len(advised))
    assert _beside(lambda: _advise(installed), lambda: _advise(installed)) == [advised[0]] * 2


def test_an_installation_beside_a_call_leaves_both_whole(installed: Server) -> None:
    found, done = _beside(lambda: _advise(installed), lambda: installed.tune("install"))
    assert found > 0 if isinstance(found, int) else found.id == "SQL0911N", found
    assert done.exit_code == 0 or "SQL0911N" in done.output, done.output
    _is_consistent(installed, len(_rows(installed, RUNS)))


def test_of_two_installations_at_once_one_is_there_whole(server: Server) -> None:
    """Who comes second finds it installed, or is told in one line that another one made it or holds it."""
    done = _beside(lambda: server.tune("install"), lambda: server.tune("install"))
    failed = [each.output for each in done if each.exit_code]
    assert len(failed) < 2, failed
    for output in failed:
        assert output.count("db2tune: ") == 1, output
        assert "SQL0601N" in output or "SQL0911N" in output, output
    _is_consistent(server, 0)


@pytest.mark.parametrize("how", ["-911 40001 68", "-964 57011"])
def test_a_unit_of_work_that_is_rolled_back_is_no_rule_that_is_refused(server: Server, how: str) -> None:
    """The rest would be installed without what came before it."""
    if server.standin is None:
        pytest.skip("makes the stand-in fail")
    server.say(f"CALL STANDIN.FAIL('refuse', 'CREATE OR REPLACE VIEW TUNE.R_CONFIG_MONITORING_OFF', '{how}')")
    done = server.tune("install")
    assert done.exit_code == 2, done.output
    assert _rows(server, "SELECT COUNT(*) FROM SYSCAT.TABLES WHERE TABSCHEMA = 'TUNE'") == [(0,)]


def test_who_is_cut_off_leaves_nothing(installed: Server) -> None:
    """A connection that ends without COMMIT has its unit of work rolled back."""
    with installed.connect() as connection:
        connection.call("TUNE.ADVISE", [None, None, "ACTIVATION", None])
        connection.rollback()
    _is_consistent(installed, 0)
