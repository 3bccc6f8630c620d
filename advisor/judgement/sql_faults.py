"""Faults in SQL that people write, in one line with the line number."""

import re
from typing import TYPE_CHECKING

from advisor.catalogue.dialect import to_sqlite
from advisor.catalogue.embedded import open_tables
from advisor.catalogue.options import option_views
from advisor.catalogue.rule_file import lines_before_select
from advisor.catalogue.rules import Rule
from advisor.catalogue.views import descriptions, views_read_by
from advisor.errors import suggest_nearest

if TYPE_CHECKING:
    from advisor.catalogue.embedded import Tables

_NO_VIEW = re.compile(r"no such table: (?:TUNE\.)?(?P<name>\S+)")
_NO_COLUMN = re.compile(r"no such column: (?:\w+\.)*\"?(?P<name>\w+)\"?")
_WORD = re.compile(r"\w+")


def sql_fault(error: Exception, sql: str, tables: "Tables", lines_before: int = 0) -> str:
    """Return a fault of a statement in one line, with the number of its line; ``lines_before`` precede the statement."""
    text, place = str(error), getattr(error, "error_offset", -1)
    if missing := _NO_VIEW.search(text):
        name = missing["name"]
        place = sql.upper().find(name.upper())
        delta = f"D_{name[2:].upper()}" if name.upper().startswith("L_") else ""
        near = f": this source has no counters; read {delta}" if delta in descriptions() else ""
        near = near or suggest_nearest(name.upper(), descriptions())
        text = f"{name}: no such view{near or '; db2tune sql lists the views'}"
    elif missing := _NO_COLUMN.search(text):
        text = missing[0] + suggest_nearest(missing["name"].upper(), _list_columns(sql, tables))
    line = to_sqlite(sql)[:place].count("\n") + 1 + lines_before if place >= 0 else None
    return _format_location(line, text)


def _list_columns(sql: str, tables: "Tables") -> list[str]:
    """Return the columns of the views that a statement names."""
    views = sorted({*_WORD.findall(sql.upper())} & descriptions().keys())
    return [column for view in views for column in tables.describe(f"SELECT * FROM TUNE.{view}")]


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
                return sql_fault(error, rule.select, tables, lines_before_select(text))
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
    return _format_location(line, str(error))
