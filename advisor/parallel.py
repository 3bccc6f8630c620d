"""Statements that do not depend on each other, side by side.

A small statement is mostly planned, and one session plans on one processor; so several sessions of one
database use them all.
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
    """How many processors judging may use: all of them, or what DB2TUNE_THREADS says. Raises UserError for no number."""
    wanted = os.environ.get(THREADS, "")
    if wanted and not (wanted.isdecimal() and int(wanted)):
        raise UserError(f"{THREADS}={wanted}: say how many processors may be used, at least 1")
    return int(wanted or os.cpu_count() or 1)


def in_sessions(
    connection: "duckdb.DuckDBPyConnection",
    work: Callable[["duckdb.DuckDBPyConnection", Item], Result],
    items: Iterable[Item],
) -> list[Result]:
    """Do the work for each item in a session of its own; results and the first error come in the items' order."""
    if processors() == 1:
        return [work(connection, item) for item in items]
    with ThreadPoolExecutor(max_workers=processors()) as pool:
        return list(pool.map(lambda item: work(connection.cursor(), item), items))
