"""Connections to Db2 through IBM's driver (``ibm_db``), which is imported at the first connection.

Every statement and every call of the driver has a timeout in seconds, even if the server sends bytes slowly. If the
connection is lost before the first row, queries run once more; changes never do. Every error raises Db2Failure
without the password. Before the first statement that names an object in schema TUNE, each connection checks its owner.
"""

import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from ctypes import py_object, pythonapi
from dataclasses import dataclass
from decimal import Decimal
from importlib import import_module
from typing import Any, Self, TypeVar

from advisor.db2.address import Address
from advisor.db2.failures import Db2Failure
from advisor.db2.owner import is_in_tune, require_owner
from advisor.db2.password import Secret
from advisor.errors import UserError
from advisor.patience import Apart, OverdueError

CONNECT_TIMEOUT_S = 15
STATEMENT_TIMEOUT_S = 60
DDL_TIMEOUT_S = 900  # of a statement that installs or drops many objects, on a slow host
PROCEDURE_TIMEOUT_S = 3600  # of a procedure that reads every source and runs every rule
GRACE_S = 15  # after a statement's timeout, until the server counts as lost
BLOCK, BLOCK_S = 500, 0.5  # maximum rows and seconds of one fetch

# By default, the driver reconnects and repeats the first statement of a transaction, even an UPDATE or a CALL. It also
# retries a closed port for five seconds (observed with the driver of Db2 12.1.4; the keywords enableAcr and
# maxAcrRetries change neither). This registry variable, as an environment variable, prevents both.
_NO_REROUTE = "DB2_MAX_CLIENT_CONNRETRIES"
_UTF_8 = ("DB2CODEPAGE", "1208")  # else texts and passwords are converted to the locale's code page: in cron, ASCII

Row = tuple[Any, ...]
Result = TypeVar("Result")

# texts that failures.csv recognises
_CLOSED, _ENDLESS = "CLI0106E Connection is closed.", "the answer does not end SQLSTATE=HYT00"

_DECIMALS = ("decimal", "numeric", "decfloat")  # types whose values the driver returns as text
_SIGN = {"SMALLINT": 1 << 31, "INTEGER": 1 << 31}
_SAMPLES: dict[str, Any] = {"SMALLINT": 0, "INTEGER": 0, "BIGINT": 0, "DOUBLE": 0.0, "VARCHAR": ""}


@dataclass(frozen=True)
class Out:
    """An OUT parameter of a CALL. Its type is SMALLINT, INTEGER, BIGINT, DOUBLE or VARCHAR."""

    type: str

    def value(self, returned: Any) -> Any:
        """Return the signed value. The driver returns negative INTEGERs as unsigned 32-bit numbers."""
        half = _SIGN.get(self.type)
        return returned - 2 * half if half and returned is not None and returned >= half else returned


@dataclass(frozen=True)
class ResultSet:
    """A result set of a procedure: column names and all rows."""

    columns: tuple[str, ...]
    rows: list[Row]


