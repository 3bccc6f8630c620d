"""Connecting: targets, passwords, failures and retries without a server, and IBM's driver against a scripted one."""

import csv
import logging
import os
import pickle
import re
import shutil
import socket
import ssl
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import click
import pytest
from click.testing import CliRunner

from advisor.cli.connection import Connect, connection_options
from advisor.db2 import connection as connecting
from advisor.db2 import failures, password
from advisor.db2.address import Address, Tls, parse_address
from advisor.db2.connection import Connection, Out, ResultSet
from advisor.db2.failures import Db2Failure
from advisor.db2.in_database import read_report
from advisor.db2.password import Secret
from advisor.errors import EXIT_BAD_INPUT, EXIT_FAULT, EXIT_NO_CONNECTION, UserError
from advisor.judgement.report_rows import REPORT
from tests.standin.api import Outcome, Parameter
from tests.standin.drda import Server
from tests.standin.errors import Db2Error, Disconnect
from tests.standin.types import Column, SqlType
from tests.support.paths import ROOT

HOSTILE = "s3cret"

# --- targets ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "label", "user", "string"),
    [
        ("SAMPLE", "SAMPLE", None, "CONNECTTIMEOUT=9;"),
        (
            "db2://bob@db.example:50001/SAMPLE",
            "db.example:50001/SAMPLE",
            "bob",
            "PROTOCOL=TCPIP;CONNECTTIMEOUT=9;HOSTNAME=db.example;PORT=50001;DATABASE=SAMPLE;UID=bob;",
        ),
        (
            "db2://db.example/SAMPLE",
            "db.example:50000/SAMPLE",
            None,
            "PROTOCOL=TCPIP;CONNECTTIMEOUT=9;HOSTNAME=db.example;PORT=50000;DATABASE=SAMPLE;",
        ),
        (
            "db2://b%40d@[::1]:5/S%20X?currentSchema=A%20B&connectTimeout=3",
            "::1:5/S X",
            "b@d",
            "PROTOCOL=TCPIP;CONNECTTIMEOUT=3;HOSTNAME=::1;PORT=5;DATABASE=S X;CURRENTSCHEMA=A B;UID=b@d;",
        ),
        (
            "hostname=h; port=5;database=S;uid=bob;",
            "h:5/S",
            "bob",
            "PROTOCOL=TCPIP;CONNECTTIMEOUT=9;HOSTNAME=h;PORT=5;DATABASE=S;UID=bob;",
        ),
        ("DSN=test;AUTHENTICATION=SERVER", "test", None, "CONNECTTIMEOUT=9;DSN=test;AUTHENTICATION=SERVER;"),
    ],
)
def test_targets(text: str, label: str, user: str | None, string: str) -> None:
    target = parse_address(text)
    assert (target.label, target.user) == (label, user)
    assert target.connection_string(None, 9) == string


@pytest.mark.parametrize(
    "text",
    [
        f"db2://bob:{HOSTILE}@h:1/S",
        f"db2://bob:{HOSTILE}/x@h:1/S",
        f"db2://bob@{HOSTILE}@h:1/S",
        f"db2://h/S?pwd={HOSTILE}",
        f"db2://h/S?sslClientKeystoreDBPassword={HOSTILE}",
        f"HOSTNAME=h;DATABASE=S;PWD={HOSTILE}",
        f"HOSTNAME=h;DATABASE=S; password ={HOSTILE}",
        f"HOSTNAME=h;DATABASE=S;AccessToken={HOSTILE}",
        f"HOSTNAME=h;DATABASE=S;{HOSTILE}",
        f"bob:{HOSTILE}@h/S",
        f"bob/{HOSTILE}",
        f"https://{HOSTILE}/S",
        f"db2://h/S/{HOSTILE}",
        f"db2://h:{HOSTILE}/S",
        f"db2://h/S#{HOSTILE}",
        f"db2://h/S?{HOSTILE}",
        f"db2:///{HOSTILE}",
        f"db2://h/S?x=1%3BHOSTNAME={HOSTILE}",
        f"db2://h/S%3BPWD={HOSTILE}",
        f"db2://u%3BPWD={HOSTILE}@h/S",
        f"db2://h/S?UID%3D={HOSTILE}",
        f"db2://h/S?hostname={HOSTILE}",
        f"HOSTNAME=h;HOSTNAME={HOSTILE};DATABASE=S",
        f"HOSTNAME={HOSTILE}",
        "",
        "db2://h/",
    ],
)
def test_targets_that_are_refused_and_not_shown(text: str) -> None:
    with pytest.raises(UserError) as refused:
        parse_address(text)
    assert HOSTILE not in str(refused.value)
    assert "\n" not in str(refused.value)


def test_user_next_to_the_database() -> None:
    assert parse_address("SAMPLE", "bob").user == "bob"
    assert parse_address("db2://bob@h/S", "bob").user == "bob"
    with pytest.raises(UserError, match="different users"):
        parse_address("db2://bob@h/S", "eve")
    with pytest.raises(UserError, match="semicolon"):
        parse_address("db2://h/S", "eve;PWD=x")


