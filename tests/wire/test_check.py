"""Checks before an installation.

The command ``doctor`` reports all obstacles. ``install --check`` tries the installation, lists all refusals of a server
in one attempt, and leaves nothing.
"""

import re
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path

import pytest
from click.testing import CliRunner

from advisor.cli.main import main
from advisor.db2.failures import Db2Failure
from tests.standin.backend import OWNER, PASSWORD, User
from tests.standin.objects.modes import CODEUNITS32, DATE, VARCHAR2
from tests.support.site_rule import RULE, named
from tests.wire.conftest import CAPTURES, Server, standin

pytestmark = pytest.mark.full

OBJECTS = ("SYSCAT.TABLES", "TABSCHEMA"), ("SYSCAT.ROUTINES", "ROUTINESCHEMA"), ("SYSCAT.SCHEMATA", "SCHEMANAME")


def _counts(server: Server) -> list[int]:
    """Return the objects of schema TUNE."""
    with server.connect() as connection:
        return [
            int(next(iter(connection.rows(f"SELECT COUNT(*) FROM {view} WHERE {column} = 'TUNE'")))[0])
            for view, column in OBJECTS
        ]


def _refuse(server: Server, definition: str, how: str) -> None:
    server.say(f"CALL STANDIN.FAIL('refuse', '{definition}', '{how}')")


def test_a_server_that_takes_everything(server: Server) -> None:
    before = _counts(server)
    done = server.tune("install", "--check")
    assert done.exit_code == 0, done.output
    assert re.fullmatch(
        r"(\d+) of \1 statements tried, none refused; all of it was taken back", " ".join(done.output.split())
    )
    assert _counts(server) == before == [0, 0, 0]


def test_every_refusal_is_listed_in_one_attempt(steered: Server, tmp_path: Path) -> None:
    """r0003271, r0000992: a refused statement is rolled back to the savepoint, and the next one is tried."""
    _refuse(steered, "CREATE TABLE TUNE.COLLECT ", "-614 54008 COLLECT")
    _refuse(steered, "CREATE OR REPLACE PROCEDURE TUNE.PURGE ", "-104 42601 FIRST SECOND")
    rule = tmp_path / "fails.sql"  # its statement is compiled, but no procedure is created
    rule.write_text(named("house.fails", RULE.replace("S.NUM", "S.NUMB")), encoding="utf-8")
    done = steered.tune("install", "--check", "--rules", str(tmp_path))
    assert done.exit_code == 1, done.output
    heads = re.findall(
        r"^(\d+)  (\S+):\d+  (\S+)  SQLSTATE (\w{5})(?:, follows from (\d+))?$", done.output, re.MULTILINE
    )
    first = {(file, code, state): number for number, file, code, state, follows in heads if not follows}
    assert set(first) == {
        ("sql/schema/snapshots.sql", "SQL0614N", "54008"),
        (str(rule), "SQL0206N", "42703"),
        ("procedures/purge.sql", "SQL0104N", "42601"),
    }
    assert "tokens: FIRST, SECOND" in done.output
    collect = first["sql/schema/snapshots.sql", "SQL0614N", "54008"]
    following = [(file, code) for _, file, code, _, follows in heads if follows == collect]
    assert ("sql/schema/snapshots.sql", "SQL0204N") in following  # rows of the missing table
    assert ("sql/install/schema.sql", "SQL0438N") in [(file, code) for _, file, code, _, follows in heads if follows]
    assert _counts(steered) == [0, 0, 0]


def test_upgrade_is_tried_next_to_existing_objects(installed: Server) -> None:
    before = _counts(installed)
    done = installed.tune("install", "--check")
    assert done.exit_code == 0, done.output
    assert _counts(installed) == before
    with installed.connect() as connection:
        connection.call("TUNE.ADVISE", [])


def test_a_full_log_ends_it(steered: Server) -> None:
    _refuse(steered, "CREATE TABLE TUNE.COLLECT ", "-964 57011")
    done = steered.tune("install", "--check")
    assert done.exit_code == 1, done.output
    assert "nothing more can be tried after the last one" in " ".join(done.output.split())
    assert _counts(steered) == [0, 0, 0]


def test_doctor_reports_objects_made_differently() -> None:
    """r0054914, r0054912, r0022605, r0060587, r0060936: the configuration shows the options of CREATE DATABASE."""
    made = {"restrictive": True, "dft_table_org": "COLUMN", "string_units": CODEUNITS32}
    with contextmanager(standin)(CAPTURES / "x445-8way", modes=frozenset({VARCHAR2, DATE}), **made) as server:
        lines = server.tune("doctor").output.splitlines()
    noted = {line.split()[0] for line in lines if re.match(r"  \w+ +note ", line)}
    assert {"varchar2_compat", "date_compat", "restrict_access", "dft_table_org", "string_units"} <= noted


def test_doctor_names_the_only_user_who_can_upgrade() -> None:
    """Only the owner replaces a view or procedure; r0054779: users with EXECUTE on a module have a GRANT."""
    users = {OWNER: User(PASSWORD, is_sysadm=True), "another": User("another", frozenset({"CONNECT", "DBADM"}))}
    with contextmanager(standin)(CAPTURES / "x445-8way", users=users, restrictive=True) as server:
        server.say("CREATE SCHEMA TUNE")
        server.say("CREATE TABLE TUNE.VERSION (VERSION VARCHAR(20))")
        done = server.tune("doctor", user="another", password="another")
    assert done.exit_code == 1
    assert f"schema TUNE belongs to {OWNER.upper()}" in " ".join(done.output.split())
    assert 'GRANT EXECUTE ON MODULE SYSIBMADM.DBMS_ALERT TO USER "ANOTHER"' in done.output


def test_other_user_gets_one_message_only() -> None:
    users = {OWNER: User(PASSWORD, is_sysadm=True), "another": User("another", frozenset({"CONNECT", "DBADM"}))}
    with contextmanager(standin)(CAPTURES / "x445-8way", users=users) as server:
        server.say("CREATE SCHEMA TUNE")
        server.say("CREATE TABLE TUNE.VERSION (VERSION VARCHAR(20), INSTALLED_AT TIMESTAMP, INSTALLED_BY VARCHAR(128))")
        server.say("GRANT SELECT ON TUNE.VERSION TO USER another")
        done = server.tune("install", "--check", user="another", password="another")
    assert done.exit_code == 1
    assert "SQLSTATE 70081" in done.output
    assert done.output.count("SQLSTATE") == 1


def test_the_script_goes_on_after_refusals_and_leaves_nothing(steered: Server) -> None:
    """The processor runs without -s and autocommit: a refused statement undoes itself, ROLLBACK undoes all others."""
    _refuse(steered, "CREATE TABLE TUNE.COLLECT ", "-614 54008 COLLECT")
    script = CliRunner().invoke(main, ["install", "--check", "--script"]).output
    statements = [text.strip() for text in re.sub("^--.*", "", script).split("\n@\n")[:-1]]
    refused = []
    with steered.connect() as connection:
        for place, statement in pairwise(["", *statements]):
            if not statement.startswith(("ECHO ", "UPDATE COMMAND OPTIONS ")):
                try:
                    connection.execute(statement)
                except Db2Failure as failure:
                    refused.append((place.rpartition(" ")[2], failure.id))
        connection.commit()  # as at the end of the session
    assert re.fullmatch(r"sql/schema/snapshots\.sql:\d+", refused[0][0])
    assert refused[0][1] == "SQL0614N"
    assert len(refused) > 2
    assert _counts(steered) == [0, 0, 0]
