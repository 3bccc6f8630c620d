"""Commands as people give them, in the model's words."""

from __future__ import annotations

import csv
import re
from functools import cache

from tests.support.paths import ROOT
from tests.twin.change import Setting
from tests.twin.machine import AUTOMATIC

NAME = r'"?(?P<of>[^"\s]+)"?'
FORMS = {
    "bufferpool": rf"ALTER BUFFERPOOL {NAME} (?:IMMEDIATE |DEFERRED )?(?P<name>SIZE) (?P<value>.+)",
    "tablespace": rf"ALTER TABLESPACE {NAME} (?P<name>PREFETCHSIZE|EXTENTSIZE|BUFFERPOOL) (?P<value>.+)",
    "dbcfg": rf"UPDATE (?:DB|DATABASE) (?:CFG|CONFIGURATION) FOR {NAME} USING (?P<value>.+)",
    "registry": r"db2set (?P<name>\w+)=(?P<value>.*)",
}
CACHING = re.compile(rf"ALTER TABLESPACE {NAME} (?P<no>NO )?FILE SYSTEM CACHING", re.IGNORECASE)


def settings_of(command: str) -> tuple[Setting, ...]:
    """What a command sets. Raises ValueError for one that is not of the forms known here."""
    text = " ".join(command.replace(";", " ").split())
    if cached := CACHING.fullmatch(text):
        return (Setting("tablespace", "FILE SYSTEM CACHING", "NO" if cached["no"] else "YES", cached["of"]),)
    for kind, form in FORMS.items():
        if found := re.fullmatch(form, text, re.IGNORECASE):
            if kind == "dbcfg":
                return tuple(_parameters(found["value"]))
            of = found["of"] if "of" in found.groupdict() else ""
            return (Setting(kind, found["name"].upper(), _size(kind, found["value"].strip('"')), of),)
    raise ValueError(f"not a command that the model can carry out: {command}")


def _size(kind: str, value: str) -> str:
    """The size of a pool; one that is AUTOMATIC from a size on is AUTOMATIC."""
    return AUTOMATIC if kind == "bufferpool" and value.upper().endswith(AUTOMATIC) else value


def _parameters(text: str) -> list[Setting]:
    """Pairs of name and value; a value may be followed by AUTOMATIC."""
    found: list[Setting] = []
    for name, value, automatic in re.findall(r"(\w+) (\S+)( AUTOMATIC)?(?: |$)", text, re.IGNORECASE):
        found.append(Setting("dbcfg", name.upper(), f"{AUTOMATIC}({value})" if automatic else value))
    return found


def restarts(setting: Setting) -> bool:
    """Return whether a setting needs a new activation of the database, which resets all counters."""
    return setting.kind in ("registry", "dbmcfg") or (setting.kind == "dbcfg" and setting.name in _reactivated())


@cache
def _reactivated() -> frozenset[str]:
    with (ROOT / "tests" / "contract" / "config_params.csv").open(encoding="utf-8") as file:
        return frozenset(row["name"].upper() for row in csv.DictReader(file) if row["apply"] == "reactivate")
