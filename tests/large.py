"""A generator of large captures: members x table spaces x tables x pools, made by DuckDB itself.

The rows are those of the base state, repeated under other names. Counters differ from row to row, as they do on
a server that has been up for weeks, and grow from the first snapshot to the second.
"""

from pathlib import Path
from typing import Any

import duckdb

from advisor.sources import Source, all_sources
from tests.states import base_state, write_capture

TWO_SNAPSHOTS = 2


def write_large_capture(
    target: Path, kind: str, members: int = 64, tablespaces: int = 2000, tables: int = 50000, pools: int = 20
) -> None:
    """Write a capture of about a million monitor rows; ``kind`` is csv or parquet."""
    state = base_state()
    state.database["topology"] = "dpf"
    state.site["workload"] = "BI"  # so that the table spaces whose prefetch size is misaligned are found
    write_capture(state, target)
    copies: dict[str, dict[str, int]] = {
        "database": {"MEMBER": members},
        "member": {"MEMBER": members},
        "workload": {"MEMBER": members},
        "system": {"MEMBER": members},
        "transaction_log": {"MEMBER": members},
        "memory_set": {"MEMBER": members},
        "dbcfg": {"MEMBER": members},
        "bufferpool": {"BP_NAME": pools, "MEMBER": members},
        "cat_bufferpool": {"BPNAME": pools},
        "tablespace": {"TBSP_NAME": tablespaces, "MEMBER": members},
        "cat_tablespace": {"TBSPACE": tablespaces},
        "container": {"TBSP_NAME": tablespaces, "MEMBER": members},
        "table": {"TABNAME": tables, "MEMBER": 2},
        "cat_table": {"TABNAME": tables},
        "index": {"TABNAME": tables},
    }
    connection = duckdb.connect(":memory:")
    for name, repeated in copies.items():
        path = target / f"{name}.csv"
        rows = _rows(connection, all_sources()[name], state.sources[name] or [{}], repeated)
        options = "FORMAT csv, HEADER" if kind == "csv" else "FORMAT parquet"
        path.unlink(missing_ok=True)
        connection.execute(f"COPY ({rows}) TO '{target / name}.{kind}' ({options})")
    if kind == "parquet":
        for path in target.glob("*.csv"):
            connection.execute(
                f"COPY (FROM read_csv('{path}', all_varchar = true)) TO '{path.with_suffix('.parquet')}' (FORMAT parquet)"
            )
            path.unlink()


def _rows(
    connection: duckdb.DuckDBPyConnection, source: Source, base: list[dict[str, Any]], repeated: dict[str, int]
) -> str:
    """A SELECT that repeats the base rows for each combination of running numbers, in both snapshots."""
    template = f"BASE_{source.name.upper()}"
    columns = ", ".join(f"{column.name} {column.type}" for column in source.columns)
    connection.execute(f"CREATE OR REPLACE TABLE {template} ({columns})")
    names = [column.name for column in source.columns]
    for row in base:
        marks = ", ".join("?" * len(names))
        values = [row.get(name, _filler(source, name)) for name in names]
        connection.execute(f"INSERT INTO {template} VALUES ({marks})", values)
    selected = ["S.N AS SNAP_ID"]
    for column in source.columns:
        if column.name in repeated:
            number = f"R_{column.name}.N"
            text = f"B.{column.name} || '_' || {number}" if column.type.startswith("VARCHAR") else number
            selected.append(f"CAST({text} AS {column.type}) AS {column.name}")
        elif column.kind == "counter":
            # a server that has been up for weeks: eleven digits before the interval begins
            row = ", ".join(f"R_{name}.N" for name in repeated)
            before = f"HASH('{column.name}', {row}) % 90000000000 + 10000000000"
            selected.append(f"CAST({before} AS BIGINT) + B.{column.name} * (S.N - 1) AS {column.name}")
        elif column.name in ("BUFFERPOOLID", "TBSPACEID"):
            selected.append(f"CAST(R_{next(iter(repeated))}.N AS {column.type}) AS {column.name}")
        elif column.name == "PREFETCHSIZE":
            selected.append("CASE WHEN R_TBSPACE.N % 10 = 0 THEN 32 ELSE -1 END AS PREFETCHSIZE")
        elif column.name in ("TBSP_CUR_POOL_ID", "TBSP_NEXT_POOL_ID"):
            selected.append(f"R_TBSP_NAME.N % 20 AS {column.name}")
        else:
            selected.append(f"B.{column.name}")
    ranges = [f"(SELECT RANGE AS N FROM RANGE({count})) AS R_{name}" for name, count in repeated.items()]
    snapshots = f"(SELECT RANGE AS N FROM RANGE(1, {TWO_SNAPSHOTS + 1})) AS S"
    return f"SELECT {', '.join(selected)} FROM {template} AS B, {', '.join([*ranges, snapshots])}"


def _filler(source: Source, name: str) -> Any:
    column = next(column for column in source.columns if column.name == name)
    if column.kind == "counter":
        return 100
    return "X" if column.type.startswith("VARCHAR") else 0
