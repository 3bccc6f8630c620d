"""Settings to simulate: from recommendations, and from the user."""

import re
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from advisor import documents
from advisor.errors import UserError, suggest_nearest_or_all
from advisor.judgement.advice import Recommendation, Setting

if TYPE_CHECKING:
    from advisor.catalogue.embedded import Tables

_FILE = Path(__file__).with_name("settings.yml")
_NUMBER = re.compile(r"-?\d{1,18}", re.ASCII)
_WORD = re.compile(r"[\w.@#$/\\:+-]{1,254}")
_ALL = "*"
AUTOMATIC = "AUTOMATIC"
_FLAGS = (AUTOMATIC, "COMPUTED")
_MOST_TOLD = 12
WRITTEN = "NAME=VALUE, KIND:NAME=VALUE or KIND:OBJECT:NAME=VALUE, such as SORTHEAP=20000 or BUFFERPOOL:BP1:SIZE=50000"


@dataclass(frozen=True)
class Location:
    """The location of a setting in the tables of a capture: a row of settings.yml."""

    kind: str
    name: str
    reads: str
    changes: list[str]
    value: str | list[str] = "word"
    present: str | None = None
    memory_kb: str | None = None

    @property
    def tables(self) -> list[tuple[str, str]]:
        """The tables that ``reads`` uses, with their aliases; the first one identifies the object."""
        return re.findall(r"TUNE\.(S_\w+)(?: AS (\w))?", self.reads)


@dataclass(frozen=True)
class Wanted:
    """A setting with its new value; ``by`` is the rank that recommends it, or None if the user named it."""

    kind: str
    name: str
    object: str | None
    value: str | None
    member: int | None = None
    host: str | None = None
    by: int | None = None

    @property
    def target(self) -> str:
        """The setting's name as in recommendations, with its object only if the object identifies it."""
        is_of = self.location is None or "$object" in self.location.reads
        parts = [self.kind, self.object if is_of else self.host, self.name, self.member]
        return ":".join(str(part) for part in parts if part is not None)

    def is_same_setting(self, other: "Wanted") -> bool:
        """Return whether both are the same setting on the same member; no member means all members."""
        members = {self.member, other.member}
        return replace(self, member=None).target == replace(other, member=None).target and (
            len(members) == 1 or None in members
        )

    @property
    def location(self) -> Location | None:
        """Its location in a capture, or None if it cannot be simulated."""
        return next(
            (location for location in locations() if location.kind == self.kind and _matches(location.name, self.name)),
            None,
        )

    @property
    def known_location(self) -> Location:
        """Its location in a capture; the setting must be one that can be simulated."""
        assert self.location is not None
        return self.location

    def parameters(self, statement: str) -> dict[str, Any]:
        """Return the values of the statement's parameters."""
        words = (self.value or "").split()
        automatic = bool(words) and words[-1].upper() in _FLAGS
        value = (words[0] if len(words) > 1 else None) if automatic else self.value
        number = int(value) if value is not None and _NUMBER.fullmatch(value) else None
        known = {"object": self.object, "name": self.name, "member": self.member, "host": self.host, "value": value,
                 "number": number, "automatic": int(automatic), "flag": words[-1].upper() if automatic else "NONE"}  # fmt: skip
        return {name: known[name] for name in set(re.findall(r"\$(\w+)", statement)) & known.keys()}


@cache
def locations() -> tuple[Location, ...]:
    """Return the settings that can be simulated."""
    rows = documents.from_yaml(_FILE.read_bytes(), _FILE.name)
    return tuple(Location(**row) for row in rows)


def _matches(pattern: str, name: str) -> bool:
    return name in pattern.split() or (pattern.endswith(_ALL) and name.startswith(pattern.removesuffix(_ALL)))


def list_wanted(item: Recommendation) -> list[Wanted]:
    """Return the settings of a recommendation."""
    host = item.object_name if item.object_type == "HOST" else None
    return [_make_wanted(setting, host, item.rank) for setting in item.settings]


def _make_wanted(setting: Setting, host: str | None, rank: int | None) -> Wanted:
    return Wanted(setting.kind, setting.name, setting.object, setting.proposed, setting.member, host, rank)


