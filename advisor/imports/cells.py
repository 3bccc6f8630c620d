"""What a cell of a table becomes in a column of a source: numbers without separators, times as ISO writes them."""

import re
from collections.abc import Callable, Sequence
from decimal import Decimal
from math import isfinite

from advisor.catalogue.sources import Column
from advisor.imports.values import moment, number, platform, present

Convert = Callable[[str], str | None]

INTEGERS = frozenset({"SMALLINT", "INTEGER", "BIGINT"})
LARGEST = 18  # power of ten in a BIGINT
_DEFAULT = re.compile(r"COALESCE\(T\.\w+, '?([^')]*)'?\) AS \w+")
_GROUPED = re.compile(r"[+-]?\d{1,3}(?:([.,' \u00a0\u202f])\d{3})(?:\1\d{3})*")
_LEVEL = re.compile(r"\d+(?:\.\d+)+")


def default(column: Column) -> str | None:
    """What a source has in place of a null, where it says so."""
    match = _DEFAULT.fullmatch(column.expression)
    return match[1] if match else None


def conversion(column: Column, how: str) -> Convert:
    """What makes a value of the column of a cell; ``how`` is the word of columns/listing.csv."""
    if how == "hex":
        return _hex
    if how.startswith("times "):
        factor = int(how.removeprefix("times "))
        return lambda text: _times(text, factor)
    if "=" in how:
        return dict(pair.split("=") for pair in how.split()).get
    convert: Convert
    if column.type in INTEGERS:
        convert = whole
    elif column.type == "DOUBLE":
        convert = _real
    elif column.type == "TIMESTAMP":
        convert = _time
    else:
        convert = present
    instead = default(column)
    if instead is None:
        return convert
    return lambda text: convert(text) or instead


def attribute(how: str) -> Convert:
    """What makes an attribute of a report of a cell."""
    return {"level": _level, "platform": platform}.get(how, present)


def condition(how: str) -> Callable[[str], bool]:
    """Whether a source has rows with such a cell: ``only A|B``, ``not A*``, ``above 0``."""
    word, _, rest = how.partition(" ")
    if word == "only":
        return frozenset(rest.split("|")).__contains__
    if word == "above":
        return lambda text: text.isdigit() and int(text[:9]) > int(rest)
    if rest.endswith("*"):
        return lambda text: not text.startswith(rest[:-1])
    return lambda text: text != rest


def total(cells: Sequence[str], parts: Sequence[tuple[int, float]]) -> str | None:
    """What several cells add up to; nothing if one of them is absent."""
    result = 0.0
    for index, factor in parts:
        value = number(cells[index])
        if value is None:
            return None
        result += float(value) * factor
    return str(round(result)) if abs(result) < 1e18 else None


def whole(text: str) -> str | None:
    """A whole number. Separators in it can only be those of thousands."""
    if text.isdigit() and text.isascii():
        return text
    if _GROUPED.fullmatch(text):
        text = re.sub(r"[^\d+-]", "", text)
    value = number(text) if text.isascii() else None
    if value is None:
        return None
    exact = Decimal(value)
    if exact.adjusted() > LARGEST or exact != exact.to_integral_value():
        return None
    return str(int(exact))


def _real(text: str) -> str | None:
    """A number, which the command line processor writes as +9.00000000000000E-001."""
    value = number(text) if text.isascii() else None
    if value is None or "E" not in value.upper():
        return value
    return str(float(value)) if isfinite(float(value)) else None


def _times(text: str, factor: int) -> str | None:
    """A size in another unit; a negative one is a sign of something else and stays."""
    value = whole(text)
    if value is None or value.startswith("-"):
        return value
    return str(int(value) * factor)


def _time(text: str) -> str | None:
    time = moment(text)
    return None if time is None else time.isoformat(sep=" ")


def _hex(text: str) -> str | None:
    """An identifier that listings show as x'01AF'."""
    text = text.strip().removeprefix("x'").removeprefix("X'").removesuffix("'").upper()
    return text if re.fullmatch(r"[0-9A-F]+", text) else None


def _level(text: str) -> str | None:
    match = _LEVEL.search(text)
    return match[0] if match else None
