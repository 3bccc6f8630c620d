"""Faults in SQL that people write, in one line with the line number."""

import re
from collections.abc import Iterable

from advisor.catalogue.embedded import connect
from advisor.catalogue.options import option_views
from advisor.catalogue.rules import Rule
from advisor.catalogue.tables import snapshot_columns
from advisor.catalogue.views import descriptions, views_read_by
from advisor.errors import suggest_nearest
from advisor.headers.rule_file import lines_before_select

_KIND = re.compile(r"^(?:\w+ )+Error: ")
_LINE = re.compile(r"LINE (\d+): ")
_NO_VIEW = re.compile(r'Table with name "?(?P<name>[^\s"]+)"? does not exist')
_NAME = re.compile(r'"(\w+)"')


def sql_fault(error: Exception, lines_before: int = 0) -> str:
    """Return a fault in one line, with the line number if DuckDB reports one; ``lines_before`` precede the statement."""
    first, *others = str(error).splitlines()
    line = next((int(found[1]) for text in others if (found := _LINE.match(text))), None)
    return _format_location(line and line + lines_before, _describe_fault(first, others))


def _describe_fault(first: str, others: Iterable[str]) -> str:
    if missing := _NO_VIEW.search(first):
        name = missing["name"]
        near = suggest_nearest(name.upper().removeprefix("TUNE."), descriptions())
        return f"{name}: no such view{near or '; db2tune sql lists the views'}"
    hint = next(
        (text.partition(": ")[2].lstrip(": ") for text in others if text.startswith("Candidate bindings: ")), None
    )
    text = _KIND.sub("", first).rstrip("!")
    return f"{text} (similar: {hint})" if hint else text


def _format_location(line: int | None, text: str) -> str:
    return f"line {line}: {text}" if line else text


def rule_fault(rule: Rule) -> str | None:
    """Return the fault because of which a rule's SQL cannot run on any data, with its line in the rule's file."""
    import duckdb

    text = rule.path.read_text(encoding="utf-8")
    with connect() as connection:
        for table, columns in snapshot_columns().items():
            connection.execute(f"CREATE TABLE {table} ({columns})")
        for name, select in option_views([rule]):
            connection.execute(f"CREATE VIEW {name} AS {select}")
        for name, select in views_read_by([rule.statement]).items():
            connection.execute(f"CREATE TABLE TUNE.{name} AS {select}")
        try:
            connection.execute(f"EXPLAIN {rule.select}")
        except duckdb.Error as error:
            return sql_fault(error, lines_before_select(text))
        try:
            connection.execute(f"EXPLAIN {rule.statement}")
        except duckdb.Error as error:
            return _header_fault(error, text)
    return None


def _header_fault(error: Exception, text: str) -> str:
    """Return a fault of the generated SQL, with the first line of the file that contains the unknown name."""
    first, *others = str(error).splitlines()
    name = _NAME.search(first)
    lines = enumerate(text.splitlines(), 1)
    line = next((number for number, each in lines if name and re.search(rf"\b{name[1]}\b", each)), None)
    return _format_location(line, _describe_fault(first, others))
