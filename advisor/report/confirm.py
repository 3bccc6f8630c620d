"""Queries that confirm a finding: one statement or command per line, never wrapped, so that they can be copied."""

import re
from collections.abc import Mapping
from typing import Any

from advisor.capture.manifest import UNNAMED
from advisor.catalogue.levels import level_number
from advisor.judgement.advice import Recommendation
from advisor.quoting import shell

OLDEST = "10.5"
"""The oldest level whose monitor table functions the queries use."""


DATABASE = "<database>"
_PLAIN = re.compile(r"[A-Za-z0-9_@#]{1,8}")  # a name that no shell reads as more


def queries(
    given: str | None, database: Mapping[str, Any] | None = None, item: Recommendation | None = None
) -> list[str]:
    """Return the parts of a rule's query, SQL with its terminator.

    With a database, none calls a function that its level lacks, and they contain its name if that is known. With an
    item, they contain its evidence in place of ``<LABEL>``, and its name in place of ``<object>``.
    """
    name, level = (str(database["name"]), database["level"]) if database else ("", None)
    if _PLAIN.fullmatch(name) and name != UNNAMED["database"]:
        given = (given or "").replace(DATABASE, name)
    lacking = level is not None and level_number(level) < level_number(OLDEST)
    parts = [part.strip() for part in (given or "").split(";")]
    for label, value in ({**item.evidence, "object": item.object_name} if item else {}).items():
        parts = [part.replace(f"<{label}>", shell(value)) for part in parts]
    return [f"{part};" if part.startswith("SELECT") else part for part in parts if not (lacking and "TABLE(" in part)]
