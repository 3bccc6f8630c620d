"""The tables of a db2mon report: their sections, the positions of their columns, the values of a row.

The meaning of each printed column is data (columns/db2mon.csv). db2mon prints rates, averages and percentages; the
length of the interval, the count or the total converts them back to counters. If it adds up counters that are never
used separately (``sum``), the sum is stored in the first of them.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from itertools import pairwise

from advisor.catalogue.sources import all_sources
from advisor.imports.cells import Form, hexadecimal, time
from advisor.imports.lines import Lines
from advisor.imports.values import ALL_WORKLOADS, columns, number, parse_text

Values = dict[str, str]

_ASSUMED = frozenset({"MEMBER", "DATA_PARTITION_ID"})

_ID = re.compile(r"\s{0,20}([A-Z]{2,5}#[A-Z]{2,12}):\s")
_DASHES = re.compile(r"-+")
_WORDS = re.compile(r"\S+")
# The only values with a blank among columns of numbers; with squeezed blanks they would shift the rest.
_CACHING = {"default off": "2", "explicit off": "1", "explicit on": "0"}
_FLAGS = ("AUTOMATIC", "COMPUTED")
_FREE_TEXT = (["STMT_TEXT"], ["UTILITY_DETAIL"])
_JOINED = re.compile(r"\b(Default|Explicit) (off|on)\b")


@dataclass(frozen=True)
class Field:
    """The meaning of one printed column: a column of a source, and the computation of its value."""

    label: str
    source: str
    column: str
    how: str
    operand: str
    least: float


@dataclass(frozen=True)
class Section:
    """One section of the report: the meaning of its columns, or the reason why it is not used."""

    id: str
    fields: tuple[Field, ...]
    why: str


@dataclass(frozen=True)
class Layout:
    """The columns of a table, and their positions, as far as known."""

    labels: tuple[str, ...]
    spans: tuple[tuple[int, int], ...]
    free_text: bool
    may_be_empty: bool

    def cells(self, line: str) -> list[str] | None:
        """Return the values of a row, or None if the line is not a row of this table."""
        if self.may_be_empty:
            cells = self._split_by_position(line)
            if cells is not None and not any(len(cell.split()) > 1 for cell in cells[:-1]):
                return cells
            return self._split_by_flags(line) if "FLAGS" in self.labels else self._split_by_blanks(line)
        return self._split_by_blanks(line) or self._split_by_position(line)

    @property
    def text_width(self) -> int:
        """Return the space for a free text; 0 if unknown."""
        return self.spans[-1][1] - self.spans[-1][0] if self.spans and self.free_text else 0

    def has_blanks_between(self, line: str) -> bool:
        """Return whether a line has blanks between the columns, so that it is almost certainly a row."""
        return bool(self.spans) and self._split_by_position(line) is not None

    def _split_by_blanks(self, line: str) -> list[str] | None:
        count = len(self.labels)
        if self.free_text:
            cells = line.split(None, count - 1)
        else:
            cells = line.split()
            if len(cells) == count + 1 and "FS_CACHING" in self.labels:
                cells = _JOINED.sub(r"\1_\2", line).split()
        return cells if len(cells) == count else None

    def _split_by_flags(self, line: str) -> list[str] | None:
        """Return a setting in shifted columns: flags and value may be empty, and a value may have blanks."""
        at = self.labels.index("FLAGS")
        cells = line.split(None, at)
        rest = cells.pop() if len(cells) > at else ""
        flags = next((flag for flag in _FLAGS if rest.startswith(flag)), "")
        found = [*cells, flags, rest.removeprefix(flags).strip()]
        return found if len(cells) == at and len(found) == len(self.labels) else None

    def _split_by_position(self, line: str) -> list[str] | None:
        if not self.spans or "\t" in line or any(line[end : end + 1].strip() for _, end in self.spans[:-1]):
            return None
        last = self.spans[-1][0]
        if not self.free_text and line[self.spans[-1][1] :].strip():
            return None
        return [*[line[start:end].strip() for start, end in self.spans[:-1]], line[last:].strip()]


def layout(section: str, header: str, dashes: str | None) -> Layout:
    """Return the layout by the line of dashes; without one, columns start at their names, as the CLP prints them."""
    words = list(_WORDS.finditer(header))
    labels: list[str] = []
    for word in words:
        label = word[0].upper()
        labels.append(f"{label}#2" if label in labels else label)
    spans: list[tuple[int, int]] = []
    if dashes is not None:
        spans = [match.span() for match in _DASHES.finditer(dashes)]
    elif len(words) > 1 and any(later.start() - word.end() > 1 for word, later in pairwise(words)):
        starts = [word.start() for word in words]
        spans = [(start, end - 1) for start, end in zip(starts, [*starts[1:], len(header) + 1], strict=True)]
    if len(spans) != len(labels):
        spans = []
    return Layout(tuple(labels), tuple(spans), labels[-1:] in _FREE_TEXT, section.startswith("CFG#"))


@cache
def sections() -> dict[str, Section]:
    """Return every section by its id."""
    fields: dict[str, list[Field]] = {}
    for row in columns("db2mon"):
        field = Field(
            row["LABEL"], row["SOURCE"], row["COLUMN"], row["HOW"], row["WITH"], float(row["LEAST"] or "-inf")
        )
        fields.setdefault(row["SECTION"], []).append(field)
    found: dict[str, Section] = {}
    for row in columns("db2mon_sections"):
        if row["ID"] not in found:
            found[row["ID"]] = Section(row["ID"], tuple(fields.get(row["ID"], ())), row["WHY"])
    return found


@cache
def titles() -> dict[str, str]:
    """Return the sections of older reports by their titles, in lower case."""
    return {row["TITLE"].lower(): row["ID"] for row in columns("db2mon_sections")}


@cache
def _signs() -> dict[str, str]:
    return {row["SIGN"]: row["ID"] for row in columns("db2mon_sections") if row["SIGN"]}


@cache
def _labels(section: str) -> frozenset[str]:
    used = sections()[section].fields if section in sections() else ()
    return frozenset({"MEMBER", *[field.label for field in used], *[field.operand for field in used if field.operand]})


def section_of(line: str) -> str | None:
    """Return the id of the section for a heading, by the id or by the title that older reports print alone."""
    if "#" in line and (match := _ID.match(line)):
        return match[1]
    if len(line) > 120 or line[-1:] == "-":
        return None
    return titles().get(" ".join(line.split()).lower())


def section_by_header(line: str) -> str | None:
    """Return the section that has a table with this header, if a column identifies it."""
    if not line.isupper() or "=" in line:
        return None
    signs, words = _signs(), line.split()
    return None if signs.keys().isdisjoint(words) else next(signs[word] for word in words if word in signs)


def is_header(line: str, section: str) -> bool:
    """Return whether a line names columns of a section."""
    words = line.split()
    known = sum(word in _labels(section) for word in words)
    return known == len(words) or (known > 1 and line.isupper() and not any(word[0].isdigit() for word in words))


def is_dashes(line: str) -> bool:
    """Return whether a line is the one below a header."""
    return line.lstrip()[:1] == "-" and not line.strip("- \t")


def rows_of(fields: Sequence[Field], cells: Mapping[str, str], seconds: float | None) -> dict[str, Values]:
    """Return the values of a row, by source; a source is left out if the row lacks a part of its key."""
    found: dict[str, Values] = {}
    cut: set[str] = set()
    for field in fields:
        value = value_of(field, cells, seconds)
        if value is not None:
            found.setdefault(field.source, {})[field.column] = value
        elif field.how == "whole" and parse_text(cells[field.label]) is not None:
            cut.add(field.source)  # half a value of a parameter is wrong, but the parameter has a value
    member = count(cells.get("MEMBER"))
    for source, values in found.items():
        if member is not None and "MEMBER" in _keys(source):
            values["MEMBER"] = member
        if source == "workload":  # db2mon adds up all of them
            values["WORKLOAD_NAME"] = ALL_WORKLOADS
    return {source: values for source, values in found.items() if source not in cut and has_key(source, values)}


@dataclass(frozen=True)
class PlainRow:
    """A row with printed values that need no conversion: ``columns`` are those of the pattern's groups."""

    pattern: re.Pattern[str]
    columns: tuple[str, ...]
    default: str  # of a group without a match

    def read(self, lines: Lines) -> Iterator[Sequence[str]]:
        """Return the remaining rows up to the first line that is not plain."""
        return (match.groups(self.default) for match in lines.matching(self.pattern))


