"""One list, three ways: CALL TUNE.ADVISE inside the database, plain SELECTs from outside, the capture offline."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from advisor.db2.collector import collect
from advisor.judge.run import advise
from tests.standin.errors import Db2Error
from tests.standin.objects.image import Image, put
from tests.support.advised import advised
from tests.wire.conftest import FIXTURES, Server, hostfacts, standin
from tests.wire.fixtures import NAMES, judged_inside, listed, options_of, seconds_of, tell


@pytest.fixture(params=NAMES, scope="module")  # one after the other, so that each is judged offline once
def fixture(request: pytest.FixtureRequest) -> Path:
    return FIXTURES / str(request.param)


@pytest.fixture
def server(fixture: Path) -> Iterator[Server]:
    yield from standin(fixture)


def test_inside_is_as_offline(server: Server, fixture: Path, image: Image) -> None:
    assert server.standin is not None
    try:
        put(server.standin.backend.database, image)
    except Db2Error:  # a machine whose table spaces all have pages of 4 KB
        done = server.tune("install")
        assert "SQL0286N" in done.output
        pytest.skip(done.output.strip())
    with server.connect() as connection:
        tell(connection, fixture)
        found = judged_inside(connection, server, seconds_of(fixture))
    assert listed(found) == listed(advised(fixture.name))


def test_outside_is_as_offline(server: Server, fixture: Path, tmp_path: Path) -> None:
    facts = {(fact["HOST"], fact["FACT_KEY"], fact["ITEM"]): fact["VALUE"] for fact in hostfacts(fixture)}
    target = tmp_path / "capture"
    target.mkdir()
    with server.connect() as connection:
        collect(connection, target, int(seconds_of(fixture)), facts, server.advance, options_of(fixture))
    assert listed(advise(target)) == listed(advised(fixture.name))
