"""``db2tune selftest`` over the wire: it tries everything, leaves nothing, and writes no site names to its file."""

import csv
import json
import re
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from advisor.anonymize.names import table
from advisor.catalogue.sources import all_sources
from advisor.install.origins import find_created_object
from advisor.install.statement import COMMIT
from advisor.install.statements import install_statements
from advisor.resources import data_file
from advisor.selftest import run
from advisor.selftest.run import list_rejected
from tests.support.paths import ROOT
from tests.wire.conftest import CAPTURES, Server, standin

pytestmark = pytest.mark.full

MACHINE = CAPTURES / "x445-8way"
REFUSED = "TUNE.R_CONFIG_MONITORING_OFF"
CALLED = {  # the list in docs/in-the-database.md
    *("ADVISE", "SNAPSHOT", "EXPLAIN", "REPORT", "COMPARE", "ACCEPT", "SET_OPTION", "SET_HOSTFACTS", "SCHEDULE"),
    *("UNSCHEDULE", "PURGE"),
}
NAMES = {  # columns that anonymize/columns.csv declares as names
    *("application", "bufferpool", "database", "filesystem", "group", "host", "index", "package", "path", "query"),
    *("schema", "stogroup", "table", "tablespace", "user", "workload"),
}


@dataclass(frozen=True)
class Outcome:
    status: int
    text: str
    left: int
    tasks: int

    @property
    def document(self) -> dict[str, Any]:
        return dict(json.loads(self.text))

    def entries(self, part: str) -> dict[str, dict[str, Any]]:
        return {entry["name"]: entry for entry in self.document[part]}


def _number(server: Server, query: str) -> int:
    with server.connect() as connection:
        return int(next(iter(connection.rows(query)))[0])


@pytest.fixture(scope="module")
def tested(compiled: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Outcome]:
    """Return a server without schema TUNE that refuses one view and one function, with names in the messages."""
    file = tmp_path_factory.mktemp("selftest") / "selftest.json"
    with contextmanager(standin)(MACHINE) as server:
        server.say(
            f"CALL STANDIN.FAIL('refuse', 'CREATE OR REPLACE PROCEDURE {REFUSED}', '-551 42501 SCOTT SELECT PAYROLL')"
        )
        server.say("CALL STANDIN.FAIL('sqlcode', 'MON_GET_FCM', '-551 42501 SCOTT EXECUTE MON_GET_FCM')")
        done = server.tune("selftest", "-o", str(file))
        assert done.exception is None or isinstance(done.exception, SystemExit), done.output
        left = _number(server, "SELECT COUNT(*) FROM SYSCAT.TABLES WHERE TABSCHEMA = 'TUNE'")
        left += _number(server, "SELECT COUNT(*) FROM SYSCAT.ROUTINES WHERE ROUTINESCHEMA = 'TUNE'")
        tasks = _number(server, "SELECT COUNT(*) FROM SYSTOOLS.ADMIN_TASK_LIST")
    yield Outcome(done.exit_code, file.read_text(encoding="utf-8"), left, tasks)


def test_nothing_stays(tested: Outcome) -> None:
    """r0000992: ROLLBACK undoes DDL; r0054372: it also undoes a task."""
    assert (tested.left, tested.tasks) == (0, 0)
    assert (tested.document["ended"], tested.document["installed"]) == (None, None)


def test_everything_is_tried(tested: Outcome) -> None:
    statements = [one for one in install_statements() if one != COMMIT]
    views = [find_created_object(each) for each in statements if each.text.startswith("CREATE OR REPLACE VIEW")]
    own = {name for name, source in all_sources().items() if not source.db2_object.startswith("TUNE.")}
    assert set(tested.entries("sources")) == own
    assert [entry["number"] for entry in tested.document["installation"]] == [*range(1, len(statements) + 1)]
    assert set(tested.entries("views")) == set(views)
    assert set(tested.entries("calls")) == CALLED
    assert set(tested.entries("settings")) == {row["QUERY"] for row in data_file("selftest", "samples")}
    for part in ("sources", "installation", "views", "calls", "settings", "cost at the end"):
        assert all(entry["ms"] >= 0 for entry in tested.document[part])


def test_what_came_of_it_is_counted(tested: Outcome) -> None:
    pools = tested.entries("sources")["bufferpool"]
    assert pools["rows"] > 0
    assert pools["ms"] >= pools["describe_ms"] >= 0
    assert tested.entries("views")["TUNE.ADVICE"]["bytes"] > tested.entries("views")["TUNE.ADVICE"]["columns"] > 0
    assert [each["rows"] > 0 for each in tested.entries("calls")["ADVISE"]["result_sets"]] == [True, True]
    assert tested.entries("settings")["dbcfg"]["known"] > 0
    costs = tested.entries("cost at the end")
    assert set(costs) == {"unit_of_work", "log", "locks", "package_cache", "sections", "compilation"}
    assert costs["log"]["bytes"] > 0
    assert {"instance", "product", "system", "setting", "tablespace"} <= {
        e["question"] for e in tested.document["server"]
    }