def plain_row(labels: Sequence[str], fields: Sequence[Field]) -> PlainRow:
    """Return the form of plain rows in a table: integers and whole names without commas or quotation marks."""
    used = {"MEMBER": Field("MEMBER", "", "MEMBER", "count", "", 0)} | {field.label: field for field in fields}
    pattern = r"\s++".join(_plain_form(used[label]) if label in used else r"\S++" for label in labels)
    (default,) = {field.operand for field in fields if field.how == "or else"} or {""}
    columns = tuple(used[label].column for label in labels if label in used)
    return PlainRow(re.compile(rf"\s*+{pattern}\s*+\Z"), columns, default)


def _plain_form(field: Field) -> str:
    match field.how:
        case "uncut":
            return rf"(?!(?:-|[nN]/[aA])\s)([^\s,\"]{{1,{int(field.operand) - 1}}}+)"
        case "or else":
            return r"(?:-|([0-9]++))"
        case "count":
            return r"([0-9]++)"
    return r"((?!))"  # a computed value is not plain


def has_key(source: str, columns: Collection[str]) -> bool:
    """Return whether these columns contain the key of a source; the report's member is the default."""
    return all(column in columns for column in _keys(source) if column not in _ASSUMED)


@cache
def _keys(source: str) -> tuple[str, ...]:
    return () if source == "report" else tuple(all_sources()[source].names("key"))


