"""Statements that do not depend on each other, side by side.

A small statement is mostly planned, and one session plans on one processor; so several sessions of one
database use them all.
"""

import os
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    import duckdb

Item = TypeVar("Item")
Result = TypeVar("Result")


def in_sessions(
    connection: "duckdb.DuckDBPyConnection",
    work: Callable[["duckdb.DuckDBPyConnection", Item], Result],
    items: Iterable[Item],
) -> list[Result]:
    """Do the work for each item in a session of its own; results and the first error come in the items' order."""
    with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        return list(pool.map(lambda item: work(connection.cursor(), item), items))
