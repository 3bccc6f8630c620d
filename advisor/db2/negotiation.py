"""Columns of a source that the server has, found by describing its statement without running it."""

from collections.abc import Iterator

from advisor.catalogue.sources import Column, Source
from advisor.db2.connection import Connection
from advisor.db2.failures import Db2Failure

_UNDEFINED_COLUMN = ("42703", "SQL0206N", "SQL0205N")


def find_readable_columns(connection: Connection, source: Source) -> tuple[Column, ...]:
    """Return the readable columns. Raise Db2Failure if the source or a column of its key is unreadable."""
    try:
        connection.describe(source.statement())
    except Db2Failure as failure:
        if not _lacks_column(failure):
            raise
        return tuple(_probe_columns(connection, source))
    return source.columns


def _probe_columns(connection: Connection, source: Source) -> Iterator[Column]:
    for column in source.columns:
        try:
            connection.describe(source.reading(column.name))
        except Db2Failure as failure:
            if column.kind == "key" or not _lacks_column(failure):
                raise
        else:
            yield column


def _lacks_column(failure: Db2Failure) -> bool:
    return failure.sqlstate in _UNDEFINED_COLUMN or failure.id in _UNDEFINED_COLUMN
