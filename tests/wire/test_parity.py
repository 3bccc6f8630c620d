"""One list from three sources: CALL TUNE.ADVISE in the database, SELECTs over a connection, the capture offline."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice, takewhile
from pathlib import Path
from typing import Any

import pytest

from advisor.db2.collector import collect
from advisor.db2.connection import Connection, Out, ResultSet
from advisor.db2.failures import Db2Failure
from advisor.judgement.advice import BY_HAND, Advice
from advisor.judgement.run import advise
from tests.standin.errors import Db2Error
from tests.standin.objects.image import put
from tests.support.advised import advised, advised_inside
from tests.support.clp import typed
from tests.support.paths import kinds
from tests.wire.conftest import CAPTURES, Server, hostfacts, standin
from tests.wire.fixtures import expected, judged_inside, listed, options_of, seconds_of, tell, together

QUICK = ("x445-8way",)  # partitioned; test_modes has a single database and a pureScale one
LEFT = "SELECT COUNT(*) FROM SYSCAT.TABLES WHERE TABSCHEMA = 'TUNE'"


@dataclass(frozen=True)
class Judged:
    """A machine with schema TUNE, and its first list."""

    fixture: Path
    server: Server
    advice: Advice


def _advised(name: str) -> frozenset[tuple[str, str]]:
    """Return the areas with advice, in their lanes; both engines judge each rule offline."""
    return frozenset((item["rule"].partition(".")[0], item["lane"]) for item in expected(name))


def _machine(name: str) -> Any:
    return pytest.param(CAPTURES / name, id=name, marks=[] if name in QUICK else pytest.mark.full)


@pytest.fixture(params=[_machine(name) for name in sorted({*QUICK, *kinds()})], scope="module")
def fixture(request: pytest.FixtureRequest) -> Path:
    return Path(request.param)


@pytest.fixture(params=sorted({*QUICK, *islice(together(_advised), 3)}), scope="module")
def judged(request: pytest.FixtureRequest) -> Iterator[Judged]:
    fixture = CAPTURES / request.param
    with contextmanager(standin)(fixture) as server:
        _equip(server, fixture, request)
        with server.connect() as connection:
            tell(connection, fixture)
            advice = judged_inside(connection, server, seconds_of(fixture))
            connection.commit()
        yield Judged(fixture, server, advice)


def _equip(server: Server, fixture: Path, request: pytest.FixtureRequest) -> None:
    """Install on the machines of the quick run; copy the installation to the others."""
    assert server.standin is not None
    if fixture.name in QUICK:
        request.getfixturevalue("compiled")
        done = server.tune("install")
        assert done.exit_code == 0, done.output
        return
    try:
        put(server.standin.backend.database, request.getfixturevalue("image"))
    except Db2Error:  # a machine whose table spaces all have 4 KB pages
        done = server.tune("install")
        assert "no table space with pages of 8 KB" in done.output
        pytest.skip(done.output.strip())


@pytest.mark.full
def test_inside_is_as_offline(judged: Judged) -> None:
    assert listed(judged.advice) == listed(advised_inside(judged.fixture.name))


def test_outside_is_as_offline(fixture: Path, tmp_path: Path) -> None:
    facts = {(fact["HOST"], fact["FACT_KEY"], fact["ITEM"]): fact["VALUE"] for fact in hostfacts(fixture)}
    target = tmp_path / "capture"
    target.mkdir()
    with contextmanager(standin)(fixture) as server, server.connect() as connection:
        collect(connection, target, int(seconds_of(fixture)), facts, server.advance, options_of(fixture))
    assert listed(advise(target)) == listed(advised(fixture.name))


def _call(connection: Connection, name: str, *parameters: Any) -> list[ResultSet]:
    _, sets = connection.call(name, list(parameters))
    connection.commit()
    return sets


def _refused(connection: Connection, name: str, *parameters: Any) -> str:
    """Return the SQLSTATE with which a call is refused."""
    with pytest.raises(Db2Failure) as caught:
        connection.call(name, list(parameters))
    connection.rollback()
    return caught.value.sqlstate


@pytest.mark.full
@pytest.mark.parametrize("judged", QUICK, indirect=True)
def test_every_call_answers(judged: Judged) -> None:
    """From the first list to the removal; test_calls.py and test_schedule.py check the complete output."""
    server, ranked = judged.server, judged.advice.ranked
    rule = ranked[0].rule.name if ranked else "log.buffer-full"
    with server.connect() as connection:
        if ranked:
            (text,) = _call(connection, "TUNE.EXPLAIN", 1, 1)
            said = [line for (line,) in text.rows]
            rest = takewhile(lambda line: line.startswith(" " * 15), said[1:])
            assert " ".join(" ".join([said[0], *rest]).split()) == f"rule {rule}: {ranked[0].rule.title}"
            assert typed(said) == [line for line in ranked[0].actions if not line.startswith(BY_HAND)]
        else:
            assert _refused(connection, "TUNE.EXPLAIN", 1, 1) == "70006"
        _call(connection, "TUNE.ACCEPT", rule, "*", "moved next month", None)
        _call(connection, "TUNE.SET_OPTION", "site", "floor_pct", "2")
        _call(connection, "TUNE.SET_HOSTFACTS", "elsewhere", "cpu", "cores", "8")
        server.advance(seconds_of(judged.fixture))
        _, shorter = _call(connection, "TUNE.ADVISE", None, 3, "PREVIOUS", None)
        lines = [dict(zip(shorter.columns, row, strict=True)) for row in shorter.rows]
        assert len(lines) in ({1, 2, 3} if ranked else {0})
        assert [line for line in lines if line["RULE"] == rule] == []
        assert [line for line in lines if line["LANE"] == "performance" and line["BENEFIT_PCT"] < 2] == []
        (metrics,) = _call(connection, "TUNE.COMPARE", 1, 2)
        assert metrics.rows
        _call(connection, "TUNE.UNSCHEDULE")
        assert _refused(connection, "TUNE.SCHEDULE", "0 2 * * *").startswith("7004")  # no scheduler was set up
        for _ in range(2):
            server.advance(86_400)
            _call(connection, "TUNE.SNAPSHOT", Out("INTEGER"))
        _call(connection, "TUNE.PURGE", 2)
        assert list(connection.rows("SELECT RUN_ID FROM TUNE.RUN")) == []
    assert server.tune("uninstall", "--yes").exit_code == 0
    with server.connect() as connection:
        assert list(connection.rows(LEFT)) == [(0,)]
