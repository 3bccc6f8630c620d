"""Considerate use of the database: few statements are compiled, a lost unit of work ends the call, upgrades repair."""

import pytest

from advisor.db2.connection import Connection
from advisor.db2.failures import Db2Failure
from tests.standin.objects.controls import Ledger
from tests.wire.conftest import Server

pytestmark = pytest.mark.full

MOST_DYNAMIC = 20  # statements that one ADVISE compiles with an empty package cache


def _ledger(server: Server) -> Ledger:
    if server.standin is None:
        pytest.skip("counts the stand-in's statements")
    return server.standin.backend.database.ledger


def _advised(connection: Connection) -> None:
    connection.call("TUNE.ADVISE", [])
    connection.commit()


def test_an_advise_compiles_few_dynamic_statements(installed: Server) -> None:
    """Each compiled statement takes space of the package cache, and so evicts a statement of an application."""
    ledger = _ledger(installed)
    with installed.connect() as connection:
        _advised(connection)
        installed.advance(300)
        connection.execute("FLUSH PACKAGE CACHE DYNAMIC")
        with ledger.compiled() as first:
            _advised(connection)
        installed.advance(300)
        with ledger.compiled() as again:
            _advised(connection)
    assert len(first) <= MOST_DYNAMIC, first
    assert again == []  # Db2 finds a dynamic statement by its text, so no text contains a run's number


@pytest.mark.parametrize(("table", "code"), [("S_TABLESPACE", "-911 40001"), ("M_FINDING", "-911 40001"),
                                             ("S_TABLESPACE", "-952 57014"), ("S_TABLESPACE", "-913 57033")])  # fmt: skip
def test_nothing_is_written_after_the_unit_of_work_is_lost(installed: Server, table: str, code: str) -> None:
    """SQL0911N rolls the unit of work back, so a handler's later writes would belong to no run."""
    if installed.standin is None:
        pytest.skip("makes the stand-in fail")
    installed.say(f"CALL STANDIN.FAIL('sqlcode', '{table}', '{code} 2')")
    with installed.connect() as connection, pytest.raises(Db2Failure) as caught:
        connection.call("TUNE.ADVISE", [])
    assert caught.value.sqlstate == code.split()[1]


def test_upgrade_repairs_an_earlier_version(installed: Server) -> None:
    """Shorter columns, missing columns and computed columns, a procedure with other parameters."""
    shape = "SELECT TABNAME, COLNAME, TYPENAME, LENGTH FROM SYSCAT.COLUMNS WHERE TABSCHEMA = 'TUNE'"
    procedures = "SELECT ROUTINENAME, PARM_COUNT FROM SYSCAT.ROUTINES WHERE ROUTINESCHEMA = 'TUNE'"
    with installed.connect() as connection:
        wanted = (set(connection.rows(shape)), sorted(connection.rows(procedures)))
    for statement in (
        "ALTER TABLE TUNE.ERROR DROP COLUMN MESSAGE",
        "ALTER TABLE TUNE.CHANGE ALTER COLUMN NAME SET DATA TYPE VARCHAR(100)",
        "ALTER TABLE TUNE.S_CONTAINER DROP COLUMN CONTAINER_NAME",
        "ALTER TABLE TUNE.M_ADVICE ALTER COLUMN RULE SET DATA TYPE VARCHAR(40)",
        "ALTER TABLE TUNE.M_FINDING DROP COLUMN CLAIM_3_PCT",
        "CREATE PROCEDURE TUNE.COMPUTE (IN P_RUN_ID INTEGER, IN P_KIND VARCHAR(5)) BEGIN END",
    ):
        installed.say(statement)
    assert installed.tune("install").exit_code == 0
    with installed.connect() as connection:
        assert (set(connection.rows(shape)), sorted(connection.rows(procedures))) == wanted


def test_an_upgrade_keeps_runs_whose_columns_had_other_types(installed: Server) -> None:
    """ALTER TABLE cannot change each type, and a column that may no longer be filled must not refuse rows."""
    advised = "SELECT RUN_ID, RULE, OBJECT_NAME, POSITION FROM TUNE.M_ADVICE ORDER BY RUN_ID, RULE, OBJECT_NAME"
    names = "SELECT COLNAME FROM SYSCAT.COLUMNS WHERE TABSCHEMA = 'TUNE' AND TABNAME = 'M_ADVICE' ORDER BY COLNO"
    with installed.connect() as connection:
        _advised(connection)
        earlier = list(connection.rows(advised))
        columns = [name for (name,) in connection.rows(names)]
    as_they_were = ", ".join(
        "CAST(A.POSITION AS DOUBLE) AS POSITION" if name == "POSITION" else name for name in columns
    )
    for statement in (
        f"CREATE TABLE TUNE.X AS (SELECT {as_they_were}, 1 AS GONE FROM TUNE.M_ADVICE AS A) DEFINITION ONLY",
        f"INSERT INTO TUNE.X SELECT {as_they_were}, 1 AS GONE FROM TUNE.M_ADVICE AS A",
        "DROP TABLE TUNE.M_ADVICE",
        "RENAME TABLE TUNE.X TO M_ADVICE",
    ):
        installed.say(statement)
    assert installed.tune("install").exit_code == 0
    with installed.connect() as connection:
        assert list(connection.rows(advised)) == earlier
        _advised(connection)
        assert len(list(connection.rows(advised))) == 2 * len(earlier)