def test_tls(tmp_path: Path) -> None:
    authority = tmp_path / "ca.pem"
    authority.touch()
    checked = {"SECURITY": "SSL", "SSLCLIENTHOSTNAMEVALIDATION": "Basic"}
    place = {"HOSTNAME": "h", "PORT": "50000", "DATABASE": "S"}
    named = {"SSLSERVERCERTIFICATE": str(authority)}
    assert parse_address("db2://h/S").encrypted is False
    assert parse_address("db2://h/S", tls=Tls(True)).keywords == checked | place
    assert parse_address("db2://h/S?security=ssl").keywords == checked | place
    assert parse_address("db2://h/S", tls=Tls(authority=authority)).keywords == checked | place | named
    unchecked = parse_address("db2://h/S", tls=Tls(True, None, False)).keywords
    assert unchecked["SSLCLIENTHOSTNAMEVALIDATION"] == "OFF"
    with pytest.raises(UserError, match="no such file"):
        parse_address("db2://h/S", tls=Tls(authority=tmp_path / "none.pem"))
    with pytest.raises(UserError, match=r"db2dsdriver\.cfg"):
        parse_address("SAMPLE", tls=Tls(True))


@pytest.mark.parametrize("text", ["x;y", " xy", "x\ny", "\txy", "x\0y"])
def test_a_password_that_the_string_cannot_carry_is_refused(text: str) -> None:
    with pytest.raises(UserError, match="alias") as refused:
        parse_address("db2://u@h/S").connection_string(Secret(text), 9)
    assert text not in str(refused.value)


# --- passwords ----------------------------------------------------------------------------------------------


def test_a_secret_does_not_show() -> None:
    secret = Secret(HOSTILE)
    assert HOSTILE not in f"{secret} {secret!r} {[secret]} {vars(SimpleNamespace(s=secret))}"
    assert secret.scrub(f"PWD={HOSTILE};") == "PWD=***;"
    assert Secret("").scrub("text") == "text"
    with pytest.raises(TypeError):
        pickle.dumps(secret)


def descriptor_with(content: bytes) -> int:
    """Return a descriptor that contains the content; the reader closes it."""
    reader, writer = os.pipe()
    os.write(writer, content)
    os.close(writer)
    return reader


def not_asked(_: str) -> str:
    raise AssertionError("no password prompt is expected")


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"s3 cret", "s3 cret"),
        (b"s3cret\nmore\n", "s3cret"),
        (b" s3cret \r\n", " s3cret "),
        ("пароль\n".encode(), "пароль"),
    ],
)
def test_password_from_a_descriptor(content: bytes, expected: str) -> None:
    found = password.find("bob", "S", descriptor_with(content), {password.VARIABLE: "other"}, not_asked)
    assert found.reveal() == expected


@pytest.mark.parametrize("content", [b"", b"\n", b"\xff\xfe\n", b"x" * 2000])
def test_descriptors_that_are_refused(content: bytes) -> None:
    number = descriptor_with(content)
    with pytest.raises(UserError, match=f"file descriptor {number}"):
        password.find("bob", "S", number, {}, not_asked)


def test_a_descriptor_that_is_not_open() -> None:
    with pytest.raises(UserError, match="cannot be read"):
        password.find("bob", "S", 987, {}, not_asked)


@pytest.fixture(name="keyring")
def fixture_keyring(monkeypatch: pytest.MonkeyPatch) -> dict[tuple[str, str], str]:
    """Return a keyring with the test's entries; a locked one under the service name it requests."""
    stored: dict[tuple[str, str], str] = {}
    module, errors = ModuleType("keyring"), ModuleType("keyring.errors")
    error = type("KeyringError", (Exception,), {})

    def get_password(service: str, account: str) -> str | None:
        if account.startswith("locked"):
            raise error
        return stored.get((service, account))

    vars(errors)["KeyringError"] = error
    vars(module).update(get_password=get_password, errors=errors)
    monkeypatch.setitem(sys.modules, "keyring", module)
    monkeypatch.setitem(sys.modules, "keyring.errors", errors)
    monkeypatch.setattr(password, "find_spec", lambda _: True)
    return stored


