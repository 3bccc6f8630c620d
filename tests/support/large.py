"""A generator of large captures: members x table spaces x tables x pools, created by DuckDB itself.

The rows are those of the base state, plus one row of each source that is empty there, repeated under other names.
Counters differ between rows, as on a server that has run for weeks, and grow between the snapshots.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb

from advisor.catalogue.sources import Column, Source, all_sources
from tests.support.states import state_of, write_capture

TWO_SNAPSHOTS = 2
BUCKETS = 32768  # of a distribution map

# Sources without rows in the base state. These rows describe no problem.
OTHERS: dict[str, list[dict[str, Any]]] = {
    "cat_table": [{"TABNAME": "T", "PARTITION_MODE": "H"}],
    "cat_column": [{"TABNAME": "T", "COLNAME": "ID", "PARTKEYSEQ": 1, "MUCH_READ": 0}],
    "fcm": [{}],
    "index": [{"TABNAME": "T", "INDEX_SCANS": 100, "OBJECT_INDEX_L_READS": 1000}],
    "lob_column": [{"TABNAME": "T", "COLNAME": "DOC"}],
    "partition_group": [{}],
    "statement": [{}],
    "table": [{"TABNAME": "T", "ROWS_READ": 1000}],
    "table_size": [{"TABNAME": "T"}],
}


@dataclass(frozen=True)
class Size:
    """The size of the database.

    ``large_tables`` have more than 10 MB on every partition, ``lob_tables`` have a LOB.
    """

    members: int = 64
    tablespaces: int = 2000
    tables: int = 50000
    large_tables: int = 1000
    lob_tables: int = 5000
    pools: int = 20
    statements: int = 500


def write_large_capture(target: Path, size: Size | None = None) -> None:
    """Write a capture of more than one million monitor rows."""
    size = size or Size()
    case = OTHERS | {
        "database": {"topology": "dpf"},
        "site": {"workload": "BI"},  # so that the table spaces with a misaligned prefetch size are found
        "partition_map": [{"BUCKETS": BUCKETS // size.members}],
        "registry_values": {"DB2COMM": "TCPIP"},
    }
    state = state_of(case)
    write_capture(state, target)
    connection = duckdb.connect(":memory:")
    for name, repeated in _repeated(size).items():
        rows = _rows(connection, all_sources()[name], state.sources[name], repeated, size)
        (target / f"{name}.csv").unlink()
        connection.execute(f"COPY ({rows}) TO '{target / name}.csv' (FORMAT csv, HEADER)")


def _repeated(size: Size) -> dict[str, dict[str, int]]:
    """Return for each source the number of repetitions of its rows, and the values of the varied key columns."""
    each_member = (
        "database",
        "member",
        "workload",
        "system",
        "transaction_log",
        "memory_set",
        "dbcfg",
        "fcm",
        "instance",
        "registry",
    )
    each_partition = ("partition_group", "partition_map", "storage_path")
    return {
        **{name: {"MEMBER": size.members} for name in each_member},
        **{name: {"DBPARTITIONNUM": size.members} for name in each_partition},
        "bufferpool": {"BP_NAME": size.pools, "MEMBER": size.members},
        "cat_bufferpool": {"BPNAME": size.pools},
        "tablespace": {"TBSP_NAME": size.tablespaces, "MEMBER": size.members},
        "cat_tablespace": {"TBSPACE": size.tablespaces},
        "container": {"TBSP_NAME": size.tablespaces, "MEMBER": size.members},
        "table": {"TABNAME": size.tables, "MEMBER": 2},
        "cat_table": {"TABNAME": size.tables},
        "cat_column": {"TABNAME": size.tables},
        "lob_column": {"TABNAME": size.lob_tables},
        "table_size": {"TABNAME": size.large_tables, "DBPARTITIONNUM": size.members},
        "index": {"TABNAME": size.tables},
        "statement": {"EXECUTABLE_ID": size.statements},
    }


def _expressions(size: Size) -> dict[tuple[str, str], str]:
    """Return expressions for columns outside the key that must differ from the base row's value."""
    return {
        ("cat_bufferpool", "BUFFERPOOLID"): "R_BPNAME.N",
        ("cat_tablespace", "TBSPACEID"): "R_TBSPACE.N",
        ("cat_tablespace", "BUFFERPOOLID"): f"R_TBSPACE.N % {size.pools}",
        ("cat_tablespace", "PREFETCHSIZE"): "CASE WHEN R_TBSPACE.N % 10 = 0 THEN 32 ELSE -1 END",
        ("tablespace", "TBSP_ID"): "R_TBSP_NAME.N",
        ("tablespace", "TBSP_CUR_POOL_ID"): f"R_TBSP_NAME.N % {size.pools}",
        ("tablespace", "TBSP_NEXT_POOL_ID"): f"R_TBSP_NAME.N % {size.pools}",
        ("container", "TBSP_ID"): "R_TBSP_NAME.N",
        ("table", "TBSP_ID"): f"R_TABNAME.N % {size.tablespaces}",
        ("cat_table", "TBSPACE"): f"B.TBSPACE || '_' || R_TABNAME.N % {size.tablespaces}",
        ("cat_table", "CARD"): f"CASE WHEN R_TABNAME.N < {size.large_tables} THEN B.CARD ELSE 1000 END",
        ("cat_table", "NPAGES"): f"CASE WHEN R_TABNAME.N < {size.large_tables} THEN B.NPAGES ELSE 30 END",
        ("statement", "EXECUTABLE_ID"): "PRINTF('%064X', R_EXECUTABLE_ID.N)",
    }


