"""``db2tune install --check``: one attempt shows all that a server refuses, and leaves nothing."""

import re

import pytest

from tests.wire.conftest import Server

pytestmark = pytest.mark.full

OBJECTS = ("SYSCAT.TABLES", "TABSCHEMA"), ("SYSCAT.ROUTINES", "ROUTINESCHEMA"), ("SYSCAT.SCHEMATA", "SCHEMANAME")


def _counts(server: Server) -> list[int]:
    """How much of schema TUNE there is."""
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


def test_every_refusal_is_told_in_one_attempt(steered: Server) -> None:
    """r0003271, r0000992: what a refused statement did is taken back to the savepoint, and the next one is tried."""
    _refuse(steered, "CREATE TABLE TUNE.COLLECT ", "-614 54008 COLLECT")
    _refuse(steered, "CREATE OR REPLACE VIEW TUNE.R_CONFIG_MONITORING_OFF", "-104 42601 FIRST SECOND")
    _refuse(steered, "CREATE OR REPLACE PROCEDURE TUNE.PURGE", "-206 42703 NOSUCH")
    done = steered.tune("install", "--check")
    assert done.exit_code == 1, done.output
    heads = re.findall(
        r"^(\d+)  (\S+):\d+  (\S+)  SQLSTATE (\w{5})(?:, follows from (\d+))?$", done.output, re.MULTILINE
    )
    first = {(file, code, state): number for number, file, code, state, follows in heads if not follows}
    assert set(first) == {
        ("sql/schema/collect.sql", "SQL0614N", "54008"),
        ("sql/rules/config/monitoring-off.sql", "SQL0104N", "42601"),
        ("procedures/purge.sql", "SQL0206N", "42703"),
    }
    assert "tokens: FIRST, SECOND" in done.output
    collect = first["sql/schema/collect.sql", "SQL0614N", "54008"]
    following = [(file, code) for _, file, code, _, follows in heads if follows == collect]
    assert ("sql/schema/collect.sql", "SQL0204N") in following  # the rows of the table that is not there
    assert ("sql/install/complete.sql", "SQL0438N") in [(file, code) for _, file, code, _, follows in heads if follows]
    assert _counts(steered) == [0, 0, 0]


def test_an_upgrade_is_tried_beside_what_is_there(installed: Server) -> None:
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
