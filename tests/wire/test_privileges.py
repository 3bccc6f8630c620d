"""EXECUTE on a procedure of TUNE is sufficient for its caller; with all of the doctor's GRANTs everything runs."""

import re
from collections.abc import Iterator, Sequence
from datetime import date
from typing import Any

import pytest

from advisor.db2.connection import Out, ResultSet
from advisor.db2.failures import Db2Failure
from advisor.doctor.diagnosis import Diagnosis, Verdict
from advisor.doctor.examination import examine
from tests.standin.backend import OWNER, PASSWORD, User
from tests.standin.objects.image import Image, put
from tests.support.paths import DOCS
from tests.wire.conftest import CAPTURES, Server, standin

pytestmark = pytest.mark.full

GUIDE = DOCS / "in-the-database.md"
ANYBODY, IN_ROLE, CHANGER = "anybody", "inrole", "changer"  # with passwords equal to their names
USERS = {OWNER: User(PASSWORD, is_sysadm=True)} | {
    name: User(name, frozenset({"CONNECT"})) for name in (ANYBODY, IN_ROLE, CHANGER)
}
READING: list[tuple[str, tuple[Any, ...]]] = [
    ("TUNE.ADVISE", (None, None, "1", None)),
    ("TUNE.EXPLAIN", (1, 1)),
    ("TUNE.COMPARE", (1, 2)),
    ("TUNE.REPORT", (1,)),
]
CHANGING: list[tuple[str, tuple[Any, ...]]] = [
    ("TUNE.ACCEPT", ("log.buffer-full", "*", "known", date(2100, 1, 1))),
    ("TUNE.SET_OPTION", ("site", "floor_pct", "2")),
    ("TUNE.SCHEDULE", ("0 3 * * *",)),
    ("TUNE.UNSCHEDULE", ()),
    ("TUNE.PURGE", (90,)),
]
INTERNAL: list[tuple[str, tuple[Any, ...]]] = [
    ("TUNE.SNAPSHOT", (Out("INTEGER"),)),
    ("TUNE.EVALUATE", (1,)),
    ("TUNE.CHOOSE_RUN", (1,)),
]
CLOSED = {
    "SELECT RULE FROM TUNE.ADVICE": "TUNE.ADVICE",
    "SELECT RUN_ID FROM TUNE.M_FINDING": "TUNE.M_FINDING",
    "SELECT SNAP_ID FROM TUNE.S_BUFFERPOOL": "TUNE.S_BUFFERPOOL",
    "SELECT FINDING FROM TUNE.FINDING": "TUNE.FINDING",
    "VALUES TUNE.THIS_RUN": "TUNE.THIS_RUN",
    "SELECT BP_NAME FROM TABLE(SYSPROC.MON_GET_BUFFERPOOL(NULL, -2)) AS T": "SYSPROC.MON_GET_BUFFERPOOL",
}


def _granted(procedure: str, to: str) -> str:
    return f"GRANT EXECUTE ON PROCEDURE {procedure} TO {to}"


