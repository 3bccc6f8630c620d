"""Values that the JSON documents share: their head, numbers and steps."""

import re
from collections.abc import Iterable
from typing import Any

from advisor import __version__
from advisor.catalogue.commands import describe_line

SCHEMA_VERSION = 4  # of all documents for programs
PROGRAM = {"name": "db2tune", "version": __version__}
_NUMBER = re.compile(r"-?(0|[1-9]\d{0,14})(\.\d{1,9})?", re.ASCII)  # no other text, such as an identifier


def head() -> dict[str, Any]:
    """Return the first members of a document."""
    return {"schema": SCHEMA_VERSION, "program": PROGRAM}


def to_number(value: str | None) -> int | float | str | None:
    """Return a number as a number, a missing or empty value as None, and any other text unchanged."""
    found = _NUMBER.fullmatch(value or "")
    if found is None:
        return value or None
    return float(found[0]) if found[2] else int(found[0])


def to_steps(lines: Iterable[str]) -> list[dict[str, str | None]]:
    """Return commands and manual lines as objects."""
    return [describe_line(line) for line in lines]
