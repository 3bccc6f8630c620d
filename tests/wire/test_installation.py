"""An installation costs little and can be repeated: few locks at once, one rule at a time, no half-finished schema."""

import pytest

from advisor.db2.connection import Connection, Out
from advisor.db2.failures import Db2Failure
from tests.wire.conftest import Server

pytestmark = pytest.mark.full

RULE, PROCEDURE = "config.monitoring-off", "TUNE.R_CONFIG_MONITORING_OFF"
HOUR_S = 3600


def _fail(server: Server, kind: str, name: str, how: str) -> None:
    if server.standin is None:
        pytest.skip("makes the stand-in fail")
    server.say(f"CALL STANDIN.FAIL('{kind}', '{name}', '{how}')")


def _refuse(server: Server, definition: str, how: str) -> None:
    _fail(server, "refuse", f"CREATE OR REPLACE PROCEDURE {definition}", how)


def _number(server: Server, query: str) -> int:
    with server.connect() as connection:
        return int(next(iter(connection.rows(query)))[0])


def _advise(connection: Connection) -> list[tuple[object, ...]]:
    _, sets = connection.call("TUNE.ADVISE", [])
    connection.commit()
    return sets[1].rows


def _collect(connection: Connection) -> None:
    connection.call("TUNE.SNAPSHOT", [Out("INTEGER")])
    connection.commit()


def test_rule_that_does_not_compile_costs_itself_only(installed: Server) -> None:
    """The procedure of the earlier installation must not judge with its old statement."""
    with installed.connect() as connection:
        before = _advise(connection)
    _refuse(installed, PROCEDURE, "-101 54001")
    done = installed.tune("install")
    assert done.exit_code == 0, done.output
    assert f"Rule {RULE} cannot run on this server: SQL0101N" in done.output
    with installed.connect() as connection:
        after = _advise(connection)
        reasons = dict(connection.rows("SELECT RULE, REASON FROM TUNE.NOT_RUN WHERE REASON LIKE 'failed%'"))
    assert list(reasons) == [RULE]
    assert "SQL0101N" in reasons[RULE]
    assert [row[4] for row in after] == [row[4] for row in before if row[4] != RULE]


def test_interrupted_installation_is_completed_by_the_next(server: Server) -> None:
    _refuse(server, "TUNE.PURGE ", "-964 57011")
    assert server.tune("install").exit_code == 2
    assert _number(server, "SELECT COUNT(*) FROM TUNE.VERSION") == 0
    server.say("CALL STANDIN.HEAL()")
    done = server.tune("install")
    assert done.exit_code == 0, done.output
    assert _number(server, "SELECT COUNT(*) FROM TUNE.VERSION") == 1


def test_interrupted_upgrade_judges_nothing_and_keeps_history(installed: Server) -> None:
    """Rules of one version must not judge with the views of another."""
    with installed.connect() as connection:
        _advise(connection)
    _refuse(installed, "TUNE.R_LOG_BUFFER_FULL ", "-911 40001 68")
    assert installed.tune("install").exit_code == 2
    with installed.connect() as connection, pytest.raises(Db2Failure) as refused:
        _advise(connection)
    assert refused.value.sqlstate == "70091"
    installed.say("CALL STANDIN.HEAL()")
    assert installed.tune("install").exit_code == 0
    with installed.connect() as connection:
        _advise(connection)
    assert _number(installed, "SELECT COUNT(*) FROM TUNE.RUN WHERE FINISHED_AT IS NOT NULL") == 2


def test_privilege_revoked_after_interrupted_upgrade_stays_revoked(installed: Server) -> None:
    """Only privileges that the upgrades themselves lost are granted again, and each is printed."""
    revoked = ("SELECT ON TUNE.OPTION", "SELECT ON TUNE.ADVICE_LIST", "EXECUTE ON PROCEDURE TUNE.ADVISE")
    installed.say("GRANT SELECT ON TUNE.M_CHOICE_CONTENDER TO USER SOMEBODY")
    for privilege in revoked:
        installed.say(f"GRANT {privilege} TO USER SOMEBODY")
    _refuse(installed, "TUNE.R_LOG_BUFFER_FULL ", "-911 40001 68")
    assert installed.tune("install").exit_code == 2
    installed.say("CALL STANDIN.HEAL()")
    for privilege in revoked:
        installed.say(f"REVOKE {privilege} FROM USER SOMEBODY{' RESTRICT' * ('EXECUTE' in privilege)}")
    done = installed.tune("install")
    assert done.exit_code == 0, done.output
    held = "SELECT TABNAME FROM SYSCAT.TABAUTH WHERE GRANTEE = 'SOMEBODY' UNION ALL"
    held += " SELECT SCHEMA FROM SYSCAT.ROUTINEAUTH WHERE GRANTEE = 'SOMEBODY'"
    with installed.connect() as connection:
        assert list(connection.rows(held)) == [("M_CHOICE_CONTENDER",)]
    again = [line for line in done.output.splitlines() if "Granted again" in line]
    assert again == ['Granted again: GRANT SELECT ON TABLE TUNE."M_CHOICE_CONTENDER" TO USER "SOMEBODY"']


