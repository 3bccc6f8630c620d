"""Values of Db2 types as bytes of query data, and the descriptors (FDODSC, QRYDSC) that precede them.

The server sends little-endian data, as it announces in ACCRDBRM (QTDSQLX86), but lengths of strings and LOBs are
big-endian. A LOB leaves only its length in the row: its bytes follow separately, as EXTDTA.
"""

import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from decimal import Context, Decimal
from typing import Any

from tests.standin.drda.codepoints import UTF8
from tests.standin.types import Column, SqlType

LOB_LENGTH = 0x8009  # of a LOB in a descriptor: one byte of mode and eight of length
_ALL_DIGITS = Context(prec=40)  # more than the 31 of a DECIMAL
_LOB_APART = b"\x02"  # the mode: the value follows outside the row
_NULL, _PRESENT = b"\xff", b"\x00"
_TRIPLETS = 84  # columns that one group of a descriptor holds
_FIRST_GROUP, _NEXT_GROUP = (0x76, 0xD0), (0x7F, 0x00)
_ROW_LAYOUT = bytes.fromhex("0971e0540001d00001 0671f0e00000")  # a row is an SQLCA and one such group

Encoder = Callable[[Any, SqlType], bytes]


class UnfitValueError(ValueError):
    """A value that its declared type cannot hold: sent as it is, it would shift the rest of the row."""

    def __init__(self, value: Any, type_: SqlType) -> None:
        super().__init__(f"{value!r} does not fit {type_}")


def _number(code: str) -> Encoder:
    pack = struct.Struct("<" + code).pack
    return lambda value, _: pack(value)


def _real(code: str) -> Encoder:
    pack = struct.Struct("<" + code).pack
    return lambda value, _: pack(float(value))


def _boolean(value: Any, _: SqlType) -> bytes:
    """A short, and big-endian against the rule."""
    return bytes([0, bool(value)])


def _packed(value: Any, type_: SqlType) -> bytes:
    """Packed decimal: a digit each half byte, the sign in the last (C plus, D minus); digits beyond are cut."""
    units = int(Decimal(value).scaleb(type_.scale, _ALL_DIGITS))
    digits = str(abs(units))
    if len(digits) > type_.length:
        raise UnfitValueError(value, type_)
    size = type_.length // 2 + 1
    return bytes.fromhex(digits.zfill(size * 2 - 1) + ("D" if units < 0 else "C"))


def _fitting(value: Any, type_: SqlType) -> bytes:
    data = value.encode() if isinstance(value, str) else bytes(value)
    if len(data) > type_.length:
        raise UnfitValueError(value, type_)
    return data


def _fixed(pad: bytes) -> Encoder:
    return lambda value, type_: _fitting(value, type_).ljust(type_.length, pad)


def _varying(value: Any, type_: SqlType) -> bytes:
    data = _fitting(value, type_)
    return len(data).to_bytes(2, "big") + data


def _date(value: date, _: SqlType) -> bytes:
    return value.isoformat()[:10].encode()


def _time(value: time, _: SqlType) -> bytes:
    return value.strftime("%H.%M.%S").encode()


def _timestamp(value: datetime, type_: SqlType) -> bytes:
    text = value.isoformat("-", "microseconds").replace(":", ".").ljust(32, "0")
    return text[: _timestamp_length(type_)].encode()


def _timestamp_length(type_: SqlType) -> int:
    return 20 + type_.length if type_.length else 19


def _lob(value: Any, type_: SqlType) -> bytes:
    return _LOB_APART + len(_fitting(value, type_)).to_bytes(8, "big")


@dataclass(frozen=True)
class Wire:
    """How a type travels.

    ``sqltype`` is what SQLDARD calls it and ``drda`` what descriptors call it, both for NOT NULL: one more means
    nullable. ``length`` is bytes, or precision * 256 + scale. ``unit`` is 8 for character strings.
    """

    sqltype: int
    drda: int
    length: Callable[[SqlType], int]
    encode: Encoder
    ccsid: int = 0
    unit: int = 0


