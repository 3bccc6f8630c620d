"""One list from three sources: CALL TUNE.ADVISE in the database, SELECTs over a connection, the capture offline."""

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from advisor.db2.collector import collect
from advisor.judgement.advice import Advice
from advisor.judgement.run import advise
from tests.standin.errors import Db2Error
from tests.standin.objects.image import put
from tests.support.advised import advised, advised_inside
from tests.support.paths import kinds
from tests.wire.conftest import CAPTURES, Server, hostfacts, standin
from tests.wire.fixtures import expected, judged_inside, listed, options_of, seconds_of, tell, together

QUICK = ("x445-8way",)  # partitioned; test_modes has a single database and a pureScale one


def _advised(name: str) -> frozenset[tuple[str, str]]:
    """Return the areas with advice, in their lanes; both engines judge each rule offline."""
    return frozenset((item["rule"].partition(".")[0], item["lane"]) for item in expected(name))


def _machine(name: str) -> Any:
    return pytest.param(CAPTURES / name, id=name, marks=[] if name in QUICK else pytest.mark.full)


@pytest.fixture(params=[_machine(name) for name in sorted({*QUICK, *kinds()})], scope="module")
def fixture(request: pytest.FixtureRequest) -> Path:
    return Path(request.param)


@pytest.fixture(params=sorted({*QUICK, *islice(together(_advised), 3)}), scope="module")
def judged(request: pytest.FixtureRequest) -> Iterator[tuple[str, Advice]]:
    """Return a machine, and its first list inside the database."""
    fixture = CAPTURES / request.param
    with contextmanager(standin)(fixture) as server:
        _equip(server, fixture, request)
        with server.connect() as connection:
            tell(connection, fixture)
            advice = judged_inside(connection, server, seconds_of(fixture))
            connection.commit()
        yield fixture.name, advice


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
def test_inside_is_as_offline(judged: tuple[str, Advice]) -> None:
    name, advice = judged
    assert listed(advice) == listed(advised_inside(name))


def test_outside_is_as_offline(fixture: Path, tmp_path: Path) -> None:
    facts = {(fact["HOST"], fact["FACT_KEY"], fact["ITEM"]): fact["VALUE"] for fact in hostfacts(fixture)}
    target = tmp_path / "capture"
    target.mkdir()
    with contextmanager(standin)(fixture) as server, server.connect() as connection:
        collect(connection, target, int(seconds_of(fixture)), facts, server.advance, options_of(fixture))
    assert listed(advise(target)) == listed(advised(fixture.name))