def count(text: str | None) -> str | None:
    """Return a counter, or None: a falling counter has no meaning."""
    value = number(text)
    return value if value is not None and value[0] not in "-+" else None


def value_of(field: Field, cells: Mapping[str, str], seconds: float | None) -> str | None:
    """Return the value that a field gives to its column."""
    text = parse_text(cells.get(field.label, ""))
    if field.how == "or else":
        return text if text is not None else field.operand if field.label in cells else None
    if field.how == "times" and count(cells.get(field.operand)) == "0":
        return "0"  # no operations took no time; their average is null
    if text is None:
        return None
    if form := _form(field):
        return form(text)
    if field.how == "joined":
        other = parse_text(cells.get(field.operand, ""))
        return other and f"{text}/{other}"
    return _multiply(field, text, _factor(field, cells, seconds))


def _multiply(field: Field, text: str, factor: float | None) -> str | None:
    """Return the product if both are known; a value that was cut to nothing, or in part, is unknown."""
    value = count(text)
    if factor is None or value is None or (float(value) < field.least and factor * field.least >= 1):
        return None
    result = float(value) * factor
    return str(round(result)) if result < 1e18 else None


def _factor(field: Field, cells: Mapping[str, str], seconds: float | None) -> float | None:
    if field.how == "rate":
        return None if seconds is None else seconds * float(field.operand)
    if field.how == "scale":
        return float(field.operand)
    other = count(cells.get(field.operand))
    if other is None:
        return None
    return float(other) / 100 if field.how.startswith("percent") else float(other)


def _form(field: Field) -> Form | None:
    """Return the conversion of the text alone; None if the value must be computed."""
    if field.how in ("uncut", "whole"):  # a text as long as the report's limit may be cut
        return lambda text: text if len(text) < int(field.operand) else None
    return _FORMS.get(field.how)


_FORMS: dict[str, Form] = {
    "": str,
    "name": str,  # may be cut: see db2mon_later.py
    "count": count,
    "sum": count,
    "by kind": count,
    "time": time,
    "hex": hexadecimal,
    "caching": lambda text: _CACHING.get(text.lower().replace("_", " ")),
}


def seconds_between(began: datetime | None, ended: datetime | None) -> float | None:
    """Return the length of an interval in seconds."""
    if began is None or ended is None or ended <= began:
        return None
    return (ended - began).total_seconds()
