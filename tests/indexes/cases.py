"""The statements of statements.yml and the tables of catalog.yml."""

from functools import cache
from pathlib import Path
from typing import Any

import yaml

from advisor.indexes.catalog import Catalog, Column, Index, Key, Table
from advisor.indexes.shapes import Candidate
from advisor.indexes.statement import TableUse

HERE = Path(__file__).parent


@cache
def load_cases() -> list[dict[str, Any]]:
    """Return the statements and what is expected of each."""
    cases: list[dict[str, Any]] = yaml.safe_load((HERE / "statements.yml").read_text(encoding="utf-8"))
    return cases


@cache
def load_catalog() -> Catalog:
    """Return the tables of catalog.yml."""
    tables = yaml.safe_load((HERE / "catalog.yml").read_text(encoding="utf-8"))
    names = {name: tuple(name.split(".")) for name in tables}
    return {(schema, table): _table(schema, table, tables[name]) for name, (schema, table) in names.items()}


def _table(schema: str, name: str, given: dict[str, Any]) -> Table:
    columns = {}
    for text in given["columns"].split(", "):
        column, distinct, *kind = text.split()
        size = int(kind[1]) if len(kind) > 1 else None
        columns[column] = Column(column, kind[0] if kind else "INTEGER", size, int(distinct), nulls=0)
    indexes = tuple(_index(schema, *item) for item in given.get("indexes", {}).items())
    page_size = given.get("page_size", 4096)
    organized = given.get("organized") == "C"
    return Table(schema, name, columns, given.get("rows"), given.get("pages"), page_size, organized, indexes)


def _index(schema: str, name: str, text: str) -> Index:
    rule, *keys = text.split()
    return Index(schema, name, tuple(map(Key, keys)), (), rule, is_required=rule == "P")


def describe_use(use: TableUse) -> str:
    """Return the predicates of a table reference as text."""
    parts = [
        *(f"{item.column} {'null' if item.is_null else _values(item.values)}" for item in use.equal),
        *(f"{column} range" for column in use.ranges),
        *(f"{column} like" for column in use.likes),
        *(f"{join.column} = {join.table or '?'}.{join.other_column or '?'}" for join in use.joins),
    ]
    for word, columns in (
        ("order", [f"{item.column} desc" if item.descending else item.column for item in use.order]),
        ("group", use.group),
        ("distinct", use.distinct),
        ("sets", use.changed),
    ):
        parts += [f"{word} {' '.join(columns)}"] if columns else []
    return "; ".join(parts)


def _values(number: int) -> str:
    return "=" if number == 1 else f"in {number}"


def describe_candidate(candidate: Candidate) -> str:
    """Return a candidate as text: its keys, a bar before those that only cover, and what it replaces."""
    names = [key.column + (" desc" if key.descending else "") for key in candidate.keys]
    split = len(names) - candidate.covering
    text = f"{candidate.table}({', '.join(names[:split])}{' | ' + ', '.join(names[split:]) if names[split:] else ''})"
    text += f" include {', '.join(candidate.include)}" if candidate.include else ""
    return text + (f" for {candidate.widens.name}" if candidate.widens else "")
