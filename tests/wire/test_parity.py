"""One list from three sources: CALL TUNE.ADVISE in the database, SELECTs over a connection, the capture offline."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from decimal import Decimal
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
from tests.support.paths import DOCS, kinds
from tests.wire.conftest import CAPTURES, Server, hostfacts, standin
from tests.wire.fixtures import expected, judged_inside, listed, options_of, seconds_of, tell, together

QUICK = ("x445-8way",)  # partitioned; test_modes has a single database and a pureScale one
MOST_LINES = 30  # of the summary


def _advised(name: str) -> frozenset[tuple[str, str]]:
    """Return the areas with advice, in their lanes; both engines judge each rule offline."""
    return frozenset((item["rule"].partition(".")[0], item["lane"]) for item in expected(name))


def _machine(name: str) -> Any:
    return pytest.param(CAPTURES / name, id=name, marks=[] if name in QUICK else pytest.mark.full)


@pytest.fixture(params=[_machine(name) for name in sorted({*QUICK, *kinds()})], scope="module")
def fixture(request: pytest.FixtureRequest) -> Path:
    return Path(request.param)


@dataclass(frozen=True)
class Judged:
    """A machine and its first list inside the database."""

    name: str
    advice: Advice
    server: Server


@pytest.fixture(params=sorted({*QUICK, *islice(together(_advised), 1)}), scope="module")
def judged(request: pytest.FixtureRequest) -> Iterator[Judged]:
    fixture = CAPTURES / request.param
    with contextmanager(standin)(fixture) as server:
        _equip(server, fixture, request)
        with server.connect() as connection:
            tell(connection, fixture)
            advice = judged_inside(connection, server, seconds_of(fixture))
            connection.commit()
        yield Judged(fixture.name, advice, server)


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
    assert listed(judged.advice) == listed(advised_inside(judged.name))


@pytest.mark.full
@pytest.mark.parametrize("judged", QUICK, indirect=True)
def test_call_prints_the_text_of_the_page(judged: Judged) -> None:
    judged.server.advance(seconds_of(CAPTURES / judged.name))
    with judged.server.connect() as connection:
        _, (text, ranked) = connection.call("TUNE.ADVISE", [None, None, "1", None])
        actions = dict(connection.rows("SELECT RANK, ACTION FROM TUNE.ADVICE_LIST WHERE RUN_ID = 2"))
        time = list(connection.rows("SELECT SHARE_PCT FROM TUNE.TIME_LIST WHERE RUN_ID = 2"))
    assert actions[1] == 'ALTER TABLESPACE "EMPLOYEE_TABLE" PREFETCHSIZE 48'
    assert actions[3] == "CALL TUNE.EXPLAIN(2, 3)"  # one command per member
    assert isinstance(ranked.rows[0][ranked.columns.index("BENEFIT_PCT")], Decimal)
    assert sum(share for (share,) in time) == pytest.approx(Decimal(100), abs=Decimal("0.5"))
    said = [line.rstrip() for (line,) in text.rows]
    page = (DOCS / "in-the-database.md").read_text(encoding="utf-8")
    shown = page[page.index("Tuning advice for HRDB") :].split("\n```")[0].splitlines()
    summary, detail = shown[: shown.index("...")], shown[shown.index("...") + 1 :]
    assert len(summary) <= MOST_LINES
    assert said[: len(summary)] == summary
    assert detail == said[said.index(detail[0]) :][: len(detail)]


def test_outside_is_as_offline(fixture: Path, tmp_path: Path) -> None:
    facts = {(fact["HOST"], fact["FACT_KEY"], fact["ITEM"]): fact["VALUE"] for fact in hostfacts(fixture)}
    target = tmp_path / "capture"
    target.mkdir()
    with contextmanager(standin)(fixture) as server, server.connect() as connection:
        collect(connection, target, int(seconds_of(fixture)), facts, server.advance, options_of(fixture))
    assert listed(advise(target)) == listed(advised(fixture.name))
