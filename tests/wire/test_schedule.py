"""The nightly run: TUNE.SCHEDULE adds TUNE.ADVISE to the administrative task scheduler, TUNE.UNSCHEDULE removes it."""

import pytest

from advisor.db2.failures import Db2Failure
from tests.standin.backend import OWNER, PASSWORD, User
from tests.standin.objects.image import Image, put
from tests.wire.conftest import CAPTURES, Server, standin

pytestmark = pytest.mark.full

SPACE = "CREATE TABLESPACE SYSTOOLSPACE IN IBMCATGROUP MANAGED BY AUTOMATIC STORAGE EXTENTSIZE 4"
TASKS = "SELECT NAME, SCHEDULE, PROCEDURE_SCHEMA, PROCEDURE_NAME, BEGIN_TIME, END_TIME, MAX_INVOCATIONS FROM"
TASKS += " SYSTOOLS.ADMIN_TASK_LIST"


def _ready(server: Server) -> None:
    """Set the scheduler up as the manual describes."""
    server.say("CALL STANDIN.HOST_COMMAND('db2set DB2_ATS_ENABLE=YES')")
    server.say("CALL STANDIN.RESTART()")
    server.say(SPACE)


@pytest.fixture
def scheduling(steered: Server, installed: Server) -> Server:
    _ready(installed)
    return installed


def _tasks(server: Server) -> list[tuple[object, ...]]:
    with server.connect() as connection:
        return list(connection.rows(TASKS))


def _task(schedule: str) -> tuple[object, ...]:
    return "TUNE.ADVISE", schedule, "TUNE", "SCHEDULED", None, None, None


def _call(server: Server, name: str, *arguments: str | None, user: str | None = None) -> None:
    with server.connect(user, user) as connection:
        connection.call(name, arguments)
        connection.commit()


def _refused(server: Server, name: str, *arguments: str | None, user: str | None = None) -> Db2Failure:
    with pytest.raises(Db2Failure) as caught:
        _call(server, name, *arguments, user=user)
    return caught.value


def test_each_prerequisite_is_one_sentence_with_a_remedy(steered: Server, installed: Server) -> None:
    without = _refused(installed, "TUNE.SCHEDULE")
    assert (without.sqlstate, "db2set DB2_ATS_ENABLE=YES" in without.message) == ("70042", True)
    installed.say("CALL STANDIN.HOST_COMMAND('db2set DB2_ATS_ENABLE=YES')")
    assert _refused(installed, "TUNE.SCHEDULE").sqlstate == "70042"  # written, but not yet in effect
    installed.say("CALL STANDIN.RESTART()")
    homeless = _refused(installed, "TUNE.SCHEDULE")
    assert (homeless.sqlstate, "create table space SYSTOOLSPACE" in homeless.message) == ("70043", True)
    assert _tasks(installed) == []
    installed.say(SPACE)
    _call(installed, "TUNE.SCHEDULE")
    assert _tasks(installed) == [_task("0 2 * * *")]


def test_another_time_replaces_the_one_before(scheduling: Server) -> None:
    _call(scheduling, "TUNE.SCHEDULE")
    _call(scheduling, "TUNE.SCHEDULE", "30 4 * * 1")
    assert _tasks(scheduling) == [_task("30 4 * * 1")]


def test_refused_time_keeps_the_old_one_despite_commit(scheduling: Server) -> None:
    """The call removes the task before it adds the new one; a refused call rolls both back."""
    _call(scheduling, "TUNE.SCHEDULE")
    with scheduling.connect() as connection:
        with pytest.raises(Db2Failure, match="SQL0171N"):
            connection.call("TUNE.SCHEDULE", ["at midnight"])
        connection.commit()
    assert _tasks(scheduling) == [_task("0 2 * * *")]