def test_an_upgrade_loses_no_grant_that_its_owner_gave(installed: Server) -> None:
    """r0000980 (DROP): privileges end with the object; r0000935, r0008329: OR REPLACE preserves granted privileges."""
    for statement in (
        "ALTER TABLE TUNE.RULE_CLAIM ADD COLUMN OLDER INTEGER",  # reloaded, but not as declared: created again
        "DROP PROCEDURE TUNE.UNSCHEDULE",
        "CREATE PROCEDURE TUNE.UNSCHEDULE (IN P_OLDER INTEGER) BEGIN END",  # replaced: other parameters
        "CREATE ROLE READERS",
        "GRANT SELECT ON TUNE.RULE_CLAIM TO ROLE READERS",
        "GRANT SELECT ON TUNE.M_CHOICE_CONTENDER TO USER SOMEBODY",  # created again by every upgrade
        "GRANT INSERT, UPDATE, DELETE ON TUNE.OPTION TO USER SOMEBODY",
        "GRANT SELECT ON TUNE.ADVICE_LIST TO PUBLIC",
        'GRANT EXECUTE ON PROCEDURE TUNE.UNSCHEDULE TO USER "Some""body"',
    ):
        installed.say(statement)
    given = (
        "SELECT TABNAME, GRANTEE, GRANTEETYPE, SELECTAUTH, INSERTAUTH, UPDATEAUTH, DELETEAUTH FROM SYSCAT.TABAUTH"
        " WHERE TABSCHEMA = 'TUNE' AND GRANTOR <> 'SYSIBM'",
        "SELECT R.ROUTINENAME, A.GRANTEE, A.GRANTEETYPE, A.EXECUTEAUTH FROM SYSCAT.ROUTINEAUTH AS A INNER JOIN"
        " SYSCAT.ROUTINES AS R ON A.SCHEMA = R.ROUTINESCHEMA AND A.SPECIFICNAME = R.SPECIFICNAME"
        " WHERE A.SCHEMA = 'TUNE' AND A.GRANTOR <> 'SYSIBM'",
    )
    with installed.connect() as connection:
        before = [sorted(connection.rows(query)) for query in given]
        assert [len(rows) for rows in before] == [4, 1]
    assert installed.tune("install").exit_code == 0
    with installed.connect() as connection:
        assert [sorted(connection.rows(query)) for query in given] == before
        assert not list(
            connection.rows("SELECT 1 FROM SYSCAT.TABLES WHERE TABSCHEMA = 'TUNE' AND TABNAME = 'PRIVILEGE'")
        )
        assert list(connection.rows("SELECT PARM_COUNT FROM SYSCAT.ROUTINES WHERE ROUTINENAME = 'UNSCHEDULE'")) == [
            (0,)
        ]


def test_upgrade_works_without_access_to_grants(installed: Server) -> None:
    """Hardened databases revoke SELECT on SYSCAT.TABAUTH and ROUTINEAUTH from PUBLIC (CIS Db2 benchmarks, 4.2)."""
    installed.say("CALL STANDIN.FAIL('sqlcode', 'TABAUTH', '-551 42501 TUNER SELECT SYSCAT.TABAUTH')")
    with installed.connect() as connection, pytest.raises(Db2Failure, match="SQL0551N"):
        list(connection.rows("SELECT GRANTEE FROM SYSCAT.TABAUTH"))
    done = installed.tune("install")
    assert done.exit_code == 0, done.output


def test_script_records_missing_rows_at_its_end(installed: Server) -> None:
    from advisor.install.statements import install_statements

    check = next(one.text for one in install_statements() if "70082" in one.text)
    installed.say(check)
    installed.say("DELETE FROM TUNE.COLLECT_COLUMN WHERE ITEM_NO = 1")
    installed.say(check)
    with installed.connect() as connection:
        rows = dict(connection.rows("SELECT NAME, REASON FROM TUNE.MISSING WHERE KIND = 'rows'"))
    assert " rows" in rows["COLLECT_COLUMN"]
