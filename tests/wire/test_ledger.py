"""Output of an installed TUNE about changes, expired acceptances and protected objects."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from advisor.db2.connection import Connection, Out
from tests.standin.objects.image import Image, put
from tests.wire.carrying_out import ThroughDriver
from tests.wire.conftest import CAPTURES, Server, standin

pytestmark = pytest.mark.full

INTERVAL_S = 300
COMMANDS = (
    'ALTER TABLESPACE "EMPLOYEE_TABLE" PREFETCHSIZE 48',
    "CREATE BUFFERPOOL LATER SIZE 1000 PAGESIZE 4096",
    "UPDATE DB CFG FOR HRDB USING SORTHEAP 512",  # a value other than advised
    "db2set DB2_PARALLEL_IO=* -i hrinst",
)
CHANGES = "SELECT SCOPE, MEMBER, NAME, OLD_VALUE, NEW_VALUE FROM TUNE.CHANGE ORDER BY SCOPE, NAME, MEMBER"
EXPECTED = [
    ("DB", None, "sortheap", "256", "512"),
    ("DDL", None, "BUFFERPOOL:LATER", None, "defined"),
    ("DDL", None, "TABLESPACE:EMPLOYEE_TABLE:PREFETCHSIZE", "24", "48"),
    ("REG", None, "DB2_PARALLEL_IO", None, "*"),
]


def _advise(server: Server, connection: Connection) -> None:
    server.advance(INTERVAL_S)
    connection.call("TUNE.ADVISE", [])
    connection.commit()


@pytest.fixture(scope="module")
def night(image: Image) -> Iterator[Server]:
    """Create a list, its changes and others, a snapshot in between, and the list of the next night."""
    with contextmanager(standin)(CAPTURES / "x445-8way") as server:
        assert server.standin is not None
        put(server.standin.backend.database, image)
        with server.connect() as connection:
            connection.call("TUNE.SNAPSHOT", [Out("INTEGER")])
            _advise(server, connection)
            for command in COMMANDS:
                ThroughDriver(connection).carry_out(command)
            server.advance(INTERVAL_S)
            connection.call("TUNE.SNAPSHOT", [Out("INTEGER")])  # earlier changes are not lost
            connection.execute(
                "INSERT INTO TUNE.ACCEPTED (RULE, OBJECT_PATTERN, REASON, UNTIL_DATE, ACCEPTED_BY, ACCEPTED_AT)"
                " VALUES ('memory.sort-overflow', '*', 'a batch', '2001-01-01', 'A DBA', CURRENT TIMESTAMP)"
            )
            connection.call("TUNE.SET_OPTION", ["site", "protected", "NOBODY;BP16*"])
            _advise(server, connection)
        yield server


def _rows(server: Server, sql: str) -> list[tuple[Any, ...]]:
    with server.connect() as connection:
        return [tuple(row) for row in connection.rows(sql)]


def test_every_change_is_entered_once(night: Server) -> None:
    assert _rows(night, CHANGES) == EXPECTED


def test_ledger_names_the_advice_of_a_change(night: Server) -> None:
    sql = "SELECT NAME, CARRIES_OUT, ADVISED_IN_RUN FROM TUNE.CHANGE_LEDGER WHERE CARRIES_OUT IS NOT NULL"
    assert _rows(night, sql) == [("TABLESPACE:EMPLOYEE_TABLE:PREFETCHSIZE", "prefetch.size-misaligned", 1)]


def test_expired_acceptance_is_ranked_again(night: Server) -> None:
    sql = "SELECT POSITION, ACCEPTED_BY, ACCEPTED_EXPIRED FROM TUNE.ADVICE WHERE RULE = 'memory.sort-overflow'"
    ((position, by, expired),) = _rows(night, sql)
    assert position >= 1
    assert (by, expired) == ("A DBA", 1)
    said = _rows(night, "SELECT EXPLANATION FROM TUNE.EXPLANATION WHERE TOPIC = 'accepted'")
    assert said == [("until 2001-01-01 by A DBA: expired; a batch",)]


def test_nothing_is_advised_about_a_protected_object(night: Server) -> None:
    sql = "SELECT DISTINCT OBJECT_NAME, POSITION FROM TUNE.ADVICE WHERE SUPERSEDED_BY = 'protected'"
    assert _rows(night, sql) == [("BP16K", None)]


def test_options_shows_what_the_tables_hold(night: Server) -> None:
    accepted = night.tune("accept", "log.buffer-full", "*", "--reason", "known", "--until", "2100-01-31")
    assert accepted.exit_code == 0, accepted.output
    done = night.tune("options", "--format", "json")
    assert done.exit_code == 0, done.output
    document = json.loads(done.output)
    assert {row["name"]: row["value"] for row in document["options"] if row["set_in"] == "TUNE.OPTION"} == {
        "protected": "NOBODY;BP16*"
    }
    risks = {row["rule"]: (row["object"], row["until"]) for row in document["accepted"]}
    assert risks == {"log.buffer-full": ("*", "2100-01-31"), "memory.sort-overflow": ("*", "2001-01-01")}


def test_accept_refuses_what_the_database_refuses(night: Server) -> None:
    for words, reason in ((("*", "--until", "2001-01-31"), "is in the past"), ((" ",), "needs an object")):
        done = night.tune("accept", "log.buffer-full", *words, "--reason", "known")
        assert done.exit_code == 2, done.output
        assert reason in done.output


def test_options_needs_the_schema(server: Server) -> None:
    done = server.tune("options")
    assert done.exit_code == 2, done.output
    assert "TUNE.OPTION cannot be read;" in done.output
