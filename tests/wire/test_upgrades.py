"""The upgrade of an earlier state of the project: the history is preserved, and all objects match their declaration.

``upgrade.sql.xz`` is the script of that state. Today's fake server refuses two of its rule views.
"""

import lzma
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from advisor.catalogue.sources import all_sources
from advisor.db2.connection import Connection, Out
from advisor.db2.failures import Db2Failure
from advisor.install.statements import install_statements
from tests.support.clp import read
from tests.wire.conftest import CAPTURES, Server, standin

pytestmark = pytest.mark.full

SCRIPT = Path(__file__).with_name("upgrade.sql.xz")
SHAPE = "SELECT TABNAME, COLNAME, TYPENAME, LENGTH, NULLS, KEYSEQ FROM SYSCAT.COLUMNS WHERE TABSCHEMA = 'TUNE'"
HISTORY = (
    "SELECT SNAP_ID, TAKEN_AT, DB_NAME FROM TUNE.SNAPSHOT",
    "SELECT RUN_ID, BEGIN_ID, END_ID FROM TUNE.RUN",
    "SELECT RUN_ID, RULE, OBJECT_NAME FROM TUNE.M_ADVICE",
    "SELECT SNAP_ID, TBSP_NAME, TBSP_PAGE_SIZE FROM TUNE.S_TABLESPACE",
    "SELECT RULE, OBJECT_PATTERN, REASON FROM TUNE.ACCEPTED",
    "SELECT VALUE FROM TUNE.OPTION WHERE RULE = 'site' AND NAME = 'floor_pct'",
)
_CREATED = re.compile(r"CREATE TABLE TUNE\.(\w+) \((.*)\)", re.DOTALL)
_COLUMN = re.compile(
    r"(?:^|, |\n) *(?P<name>[A-Z]\w*) (?P<type>[A-Z]+)(?:\((?P<length>\d+)[\d, ]*\))?(?= NOT NULL|,|\n|$)"
)
_OF_A_RULE = re.compile(r"(?:CREATE OR REPLACE VIEW|COMMENT ON TABLE) TUNE\.R_")
CATALOG = {"CHAR": "CHARACTER"}


@dataclass(frozen=True)
class Upgraded:
    server: Server
    before: list[list[tuple[object, ...]]]
    after: list[list[tuple[object, ...]]]


def _install(connection: Connection, statement: str) -> None:
    """Run the script; a refused rule is skipped, as in the installer, and any other refusal fails."""
    try:
        connection.execute(statement)
    except Db2Failure:
        if not _OF_A_RULE.match(statement):
            raise


def _history(connection: Connection) -> list[list[tuple[object, ...]]]:
    return [sorted(connection.rows(query), key=str) for query in HISTORY]


@pytest.fixture(scope="module")
def upgraded(compiled: None) -> Iterator[Upgraded]:
    with contextmanager(standin)(CAPTURES / "x445-8way") as server:
        with server.connect() as connection:
            for statement in read(lzma.decompress(SCRIPT.read_bytes()).decode(), "@"):
                _install(connection, statement)
            connection.call("TUNE.SNAPSHOT", [Out("INTEGER")])
            connection.commit()
            server.advance(300)
            connection.call("TUNE.ADVISE", [])
            connection.call("TUNE.ACCEPT", ["log.buffer-full", "*", "known", None])
            connection.call("TUNE.SET_OPTION", ["site", "floor_pct", "0.7"])
            connection.commit()
            before = _history(connection)
        done = server.tune("install")
        assert (done.exit_code, "cannot run" in done.output) == (0, False), done.output
        with server.connect() as connection:
            yield Upgraded(server, before, _history(connection))


def test_history_options_and_accepted_risks_stay(upgraded: Upgraded) -> None:
    assert all(upgraded.before)
    assert upgraded.after == upgraded.before


