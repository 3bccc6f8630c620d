"""The declarations in sql/collect/: the columns of a source, its key, its counters.

There is one file per source. Each line of its select list ends in a comment with the column's kind and
type, so the statement that collects a source and the declaration of its snapshot table are one text:

    T.POOL_READ_TIME,  -- counter BIGINT

A type may be followed by ``hex``: an identifier in hexadecimal digits, or one that an import derived from a text.
Kinds: ``key`` identifies a row within a snapshot; ``counter`` only grows, and is subtracted;
``gauge`` is a state, and ``hwm`` a high-water mark: both keep their last value.

A source whose object is its own snapshot table is read by no statement: only imported texts fill it.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from advisor.resources import SQL

# Data of tables and texts of views, omitted with statement_text OFF.
CONFIDENTIAL = ("STMT_TEXT", "LOW2KEY", "HIGH2KEY", "FREQUENT_VALUE", "DEFINITION")

_COLUMN = re.compile(
    r"\s*(?P<expression>.+?\b(?P<name>\w+)),?\s+-- (?P<kind>key|gauge|hwm|counter) (?P<type>\w+(?:\(\d+\))?)"
    r"(?P<hex> hex)?\n",
    re.DOTALL,
)
_PARTS = re.compile(r"(?P<head>.*)^SELECT\n(?P<columns>.*?)(?P<tail>^FROM .*)", re.MULTILINE | re.DOTALL)
_HEADER = re.compile(r"^-- (?P<name>object|reset|cut|every|again): +(?P<value>.+)$", re.MULTILINE)


@dataclass(frozen=True)
class Column:
    """One column of a snapshot table, and the expression with its name that reads it."""

    name: str
    kind: str
    type: str
    expression: str
    is_hex: bool = False


@dataclass(frozen=True)
class Cut:
    """The limit below which the statement leaves out rows. ``counter`` is the limited column, ``most`` the gauge with
    its maximum in rows left out on the member, and ``age`` the gauge with a row's age in seconds.

    A row that is older than the interval and new in it was left out at its begin, so its counts may be older.
    """

    counter: str
    most: str
    age: str


@dataclass(frozen=True)
class Source:
    """One source: a monitor function, administrative view or catalog view.

    Schema TUNE reads a source with ``every_s`` once in this number of seconds, and copies its rows in between unless one of
    them meets ``again``.

    ``reset`` is the treatment of a falling counter: ``void`` discards the interval, ``restart`` counts the object from
    its own start (a table that was dropped and created again, a statement that left the package cache and came back).
    """

    name: str
    db2_object: str
    reset: str
    columns: tuple[Column, ...]
    head: str
    tail: str
    cut: Cut | None = None
    every_s: int | None = None
    again: str | None = None

    def statement(self, columns: Iterable[Column] | None = None) -> str:
        """Return the one statement that reads the source: all declared columns, or those that the server has."""
        items = ",\n    ".join(column.expression for column in columns or self.columns)
        return f"{self.head}SELECT\n    {items}\n{self.tail}"

    def reading(self, *names: str) -> str:
        """Return the statement that reads only these columns."""
        return self.statement(column for column in self.columns if column.name in names)

    @property
    def table(self) -> str:
        return f"TUNE.S_{self.name.upper()}"

    @property
    def delta(self) -> str:
        return f"TUNE.D_{self.name.upper()}"

    def names(self, *kinds: str) -> list[str]:
        return [c.name for c in self.columns if c.kind in kinds]


def parse_source(path: Path) -> Source:
    text = path.read_text(encoding="utf-8")
    header = {m["name"]: m["value"].strip() for m in _HEADER.finditer(text)}
    parts = _PARTS.fullmatch(re.sub(r"\A(--.*\n)*", "", text))
    if parts is None:
        raise ValueError(f"{path}: SELECT and FROM must be at the start of a line")
    columns = tuple(
        Column(m["name"], m["kind"], m["type"], " ".join(m["expression"].split()), m["hex"] is not None)
        for m in _COLUMN.finditer(parts["columns"])
    )
    return Source(
        path.stem,
        header["object"],
        header.get("reset", "void"),
        columns,
        parts["head"],
        parts["tail"].rstrip(),
        Cut(*header["cut"].split()) if "cut" in header else None,
        int(header["every"]) if "every" in header else None,
        header.get("again"),
    )


@cache
def all_sources() -> dict[str, Source]:
    """Return every declared source by its name, in the order of their names."""
    return {path.stem: parse_source(path) for path in sorted((SQL / "collect").glob("*.sql"))}


def read_sources() -> dict[str, Source]:
    """Return the sources that a statement reads from Db2."""
    return {name: source for name, source in all_sources().items() if source.db2_object != source.table}