def test_interrupted_installation_can_be_removed(server: Server) -> None:
    _refuse(server, "TUNE.C_SUMMARY ", "-964 57011")
    assert server.tune("install").exit_code == 2
    assert server.tune("uninstall", "--yes").exit_code == 0
    assert _number(server, "SELECT COUNT(*) FROM SYSCAT.SCHEMATA WHERE SCHEMANAME = 'TUNE'") == 0


def test_sizes_of_tables_are_read_once_a_day(installed: Server) -> None:
    """ADMIN_GET_TAB_INFO visits every table, and locks each for a moment."""
    if installed.standin is None:
        pytest.skip("steers the stand-in's clock")
    ledger = installed.standin.backend.database.ledger
    read = []
    rows = []
    with installed.connect() as connection:
        for hours in (0, 1, 18, 2, 1):
            installed.advance(hours * HOUR_S)
            with ledger.kept() as ran:
                _collect(connection)
            read.append(any(name.name == "ADMIN_GET_TAB_INFO" for one in ran for name in one.reads))
            newest = "WHERE SNAP_ID = (SELECT MAX(SNAP_ID) FROM TUNE.SNAPSHOT)"
            rows.append(next(iter(connection.rows(f"SELECT COUNT(*) FROM TUNE.S_TABLE_SIZE {newest}")))[0])
    assert read == [True, False, False, True, False]
    assert len(set(rows)) == 1
    assert rows[0] > 0


def test_table_that_cannot_be_used_is_read_again(installed: Server) -> None:
    """A finding must not outlive its cause because its rows were copied."""
    if installed.standin is None:
        pytest.skip("counts the stand-in's statements")
    ledger = installed.standin.backend.database.ledger
    with installed.connect() as connection:
        _collect(connection)
        connection.execute(
            "UPDATE TUNE.S_TABLE_SIZE SET REORG_PENDING = 'Y' WHERE TABNAME = (SELECT MIN(TABNAME) FROM TUNE.S_TABLE_SIZE)"
        )
        connection.commit()
        installed.advance(HOUR_S)
        with ledger.kept() as ran:
            _collect(connection)
        pending = list(connection.rows("SELECT DISTINCT SNAP_ID FROM TUNE.S_TABLE_SIZE WHERE REORG_PENDING = 'Y'"))
        sources = list(connection.rows("SELECT SNAP_ID, FROM_ID FROM TUNE.SNAPSHOT_SOURCE WHERE SOURCE = 'table_size'"))
    assert any(name.name == "ADMIN_GET_TAB_INFO" for one in ran for name in one.reads)
    assert (pending, sorted(sources)) == ([(1,)], [(1, None), (2, None)])


def test_static_statements_wait_for_no_lock(installed: Server) -> None:
    """r0010945: the isolation of a static statement is that of its Db2 package, not CURRENT ISOLATION."""
    options = "SELECT DISTINCT PRECOMPILE_OPTIONS FROM SYSCAT.ROUTINES WHERE ROUTINESCHEMA = 'TUNE'"
    with installed.connect() as connection:
        found = {text for (text,) in connection.rows(options)}
    assert found == {f"DYNAMICRULES {rules} ISOLATION UR QUERYOPT 2" for rules in ("BIND", "RUN")}


def test_run_during_an_upgrade_ends_with_an_error(installed: Server) -> None:
    """An upgrade empties and loads tables of rules, and a static statement reads uncommitted rows."""
    with installed.connect() as connection:
        _advise(connection)
        connection.execute("DELETE FROM TUNE.MODEL_STEP")
        with pytest.raises(Db2Failure) as refused:
            connection.call("TUNE.EVALUATE", [1])
    assert refused.value.sqlstate == "70092"
