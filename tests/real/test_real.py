"""A real server (DB2TUNE_TEST_URL, password in DB2TUNE_PASSWORD), installed once for all tests: ``make test-db2``.

The same tests run against the fake server, so that a failure on Db2 is a difference between the two.
"""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from advisor.capture.manifest import read_manifest
from advisor.db2.connection import Out
from advisor.db2.failures import Db2Failure
from tests.support.paths import CAPTURES
from tests.wire.conftest import URL, Server, standin

ABSENT = pytest.mark.skipif(URL not in os.environ, reason=f"{URL} names no server")
SERVERS = [pytest.param("fake", marks=pytest.mark.full), pytest.param("real", marks=[pytest.mark.real, ABSENT])]
LEFT = "SELECT COUNT(*) FROM SYSCAT.SCHEMATA WHERE SCHEMANAME = 'TUNE'"
OPTION = "SELECT VALUE FROM TUNE.OPTION WHERE RULE = 'site' AND NAME = 'keep_days'"


@pytest.fixture(scope="session", params=SERVERS)
def server(request: pytest.FixtureRequest) -> Iterator[Server]:
    """Return the server with schema TUNE, and remove the schema at the end."""
    with _open(request.param) as server:
        done = server.tune("install")
        assert done.exit_code == 0, done.output
        yield server
        done = server.tune("uninstall", "--yes")
        assert done.exit_code == 0, done.output
        assert _rows(server, LEFT) == [(0,)]


@contextmanager
def _open(kind: str) -> Iterator[Server]:
    if kind == "real":
        yield Server(os.environ[URL], os.environ["DB2TUNE_PASSWORD"])
    else:
        yield from standin(CAPTURES / "webshop")


def _rows(server: Server, query: str) -> list[tuple[Any, ...]]:
    with server.connect() as connection:
        return list(connection.rows(query))


def _call(server: Server, name: str, *arguments: Any) -> list[list[tuple[Any, ...]]]:
    with server.connect(timeout_s=900) as connection:
        _, sets = connection.call(name, arguments, 900)
        connection.commit()
        return [found.rows for found in sets]


def _advise(server: Server, path: Path, *options: str) -> set[tuple[str, str]]:
    done = server.tune("advise", "--interval", "0", "--all", "-o", str(path), *options)
    assert done.exit_code == 0, done.output
    found = json.loads(path.read_text(encoding="utf-8"))["recommendations"]
    return {(item["rule"], str(item["object"])) for item in found}


def test_doctor_finds_the_installation(server: Server) -> None:
    done = server.tune("doctor")
    assert done.exit_code == 0, done.output


def test_capture_has_every_source(server: Server, tmp_path: Path) -> None:
    done = server.tune("capture", "--interval", "2", "-o", str(tmp_path / "taken"))
    assert done.exit_code == 0, done.output
    manifest = read_manifest(tmp_path / "taken")
    assert (len(manifest.snapshots), manifest.not_collected) == (2, {})


def test_no_rule_is_refused(server: Server) -> None:
    procedures = "SELECT ROUTINENAME FROM SYSCAT.ROUTINES WHERE ROUTINESCHEMA = 'TUNE'"
    assert _rows(server, f"SELECT RULE FROM TUNE.RULE_TEXT WHERE PROCEDURE_NAME NOT IN ({procedures})") == []


def test_check_of_an_upgrade_refuses_nothing(server: Server) -> None:
    done = server.tune("install", "--check")
    assert done.exit_code == 0, done.output


def test_upgrade_keeps_options(server: Server) -> None:
    _call(server, "TUNE.SET_OPTION", "site", "keep_days", "7")
    done = server.tune("install")
    assert done.exit_code == 0, done.output
    assert [str(value).strip() for (value,) in _rows(server, OPTION)] == ["7"]


def test_advise_lists_changes_that_explain_knows(server: Server) -> None:
    lines, listed, *_ = _call(server, "TUNE.ADVISE", None, None, "ACTIVATION")
    assert str(lines[0][0]).startswith("Tuning advice for ")
    assert max(len(str(row[0]).encode()) for row in lines) <= 78
    assert listed
    ((run,),) = _rows(server, "SELECT MAX(RUN_ID) FROM TUNE.ADVICE_LIST WHERE RANK = 1")
    assert _call(server, "TUNE.EXPLAIN", run, 1)[0]


def test_advice_is_the_same_inside_and_outside(server: Server, tmp_path: Path) -> None:
    inside = _advise(server, tmp_path / "inside.json", "--in-database")
    assert inside == _advise(server, tmp_path / "outside.json", "--no-keep")


def test_bad_arguments_have_their_states(server: Server) -> None:
    for state, name, *arguments in (
        ("70001", "TUNE.ADVISE", "no such area"),
        ("70021", "TUNE.SET_OPTION", "site", "no such option", "1"),
        ("70051", "TUNE.PURGE", 0),
    ):
        with pytest.raises(Db2Failure) as refused:
            _call(server, name, *arguments)
        assert refused.value.sqlstate == state


def test_schedule_adds_a_task_or_names_the_remedy(server: Server) -> None:
    try:
        _call(server, "TUNE.SCHEDULE", "0 2 * * *")
    except Db2Failure as failure:
        assert failure.sqlstate in {"70042", "70043"}
    else:
        assert ("TUNE.ADVISE",) in _rows(server, "SELECT NAME FROM SYSTOOLS.ADMIN_TASK_LIST")
        _call(server, "TUNE.UNSCHEDULE")


def test_purge_keeps_the_last_day(server: Server) -> None:
    with server.connect() as connection:
        connection.call("TUNE.SNAPSHOT", [Out("INTEGER")])
        connection.commit()
    _call(server, "TUNE.PURGE", 1)
    assert _rows(server, "SELECT COUNT(*) FROM TUNE.SNAPSHOT") != [(0,)]


def test_setting_is_changed_and_restored(server: Server) -> None:
    query = "SELECT VALUE FROM SYSIBMADM.DBCFG WHERE NAME = 'seqdetect'"
    before = _rows(server, query)[0][0]
    for value in ("NO" if before == "YES" else "YES", before):
        _call(server, "SYSPROC.ADMIN_CMD", f"UPDATE DB CFG USING SEQDETECT {value}")
        assert _rows(server, query)[0][0] == value


def test_indexes_are_proposed_from_the_catalog(server: Server) -> None:
    done = server.tune("indexes", "--interval", "0")
    assert done.exit_code == 0, done.output


def test_wrong_password_is_one_line(server: Server) -> None:
    done = server.tune("doctor", password="not the password")
    assert done.exit_code == 3
    assert "not the password" not in done.output
