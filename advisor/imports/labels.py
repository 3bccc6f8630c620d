"""Values under labels, or under the headings of a table: the columns of each label, in the form of the column.

A line of columns/<format>.csv gives one column for a label; docs/architecture.md explains its columns. For a value that
no TEXT has, the line of the same label and column without TEXT applies, if there is one. A bar separates several
sections, labels, columns or texts: values.py.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from operator import itemgetter

from advisor.catalogue.sources import Column
from advisor.imports.cells import Form, find_form, form_of, member, parse_integer, time
from advisor.imports.sources import all_sources
from advisor.imports.values import columns, parse_text

Row = dict[str, str]

REPORT, OBJECT = "report", "object"
SECONDS, GIVEN, KEY, NEEDED = "sec.ns", "given", "key", "needed"

MOST_SPELLINGS = 4096
MOST_PLANS = 256


@dataclass(frozen=True)
class Begins:
    """A label that starts something (an object, a container, data of one member), and its own name."""

    what: str
    label: str


@dataclass(frozen=True)
class _Plan:
    """How the values of some labels become rows: integers together by source, the rest one by one."""

    numbers: list[tuple[str, list[str], Callable[[Mapping[str, str]], Sequence[str]]]]
    others: list[tuple[str, str, str, Form]]


@dataclass
class Labels:
    """The labels of one part of a report. They are in lower case, with single blanks."""

    gives: dict[str, list[tuple[str, str, Form]]] = field(default_factory=dict)
    labels: dict[str, str | Begins] = field(default_factory=dict)
    moments: set[str] = field(default_factory=set)
    sources: set[str] = field(default_factory=set)
    _plans: dict[tuple[str, ...], _Plan] = field(default_factory=dict)

    def rows(self, values: Mapping[str, str]) -> dict[str, Row]:
        """Return the columns that have a value, by source."""
        result: dict[str, Row] = {source: {} for source in self.sources}
        labels = tuple(values)
        plan = self._plans.get(labels) or self._make_plan(labels)
        for source, names, of in plan.numbers:
            texts = [*map(str.strip, of(values))]
            if all(map(str.isdigit, texts)):
                result[source] = dict(zip(names, texts, strict=True))
            else:
                result[source] = {
                    column: found for column, text in zip(names, texts, strict=True) if (found := parse_integer(text))
                }
        for label, source, column, form in plan.others:
            if value := form(values[label]):
                result[source][column] = value
        return result

    def _make_plan(self, labels: tuple[str, ...]) -> _Plan:
        given = [(label, *item) for label in labels for item in self.gives.get(label, ())]
        numbers = []
        for name in self.sources:
            found = {label: column for label, source, column, form in given if source == name and form is parse_integer}
            if found:
                numbers.append((name, [*found.values()], _getter([*found])))
        plan = _Plan(numbers, [item for item in given if item[3] is not parse_integer])
        if len(self._plans) < MOST_PLANS:
            self._plans[labels] = plan
        return plan


def _getter(labels: list[str]) -> Callable[[Mapping[str, str]], Sequence[str]]:
    if len(labels) == 1:
        return lambda values: (values[labels[0]],)
    return itemgetter(*labels)


class Spellings:
    """The label for the text before a ``=``, whatever its blanks. ``plain`` has the labels that start nothing.

    A spelling is looked up once and then added to ``plain``; ``""`` is a label that is not needed.
    """

    def __init__(self, section: Labels) -> None:
        self._labels = section.labels
        self._beginning: dict[str, Begins] = {}
        self.plain: dict[str, str] = {}

    def find(self, spelling: str) -> str | Begins | None:
        """Return the label of a spelling; None if the section does not have it."""
        if spelling in self._beginning:
            return self._beginning[spelling]
        label = self._labels.get(" ".join(spelling.lower().split()))
        if label is not None:
            self.remember(spelling, label)
        return label

    def remember(self, spelling: str, label: str | Begins) -> None:
        """Remember a spelling so that it is found at once the next time."""
        if len(self.plain) + len(self._beginning) < MOST_SPELLINGS:
            if isinstance(label, Begins):
                self._beginning[spelling] = label
            else:
                self.plain[spelling] = label


def sections(name: str) -> dict[str, Labels]:
    """Return the sections of columns/<name>.csv."""
    result: dict[str, Labels] = {}
    words: dict[tuple[str, str, str], dict[str, str]] = {}
    for row in columns(name):
        section = result.setdefault(row["SECTION"], Labels())
        label, (source, _, column) = row["LABEL"].lower(), row["COLUMN"].partition(".")
        begins = row["KIND"] not in ("", SECONDS, GIVEN, KEY, NEEDED)
        section.labels.setdefault(label, Begins(row["KIND"], label) if begins else label)
        if not source:
            continue
        if source not in (REPORT, OBJECT) and column not in _columns(source):
            raise ValueError(
                f"advisor/imports/columns/{name}.csv, line {row['LINE']}: no column {row['COLUMN']} in sql/collect/"
            )
        key = (row["SECTION"], label, row["COLUMN"])
        if row["TEXT"]:
            known = words.setdefault(key, {})
            known[row["TEXT"].lower()] = row["VALUE"]
            if len(known) > 1:
                continue
            form = _make_choice_form(known)
        else:
            form = find_form(row["KIND"], _form(source, column))
        section.gives.setdefault(label, []).append((source, column, form))
        section.sources.add(source)
        if form is time:
            section.moments.add(label)
    return result


@cache
def _columns(source: str) -> dict[str, Column]:
    """Return the columns of a source by name; none of an unknown source."""
    known = all_sources().get(source)
    return {column.name: column for column in known.columns} if known else {}


def _form(source: str, column: str) -> Form:
    if source in (REPORT, OBJECT):
        return time if column in ("taken_at", "since", "activated") else parse_text
    if column == "MEMBER":
        return member
    return form_of(_columns(source)[column])


def _make_choice_form(known: Mapping[str, str]) -> Form:
    @lru_cache(256)
    def word(text: str) -> str | None:
        return known.get(" ".join(text.lower().split()))

    return word


@cache
def keys(source: str) -> frozenset[str]:
    """Return the columns of a source's key."""
    return frozenset(all_sources()[source].names("key"))


@cache
def _load_key(source: str) -> frozenset[str]:
    return keys(source) - {"MEMBER"}


def is_usable(source: str, row: Mapping[str, str]) -> bool:
    """Return whether a row has values and its key; member and space of a container by its number are added later."""
    needed = _load_key(source)
    if not needed <= row.keys():
        return needed - row.keys() == {"TBSP_NAME"} and "TBSP_ID" in row and len(row) > len(needed)
    return len(row) > len(needed)
