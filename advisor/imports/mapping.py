"""What a CSV in columns/ says: which value of a tool's output belongs into which columns of which sources.

A line with a VALUE says what that one value means there (TO); a line without one takes over what the tool prints.
"""

from collections.abc import Mapping as Values
from functools import cache

from advisor.catalogue.sources import all_sources
from advisor.imports.cells import INTEGERS
from advisor.imports.values import columns, number, present

Rows = dict[str, dict[str, str]]


class Mapping:
    """The lines of columns/<name>.csv, by section of the output and name of the value."""

    def __init__(self, name: str) -> None:
        self.lines = columns(name)
        self._plain: dict[tuple[str, str], list[tuple[str, str]]] = {}
        self._meant: dict[tuple[str, str, str], list[tuple[str, str, str]]] = {}
        for line in self.lines:
            place = (line["SECTION"], line["NAME"])
            if line["VALUE"]:
                meant = self._meant.setdefault((*place, line["VALUE"].lower()), [])
                meant.append((line["SOURCE"], line["COLUMN"], line["TO"]))
            elif line["SOURCE"]:
                self._plain.setdefault(place, []).append((line["SOURCE"], line["COLUMN"]))

    def rows(self, section: str, values: Values[str, str]) -> Rows:
        """The values by source and column. What a value means outranks a number that stands beside it."""
        result: Rows = {}
        for name, value in values.items():
            for source, column, meaning in self._meant.get((section, name, value.lower()), ()):
                result.setdefault(source, {})[column] = meaning
        for name, value in values.items():
            for source, column in self._plain.get((section, name), ()):
                text = number(value) if column in _numeric(source) else present(value)
                if text is not None:
                    result.setdefault(source, {}).setdefault(column, text)
        return result


@cache
def _numeric(source: str) -> frozenset[str]:
    return frozenset(column.name for column in all_sources()[source].columns if column.type in INTEGERS | {"DOUBLE"})
