"""The declarations in sql/collect/: which columns a source has, which are its key, which count.

One file per source. Each line of its select list ends in a comment that gives the column's kind and
type, so the statement that collects a source and the declaration of its snapshot table are one text:

    T.POOL_READ_TIME,  -- counter BIGINT

A type may be followed by ``hex``: an identifier in hexadecimal digits, or one that an import made of a text.
Kinds: ``key`` identifies a row within a snapshot; ``counter`` only grows, and is differenced;
``gauge`` is a state, and ``hwm`` a high-water mark: both keep their last value.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from advisor.resources import SQL

_COLUMN = re.compile(
    r"\s*(?P<expression>.+?\b(?P<name>\w+)),?\s+-- (?P<kind>key|gauge|hwm|counter) (?P<type>\w+(?:\(\d+\))?)"
    r"(?P<hex> hex)?\n",
    re.DOTALL,
)
_PARTS = re.compile(r"(?P<head>.*)^SELECT\n(?P<columns>.*?)(?P<tail>^FROM .*)", re.MULTILINE | re.DOTALL)
_HEADER = re.compile(r"^-- (?P<name>object|reset|cut): +(?P<value>.+)$", re.MULTILINE)


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
    """Where the statement leaves out what counts little: what of (``counter``), the gauge with the ``most`` that a row
    which was left out had of it on the member, and that with a row's ``age`` in seconds.

    A row that is older than the interval and new in it was left out at its begin, so that what it counts may be older.
    """

    counter: str
    most: str
    age: str


@dataclass(frozen=True)
class Source:
    """One source: a monitor function, administrative view or catalog view.

    ``reset`` says what a falling counter means: ``void`` discards the interval, ``restart`` counts
    the object from its own start (a table that was dropped and made again, a statement that left
    the package cache and came back).
    """

    name: str
    db2_object: str
    reset: str
    columns: tuple[Column, ...]
    head: str
    tail: str
    cut: Cut | None = None

    def statement(self, columns: Iterable[Column] | None = None) -> str:
        """The one statement that reads the source: all declared columns, or those that the server has."""
        items = ",\n    ".join(column.expression for column in columns or self.columns)
        return f"{self.head}SELECT\n    {items}\n{self.tail}"

    def reading(self, *names: str) -> str:
        """The statement that reads these columns alone."""
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
        raise ValueError(f"{path}: SELECT and FROM must stand at the start of a line")
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
    )


@cache
def all_sources() -> dict[str, Source]:
    """Every declared source by its name, in the order of their names."""
    return {path.stem: parse_source(path) for path in sorted((SQL / "collect").glob("*.sql"))}
