"""CALL TUNE.SNAPSHOT and CALL TUNE.ADVISE through IBM's driver, on the stand-in, with a large state.

The stand-in counts the statements. Its times are only comparable with other times of the same run: a snapshot taken
from outside over the same driver, and the advice computed offline for the same rows.
"""

import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from advisor.catalogue.sources import all_sources
from advisor.db2.address import parse_address
from advisor.db2.collector import Collector
from advisor.db2.connection import Connection, Out, Row
from advisor.db2.password import Secret
from advisor.install.installer import install
from advisor.judgement.run import advise
from tests.standin.backend import OWNER, PASSWORD, Served, serving
from tests.standin.objects.controls import Ran
from tests.standin.objects.database import DEFAULT_SPACE

ROUNDS = 3
INTERVAL_S = 300
PATIENCE_S = 900  # for a statement, on a busy machine

SNAPSHOT, ADVISE, OUTSIDE, OFFLINE = "snapshot", "advise", "outside", "offline"


@dataclass
class Statements:
    """The number of statements that read the system, of those on tables of TUNE only, and the rows of the former."""

    system: int
    own: int
    rows: int

    @classmethod
    def of(cls, ran: list[Ran], rows: int | None = None) -> "Statements":
        """Count them; ``rows`` are those that a client fetched, otherwise statements that fill tables are counted."""
        system = [one for one in ran if one.reads_system]
        own = [one for one in ran if not one.reads_system and (one.reads or one.target)]
        return cls(len(system), len(own), sum(one.rows for one in system) if rows is None else rows)


class Counting(Connection):
    """A counter of a client's described statements and fetched rows."""

    described = 0
    fetched = 0

    def describe(self, sql: str) -> list[tuple[str, str]]:
        self.described += 1
        return super().describe(sql)

    def rows(self, *arguments: Any, **named: Any) -> Iterator[Row]:
        for row in super().rows(*arguments, **named):
            self.fetched += 1
            yield row


def measure(path: Path) -> dict[str, Any]:
    """Measure everything about a state, for JSON: seconds of each round, statements, rows of each source."""
    with serving(path) as server, _connected(server) as connection:
        install(connection, DEFAULT_SPACE)  # every database has them, but the state does not list them
        connection.call("TUNE.SET_OPTION", ["site", "workload", "BI"])
        connection.call("TUNE.SNAPSHOT", [Out("INTEGER")], PATIENCE_S)
        connection.commit()
        rows: dict[str, int] = dict(
            connection.rows("SELECT SOURCE, ROWS_READ FROM TUNE.SNAPSHOT_SOURCE WHERE ROWS_READ IS NOT NULL")
        )
        connection.execute(f"CALL STANDIN.ADVANCE({INTERVAL_S})")
        counts, described = _counted(server, connection)
        seconds = [_round(connection, path) for _ in range(ROUNDS)]
    return {
        "rows": {name: [source.db2_object, rows[name]] for name, source in all_sources().items() if name in rows},
        "statements": {name: vars(count) for name, count in counts.items()},
        "described": described,
        "seconds": seconds,
    }


@contextmanager
def _connected(server: Served) -> Iterator[Counting]:
    target = parse_address(f"db2://{OWNER}@127.0.0.1:{server.port}/{server.database}")
    with Counting(target, Secret(PASSWORD), statement_timeout_s=PATIENCE_S) as connection:
        yield connection


def _counted(server: Served, connection: Counting) -> tuple[dict[str, Statements], int]:
    """Return the statements of each kind of snapshot, and how many a client described to find the columns."""
    counts = {}
    ledger = server.backend.database.ledger
    for name in (SNAPSHOT, ADVISE):
        with ledger.kept() as ran:
            _inside(connection, name)
        counts[name] = Statements.of(ran)
    described, fetched = connection.described, connection.fetched
    with ledger.kept() as ran:
        _outside(connection)
    counts[OUTSIDE] = Statements.of(ran, connection.fetched - fetched)
    return counts, connection.described - described


def _round(connection: Connection, path: Path) -> dict[str, float]:
    """Run one measurement of each kind; a call's rows are rolled back, so that every round starts alike."""
    return {
        SNAPSHOT: _seconds(lambda: _inside(connection, SNAPSHOT)),
        ADVISE: _seconds(lambda: _inside(connection, ADVISE)),
        OUTSIDE: _seconds(lambda: _outside(connection)),
        OFFLINE: _seconds(lambda: advise(path)),
    }


def _inside(connection: Connection, name: str) -> None:
    if name == SNAPSHOT:
        connection.call("TUNE.SNAPSHOT", [Out("INTEGER")], PATIENCE_S)
    else:
        connection.call("TUNE.ADVISE", [], PATIENCE_S)
    connection.rollback()


def _outside(connection: Connection) -> None:
    with tempfile.TemporaryDirectory(prefix="db2tune-bench-") as folder:
        Collector(connection, Path(folder)).snapshot()


def _seconds(measured: Callable[[], object]) -> float:
    begin = time.perf_counter()
    measured()
    return time.perf_counter() - begin
