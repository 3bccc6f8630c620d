"""Rows in the shape of db2tune's sources as the arguments of the index advisor."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from advisor.indexes.advice import Query
from advisor.indexes.catalog import Catalog, Column, Index, Key, Table
from advisor.indexes.costs import System
from advisor.indexes.pricing import Measured, Writes
from tests.engine import rows as source
from tests.engine.engine import Engine, Run

SYSTEM = System(page_ms=0.1, miss=0.0, buffer_pages=131_072, sort_pages=16_384)  # the settings of the server

Row = Mapping[str, Any]


@dataclass(frozen=True)
class Workload:
    """What the advisor is called with."""

    queries: tuple[Query, ...]
    catalog: Catalog
    writes: Mapping[tuple[str, str], Writes]


def read_workload(engine: Engine, runs: Mapping[str, Run]) -> Workload:
    """Return the statements, tables and writes of a schema."""
    columns = source.read_columns(engine)
    catalog = build_catalog(
        source.read_tables(engine), columns, source.read_indexes(engine, columns), source.read_keys(engine)
    )
    schema = engine.case.name.upper()
    queries = tuple(_query(row, schema) for row in source.read_statements(engine, runs))
    writes = {(row["TABSCHEMA"], row["TABNAME"]): _writes(row) for row in source.read_writes(engine, runs)}
    return Workload(queries, catalog, writes)


def build_catalog(tables: Iterable[Row], columns: Iterable[Row], indexes: Iterable[Row], keys: Iterable[Row]) -> Catalog:
    """Return tables with their columns and indexes."""
    by_table: dict[tuple[str, str], dict[str, Column]] = {}
    for row in columns:
        by_table.setdefault((row["TABSCHEMA"], row["TABNAME"]), {})[row["COLNAME"]] = _column(row)
    by_index: dict[str, list[Key]] = {}
    for row in keys:
        by_index.setdefault(row["INDNAME"], []).append(Key(row["COLNAME"], row["COLORDER"] == "D"))
    on_table: dict[tuple[str, str], list[Index]] = {}
    for row in indexes:
        found = _index(row, by_index[row["INDNAME"]])
        on_table.setdefault((row["TABSCHEMA"], row["TABNAME"]), []).append(found)
    return {
        (row["TABSCHEMA"], row["TABNAME"]): Table(
            row["TABSCHEMA"],
            row["TABNAME"],
            by_table[row["TABSCHEMA"], row["TABNAME"]],
            row["CARD"],
            row["NPAGES"],
            row["PAGESIZE"],
            row["TABLEORG"] == "C",
            tuple(on_table.get((row["TABSCHEMA"], row["TABNAME"]), ())),
            row["STATS_ROWS_MODIFIED"],
        )
        for row in tables
    }


def _column(row: Row) -> Column:
    names = ("COLNAME", "TYPENAME", "LENGTH", "COLCARD", "NUMNULLS", "AVGCOLLEN", "LOW2KEY", "HIGH2KEY")
    return Column(*(row[name] for name in names), row["NMOSTFREQ"] > 0 or row["NQUANTILES"] > 0)


def _index(row: Row, keys: list[Key]) -> Index:
    return Index(
        row["INDSCHEMA"],
        row["INDNAME"],
        tuple(keys),
        (),
        row["UNIQUERULE"],
        bool(row["SYSTEM_REQUIRED"]),
        row["NLEVELS"],
        row["NLEAF"],
        row["FULLKEYCARD"],
        tuple(row[name] for name in ("FIRSTKEYCARD", "FIRST2KEYCARD", "FIRST3KEYCARD", "FIRST4KEYCARD")),
        row["CLUSTERRATIO"] / 100,
    )


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
