"""Rows of a db2mon report that need values from later sections.

Names of table spaces are cut, in some sections more than in others. Temporary table spaces are identified after their
page reads. Hit ratios precede the reads that they are based on. Statements have their id only in the last of their
sections.
"""

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, field

from advisor.imports.cells import make_executable_id, make_text_columns
from advisor.imports.formats.db2mon_tables import Values

# The limit of waiting rows. A report has some hundred table spaces, and a hundred statements.
MOST_WAITING = 20_000
MOST_MEMBERS = 1_000  # the limit of Db2
_SHORTEST = 20  # the shortest length to which db2mon cuts the name of a table space
_CONTENT = {"A": "ANY", "L": "LARGE", "T": "SYSTEMP", "U": "USRTEMP"}
_TEMPORARY = ("T", "U")
TABLE_SPACES = {"tablespace": "TBSP_NAME", "cat_tablespace": "TBSPACE"}  # and the column with the name
_TEXT = 120  # characters of a statement's text that identify it
_LONGEST_SIGN = 4  # bytes: a text is cut before a character that does not fit
_TOTALS = {"NUM_EXEC": "NUM_EXECUTIONS", "TOTAL_ACT_TIME": "TOTAL_ACT_TIME"}

SourceRow = tuple[str, Values]


@dataclass
class TableSpaces:
    """The table spaces of a report: whole names, members, and rows that wait for one of them."""

    waiting: list[tuple[str, Values, bool]] = field(default_factory=list)
    types: dict[str, str] = field(default_factory=dict)
    members: dict[str, set[str]] = field(default_factory=dict)
    unknown: int = 0

    def add(self, source: str, values: Values, width: int, by_kind: bool) -> Iterator[SourceRow]:
        """Return the row if it is complete; other rows come at the end."""
        name = values[TABLE_SPACES[source]]
        cut = len(name) >= width
        if not cut and (name in self.members or len(self.members) < MOST_WAITING):
            members = self.members.setdefault(name, set())
            if "MEMBER" in values and len(members) < MOST_MEMBERS:
                members.add(values["MEMBER"])
        if not cut and not by_kind and "DATATYPE" not in values:
            yield source, values
        elif len(self.waiting) < MOST_WAITING:
            self.waiting.append((source, values, by_kind))
        else:
            self.unknown += 1

    def rows(self) -> Iterator[SourceRow]:
        """Return the waiting rows that are complete now."""
        names = sorted(self.members)
        whole = [(row, _complete_name(row[1][TABLE_SPACES[row[0]]], names)) for row in self.waiting]
        self.types = {name: row[1]["DATATYPE"] for row, name in whole if name is not None and "DATATYPE" in row[1]}
        for (source, values, by_kind), name in whole:
            if name is None or (by_kind and name not in self.types):
                self.unknown += 1
                continue
            values[TABLE_SPACES[source]] = name
            yield source, _split_reads(values, self.types[name] in _TEMPORARY) if by_kind else values
        for space, kind in self.types.items():
            for member in sorted(self.members.get(space, ())) if kind in _CONTENT else ():
                yield "tablespace", {"TBSP_NAME": space, "MEMBER": member, "TBSP_CONTENT_TYPE": _CONTENT[kind]}


def _complete_name(name: str, names: list[str]) -> str | None:
    """Return the one of the sorted names that starts with this one, which may be cut."""
    if len(name) < _SHORTEST:
        return name
    at = bisect_left(names, name)
    found = [whole for whole in names[at : at + 2] if whole.startswith(name)]
    return found[0] if len(found) == 1 else None


def _split_reads(values: Values, temporary: bool) -> Values:
    """Split the sum of a table space's reads: for a temporary table space all are temporary, for others none."""
    parted = {}
    for column, value in values.items():
        if column.endswith("_READS"):
            parted[column] = "0" if temporary else value
            parted[column.replace("POOL_", "POOL_TEMP_", 1)] = value if temporary else "0"
        else:
            parted[column] = value
    return parted


@dataclass
class Statements:
    """Values of statements in sections by their text, and the ids of the texts from the last section."""

    waiting: dict[tuple[str, str], Values | None] = field(default_factory=dict)
    ids: dict[str, Values | None] = field(default_factory=dict)
    texts: dict[str, Values] = field(default_factory=dict)
    unknown: int = 0

    def get_earlier(self, text: str, member: str) -> Values:
        """Return the earlier values of a statement, by section names: some have averages without their number."""
        values = self.waiting.get((member, _shorten(text))) or {}
        return {label: values[column] for label, column in _TOTALS.items() if column in values}

    def add(self, text: str, width: int, member: str, values: Values) -> None:
        """Take a row; ``width`` is the space for a text, 0 if unknown."""
        beginning = _shorten(text)
        self.texts.setdefault(beginning, make_text_columns(text, complete=len(text.encode()) + _LONGEST_SIGN <= width))
        if "EXECUTABLE_ID" in values:
            self.ids[beginning] = values if self.ids.get(beginning, values) == values else None
            return
        key = (member, beginning)
        if key in self.waiting:
            before = self.waiting[key]
            # Two statements with one text had different values; then the values of both are unknown.
            alike = before is not None and all(values.get(name, value) == value for name, value in before.items())
            self.waiting[key] = before | values if before is not None and alike else None
        else:
            self.waiting[key] = values

    def is_full(self, column: str) -> bool:
        """Return whether no more rows with this column are read."""
        return len(self.ids if column == "EXECUTABLE_ID" else self.waiting) >= MOST_WAITING

    def rows(self) -> Iterator[SourceRow]:
        for (member, beginning), values in self.waiting.items():
            text = self.texts[beginning]
            id = self.ids.get(beginning, {"EXECUTABLE_ID": make_executable_id(text["STMT_TEXT"])})
            if id is None or values is None:
                self.unknown += 1
            else:
                yield "statement", values | id | text | {"MEMBER": member}


def _shorten(text: str) -> str:
    return " ".join(text.split())[:_TEXT]


@dataclass
class HitRatios:
    """The ratios of page reads found in a buffer pool, until the reads are known."""

    parts: dict[tuple[str, str], dict[str, tuple[str, float]]] = field(default_factory=dict)

    def add(self, pool: str, member: str, column: str, of: str, percent: str) -> None:
        if len(self.parts) < MOST_WAITING:
            self.parts.setdefault((pool, member), {})[column] = (of, float(percent) / 100)

    def add_pages_found(self, values: Values) -> Values:
        """Return the pages found, for a row of reads. It excludes those of prefetchers, which the report lacks."""
        parts = self.parts.pop((values["BP_NAME"], values.get("MEMBER", "")), {})
        return {column: str(round(float(values[of]) * part)) for column, (of, part) in parts.items() if of in values}
