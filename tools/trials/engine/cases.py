"""The schemas of the proof, and their statements with executions."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import yaml

DATA = Path(__file__).parent / "data"


@dataclass(frozen=True)
class Text:
    """A statement and its executions in an hour."""

    name: str
    executions: float
    sql: str


@dataclass(frozen=True)
class Case:
    """A schema: the files that create it, in order, and the file of its statements."""

    name: str
    title: str
    scripts: tuple[str, ...]
    statements: str

    @property
    def texts(self) -> tuple[Text, ...]:
        """Return the statements of the case."""
        return load_texts(self.statements)


CASES = (
    Case("tpch", "TPC-H-like", ("tpch.sql",), "tpch.yml"),
    Case("shop", "order entry", ("shop.sql",), "shop.yml"),
    Case("skew", "skewed", ("skew.sql",), "skew.yml"),
)
INDEXED = Case("indexed", "order entry with indexes", ("shop.sql", "shop_indexed.sql"), "shop.yml")


@cache
def load_texts(file: str) -> tuple[Text, ...]:
    """Return the statements of a file."""
    given = yaml.safe_load((DATA / file).read_text(encoding="utf-8"))
    return tuple(Text(name, executions, sql) for name, (executions, sql) in given.items())