def _is(length: int) -> Callable[[SqlType], int]:
    return lambda _: length


def _declared(type_: SqlType) -> int:
    return type_.length


_WIRE = {
    "SMALLINT": Wire(500, 0x04, _is(2), _number("h")),
    "INTEGER": Wire(496, 0x02, _is(4), _number("i")),
    "BIGINT": Wire(492, 0x16, _is(8), _number("q")),
    "REAL": Wire(480, 0x0C, _is(4), _real("f")),
    "DOUBLE": Wire(480, 0x0A, _is(8), _real("d")),
    "DECIMAL": Wire(484, 0x0E, lambda type_: type_.length * 256 + type_.scale, _packed),
    "BOOLEAN": Wire(2436, 0xBE, _is(2), _boolean),
    "CHAR": Wire(452, 0x3C, _declared, _fixed(b" "), UTF8, unit=8),
    "VARCHAR": Wire(448, 0x3E, _declared, _varying, UTF8, unit=8),
    "CLOB": Wire(408, 0xCE, _declared, _lob, UTF8, unit=8),
    "BLOB": Wire(404, 0xC8, _declared, _lob),
    "BINARY": Wire(912, 0x26, _declared, _fixed(b"\0")),
    "VARBINARY": Wire(908, 0x28, _declared, _varying),
    "DATE": Wire(384, 0x20, _is(10), _date, UTF8),
    "TIME": Wire(388, 0x22, _is(8), _time, UTF8),
    "TIMESTAMP": Wire(392, 0x24, _timestamp_length, _timestamp, UTF8),
}
_BIT_DATA = {"CHAR": Wire(452, 0x26, _declared, _fixed(b"\0")), "VARCHAR": Wire(448, 0x28, _declared, _varying)}


def wire(type_: SqlType) -> Wire:
    return _BIT_DATA[type_.name] if type_.bit_data else _WIRE[type_.name]


def row_descriptor(columns: Sequence[Column]) -> bytes:
    """The QRYDSC of a result, or the FDODSC of a row of parameters."""
    triplets = [_triplet(column) for column in columns]
    parts = []
    for at in range(0, len(triplets), _TRIPLETS):
        group = b"".join(triplets[at : at + _TRIPLETS])
        parts.append(bytes([len(group) + 3, *(_NEXT_GROUP if at else _FIRST_GROUP)]) + group)
    return b"".join(parts) + _ROW_LAYOUT


def _triplet(column: Column) -> bytes:
    how = wire(column.type)
    length = LOB_LENGTH if column.type.is_lob else how.length(column.type)
    return bytes([how.drda + column.nullable]) + length.to_bytes(2, "big")


class RowEncoder:
    """Encodes rows of one description."""

    def __init__(self, columns: Sequence[Column]) -> None:
        self._columns = [(column.type, column.nullable, wire(column.type).encode) for column in columns]
        self._lobs = [(place, column.nullable) for place, column in enumerate(columns) if column.type.is_lob]

    def encode(self, values: Sequence[Any], card: bytes = _NULL) -> bytes:
        """One row: its SQLCA (none by default), the mark that it is there, and the values."""
        parts = [card, _PRESENT]
        for value, (type_, nullable, encode) in zip(values, self._columns, strict=True):
            if value is None and not nullable:
                raise UnfitValueError(value, type_)
            if nullable:
                parts.append(_NULL if value is None else _PRESENT)
            if value is not None:
                parts.append(encode(value, type_))
        return b"".join(parts)

    def apart(self, values: Sequence[Any]) -> list[bytes]:
        """Return the EXTDTA of a row: one item for each LOB that has at least one byte."""
        return [
            (_PRESENT if nullable else b"") + (value.encode() if isinstance(value := values[place], str) else value)
            for place, nullable in self._lobs
            if values[place]
        ]
