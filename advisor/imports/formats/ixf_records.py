"""PC/IXF, the output of EXPORT ... OF IXF: records that start with a length of six digits and a letter for the kind.

H is the header, T the table, C describes a column, D has data, A belongs to an application and is skipped. A row is one
D record, or several if it is too long; a C record gives the D record and the position of its column. IBM's manual lists
the fields under "PC/IXF record types" and "PC/IXF data types"; numbers in D records are little-endian.
"""

import struct
from codecs import lookup
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import BinaryIO

Decoder = Callable[[bytes], str | None]

_PREFIX = 6  # bytes of a record's length
_VERSION, _MACHINE, _PC = slice(4, 8), slice(532, 538), b"MPC   "
_COUNT = slice(539, 544)
_DATA = 8  # bytes of a D record before its columns

SMALLINT, INTEGER, BIGINT, FLOAT, DECIMAL = 500, 496, 492, 480, 484
DATE, TIME, TIMESTAMP = 384, 388, 392
CHAR, VARCHAR, LONG_VARCHAR, CLOB, BLOB = 452, 448, 456, 408, 404
BINARY, VARBINARY = 912, 908

_INTEGERS = {SMALLINT: "<h", INTEGER: "<i", BIGINT: "<q"}
_FLOATS = {4: "<f", 8: "<d"}
_PREFIXES = {VARCHAR: 2, LONG_VARCHAR: 2, VARBINARY: 2, CLOB: 4, BLOB: 4}  # bytes of the current length
_OLD_FRACTION = 6  # digits, before 9.7 wrote their number
_NULL, _PRESENT = b"\xff\xff", b"\0\0"
_SIGNS = {0xA: "", 0xB: "-", 0xC: "", 0xD: "-", 0xE: "", 0xF: ""}
# Code pages that Python knows by another name; all others are cp<number>.
_PAGES = {
    **{367: "ascii", 813: "iso8859-7", 819: "latin-1", 912: "iso8859-2", 915: "iso8859-5", 916: "iso8859-8"},
    **{920: "iso8859-9", 921: "iso8859-13", 923: "iso8859-15", 943: "cp932", 954: "euc_jp", 970: "euc_kr"},
    **{1208: "utf-8", 1363: "cp949", 1381: "gbk", 1383: "gb2312", 1386: "gbk", 1392: "gb18030", 5488: "gb18030"},
}


class DamagedError(Exception):
    """The file, or a later part of it, does not have the format."""


@dataclass(frozen=True)
class Column:
    """A column as its C record describes it; ``at`` is its first byte after the heading of the D record ``record``."""

    name: str
    kind: int
    nullable: bool
    page: int
    length: bytes
    record: int
    at: int


class Table:
    """The table of a file, whose stream is read once. ``number`` counts the complete rows."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self.number = 0
        try:
            header, table = self._read_record(b"H"), self._read_record(b"T")
            if header[_VERSION] != b"0002" or table[_MACHINE] != _PC:
                raise DamagedError("not version 0002 with numbers in PC format")
            self.columns = [_column(self._read_record(b"C")) for _ in range(int(table[_COUNT]))]
        except ValueError as error:
            raise DamagedError(f"a field without its number: {error}") from None

    def rows(self, columns: Sequence[Column]) -> Iterator[list[str | None]]:
        """Return the values of some columns as text, row by row; None for a type that cannot be read."""
        last = max((column.record for column in self.columns), default=1)
        parts: list[list[tuple[int, Decoder]]] = [[] for _ in range(last)]
        try:
            for index, column in enumerate(columns):
                if decoder := decoder_of(column):
                    parts[column.record - 1].append((index, decoder))
        except ValueError as error:
            raise DamagedError(f"a column without its length: {error}") from None
        empty: list[str | None] = [None] * len(columns)
        row: list[str | None] = []
        wanted = 1
        while data := self._record():
            if data[:1] != b"D":
                continue
            if _number(data[1:4]) != wanted:
                raise DamagedError(f"part {_number(data[1:4])} of a row instead of part {wanted}")
            if wanted == 1:
                row = empty.copy()
            try:
                for index, decoder in parts[wanted - 1]:
                    row[index] = decoder(data)
            except (ValueError, struct.error) as error:
                raise DamagedError(f"a value does not have the type of its column: {error}") from None
            wanted += 1
            if wanted > last:
                wanted = 1
                self.number += 1
                yield row
        if wanted > 1:
            raise DamagedError("the file ends within a row")

    def _read_record(self, kind: bytes) -> bytes:
        """Return the next record, which must be of a kind; records of applications may precede it."""
        while data := self._record():
            if data[:1] == kind:
                return data
            if data[:1] != b"A":
                break
        raise DamagedError(f"a record {kind.decode()} is missing")

    def _record(self) -> bytes:
        """Return the next record without its length; nothing at the end of the file."""
        prefix = self._stream.read(_PREFIX)
        if not prefix:
            return b""
        if not prefix.strip().isdigit() or len(prefix) < _PREFIX:
            raise DamagedError("no length where a record should start")
        size = int(prefix)
        data = self._stream.read(size)
        if not size or len(data) < size:
            raise DamagedError("the file ends within a record")
        return data


def _number(field: bytes) -> int:
    return int(field) if field.strip().isdigit() else 0


def _column(record: bytes) -> Column:
    name = record[4:260][: int(record[1:4])].decode("utf-8", "replace").strip().upper()
    column = Column(
        name=name,
        kind=int(record[266:269]),
        nullable=record[260:261] == b"Y",
        page=_number(record[269:274]),
        length=record[279:284],
        record=int(record[284:287]),
        at=int(record[287:293]) - 1,
    )
    if column.record < 1 or column.at < 0:
        raise DamagedError(f"column {name} has no position")
    return column


def decoder_of(column: Column) -> Decoder | None:
    """Return the decoder for a column's bytes in a D record; None for types that no monitor function has."""
    at, make = column.at + _DATA, _MAKERS.get(column.kind)
    if make is None:
        return None
    if not column.nullable:
        return make(column, at)
    decoder = make(column, at + 2)

    def nullable(data: bytes) -> str | None:
        indicator = data[at : at + 2]
        if indicator == _PRESENT:
            return decoder(data)
        if indicator != _NULL:
            raise ValueError("neither null nor a value")
        return None

    return nullable


