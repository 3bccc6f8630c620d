"""``df`` and ``mount``: the file systems of a host.

What rules ask of a file system is known by the host it is on, which these do not say: the collector of host facts does.
"""

import re

from advisor.imports.reader import Format, Part

_DF = re.compile(r"\s*Filesystem\s+\S+.*\bMounted on\s*$")
_FULL = re.compile(r".*\s\d{1,3}%\s+(?:\d+\s+\d{1,3}%\s+)?/\S*\s*$|\S{20,}\s*$")  # AIX has inodes before the path
_MOUNT = re.compile(r"\s*\S+ on /\S* type \w+ \([\w=,.:/@+-]*\)")


def _starts_df(line: str, previous: str) -> bool:
    return "Mounted" in line and _DF.match(line) is not None


def _starts_mount(line: str, previous: str) -> bool:
    return " type " in line and _MOUNT.match(line) is not None


def _read_df(part: Part) -> None:
    next(part.lines)
    first = part.lines.number
    for _ in part.lines.matching(_FULL):
        pass
    part.readings.unused(part.document, first, part.lines.number, "df")


def _read_mount(part: Part) -> None:
    first = part.lines.number + 1
    for _ in part.lines.matching(_MOUNT):
        pass
    part.readings.unused(part.document, first, part.lines.number, "mount")


FORMATS = (Format("df", _starts_df, _read_df), Format("mount", _starts_mount, _read_mount))
