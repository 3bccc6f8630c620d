"""Advice that is carried out through the driver is not repeated, and its undo restores the machine."""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest

from advisor.db2.connection import Connection
from advisor.judgement.advice import Advice, Recommendation
from tests.support.carrying_out import MOST_ROUNDS, carry_out, difference, has_commands, returned, take_back
from tests.wire.carrying_out import ThroughDriver, is_remote
from tests.wire.conftest import CAPTURES, Server, standin
from tests.wire.fixtures import expected, judged_inside, kept, seconds_of, tell, together

pytestmark = pytest.mark.full


def _carried_out(name: str) -> frozenset[str]:
    """Areas whose advice needs only a connection; host commands change nothing that is read here."""
    remote = (item["rule"] for item in expected(name) if any(is_remote(line) for line in item["actions"]))
    return frozenset(rule.partition(".")[0] for rule in remote)


@pytest.fixture(params=list(islice(together(_carried_out), 1)))  # tests/judgement/ carries out what others get
def fixture(request: pytest.FixtureRequest) -> Path:
    return CAPTURES / str(request.param)


@pytest.fixture
def server(fixture: Path) -> Iterator[Server]:
    yield from standin(fixture)


def _judged(connection: Connection, server: Server, fixture: Path) -> Advice:
    """Return the list after a restart, when every change is in effect."""
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
        stays = [item.rule.name for item in all_done if not has_commands(item.undo)]  # a dropped index
        assert bool(difference(before, kept(installed))) == bool(stays), stays