def test_of_the_nights_the_last_stay(steered: Server, installed: Server) -> None:
    for keep_days, nights, kept in (("3", 4, [2, 3, 4]), ("0", 1, [4, 5])):
        _call(installed, "TUNE.SET_OPTION", "site", "keep_days", keep_days)
        for _ in range(nights):
            installed.say("CALL STANDIN.ADVANCE(86400)")
            _call(installed, "TUNE.SCHEDULED")
        with installed.connect() as connection:
            for table in ("SNAPSHOT", "S_DBCFG"):
                stored = connection.rows(f"SELECT DISTINCT SNAP_ID FROM TUNE.{table} ORDER BY 1")
                assert [number for (number,) in stored] == kept
            without = "SELECT COUNT(*) FROM TUNE.RUN WHERE END_ID NOT IN (SELECT SNAP_ID FROM TUNE.SNAPSHOT)"
            assert list(connection.rows(without)) == [(0,)]


def test_the_task_calls_what_can_be_called(scheduling: Server) -> None:
    """r0054371: without PROCEDURE_INPUT the scheduler calls the procedure without arguments."""
    _call(scheduling, "TUNE.SCHEDULE")
    with scheduling.connect() as connection:
        ((schema, name, arguments),) = connection.rows(
            "SELECT PROCEDURE_SCHEMA, PROCEDURE_NAME, PROCEDURE_INPUT FROM SYSTOOLS.ADMIN_TASK_LIST"
        )
    assert arguments is None
    _call(scheduling, f"{schema}.{name}")
    with scheduling.connect() as connection:
        assert list(connection.rows("SELECT COUNT(*) FROM TUNE.RUN")) == [(1,)]


def test_unscheduling_removes_the_task_and_nothing_else(scheduling: Server) -> None:
    """r0054372: SQL0204N for a task that does not exist."""
    scheduling.say(
        "CALL SYSPROC.ADMIN_TASK_ADD('BACKUP', NULL, NULL, NULL, '0 1 * * *', 'SYSPROC', 'ADMIN_CMD', NULL, NULL, NULL)"
    )
    _call(scheduling, "TUNE.SCHEDULE")
    _call(scheduling, "TUNE.UNSCHEDULE")
    assert [task[0] for task in _tasks(scheduling)] == ["BACKUP"]
    _call(scheduling, "TUNE.UNSCHEDULE")  # the task no longer exists: nothing to do, no error
    assert [task[0] for task in _tasks(scheduling)] == ["BACKUP"]


def test_uninstalling_takes_the_task_along(scheduling: Server) -> None:
    _call(scheduling, "TUNE.SCHEDULE")
    assert scheduling.tune("uninstall", "--yes").exit_code == 0
    assert _tasks(scheduling) == []


@pytest.mark.parametrize(
    "failure",
    [
        "-440 42884 SYSPROC.ADMIN_TASK_REMOVE PROCEDURE",
        "-551 42501 TUNER EXECUTE SYSPROC.ADMIN_TASK_REMOVE",
        "-204 42704 SYSTOOLS.ADMINTASKS",
    ],
)
def test_uninstalling_does_not_need_the_scheduler(steered: Server, installed: Server, failure: str) -> None:
    """r0054372 lists users who can call it; the scheduler needs SYSTOOLSPACE, which a database may lack (c0054380)."""
    installed.say(f"CALL STANDIN.FAIL('sqlcode', 'ADMIN_TASK_REMOVE', '{failure}')")
    done = installed.tune("uninstall", "--yes")
    assert done.exit_code == 0, done.output
    with installed.connect() as connection:
        assert list(connection.rows("SELECT COUNT(*) FROM SYSCAT.TABLES WHERE TABSCHEMA = 'TUNE'")) == [(0,)]


def test_tasks_of_other_users_are_not_changed(image: Image) -> None:
    """A user who did not add the task and does not administer the database gets a message; the call reports every error."""
    users = {OWNER: User(PASSWORD, is_sysadm=True), "poor": User("poor", frozenset({"CONNECT"}))}
    for server in standin(CAPTURES / "x445-8way", users=users):
        assert server.standin is not None
        put(server.standin.backend.database, image)
        _ready(server)
        _call(server, "TUNE.SCHEDULE")
        server.say("GRANT EXECUTE ON PROCEDURE TUNE.UNSCHEDULE TO USER POOR")
        assert _refused(server, "TUNE.UNSCHEDULE", user="poor").id == "SQL0551N"
        assert _tasks(server) == [_task("0 2 * * *")]