def test_password_from_environment_keyring_or_terminal(
    keyring: dict[tuple[str, str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    keyring["db2tune", "bob@h:1/S"] = "stored"
    assert password.find("bob", "h:1/S", None, {password.VARIABLE: "set"}, not_asked).reveal() == "set"
    assert password.find("bob", "h:1/S", None, {}, not_asked).reveal() == "stored"
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True, raising=False)
    prompts: list[str] = []
    for user in ("eve", "locked"):
        found = password.find(user, "h:1/S", None, {}, lambda prompt: prompts.append(prompt) or "typed")  # type: ignore[func-returns-value]
        assert found.reveal() == "typed"
    assert prompts == ["Password of eve@h:1/S: ", "Password of locked@h:1/S: "]
    with pytest.raises(UserError, match="terminal: the password is empty"):
        password.find("eve", "h:1/S", None, {}, lambda _: "")
    with pytest.raises(UserError, match=password.VARIABLE):
        password.find("eve", "h:1/S", None, {password.VARIABLE: ""}, not_asked)


def test_no_password_lists_the_ways(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(password, "find_spec", lambda _: None)
    monkeypatch.setattr(sys.stdin, "isatty", lambda: False, raising=False)
    with pytest.raises(UserError) as refused:
        password.find("bob", "S", None, {}, not_asked)
    for way in ("--password-fd", "DB2TUNE_PASSWORD", "keyring set db2tune", "terminal"):
        assert way in str(refused.value)


# --- failures -----------------------------------------------------------------------------------------------

LOST = (
    "[IBM][CLI Driver] SQL30081N  A communication error has been detected. Communication protocol being used:"
    ' "TCP/IP".  Communication API being used: "SOCKETS".  Location where the error was detected: "10.0.0.1".'
    '  Communication function detecting the error: "{}".  Protocol specific error code(s): "{}", "*", "*".'
    "  SQLSTATE=08001 SQLCODE=-30081"
)
DENIED = (
    "Statement Execute Failed: [IBM][CLI Driver][DB2/LINUXX8664] SQL0551N  The statement failed because the"
    " authorization ID does not have the required authorization or privilege to perform the operation."
    '  Authorization ID: "BOB".  Operation: "EXECUTE". Object: "SYSPROC.MON_GET_TABLE".  SQLSTATE=42501 SQLCODE=-551'
)


@pytest.mark.parametrize(
    ("text", "sqlcode", "state", "status", "dropped", "said"),
    [
        (LOST.format("recv", "104"), -30081, "08001", EXIT_NO_CONNECTION, True, "10.0.0.1 was lost"),
        (LOST.format("selectForConnectTimeout", "115"), -30081, "08001", EXIT_NO_CONNECTION, True, "--connect-timeout"),
        (LOST.format("sqlccSSLSocketSetup", "414"), -30081, "08001", EXIT_NO_CONNECTION, False, "--tls-ca"),
        (LOST.format("sqlccSSLSocketSetup", "420"), -30081, "08001", EXIT_NO_CONNECTION, False, "reason 420"),
        (DENIED, -551, "42501", EXIT_NO_CONNECTION, False, "BOB may not EXECUTE SYSPROC.MON_GET_TABLE; "),
        (
            '[IBM][CLI Driver] SQL30061N  The database alias or database name "NOPE              " was not found at the'
            " remote node.  SQLSTATE=08004 SQLCODE=-30061",
            -30061,
            "08004",
            EXIT_NO_CONNECTION,
            False,
            "does not have database NOPE;",
        ),
        (
            "[IBM][CLI Driver] CLI0108E  Communication link failure. SQLSTATE=40003 SQLCODE=-99999",
            -99999,
            "40003",
            EXIT_NO_CONNECTION,
            True,
            "(CLI0108E)",
        ),
        (
            '[IBM][CLI Driver][DB2/6000] SQL0438N  Application raised error or warning with diagnostic text: "P_TOP is'
            ' negative".  SQLSTATE=70001 SQLCODE=-438',
            -438,
            "70001",
            EXIT_BAD_INPUT,
            False,
            "P_TOP is negative",
        ),
        (
            '[IBM][CLI Driver][DB2/6000] SQL1477N  For table "T" an object "9" cannot be accessed.  SQLSTATE=57007'
            " SQLCODE=-1477",
            -1477,
            "57007",
            EXIT_BAD_INPUT,
            False,
            "cannot do this now",
        ),
        (
            '[IBM][CLI Driver][DB2/6000] SQL0104N  An unexpected token "X" was found.\n  SQLSTATE=42601 SQLCODE=-104',
            -104,
            "42601",
            EXIT_FAULT,
            False,
            'SQL0104N An unexpected token "X" was found.',
        ),
        ("[IBM][CLI Driver] SQL0551N  in another form SQLSTATE=42501", 0, "42501", EXIT_NO_CONNECTION, False, "form"),
        ("", 0, "", EXIT_FAULT, False, "without a message"),
        ("something else", 0, "", EXIT_FAULT, False, "something else"),
    ],
)
def test_failures(text: str, sqlcode: int, state: str, status: int, dropped: bool, said: str) -> None:
    failure = Db2Failure(text)
    assert (failure.sqlcode, failure.sqlstate, failure.exit_status, failure.dropped) == (
        sqlcode,
        state,
        status,
        dropped,
    )
    assert said in str(failure)
    assert "\n" not in str(failure)
    assert "[IBM]" not in str(failure)


def test_every_known_failure_has_a_message() -> None:
    with Path(failures.__file__).with_name("failures.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len({(row["id"], row["part"]) for row in rows}) == len(rows)
    seen: set[str] = set()
    for row in rows:
        assert row["id"] not in seen, f"the row {row['id']} with {row['part']!r} is never reached"
        if not row["part"]:
            seen.add(row["id"])
        assert int(row["exit"]) in (EXIT_BAD_INPUT, EXIT_NO_CONNECTION)
        assert row["again"] == "n" or row["dropped"] == "y"
        said = f"{row['what']}; {row['do']}".format(*"ABCDEFG")
        assert "{" not in said and all((row["what"], row["do"]))


# --- retries, without a server ------------------------------------------------------------------------------


class FakeDriver:
    """The part of ibm_db that Connection uses: a log of calls, and planned failures by a call's number."""

    SQL_ATTR_AUTOCOMMIT, SQL_AUTOCOMMIT_OFF, SQL_ATTR_LOGIN_TIMEOUT = 102, 0, 103
    SQL_ATTR_QUERY_TIMEOUT, SQL_ATTR_RECEIVE_TIMEOUT, SQL_ATTR_DEFERRED_PREPARE = 0, 2547, 1277

    def __init__(self, **planned: list[str | None]) -> None:
        self.planned = planned
        self.log: list[str] = []
        self.arguments: list[tuple[Any, ...]] = []
        self.left: dict[int, int] = {}

    def __getattr__(self, name: str) -> Callable[..., Any]:
        def call(*arguments: Any) -> Any:
            self.log.append(name)
            self.arguments.append(arguments)
            plan = self.planned.get(name, [])
            if plan and (failure := plan.pop(0)) is not None:
                raise Exception(failure)  # noqa: TRY002 -- as the driver does
            return getattr(type(self), f"_{name}", lambda *_: True)(self, *arguments)

        return call

    def _connect(self, *_: Any) -> object:
        return object()

    def _prepare(self, *_: Any) -> object:
        return object()

    def _execute(self, statement: object, *_: Any) -> bool:
        self.left[id(statement)] = 3
        return True

    def _num_fields(self, _: object) -> int:
        return 1

    def _field_name(self, _: object, number: int) -> str:
        return f"C{number}"

    def _field_type(self, *_: Any) -> str:
        return "int"

    def _fetch_tuple(self, statement: object) -> tuple[int] | bool:
        self.left[id(statement)] -= 1
        return (self.left[id(statement)],) if self.left[id(statement)] >= 0 else False

    def _num_rows(self, _: object) -> int:
        return 5

    def _stmt_errormsg(self) -> str:
        return ""

    def _conn_errormsg(self) -> str:
        return ""

    def count(self, name: str) -> int:
        return self.log.count(name)


DROPPED = LOST.format("recv", "104")
SLOW = LOST.format("selectForRecvTimeout", "115")
ADDRESS = Address(None, {"DATABASE": "S"}, "bob")


def opened(driver: FakeDriver, address: Address = ADDRESS) -> Connection:
    return Connection(address, Secret(HOSTILE), driver=driver)


@pytest.mark.parametrize(
    ("plan", "connects", "status"),
    [
        ([DROPPED, None], 2, None),
        ([DROPPED, DROPPED], 2, EXIT_NO_CONNECTION),
        ([SLOW], 1, EXIT_NO_CONNECTION),
        (['SQL30082N reason "24" SQLSTATE=08001'], 1, EXIT_NO_CONNECTION),
    ],
)
def test_connecting_is_tried_once_more(plan: list[str | None], connects: int, status: int | None) -> None:
    driver = FakeDriver(connect=plan)
    if status is None:
        with opened(driver):
            pass
    else:
        with pytest.raises(Db2Failure) as failed, opened(driver):
            pass
        assert failed.value.exit_status == status
    assert driver.count("connect") == connects


@pytest.mark.parametrize("place", ["prepare", "execute", "num_fields", "fetch_tuple"])
def test_a_query_is_tried_once_more_before_its_first_row(place: str) -> None:
    driver = FakeDriver(**{place: [DROPPED]})
    with opened(driver) as connection:
        assert list(connection.rows("SELECT")) == [(2,), (1,), (0,)]
        assert connection.describe("SELECT") == [("C0", "int")]
    assert driver.count("connect") == 2
    assert driver.count("free_stmt") == driver.count("prepare") - (place == "prepare")
    again = FakeDriver(**{place: [DROPPED, DROPPED]})
    with opened(again) as connection, pytest.raises(Db2Failure, match="lost"):
        list(connection.rows("SELECT"))
    assert again.count("connect") == 2


def test_connection_lost_in_commit_leaves_the_result_unknown() -> None:
    """The driver returns a value and raises an exception, so Python raises an error of its own."""

    class Driver(FakeDriver):
        def commit(self, _: object) -> None:
            raise SystemError("<built-in function commit> returned a result with an exception set") from Exception(
                DROPPED
            )

    with opened(Driver()) as connection, pytest.raises(Db2Failure) as failed:
        connection.commit()
    assert (failed.value.exit_status, failed.value.dropped) == (EXIT_NO_CONNECTION, True)
    assert "was lost during COMMIT: it is unknown whether the changes were committed" in str(failed.value)
    with (
        opened(FakeDriver(commit=["SQL0964C The log is full. SQLSTATE=57011"])) as connection,
        pytest.raises(Db2Failure) as full,
    ):
        connection.commit()
    assert "unknown" not in str(full.value)


def test_rows_that_drip_are_bounded_in_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each row comes within the driver's own limits."""

    class Driver(FakeDriver):
        def fetch_tuple(self, _: object) -> tuple[int]:
            time.sleep(0.02)
            return (1,)

    monkeypatch.setattr(connecting, "GRACE_S", 0)
    with Connection(ADDRESS, driver=Driver(), statement_timeout_s=1) as connection:
        begun = time.monotonic()
        with pytest.raises(UserError, match="took longer than 1 s; raise --statement-timeout"):
            for _ in connection.rows("SELECT"):
                pass
        with pytest.raises(UserError, match="took longer than 1 s"):
            connection.call("P", [1])
    assert time.monotonic() - begun < 4


@pytest.mark.parametrize("word", ["SQL", "08001", "the", "o", "30081"])
def test_password_that_is_a_word_of_the_message_is_harmless(word: str) -> None:
    driver = FakeDriver(connect=[DROPPED, DROPPED])
    with pytest.raises(Db2Failure) as failed, Connection(ADDRESS, Secret(word), driver=driver):
        pass
    assert (failed.value.exit_status, failed.value.id) == (EXIT_NO_CONNECTION, "SQL30081N")
    assert "***" not in failed.value.reason.replace(failed.value.tokens[2], "")


def test_a_run_that_was_rolled_back_has_no_report() -> None:
    nothing = [ResultSet((), []) for _ in range(len(REPORT) + 1)]
    with pytest.raises(UserError, match="the run does not exist"):
        read_report(nothing, {})


def test_what_must_not_be_tried_again() -> None:
    seen: list[Any] = []
    started = FakeDriver(fetch_tuple=[None, DROPPED])
    with opened(started) as connection, pytest.raises(Db2Failure, match="lost"):
        seen.extend(row for row in connection.rows("SELECT"))
    changing = FakeDriver(execute=[DROPPED])
    with opened(changing) as connection, pytest.raises(Db2Failure, match="lost"):
        connection.execute("UPDATE")
    calling = FakeDriver(callproc=[DROPPED])
    with opened(calling) as connection, pytest.raises(Db2Failure, match="lost"):
        connection.call("P", (Out("INTEGER"),))
    changed = FakeDriver(execute=[None, DROPPED])
    with opened(changed) as connection, pytest.raises(Db2Failure, match="lost"):
        assert connection.execute("UPDATE") == 5
        list(connection.rows("SELECT"))
    slow = FakeDriver(execute=[SLOW])
    with opened(slow) as connection, pytest.raises(Db2Failure, match="in time"):
        list(connection.rows("SELECT"))
    two = FakeDriver(execute=[None, DROPPED])
    with opened(two) as connection, pytest.raises(Db2Failure, match="lost"):
        first = connection.rows("SELECT")
        next(first)
        list(connection.rows("SELECT"))
    for driver in (started, changing, calling, changed, slow, two):
        assert driver.count("connect") == 1
        assert driver.log[-2:] == ["rollback", "close"]


class _Emptied(FakeDriver):
    """A driver whose queries return nothing: schema TUNE contains no untrusted objects."""

    def _fetch_tuple(self, _: object) -> bool:
        return False

    _next_result = _fetch_tuple


@pytest.mark.parametrize(
    "ask",
    [
        lambda c: list(c.rows("SELECT A FROM TUNE.RUN")),
        lambda c: c.execute('DELETE FROM "TUNE" . "RUN"'),
        lambda c: c.describe("SELECT A FROM tune.RUN"),
        lambda c: c.call("TUNE.ADVISE", [None]),
        lambda c: c.call("TUNE.SNAPSHOT", [Out("INTEGER")]),
    ],
)
def test_owner_of_tune_is_checked_once_before_first_use(ask: Callable[[Connection], object]) -> None:
    driver = _Emptied(callproc=["SQL0440N", "SQL0440N"])
    with opened(driver) as connection:
        connection.execute("UPDATE")
        for _ in range(2):
            with suppress(Db2Failure):  # of callproc
                ask(connection)
    named = [str(argument) for each in driver.arguments for argument in each[1:2] if "TUNE" in str(argument).upper()]
    assert "SYSCAT.SCHEMATA" in named[0]
    assert [text for text in named[1:] if "SYSCAT.SCHEMATA" in text] == []
    assert len(named) == 3


def test_owner_of_tune_is_checked_after_a_reconnection() -> None:
    driver = _Emptied(execute=[None, DROPPED])
    with opened(driver) as connection:
        assert list(connection.rows("SELECT A FROM TUNE.RUN")) == []
    asked = [each[1] for each in driver.arguments if len(each) > 1 and "SYSCAT.SCHEMATA" in str(each[1])]
    assert (driver.count("connect"), len(asked)) == (2, 2)


def test_only_the_connection_sends_statements() -> None:
    """Every other module asks through Connection, which checks the owner of schema TUNE."""
    paths = [path for path in (ROOT / "advisor").rglob("*.py") if "ibm_db" in path.read_text(encoding="utf-8")]
    assert [path.name for path in paths] == ["connection.py"]
    sent = re.findall(r"self\._driver\.(prepare|callproc|exec\w+)", paths[0].read_text(encoding="utf-8"))
    assert sorted(sent) == ["callproc", "execute", "prepare"]  # execute runs what prepare returned


def test_statements_are_freed_before_the_connection_is_closed() -> None:
    driver = FakeDriver()
    with opened(driver) as connection:
        rows = connection.rows("SELECT")
        next(rows)
    assert driver.log[-3:] == ["free_stmt", "rollback", "close"]
    rows.close()
    assert driver.count("free_stmt") == 1


def test_an_alias_takes_any_password_and_a_string_is_scrubbed() -> None:
    alias = FakeDriver()
    with opened(alias, Address("SAMPLE", {}, "bob")):
        pass
    assert alias.arguments[0][:3] == ("SAMPLE", "bob", HOSTILE)
    driver = FakeDriver(connect=[f"cannot read DATABASE=S;PWD={HOSTILE};"])
    connection = opened(driver)
    with pytest.raises(Db2Failure) as failed, connection:
        pass
    assert HOSTILE not in f"{failed.value} {failed.value.message} {connection!r}"
    assert failed.value.__context__ is None


def test_time_outs_reach_the_driver() -> None:
    driver = FakeDriver()
    with Connection(ADDRESS, connect_timeout_s=7, statement_timeout_s=11, driver=driver) as connection:
        list(connection.rows("SELECT 1"))
        list(connection.rows("SELECT 2", timeout_s=300))
    calls = list(zip(driver.log, driver.arguments, strict=True))
    assert "CONNECTTIMEOUT=7;" in calls[0][1][0]
    assert calls[0][1][3] == {102: 0, 103: 7}
    assert [arguments[2] for name, arguments in calls if name == "prepare"] == [{0: 11}, {0: 300}]
    assert [arguments[1] for name, arguments in calls if name == "set_option"] == [{2547: 26}, {2547: 315}]


@pytest.mark.parametrize(
    ("type_", "returned", "meant"),
    [
        ("INTEGER", 4294967256, -40),
        ("SMALLINT", 4294967295, -1),
        ("INTEGER", 2147483647, 2147483647),
        ("INTEGER", None, None),
        ("BIGINT", 4294967256, 4294967256),
        ("VARCHAR", "x", "x"),
    ],
)
def test_out_values(type_: str, returned: Any, meant: Any) -> None:
    assert Out(type_).value(returned) == meant


def test_null_next_to_an_out_parameter_is_a_fault() -> None:
    with opened(FakeDriver()) as connection, pytest.raises(ValueError, match="NULL"):
        connection.call("P", (None, Out("INTEGER")))


def test_missing_driver_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ibm_db", None)
    with pytest.raises(UserError, match="pip install ibm_db"), Connection(ADDRESS):
        pass

    def broken(_: str) -> None:
        raise ImportError("libdb2.so.1: cannot open shared object file", name="ibm_db")

    monkeypatch.setattr(connecting, "import_module", broken)
    with pytest.raises(UserError, match=r"libdb2\.so\.1"), Connection(ADDRESS):
        pass


# --- IBM's driver, with a scripted server --------------------------------------------------------------------

INTEGER = SqlType("INTEGER")
COLUMNS = (
    Column("N", INTEGER),
    Column("AMOUNT", SqlType("DECIMAL", 9, 2)),
    Column("AT", SqlType("TIMESTAMP", 6)),
    Column("TEXT", SqlType("CLOB", 1000)),
)
ROWS: list[tuple[Any, ...]] = [(1, Decimal("-1.50"), datetime(2026, 3, 2, 10, 0), "text"), (None, None, None, None)]


@dataclass
class Rows:
    """A result that may break off after some rows."""

    columns: tuple[Column, ...]
    rows: list[tuple[Any, ...]]
    breaks_after: int | None = None
    name: str = "C1"
    at: int = 0

    def fetch(self, most: int) -> list[tuple[Any, ...]]:
        if self.breaks_after is not None and self.at >= self.breaks_after:
            raise Disconnect
        found = self.rows[self.at : self.at + most]
        self.at += len(found)
        return found

    def close(self) -> None:
        self.at = len(self.rows)


@dataclass
class Scripted:
    """A prepared statement of the script."""

    kind: str
    columns: tuple[Column, ...]
    parameters: tuple[Parameter, ...]
    run: Callable[[Sequence[Any]], Outcome]

    def execute(self, values: Sequence[Any] = ()) -> Outcome:
        return self.run(values)


@dataclass
class Script:
    """Database SAMPLE of user bob: statements are answered by their first word, and all calls are recorded."""

    password: str = "right"
    log: list[str] = field(default_factory=list)
    passwords: list[str] = field(default_factory=list)
    interrupted: threading.Event = field(default_factory=threading.Event)
    drops: int = 0

    def has_database(self, name: str) -> bool:
        return name.strip() == "SAMPLE"

    def connect(self, database: str, user: str, password: str) -> "Script | None":
        self.passwords.append(password)
        return self if (user, password) == ("bob", self.password) else None

    def prepare(self, sql: str) -> Scripted:
        self.log.append(f"prepare {sql}")
        word = sql.split("(", maxsplit=1)[0]
        if word == "SELECT UNKNOWN":
            raise Db2Error(-204, "42704", "X.UNKNOWN")
        if word.startswith("CALL"):
            modes = ("OUT", "IN") if "OUT" in word else ("IN", "IN")
            parameters = tuple(Parameter(Column(f"P{i}", INTEGER), mode) for i, mode in enumerate(modes))
            return Scripted("call", (), parameters, self.call)
        if word.startswith("SELECT"):
            markers = (Parameter(Column("P", INTEGER)),) * sql.count("?")
            return Scripted("query", COLUMNS, markers, lambda values: self.select(sql, values))
        return Scripted("other", (), (), lambda _: self.change(sql))

    def select(self, sql: str, values: Sequence[Any]) -> Outcome:
        self.log.append(f"run {sql} {list(values)}")
        if sql == "SELECT SLOWLY" and self.interrupted.wait(10):
            raise Db2Error(-952, "57014")
        if sql == "SELECT DROPPED" and self.drops > 0:
            self.drops -= 1
            raise Disconnect
        if sql == "SELECT BROKEN OFF":
            return Outcome(result=Rows(COLUMNS, ROWS * 20000, 20000))
        return Outcome(result=Rows(COLUMNS, ROWS))

    def call(self, values: Sequence[Any]) -> Outcome:
        self.log.append(f"call {list(values)}")
        sets: list[Any] = [
            Rows(COLUMNS[:2], [(1, Decimal("2.50"))], name="R1"),
            Rows(COLUMNS[:1], [(7,), (8,)], name="R2"),
        ]
        return Outcome(parameters=[-40, *values[1:]], result_sets=sets)

    def change(self, sql: str) -> Outcome:
        self.log.append(f"run {sql}")
        if sql == "UPDATE DROPPED":
            raise Disconnect
        return Outcome(rowcount=3)

    def commit(self) -> None:
        self.log.append("commit")

    def rollback(self) -> None:
        self.log.append("rollback")

    def close(self) -> None:
        pass

    def interrupt(self) -> None:
        self.interrupted.set()

    def ran(self) -> list[str]:
        return [line.removeprefix("run ") for line in self.log if line.startswith("run ")]


@pytest.fixture(name="script")
def fixture_script() -> Script:
    pytest.importorskip("ibm_db")
    logging.getLogger("standin").setLevel(logging.CRITICAL)
    return Script()


@pytest.fixture(name="url")
def fixture_url(script: Script) -> Iterator[str]:
    with Server(script) as server:
        yield f"db2://bob@127.0.0.1:{server.port}/SAMPLE"


def live(url: str, word: str = "right", timeout_s: int = 20, tls: Tls | None = None) -> Connection:
    return Connection(parse_address(url, tls=tls), Secret(word), connect_timeout_s=5, statement_timeout_s=timeout_s)


def closed_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def refused(connection: Connection) -> Db2Failure:
    with pytest.raises(Db2Failure) as failed, connection:
        pass
    assert failed.value.exit_status == EXIT_NO_CONNECTION
    return failed.value


def test_connections_that_fail(url: str) -> None:
    assert "user or password is wrong" in str(refused(live(url, "wrong")))
    assert "does not have database NOPE;" in str(refused(live(url.replace("SAMPLE", "NOPE"))))
    assert "does not find the alias" in str(refused(Connection(Address("NO_SUCH_ALIAS", {}, "bob"), Secret("x"))))
    begun = time.monotonic()
    assert "does not answer on this port" in str(refused(live(f"db2://bob@127.0.0.1:{closed_port()}/SAMPLE")))
    assert time.monotonic() - begun < 4, "the driver keeps trying a closed port"


@pytest.mark.parametrize("word", ["p{w", "p}w", "{pw}", '"pw"', "'pw'", "p=w", "p w", "kпароль", "--", "p%3Bw"])
def test_passwords_arrive_as_they_are(url: str, script: Script, word: str) -> None:
    script.password = word
    with live(url, word) as connection:
        connection.commit()
    assert set(script.passwords) == {word}


def test_describing_runs_nothing(url: str, script: Script) -> None:
    with live(url) as connection:
        assert connection.describe("SELECT 1") == [
            ("N", "int"),
            ("AMOUNT", "decimal"),
            ("AT", "timestamp"),
            ("TEXT", "clob"),
        ]
        with pytest.raises(Db2Failure, match=r"X\.UNKNOWN does not exist") as failed:
            connection.describe("SELECT UNKNOWN")
    assert (failed.value.sqlcode, failed.value.sqlstate) == (-204, "42704")
    assert script.ran() == []


def test_queries_statements_and_calls(url: str, script: Script) -> None:
    with live(url) as connection:
        assert list(connection.rows("SELECT ?", (5,))) == ROWS
        assert list(connection.rows("SELECT ?", (None,))) == ROWS
        assert connection.execute("UPDATE X") == 3
        connection.commit()
        sets = [ResultSet(("N", "AMOUNT"), [(1, Decimal("2.50"))]), ResultSet(("N",), [(7,), (8,)])]
        assert connection.call("APP.IN_ONLY", (1, None)) == ([], sets)
        assert connection.call("APP.OUT_FIRST", (Out("INTEGER"), 9)) == ([-40], sets)
    assert script.ran() == ["SELECT ? [5]", "SELECT ? [None]", "UPDATE X"]
    assert [line for line in script.log if line.startswith("call")] == ["call [1, None]", "call [0, 9]"]


def test_a_statement_that_takes_too_long(url: str) -> None:
    with live(url, timeout_s=1) as connection, pytest.raises(Db2Failure, match="--statement-timeout"):
        list(connection.rows("SELECT SLOWLY"))


def test_a_query_whose_connection_is_lost(url: str, script: Script) -> None:
    script.drops = 1
    with live(url) as connection:
        assert list(connection.rows("SELECT DROPPED")) == ROWS
        seen = 0
        with pytest.raises(Db2Failure) as failed:
            for _ in connection.rows("SELECT BROKEN OFF"):
                seen += 1
        assert failed.value.dropped
        assert 0 < seen <= 20000
        assert list(connection.rows("SELECT AFTER")) == ROWS
    assert len(script.ran()) == 4


def test_the_driver_does_not_repeat_a_change(url: str, script: Script) -> None:
    with live(url) as connection, pytest.raises(Db2Failure) as failed:
        connection.execute("UPDATE DROPPED")
    assert failed.value.dropped
    assert script.ran() == ["UPDATE DROPPED"]


@pytest.fixture(name="certificate", scope="module")
def fixture_certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a self-signed certificate for localhost, and its key."""
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("there is no openssl to make a certificate with")
    folder = tmp_path_factory.mktemp("tls")
    names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]
    files = ["-keyout", str(folder / "key.pem"), "-out", str(folder / "cert.pem")]
    subprocess.run(
        [openssl, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", *names, *files],
        check=True,
        capture_output=True,
    )
    return folder / "cert.pem"


@pytest.mark.parametrize(
    ("host", "given", "check_host", "said"),
    [
        ("localhost", True, True, None),
        ("127.0.0.1", True, False, None),
        ("127.0.0.1", True, True, "does not name the host 127.0.0.1"),
        ("localhost", False, True, "certificate is not trusted"),
    ],
)
def test_encryption(
    script: Script, certificate: Path, host: str, given: bool, check_host: bool, said: str | None
) -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, certificate.with_name("key.pem"))
    tls = Tls(True, certificate if given else None, check_host)
    with Server(script, tls=context) as server:
        connection = live(f"db2://bob@{host}:{server.port}/SAMPLE", tls=tls)
        if said is None:
            with connection:
                assert list(connection.rows("SELECT 1")) == ROWS
        else:
            assert said in str(refused(connection))


# --- the options of a command -------------------------------------------------------------------------------


@click.command()
@connection_options()
def command(connect: Connect) -> None:
    """Count the rows of a query."""
    with connect() as connection:
        click.echo(f"{connection!r} {len(list(connection.rows('SELECT 1')))} rows")


def test_options(url: str, script: Script, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(password.VARIABLE, "right")
    done = CliRunner().invoke(command, ["--database", url])
    assert done.output == f"Connection({url.rpartition('@')[2]}) 2 rows\n"
    monkeypatch.delenv(password.VARIABLE)
    given = ["--database", url.replace("bob@", ""), "--user", "bob"]
    given += ["--password-fd", str(descriptor_with(b"right\n"))]
    assert CliRunner().invoke(command, given).exit_code == 0
    nobody = CliRunner().invoke(command, ["--database", url.replace("bob@", "bob:right@")])
    assert isinstance(nobody.exception, UserError)
    assert script.passwords == ["right", "right"]


def test_database_is_required_unless_the_command_waives_it() -> None:
    assert "--database" in CliRunner().invoke(command, []).output
    optional = click.command()(connection_options(required=False)(lambda connect: click.echo(f"connect {connect}")))
    assert CliRunner().invoke(optional, []).output == "connect None\n"


def test_help_loads_no_driver() -> None:
    code = (
        "import sys, click; from advisor.cli.connection import connection_options\n"
        "try: click.command()(connection_options()(lambda connect: None))(['--help'])\n"
        "except SystemExit: print(*sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "--password-fd" in done.stdout
    assert not {"ibm_db", "keyring", "advisor.db2.connection"} & set(done.stdout.splitlines()[-1].split())
