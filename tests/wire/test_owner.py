"""Schema TUNE belongs to its installing user: nothing in it is installed, called or read while another user can change it."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from advisor.catalogue.sqltext import remove_comments
from advisor.doctor.probe import Probe
from tests.standin.backend import OWNER, PASSWORD, User
from tests.standin.objects.definitions import Name
from tests.standin.objects.reflection import REFLECTED
from tests.wire.conftest import CAPTURES, Server, standin
from tests.wire.nights import Nights

DBA = OWNER.upper()
USERS = {OWNER: User(PASSWORD, is_sysadm=True), "eve": User("eve", frozenset({"CONNECT"}))}
CREATED = "CREATE SCHEMA TUNE"
EVE_CREATES = (CREATED, "GRANT CREATEIN ON SCHEMA TUNE TO USER EVE")
REVOKED = "REVOKE CREATEIN ON SCHEMA TUNE FROM USER EVE"


@pytest.fixture(scope="module")
def shared() -> Iterator[Server]:
    yield from standin(CAPTURES / "x445-8way", users=USERS)


@pytest.fixture
def server(shared: Server) -> Iterator[Server]:
    yield shared
    shared.say("CALL SYSPROC.ADMIN_DROP_SCHEMA('TUNE', NULL, 'ERRORS', 'ERRORS')")


def _say_as_eve(server: Server, *statements: str) -> None:
    with server.connect("eve", "eve") as connection:
        for statement in statements:
            connection.execute(statement)
        connection.commit()


def _reasons(server: Server) -> list[tuple[str, str | None]]:
    with server.connect() as connection:
        return [(row["FOUND"], row["COMMAND"]) for row in Probe(connection).rows("owner")]


def _assert_refused(server: Server, found: str) -> None:
    """Assert that the installation, its trial and the doctor all report the reason."""
    for arguments, status in ((("install",), 2), (("install", "--check"), 1), (("doctor",), 1)):
        done = server.tune(*arguments)
        assert done.exit_code == status, done.output
        assert found in " ".join(done.output.split())
    with server.connect() as connection:
        tables = "SELECT COUNT(*) FROM SYSCAT.TABLES WHERE TABSCHEMA = 'TUNE' AND OWNER = SESSION_USER"
        assert list(connection.rows(tables)) == [(0,)]


def test_an_empty_schema_of_another_user_is_refused(server: Server) -> None:
    """The owner can drop the installer's objects and create others with their names."""
    server.say("CREATE SCHEMA TUNE AUTHORIZATION EVE")
    _assert_refused(server, "schema TUNE belongs to EVE: drop it or transfer it")
    assert _reasons(server)[0][1] == "DROP SCHEMA TUNE RESTRICT"


def test_a_schema_that_db2_created_implicitly_is_refused(server: Server) -> None:
    """c0005525: SYSIBM owns it, and PUBLIC has CREATEIN."""
    _say_as_eve(server, "CREATE TABLE TUNE.T (A INTEGER)", "DROP TABLE TUNE.T")
    _assert_refused(server, "schema TUNE belongs to SYSIBM: drop it or transfer it")
    assert (
        "PUBLIC holds CREATEIN on schema TUNE: revoke it",
        "REVOKE CREATEIN ON SCHEMA TUNE FROM PUBLIC",
    ) in _reasons(server)


@pytest.mark.parametrize(
    ("privilege", "holder", "shown"),
    [("CREATEIN", "PUBLIC", "PUBLIC"), ("ALTERIN", 'ROLE "TUNER"', "role TUNER"), ("DROPIN", 'USER "EVE"', "user EVE")],
)
def test_a_privilege_on_the_schema_is_refused(server: Server, privilege: str, holder: str, shown: str) -> None:
    server.say(CREATED)
    if "ROLE" in holder:
        server.say("CREATE ROLE TUNER")
    server.say(f"GRANT {privilege} ON SCHEMA TUNE TO {holder}")
    found = f"{shown} holds {privilege} on schema TUNE: revoke it"
    command = f"REVOKE {privilege} ON SCHEMA TUNE FROM {holder}"
    assert _reasons(server) == [(found, command)]
    server.say(command)
    assert _reasons(server) == []


def test_a_role_named_like_the_installer_is_refused(server: Server) -> None:
    server.say(CREATED)
    server.say(f"CREATE ROLE {DBA}")
    server.say(f"GRANT CREATEIN ON SCHEMA TUNE TO ROLE {DBA}")
    assert [found for found, _ in _reasons(server)] == [f"role {DBA} holds CREATEIN on schema TUNE: revoke it"]
    server.say(f"DROP ROLE {DBA}")


