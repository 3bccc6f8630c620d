"""All user calls on databases with other options or configuration: the same list as offline.

IBM's manual documents the effect of each mode: varchar2_compat r0052880, date_compat r0053667, dft_table_org r0060587,
string_units r0060936, cur_commit r0053556, RESTRICTIVE r0001941, schemas and DBADM r0000925. One database is pureScale,
the other a single one. docs/in-the-database.md lists the differences.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from advisor.catalogue.commands import BY_HAND
from advisor.db2.connection import Connection
from advisor.judgement.advice import Advice
from tests.standin.backend import OWNER, PASSWORD, User
from tests.standin.objects.modes import CODEUNITS32, DATE, VARCHAR2
from tests.standin.session import Session
from tests.support.advised import advised_inside
from tests.support.clp import typed
from tests.support.paths import DOCS
from tests.wire.conftest import CAPTURES, Server, standin
from tests.wire.fixtures import judged_inside, listed, seconds_of, tell

pytestmark = pytest.mark.full

SECOND = "tuneowner"  # has all privileges that the guide requires, and does not own the database
OTHER = "another"  # has all privileges, and did not install it
USERS = {OWNER: User(PASSWORD, is_sysadm=True)}
NO_DBADM = frozenset({"CONNECT", "CREATETAB", "SQLADM", "BINDADD"})


@dataclass(frozen=True)
class Mode:
    """A database: the fake server's options, the machine, an optional other level, and the installing user."""

    options: dict[str, Any] = field(default_factory=dict)
    machine: str = "x445-8way"
    level: str | None = None
    user: str = OWNER

    @property
    def capture(self) -> Path:
        return CAPTURES / self.machine


MODES = {
    "ORA, CODEUNITS32, RESTRICTIVE, east of Greenwich": Mode(
        {"modes": frozenset({VARCHAR2, DATE}), "string_units": CODEUNITS32, "restrictive": True, "timezone": 13000},
        "shop-missing-index",  # with undo texts of indexes
    ),
    "code page 819, cur_commit=DISABLED, dft_table_org=COLUMN, west of Greenwich, no DBADM": Mode(
        {"cur_commit": "DISABLED", "codepage": 819, "dft_table_org": "COLUMN", "timezone": -33000},
        "purescale",
        user=SECOND,
    ),
}
SENTENCE = re.compile(r"compiles at most (?P<most>[\d,]+) statements")


@dataclass(frozen=True)
class Judged:
    mode: Mode
    server: Server
    advice: Advice
    statements: int  # compiled by the server for installation, two snapshots and ADVISE

    def connect(self) -> Connection:
        return self.server.connect(self.mode.user, _password(self.mode.user))


def _password(user: str) -> str:
    return PASSWORD if user == OWNER else user


@pytest.fixture(params=[pytest.param(mode, id=name) for name, mode in MODES.items()], scope="module")
def judged(request: pytest.FixtureRequest, compiled: None) -> Iterator[Judged]:
    mode: Mode = request.param
    described: set[str] = set()  # Db2 compiles a text once: its Db2 package or the package cache keeps the section
    describe = Session.describe

    def counting(self: Session, sql: str, scope: Any) -> Any:
        described.add(sql)
        return describe(self, sql, scope)

    users = USERS | {SECOND: User(SECOND, NO_DBADM), OTHER: User(OTHER, frozenset({"CONNECT", "DBADM", "DATAACCESS"}))}
    with (
        pytest.MonkeyPatch.context() as patch,
        contextmanager(standin)(mode.capture, level=mode.level, users=users, **mode.options) as server,
    ):
        patch.setattr(Session, "describe", counting)
        if mode.user != OWNER:
            server.say(f"CREATE SCHEMA TUNE AUTHORIZATION {mode.user.upper()}")
        done = server.tune("install", user=mode.user, password=_password(mode.user))
        assert (done.exit_code, "cannot run" in done.output) == (0, False), done.output
        with server.connect(mode.user, _password(mode.user)) as connection:
            tell(connection, mode.capture)
            advice = judged_inside(connection, server, seconds_of(mode.capture))
            connection.commit()
            statements = len(described)
        yield Judged(mode, server, advice, statements)


def test_the_list_is_that_of_the_capture(judged: Judged) -> None:
    offline = listed(advised_inside(judged.mode.machine))
    found = listed(_without(judged.advice, "lock.readers-wait"))  # which reports CUR_COMMIT of the mode
    if judged.mode.level:  # lacks columns: fewer facts, and no other difference
        assert {_about(item) for item in found["recommendations"]} <= {
            _about(item) for item in offline["recommendations"]
        }
    else:
        assert found == offline
    with judged.connect() as connection:
        assert list(connection.rows("SELECT PLACE, MESSAGE FROM TUNE.ERROR WHERE PLACE LIKE 'rule%'")) == []


