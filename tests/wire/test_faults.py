"""Faults between the program and the database: one clear line, the right exit status, no lost data."""

import time
from pathlib import Path

import pytest

from advisor.catalogue.reliance import find_required_views
from advisor.catalogue.rules import all_rules
from advisor.db2.connection import Out
from advisor.db2.failures import Db2Failure
from advisor.install.compiled import view_columns
from tests.standin.backend import OWNER, PASSWORD, User
from tests.wire.conftest import CAPTURES, Server, standin

pytestmark = pytest.mark.full

ADVISE = ("advise", "--interval", "0", "--format", "json")


def _one_line(output: str) -> str:
    lines = [line for line in output.splitlines() if line.strip()]
    assert len(lines) == 1, output
    assert lines[0].startswith("db2tune: ")
    assert "Traceback" not in output
    return lines[0]


def _fail(server: Server, kind: str, where: str, how: str) -> None:
    server.say(f"CALL STANDIN.FAIL('{kind}', '{where}', '{how}')")


def test_wrong_password(steered: Server) -> None:
    done = steered.tune(*ADVISE, password="not it")
    assert done.exit_code == 3
    assert "user or password is wrong" in _one_line(done.output)
    assert "not it" not in done.output


def test_unknown_database(steered: Server) -> None:
    wrong = Server(steered.url.rpartition("/")[0] + "/NOSUCHDB", steered.password)
    done = wrong.tune(*ADVISE)
    assert done.exit_code == 3
    assert "NOSUCHDB" in _one_line(done.output)


def test_server_gone_in_the_middle_of_a_result(steered: Server, tmp_path: Path) -> None:
    _fail(steered, "drop", "MON_GET_TABLESPACE", "1")
    target = tmp_path / "lost"
    done = steered.tune("capture", "--interval", "0", "-o", str(target))
    assert done.exit_code == 3
    assert "lost" in _one_line(done.output) or "connection" in done.output
    assert not (target / "manifest.json").exists()  # an incomplete capture is not a capture


def test_a_statement_that_takes_too_long_is_left_out(steered: Server, tmp_path: Path) -> None:
    _fail(steered, "hang", "MON_GET_CONTAINER", "30")
    target = tmp_path / "slow"
    done = steered.tune("capture", "--interval", "0", "--statement-timeout", "2", "-o", str(target))
    assert done.exit_code == 0, done.output
    manifest = (target / "manifest.json").read_text(encoding="utf-8")
    assert "timeout" in manifest
    assert '"container"' in manifest.partition('"not_collected"')[2]
    assert not (target / "container.csv").exists()


def test_advise_in_database_ends_after_its_timeout(installed: Server) -> None:
    _fail(installed, "hang", "MON_GET_CONTAINER", "150")
    begun = time.monotonic()
    done = installed.tune("advise", "--in-database", "--interval", "0", "--statement-timeout", "2")
    assert time.monotonic() - begun < 100
    assert done.exit_code == 2
    assert "raise --statement-timeout" in _one_line(done.output)


def test_a_restart_between_snapshots_discards_the_interval(installed: Server) -> None:
    if installed.standin is None:
        pytest.skip("steers the stand-in's clock")
    with installed.connect() as connection:
        connection.call("TUNE.SNAPSHOT", [Out("INTEGER")])
        connection.commit()
    installed.advance(300)
    installed.say("CALL STANDIN.RESTART()")
    installed.advance(300)
    with installed.connect() as connection:
        _, (text, ranked) = connection.call("TUNE.ADVISE", [])
    assert [line for (line,) in text.rows if line.startswith("Interval ") and "not usable: " in line]
    assert "activated again" in " ".join(line.strip() for (line,) in text.rows)
    assert [row for row in ranked.rows if row[2] == "performance"] == []


def test_a_lost_privilege_is_a_reason_and_stops_nothing() -> None:
    users = {OWNER: User(PASSWORD, is_sysadm=True), "poor": User("secret", frozenset({"CONNECT"}))}
    for server in standin(CAPTURES / "x445-8way", users=users):
        server.say("REVOKE EXECUTE ON FUNCTION SYSPROC.MON_GET_BUFFERPOOL FROM PUBLIC RESTRICT")
        done = server.tune(*ADVISE, user="poor", password="secret")
        assert done.exit_code == 0, done.output
        assert "source bufferpool was not collected" in done.output


