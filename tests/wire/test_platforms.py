"""A managed database over the wire: installation, advice and the nightly job with the authorities of its master user."""

import json
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from advisor.db2.connection import Out
from advisor.db2.failures import Db2Failure
from tests.standin.backend import OWNER, PASSWORD, User
from tests.support.mail import mail_server
from tests.wire.conftest import CAPTURES, Server, standin
from tests.wire.nights import Nights

pytestmark = pytest.mark.full

MASTER = "admin"
# authorities of the master user of RDS: without SYSADM, SYSCTRL and SYSMAINT
MASTER_HOLDS = frozenset(
    {"CONNECT", "DBADM", "DATAACCESS", "ACCESSCTRL", "SQLADM", "WLMADM", "EXPLAIN", "LOAD", "CREATETAB", "BINDADD"}
)


@pytest.fixture(scope="module")
def rds(tmp_path_factory: pytest.TempPathFactory, compiled: None) -> Iterator[Server]:
    capture = tmp_path_factory.mktemp("rds") / "capture"
    shutil.copytree(CAPTURES / "webshop", capture)
    manifest = capture / "manifest.json"
    manifest.write_text(re.sub(r'("instance": )"\w+"', r'\1"rdsdb"', manifest.read_text()))
    users = {OWNER: User(PASSWORD, is_sysadm=True), MASTER: User(MASTER, MASTER_HOLDS)}
    with contextmanager(standin)(capture, users=users, restrictive=True) as server:
        yield server


def tune(server: Server, *arguments: str) -> str:
    done = server.tune(*arguments, user=MASTER, password=MASTER)
    assert done.exit_code == 0, done.output
    return done.output


def test_the_master_user_cannot_change_the_configuration(rds: Server) -> None:
    with rds.connect(MASTER, MASTER) as connection, pytest.raises(Db2Failure, match=r"SQL0552N|SQL0551N|SQL5001N"):
        connection.execute("CALL SYSPROC.ADMIN_CMD('UPDATE DB CFG FOR SHOP USING LOGBUFSZ 1024')")


def test_install_and_advise_inside(rds: Server) -> None:
    tune(rds, "install")
    with rds.connect(MASTER, MASTER) as connection:
        connection.call("TUNE.SNAPSHOT", [Out("INTEGER")])
        connection.commit()
    rds.advance(300)
    inside = json.loads(tune(rds, "advise", "--in-database", "--format", "json"))
    assert inside["database"]["runs_on"] == "rds"
    assert inside["database"]["runs_on_evidence"] == "instance rdsdb"
    commands = [
        step["text"] for item in inside["recommendations"] for step in item["actions"] if step["kind"] != "manual"
    ]
    assert commands
    assert all(
        re.match(r"CALL RDSADMIN\.|aws rds |(CREATE|DROP) INDEX |RUNSTATS |REORG |ALTER TABLE ", line)
        for line in commands
    )


def test_advice_from_outside_is_the_same_way(rds: Server) -> None:
    said = tune(rds, "advise", "--interval", "1")
    assert "Amazon RDS (instance rdsdb)" in " ".join(said.split())
    assert "db2set" not in said


def test_the_nightly_job_needs_no_more(rds: Server, tmp_path: Path) -> None:
    with mail_server() as mailbox:
        nights = Nights(
            tmp_path,
            {"sales": Server(rds.url.replace(f"//{OWNER}@", f"//{MASTER}@"), MASTER, rds.standin)},
            mailbox.port,
        )
        night = nights.run()
    assert night.exit_status in {0, 1, 2}, night
    assert all(outcome.error is None for outcome in night.outcomes)
