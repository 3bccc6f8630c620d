"""A plan's scripts on a server: the checks allow the change once, and the undo restores the machine."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from advisor.db2.connection import Connection
from advisor.db2.failures import Db2Failure
from advisor.judgement.run import advise
from advisor.plan.checks import STATE, Check, statements
from advisor.plan.scripts import texts
from advisor.plan.steps import Step, plan
from tests.support.carrying_out import difference
from tests.support.clp import run_script
from tests.wire.carrying_out import ThroughDriver, is_remote
from tests.wire.conftest import CAPTURES, Server, standin
from tests.wire.fixtures import kept

pytestmark = pytest.mark.full


@pytest.fixture
def fixture(request: pytest.FixtureRequest) -> Path:
    return CAPTURES / str(request.param)


@pytest.fixture
def server(fixture: Path) -> Iterator[Server]:
    yield from standin(fixture)


def _refused(connection: Connection, script: str) -> str:
    """Return the output of a script that stops at its check."""
    with pytest.raises(Db2Failure) as raised:
        run_script(connection, script)
    assert raised.value.sqlstate == STATE
    connection.rollback()
    return raised.value.message


def _in_sql(step: Step) -> bool:
    """Return whether a connection is enough for the step and its undo."""
    lines = [line for item in step.items for line in (*item.actions, *item.undo)]
    return all(is_remote(line) for line in lines)


@pytest.mark.parametrize(
    ("fixture", "batch"), [("x445-8way", False), ("linux-z-oltp", True)], indirect=["fixture"], ids=str
)
def test_there_and_back(server: Server, fixture: Path, batch: bool, tmp_path: Path) -> None:
    advice = advise(fixture)
    steps = [step for step in plan(advice, batch, everything=True) if _in_sql(step)]
    scripts = [texts(step, advice) for step in steps]
    before = kept(server)
    with server.connect() as connection:
        for script in scripts:
            _refused(connection, script["undo.sql"])
        assert difference(before, kept(server)) == []
        for script in scripts:
            run_script(connection, script["apply.sql"])
            assert '"expected ' in _refused(connection, script["apply.sql"])
        assert difference(before, kept(server)) != []
        for script in reversed(scripts):
            run_script(connection, script["undo.sql"])
        connection.call("STANDIN.RESTART")
    assert difference(before, kept(server)) == []


@pytest.mark.parametrize("fixture", ["x445-8way"], indirect=True)
@pytest.mark.parametrize(
    ("query", "name", "value", "meanwhile", "found"),
    [
        (
            *("dbcfg", "SORTHEAP", "256"),
            *("UPDATE DB CFG FOR HRDB DBPARTITIONNUM 3 USING SORTHEAP 512", "found 512: SORTHEAP on 3"),
        ),
        (*("dbcfg", "LOCKLIST", "AUTOMATIC"), *("UPDATE DB CFG FOR HRDB USING LOCKLIST AUTOMATIC", None)),
        (
            *("bufferpool_size", "BP16K", "-1"),
            *('ALTER BUFFERPOOL "BP16K" IMMEDIATE SIZE 500 AUTOMATIC', "found AUTOMATIC: size of BP16K"),
        ),
    ],
    ids=["one member", "automatic", "taken over"],
)
def test_value_changed_by_another_person(
    server: Server, query: str, name: str, value: str, meanwhile: str, found: str | None
) -> None:
    (statement,) = statements([Check(query, name, None, value)])
    with server.connect() as connection:
        ThroughDriver(connection).carry_out(meanwhile)
        if found is None:
            connection.execute(statement)
        else:
            with pytest.raises(Db2Failure, match=f"expected {value}, {found}"):
                connection.execute(statement)


X445 = [
    ("bufferpool_size", "BP16K", None, "-1"),
    ("bufferpool_size", "BP16K", "3", "-1"),
    ("bufferpool_blocks", "BP16K", None, "0"),
    ("bufferpool_there", "BP16K", None, "there"),
    ("bufferpool_there", 'it\'s @ "pool"', None, "missing"),
    ("tablespace_there", "EMPLOYEE_TABLE", None, "there"),
    ("tablespace_there", "T" * 128, None, "missing"),
    ("tablespace_prefetch", "EMPLOYEE_TABLE", None, "24"),
    ("tablespace_bufferpool", "EMPLOYEE_TABLE", None, "BP16K"),
    ("dbcfg", "SORTHEAP", None, "256"),
    ("dbcfg", "SORTHEAP", "7", "256"),
    ("log_path", "log path", "5", "D:\\hrinst\\NODE0005"),
    ("dbmcfg", "SHEAPTHRES", None, "20000"),
]
X4470 = [("table_compression", "APP.ORDERS", None, "YES"), ("bufferpool_size", "IBMDEFAULTBP", None, "16000000")]
GONE = [
    *(("bufferpool_size", "GONE", None, "none"), ("tablespace_prefetch", "GONE", None, "none")),
    *(("dbcfg", "GONE", None, "none"), ("dbcfg", "SORTHEAP", "99", "none")),
]


@pytest.mark.parametrize(
    ("fixture", "asked"),
    [("x445-8way", X445), ("x4470-one-instance", X4470)],
    indirect=["fixture"],
    ids=["x445", "x4470"],
)
def test_each_query_reports_its_findings(server: Server, asked: list[tuple[str, str, str | None, str]]) -> None:
    with server.connect() as connection:
        for statement in statements(Check(*values) for values in asked):
            connection.execute(statement)
        for query, name, member, value in [*asked, *GONE]:
            (statement,) = statements([Check(query, name, member, "x")])
            with pytest.raises(Db2Failure) as raised:
                connection.execute(statement)
            assert raised.value.sqlstate == STATE
            assert f'"expected x, found {value}' in raised.value.message
