"""Data types of columns in DDL: their names and lengths as SYSCAT.COLUMNS has them (r0001038)."""

from collections.abc import Sequence

_MULTIPLES = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}
_LONGEST = (1 << 31) - 1
_FIXED = {
    "SMALLINT": 2,
    "INTEGER": 4,
    "BIGINT": 8,
    "REAL": 4,
    "DOUBLE": 8,
    "DATE": 4,
    "TIME": 3,
    "BOOLEAN": 1,
    "LONG VARCHAR": 32_700,
    "LONG VARGRAPHIC": 16_350,
}
_USUAL = {  # without a length
    "CHARACTER": 1,
    "GRAPHIC": 1,
    "BINARY": 1,
    "DECIMAL": 5,
    "CLOB": 1 << 20,
    "BLOB": 1 << 20,
    "DBCLOB": 1 << 20,
}
_WITH_LENGTH = frozenset({"VARCHAR", "VARGRAPHIC", "VARBINARY", *_USUAL})

# The first words of a type's name, and the catalog's name. Longer ones come first.
TYPES: dict[str, tuple[tuple[tuple[str, ...], str], ...]] = {
    **dict.fromkeys(
        ("CHAR", "CHARACTER"), ((("LARGE", "OBJECT"), "CLOB"), (("VARYING",), "VARCHAR"), ((), "CHARACTER"))
    ),
    "BINARY": ((("LARGE", "OBJECT"), "BLOB"), (("VARYING",), "VARBINARY"), ((), "BINARY")),
    "DOUBLE": ((("PRECISION",), "DOUBLE"), ((), "DOUBLE")),
    "LONG": ((("VARCHAR",), "LONG VARCHAR"), (("VARGRAPHIC",), "LONG VARGRAPHIC")),
    **{
        word: (((), name),)
        for word, name in {
            "INT": "INTEGER",
            "INT2": "SMALLINT",
            "INT4": "INTEGER",
            "INT8": "BIGINT",
            "DEC": "DECIMAL",
            "NUMERIC": "DECIMAL",
            "NUM": "DECIMAL",
            "NUMBER": "NUMBER",
            "FLOAT": "FLOAT",
            "FLOAT4": "REAL",
            "FLOAT8": "DOUBLE",
            "VARCHAR2": "VARCHAR",
            "RAW": "VARBINARY",
            "TIMESTAMP": "TIMESTAMP",
            "DECFLOAT": "DECFLOAT",
            "XML": "XML",
            **{name: name for name in (*_FIXED, *_WITH_LENGTH) if " " not in name},
        }.items()
        if word not in ("CHARACTER", "BINARY", "DOUBLE")
    },
}


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
