"""The vocabulary of host facts, sql/schema/host_items.csv: the items of each fact, and their types."""

import re
from dataclasses import dataclass
from functools import cache

from advisor.errors import UserError, suggest_nearest_or_all
from advisor.resources import data_file

MAX_KEY, MAX_VALUE = 300, 1024  # bytes, the limits of TUNE.HOSTFACT

_FORM = {"number": re.compile(r"\d+(\.\d+)?|\.\d+"), "flag": re.compile("[01]")}
_WANTED = {"number": "a number", "flag": "0 or 1", "text": "a text on one line"}


@dataclass(frozen=True)
class Item:
    """One item of a kind of fact; ``source`` is whether the host, only a person, or both can supply it."""

    fact: str
    name: str
    type: str
    source: str
    meaning: str
    commands: dict[str, str]

    @property
    def kind(self) -> str:
        """``device`` of ``device:<d>``."""
        return self.fact.partition(":")[0]

    @property
    def toml(self) -> str:
        """The form in a file of facts: [host."<host>".device."<d>"] strip_kb = <number>."""
        name = self.fact.partition(":")[2]
        table = f'[host."<host>".{self.kind}' + (f'."{name}"]' if name else "]")
        value = {"number": "<number>", "flag": "0 or 1", "text": '"<text>"'}[self.type]
        return f"{table} {self.name} = {value}"

    @property
    def is_named(self) -> bool:
        """Whether there may be several facts of the kind, each with a name."""
        return ":" in self.fact


@cache
def all_items() -> dict[tuple[str, str], Item]:
    """Return every item by the kind of its fact and its name."""
    found = {}
    for row in data_file("schema", "host_items"):
        commands = {system: row[system.upper()] or "" for system in ("Linux", "AIX", "Solaris")}
        item = Item(row["FACT"], row["ITEM"], row["TYPE"], row["FROM"], row["MEANING"], commands)
        found[item.kind, item.name] = item
    return found


def check(fact: str, item: str, value: str) -> None:
    """Raise UserError if the fact or item does not exist, or the value is not of its type."""
    kind, _, name = fact.partition(":")
    known = all_items().get((kind, item))
    if known is None:
        raise UserError(_unknown(kind, item))
    if known.is_named is not bool(name):
        raise UserError(f"fact {fact!r}: write a fact of this kind as {known.fact}")
    if len(fact.encode()) > MAX_KEY or len(value.encode()) > MAX_VALUE:
        raise UserError(f"fact {fact[:60]!r} {item}: longer than {MAX_KEY} bytes for a fact, {MAX_VALUE} for a value")
    form = _FORM.get(known.type)
    if not (form.fullmatch(value) if form else value.isprintable() and value.strip()):
        raise UserError(f"fact {fact!r}: {item} is {value[:60]!r}, not {_WANTED[known.type]}")


def _unknown(kind: str, item: str) -> str:
    kinds = sorted({kind for kind, _ in all_items()})
    if kind not in kinds:
        return f"fact {kind[:60]!r} does not exist{suggest_nearest_or_all(kind, kinds)}"
    names = [name for of, name in all_items() if of == kind]
    return f"fact {kind} has no item {item[:60]!r}{suggest_nearest_or_all(item, names)}"
