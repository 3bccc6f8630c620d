"""DSS and DDM: how commands are cut out of the byte stream, and replies are put into it.

Lengths and code points are big-endian everywhere. A DSS holds one DDM object; a request chain ends at the
first DSS without the chain bit, and is answered by one reply chain.
"""

import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol

_MAGIC = 0xD0
_CHAINED = 0x40
_SAME_CORRELATION = 0x10
_KIND = 0x0F
_REQUEST, _MESSAGE, _DATA, _UNANSWERED = 1, 2, 3, 5
_DSS_HEADER = struct.Struct(">HBBH")
_OBJECT_HEADER = struct.Struct(">HH")
_SEGMENT = 0x7FFF  # bytes of a DSS or of one of its continuations, with header
_MORE = 0x8000  # in a DSS length: another segment follows; in an object length: the real length comes apart


class Source(Protocol):
    """What commands are read from: the buffered file of a socket."""

    def read(self, size: int, /) -> bytes | None: ...


@dataclass(frozen=True)
class Parameter:
    """A DDM object: code point and data."""

    code: int
    data: bytes


@dataclass
class Command:
    """One command of a chain, with the data objects that came with it."""

    code: int
    correlation: int
    answered: bool
    parameters: list[Parameter]
    objects: list[Parameter] = field(default_factory=list)

    def get(self, code: int, default: bytes = b"") -> bytes:
        """The first parameter of a code point."""
        return next(self.all(code), default)

    def all(self, code: int) -> Iterator[bytes]:
        return (item.data for item in self.parameters if item.code == code)

    def sent(self, code: int) -> list[bytes]:
        """The data objects of a code point."""
        return [item.data for item in self.objects if item.code == code]


@dataclass(frozen=True)
class Reply:
    """A reply message or a data object, still without its correlation id."""

    code: int
    data: bytes
    is_message: bool = False


def number(value: int, size: int = 2) -> bytes:
    return value.to_bytes(size, "big")


def parameter(code: int, data: bytes) -> bytes:
    """One DDM object; its length stands apart if the object would not fit one DSS."""
    length = len(data) + _OBJECT_HEADER.size
    if length + _DSS_HEADER.size <= _SEGMENT:
        return _OBJECT_HEADER.pack(length, code) + data
    return _OBJECT_HEADER.pack(_MORE | 8, code) + number(len(data), 4) + data


def message(code: int, *parameters: bytes) -> Reply:
    return Reply(code, b"".join(parameters), is_message=True)


def objects(data: bytes) -> Iterator[Parameter]:
    """The DDM objects that lie one after another in ``data``."""
    at = 0
    while at + _OBJECT_HEADER.size <= len(data):
        length, code = _OBJECT_HEADER.unpack_from(data, at)
        start = at + _OBJECT_HEADER.size
        if length & _MORE:
            extra = max((length & ~_MORE) - _OBJECT_HEADER.size, 0)
            body = int.from_bytes(data[start : start + extra], "big") if extra else len(data) - start
            start += extra
        else:
            body = max(length - _OBJECT_HEADER.size, 0)
        yield Parameter(code, data[start : start + body])
        at = start + body


def read_chain(source: Source) -> list[Command]:
    """The next request chain; empty when the client has gone."""
    commands: list[Command] = []
    chained = True
    while chained:
        header = source.read(_DSS_HEADER.size) or b""
        if len(header) < _DSS_HEADER.size:
            return []
        length, magic, flags, correlation = _DSS_HEADER.unpack(header)
        if magic != _MAGIC:
            raise ConnectionError(f"not DRDA: the header is {header.hex()}")
        chained = bool(flags & _CHAINED)
        _collect(commands, flags & _KIND, correlation, _payload(source, length))
    return commands


def _payload(source: Source, length: int) -> bytes:
    """The content of one DSS, its continuation segments joined."""
    parts = [_exactly(source, (length & ~_MORE) - _DSS_HEADER.size)]
    while length & _MORE:
        length = int.from_bytes(_exactly(source, 2), "big")
        parts.append(_exactly(source, (length & ~_MORE) - 2))
    return b"".join(parts)


def _exactly(source: Source, size: int) -> bytes:
    data = source.read(size) or b""
    if len(data) < size:
        raise ConnectionError("the client stopped in the middle of a request")
    return data


def _collect(commands: list[Command], kind: int, correlation: int, payload: bytes) -> None:
    """Add the object of one DSS: a new command, or data of the last one."""
    for item in objects(payload):
        if kind == _DATA and commands:
            commands[-1].objects.append(item)
        else:
            commands.append(Command(item.code, correlation, kind != _UNANSWERED, list(objects(item.data))))


def write_chain(replies: Sequence[tuple[int, Reply]]) -> bytes:
    """The bytes of a reply chain, from replies and the correlation ids that they answer."""
    parts = []
    for place, (correlation, reply) in enumerate(replies):
        flags = _MESSAGE if reply.is_message else _DATA
        if place + 1 < len(replies):
            flags |= _CHAINED
            if replies[place + 1][0] == correlation:
                flags |= _SAME_CORRELATION
        parts.append(_dss(flags, correlation, reply))
    return b"".join(parts)


def _dss(flags: int, correlation: int, reply: Reply) -> bytes:
    """One DSS; a long one goes on in segments that have only a length of their own."""
    content = parameter(reply.code, reply.data)
    room = _SEGMENT - _DSS_HEADER.size
    if len(content) <= room:
        return _DSS_HEADER.pack(len(content) + _DSS_HEADER.size, _MAGIC, flags, correlation) + content
    parts = [_DSS_HEADER.pack(_MORE | _SEGMENT, _MAGIC, flags, correlation), content[:room]]
    for at in range(room, len(content), _SEGMENT - 2):
        part = content[at : at + _SEGMENT - 2]
        more = _MORE if at + len(part) < len(content) else 0
        parts += [number(more | (len(part) + 2)), part]
    return b"".join(parts)
