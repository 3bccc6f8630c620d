"""Cost of a snapshot for the database: one statement per source, for any number of rules."""

from collections import Counter
from pathlib import Path

import pytest

from advisor.catalogue.rules import all_rules
from advisor.catalogue.sources import all_sources
from advisor.db2.collector import collect
from advisor.db2.connection import Connection, Out
from tests.standin.objects.controls import Ledger, Ran
from tests.wire.conftest import Server

pytestmark = pytest.mark.full

INTERVAL_S = 300
BUDGET = 36  # statements of one snapshot that read the database


@pytest.fixture
def ledger(steered: Server) -> Ledger:
    assert steered.standin is not None
    return steered.standin.backend.database.ledger


def _snapshot(connection: Connection) -> set[str]:
    """Take a snapshot; return the tables of the sources that were read from Db2."""
    (snap_id,), _ = connection.call("TUNE.SNAPSHOT", [Out("INTEGER")])
    connection.commit()
    return _collected(connection, snap_id)


def _collected(connection: Connection, snap_id: int) -> set[str]:
    sql = f"SELECT SOURCE FROM TUNE.SNAPSHOT_SOURCE WHERE SNAP_ID = {snap_id} AND REASON IS NULL AND FROM_ID IS NULL"
    return {f"S_{source.upper()}" for (source,) in connection.rows(sql)} - {"S_HOSTFACT"}  # the product's own table


def _columns(connection: Connection, table: str) -> list[str]:
    """Return the columns of a table of TUNE in their order; the first is its key."""
    sql = f"SELECT COLNAME FROM SYSCAT.COLUMNS WHERE TABSCHEMA = 'TUNE' AND TABNAME = '{table}' ORDER BY COLNO"
    return [name for (name,) in connection.rows(sql)]


def _filled(ran: list[Ran]) -> Counter[str]:
    """Return the tables that system-reading statements fill, with their numbers; a query fills no table.

    The query for the owner of schema TUNE, once for each connection, is left out.
    """
    reading = [one for one in ran if one.reads_system and not _reads_owner(one)]
    return Counter(one.target.name if one.target else "" for one in reading)


def _reads_owner(one: Ran) -> bool:
    return {name.name for name in one.reads} == {"SCHEMATA", "TABLES", "ROUTINES"}


def test_a_snapshot_is_one_statement_a_source(installed: Server, ledger: Ledger) -> None:
    with installed.connect() as connection:
        for _ in range(2):  # the first snapshot may have to detect which columns exist
            with ledger.kept() as ran:
                collected = _snapshot(connection)
            assert len(collected) > len(all_sources()) / 2
            assert _filled(ran) == dict.fromkeys(collected | {"SNAPSHOT"}, 1)
            assert _filled(ran).total() <= BUDGET


def test_rules_add_no_statement_that_reads_the_database(installed: Server, ledger: Ledger) -> None:
    with installed.connect() as connection:
        _snapshot(connection)
        for table in ("RULE", "RULE_TEXT"):
            names = ", ".join(_columns(connection, table))
            again = names.replace("RULE", "RULE || ' again'", 1)
            connection.execute(f"INSERT INTO TUNE.{table} ({names}) SELECT {again} FROM TUNE.{table}")
        connection.commit()
        installed.advance(INTERVAL_S)
        with ledger.kept() as ran:
            connection.call("TUNE.ADVISE")
        collected = _collected(connection, 2)
    filled = _filled(ran)
    assert filled.pop("") == 2  # the two lists that ADVISE returns read SYSIBM.SYSDUMMY1
    assert filled == dict.fromkeys(collected | {"SNAPSHOT"}, 1)
    judged = [one for one in ran if one.target and one.target.name == "M_FINDING"]
    assert len(judged) > len(all_rules())  # the copies did run


def test_from_outside_too(steered: Server, ledger: Ledger, tmp_path: Path) -> None:
    with steered.connect() as connection, ledger.kept() as ran:
        collect(connection, tmp_path, INTERVAL_S, None, steered.advance)
    asked = [one.reads for one in ran if one.reads_system and not one.target and not _reads_owner(one)]
    sources = [all_sources()[path.stem] for path in tmp_path.glob("*.csv")]
    objects = Counter(source.db2_object.rpartition(".")[2] for source in sources)
    once = {source.db2_object for source in sources if source.every_s}
    assert once == {"ADMIN_GET_TAB_INFO"}
    assert len(asked) == 2 * (objects.total() + 1) - len(once)  # and their identity
    read = Counter(name.name for reads in asked for name in reads if name.name in objects)
    chosen_by_reads = sum("TABLE(SYSPROC.MON_GET_TABLE(" in source.head for source in sources)
    objects["MON_GET_TABLE"] += chosen_by_reads
    assert read == {name: times if name in once else 2 * times for name, times in objects.items()}