def parse_wanted(text: str) -> Wanted:
    """Parse a setting that the user names. Raise UserError with the correct form.

    A name alone is a registry variable if it begins with DB2, and otherwise a database configuration parameter.
    """
    left, equals, value = text.partition("=")
    if left and ":" not in left:
        left = f"{'REGISTRY' if left.upper().startswith('DB2') else 'DBCFG'}:{left}"
    kind, _, rest = left.partition(":")
    object_, colon, name = rest.rpartition(":")
    if not equals or not name or not value.strip() or (colon and not object_):
        raise UserError(f"--set {text[:80]}: must be {WRITTEN}")
    kinds = sorted({location.kind.lower() for location in locations()})
    if kind.lower() not in kinds:
        raise UserError(
            f"--set {text[:80]}: {kind[:40]!r} is not a kind of setting{suggest_nearest_or_all(kind, kinds)}"
        )
    exact = kind.upper() == "HOST"
    wanted = Wanted(kind.upper(), name if exact else name.upper(), object_ or None, value.strip())
    if wanted.location is None:
        names = [location.name for location in locations() if location.kind == wanted.kind]
        raise UserError(
            f"--set {text[:80]}: {wanted.kind} {name[:40]} cannot be simulated{suggest_nearest_or_all(name, names)}"
        )
    if bool(wanted.object) != ("$object" in wanted.location.reads):
        raise UserError(f"--set {text[:80]}: must be {WRITTEN}")
    return wanted


def read_values(tables: "Tables", wanted: Wanted, snapshot: int) -> list[str | None]:
    """Return the distinct values of a setting in a snapshot; the list is empty if it is missing."""
    table, alias = wanted.known_location.tables[0]
    sql = f"{wanted.known_location.reads} AND {alias or table}.SNAP_ID = {snapshot}"
    rows = tables.fetch(sql, wanted.parameters(sql))
    return list(dict.fromkeys(None if value is None else str(value) for (value,) in rows))


def read_present(tables: "Tables", wanted: Wanted, snapshot: int) -> int | None:
    """Return the present number of an AUTOMATIC setting, or None if it is unknown."""
    if (query := wanted.known_location.present) is None:
        return None
    ((value,),) = tables.fetch(f"{query} AND SNAP_ID = {snapshot}", wanted.parameters(query))
    return None if value is None else int(value)


def checked(wanted: Wanted, values: list[str | None], names: list[str]) -> None:
    """Raise UserError if the user's setting is missing or its value is invalid; ``names`` are the existing objects."""
    assert wanted.value is not None  # ``parsed`` requires one
    said = f"--set {wanted.target}={wanted.value[:40]}"
    if not values:
        what = wanted.object or wanted.name
        raise UserError(
            f"{said}: the input contains no {what[:60]}{suggest_nearest_or_all(what, names) if names else ''}"
        )
    word, held = wanted.value.upper(), {(value or "").upper() for value in values}
    is_number = bool(_NUMBER.fullmatch(word)) or word in (AUTOMATIC, "ANY")
    numbers = wanted.known_location.value == "number" or (
        wanted.known_location.value == "word" and all(_NUMBER.fullmatch(value) or value == AUTOMATIC for value in held)
    )
    if numbers and not is_number:
        raise UserError(f"{said}: must be an integer or AUTOMATIC")
    choices = wanted.known_location.value
    if isinstance(choices, list) and word not in choices:
        raise UserError(f"{said}: must be {' or '.join(choices)}")
    if not _WORD.fullmatch(wanted.value) and wanted.known_location.value != "any":
        raise UserError(f"{said}: is not a valid value")


def memory_kb(tables: "Tables", wanted: Wanted, old: list[str | None]) -> int | None:
    """Return the additional memory of a setting in KB per member, or None if it is unknown."""
    location = wanted.location
    if location is None or location.memory_kb is None or wanted.value is None:
        return None
    sizes = [value for value in [*old, wanted.value] if value is not None]
    if not all(_NUMBER.fullmatch(size) for size in sizes):
        return None  # Db2 sets it
    row = tables.execute(location.memory_kb, wanted.parameters(location.memory_kb)).fetchone()
    if row is None or row[0] is None:
        return None
    return int(row[0] * (int(wanted.value) - min(int(size) for size in sizes[:-1])))
