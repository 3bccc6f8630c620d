"""The doctor's GRANTs: with all of them everything runs; if one is missing, the doctor prints it."""

import re
from collections.abc import Iterator

import pytest

from advisor.doctor.diagnosis import Diagnosis, Verdict
from advisor.doctor.examination import examine
from tests.standin.backend import OWNER, PASSWORD, User
from tests.wire.conftest import CAPTURES, Server, standin

pytestmark = pytest.mark.full

READER = "reader"
USERS = {OWNER: User(PASSWORD, is_sysadm=True), READER: User(READER, frozenset({"CONNECT"}))}


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    yield from standin(CAPTURES / "x445-8way", users=USERS)


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