def test_a_view_that_fails_stops_no_other_rule(installed: Server) -> None:
    if installed.standin is None:
        pytest.skip("steers the stand-in's clock")
    installed.say("DROP PROCEDURE TUNE.R_CONFIG_MONITORING_OFF")
    with installed.connect() as connection:
        connection.call("TUNE.ADVISE", [])
        connection.commit()
        reasons = dict(connection.rows("SELECT RULE, REASON FROM TUNE.NOT_RUN WHERE REASON LIKE 'failed%'"))
        errors = list(connection.rows("SELECT PLACE, CODE, STATE FROM TUNE.ERROR WHERE PLACE LIKE 'rule%'"))
        finished = list(connection.rows("SELECT COUNT(*) FROM TUNE.RUN WHERE FINISHED_AT IS NOT NULL"))
    assert list(reasons) == ["config.monitoring-off"]
    assert "SQL0440N" in reasons["config.monitoring-off"]
    assert errors == [("rule config.monitoring-off", -440, "42884")]
    assert finished == [(1,)]


def test_a_view_of_the_model_that_fails_costs_its_rules(installed: Server) -> None:
    """A sum exceeds BIGINT, here in the view of the log device; the rest of the advice is complete."""
    columns = ", ".join(view_columns()["LOG"])
    numbers = ", ".join("CAST(9223372036854775807 AS BIGINT) + S.SNAP_ID" for _ in view_columns()["LOG"])
    with installed.connect() as connection:
        before = connection.call("TUNE.ADVISE", [])[1]
        connection.execute(f"CREATE OR REPLACE VIEW TUNE.C_LOG ({columns}) AS SELECT {numbers} FROM TUNE.SNAPSHOT AS S")
        _, sets = connection.call("TUNE.ADVISE", [])
        connection.commit()
        failed = {
            rule for rule, reason in connection.rows("SELECT RULE, REASON FROM TUNE.NOT_RUN") if "LOG: " in reason
        }
        errors = [place for (place,) in connection.rows("SELECT PLACE FROM TUNE.ERROR WHERE PLACE LIKE 'view%'")]
    rules = {rule.name for rule in all_rules().values() if "LOG" in find_required_views(rule)}
    assert (errors, failed == rules) == (["view LOG"], True)
    assert [row[4] for row in before[1].rows if row[4] not in rules] == [row[4] for row in sets[1].rows]


def test_without_the_view_of_the_load_only_configuration_is_judged(installed: Server) -> None:
    with installed.connect() as connection:
        connection.execute("CREATE OR REPLACE VIEW TUNE.C_NO_LOAD (REASON) AS SELECT 1 / (S.SNAP_ID - S.SNAP_ID)"
                           " FROM TUNE.SNAPSHOT AS S")  # fmt: skip
        connection.call("TUNE.ADVISE", [])
        found = {rule for (rule,) in connection.rows("SELECT RULE FROM TUNE.FINDING")}
        reasons = dict(connection.rows("SELECT RULE, REASON FROM TUNE.NOT_RUN WHERE REASON LIKE 'cannot be judged%'"))
    assert {all_rules()[name].judged_by for name in found} <= {"config"}
    assert set(reasons.values()) == {"cannot be judged without NO_LOAD"}
    assert {name for name, rule in all_rules().items() if rule.judged_by != "config"} <= reasons.keys()


@pytest.mark.parametrize("name", ["NO_SUCH", "C_ADVICE (RUN_ID) SELECT A.CARD FROM SYSCAT.TABLES AS A --"])
def test_what_is_not_a_step_of_a_run_is_refused(installed: Server, name: str) -> None:
    """The name could become part of a statement that runs with the installer's privileges."""
    with installed.connect() as connection, pytest.raises(Db2Failure) as refused:
        connection.call("TUNE.STEP", [name])
    assert refused.value.sqlstate == "70071"


def test_a_full_disk_is_one_line_and_what_was_there_stays(installed: Server) -> None:
    if installed.standin is None:
        pytest.skip("makes the stand-in fail")
    with installed.connect() as connection:
        connection.call("TUNE.SNAPSHOT", [Out("INTEGER")])
        connection.commit()
    _fail(installed, "sqlcode", "S_TABLESPACE", "-289 57011 USERSPACE1")
    done = installed.tune("advise", "--in-database")
    assert done.exit_code != 0
    assert "SQL0289N" in _one_line(done.output) or "full" in done.output
    installed.say("CALL STANDIN.HEAL()")
    with installed.connect() as connection:
        assert list(connection.rows("SELECT SNAP_ID FROM TUNE.SNAPSHOT")) == [(1,)]


def test_an_unreachable_port_is_one_line(steered: Server) -> None:
    nowhere = Server("db2://db2inst1@127.0.0.1:1/HRDB", "x")
    done = nowhere.tune(*ADVISE)
    assert done.exit_code == 3
    assert "on this port" in _one_line(done.output)