def _slice(data: bytes, at: int, size: int) -> bytes:
    value = data[at : at + size]
    if len(value) < size:
        raise ValueError("it is cut off")
    return value


def _make_struct_decoder(form: str, at: int) -> Decoder:
    unpack = struct.Struct(form).unpack_from
    return lambda data: str(unpack(data, at)[0])


def _make_fixed_decoder(column: Column, at: int) -> Decoder:
    form, size = _form(column), int(column.length)
    return lambda data: form(_slice(data, at, size))


def _make_varying_decoder(column: Column, at: int) -> Decoder:
    form, most = _form(column), int(column.length)
    begin = at + _PREFIXES[column.kind]
    from_bytes = int.from_bytes

    def varying(data: bytes) -> str:
        size = from_bytes(data[at:begin], "little")
        value = data[begin : begin + size]
        if size > most or len(value) < size or len(data) < begin:
            raise ValueError("it is cut off")
        return form(value)

    return varying


def _form(column: Column) -> Callable[[bytes], str]:
    """Return characters without trailing blanks; bit data as its digits."""
    if column.page == 0 or column.kind in (BINARY, VARBINARY, BLOB):
        return lambda value: value.hex().upper()
    page = _PAGES.get(column.page, f"cp{column.page}")
    try:
        lookup(page)
    except LookupError:
        page = "latin-1"  # correct for ASCII, which all names of Db2's own use
    return lambda value: value.decode(page, "replace").rstrip(" \0")


def _make_decimal_decoder(column: Column, at: int) -> Decoder:
    """Return a packed decimal number: two digits per byte; the last half of the last byte is the sign."""
    precision, scale = int(column.length[:3]), int(column.length[3:])
    if not 0 <= scale <= precision:
        raise ValueError(f"{scale} of {precision} digits after the point")
    size = (precision + 2) // 2
    point = 2 * size - 1 - scale

    def packed(data: bytes) -> str:
        digits = _slice(data, at, size).hex()
        sign = _SIGNS.get(int(digits[-1], 16))
        if sign is None or not digits[:-1].isdigit():
            raise ValueError("not a packed number")
        whole = digits[:point].lstrip("0") or "0"
        return f"{sign}{whole}.{digits[point:-1]}" if scale else f"{sign}{whole}"

    return packed


def _moment(column: Column, at: int) -> Decoder:
    """Return a time as the sources have it; Db2 may write up to twelve digits of the seconds, six are kept."""
    digits = _number(column.length) if column.length.strip() else _OLD_FRACTION
    size = 19 + (digits + 1 if digits else 0)
    known: dict[bytes, str] = {}  # all rows of an export have the same time

    def moment(data: bytes) -> str:
        value = _slice(data, at, size)
        text = known.get(value)
        if text is None:
            written = value[:26].decode("ascii")
            text = str(datetime.fromisoformat(f"{written[:10]} {written[11:19].replace('.', ':')}{written[19:]}"))
            if len(known) < 16:
                known[value] = text
        return text

    return moment


_MAKERS: dict[int, Callable[[Column, int], Decoder]] = {
    **dict.fromkeys(_INTEGERS, lambda column, at: _make_struct_decoder(_INTEGERS[column.kind], at)),
    **dict.fromkeys(_PREFIXES, _make_varying_decoder),
    FLOAT: lambda column, at: _make_struct_decoder(_FLOATS.get(_number(column.length), "<d"), at),
    DECIMAL: _make_decimal_decoder,
    DATE: lambda column, at: lambda data: _slice(data, at, 10).decode("ascii"),
    TIME: lambda column, at: lambda data: _slice(data, at, 8).decode("ascii").replace(".", ":"),
    TIMESTAMP: _moment,
    CHAR: _make_fixed_decoder,
    BINARY: _make_fixed_decoder,
}
