"""One schema on the private server: creation, indexes, timed statements and plans."""

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any

import psycopg

from tools.trials.engine.cases import DATA, Case, Definition, Text

RUNS = 3
SPEED_RUNS = 15
MORE_RUNS = 7  # of statements that take less than FAST_MS
FAST_MS = 5.0
TIMEOUT_S = 20

# A scan whose time shows how fast the machine is now: other processes slow it down as they do the statements.
_YARDSTICK = Text("yardstick", 1, "SELECT COUNT(*) FROM yardstick WHERE text LIKE '%x%'")
_CREATE_YARDSTICK = (
    "CREATE TABLE yardstick AS SELECT i, repeat(md5(i::text), 3) AS text FROM generate_series(1, 10000) i"
)

_TIMES = """
SELECT coalesce(sum(total_exec_time), 0), coalesce(sum(blk_read_time), 0), coalesce(sum(rows), 0)
FROM pg_stat_statements WHERE query NOT LIKE '%pg_stat_statements%'
"""


@dataclass(frozen=True)
class Run:
    """One execution: its time in the server, the part that waited for reads, and the rows returned or changed."""

    ms: float
    read_ms: float
    rows: float


def sum_times(texts: Iterable[Text], runs: Mapping[str, Run]) -> float:
    """Return the time of all executions in milliseconds."""
    return sum(text.executions * runs[text.name].ms for text in texts)


class Engine:
    """A connection to a schema. ``times`` keeps the runs per statement and plan."""

    def __init__(self, connection: "psycopg.Connection[Any]", case: Case) -> None:
        self.connection, self.case, self.texts = connection, case, case.texts
        self.given: set[Definition] = set()
        self.times: dict[tuple[str, str], Run] = {}
        with suppress(OSError):  # the administrator alone may put the server before other processes
            os.setpriority(os.PRIO_PROCESS, connection.info.backend_pid, -20)
        self.usual_ms = min(self._run(_YARDSTICK).ms for _ in range(SPEED_RUNS))
        self.tables: list[str] = [row["relname"] for row in self.select(_TABLES)]

    def select(self, sql: str) -> list[dict[str, Any]]:
        """Return the rows of a query."""
        return self.connection.cursor(row_factory=psycopg.rows.dict_row).execute(sql).fetchall()

    def execute(self, sql: str) -> None:
        """Run a statement that returns nothing."""
        self.connection.execute(sql)

    def tables_of(self, text: Text) -> frozenset[str]:
        """Return the tables that a statement names."""
        words = set(re.findall(r"[a-z_0-9]+", text.sql.lower()))
        return frozenset(words.intersection(self.tables))

    def use(self, definitions: Iterable[Definition]) -> None:
        """Create and drop indexes so that exactly these exist next to those of the schema."""
        wanted = set(definitions)
        for gone in sorted(self.given - wanted):
            self.execute(f"DROP INDEX {gone.name}")
        new = sorted(wanted - self.given)
        for each in new:
            self.execute(f"CREATE INDEX {each.name} ON {each.on}")
        for table in sorted({each.table for each in new}):
            self.execute(f"VACUUM {table}")
        self.given = wanted

    def measure(self, definitions: Iterable[Definition]) -> dict[str, Run]:
        """Return the fastest run of each statement with indexes.

        A query with the same plan as before is not measured again, and a data change with the same indexes neither.
        """
        self.use(definitions)
        keys = {text: self._key(text) for text in self.texts}
        self._time({text: key for text, key in keys.items() if key not in self.times})
        return {text.name: self.times[key] for text, key in keys.items()}

    def bytes_of(self, definitions: Iterable[Definition]) -> int:
        """Return the size of indexes that exist."""
        names = [each.name for each in definitions]
        return sum(int(self.select(f"SELECT pg_relation_size('{name}') AS size")[0]["size"]) for name in names)

    def explain(self, text: Text, *options: str) -> dict[str, Any]:
        """Return the plan of a statement; a data change is rolled back."""
        asked = ", ".join((*options, "FORMAT JSON"))
        with self._rolled_back():
            found = self.select(f"EXPLAIN ({asked}) {text.sql}")
        return dict(found[0]["QUERY PLAN"][0]["Plan"])

    def _key(self, text: Text) -> tuple[str, str]:
        tables = self.tables_of(text)
        written = () if text.sql.startswith("SELECT") else sorted(each for each in self.given if each.table in tables)
        return text.name, f"{self.explain(text, 'COSTS OFF')} {written}"

    def _time(self, keys: dict[Text, tuple[str, str]]) -> None:
        """Time statements at the usual speed of the machine: other processes only ever make a run longer."""
        runs: dict[Text, list[Run]] = {text: [self._run(text)] for text in keys}
        speeds = []
        for number in range(MORE_RUNS):
            for text, found in runs.items():
                if number < RUNS or found[-1].ms < FAST_MS:
                    speeds.append(self._run(_YARDSTICK).ms)
                    found.append(self._run(text))
        slowed = min(speeds, default=self.usual_ms) / self.usual_ms
        for text, found in runs.items():
            best = min(found[1:], key=lambda run: run.ms)
            self.times[keys[text]] = Run(best.ms / slowed, best.read_ms / slowed, best.rows)

    def _run(self, text: Text) -> Run:
        """Execute a statement in a transaction that is rolled back."""
        with self._rolled_back():
            self.execute("SELECT pg_stat_statements_reset()")
            self.execute(text.sql)
            row = self.connection.execute(_TIMES).fetchone() or (0, 0, 0)
        return Run(max(float(row[0]), 0.001), float(row[1]), float(row[2]))

    @contextmanager
    def _rolled_back(self) -> Iterator[None]:
        self.execute("BEGIN")
        try:
            yield
        finally:
            self.execute("ROLLBACK")


_TABLES = "SELECT relname FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r' AND relname <> 'yardstick'"


@contextmanager
def open_case(address: str, case: Case) -> Iterator[Engine]:
    """Create the schema of a case, yield it, and drop it."""
    with psycopg.connect(address, autocommit=True) as connection:
        name = case.name
        for sql in (
            *("CREATE EXTENSION IF NOT EXISTS pg_stat_statements", "CREATE EXTENSION IF NOT EXISTS hypopg"),
            *(f"CREATE SCHEMA {name}", f"SET search_path = {name}, public", f"SET statement_timeout = '{TIMEOUT_S}s'"),
            *_statements(case.scripts),
            _CREATE_YARDSTICK,
            "VACUUM ANALYZE",
        ):
            connection.execute(sql)
        yield Engine(connection, case)
        connection.execute(f"DROP SCHEMA {name} CASCADE")


def _statements(files: Sequence[str]) -> Iterator[str]:
    for file in files:
        for part in (DATA / file).read_text(encoding="utf-8").split(";\n"):
            if part.strip():
                yield part
