"""The schemas of the proof, their statements with executions, and indexes as PostgreSQL creates them."""

from dataclasses import dataclass
from functools import cached_property
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

    @cached_property
    def texts(self) -> tuple[Text, ...]:
        """Return the statements of the case."""
        given = yaml.safe_load((DATA / self.statements).read_text(encoding="utf-8"))
        rows = ((name, *row.split(" ", 1)) for name, row in given.items())
        return tuple(Text(name, int(executions), sql) for name, executions, sql in rows)


@dataclass(frozen=True, order=True)
class Definition:
    """An index: its table and its key columns, each with DESC if it is descending."""

    table: str
    columns: tuple[str, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """Return the columns without their order."""
        return tuple(column.removesuffix(" DESC") for column in self.columns)

    @property
    def name(self) -> str:
        """Return a name that no other definition has."""
        return "i_" + "_".join((self.table, *(column.replace(" DESC", "_d") for column in self.columns)))[:58]

    @property
    def on(self) -> str:
        """Return the table and columns in the syntax of CREATE INDEX."""
        return f"{self.table} ({', '.join(self.columns)})"


CASES = (
    Case("tpch", "TPC-H-like", ("tpch.sql",), "tpch.yml"),
    Case("shop", "order entry", ("shop.sql",), "shop.yml"),
    Case("skew", "skewed", ("skew.sql",), "skew.yml"),
    Case("phone", "telephone", ("phone.sql",), "phone.yml"),
    Case("clinic", "hospital", ("clinic.sql",), "clinic.yml"),
)
INDEXED = Case("indexed", "order entry with indexes", ("shop.sql", "shop_indexed.sql"), "shop.yml")
