"""Seeded damage of bytes and texts, as by transmission, editors, disks and attackers."""

import random
from collections.abc import Callable

NUMBERS = (
    b"0", b"-1", b"1", b"9223372036854775807", b"-9223372036854775808", b"9223372036854775808", b"2147483648", b"1e308",
    b"1e999", b"-0", b"0x10", b"1,234", b"1.234.567", b"NaN", b"99999999999999999999999999", "\u0663".encode(), b"",
)  # fmt: skip
ODD = (
    b"\0", b"\xff\xfe", b"\xc3", "\u2028".encode(), "\ufffd".encode(), b"\x1b[31m", b'"', b"'", b"\\", b"%s", b"{}", b"\r",
    b"\t" * 9, b"(" * 3000, b"A" * 70_000, b"$(x)", b"; DROP", b"../", "\u202e".encode(), b"\xed\xa0\x80",
)  # fmt: skip


def damaged(content: bytes, chance: random.Random) -> bytes:
    """Change, drop, double or cut off a few bytes."""
    result = bytearray(content)
    for _ in range(chance.choice((1, 1, 1, 2, 5, 20))):
        if not result:
            return b""
        at = chance.randrange(len(result))
        end = min(at + chance.choice((1, 1, 4, 100)), len(result))
        how = chance.randrange(6)
        if how <= 1:
            result[at] ^= 1 << chance.randrange(8)
        elif how == 2:
            result[at:end] = bytes(end - at)
        elif how == 3:
            del result[at:end]
        elif how == 4:
            result[at:at] = result[at:end]
        elif chance.random() < 0.3:
            del result[at:]
    return bytes(result)


def _lines(content: bytes, chance: random.Random) -> bytes:
    """Drop, double, swap, join or import lines."""
    lines = content.splitlines(keepends=True) or [b""]
    for _ in range(chance.choice((1, 1, 2, 6))):
        one, other = chance.randrange(len(lines)), chance.randrange(len(lines))
        how = chance.randrange(6)
        if how == 0 and len(lines) > 1:
            del lines[one]
        elif how == 1:
            lines.insert(other, lines[one])
        elif how == 2:
            lines[one], lines[other] = lines[other], lines[one]
        elif how == 3:
            lines[one] = lines[one].rstrip(b"\r\n")
        elif how == 4:
            lines[one] = lines[one][: chance.randrange(len(lines[one]) + 1)]
        else:
            lines[one] = lines[one].replace(b" ", b"  " if chance.random() < 0.5 else b"")
        lines = lines or [b""]
    return b"".join(lines)


def _numbers(content: bytes, chance: random.Random) -> bytes:
    """Replace numbers by extreme ones."""
    places = [at for at, byte in enumerate(content) if 0x30 <= byte <= 0x39]
    if not places:
        return content
    at = end = chance.choice(places)
    while at and 0x30 <= content[at - 1] <= 0x39:
        at -= 1
    while end < len(content) and 0x30 <= content[end] <= 0x39:
        end += 1
    return content[:at] + chance.choice(NUMBERS) + content[end:]


def _odd(content: bytes, chance: random.Random) -> bytes:
    """Insert something unexpected."""
    at = chance.randrange(len(content) + 1)
    return content[:at] + chance.choice(ODD) + content[at + chance.choice((0, 0, 1, 5)) :]


_TEXTUAL: tuple[Callable[[bytes, random.Random], bytes], ...] = (damaged, _lines, _lines, _numbers, _numbers, _odd)


def text(content: bytes, chance: random.Random) -> bytes:
    """Damage a text in one or a few of these ways."""
    for _ in range(chance.choice((1, 1, 2, 3))):
        content = chance.choice(_TEXTUAL)(content, chance)
    return content
