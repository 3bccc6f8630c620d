"""Rows in the shape of db2tune's sources as the arguments of the index advisor."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from advisor.indexes.advice import IndexAdvice, Query
from advisor.indexes.catalog import Catalog
from advisor.indexes.costs import System
from advisor.indexes.pricing import Measured, Writes
from advisor.indexes.rows import build_catalog
from advisor.indexes.workload import advise_indexes
from tools.trials.engine import rows as source
from tools.trials.engine.engine import Engine, Run

BUDGET = 1 << 40  # bytes: what an index saves limits the advice
LEAST_MS = 1_000.0  # that an index must save in the hour of the executions
PAGE_MS = 0.1
BUFFER_PAGES, SORT_PAGES = 131_072, 16_384  # shared_buffers and work_mem

Row = Mapping[str, Any]
Name = tuple[str, str]


@dataclass(frozen=True)
class Workload:
    """What the advisor is called with. ``written`` are the rows that each statement changes, per table."""

    queries: tuple[Query, ...]
    catalog: Catalog
    written: Mapping[str, Mapping[Name, Writes]]
    system: System

    @property
    def writes(self) -> dict[Name, Writes]:
        """Return the rows that all statements change, per table."""
        found: dict[Name, Writes] = {}
        for tables in self.written.values():
            for name, more in tables.items():
                have = found.get(name, Writes())
                found[name] = Writes(
                    have.inserted + more.inserted, have.deleted + more.deleted, have.updated + more.updated
                )
        return found

    def advise(self) -> IndexAdvice:
        """Return the indexes that db2tune advises."""
        advice = advise_indexes(
            self.queries, self.catalog, budget=BUDGET, writes=self.writes, least_ms=LEAST_MS, system=self.system
        )
        return replace(advice, again=None)


def read_workload(engine: Engine, runs: Mapping[str, Run]) -> Workload:
    """Return the statements, tables and writes of a schema."""
    columns = source.read_columns(engine)
    catalog = build_catalog(
        {
            "cat_table": source.read_tables(engine),
            "cat_tablespace": [{"TBSPACE": source.SPACE, "PAGESIZE": source.PAGE}],
            "cat_column": columns,
            "cat_key_column": source.read_keys(engine),
            "index": source.read_indexes(engine, columns),
        }
    )
    schema = engine.case.name.upper()
    queries = tuple(_query(row, schema) for row in source.read_statements(engine, runs))
    written = {
        text.name: {(row["TABSCHEMA"], row["TABNAME"]): _writes(row)}
        for text in engine.texts
        if (row := source.read_writes(engine, text, runs[text.name]))
    }
    return Workload(queries, catalog, written, _system(queries))


def _system(queries: Iterable[Query]) -> System:
    fastest = min(query.measured.elapsed_ms for query in queries if query.measured.rows_read)
    return System(PAGE_MS, 0.0, BUFFER_PAGES, SORT_PAGES, fastest)


def _query(row: Row, schema: str) -> Query:
    number = row["NUM_EXECUTIONS"]
    measured = Measured(
        row["STMT_EXEC_TIME"] / number,
        row["TOTAL_CPU_TIME"] / 1000 / number,
        row["POOL_READ_TIME"] / number,
        None,
        row["ROWS_READ"] / number,
        (row["ROWS_RETURNED"] + row["ROWS_MODIFIED"]) / number,
    )
    return Query(row["EXECUTABLE_ID"], row["STMT_TEXT"], number, measured, schema)


def _writes(row: Row) -> Writes:
    return Writes(row["ROWS_INSERTED"], row["ROWS_DELETED"], row["ROWS_UPDATED"])