def test_a_privilege_that_only_later_levels_have_is_refused(server: Server) -> None:
    """INSERTIN, 11.5: its holder can insert into the table of columns to collect."""
    server.say(CREATED)
    server.say("GRANT INSERTIN ON SCHEMA TUNE TO USER EVE")
    assert _reasons(server) == [("user EVE holds a privilege on schema TUNE: revoke it", None)]


@pytest.mark.parametrize(
    ("statements", "found"),
    [
        (["CREATE SEQUENCE TUNE.S"], "sequence TUNE.S"),
        (["CREATE VARIABLE TUNE.V INTEGER"], "variable TUNE.V"),
        (["CREATE TABLE TUNE.T (A INTEGER)"], "table TUNE.T"),
        (["CREATE VIEW TUNE.W (A) AS VALUES 1"], "view TUNE.W"),
        (["CREATE TABLE EVE.T (A INTEGER)", "CREATE ALIAS TUNE.COLLECT FOR EVE.T"], "alias TUNE.COLLECT"),
        (["CREATE TABLE EVE.U (A INTEGER)", "CREATE INDEX TUNE.X ON EVE.U (A)"], "index TUNE.X"),
        (["CREATE PROCEDURE TUNE.ADVISE (IN A INTEGER) LANGUAGE SQL BEGIN END"], "routine TUNE.ADVISE"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_an_object_of_another_user_is_refused(server: Server, statements: list[str], found: str) -> None:
    for statement in EVE_CREATES:
        server.say(statement)
    _say_as_eve(server, *statements)
    server.say(REVOKED)
    assert _reasons(server) == [(f"EVE owns {found}: drop it or transfer it", None)]


@pytest.mark.parametrize(("kind", "rest"), [("sequence", ""), ("table", "(A INTEGER)")])
def test_one_object_of_another_user_stops_the_installer(server: Server, kind: str, rest: str) -> None:
    for statement in EVE_CREATES:
        server.say(statement)
    _say_as_eve(server, f"CREATE {kind} TUNE.S {rest}")
    server.say(REVOKED)
    _assert_refused(server, f"EVE owns {kind} TUNE.S: drop it or transfer it")


@pytest.mark.parametrize(
    ("view", "row", "found"),
    [
        ("DATATYPES", {"TYPESCHEMA": "TUNE", "TYPENAME": "D", "OWNER": "EVE"}, "type TUNE.D"),
        ("MODULES", {"MODULESCHEMA": "TUNE", "MODULENAME": "M", "OWNER": "EVE"}, "module TUNE.M"),
        ("TRIGGERS", {"TRIGSCHEMA": "TUNE", "TRIGNAME": "G", "OWNER": "EVE", "TABSCHEMA": "EVE"}, "trigger TUNE.G"),
        ("TRIGGERS", {"TRIGSCHEMA": "EVE", "TRIGNAME": "G", "OWNER": "EVE", "TABSCHEMA": "TUNE"}, "trigger EVE.G"),
        ("PACKAGES", {"PKGSCHEMA": "TUNE", "PKGNAME": "P", "OWNER": "EVE"}, "package TUNE.P"),
        ("DATATYPES", {"TYPESCHEMA": "TUNE", "TYPENAME": "D", "OWNER": "SYSIBM"}, None),
        ("DATATYPES", {"TYPESCHEMA": "TUNE", "TYPENAME": "D", "OWNER": DBA}, None),
        ("DATATYPES", {"TYPESCHEMA": "EVE", "TYPENAME": "D", "OWNER": "EVE"}, None),
    ],
)
def test_an_object_that_only_the_catalog_shows_is_refused(
    server: Server, monkeypatch: pytest.MonkeyPatch, view: str, row: dict[str, str], found: str | None
) -> None:
    """Kinds of objects that the fake server does not create."""
    monkeypatch.setitem(REFLECTED, Name("SYSCAT", view), lambda _: [row])
    server.say(CREATED)
    assert _reasons(server) == ([(f"EVE owns {found}: drop it or transfer it", None)] if found else [])


def test_objects_of_another_user_are_one_reason(server: Server) -> None:
    for statement in EVE_CREATES:
        server.say(statement)
    _say_as_eve(server, "CREATE SEQUENCE TUNE.S", "CREATE SEQUENCE TUNE.R", "CREATE VARIABLE TUNE.V INTEGER")
    server.say(REVOKED)
    assert _reasons(server) == [("EVE owns sequence TUNE.R and 2 more: drop or transfer them", None)]


@pytest.mark.parametrize("create", [CREATED, f"CREATE SCHEMA TUNE AUTHORIZATION {DBA}"])
def test_a_schema_of_the_installer_is_accepted(server: Server, create: str) -> None:
    server.say(create)
    server.say("CREATE SEQUENCE TUNE.S")
    assert _reasons(server) == []


# --- every command, while a stranger has made the schema ------------------------------------------------------

STRANGE = (
    "CREATE TABLE TUNE.VERSION (VERSION VARCHAR(20), INSTALLED_AT TIMESTAMP, INSTALLED_BY VARCHAR(128))",
    "CREATE TABLE TUNE.HOSTFACT (HOST VARCHAR(255), FACT_KEY VARCHAR(60), ITEM VARCHAR(300), VALUE VARCHAR(1024))",
    "CREATE TABLE TUNE.RUN (RUN_ID INTEGER, FINISHED_AT TIMESTAMP)",
    "CREATE PROCEDURE TUNE.ADVISE () LANGUAGE SQL BEGIN END",
)
COMMANDS: tuple[tuple[str, ...], ...] = (
    ("advise", "--in-database"),
    ("advise", "--in-database", "--run", "last"),
    ("accept", "log.buffer-full", "*", "--reason", "known"),
    ("hostfacts", "--load", "FACTS"),
    ("options",),
    ("doctor",),
    ("install",),
    ("install", "--check"),
    ("uninstall", "--yes"),
    ("selftest", "-o", "OUTPUT"),
    ("advise", "--interval", "0"),
)
FACTS = "[host.ibmserv.device.sda]\nstrip_kb = 64\n"


@pytest.fixture(scope="module")
def strange() -> Iterator[Server]:
    """Return a server whose schema TUNE a user with the default rights of PUBLIC has made."""
    for server in standin(CAPTURES / "x445-8way", users=USERS):
        _say_as_eve(server, *STRANGE)
        yield server


@contextmanager
def _assert_untouched(server: Server) -> Iterator[None]:
    """Assert that no statement that the block sends names an object of schema TUNE."""
    assert server.standin is not None
    server.say("FLUSH PACKAGE CACHE DYNAMIC")
    with server.standin.backend.database.ledger.compiled() as sent:
        yield
    assert sent
    assert [text for text in sent if re.search(r"\bTUNE\.\w", remove_comments(text))] == []


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_command_runs_nothing_in_a_strangers_schema(strange: Server, tmp_path: Path, command: tuple[str, ...]) -> None:
    (tmp_path / "facts.toml").write_text(FACTS, encoding="utf-8")
    files = {"FACTS": str(tmp_path / "facts.toml"), "OUTPUT": str(tmp_path / "selftest.json")}
    with _assert_untouched(strange):
        done = strange.tune(*(files.get(word, word) for word in command))
    if command[:2] == ("advise", "--interval"):
        assert done.exit_code == 0, done.output  # without the host facts of a stranger
    else:
        assert done.exit_code in {1, 3}, done.output
        assert "SYSIBM owns schema TUNE" in done.output or command[0] == "selftest"


def test_nightly_job_runs_nothing_in_a_strangers_schema(strange: Server, tmp_path: Path) -> None:
    nights = Nights(tmp_path, {"one": strange}, one="in_database = true\n")
    with _assert_untouched(strange):
        (outcome,) = nights.run().outcomes
    assert "SYSIBM owns schema TUNE" in str(outcome.error)


def test_strangers_object_in_the_callers_schema_is_named(server: Server) -> None:
    for statement in EVE_CREATES:
        server.say(statement)
    _say_as_eve(server, STRANGE[-1])
    server.say(REVOKED)
    with _assert_untouched(server):
        done = server.tune("advise", "--in-database")
    assert (done.exit_code, "EVE owns routine TUNE.ADVISE, so" in done.output) == (3, True), done.output


def test_installation_of_a_schema_owner_serves_others(server: Server) -> None:
    """Only a DBADM can create a schema for a user: c0005525."""
    server.say("CREATE SCHEMA TUNE AUTHORIZATION EVE")
    _say_as_eve(server, "CREATE TABLE TUNE.RUN (RUN_ID INTEGER)")
    with server.connect() as connection:
        assert list(connection.rows("SELECT RUN_ID FROM TUNE.RUN")) == []