class Connection:
    """A connection without autocommit, as a context manager that rolls back and closes at the end.

    ``driver`` is a module that replaces ibm_db.
    """

    def __init__(  # noqa: PLR0913 -- a timeout for each kind of call
        self,
        address: Address,
        password: Secret | None = None,
        *,
        connect_timeout_s: int = CONNECT_TIMEOUT_S,
        statement_timeout_s: int = STATEMENT_TIMEOUT_S,
        procedure_timeout_s: int = PROCEDURE_TIMEOUT_S,
        ddl_timeout_s: int = DDL_TIMEOUT_S,
        driver: Any = None,
    ) -> None:
        self.address = address
        self.statement_timeout_s = statement_timeout_s
        self.ddl_timeout_s = ddl_timeout_s
        self.procedure_timeout_s = procedure_timeout_s
        self._password = password
        self._connect_timeout_s = connect_timeout_s
        self._given_driver = driver
        self._driver: Any = None
        self._handle: Any = None
        self._open: list[Any] = []  # statements; after their connection, freeing one would free another's
        self._only_read = True
        self._knows_owner = False  # of schema TUNE
        self._limit_s = 0  # the current receive timeout of the connection
        self._apart: Apart | None = None  # the thread of the driver while the connection is open

    def __enter__(self) -> Self:
        self._driver = self._given_driver or _ibm_db()
        self._connect()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Connection({self.address.label})"

    def describe(self, sql: str) -> list[tuple[str, str]]:
        """Return name and type (int, bigint, string, timestamp, ...) of each column of a query. Do not run it."""

        def described() -> list[tuple[str, str]]:
            now = {self._driver.SQL_ATTR_DEFERRED_PREPARE: 0}  # else the next call would raise the error
            statement = self._prepare(sql, None, now)
            try:
                return self._columns(statement)
            finally:
                self._free(statement)

        return self._retry(described)

    def rows(self, sql: str, parameters: Sequence[Any] = (), timeout_s: int | None = None) -> Iterator[Row]:
        """Yield the rows of a query that changes nothing, as they arrive."""

        def begun() -> tuple[Any, list[int], Row | None]:
            statement = self._run(sql, parameters, timeout_s)
            try:
                numbers = [i for i, (_, type_) in enumerate(self._columns(statement)) if type_ in _DECIMALS]
                return statement, numbers, self._call_driver(self._fetch, statement, numbers)
            except BaseException:
                self._free(statement)
                raise

        statement, numbers, row = self._retry(begun)
        try:
            if row is not None:
                yield row
                yield from self._fetched(statement, numbers, self.limit_s(timeout_s))
        finally:
            self._free(statement)

    def execute(self, sql: str, parameters: Sequence[Any] = (), timeout_s: int | None = None) -> int:
        """Run a statement that changes data. Return the number of changed rows, or -1 if unknown."""
        self._only_read = False
        statement = self._run(sql, parameters, timeout_s)
        try:
            return int(self._call_driver(self._driver.num_rows, statement))
        finally:
            self._free(statement)

    def call(
        self, name: str, parameters: Sequence[Any] = (), timeout_s: int | None = None
    ) -> tuple[list[Any], list[ResultSet]]:
        """Call a procedure by its SQL name. Return the values of its OUT parameters, and its result sets.

        With an Out, no IN parameter may be None: the driver would send a zero.
        """
        self._only_read = False
        outs = [(i, item) for i, item in enumerate(parameters) if isinstance(item, Out)]
        if not outs:
            markers = ", ".join("?" for _ in parameters)
            statement = self._run(f"CALL {name}({markers})", parameters, timeout_s)
            return [], self._result_sets(statement, timeout_s)
        if None in parameters:
            raise ValueError(f"{name}: with an OUT parameter, the driver sends 0 for a NULL")
        values = tuple(_SAMPLES[item.type] if isinstance(item, Out) else item for item in parameters)
        self._check_owner(name)
        self._wait_for(self.limit_s(timeout_s))
        statement, *returned = self._call_driver(self._driver.callproc, self._handle, name, values)
        self._open.append(statement)
        return [item.value(returned[i]) for i, item in outs], self._result_sets(statement, timeout_s)

    def commit(self) -> None:
        """Commit. Raise Db2Failure; its message says if the result of the commit is unknown."""
        try:
            self._call_driver(self._driver.commit, self._handle)
        except Db2Failure as failure:
            raise failure.mark_commit() if failure.dropped else failure from None

    def rollback(self) -> None:
        self._call_driver(self._driver.rollback, self._handle)

    def close(self) -> None:
        """Roll back and close the connection. Ignore errors of a lost one."""
        if self._handle is None:
            return
        if self._apart is not None and self._apart.lost:
            self._leave()
            return
        for statement in list(self._open):
            self._free(statement)
        handle, self._handle = self._handle, None
        for end in (self._driver.rollback, self._driver.close):
            with suppress(Exception):  # already closed
                self._call_driver(end, handle)
        self._let_go()

    def limit_s(self, timeout_s: int | None) -> int:
        """Return the timeout of a statement in seconds: the given one or the default."""
        return self.statement_timeout_s if timeout_s is None else timeout_s

    def _connect(self) -> None:
        try:
            self._handle = self._open_handle()
        except Db2Failure as first:
            if not first.again:
                raise
            self._handle = self._open_handle()

    def _open_handle(self) -> Any:
        self._limit_s, self._apart, self._knows_owner = 0, Apart(), False
        try:
            return self._reconnect()
        except BaseException:
            self._let_go()
            raise

    def _reconnect(self) -> Any:
        driver, timeout_s = self._driver, self._connect_timeout_s
        options = {driver.SQL_ATTR_AUTOCOMMIT: driver.SQL_AUTOCOMMIT_OFF, driver.SQL_ATTR_LOGIN_TIMEOUT: timeout_s}
        if self.address.alias is not None:
            password = self._password.reveal() if self._password else ""
            return self._call_driver(driver.connect, self.address.alias, self.address.user or "", password, options)
        text = self.address.connection_string(self._password, timeout_s)
        return self._call_driver(driver.connect, text, "", "", options)

    def _leave(self) -> None:
        """Abandon a connection with a blocked driver. Closing it would block as well."""
        for kept in (self._handle, *self._open):
            pythonapi.Py_IncRef(py_object(kept))  # prevent that it is freed, even at exit
        self._handle, self._open = None, []
        self._let_go()

    def _let_go(self) -> None:
        if self._apart is not None:
            self._apart.end()
            self._apart = None

    def _retry(self, read: Callable[[], Result]) -> Result:
        """Read. Repeat it on a new connection if the old one was lost and had no other work."""
        try:
            return read()
        except Db2Failure as failure:
            if not (failure.again and self._only_read and not self._open):
                raise
        self.close()
        self._connect()
        return read()

    def _run(self, sql: str, parameters: Sequence[Any], timeout_s: int | None) -> Any:
        statement = self._prepare(sql, timeout_s, {})
        try:
            self._call_driver(self._driver.execute, statement, *([tuple(parameters)] if parameters else []))
        except BaseException:
            self._free(statement)
            raise
        return statement

    def _prepare(self, sql: str, timeout_s: int | None, options: dict[int, int]) -> Any:
        self._check_owner(sql)
        limit = self.limit_s(timeout_s)
        self._wait_for(limit)
        options = options | {self._driver.SQL_ATTR_QUERY_TIMEOUT: limit}
        statement = self._call_driver(self._driver.prepare, self._handle, sql, options)
        self._open.append(statement)
        return statement

    def _check_owner(self, sql: str) -> None:
        """Raise Db2Failure if the statement names an object in schema TUNE and another user could have made it."""
        if self._knows_owner or not is_in_tune(sql):
            return
        self._knows_owner = True  # for the query itself
        try:
            require_owner(self.rows)
        except BaseException:
            self._knows_owner = False
            raise

    def _wait_for(self, limit_s: int) -> None:
        """Set the receive timeout of the driver to ``limit_s`` plus the grace, in seconds."""
        if limit_s != self._limit_s:
            patience = {self._driver.SQL_ATTR_RECEIVE_TIMEOUT: limit_s + GRACE_S}
            self._call_driver(self._driver.set_option, self._handle, patience, 1)  # 1: of the connection
            self._limit_s = limit_s

    def _columns(self, statement: Any) -> list[tuple[str, str]]:
        def asked() -> list[tuple[str, str]]:
            driver = self._driver
            count = int(driver.num_fields(statement))
            return [(str(driver.field_name(statement, i)), str(driver.field_type(statement, i))) for i in range(count)]

        return self._call_driver(asked)  # type: ignore[no-any-return]

    def _fetched(self, statement: Any, numbers: list[int], limit_s: int) -> Iterator[Row]:
        """Yield the remaining rows. Raise UserError if waiting for them exceeds ``limit_s`` plus the grace in total.

        The caller's own time does not count.
        """
        waited_s = 0.0
        while True:
            begun = time.monotonic()
            rows, more = self._call_driver(self._block, statement, numbers)
            waited_s += time.monotonic() - begun
            yield from rows
            if not more:
                return
            if waited_s > limit_s + GRACE_S:
                raise UserError(f"the rows took longer than {limit_s} s; raise --statement-timeout")

    def _block(self, statement: Any, numbers: list[int]) -> tuple[list[Row], bool]:
        """Return the next rows, and whether more may follow."""
        rows: list[Row] = []
        begun = time.monotonic()
        while len(rows) < BLOCK and time.monotonic() - begun < BLOCK_S:
            row = self._fetch(statement, numbers)
            if row is None:
                return rows, False
            rows.append(row)
        return rows, True

    def _fetch(self, statement: Any, numbers: list[int]) -> Row | None:
        row = self._driver.fetch_tuple(statement)
        if row is False or row is None:
            return None
        if not numbers:
            return tuple(row)
        values = list(row)
        for i in numbers:
            values[i] = None if values[i] is None else Decimal(values[i])
        return tuple(values)

    def _result_sets(self, statement: Any, timeout_s: int | None) -> list[ResultSet]:
        """Return all rows of all result sets. Each further set has its own statement."""
        sets = []
        following: Any = statement
        try:
            while following:
                columns = self._columns(following)
                if columns:
                    numbers = [i for i, (_, type_) in enumerate(columns) if type_ in _DECIMALS]
                    rows = list(self._fetched(following, numbers, self.limit_s(timeout_s)))
                    sets.append(ResultSet(tuple(name for name, _ in columns), rows))
                following = self._call_driver(self._driver.next_result, statement)
                if following:
                    self._open.append(following)
        finally:
            for each in self._open[self._open.index(statement) :]:
                self._free(each)
        return sets

    def _free(self, statement: Any) -> None:
        if any(each is statement for each in self._open):
            self._open = [each for each in self._open if each is not statement]
            with suppress(Exception):  # its connection is lost
                self._call_driver(self._driver.free_stmt, statement)

    def _call_driver(self, work: Callable[..., Any], *arguments: Any) -> Any:
        """Call the driver. Turn its errors into Db2Failure, without the password and its traceback."""
        if self._apart is None:
            raise Db2Failure(_CLOSED)
        longest_s = (self._limit_s or self._connect_timeout_s) + 2 * GRACE_S  # the driver's own timeout is shorter
        try:
            return self._apart.do(longest_s, work, *arguments)
        except OverdueError:
            text = _ENDLESS
        except Exception as error:  # the driver raises plain Exception
            # if it returns a value and raises, Python's own error hides the driver's
            text = str(error.__cause__ or error) or self._driver.stmt_errormsg() or self._driver.conn_errormsg()
        raise Db2Failure(text, self._password.scrub if self._password else str)


def _ibm_db() -> Any:
    os.environ.setdefault(_NO_REROUTE, "0")
    os.environ.setdefault(*_UTF_8)
    try:
        return import_module("ibm_db")
    except ModuleNotFoundError as error:
        if error.name != "ibm_db":
            raise
        raise UserError("IBM's driver for Db2 is not installed; run pip install ibm_db") from None
    except ImportError as error:
        raise UserError(f"IBM's driver for Db2 (ibm_db) cannot be loaded: {error}; install it again") from None
