"""Replacements for names: kinds of names, the names that stay, and a new one for each of the others."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import count
from pathlib import Path

from advisor.resources import csv_rows

Pick = Callable[[str, str], str]  # the replacement for a name of a kind

_VARIANT = "A"  # lengthens a prefix while an original equals a new name


@dataclass(frozen=True)
class Kind:
    """The form of a kind's new names: ``prefix`` and a number of at least ``width`` digits."""

    name: str
    prefix: str
    width: int


@cache
def table(name: str) -> Sequence[Mapping[str, str]]:
    """Return the rows of a data file of this package. Several columns, settings or items give a row each."""
    rows = csv_rows(Path(__file__).with_name(f"{name}.csv"))
    for each in {"COLUMN", "NAME", "ITEM"} & rows[0].keys():
        rows = [{**row, each: word} for row in rows for word in row[each].split()]
    return rows


@cache
def all_kinds() -> dict[str, Kind]:
    return {row["KIND"]: Kind(row["KIND"], row["PREFIX"], int(row["WIDTH"])) for row in table("kinds")}


@cache
def _load_kept_patterns() -> dict[str, re.Pattern[str]]:
    """Return the patterns of names that stay, by kind. Words of values ignore case, names do not."""
    forms: dict[str, list[str]] = {}
    for row in table("keep"):
        forms.setdefault(row["KIND"], []).extend(row["FORMS"].split())
    return {
        kind: re.compile("|".join(found), re.ASCII | (re.IGNORECASE if kind == "text" else 0))
        for kind, found in forms.items()
    }


def is_kept(kind: str, name: str) -> bool:
    """Return whether every Db2 or operating system has this name."""
    form = _load_kept_patterns().get(kind)
    return not name or (form is not None and form.fullmatch(name) is not None)


class Names:
    """The names of one capture: note all of them, then settle them, then ask for replacements."""

    def __init__(self) -> None:
        self._words: dict[str, dict[str, str]] = {kind: {} for kind in all_kinds()}

    def note(self, kind: str, name: str) -> str:
        """Note a name. Until all are known, return it unchanged."""
        return self._words[kind].setdefault(name, name)

    def word(self, kind: str, name: str) -> str:
        return self._words[kind][name]

    def settle(self) -> None:
        """Choose the new name of every name. No new name equals an original of any kind."""
        taken = {name.casefold() for words in self._words.values() for name in words}
        for kind, words in self._words.items():
            names = sorted(name for name in words if not is_kept(kind, name))
            tries = self._tries(all_kinds()[kind], names)
            words.update(next(given for given in tries if taken.isdisjoint(map(str.casefold, given.values()))))

    @staticmethod
    def _tries(kind: Kind, names: list[str]) -> Iterator[dict[str, str]]:
        for repeated in count():
            prefix = kind.prefix + _VARIANT * repeated
            width = max(kind.width - repeated, len(str(len(names))))
            yield {name: f"{prefix}{number:0{width}}" for number, name in enumerate(names, 1)}
