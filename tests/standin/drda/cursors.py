"""An open cursor on the wire: rows of a result set in blocks, as the driver asks for them."""

from collections import deque
from typing import Any

from tests.standin.api import ResultSet
from tests.standin.drda import replies
from tests.standin.drda.codec import RowEncoder
from tests.standin.drda.codepoints import Code, Severity
from tests.standin.drda.faults import reported
from tests.standin.drda.framing import Reply

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
