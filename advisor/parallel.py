"""Parallel execution of independent statements.

Planning takes most of the time of a small statement, and a session plans on one processor. Several sessions use all
processors.
"""

import os
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, TypeVar

from advisor.errors import UserError

if TYPE_CHECKING:
    import duckdb

THREADS = "DB2TUNE_THREADS"

Item = TypeVar("Item")
Result = TypeVar("Result")


def processors() -> int:
    """Return DB2TUNE_THREADS, or the number of processors. Raise UserError if it is not a positive integer."""
    wanted = os.environ.get(THREADS, "")
    if wanted and not (wanted.isdecimal() and int(wanted)):
        raise UserError(f"{THREADS}={wanted}: must be the number of processors to use, at least 1")
    return int(wanted or os.cpu_count() or 1)


def run_in_sessions(
    connection: "duckdb.DuckDBPyConnection",
    work: Callable[["duckdb.DuckDBPyConnection", Item], Result],
    items: Iterable[Item],
) -> list[Result]:
    """Process each item in its own session. Return results, or raise the first error, in the order of the items."""
    if processors() == 1:
        return [work(connection, item) for item in items]
    with ThreadPoolExecutor(max_workers=processors()) as pool:
        return list(pool.map(lambda item: work(connection.cursor(), item), items))
