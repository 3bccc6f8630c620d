"""The declarations in sql/collect/: which columns a source has, which are its key, which count.

One file per source. Each line of its select list ends in a comment that gives the column's kind and
type, so the statement that collects a source and the declaration of its snapshot table are one text:

    T.POOL_READ_TIME,  -- counter BIGINT

Kinds: ``key`` identifies a row within a snapshot; ``counter`` only grows, and is differenced;
``gauge`` is a state, and ``hwm`` a high-water mark: both keep their last value.
"""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from advisor.resources import SQL

_COLUMN = re.compile(
    r"^\s+(?:.*\s)?(?:\w+\.)?(?P<name>\w+),?\s+-- (?P<kind>key|gauge|hwm|counter) (?P<type>\w+(?:\(\d+\))?)$",
    re.MULTILINE,
)
_HEADER = re.compile(r"^-- (?P<name>object|reset): +(?P<value>.+)$", re.MULTILINE)


@dataclass(frozen=True)
class Column:
    """One column of a snapshot table."""

    name: str
    kind: str
    type: str


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
    statement: str

    @property
    def table(self) -> str:
        return f"TUNE.S_{self.name.upper()}"

    @property
    def delta(self) -> str:
        return f"TUNE.D_{self.name.upper()}"

    def names(self, *kinds: str) -> list[str]:
        return [c.name for c in self.columns if c.kind in kinds]


def parse(path: Path) -> Source:
    text = path.read_text(encoding="utf-8")
    header = {m["name"]: m["value"].strip() for m in _HEADER.finditer(text)}
    columns = tuple(Column(m["name"], m["kind"], m["type"]) for m in _COLUMN.finditer(text))
    return Source(path.stem, header["object"], header.get("reset", "void"), columns, text)


@cache
def all_sources() -> dict[str, Source]:
    """Every declared source by its name, in the order of their names."""
    return {path.stem: parse(path) for path in sorted((SQL / "collect").glob("*.sql"))}
