"""Input values of a command (SQLDTA): read by the descriptor that comes with them, not by what was described.

The driver converts numbers and datetimes to the described type, but sends text as UTF-16, and NULL or unbound
values by types of its own. Numbers are in the byte order that the client named in its ACCRDB.
"""

import struct
from collections.abc import Callable, Iterator, Sequence
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any

from tests.standin.drda.codec import LOB_LENGTH
from tests.standin.drda.codepoints import Code
from tests.standin.drda.framing import Command, objects
from tests.standin.errors import Db2Error

_GROUPS = {b"\x76\xd0", b"\x7f\x00"}  # marks of the triplet groups that describe columns
_NULL = 0xFF
_NO_ROW = 0xFD  # array input: the rows end here
_UTF16 = "utf-16-be"


class _Data:
    """Bytes that are read from the front, and the LOBs that came apart from them."""

    def __init__(self, data: bytes, order: str, apart: Sequence[bytes]) -> None:
        self._data = data
        self._at = 0
        self._order = order
        self._apart = iter(apart)

    def take(self, size: int) -> bytes:
        part = self._data[self._at : self._at + size]
        if len(part) < size:
            raise ValueError("the input values end in the middle of a row")
        self._at += size
        return part

    def unpack(self, code: str) -> Any:
        form = struct.Struct(self._order + code)
        return form.unpack(self.take(form.size))[0]

    def count(self, size: int) -> int:
        return int.from_bytes(self.take(size), "big")

    def next_lob(self) -> bytes:
        return next(self._apart)

    @property
    def at_end(self) -> bool:
        return self._at >= len(self._data)


Decoder = Callable[[_Data, int], Any]


def _plain(code: str) -> Decoder:
    return lambda data, _: data.unpack(code)


def _fixed_text(encoding: str, width: int = 1) -> Decoder:
    return lambda data, length: data.take(length * width).decode(encoding)


def _varying_text(encoding: str, width: int = 1) -> Decoder:
    return lambda data, _: data.take(data.count(2) * width).decode(encoding)


def _packed(data: _Data, length: int) -> Decimal:
    precision, scale = divmod(length, 256)
    digits = data.take(precision // 2 + 1).hex()
    sign = "-" if digits[-1] in "bd" else ""
    return Decimal(f"{sign}{digits[:-1]}E-{scale}")


def _moment(data: _Data, length: int) -> datetime:
    """A timestamp, blank-padded; digits beyond microseconds are cut."""
    text = data.take(length).decode().strip()
    try:
        return datetime.strptime(text[:26], "%Y-%m-%d-%H.%M.%S.%f" if "." in text[19:] else "%Y-%m-%d-%H.%M.%S")
    except ValueError:
        raise Db2Error(-181, "22007") from None


def _date(data: _Data, length: int) -> date:
    try:
        return date.fromisoformat(data.take(length).decode())
    except ValueError:
        raise Db2Error(-181, "22007") from None


def _time(data: _Data, length: int) -> time:
    try:
        return time.fromisoformat(data.take(length).decode().replace(".", ":"))
    except ValueError:
        raise Db2Error(-181, "22007") from None


_DECODERS: dict[int, Decoder] = {
    0x02: _plain("i"),
    0x04: _plain("h"),
    0x0A: _plain("d"),
    0x0C: _plain("f"),
    0x0E: _packed,
    0x16: _plain("q"),
    0x20: _date,
    0x22: _time,
    0x24: _moment,
    0x26: lambda data, length: data.take(length),
    0x28: lambda data, _: data.take(data.count(2)),
    0x2A: lambda data, _: data.take(data.count(2)),
    0x30: _fixed_text("utf-8"),
    0x32: _varying_text("utf-8"),
    0x34: _varying_text("utf-8"),
    0x36: _fixed_text(_UTF16, 2),
    0x38: _varying_text(_UTF16, 2),
    0x3A: _varying_text(_UTF16, 2),
    0x3C: _fixed_text("utf-8"),
    0x3E: _varying_text("utf-8"),
    0x40: _varying_text("utf-8"),
    0xC0: lambda data, length: data.take(length),
    0xC2: lambda data, _: data.take(data.count(2)),
    0xBE: lambda data, length: any(data.take(length)),
}
_LOB_ENCODINGS = {0xC8: None, 0xCA: "utf-8", 0xCC: _UTF16, 0xCE: "utf-8"}


def input_rows(command: Command, order: str) -> list[tuple[Any, ...]]:
    """The rows of values that came with a command: none without SQLDTA, several for array input."""
    sent = command.sent(Code.SQLDTA)
    if not sent:
        return []
    parts = {item.code: item.data for item in objects(sent[0])}
    triplets = list(_triplets(parts[Code.FDODSC]))
    return list(_rows(_Data(parts[Code.FDODTA], order, command.sent(Code.EXTDTA)), triplets))


def _triplets(descriptor: bytes) -> Iterator[tuple[int, int]]:
    """Type and length of each value."""
    at = 0
    while at < len(descriptor):
        size = descriptor[at]
        if descriptor[at + 1 : at + 3] in _GROUPS:
            for start in range(at + 3, at + size, 3):
                yield descriptor[start], int.from_bytes(descriptor[start + 1 : start + 3], "big")
        at += size


def _rows(data: _Data, triplets: Sequence[tuple[int, int]]) -> Iterator[tuple[Any, ...]]:
    while not data.at_end and data.count(1) != _NO_ROW:
        yield tuple(_value(data, type_, length) for type_, length in triplets)


def _value(data: _Data, type_: int, length: int) -> Any:
    nullable = type_ & 1
    if nullable and data.count(1) == _NULL:
        return None
    if type_ - nullable in _LOB_ENCODINGS:
        return _lob(data, length, nullable, _LOB_ENCODINGS[type_ - nullable])
    return _DECODERS[type_ - nullable](data, length)


def _lob(data: _Data, length: int, indicator: int, encoding: str | None) -> str | bytes:
    """A LOB whose bytes came as EXTDTA, after their own null indicator if it is nullable; an empty one has none."""
    if length == LOB_LENGTH:
        data.take(1)
    is_empty = data.count(8) == 0
    content = b"" if is_empty else data.next_lob()[indicator:]
    return content.decode(encoding) if encoding else content
