"""``df`` and ``mount``: the file systems of a host, in the formats of Linux, AIX, Solaris and HP-UX.

Free space is the space that df prints as available, which excludes reserved space. The command, or otherwise the
presence of the root, shows whether all file systems are listed. The options of ``mount`` are host facts, which the
host's collector reads.
"""

import re
from functools import lru_cache

from advisor.imports.reader import Format, Part, starts_with
from advisor.imports.sources import FILE_SYSTEM

_DF = re.compile(
    r"\s*(?:Filesystem|Dateisystem|Sys\. de fichiers|S\.ficheros|File system|文件系统|ファイルシス|檔案系統)"
    r"\s*(?P<columns>\S.*)$",
    re.I,
)
_BLOCKS = re.compile(r"(?<![\w.])(\d{0,4})\s?([KMG]?)B?[- ]?(?:blocks|Blöcke|块|blocs|bloques|ブロック)", re.I)
_OTHERS = (("kbytes", 1 << 10), ("MB blocks", 1 << 20), ("GB blocks", 1 << 30))
_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40, "P": 1 << 50}
_SIZE = r"\d+(?:[.,]\d+)?[KMGTP]?i?"
_USED = re.compile(  # Linux and others: size, used, available
    rf"\s*(?:(?P<device>\S+)\s+)?(?:[a-z]\w{{2,9}}\s+)?(?P<total>{_SIZE})\s+{_SIZE}\s+(?P<free>{_SIZE})\s+\d{{1,3}}%"
    r"(?:\s+\d+\s+\d+\s+\d{1,3}%)?\s+(?P<mount>/\S*)\s*$"
)
_FREE = re.compile(  # AIX: size, free
    rf"\s*(?:(?P<device>\S+)\s+)?(?P<total>{_SIZE})\s+(?P<free>{_SIZE})\s+\d{{1,3}}%(?:\s+\d+\s+\d{{1,3}}%)?"
    r"\s+(?P<mount>/\S*)\s*$"
)
_NOT_COUNTED = re.compile(r"\s*\S+(?:\s+(?:-|\d\S*))+\s+-?%?\s*(?:-\s+-\s+)?/\S*\s*$")  # /proc has no size and no use
_WRAPPED = re.compile(r"\s*[/\w][\w./:@-]{14,}\s*$")
_COMMAND = re.compile(r"(?:^|[\s$#>;&|])(?:df|bdf)\b(?P<rest>.*)$")
_PICKED = re.compile(r"[|>]|\s/|\s\.")
_MOUNT = re.compile(r"\s*\S+ on /\S* type \w+ \([\w=,.:/@+-]*\)")


def _starts_df(line: str, previous: str) -> bool:
    return line.lstrip()[:1] in "FDSfds文フ檔" and _DF.match(line) is not None and _unit(line) is not None


@lru_cache(16)
def _unit(heading: str) -> int | None:
    """Return the bytes per unit of a number without a unit; None if the heading has no sizes."""
    if "node" in heading.lower() and "%" not in heading:
        return None
    for words, size in _OTHERS:
        if words.lower() in heading.lower():
            return size
    if blocks := _BLOCKS.search(heading):
        return int(blocks[1] or 1) * _UNITS[blocks[2].upper()] if blocks[1] or blocks[2] else None
    return 1 if re.search(r"\b(?:Size|Größe|Taille|Tamaño)|容量|大小|サイズ", heading, re.I) else None


def _read_df(part: Part) -> None:
    lines = part.lines
    heading = next(lines)
    first, unit = lines.number, _unit(heading) or 1
    asked = _COMMAND.search(lines.previous)
    found: dict[str, dict[str, str]] = {}
    kept = ""  # a name too long for its column
    for line in lines:
        if not line.strip():  # every other line of a copied text may be empty
            continue
        match = _USED.match(line) or _FREE.match(line)
        if match:
            found[match["mount"]] = _sizes(match, unit)
        elif not (kept == "" and _WRAPPED.match(line)) and not _NOT_COUNTED.match(line):
            lines.push_back()
            break
        kept = "" if match else line
    whole = _PICKED.search(asked["rest"]) is None if asked else "/" in found
    report = part.report("df")
    for mount, sizes in found.items():
        if sizes:
            path = mount if mount == "/" else mount.rstrip("/")
            part.readings.row(report, FILE_SYSTEM, {"MOUNT": path, **sizes, "IS_WHOLE": str(int(whole))})
    if not any(found.values()):
        part.unused("df", first)


def _sizes(match: re.Match[str], unit: int) -> dict[str, str]:
    """Return the size of a file system and its used space, in bytes; nothing if it has no size."""
    total, free = (_bytes(match[name], unit) for name in ("total", "free"))
    return {"TOTAL_SIZE": str(total), "USED_SIZE": str(max(total - free, 0))} if total else {}


def _bytes(text: str, unit: int) -> int:
    text = text.rstrip("i").replace(",", ".")
    if text[-1].isdigit():
        return int(float(text) * unit)
    return int(float(text[:-1]) * _UNITS[text[-1].upper()])


def _read_mount(part: Part) -> None:
    first = part.lines.number + 1
    for _ in part.lines.matching(_MOUNT):
        pass
    part.unused("mount", first)


FORMATS = (Format("df", _starts_df, _read_df), Format("mount", starts_with(_MOUNT), _read_mount, (" type ",)))
