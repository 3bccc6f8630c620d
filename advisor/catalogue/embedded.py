"""The embedded database: DuckDB with schema TUNE, in memory, which reads what it is given and nothing else."""

import atexit
from contextlib import ExitStack
from functools import cache
from typing import TYPE_CHECKING, Any

from advisor.catalogue.tables import run_tables
from advisor.files import temporary
from advisor.parallel import processors

if TYPE_CHECKING:
    import duckdb

# On its own it would load what a file's first bytes ask for, and look for that in the net.
NO_EXTENSIONS: dict[str, Any] = {"autoinstall_known_extensions": False, "autoload_known_extensions": False}

# Twice what the largest captures of docs/benchmarks.md take; a file that is made to be larger fails.
MEMORY, ON_DISK = "2GiB", "4GiB"


def connect() -> "duckdb.DuckDBPyConnection":
    """An empty one, with the tables of a run; captures bring those of their snapshots."""
    import duckdb

    bounds = {"memory_limit": MEMORY, "max_temp_directory_size": ON_DISK, "temp_directory": _folder()}
    connection = duckdb.connect(":memory:", config={"threads": processors()} | NO_EXTENSIONS | bounds)
    connection.execute("SET preserve_insertion_order = false")  # no statement relies on it; loading is faster
    connection.execute("CREATE SCHEMA TUNE")
    for name, columns in run_tables().items():
        connection.execute(f"CREATE TABLE TUNE.{name} ({columns})")
    return connection


def lock(connection: "duckdb.DuckDBPyConnection") -> None:
    """From now on nothing outside of the database is read or written, and nobody can change that."""
    connection.execute("SET enable_external_access = false")
    connection.execute("SET lock_configuration = true")


@cache
def _folder() -> str:
    """Where what does not fit into memory goes, as long as this process lives."""
    stack = ExitStack()
    atexit.register(stack.close)
    return str(stack.enter_context(temporary()))
