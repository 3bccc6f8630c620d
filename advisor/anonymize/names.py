"""What stands for each name: kinds of names, those that stay, and a new one for each of the others."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import count
from pathlib import Path

from advisor.resources import csv_rows

Pick = Callable[[str, str], str]  # what stands for a name of a kind

_VARIANT = "A"  # lengthens a prefix while an original has one of the new names


@dataclass(frozen=True)
class Kind:
    """What the new names of a kind look like: ``prefix`` and a number of ``width`` digits or more."""

    name: str
    prefix: str
    width: int


def table(name: str) -> Sequence[Mapping[str, str]]:
    """The rows of a data file of this package."""
    return csv_rows(Path(__file__).with_name(f"{name}.csv"))


@cache
def all_kinds() -> dict[str, Kind]:
    return {row["KIND"]: Kind(row["KIND"], row["PREFIX"], int(row["WIDTH"])) for row in table("kinds")}


@cache
def _kept() -> dict[str, re.Pattern[str]]:
    """The forms of what stays, by kind. Words of values are the same in upper and lower case, names are not."""
    forms: dict[str, list[str]] = {}
    for row in table("keep"):
        forms.setdefault(row["KIND"], []).extend(row["FORMS"].split())
    return {
        kind: re.compile("|".join(found), re.ASCII | (re.IGNORECASE if kind == "text" else 0))
        for kind, found in forms.items()
    }


def stays(kind: str, name: str) -> bool:
    """Whether a name is one that every Db2 or operating system has."""
    form = _kept().get(kind)
    return not name or (form is not None and form.fullmatch(name) is not None)


class Names:
    """The names of one capture: first all are noted, then settled, then asked for."""

    def __init__(self) -> None:
        self._words: dict[str, dict[str, str]] = {kind: {} for kind in all_kinds()}

    def note(self, kind: str, name: str) -> str:
        """There is such a name. Until all are known it stands for itself."""
        return self._words[kind].setdefault(name, name)

    def word(self, kind: str, name: str) -> str:
        return self._words[kind][name]

    def settle(self) -> None:
        """Give every name its new one. None of these is a name that was there before, of whatever kind."""
        taken = {name.casefold() for words in self._words.values() for name in words}
        for kind, words in self._words.items():
            names = sorted(name for name in words if not stays(kind, name))
            tries = self._tries(all_kinds()[kind], names)
            words.update(next(given for given in tries if taken.isdisjoint(map(str.casefold, given.values()))))

    @staticmethod
    def _tries(kind: Kind, names: list[str]) -> Iterator[dict[str, str]]:
        for repeated in count():
            prefix = kind.prefix + _VARIANT * repeated
            width = max(kind.width - repeated, len(str(len(names))))
            yield {name: f"{prefix}{number:0{width}}" for number, name in enumerate(names, 1)}
