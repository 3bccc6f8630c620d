"""The embedded database: DuckDB with schema TUNE, in memory, which reads only its input."""

import atexit
from contextlib import ExitStack
from functools import cache
from typing import TYPE_CHECKING, Any

from advisor.catalogue.tables import run_tables
from advisor.files import temporary
from advisor.parallel import processors

if TYPE_CHECKING:
    import duckdb

# By default DuckDB loads extensions for a file's first bytes, and downloads them.
NO_EXTENSIONS: dict[str, Any] = {"autoinstall_known_extensions": False, "autoload_known_extensions": False}

# Planning takes most of a run's time. These gain nothing on small tables, and the last one fails on some statements.
DISABLED = "common_subexpressions,common_subplan,expression_rewriter,projection_pullup,statistics_propagation"

# Twice the need of the largest captures in docs/benchmarks.md; a file made to be larger fails.
MEMORY, ON_DISK = "512MiB", "4GiB"


def connect() -> "duckdb.DuckDBPyConnection":
    """Return an empty database with the tables of a run; captures add those of their snapshots."""
    import duckdb

    bounds = {"memory_limit": MEMORY, "max_temp_directory_size": ON_DISK, "temp_directory": _folder()}
    connection = duckdb.connect(":memory:", config={"threads": processors()} | NO_EXTENSIONS | bounds)
    connection.execute("SET preserve_insertion_order = false")  # no statement relies on it; loading is faster
    connection.execute(f"SET disabled_optimizers = '{DISABLED}'")
    connection.execute("CREATE SCHEMA TUNE")
    for name, columns in run_tables().items():
        connection.execute(f"CREATE TABLE TUNE.{name} ({columns})")
    return connection


def lock(connection: "duckdb.DuckDBPyConnection") -> None:
    """Forbid all access outside of the database, permanently."""
    connection.execute("SET enable_external_access = false")
    connection.execute("SET lock_configuration = true")


@cache
def _folder() -> str:
    """Return the folder for data that exceeds memory, for the lifetime of this process."""
    stack = ExitStack()
    atexit.register(stack.close)
    return str(stack.enter_context(temporary()))
