"""A session's connection to DuckDB, and the results that it reads."""

from collections.abc import Sequence
from typing import Any

import duckdb

from tests.standin import results
from tests.standin.errors import Disconnect
from tests.standin.objects.definitions import quoted
from tests.standin.objects.literals import literal
from tests.standin.sql import failure
from tests.standin.types import Column

AT_ONCE = 1000  # rows that are read when a query opens; a longer result keeps its connection

Row = tuple[Any, ...]


class Reader:
    """Runs text on a DuckDB connection of its own, which has the session's variables.

    DuckDB's results end with the next statement on their connection. A result that is not read at once takes the
    connection along, and the session goes on with a new one.
    """

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self._origin = connection
        self.connection = connection.cursor()
        self.variables: dict[str, Any] = {}

    def set(self, name: str, value: Any) -> None:
        self.variables[name] = value
        self._set(name, value)

    def _set(self, name: str, value: Any) -> None:
        self.connection.execute(f"SET VARIABLE {quoted(name)} = {literal(value)}")

    def query(self, name: str, text: str, values: Sequence[Any], columns: tuple[Column, ...]) -> "Rows":
        try:
            cursor = self.connection.execute(text, list(values))
            first = cursor.fetchmany(AT_ONCE)
        except duckdb.Error as error:
            raise failure(error) from error
        if len(first) < AT_ONCE:
            return Rows(name, columns, first)
        self.connection = self._origin.cursor()
        for variable, value in self.variables.items():
            self._set(variable, value)
        return Rows(name, columns, first, cursor)

    def all(self, text: str, values: Sequence[Any]) -> list[Row]:
        """All rows at once."""
        try:
            return self.connection.execute(text, list(values)).fetchall()
        except duckdb.Error as error:
            raise failure(error) from error

    def known(self, name: str, text: str, values: Sequence[Any], columns: tuple[Column, ...]) -> "Rows":
        """As ``query`` where the rows depend on nothing but the values."""
        key = (text, repr(values))  # 1, 1.0 and True are equal, and so are 1.0 and 1.00
        return Rows(name, columns, results.result(key, lambda: self.query(name, text, values, columns).fetch(AT_ONCE)))

    def interrupt(self) -> None:
        self.connection.interrupt()

    def close(self) -> None:
        self.connection.close()


class Rows:
    """An open cursor: the rows read so far, and where the others come from."""

    def __init__(
        self, name: str, columns: tuple[Column, ...], rows: list[Row], rest: duckdb.DuckDBPyConnection | None = None
    ) -> None:
        self.name = name
        self.columns = columns
        self._rows = rows
        self._at = 0
        self._rest = rest
        self._left: int | None = None

    def drop_after(self, rows: int) -> None:
        """Let the connection drop after this number of fetched rows."""
        self._left = rows

    def fetch(self, most: int) -> list[Row]:
        if self._left is not None:
            if not self._left:
                raise Disconnect(self.name)
            most = min(most, self._left)
        if self._at >= len(self._rows) and self._rest is not None:
            self._read_on()
        found = self._rows[self._at : self._at + most]
        self._at += len(found)
        if self._left is not None:
            self._left -= len(found)
        return found

    def _read_on(self) -> None:
        assert self._rest is not None
        try:
            self._rows = self._rest.fetchmany(AT_ONCE)
        except duckdb.Error as error:
            raise failure(error) from error
        self._at = 0
        if not self._rows:
            self.close()

    def close(self) -> None:
        if self._rest is not None:
            self._rest.close()
            self._rest = None
