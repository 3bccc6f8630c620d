"""Queries that confirm a finding: one statement or command per line, never wrapped, so that they can be copied."""

import re
from collections.abc import Mapping
from typing import Any

from advisor.capture.manifest import UNNAMED
from advisor.catalogue.levels import level_number

OLDEST = "10.5"
"""The oldest level whose monitor table functions the queries use."""


DATABASE = "<database>"
_PLAIN = re.compile(r"[A-Za-z0-9_@#]{1,8}")  # a name that no shell reads as more


def queries(given: str | None, database: Mapping[str, Any] | None = None) -> list[str]:
    """Return the parts of a rule's query, SQL with its terminator.

    With a database, none calls a function that its level lacks, and they contain its name if that is known.
    """
    name, level = (str(database["name"]), database["level"]) if database else ("", None)
    if _PLAIN.fullmatch(name) and name != UNNAMED["database"]:
        given = (given or "").replace(DATABASE, name)
    lacking = level is not None and level_number(level) < level_number(OLDEST)
    parts = [part.strip() for part in (given or "").split(";")]
    return [f"{part};" if part.startswith("SELECT") else part for part in parts if not (lacking and "TABLE(" in part)]
