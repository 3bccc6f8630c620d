"""What a value in a text becomes in a column of a source, whatever the format: one form for every kind of column.

Numbers have no separators, times are as ISO writes them, and nothing (None) stands where there is no value.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from hashlib import sha256
from math import isfinite

from advisor.catalogue.sources import Column
from advisor.imports.values import moment, number, platform, present
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
    """What a source has in place of a null, where it says so."""
    match = _DEFAULT.fullmatch(column.expression)
    return match[1] if match else None


def form_of(column: Column) -> Form:
    """The form of the values of a column, by its type, or its own."""
    if column.name == "TBSP_STATE":
        return table_space_state
    return _OF_TYPE.get(column.type, present)


def named(how: str, usual: Form = present) -> Form:
    """The form that a word of a CSV in columns/ names; the usual one where it names none."""
    if how.startswith("times "):
        factor = int(how.removeprefix("times "))
        return lambda text: _times(text, factor)
    if "=" in how:
        return dict(pair.split("=") for pair in how.split()).get
    return _NAMED.get(how, usual)


def or_default(column: Column) -> Form:
    """The form of a column, with what its source has in place of a null."""
    usual, instead = form_of(column), default(column)
    return usual if instead is None else lambda text: usual(text) or instead


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


def real(text: str) -> str | None:
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


def member(text: str) -> str | None:
    """The number of a member."""
    text = text.strip()
    return str(int(text)) if text.isdigit() and text.isascii() and len(text) <= 4 else None


def milliseconds(text: str) -> str | None:
    """Whole milliseconds of seconds with nanoseconds behind the point."""
    return _scaled(text, 1000)


def microseconds(text: str) -> str | None:
    """Whole microseconds of seconds with microseconds behind the point."""
    return _scaled(text, 1_000_000)


def _scaled(text: str, factor: int) -> str | None:
    try:
        value = Decimal(number(present(text)) or "")
    except InvalidOperation:
        return None
    return str(int(value * factor)) if 0 <= value < 10**12 else None


def total_of(values: Iterable[str | None]) -> str | None:
    """The sum of whole numbers; nothing if one of them is absent."""
    known = list(values)
    return None if None in known else str(sum(int(value or 0) for value in known))


@lru_cache(64)  # every object of a section repeats those of its heading
def time(text: str) -> str | None:
    """A time as the sources have it."""
    found = moment(present(text))
    return None if found is None else str(found)


def given(text: str) -> str | None:
    """1 where there is a time, 0 where there never was one."""
    return "0" if present(text) is None else "1" if time(text) else None


def read_time(text: str | None) -> datetime | None:
    """The time that time() wrote."""
    return None if text is None else datetime.fromisoformat(text)


@lru_cache(64)
def table_space_state(text: str) -> str | None:
    """The words of a table space's state, joined by +, for the bits that older reports have (0x0000, 0x'00000080')."""
    match = _BITS.fullmatch(text.strip())
    if match is None:
        return present(text)
    bits = int(match[1], 16)
    states = {row["STATE"]: int(row["BIT"], 16) for row in data_file("schema", "tablespace_states")}
    if bits & ~sum(states.values()):  # one that is not known may be worse than those that are
        return text.strip()
    return "+".join(state for state, bit in states.items() if bits & bit) or "NORMAL"


def hexadecimal(text: str) -> str | None:
    """An identifier that listings show as x'01AF'."""
    text = text.strip().removeprefix("x'").removeprefix("X'").removesuffix("'").upper()
    return text if re.fullmatch(r"[0-9A-F]+", text) else None


def named_by_text(text: str) -> str:
    """What stands for the EXECUTABLE_ID of a statement of which only the text is known; Db2 knows no such id."""
    return f"TEXT-{sha256(text.encode()).hexdigest()[:16].upper()}"


def shown_text(text: str, complete: bool) -> dict[str, str]:
    """The columns that a text says of a statement; without its length it counts as cut."""
    whole = text.encode()
    columns = {"STMT_TEXT": whole[:LONGEST_TEXT].decode(errors="ignore")}
    return columns | {"STMT_TEXT_LENGTH": str(len(whole))} if complete and whole else columns


def _level(text: str) -> str | None:
    match = _LEVEL.search(text)
    return match[0] if match else None


_OF_TYPE: dict[str, Form] = {**dict.fromkeys(INTEGERS, whole), "DOUBLE": real, "TIMESTAMP": time}  # else a text
_NAMED: dict[str, Form] = {
    "given": given,
    "beginning": lambda text: shown_text(text, complete=False)["STMT_TEXT"] if present(text) else None,
    "hex": hexadecimal,
    "level": _level,
    "platform": platform,
    "sec.ns": milliseconds,
}
