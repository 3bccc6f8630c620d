"""Changes documented as online take effect at once, if Db2 shows them; their undo restores the old value."""

import re
from pathlib import Path

import pytest

from advisor.catalogue.rules import all_rules
from advisor.db2 import in_database as inside
from advisor.db2.address import parse_address
from advisor.db2.connection import Connection, Out
from advisor.db2.password import Secret
from advisor.judgement.advice import Recommendation, requested_value
from tests.standin.commands import is_command
from tests.support.advised import advised
from tests.support.paths import CAPTURES, NAMES
from tests.wire.carrying_out import ThroughDriver, is_remote
from tests.wire.conftest import Server, standin
from tests.wire.fixtures import expected
from tests.wire.reading_back import values_of
from tools.container import sample
from tools.container.login import connected

pytestmark = pytest.mark.full

INTERVAL_S = 61  # ADVISE compares with a snapshot that is one minute older


def _advised_online() -> list[str]:
    """Return the machines that expect such a change."""
    found = []
    for name in NAMES:
        if any(
            all_rules()[item["rule"]].effect == "ON" and _commands(item["actions"]) and _commands(item["undo"])
            for item in expected(name)
        ):
            found.append(name)
    return found


def _commands(lines: str | list[str]) -> bool:
    """Return whether all lines are commands, without manual steps."""
    return all(is_command(line) for line in ([lines] if isinstance(lines, str) else lines))


def _online(items: list[Recommendation]) -> list[Recommendation]:
    """Return the changes that take effect at once, with commands for both directions."""
    return [item for item in items if item.rule.effect == "ON" and _commands(item.actions) and _commands(item.undo)]


def _check(connection: Connection, item: Recommendation) -> None:
    """Change, read, undo, read; the old value is restored whatever was read.

    A member's setting overrides the general one, so the value is read while the member's setting exists.
    """
    hands = ThroughDriver(connection)
    if item.object_type == "INDEX":
        _check_index(connection, hands, item)
        return
    before = values_of(connection, item)
    assert item.current is not None
    assert requested_value(item.current) in before, item.target
    of_a_member = re.fullmatch(r"BUFFERPOOL:.+:SIZE:\d+", item.target or "") is not None
    seen = []
    try:
        for line in item.actions:
            hands.carry_out(line)
            seen.append(values_of(connection, item))
        assert item.proposed is not None
        assert {requested_value(item.proposed)} in (seen if of_a_member else seen[-1:]), item.actions
    finally:
        for line in item.undo:
            hands.carry_out(line)
    assert values_of(connection, item) == before, item.undo


def _check_index(connection: Connection, hands: ThroughDriver, item: Recommendation) -> None:
    """Create or drop an index, and undo it."""
    query = "SELECT COUNT(*) FROM SYSCAT.INDEXES WHERE RTRIM(INDSCHEMA) || '.' || INDNAME = ?"
    ((before,),) = connection.rows(query, [item.object_name])
    for lines, expected_count in ((item.actions, 1 - before), (item.undo, before)):
        for line in lines:
            hands.carry_out(line)
        assert list(connection.rows(query, [item.object_name])) == [(expected_count,)], lines


def _work(server: Server) -> None:
    """Create some load on a database that may have none."""
    with connected(parse_address(server.url).connection_string(Secret(server.password), 60)) as connection:
        sample.load(connection)
        sample.unload(connection)


def test_on_this_server(installed: Server) -> None:
    with installed.connect() as connection:
        connection.call("TUNE.SNAPSHOT", [Out("INTEGER")])
        connection.commit()
        if installed.standin is None:
            _work(installed)
        connection.call("DBMS_ALERT.SLEEP", [INTERVAL_S], timeout_s=2 * INTERVAL_S)
        advice = inside.advise(connection, None)
        assert advice.window.usable, advice.window.reason
        items = _online(advice.ranked)
        if installed.standin is None:  # host commands cannot be run on its host
            items = [item for item in items if all(is_remote(line) for line in item.actions + item.undo)]
            if not items:
                pytest.skip("no change that takes effect at once is advised here")
        assert items
        for item in items:
            _check(connection, item)


@pytest.mark.parametrize("fixture", _advised_online())
def test_on_a_machine(fixture: str) -> None:
    _check_all(CAPTURES / fixture, advised(fixture).ranked)


def _check_all(capture: Path, advised: list[Recommendation]) -> None:
    """Check on a fake server the advice for the capture that it serves."""
    items = _online(advised)
    assert items
    for server in standin(capture):
        with server.connect() as connection:
            for item in items:
                _check(connection, item)