def _without(advice: Advice, rule: str) -> Advice:
    """Return the advice as it is ranked without a rule."""
    ranks = count(1)
    kept = [item for item in advice.recommendations if item.rule.name != rule]
    numbered = [item if item.rank is None else replace(item, rank=next(ranks)) for item in kept]
    return replace(advice, recommendations=numbered)


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
        for item in judged.advice.ranked:
            _, (text,) = connection.call("TUNE.EXPLAIN", [1, item.rank])
            by_hand = tuple(line for line in item.actions if line.startswith(BY_HAND))
            commands = typed(line for (line,) in text.rows)
            assert sorted([*commands, *by_hand]) == sorted(item.actions)
        rule = judged.advice.ranked[0].rule.name if judged.advice.ranked else "prefetch.size-misaligned"
        connection.call("TUNE.ACCEPT", [rule, "*", "known", now.date()])
        connection.call("TUNE.SET_HOSTFACTS", ["elsewhere", "cpu", "cores", "8"])
        connection.commit()
        judged.server.advance(seconds_of(judged.mode.capture))
        _, (text, _) = connection.call("TUNE.ADVISE", [])
        _check_text([line for (line,) in text.rows], judged.advice)
        found = list(connection.rows(f"SELECT 1 FROM TUNE.ADVICE WHERE RULE = '{rule}'"))
        accepted = list(connection.rows("SELECT ACCEPTED_UNTIL, ACCEPTED_EXPIRED FROM TUNE.ADVICE"
                                        " WHERE ACCEPTED_REASON = 'known'"))  # fmt: skip
        assert {(_day(until), expired) for until, expired in accepted} == ({(now.date(), 0)} if found else set())
        _, (metrics,) = connection.call("TUNE.COMPARE", [1, 2])
        assert metrics.rows
        connection.call("TUNE.PURGE", [1])
        connection.commit()
        assert list(connection.rows("SELECT COUNT(*) FROM TUNE.RUN")) == [(2,)]


def _check_text(lines: list[str], advice: Advice) -> None:
    """The list has its title, the heading of each lane, and a line per recommendation."""
    database = advice.database
    title = f"Tuning advice for {database['name']} on {database['host']} (instance {database['instance']}), "
    assert lines[0].startswith(title), lines[:3]
    assert lines[1].startswith("Interval    "), lines[:3]
    if len(advice.ranked) > 1:  # the first one is accepted now
        headings = [lines[number - 1] for number, line in enumerate(lines) if re.match(r" *1 .* [a-z]+", line)]
        assert any(line.startswith("Performance: ") for line in headings), headings


def _day(value: date) -> date:
    return value.date() if isinstance(value, datetime) else value


def test_tables_are_organized_by_row(judged: Judged) -> None:
    """c0061528: column-organized tables do not support RS or RR and are slow if few rows are written."""
    with judged.connect() as connection:
        sql = "SELECT DISTINCT TABLEORG FROM SYSCAT.TABLES WHERE TABSCHEMA = 'TUNE' AND TYPE = 'T'"
        assert list(connection.rows(sql)) == [("R",)]


def test_lengths_are_of_bytes(judged: Judged) -> None:
    with judged.connect() as connection:
        sql = "SELECT LENGTH FROM SYSCAT.COLUMNS WHERE TABSCHEMA = 'TUNE' AND TABNAME = 'RULE' AND COLNAME = 'RULE'"
        assert list(connection.rows(sql)) == [(60,)]


def test_only_its_owner_upgrades_it(judged: Judged) -> None:
    """r0000935 and r0008329: only the owner can use OR REPLACE, whatever privileges others have."""
    done = judged.server.tune("install", user=OTHER, password=OTHER)
    assert done.exit_code != 0
    assert f"schema TUNE belongs to {judged.mode.user.upper()}: drop it or transfer it" in done.output


def test_it_can_be_taken_out(judged: Judged) -> None:
    mode = judged.mode
    done = judged.server.tune("uninstall", "--yes", user=mode.user, password=_password(mode.user))
    assert done.exit_code == 0, done.output


def test_server_compiles_no_more_statements_than_documented(judged: Judged) -> None:
    found = SENTENCE.search((DOCS / "in-the-database.md").read_text(encoding="utf-8"))
    assert found is not None
    assert judged.statements <= int(found["most"].replace(",", ""))
