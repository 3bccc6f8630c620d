"""The commands that carry SQL: prepare, describe, execute, open, fetch, close, and the ends of a unit of work.

The driver names a statement, and the cursor over it, by package and section (PKGNAMCSN), and uses sections again. It
asks for the rows of an open cursor in blocks.
"""

from collections import deque
from collections.abc import Callable, Sequence
from typing import Any

from tests.standin.api import Outcome, ResultSet, Session, Statement
from tests.standin.drda import replies
from tests.standin.drda.codec import RowEncoder
from tests.standin.drda.codepoints import Code, Severity
from tests.standin.drda.framing import Command, Reply, number
from tests.standin.drda.parameters import input_rows
from tests.standin.drda.replies import reported
from tests.standin.errors import Db2Error

_BLOCK = 32_000  # bytes of rows in one reply, except that a longer row goes out whole
_BATCH = 100  # rows that are asked of the result set at once

EncodedRow = tuple[bytes, list[bytes]]


class Cursor:
    """A result set and what of it is read but not sent."""

    def __init__(self, result: ResultSet) -> None:
        self.name = result.name
        self.columns = result.columns
        self.has_lobs = any(column.type.is_lob for column in result.columns)
        self.is_open = True
        self._result = result
        self._encoder = RowEncoder(result.columns)
        self._waiting: deque[EncodedRow] = deque()

    def close(self) -> None:
        if self.is_open:
            self.is_open = False
            self._result.close()

    def block(self) -> list[Reply]:
        """The next rows with their LOBs, and the end or the error that follows them; either closes the cursor."""
        rows: list[EncodedRow] = []
        ending: list[Reply] = []
        size = 0
        try:
            while size < _BLOCK:
                if not self._waiting and not self._read():
                    ending = replies.end_of_data()
                    break
                if rows and size + _size(self._waiting[0]) > _BLOCK:
                    break
                rows.append(self._waiting.popleft())
                size += _size(rows[-1])
        except Exception as fault:
            ending = [replies.query_ended(Severity.ERROR), replies.error_card(reported(fault))]
        if ending:
            self.close()
        return [*_row_replies(rows), *ending]

    def _read(self) -> bool:
        """Take a batch from the result set; False at its end."""
        batch = self._result.fetch(_BATCH)
        self._waiting.extend(map(self._encoded, batch))
        return bool(batch)

    def _encoded(self, values: tuple[Any, ...]) -> EncodedRow:
        return self._encoder.encode(values), self._encoder.apart(values)


def _size(row: EncodedRow) -> int:
    return len(row[0]) + sum(map(len, row[1]))


def _row_replies(rows: list[EncodedRow]) -> list[Reply]:
    if not rows:
        return []
    lobs = (Reply(Code.EXTDTA, lob) for _, apart in rows for lob in apart)
    return [Reply(Code.QRYDTA, b"".join(row for row, _ in rows)), *lobs]


_NOT_PREPARED = (-514, "26501", "SQLCUR")
_NOT_A_QUERY = (-517, "07005", "SQLCUR")
_IS_A_QUERY = (-84, "42612")
_PACKAGE_NAME = slice(36, 54)  # in PKGNAMCSN, after the names of database and collection
_RESULT_SET_SECTIONS = range(0x8001, 0x10000)
_NULL_STRING = 0xFF
_SET_SCHEMA_SECTION = number(0x22)  # of package SYSSTAT


