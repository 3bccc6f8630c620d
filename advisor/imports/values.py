"""Values as reports print them, and the columns of the sources that they belong to."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import cache
from itertools import product
from pathlib import Path

from advisor.resources import csv_rows

# What reports print for a missing value, which is absent, not zero.
NO_VALUE = frozenset({"", "-", "n/a", "not collected", "not applicable", "not available"})

# The workload for the sum of all, if a text has only the sum.
ALL_WORKLOADS = "ALL"

_TIMES = (
    "%Y-%m-%d-%H.%M.%S.%f",
    "%Y-%m-%d-%H.%M.%S",
    "%Y-%m-%d %H:%M:%S.%f",
    "%Y-%m-%d %H:%M:%S",
    "%m/%d/%Y %H:%M:%S.%f",
    "%m/%d/%Y %H:%M:%S",
    "%m-%d-%Y %H:%M:%S.%f",
    "%m-%d-%Y %H:%M:%S",
)
_GROUPED = re.compile(r"[+-]?\d{1,3}(?:([ ,.'\u00a0\u202f])\d{3})(?:\1\d{3})*(?:[.,]\d+)?", re.ASCII)
_REMARK = re.compile(r"\s+(?://|#|--|/\*|<[-=]).*")  # comments of the author
_NUMBER = re.compile(r"[+-]?(?:\d+(?:[.,]\d*)?|[.,]\d+)(?:[eE][+-]?\d{1,3})?", re.ASCII)


# $h, $n and $m in a path are replaced by Db2
_PLACEHOLDER = re.compile(r"\[.*\]|<.*>|[xX*?._]{2,}|.*(?:\{\{.*\}\}|%\w+%|\$\{).*|(?:.*[/:])?\$(?![hnm](?!\w))\w.*")


def is_placeholder(text: str) -> bool:
    """Return whether a text is in place of a value: [redacted], <path>, {{ variable }}, %DIR%, ${DIR}, ***, xxx."""
    return _PLACEHOLDER.fullmatch(text.strip()) is not None


def parse_text(text: str) -> str | None:
    """Return the text without blanks around it, or None if it means a missing value."""
    text = text.strip()
    return None if text.lower() in NO_VALUE else text


def number(text: str | None) -> str | None:
    """Return a number with a decimal point and no separators; None if the text is not a number.

    1.234.567 and 1 234 567 are one number, 12,5 is twelve and a half. A single separator before exactly three digits is
    a decimal separator: Db2 prints no thousands separators, and people's tools print all of them. A remark after it is
    ignored.
    """
    if text is None or (text.isdecimal() and text.isascii()):
        return text
    text = _REMARK.sub("", text).strip()
    if _NUMBER.fullmatch(text):
        return text.replace(",", ".")
    if match := _GROUPED.fullmatch(text):
        return text.replace(match[1], "").replace(",", ".")
    return None


def parse_time(text: str, form: str) -> datetime | None:
    """Return the time of a text in one form; None for any other text."""
    try:
        return datetime.strptime(text, form)
    except ValueError:
        return None


def moment(text: str | None) -> datetime | None:
    """Return a server time as the tools print it; None if the text is not a time."""
    if text is None:
        return None
    text = " ".join(text.split())
    return next(filter(None, (parse_time(text, form) for form in _TIMES)), None)


# First characters of an operating system's name, or of Db2's name for it.
_PLATFORMS = {
    "LINUX": "Linux",
    "AIX": "AIX",
    "6000": "AIX",
    "WIN": "Windows",
    "NT": "Windows",
    "HP": "HP-UX",
    "SUN": "Solaris",
    "SOLARIS": "Solaris",
}


def platform(text: str | None) -> str | None:
    """Return the platform by the name of a system or server (LINUXX8664, DB2/AIX64, WIN32_NT); None for another."""
    word = (text or "").strip().upper().removeprefix("DB2/")
    return next((name for start, name in _PLATFORMS.items() if word.startswith(start)), None)


# The words for how a value is read, by table and its column; docs/architecture.md explains the columns.
_LABEL_KINDS = r"|sec\.ns|given|key|needed|times \d+|object|container|node|number|member|path|log|text"
_HOW = {
    "config": ("KIND", "number|word|text"),
    "helpers": ("KIND", "key|gauge"),
    "db2mon": (
        "HOW",
        "|count|percent|percent of sum|uncut|whole|times|rate|scale|name|or else|by kind|of reads|sum|time|hex|joined"
        "|caching",
    ),
    "listing": (
        "AS",
        r"|key|tells|names|values|given|other|platform|level|hex|beginning|(times|sum) [\d.]+|(only|not|above) .+|.*=.*",
    ),
}


@cache
def columns(name: str) -> Sequence[Mapping[str, str]]:
    """Return the rows of columns/<name>.csv, which map labels of a report to columns of a source.

    A bar separates alternatives: each gives a row. If COLUMN and VALUE both have several, they belong together. COLUMN
    and NAME can contain another cell of the row, such as {LABEL}. LINE is the line in the file. Raise ValueError with
    file and line for a missing cell, or an unknown word for how a value is read.
    """
    found: list[Mapping[str, str]] = []
    column, words = _HOW.get(name, ("KIND", _LABEL_KINDS))
    for line, row in enumerate(csv_rows(Path(__file__).parent / "columns" / f"{name}.csv"), 2):
        if None in row or None in row.values():
            raise ValueError(f"advisor/imports/columns/{name}.csv, line {line}: needs a cell for each column")
        if column in row and not re.fullmatch(words, row[column]):
            raise ValueError(f"advisor/imports/columns/{name}.csv, line {line}: unknown {column} {row[column]!r}")
        found += _expand_row({**row, "LINE": str(line)})
    return found


def _expand_row(row: Mapping[str, str]) -> Iterator[Mapping[str, str]]:
    names = [name for name in ("SECTION", "TITLE", "VIEW", "NAME", "LABEL", "TEXT", "WORDS") if name in row]
    together = [name for name in ("COLUMN", "VALUE") if "|" in row.get(name, "")]
    pairs: list[tuple[str, ...]] = [*zip(*(row[name].split("|") for name in together), strict=True)] or [()]
    for found, pair in product(product(*(row[name].split("|") for name in names)), pairs):
        one = {**row, **dict(zip(names, found, strict=True)), **dict(zip(together, pair, strict=True))}
        yield {name: value.format_map(one) if name in {"COLUMN", "NAME"} else value for name, value in one.items()}


# The release level of a configuration file, as IBM's backups and configurations print it, and its Db2 level.
_RELEASES = {
    "a00": "8.1",
    "b00": "9.1",
    "c00": "9.5",
    "d00": "9.7",
    "e00": "9.8",
    "f00": "10.1",
    "1000": "10.5",
    "1400": "11.1",
    "1500": "11.5",
    "1600": "12.1",
}
_CODE_LEVEL = re.compile(r"\s*V:(\d{1,2})\s+R:(\d{1,2})\s+M:(\d{1,2})\s+F:(\d{1,2})\b")


def level_of_release(release: str) -> str | None:
    """Return the Db2 level for the hexadecimal release level of a configuration; None if unknown."""
    return _RELEASES.get(release.lower().lstrip("0"))


def level_of_code(text: str) -> str | None:
    """Return the Db2 level by CUR_EFF_CODE_LVL, V:11 R:5 M:9 F:0 I:0 SB:0; with the fix pack if there is one."""
    match = _CODE_LEVEL.match(text)
    if match is None or match[1] == "0":
        return None
    return ".".join(match.groups()).removesuffix(".0")


def find_exact_level(levels: Iterable[str]) -> str | None:
    """Return the last of the levels that texts name, completed by another: 11.5.9 if the last is 11.5."""
    known = list(levels)
    return max((level for level in known if f"{level}.".startswith(f"{known[-1]}.")), key=len, default=None)