def documented() -> list[str]:
    """Return the guide's GRANTs, as a DBA would copy them."""
    blocks = re.findall(r"```sql\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)
    lines = [line.partition("--")[0].strip() for block in blocks for line in block.splitlines()]
    return [line for line in lines if line.startswith("GRANT")]


@pytest.fixture(scope="module")
def shared(image: Image) -> Iterator[Server]:
    """Return a database with two runs, the guide's role, and a task scheduler that is set up."""
    for server in standin(CAPTURES / "x445-8way", users=USERS):
        assert server.standin is not None
        put(server.standin.backend.database, image)
        server.say("CALL STANDIN.HOST_COMMAND('db2set DB2_ATS_ENABLE=YES')")
        server.say("CALL STANDIN.RESTART()")
        server.say("CREATE TABLESPACE SYSTOOLSPACE IN IBMCATGROUP MANAGED BY AUTOMATIC STORAGE EXTENTSIZE 4")
        server.say("CALL TUNE.ADVISE(P_INTERVAL_S => 300)")
        server.say("CALL TUNE.ADVISE(P_INTERVAL_S => 300)")
        server.say("CREATE ROLE TUNER")
        server.say(f"GRANT ROLE TUNER TO USER {IN_ROLE}")
        for grant in documented():
            server.say(grant)
        for procedure, _ in CHANGING:
            server.say(_granted(procedure, f"USER {CHANGER}"))
        yield server


def _call(server: Server, user: str, procedure: str, arguments: Sequence[Any]) -> list[ResultSet]:
    with server.connect(user, user) as connection:
        _, sets = connection.call(procedure, arguments)
        connection.commit()
    return sets


def _denied(server: Server, user: str, procedure: str, arguments: Sequence[Any]) -> tuple[str, tuple[str, ...]]:
    with pytest.raises(Db2Failure) as caught:
        _call(server, user, procedure, arguments)
    return caught.value.id, caught.value.tokens


@pytest.mark.parametrize(("procedure", "arguments"), READING + CHANGING + INTERNAL)
def test_without_the_grant_nothing_can_be_called(shared: Server, procedure: str, arguments: tuple[Any, ...]) -> None:
    assert _denied(shared, ANYBODY, procedure, arguments) == ("SQL0551N", ("ANYBODY", "EXECUTE", procedure))


def test_the_guide_grants_what_a_reader_calls() -> None:
    assert documented() == [_granted(procedure, "ROLE TUNER") for procedure, _ in READING]


@pytest.mark.parametrize(("procedure", "arguments"), READING)
def test_the_role_of_the_guide_is_enough_to_read(shared: Server, procedure: str, arguments: tuple[Any, ...]) -> None:
    assert any(found.rows for found in _call(shared, IN_ROLE, procedure, arguments))


def test_the_role_of_the_guide_is_enough_for_the_command_line(shared: Server) -> None:
    """The procedures run with their owner's privileges and record the caller's name."""
    done = shared.tune("advise", "--in-database", "--interval", "60", user=IN_ROLE, password=IN_ROLE)
    assert done.exit_code == 0, done.output
    assert "Performance: best change first" in done.output
    with shared.connect() as connection:
        found = list(connection.rows("SELECT CALLED_BY FROM TUNE.RUN ORDER BY RUN_ID DESC FETCH FIRST 1 ROW ONLY"))
    assert found == [("INROLE",)]


@pytest.mark.parametrize(("procedure", "arguments"), CHANGING)
def test_execute_is_enough_to_change_what_the_advisor_thinks(
    shared: Server, procedure: str, arguments: tuple[Any, ...]
) -> None:
    assert _call(shared, CHANGER, procedure, arguments) == []


def test_the_rights_of_a_call_end_with_it(shared: Server) -> None:
    """The caller cannot access the tables that the procedures read or write."""
    with shared.connect(IN_ROLE, IN_ROLE) as connection:
        connection.call("TUNE.EXPLAIN", [1, 1])
        for query, name in CLOSED.items():
            with pytest.raises(Db2Failure) as caught:
                list(connection.rows(query))
            assert caught.value.id == "SQL0551N", query
            assert (caught.value.tokens[0], caught.value.tokens[2]) == (IN_ROLE.upper(), name)


@pytest.mark.parametrize("user", [IN_ROLE, CHANGER])
@pytest.mark.parametrize(("procedure", "arguments"), INTERNAL)
def test_the_inner_procedures_are_for_the_outer_ones(
    shared: Server, user: str, procedure: str, arguments: tuple[Any, ...]
) -> None:
    assert _denied(shared, user, procedure, arguments)[0] == "SQL0551N"


def test_one_privilege_alone_is_enough_and_outlives_an_upgrade(shared: Server) -> None:
    shared.say(_granted("TUNE.ADVISE", f"USER {ANYBODY}"))
    _, ranked = _call(shared, ANYBODY, "TUNE.ADVISE", (None, None, "1", None))
    assert shared.tune("install").exit_code == 0
    _, again = _call(shared, ANYBODY, "TUNE.ADVISE", (None, None, "1", None))
    assert [row[4:6] for row in again.rows] == [row[4:6] for row in ranked.rows] != []  # rule and object
    shared.say(f"REVOKE EXECUTE ON PROCEDURE TUNE.ADVISE FROM USER {ANYBODY} RESTRICT")
    assert _denied(shared, ANYBODY, "TUNE.ADVISE", ())[0] == "SQL0551N"


READER = "reader"
GRANTEES = {OWNER: User(PASSWORD, is_sysadm=True), READER: User(READER, frozenset({"CONNECT"}))}


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    yield from standin(CAPTURES / "x445-8way", users=GRANTEES)


def _missing(server: Server) -> list[Diagnosis]:
    with server.connect(READER, READER) as connection:
        found = examine(connection)
    assert {diagnosis.verdict for diagnosis in found.diagnoses if diagnosis.area == "Sources"} <= {
        Verdict.OK,
        Verdict.MISSING,
        Verdict.NOTE,
    }
    return [diagnosis for diagnosis in found.missing if diagnosis.area == "Sources"]


def _as(grant: str, verb: str) -> str:
    return grant if verb == "GRANT" else re.sub(r"^GRANT (.*) TO USER", r"REVOKE \1 FROM USER", grant)


def _could_not_run(output: str) -> list[str]:
    return [line for line in output.splitlines() if "may not" in line or "SQL0551N" in line]


def test_connect_alone_reads_no_monitor_function(server: Server) -> None:
    """Default PUBLIC privilege of the monitor functions: none."""
    functions = {diagnosis.what for diagnosis in _missing(server)}
    assert {"MON_GET_BUFFERPOOL", "MON_GET_TABLE", "MON_GET_TRANSACTION_LOG"} <= functions


def test_the_grants_of_the_doctor_are_enough_and_each_is_needed(server: Server) -> None:
    grants = sorted({command for diagnosis in _missing(server) for command in diagnosis.commands})
    assert len(grants) > 5
    for grant in grants:
        server.say(grant)
    assert _missing(server) == []
    advised = server.tune("advise", "--interval", "0", user=READER, password=READER)
    assert advised.exit_code == 0, advised.output
    assert _could_not_run(advised.output) == []
    for grant in grants[::4]:  # the doctor finds each by the same query
        server.say(_as(grant, "REVOKE"))
        assert {command for diagnosis in _missing(server) for command in diagnosis.commands} == {grant}
        server.say(grant)
    for grant in grants:
        server.say(_as(grant, "REVOKE"))


def test_sqladm_serves_for_all_of_them(server: Server) -> None:
    grant = f'GRANT SQLADM ON DATABASE TO USER "{READER.upper()}"'
    server.say(grant)
    assert _missing(server) == []
    server.say(_as(grant, "REVOKE"))
    assert _missing(server) != []


def test_install_without_schema_privilege_leaves_nothing(server: Server) -> None:
    """Implicit schema considerations, c0005525: a schema whose name is not its creator's needs DBADM."""
    done = server.tune("install", user=READER, password=READER)
    assert done.exit_code != 0
    assert "CREATE SCHEMA" in done.output
    with server.connect() as connection:
        assert list(connection.rows("SELECT SCHEMANAME FROM SYSCAT.SCHEMATA WHERE SCHEMANAME = 'TUNE'")) == []
