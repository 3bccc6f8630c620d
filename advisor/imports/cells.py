"""Conversion of values in a text to values of a source, for all formats: one form for each kind of column.

Numbers have no separators, times have the ISO form, and a missing value is None.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from hashlib import sha256
from math import isfinite

from advisor.catalogue.sources import Column
from advisor.imports.values import moment, number, parse_text, platform
from advisor.resources import data_file

Form = Callable[[str], str | None]

INTEGERS = frozenset({"SMALLINT", "INTEGER", "BIGINT"})
LARGEST = 18  # power of ten in a BIGINT
LONGEST_TEXT = 4000  # bytes of the text of a statement
_DEFAULT = re.compile(r"COALESCE\(T\.\w+, '?([^')]*)'?\) AS \w+")
_GROUPED = re.compile(r"[+-]?\d{1,3}(?:([.,' \u00a0\u202f])\d{3})(?:\1\d{3})*")
_BITS = re.compile(r"0x'?([0-9A-Fa-f]{1,16})'?")
_LEVEL = re.compile(r"\d+(?:\.\d+)+")


def default(column: Column) -> str | None:
    """Return the value that a source has instead of NULL, or None."""
    match = _DEFAULT.fullmatch(column.expression)
    return match[1] if match else None


def form_of(column: Column) -> Form:
    """Return the form of a column's values: by its type, or its own."""
    if column.name == "TBSP_STATE":
        return table_space_state
    return _OF_TYPE.get(column.type, parse_text)


def find_form(how: str, usual: Form = parse_text) -> Form:
    """Return the form that a CSV in columns/ names for a word; by default the usual one."""
    if how.startswith("times "):
        factor = int(how.removeprefix("times "))
        return lambda text: _times(text, factor)
    if "=" in how:
        return dict(pair.split("=") for pair in how.split()).get
    return _NAMED.get(how, usual)


def form_with_default(column: Column) -> Form:
    """Return the form of a column, with the value that its source has instead of NULL."""
    usual, instead = form_of(column), default(column)
    return usual if instead is None else lambda text: usual(text) or instead


def condition(how: str) -> Callable[[str], bool]:
    """Return a test of whether a source has rows with a cell: ``only A|B``, ``not A*``, ``above 0``."""
    word, _, rest = how.partition(" ")
    if word == "only":
        return frozenset(rest.split("|")).__contains__
    if word == "above":
        return lambda text: text.isdigit() and int(text[:9]) > int(rest)
    if rest.endswith("*"):
        return lambda text: not text.startswith(rest[:-1])
    return lambda text: text != rest


def total(cells: Sequence[str], parts: Sequence[tuple[int, float]]) -> str | None:
    """Return the sum of several cells; None if one of them is missing."""
    result = 0.0
    for index, factor in parts:
        value = number(cells[index])
        if value is None:
            return None
        result += float(value) * factor
    return str(round(result)) if abs(result) < 1e18 else None


def parse_integer(text: str) -> str | None:
    """Return an integer. Separators in it can only be thousands separators."""
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


def parse_number(text: str) -> str | None:
    """Return a number, which the command line processor prints as +9.00000000000000E-001."""
    value = number(text) if text.isascii() else None
    if value is None or "E" not in value.upper():
        return value
    return str(float(value)) if isfinite(float(value)) else None


def _times(text: str, factor: int) -> str | None:
    """Return the form of a size in another unit. A negative size has another meaning and stays."""
    value = parse_integer(text)
    if value is None or value.startswith("-"):
        return value
    return str(int(value) * factor)


def member(text: str) -> str | None:
    """Return the number of a member."""
    text = text.strip()
    return str(int(text)) if text.isdigit() and text.isascii() and len(text) <= 4 else None


def milliseconds(text: str) -> str | None:
    """Return whole milliseconds of seconds that have nanoseconds after the point."""
    return _scale(text, 1000)


def microseconds(text: str) -> str | None:
    """Return whole microseconds of seconds that have microseconds after the point."""
    return _scale(text, 1_000_000)


def _scale(text: str, factor: int) -> str | None:
    try:
        value = Decimal(number(parse_text(text)) or "")
    except InvalidOperation:
        return None
    return str(int(value * factor)) if 0 <= value < 10**12 else None


def total_of(values: Iterable[str | None]) -> str | None:
    """Return the sum of integers; None if one of them is missing."""
    known = list(values)
    return None if None in known else str(sum(int(value or 0) for value in known))


@lru_cache(64)  # every object of a section repeats the times of its heading
def time(text: str) -> str | None:
    """Return a time in the form of the sources."""
    found = moment(parse_text(text))
    return None if found is None else str(found)


def parse_presence(text: str) -> str | None:
    """Return 1 if there is a time, 0 if it never happened."""
    return "0" if parse_text(text) is None else "1" if time(text) else None


def read_time(text: str | None) -> datetime | None:
    """Return the time that time() wrote."""
    return None if text is None else datetime.fromisoformat(text)


@lru_cache(64)
def table_space_state(text: str) -> str | None:
    """Return the words of a table space's state, joined by +, for the bits in older reports (0x0000, 0x'00000080')."""
    match = _BITS.fullmatch(text.strip())
    if match is None:
        return parse_text(text)
    bits = int(match[1], 16)
    states = {row["STATE"]: int(row["BIT"], 16) for row in data_file("schema", "tablespace_states")}
    if bits & ~sum(states.values()):  # an unknown bit may be worse than the known ones
        return text.strip()
    return "+".join(state for state, bit in states.items() if bits & bit) or "NORMAL"


def hexadecimal(text: str) -> str | None:
    """Return an identifier that listings show as x'01AF'."""
    text = text.strip().removeprefix("x'").removeprefix("X'").removesuffix("'").upper()
    return text if re.fullmatch(r"[0-9A-F]+", text) else None


def make_executable_id(text: str) -> str:
    """Return an EXECUTABLE_ID for a statement that is known only by its text; Db2 has no such id."""
    return f"TEXT-{sha256(text.encode()).hexdigest()[:16].upper()}"


def make_text_columns(text: str, complete: bool) -> dict[str, str]:
    """Return the columns that a text shows of a statement; without its length it counts as cut."""
    whole = text.encode()
    columns = {"STMT_TEXT": whole[:LONGEST_TEXT].decode(errors="ignore")}
    return columns | {"STMT_TEXT_LENGTH": str(len(whole))} if complete and whole else columns


def _level(text: str) -> str | None:
    match = _LEVEL.search(text)
    return match[0] if match else None


_OF_TYPE: dict[str, Form] = {
    **dict.fromkeys(INTEGERS, parse_integer),
    "DOUBLE": parse_number,
    "TIMESTAMP": time,
}  # all others are text
_NAMED: dict[str, Form] = {
    "given": parse_presence,
    "beginning": lambda text: (
        make_text_columns(text.rstrip(), complete=False)["STMT_TEXT"] if parse_text(text) else None
    ),
    "hex": hexadecimal,
    "level": _level,
    "platform": platform,
    "sec.ns": milliseconds,
}