class Statements:
    """What one connection has prepared and opened; ``order`` is the byte order of the client's numbers."""

    def __init__(self, session: Session, order: str) -> None:
        self._session = session
        self._order = order
        self._prepared: dict[bytes, Statement] = {}
        self._cursors: dict[bytes, Cursor] = {}

    def close(self) -> None:
        """The connection is over."""
        self._close_cursors()
        self._session.rollback()

    def prepare(self, command: Command) -> list[Reply]:
        key = command.get(Code.PKGNAMCSN)
        self._prepared.pop(key, None)
        statement = self._prepared[key] = self._session.prepare(_text(command))
        if command.get(Code.RTNSQLDA):
            return [replies.prepared(statement.columns)]
        return [replies.card()]

    def describe(self, command: Command) -> list[Reply]:
        statement = self._statement(command)
        if command.get(Code.TYPSQLDA, b"\0")[0] % 2:
            return [replies.description([parameter.column for parameter in statement.parameters])]
        return [replies.description(statement.columns)]

    def execute_immediate(self, command: Command) -> list[Reply]:
        statement = self._session.prepare(_text(command))
        if statement.kind == "query":
            raise Db2Error(*_IS_A_QUERY)
        outcome = statement.execute()
        for result in outcome.result_sets:
            result.close()
        return [_outcome_card(outcome)]

    def execute(self, command: Command) -> list[Reply]:
        package = command.get(Code.PKGNAMCSN)[_PACKAGE_NAME].decode().strip()
        if package in _BOUND_PACKAGES:
            return _BOUND_PACKAGES[package](self, command)
        statement = self._statement(command)
        if statement.kind == "query":
            raise Db2Error(*_IS_A_QUERY)
        rows = input_rows(command, self._order) or [()]
        if statement.kind == "call":
            return self._call(command, statement, rows[0])
        outcomes = [statement.execute(row) for row in rows]
        affected = sum(outcome.rowcount for outcome in outcomes)
        if len(rows) == 1:
            return [_outcome_card(outcomes[0])]
        return [replies.card(rows=affected - len(rows) + 1)]  # the driver adds the other rows by itself

    def open(self, command: Command) -> list[Reply]:
        key = command.get(Code.PKGNAMCSN)
        statement = self._statement(command)
        rows = input_rows(command, self._order) or [()]
        outcome = statement.execute(rows[0])
        if outcome.result is None:
            raise Db2Error(*_NOT_A_QUERY)
        cursor = self._opened(key, Cursor(outcome.result))
        warning = [_outcome_card(outcome)] if outcome.code else []
        return [replies.query_opened(), *warning, replies.query_description(cursor.columns), *self._block(key)]

    def fetch(self, command: Command) -> list[Reply]:
        key = command.get(Code.PKGNAMCSN)
        return self._block(key) if key in self._cursors else [replies.query_not_open()]

    def close_cursor(self, command: Command) -> list[Reply]:
        cursor = self._cursors.pop(command.get(Code.PKGNAMCSN), None)
        if cursor:
            cursor.close()
        return [replies.card()]

    def commit(self, _: Command) -> list[Reply]:
        self._session.commit()
        return [replies.work_ended(is_committed=True), replies.card()]

    def rollback(self, _: Command) -> list[Reply]:
        self._close_cursors()
        self._session.rollback()
        return [replies.work_ended(is_committed=False), replies.card()]

    def accept(self, _: Command) -> list[Reply]:
        """What only a client cares about, such as its own name and locale."""
        return [replies.card()]

    def set_attribute(self, command: Command) -> list[Reply]:
        """A connection attribute comes as a call of a bound package, without SQL: one section sets the schema."""
        if command.get(Code.PKGNAMCSN)[-2:] != _SET_SCHEMA_SECTION:
            return self.accept(command)
        name = str(input_rows(command, self._order)[0][0]).strip().replace('"', '""')
        return [_outcome_card(self._session.prepare(f'SET CURRENT SCHEMA "{name}"').execute())]

    def _statement(self, command: Command) -> Statement:
        statement = self._prepared.get(command.get(Code.PKGNAMCSN))
        if statement is None:
            raise Db2Error(*_NOT_PREPARED)
        return statement

    def _call(self, command: Command, statement: Statement, values: Sequence[Any]) -> list[Reply]:
        outcome = statement.execute(values)
        columns = [parameter.column for parameter in statement.parameters]
        answer = [_outcome_card(outcome)]
        if any(parameter.mode != "IN" for parameter in statement.parameters):
            state = replies.card_group(outcome.code, outcome.state, outcome.tokens)
            answer = replies.parameter_row(columns, outcome.parameters or values, state)
        if not outcome.result_sets:
            return answer
        return self._with_result_sets(command.get(Code.PKGNAMCSN), answer, outcome)

    def _with_result_sets(self, key: bytes, answer: list[Reply], outcome: Outcome) -> list[Reply]:
        """The answer to a CALL between the names of its result sets and what is in them."""
        cursors = {}
        for result in outcome.result_sets:
            name = self._free_section(key)
            cursors[name] = self._opened(name, Cursor(result))
        listed = replies.result_set_list([cursor.name for cursor in cursors.values()])
        contents = []
        for name, cursor in cursors.items():
            contents += [
                replies.query_opened(),
                replies.cursor_description(cursor.columns),
                replies.query_description(cursor.columns),
                *([] if cursor.has_lobs else self._block(name)),
            ]
        return [replies.result_set_names(list(cursors)), *answer, listed, *contents]

    def _free_section(self, key: bytes) -> bytes:
        """A name for a result set: the package of its CALL, and a section that no open cursor has."""
        names = (key[:-2] + number(section) for section in _RESULT_SET_SECTIONS)
        return next(name for name in names if name not in self._cursors)

    def _opened(self, key: bytes, cursor: Cursor) -> Cursor:
        if key in self._cursors:
            self._cursors[key].close()
        self._cursors[key] = cursor
        return cursor

    def _block(self, key: bytes) -> list[Reply]:
        cursor = self._cursors[key]
        block = cursor.block()
        if not cursor.is_open:
            del self._cursors[key]
        return block

    def _close_cursors(self) -> None:
        while self._cursors:
            self._cursors.popitem()[1].close()


_BOUND_PACKAGES: dict[str, Callable[[Statements, Command], list[Reply]]] = {
    "SYSLIC": Statements.accept,  # the client reports its licence
    "SYSSTAT": Statements.set_attribute,
}


def _outcome_card(outcome: Outcome) -> Reply:
    return replies.card(outcome.code, outcome.state, outcome.tokens, outcome.rowcount)


def _text(command: Command) -> str:
    """The statement: a nullable string in the mixed code page, then one in the single-byte code page."""
    data = command.sent(Code.SQLSTT)[0]
    while data[0] == _NULL_STRING:
        data = data[1:]
    size = int.from_bytes(data[1:5], "big")
    return data[5 : 5 + size].decode()
