"""Advice that is carried out through the driver is not given again, and its undo restores the machine."""

import csv
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from advisor.db2.connection import Connection
from advisor.judge.advice import Advice, Recommendation
from tests.standin.commands import is_command
from tests.support.carrying_out import MOST_ROUNDS, carry_out, difference, returned, take_back
from tests.wire.carrying_out import ThroughDriver, is_remote
from tests.wire.conftest import FIXTURES, Server, standin
from tests.wire.fixtures import NAMES, expected, judged_inside, kept, seconds_of, tell

pytestmark = pytest.mark.full


def _can_be_told(name: str) -> bool:
    """Whether something is advised that a connection can do, where TUNE's tables find pages wide enough."""
    sizes = {
        row["TBSP_PAGE_SIZE"] for row in csv.DictReader((FIXTURES / name / "tablespace.csv").open(encoding="utf-8"))
    }
    return sizes != {"4096"} and any(is_remote(line) for item in expected(name) for line in item["actions"])


def _machines() -> list[str]:
    """Machines whose advice has every form of command at least once: with which numbers and names makes no difference
    here, and without a server tests/judgement/test_fixed_point.py walks through all of them."""
    chosen, seen = [], set[str]()
    for name in filter(_can_be_told, NAMES):
        lines = [line for item in expected(name) for line in [*item["actions"], *item["undo"]] if is_command(line)]
        forms = {re.sub(r'"[^"]*"|[^ ]*[^A-Z ][^ ]*', "?", line) for line in lines}
        if not forms <= seen:
            chosen.append(name)
            seen |= forms
    return chosen


@pytest.fixture(params=_machines())
def fixture(request: pytest.FixtureRequest) -> Path:
    return FIXTURES / str(request.param)


@pytest.fixture
def server(fixture: Path) -> Iterator[Server]:
    yield from standin(fixture)


def _judged(connection: Connection, server: Server, fixture: Path) -> Advice:
    """The list after a restart, by which every change is in effect."""
    connection.call("STANDIN.RESTART")
    advice = judged_inside(connection, server, seconds_of(fixture))
    assert advice.window.usable, advice.window.reason
    return advice


def test_what_was_carried_out_is_not_advised_again(installed: Server, fixture: Path, tmp_path: Path) -> None:
    with installed.connect() as connection:
        hands = ThroughDriver(connection)
        tell(connection, fixture)
        advice = _judged(connection, installed, fixture)
        before = kept(installed)
        all_done: list[Recommendation] = []
        for _ in range(MOST_ROUNDS):
            done = carry_out(hands, advice)
            if not done:
                break
            all_done += done
            advice = _judged(connection, installed, fixture)
            assert returned(done, advice) == []
        else:
            pytest.fail("goes on for ever")
        assert difference(before, kept(installed)) != []

        take_back(hands, all_done)
        connection.call("STANDIN.RESTART")
        installed.advance(seconds_of(fixture))
        assert difference(before, kept(installed)) == []
