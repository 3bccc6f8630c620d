"""Values as DuckDB writes them."""

from collections.abc import Callable
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any

FORMATS: tuple[tuple[type, Callable[[Any], str]], ...] = (  # the first that fits
    (type(None), lambda _: "NULL"),
    (bool, str),
    (int, str),
    (Decimal, str),
    (float, lambda value: f"CAST('{value!r}' AS DOUBLE)"),
    (bytes, lambda value: f"UNHEX('{value.hex()}')"),
    (datetime, lambda value: f"TIMESTAMP '{value.isoformat(' ')}'"),
    (date, lambda value: f"DATE '{value.isoformat()}'"),
    (time, lambda value: f"TIME '{value.isoformat()}'"),
    (object, lambda value: "'" + str(value).replace("'", "''") + "'"),
)


def literal(value: Any) -> str:
    """DuckDB text of a value."""
    return next(text(value) for kind, text in FORMATS if isinstance(value, kind))
