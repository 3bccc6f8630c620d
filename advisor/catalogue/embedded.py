"""The embedded database: DuckDB with schema TUNE, in memory."""

from typing import TYPE_CHECKING

from advisor.catalogue.tables import run_tables
from advisor.parallel import processors

if TYPE_CHECKING:
    import duckdb


def connect() -> "duckdb.DuckDBPyConnection":
    """An empty one, with the tables of a run; captures bring those of their snapshots."""
    import duckdb

    connection = duckdb.connect(":memory:", config={"threads": processors()})
    connection.execute("SET preserve_insertion_order = false")  # no statement relies on it; loading is faster
    connection.execute("CREATE SCHEMA TUNE")
    for name, columns in run_tables().items():
        connection.execute(f"CREATE TABLE TUNE.{name} ({columns})")
    return connection
