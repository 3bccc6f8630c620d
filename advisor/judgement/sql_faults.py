"""Faults in SQL that people write, in one line with the line number."""

import re

from advisor.catalogue.dialect import to_sqlite
from advisor.catalogue.embedded import open_tables
from advisor.catalogue.options import option_views
from advisor.catalogue.rules import Rule
from advisor.catalogue.views import descriptions, views_read_by
from advisor.errors import suggest_nearest
from advisor.headers.rule_file import lines_before_select

_NO_VIEW = re.compile(r"no such table: (?P<name>\S+)")
_NO_COLUMN = re.compile(r"no such column: (?:\w+\.)?(?P<name>\w+)")


def sql_fault(error: Exception, sql: str, lines_before: int = 0) -> str:
    """Return a fault of a statement in one line, with the line number if the engine reports its place.

    ``lines_before`` precede the statement.
    """
    place = getattr(error, "error_offset", -1)
    line = to_sqlite(sql).encode()[:place].count(b"\n") + 1 + lines_before if place >= 0 else None
    return _format_location(line, _describe_fault(str(error)))


def _describe_fault(text: str) -> str:
    if missing := _NO_VIEW.search(text):
        name = missing["name"]
        near = suggest_nearest(name.upper().removeprefix("TUNE."), descriptions())
        return f"{name}: no such view{near or '; db2tune sql lists the views'}"
    return text


def _format_location(line: int | None, text: str) -> str:
    return f"line {line}: {text}" if line else text


def rule_fault(rule: Rule) -> str | None:
    """Return the fault because of which a rule's SQL cannot run on any data, with its line in the rule's file."""
    import apsw

    text = rule.path.read_text(encoding="utf-8")
    with open_tables(boxed=True) as tables:
        tables.define(option_views([rule]))
        for name, select in views_read_by([rule.statement]).items():
            tables.store(name, select)
        with tables.box():
            try:
                tables.describe(rule.select)
            except apsw.Error as error:
                return sql_fault(error, rule.select, lines_before_select(text))
            try:
                tables.describe(rule.statement)
            except apsw.Error as error:
                return _header_fault(error, text)
    return None


def _header_fault(error: Exception, text: str) -> str:
    """Return a fault of the generated SQL, with the first line of the file that contains the unknown name."""
    name = _NO_COLUMN.search(str(error))
    lines = enumerate(text.splitlines(), 1)
    line = next((number for number, each in lines if name and re.search(rf"\b{name['name']}\b", each)), None)
    return _format_location(line, _describe_fault(str(error)))