def _rows(
    connection: duckdb.DuckDBPyConnection,
    source: Source,
    base: list[dict[str, Any]],
    repeated: dict[str, int],
    size: Size,
) -> str:
    """Return a SELECT that repeats the base rows for each combination of running numbers, in both snapshots."""
    template = f"BASE_{source.name.upper()}"
    columns = ", ".join(f"{column.name} {column.type}" for column in source.columns)
    connection.execute(f"CREATE OR REPLACE TABLE {template} ({columns})")
    for row in base:
        values = [row.get(column.name, _filler(column)) for column in source.columns]
        connection.execute(f"INSERT INTO {template} VALUES ({', '.join('?' * len(values))})", values)
    expressions = _expressions(size)
    selected = ["S.N AS SNAP_ID"]
    for column in source.columns:
        text = expressions.get((source.name, column.name)) or _value(column, repeated)
        selected.append(f"CAST({text} AS {column.type}) AS {column.name}")
    ranges = [f"(SELECT RANGE AS N FROM RANGE({count})) AS R_{name}" for name, count in repeated.items()]
    snapshots = f"(SELECT RANGE AS N FROM RANGE(1, {TWO_SNAPSHOTS + 1})) AS S"
    return f"SELECT {', '.join(selected)} FROM {template} AS B, {', '.join([*ranges, snapshots])}"


def _value(column: Column, repeated: dict[str, int]) -> str:
    """Return the expression of a column: a running number, a growing counter, or the base row's value."""
    if column.name in repeated:
        number = f"R_{column.name}.N"
        return f"B.{column.name} || '_' || {number}" if column.type.startswith("VARCHAR") else number
    if column.kind == "counter":
        # a server that has run for weeks: eleven digits before the interval begins
        row = ", ".join(f"R_{name}.N" for name in repeated)
        before = f"HASH('{column.name}', {row}) % 90000000000 + 10000000000"
        return f"CAST({before} AS BIGINT) + B.{column.name} * (S.N - 1)"
    return f"B.{column.name}"


def _filler(column: Column) -> Any:
    if column.kind == "counter":
        return 100
    return "X" if column.type.startswith("VARCHAR") else 0
