"""Behaviour that the manuals leave open: the calls return the same results in either case."""

import pytest

from advisor.db2.connection import Connection
from advisor.db2.failures import Db2Failure
from tests.standin.sql import kept, strings
from tests.standin.types import SqlType
from tests.wire.conftest import CAPTURES, Server, standin

pytestmark = pytest.mark.full


def _topology(connection: Connection) -> object:
    connection.call("TUNE.ADVISE", [])
    return next(connection.rows("SELECT TOPOLOGY FROM TUNE.RUN_DATABASE"))[0]


def test_server_without_caching_facility_data_is_judged(steered: Server, installed: Server) -> None:
    """r0056718 documents DB2_CF for pureScale, but not its result elsewhere."""
    installed.say("CALL STANDIN.FAIL('sqlcode', 'DB2_CF', '-443 38553 DB2_GET_INSTANCE_INFO')")
    with installed.connect() as connection:
        assert _topology(connection) == "dpf"


def test_pure_scale_is_recognized_by_its_members() -> None:
    for server in standin(CAPTURES / "purescale"):
        assert server.tune("install").exit_code == 0
        with server.connect() as connection:
            assert _topology(connection) == "purescale"


def test_without_dbms_alert_all_but_the_interval_works(steered: Server) -> None:
    """r0001941: in a RESTRICTIVE database no user has EXECUTE on DBMS_ALERT without a GRANT."""
    steered.say("CALL STANDIN.FAIL('sqlcode', 'SLEEP', '-551 42501 TUNER EXECUTE DBMS_ALERT.SLEEP')")
    assert steered.tune("install").exit_code == 0
    with steered.connect() as connection:
        connection.call("TUNE.ADVISE", [])
        connection.commit()
        with pytest.raises(Db2Failure) as caught:
            connection.call("TUNE.ADVISE", [None, None, "PREVIOUS", 60])
        connection.rollback()
        assert list(connection.rows("SELECT COUNT(*) FROM TUNE.SNAPSHOT")) == [(1,)]
    assert caught.value.id == "SQL0551N"


@pytest.mark.parametrize("seconds", [59, 901, 86400])
def test_no_unit_of_work_sleeps_longer_than_fifteen_minutes(installed: Server, seconds: int) -> None:
    """r0006019 (num_log_span): Db2 keeps the log from the first record of the oldest open unit of work."""
    with installed.connect() as connection, pytest.raises(Db2Failure) as caught:
        connection.call("TUNE.ADVISE", [None, None, "PREVIOUS", seconds])
    assert caught.value.sqlstate == "70004"


def test_a_change_that_no_type_holds_ends_at_the_greatest(installed: Server) -> None:
    """r0008479: a value that exceeds DECIMAL raises SQL0413N, which would end COMPARE."""
    with installed.connect() as connection:
        for _ in range(2):
            connection.call("TUNE.ADVISE", [])
            connection.commit()
            installed.advance(300)
        connection.execute("UPDATE TUNE.M_METRIC SET VALUE = 1E-12 WHERE RUN_ID = 1")
        connection.execute("UPDATE TUNE.M_METRIC SET VALUE = 1E18 WHERE RUN_ID = 2")
        _, (metrics,) = connection.call("TUNE.COMPARE", [1, 2])
        changes = {str(row[metrics.columns.index("CHANGE_PCT")]) for row in metrics.rows}
        connection.rollback()
    assert changes == {"900000.0"}


def test_upgrade_works_if_sql_pl_prepares_no_definitions() -> None:
    """c0007210 (DYNAMICRULES): DB2_SQLROUTINE_PREPOPTS may contain BIND for the instance; r0011873 overrides it."""
    for server in standin(CAPTURES / "x445-8way", dynamic_rules="BIND"):
        assert server.tune("install").exit_code == 0
        server.say("DROP PROCEDURE TUNE.UNSCHEDULE")
        server.say("CREATE PROCEDURE TUNE.UNSCHEDULE (IN P_OLDER INTEGER) BEGIN END")
        server.say("GRANT EXECUTE ON PROCEDURE TUNE.UNSCHEDULE TO PUBLIC")
        done = server.tune("install")
        assert done.exit_code == 0, done.output
        assert server.tune("advise", "--in-database", "--interval", "0").exit_code == 0
        assert server.tune("uninstall", "--yes").exit_code == 0


def test_concatenation_beyond_4000_bytes_is_not_compared(steered: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """r0000736 (expressions): beyond 4,000 bytes || returned a long type, which allows no =, GROUP BY or ORDER BY."""
    usual = strings._concatenated
    lengths = []

    def long(one: SqlType, other: SqlType) -> SqlType:
        made = usual(one, other)
        if made.is_lob or made.length <= 4000:
            return made
        lengths.append(made.length)
        return SqlType("CLOB", 32700)

    monkeypatch.setattr(strings, "_concatenated", long)
    monkeypatch.setattr(kept, "_compiled", {})  # isolated from other tests' statements
    done = steered.tune("install")
    assert (done.exit_code, "cannot run" in done.output) == (0, False), done.output
    with steered.connect() as connection:
        _, (text, _) = connection.call("TUNE.ADVISE", [None, None, "ACTIVATION", None])
        connection.rollback()
    assert text.rows
    assert lengths


def test_braces_in_values_are_texts(steered: Server) -> None:
    """c0004148: the driver treats braces as escape clauses, except in quotes."""
    with steered.connect() as connection:
        assert list(connection.rows("VALUES '{to}{d ''2020-01-01''}'")) == [("{to}{d '2020-01-01'}",)]


def test_schedule_without_commit_of_the_scheduler_works(installed: Server) -> None:
    """r0054371 does not document what commits a task's work: the called procedure does."""
    with installed.connect() as connection:
        connection.call("TUNE.SCHEDULED", [])
        connection.rollback()
        assert list(connection.rows("SELECT COUNT(*) FROM TUNE.RUN")) == [(1,)]
