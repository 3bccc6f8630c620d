"""Data types of columns in DDL: their names and lengths as SYSCAT.COLUMNS has them (r0001038).

A row of columns/types.csv has the words of a type, longer ones first, its name, and its length in bytes, or the usual
one of a type with a length.
"""

from collections.abc import Sequence

from advisor.imports.values import columns

_MULTIPLES = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}
_LONGEST = (1 << 31) - 1
_FIXED = {row["TYPENAME"]: int(row["LENGTH"]) for row in columns("types") if row["LENGTH"]}
_USUAL = {row["TYPENAME"]: int(row["USUAL"]) for row in columns("types") if row["USUAL"].isdigit()}
_WITH_LENGTH = {row["TYPENAME"] for row in columns("types") if row["USUAL"]}

# By the first word: the other words of a type, and its name.
TYPES: dict[str, list[tuple[tuple[str, ...], str]]] = {}
for _row in columns("types"):
    _first, *_more = _row["WORDS"].split()
    TYPES.setdefault(_first, []).append((tuple(_more), _row["TYPENAME"]))


def describe_type(name: str, arguments: Sequence[str]) -> dict[str, str]:
    """Return TYPENAME, and LENGTH if it is known. ``arguments`` are the words in parentheses after the name."""
    first = _read_length(arguments)
    if name == "NUMBER":  # of Oracle's compatibility mode
        name = "DECIMAL" if first else "DECFLOAT"
    elif name == "FLOAT":
        name = "REAL" if first and first <= 24 else "DOUBLE"
    length = _find_length(name, first, arguments)
    return {"TYPENAME": name} | ({"LENGTH": str(length)} if length is not None else {})


def _find_length(name: str, first: int | None, arguments: Sequence[str]) -> int | None:
    if name in _FIXED:
        return _FIXED[name]
    if name == "TIMESTAMP":  # in bytes: each two digits after the seconds take one
        digits = 6 if not arguments else first
        return None if digits is None or digits > 12 else 7 + (digits + 1) // 2
    if name == "DECFLOAT":
        return {16: 8, 34: 16}.get(34 if first is None else first)
    if name not in _WITH_LENGTH:
        return None
    if not arguments:
        return _USUAL.get(name)
    if first is not None and "CODEUNITS32" in arguments:
        first *= 4 if name in ("CHARACTER", "VARCHAR", "CLOB") else 2
    return None if first is None else min(first, _LONGEST)


def _read_length(arguments: Sequence[str]) -> int | None:
    """Return a length: 10, 10 OCTETS, 1M, 1 M, or 13 of (13, 2)."""
    if not arguments:
        return None
    text, unit = arguments[0][:12], arguments[0][-1:]
    if unit in _MULTIPLES:
        text = text[:-1]
    else:
        unit = arguments[1] if len(arguments) > 1 else ""
    if not (text.isascii() and text.isdigit()):
        return None
    return int(text) * _MULTIPLES.get(unit, 1)
