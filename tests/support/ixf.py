"""PC/IXF files in IBM's documented format: the output of EXPORT ... OF IXF for a few columns and rows.

Every column is nullable; two bytes before each value mark NULL. A row that exceeds the maximum record length continues
in the next record.
"""

import struct
from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal, localcontext

SMALLINT, INTEGER, BIGINT, FLOAT, DECIMAL = 500, 496, 492, 480, 484
DATE, TIME, TIMESTAMP = 384, 388, 392
CHAR, VARCHAR, CLOB, BITS, BLOB, DECFLOAT = 452, 448, 408, -448, 404, 996  # BITS are VARCHAR FOR BIT DATA

Column = tuple[str, int, int]  # name, type, length; for a decimal number: 100 * precision + scale

_INTEGERS = {SMALLINT: "<h", INTEGER: "<i", BIGINT: "<q"}
_FIXED = {SMALLINT: 2, INTEGER: 4, BIGINT: 8, FLOAT: 8, DATE: 10, TIME: 8, TIMESTAMP: 26, DECFLOAT: 16}
_NO_PAGE = {SMALLINT, INTEGER, BIGINT, FLOAT, DECIMAL, BITS, BLOB, DECFLOAT}
_LONGEST = 32771  # data bytes of one D record
_UTF_8 = 1208


def ixf(columns: Sequence[Column], rows: Sequence[Sequence[object]], closed: bool = False, page: int = _UTF_8) -> bytes:
    """Return a file of records: header, table, one record per column, the rows, and an end record if ``closed``."""
    out = _record(b"HIXF0002" + b"DB2 02.00".ljust(12) + b"20260302100000" + b"00045" + b"%05d" % page + b"00000  ")
    table = b"T" + b"010" + b"EXPORT.IXF".ljust(256) + b"000" + bytes(256) + b"DB2".ljust(12) + b"CM" + b"PC   " + b"I"
    out += _record((table + b"%05d" % len(columns)).ljust(1604, b" "))
    part, at = 1, 1
    parts = []
    for name, kind, length in columns:
        size = _size(kind, length) + 2
        if at + size > _LONGEST:
            part, at = part + 1, 1
        parts.append(part)
        code = 0 if kind in _NO_PAGE else page
        content = b"C" + b"%03d" % len(name) + name.encode().ljust(256) + b"YNY" + b"00" + b"R"
        content += b"%03d%05d00000%05d%03d%06d" % (abs(kind), code, length, part, at)
        out += _record(content.ljust(862, b" "))
        at += size
    encoding = "utf-8" if page == _UTF_8 else f"cp{page}"
    for row in rows:
        cells = [b""] * part
        for own, (_, kind, length), value in zip(parts, columns, row, strict=True):
            cells[own - 1] += _cell(kind, length, value, encoding)
        out += b"".join(_record(b"D%03d    " % number + cell) for number, cell in enumerate(cells, 1))
    return out + (_record(b"A" + b"DB2    02.00E".ljust(40)) if closed else b"")


def _record(content: bytes) -> bytes:
    return b"%06d" % len(content) + content


def _size(kind: int, length: int) -> int:
    if kind == DECIMAL:
        return (length // 100 + 2) // 2
    if kind in (CHAR, *_FIXED):
        return _FIXED.get(kind, length)
    return length + (4 if kind in (CLOB, BLOB) else 2)


def _cell(kind: int, length: int, value: object, encoding: str) -> bytes:
    size = _size(kind, length)
    if value is None:
        return b"\xff\xff" + bytes(size)
    return b"\0\0" + _value(kind, length, value, encoding).ljust(size, b" " if kind == CHAR else b"\0")


def _value(kind: int, length: int, value: object, encoding: str) -> bytes:
    if isinstance(value, datetime):
        return value.strftime("%Y-%m-%d-%H.%M.%S.%f").encode()
    if isinstance(value, Decimal):
        with localcontext(prec=40):
            digits = f"{abs(value.scaleb(length % 100)):0{length // 100 | 1}.0f}"
        return bytes.fromhex(digits + ("d" if value < 0 else "c"))
    if isinstance(value, float):
        return struct.pack("<d", value)
    if isinstance(value, int):
        return struct.pack(_INTEGERS[kind], value)
    data = value if isinstance(value, bytes) else str(value).encode(encoding)
    if kind in _FIXED or kind == CHAR:
        return data
    return struct.pack("<i" if kind in (CLOB, BLOB) else "<h", len(data)) + data