def test_what_was_refused_has_its_codes(tested: Outcome) -> None:
    assert tested.status == 1
    by_view = {entry["makes"]: entry for entry in tested.document["installation"]}
    assert (by_view[REFUSED]["sqlcode"], by_view[REFUSED]["sqlstate"]) == ("SQL0551N", "42501")
    assert by_view[REFUSED]["source"].startswith("sql/rules/config/monitoring-off.sql:")
    assert by_view[REFUSED]["tokens"] == ["?", "SELECT", "?"]
    assert tested.entries("sources")["fcm"]["sqlcode"] == "SQL0551N"
    assert tested.entries("sources")["fcm"]["tokens"] == ["?", "?", "MON_GET_FCM"]


def _names_of_the_machine() -> set[str]:
    """Return the fixture's names of objects, hosts, users and paths that are not common words of Db2 or db2tune."""
    ours = set(re.findall(r"\w+", " ".join(each.text for each in install_statements())))
    with (ROOT / "advisor" / "anonymize" / "keep.csv").open(encoding="utf-8", newline="") as file:
        ours |= {value for row in csv.reader(file) for value in row}
    columns = [(row["SOURCE"], row["COLUMN"]) for row in table("columns") if row["TREATMENT"] in NAMES]
    found: set[str] = set()
    for source, column in columns:
        path = MACHINE / f"{source}.csv"
        if path.is_file():
            with path.open(encoding="utf-8", newline="") as file:
                found |= {row[column] for row in csv.DictReader(file) if row.get(column)}
    return {name for name in found - ours if len(name) > 2}


def test_no_name_of_the_site_is_in_it(tested: Outcome) -> None:
    names = _names_of_the_machine()
    assert {"EMPLOYEE_TABLE", "ibmserv"} <= names
    assert [name for name in sorted({*names, "SCOTT", "PAYROLL", "db2inst1", "HRDB"}) if name in tested.text] == []


def test_installed_schema_is_the_one_that_is_tried(installed: Server, tmp_path: Path) -> None:
    if installed.standin is None:
        pytest.skip("counts what the stand-in holds")
    file = tmp_path / "selftest.json"
    installed.tune("selftest", "-o", str(file))
    document = json.loads(file.read_text(encoding="utf-8"))
    assert document["installed"]
    assert "installation" not in document
    views = _number(installed, "SELECT COUNT(*) FROM SYSCAT.VIEWS WHERE VIEWSCHEMA = 'TUNE'")
    assert len(document["views"]) == views > 150
    assert _number(installed, "SELECT COUNT(*) FROM TUNE.SNAPSHOT") == 0


def test_selftest_with_too_little_log_refuses(steered: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "estimate_log", lambda _: 10**9)
    done = steered.tune("selftest", "-o", str(tmp_path / "selftest.json"))
    assert done.exit_code == 2, done.output
    assert "needs about 953 MB of log in one unit of work, and 57 MB are free" in done.output
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("kind", "what", "how", "code", "part"),
    [
        ("drop", "MON_GET_CONTAINER", "", "SQL30081N", "sources"),
        ("refuse", "CREATE TABLE TUNE.COLLECT ", "-964 57011", "SQL0964C", "installation"),
    ],
)
def test_what_was_found_until_it_ended_is_written(
    steered: Server, tmp_path: Path, kind: str, what: str, how: str, code: str, part: str
) -> None:
    steered.say(f"CALL STANDIN.FAIL('{kind}', '{what}', '{how}')")
    file = tmp_path / "selftest.json"
    done = steered.tune("selftest", "-o", str(file))
    assert done.exit_code == 1, done.output
    assert f"The test ended early, by {code}" in done.output
    document = json.loads(file.read_text(encoding="utf-8"))
    assert document["ended"] == code
    assert len(document[part]) > 1
    assert "calls" not in document


def test_selftest_while_others_work_finds_the_same(tested: Outcome, tmp_path: Path) -> None:
    """The result and the state afterwards are the same as on a quiet server."""
    file, ended = tmp_path / "busy.json", threading.Event()

    def work(server: Server) -> int:
        done = 0
        with server.connect() as connection:
            while not ended.wait(0.05):
                list(connection.rows("SELECT TABNAME FROM SYSCAT.TABLES"))
                connection.commit()
                done += 1
        return done

    with contextmanager(standin)(MACHINE) as server, ThreadPoolExecutor(3) as pool:
        busy = [pool.submit(work, server) for _ in range(3)]
        try:
            result = server.tune("selftest", "-o", str(file))
        finally:
            ended.set()
        assert min(each.result() for each in busy) > 0
        assert result.exit_code in {0, 1}, result.output
        assert _number(server, "SELECT COUNT(*) FROM SYSCAT.SCHEMATA WHERE SCHEMANAME = 'TUNE'") == 0
    document = json.loads(file.read_text(encoding="utf-8"))
    assert document["ended"] is None
    assert {name for name in document if isinstance(document[name], list)} <= tested.document.keys()
    known = {(each.get("name"), each["sqlcode"]) for each in list_rejected(tested.document)}
    assert {(each.get("name"), each["sqlcode"]) for each in list_rejected(document)} <= known
