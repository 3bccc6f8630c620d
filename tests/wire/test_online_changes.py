"""Changes documented as online take effect at once, if Db2 shows them; their undo restores the old value.

A query reads all values of a setting back as text: of each member, of the catalog and the ones in effect.
"""

import re
from dataclasses import dataclass
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
from tools.container import sample
from tools.container.login import connected


@dataclass(frozen=True)
class Place:
    """A query whose markers are the groups of its targets' pattern; ``unit`` if it answers in one unit only."""

    target: str
    query: str
    unit: str | None = None


PLACES = (
    Place(
        "BUFFERPOOL:(.+):SIZE",
        """
        WITH POOL AS (SELECT BPNAME, BUFFERPOOLID, NPAGES FROM SYSCAT.BUFFERPOOLS WHERE BPNAME = ?),
        SIZE (PAGES) AS (
            SELECT NPAGES FROM POOL
            UNION ALL
            SELECT E.NPAGES FROM SYSCAT.BUFFERPOOLDBPARTITIONS AS E JOIN POOL AS P ON E.BUFFERPOOLID = P.BUFFERPOOLID
            UNION ALL
            SELECT CASE M.AUTOMATIC WHEN 1 THEN -2 ELSE M.BP_CUR_BUFFSZ END
            FROM TABLE(MON_GET_BUFFERPOOL(NULL, -2)) AS M JOIN POOL AS P ON M.BP_NAME = P.BPNAME
        )
        SELECT CASE PAGES WHEN -2 THEN 'AUTOMATIC' ELSE CAST(PAGES AS VARCHAR(20)) END FROM SIZE
        """,
    ),
    Place(  # a member without a size of its own has the pool's size
        r"BUFFERPOOL:(.+):SIZE:(\d+)",
        """
        SELECT CAST(COALESCE(E.NPAGES, P.NPAGES) AS VARCHAR(20))
        FROM SYSCAT.BUFFERPOOLS AS P CROSS JOIN TABLE(MON_GET_BUFFERPOOL(NULL, -2)) AS M
        LEFT JOIN SYSCAT.BUFFERPOOLDBPARTITIONS AS E ON E.BUFFERPOOLID = P.BUFFERPOOLID AND E.DBPARTITIONNUM = M.MEMBER
        WHERE P.BPNAME = ? AND M.BP_NAME = P.BPNAME AND M.MEMBER = CAST(? AS SMALLINT)
        """,
    ),
    Place(
        "BUFFERPOOL:(.+):EXISTS",
        "SELECT CASE COUNT(*) WHEN 0 THEN 'missing' ELSE 'there' END FROM SYSCAT.BUFFERPOOLS WHERE BPNAME = ?",
    ),
    Place(
        "TABLESPACE:(.+):AUTORESIZE",
        """
        SELECT CASE TBSP_AUTO_RESIZE_ENABLED WHEN 1 THEN 'YES' ELSE 'NO' END
        FROM TABLE(MON_GET_TABLESPACE(NULL, -2)) AS T WHERE TBSP_NAME = ?
        """,
    ),
    Place(
        "TABLESPACE:(.+):MAXSIZE",
        """
        SELECT CAST(TBSP_MAX_SIZE / 1048576 AS VARCHAR(20)) || ' M'
        FROM TABLE(MON_GET_TABLESPACE(NULL, -2)) AS T WHERE TBSP_NAME = ?
        """,
    ),
    Place(
        "TABLESPACE:(.+):PREFETCHSIZE",
        """
        SELECT CASE PREFETCHSIZE WHEN -1 THEN 'AUTOMATIC' ELSE CAST(PREFETCHSIZE AS VARCHAR(20)) END
        FROM SYSCAT.TABLESPACES WHERE TBSPACE = ?
        """,
    ),
    Place(
        "TABLESPACE:(.+):CONTAINERS",
        """
        SELECT CAST(MIN(TOTAL_PAGES) AS VARCHAR(20)) FROM TABLE(MON_GET_CONTAINER(NULL, -2)) AS T
        WHERE TBSP_NAME = ? GROUP BY MEMBER
        """,
        "pages",
    ),
    # Db2 does not know devices: each container, and each path, counts as a device.
    Place(
        "TABLESPACE:(.+):CONTAINERS",
        """
        SELECT CAST(COUNT(*) AS VARCHAR(20)) FROM TABLE(MON_GET_CONTAINER(NULL, -2)) AS T
        WHERE TBSP_NAME = ? GROUP BY MEMBER
        """,
        "devices",
    ),
    Place(
        "STOGROUP:([^:]+):.+",
        """
        SELECT CAST(COUNT(*) AS VARCHAR(20)) FROM TABLE(ADMIN_GET_STORAGE_PATHS('', -2)) AS T
        WHERE STORAGE_GROUP_NAME = ? GROUP BY DBPARTITIONNUM
        """,
        "devices",
    ),
    Place(  # for three parameters together: any value other than NONE collects at least as much as BASE
        "DBCFG:MON_METRICS",
        """
        SELECT CASE WHEN SUM(CASE VALUE WHEN 'NONE' THEN 1 ELSE 0 END) > 0 THEN 'NONE' ELSE 'BASE' END
        FROM SYSIBMADM.DBCFG WHERE NAME IN ('mon_req_metrics', 'mon_act_metrics', 'mon_obj_metrics')
        GROUP BY MEMBER
        """,
    ),
    Place(
        "DBCFG:(.+)",
        """
        SELECT CASE VALUE_FLAGS WHEN 'AUTOMATIC' THEN 'AUTOMATIC' ELSE VALUE END
        FROM SYSIBMADM.DBCFG WHERE UPPER(NAME) = ?
        """,
    ),
    Place(  # ADMIN_CMD changes the instance's parameters only for its next start
        "DBMCFG:(.+)",
        """
        SELECT CASE DEFERRED_VALUE_FLAGS WHEN 'AUTOMATIC' THEN 'AUTOMATIC' ELSE DEFERRED_VALUE END
        FROM SYSIBMADM.DBMCFG WHERE UPPER(NAME) = ?
        """,
    ),
    Place(
        r"MEMBER:(\d+):STATE",
        """
        SELECT CASE WHEN D.MEMBER IS NULL THEN M.STATE ELSE 'active' END
        FROM SYSIBMADM.DB2_MEMBER AS M LEFT JOIN TABLE(MON_GET_DATABASE(-2)) AS D ON M.ID = D.MEMBER
        WHERE M.ID = CAST(? AS SMALLINT)
        """,
    ),
)


def values_of(connection: Connection, item: Recommendation) -> set[str]:
    """Return the present values of the recommended setting."""
    for place in PLACES:
        found = re.fullmatch(place.target, item.target or "")
        if found and place.unit in (None, item.unit):
            return {str(row[0]) for row in connection.rows(place.query, found.groups())}
    raise LookupError(f"{item.rule.name}: no place shows {item.target} in {item.unit}")


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
    return [item for item in items if item.effect == "ON" and _commands(item.actions) and _commands(item.undo)]


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
