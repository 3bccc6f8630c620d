"""Configuration parameters by the names and forms that tools print, for all formats with a configuration."""

import re
from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property, lru_cache

from advisor.errors import list_some
from advisor.imports.values import columns

_FLAGGED = re.compile(r"(AUTOMATIC|COMPUTED)\s*(?:\(\s*(-?\d+)?.*)?", re.IGNORECASE)


@dataclass(frozen=True)
class Parameter:
    """A parameter: ``scope`` is db or dbm, ``kind`` is number, word or text."""

    scope: str
    name: str
    kind: str

    @cached_property
    def source(self) -> str:
        """The source with its values."""
        return f"{self.scope}cfg"


def make_registry_row(name: str, value: str, aggregate: str | None = None) -> dict[str, str | None]:
    """Return the row of a registry variable, whose value on disk counts as in force."""
    values = {"REG_VAR_NAME": name, "REG_VAR_VALUE": value, "REG_VAR_ON_DISK_VALUE": value}
    return values | {"IS_AGGREGATE": str(int(name == "DB2_WORKLOAD")), "AGGREGATE_NAME": aggregate}


_BY_TOKEN: dict[str, list[Parameter]] = {}
for _row in columns("config"):
    _BY_TOKEN.setdefault(_row["NAME"], []).append(Parameter(_row["SCOPE"], _row["NAME"], _row["KIND"]))
_UNUSED = {row["NAME"] for row in columns("config_unused")}  # parameters of a configuration that no rule reads
MOST_UNKNOWN = 5


@lru_cache(4096)  # every configuration has the same
def find_by_token(token: str, scope: str | None = None) -> Parameter | None:
    """Return the parameter of a token such as LOGFILSIZ; one in both scopes needs the scope."""
    known = [item for item in _BY_TOKEN.get(token.lower(), ()) if scope in (None, item.scope)]
    return known[0] if len(known) == 1 else None


def is_parameter(token: str) -> bool:
    """Return whether a token is a parameter of any level, even if no rule uses it."""
    return token.lower() in _BY_TOKEN or token.lower() in _UNUSED


def note_unknown(names: Collection[str]) -> list[str]:
    """Return a note on names in a configuration that are not parameters of any level."""
    if not names:
        return []
    named = list_some(names, MOST_UNKNOWN)
    return [f"not parameters of any known level, perhaps misspelled, so no rule reads them: {named}"]


def split_flag(text: str) -> tuple[str | None, str]:
    """Return value and flag as DB_GET_CFG gives them; an AUTOMATIC without a number has no value."""
    text = text.strip()
    if not text.isdigit() and (match := _FLAGGED.fullmatch(text)):
        return match[2], match[1].upper()
    return text, "NONE"
