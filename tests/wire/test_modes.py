"""Everything that a user calls, on databases that were made or configured otherwise: the same list as offline.

What each mode changes is said by IBM's manual: varchar2_compat r0052880, date_compat r0053667, dft_table_org r0060587,
string_units r0060936, RESTRICTIVE r0001941, schemas and DBADM r0000925.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import Any

import pytest

from advisor.db2.connection import Connection
from advisor.judge.advice import BY_HAND, Advice
from tests.standin.backend import OWNER, PASSWORD, User
from tests.standin.objects.modes import CODEUNITS32, DATE, VARCHAR2
from tests.support.advised import advised
from tests.support.clp import typed
from tests.wire.conftest import FIXTURES, Server, standin
from tests.wire.fixtures import judged_inside, listed, seconds_of, tell

pytestmark = pytest.mark.full

MACHINE = FIXTURES / "x445-8way"
SECOND = "tuneowner"  # who may do what the guide asks for, and owns no database
OTHER = "another"  # who may do everything, and did not install it
USERS = {OWNER: User(PASSWORD, is_sysadm=True)}
NO_DBADM = frozenset({"CONNECT", "CREATETAB", "SQLADM", "BINDADD"})


@dataclass(frozen=True)
class Mode:
    """A database: the options and level of the stand-in, and who installs."""

    options: dict[str, Any] = field(default_factory=dict)
    level: str | None = None
    user: str = OWNER


MODES = {
    "varchar2_compat": Mode({"modes": frozenset({VARCHAR2})}),
    "date_compat": Mode({"modes": frozenset({DATE}), "timezone": 13000}),
    "west of Greenwich": Mode({"timezone": -33000}),
    "ORA": Mode({"modes": frozenset({VARCHAR2, DATE})}),
    "dft_table_org=COLUMN": Mode({"dft_table_org": "COLUMN"}),
    "dft_table_org=COLUMN, 10.5": Mode({"dft_table_org": "COLUMN"}, "10.5"),
    "string_units=CODEUNITS32": Mode({"string_units": CODEUNITS32}),
    "RESTRICTIVE": Mode({"restrictive": True}),
    "no DBADM": Mode(user=SECOND),
}


@dataclass(frozen=True)
class Judged:
    mode: Mode
    server: Server
    advice: Advice

    def connect(self) -> Connection:
        return self.server.connect(self.mode.user, _password(self.mode.user))


def _password(user: str) -> str:
    return PASSWORD if user == OWNER else user


@pytest.fixture(params=[pytest.param(mode, id=name) for name, mode in MODES.items()], scope="module")
def judged(request: pytest.FixtureRequest) -> Iterator[Judged]:
    mode: Mode = request.param
    users = USERS | {SECOND: User(SECOND, NO_DBADM), OTHER: User(OTHER, frozenset({"CONNECT", "DBADM", "DATAACCESS"}))}
    with contextmanager(standin)(MACHINE, level=mode.level, users=users, **mode.options) as server:
        if mode.user != OWNER:
            server.say(f"CREATE SCHEMA TUNE AUTHORIZATION {mode.user.upper()}")
        done = server.tune("install", user=mode.user, password=_password(mode.user))
        assert (done.exit_code, "cannot run" in done.output) == (0, False), done.output
        with server.connect(mode.user, _password(mode.user)) as connection:
            tell(connection, MACHINE)
            advice = judged_inside(connection, server, seconds_of(MACHINE))
            connection.commit()
        yield Judged(mode, server, advice)


def test_the_list_is_that_of_the_capture(judged: Judged) -> None:
    offline = listed(advised(MACHINE.name))
    found = listed(judged.advice)
    if judged.mode.level:  # which lacks columns: less is known, and nothing else is said
        assert {_about(item) for item in found["recommendations"]} <= {
            _about(item) for item in offline["recommendations"]
        }
    else:
        assert found == offline
    with judged.connect() as connection:
        assert list(connection.rows("SELECT PLACE, MESSAGE FROM TUNE.ERROR WHERE PLACE LIKE 'rule%'")) == []


def _about(item: dict[str, Any]) -> tuple[str, str]:
    return item["rule"], str(item["object"])


def test_the_clock_is_that_of_the_server(judged: Judged) -> None:
    assert judged.server.standin is not None
    database = judged.server.standin.backend.database
    hours, minutes = divmod(abs(database.options.timezone) // 100, 100)
    offset = timedelta(hours=hours, minutes=minutes)
    now = database.now - (offset if database.options.timezone > 0 else -offset)
    with judged.connect() as connection:
        rows = list(connection.rows("SELECT TAKEN_AT, EPOCH_S FROM TUNE.SNAPSHOT ORDER BY SNAP_ID DESC"))
    taken_at, epoch_s = rows[0]
    assert abs((taken_at - now).total_seconds()) < 1
    assert abs(epoch_s - (now - datetime(1970, 1, 1)).total_seconds()) < 1


def test_every_call_answers(judged: Judged) -> None:
    now = judged.server.standin.backend.database.now if judged.server.standin else datetime.now()
    with judged.connect() as connection:
        if judged.advice.ranked:
            _, (text,) = connection.call("TUNE.EXPLAIN", [1, 1])
            by_hand = tuple(line for line in judged.advice.ranked[0].actions if line.startswith(BY_HAND))
            assert (*typed(line for (line,) in text.rows), *by_hand) == (*judged.advice.ranked[0].actions,)
        connection.call("TUNE.ACCEPT", ["prefetch.size-misaligned", "*", "known", now.date()])
        connection.call("TUNE.SET_HOSTFACTS", ["elsewhere", "cpu", "cores", "8"])
        connection.commit()
        judged.server.advance(seconds_of(MACHINE))
        connection.call("TUNE.ADVISE", [])
        accepted = list(connection.rows("SELECT ACCEPTED_UNTIL, ACCEPTED_EXPIRED FROM TUNE.ADVICE"
                                        " WHERE ACCEPTED_REASON = 'known'"))  # fmt: skip
        assert {(_day(until), expired) for until, expired in accepted} == (
            {(now.date(), 0)} if judged.advice.ranked else set()
        )
        _, (metrics,) = connection.call("TUNE.COMPARE", [1, 2])
        assert metrics.rows
        connection.call("TUNE.PURGE", [1])
        connection.commit()
        assert list(connection.rows("SELECT COUNT(*) FROM TUNE.RUN")) == [(2,)]


def _day(value: date) -> date:
    return value.date() if isinstance(value, datetime) else value


def test_tables_are_organized_by_row(judged: Judged) -> None:
    """c0061528: tables that are organized by column know no RS or RR and are slow where few rows are written."""
    with judged.connect() as connection:
        sql = "SELECT DISTINCT TABLEORG FROM SYSCAT.TABLES WHERE TABSCHEMA = 'TUNE' AND TYPE = 'T'"
        assert list(connection.rows(sql)) == [("R",)]


def test_lengths_are_of_bytes(judged: Judged) -> None:
    with judged.connect() as connection:
        sql = "SELECT LENGTH FROM SYSCAT.COLUMNS WHERE TABSCHEMA = 'TUNE' AND TABNAME = 'RULE' AND COLNAME = 'RULE'"
        assert list(connection.rows(sql)) == [(60,)]


def test_only_its_owner_upgrades_it(judged: Judged) -> None:
    """r0000935 and r0008329: OR REPLACE is for the owner alone, whatever else somebody may do."""
    done = judged.server.tune("install", user=OTHER, password=OTHER)
    assert done.exit_code != 0
    assert f"upgraded by its owner {judged.mode.user.upper()}" in done.output


def test_it_can_be_upgraded_and_taken_out(judged: Judged) -> None:
    mode = judged.mode
    assert judged.server.tune("install", user=mode.user, password=_password(mode.user)).exit_code == 0
    done = judged.server.tune("uninstall", "--yes", user=mode.user, password=_password(mode.user))
    assert done.exit_code == 0, done.output