def test_every_column_is_as_it_is_declared(upgraded: Upgraded) -> None:
    """Texts longer than declared may stay; r0000888 does not shorten columns that contain rows."""
    with upgraded.server.connect() as connection:
        found = {(table, name): (kind, length) for table, name, kind, length, *_ in connection.rows(SHAPE)}
    wrong = []
    for (table, name), (kind, length) in _declared().items():
        has, size = found.get((table, name), ("missing", 0))
        if has != kind or size < length:
            wrong.append(f"{table}.{name}: {has}({size}) for {kind}({length})")
    assert wrong == []


def _declared() -> dict[tuple[str, str], tuple[str, int]]:
    """Return type and minimum length of each column of a table that the installation creates and keeps."""
    columns = {}
    texts = [statement.text for statement in install_statements()]
    for text in texts:
        created = _CREATED.search(text)
        if created and f"DROP TABLE TUNE.{created[1]}" not in texts:
            for column in _COLUMN.finditer(created[2]):
                is_text = column["type"] in ("VARCHAR", "CHAR", "CLOB")
                kind = CATALOG.get(column["type"], column["type"])
                columns[created[1], column["name"]] = kind, int(column["length"] or 0) if is_text else 0
    assert {f"S_{name.upper()}" for name in all_sources()} <= {table for table, _ in columns}
    return columns


def test_what_a_run_computes_fits_its_table(upgraded: Upgraded) -> None:
    with upgraded.server.connect() as connection:
        columns: dict[str, dict[str, tuple[str, int]]] = {}
        for table, name, kind, length, *_ in connection.rows(SHAPE):
            columns.setdefault(table, {})[name] = kind, length
    computed = {name for name in columns if name.startswith("C_")}
    assert computed
    for view in computed:
        table = columns[f"M_{view.removeprefix('C_')}"]
        for name, (kind, length) in columns[view].items():
            assert table[name][0] == kind, f"{view}.{name}"
            assert table[name][1] >= length, f"{view}.{name}"


def test_reloaded_tables_contain_nothing_else(upgraded: Upgraded) -> None:
    """An old NOT NULL column would refuse the new rows (SQL0407N)."""
    loaded = set(re.findall(r"^DELETE FROM TUNE\.(\w+)$", "\n".join(one.text for one in install_statements()), re.M))
    with upgraded.server.connect() as connection:
        extra = {(table, name) for table, name, *_ in connection.rows(SHAPE) if table in loaded} - {*_declared()}
    assert loaded
    assert extra == set()


def test_views_and_procedures_compile(upgraded: Upgraded) -> None:
    views = set(
        re.findall(r"^CREATE OR REPLACE VIEW TUNE\.(\w+)", "\n".join(o.text for o in install_statements()), re.M)
    )
    with upgraded.server.connect() as connection:
        valid = {name for (name,) in connection.rows(
            "SELECT VIEWNAME FROM SYSCAT.VIEWS WHERE VIEWSCHEMA = 'TUNE' AND VALID = 'Y'")}  # fmt: skip
        twice = list(connection.rows("SELECT ROUTINENAME FROM SYSCAT.ROUTINES WHERE ROUTINESCHEMA = 'TUNE'"
                                     " GROUP BY ROUTINENAME HAVING COUNT(*) > 1"))  # fmt: skip
    assert views - valid == set()
    assert twice == []


def test_advise_goes_on_with_the_history(upgraded: Upgraded) -> None:
    upgraded.server.advance(300)
    with upgraded.server.connect() as connection:
        connection.call("TUNE.ADVISE", [])
        connection.commit()
        (begins, ends), *_ = connection.rows("SELECT BEGIN_ID, END_ID FROM TUNE.RUN ORDER BY RUN_ID DESC")
        last = max(int(str(row[0])) for row in upgraded.before[0])
        assert (begins, ends) == (last, last + 1)
        failed = "SELECT PLACE, MESSAGE FROM TUNE.ERROR WHERE RUN_ID = (SELECT MAX(R.RUN_ID) FROM TUNE.RUN AS R)"
        assert list(connection.rows(failed)) == []
        assert [row for query in HISTORY[:4] for row in connection.rows(query)]
