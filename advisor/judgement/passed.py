"""The rules that ran on complete input and found nothing: only these are checks that a database passed."""

import re
from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING

from advisor.catalogue.rules import Rule
from advisor.catalogue.sqltext import references
from advisor.catalogue.views import views_read_by
from advisor.resources import data_file

if TYPE_CHECKING:
    from advisor.catalogue.embedded import Tables

WHOLE = 50  # settings; a configuration of Db2 has more, a fragment fewer
_SETTINGS = {"SETTING", "CONFIG"}  # the views of settings
_COMPARED = re.compile(r"\bNAME (?:=|<>|IN|NOT IN) (\([^)]*\)|'[^']*')")
_SETTING = re.compile(r"'([a-z_0-9]+)'")  # of the database or instance; registry variables are in upper case
_MESSAGES = "event."  # a text with one message does not show that there were no others
_NOT_PASSED = "SELECT RULE FROM TUNE.GATE UNION SELECT RULE FROM TUNE.NOT_RUN UNION SELECT RULE FROM TUNE.FINDING"


def list_passed(tables: "Tables", rules: Iterable[Rule]) -> list[str]:
    """Return the names of the rules that apply, ran, found nothing and knew each setting that they compare.

    A rule about messages never passes: the messages of a text are only some of those that Db2 wrote.
    """
    others = {name for (name,) in tables.fetch(_NOT_PASSED)}
    known = {name for (name,) in tables.fetch("SELECT DISTINCT NAME FROM TUNE.CONFIG")}
    complete = [rule for rule in rules if not any(need.startswith(_MESSAGES) for need in rule.get_list("needs"))]
    return sorted(rule.name for rule in complete if rule.name not in others and knows_settings(rule, known))


def knows_settings(rule: Rule, known: set[str]) -> bool:
    """Return whether the known settings, in lower case, include each that a rule compares.

    A rule about settings of any name needs a whole configuration.
    """
    compared = list_settings(rule.select)
    if compared or (rule.get_list("needs") and not _select_texts(rule.select)):
        return compared <= known
    return len(known) >= WHOLE


@cache
def list_settings(statement: str) -> frozenset[str]:
    """Return the database and instance settings, in lower case, that a statement or one of its views compares."""
    named = set[str]().union(*map(_list_compared, _select_texts(statement)))
    return frozenset(named - {row["NAME"].lower() for row in data_file("schema", "site_options")})


@cache
def _list_compared(sql: str) -> frozenset[str]:
    """Return the settings that one text compares: many rules share a view."""
    return frozenset(name for found in _COMPARED.finditer(sql) for name in _SETTING.findall(found[1]))


def _select_texts(statement: str) -> list[str]:
    """Return those of a statement and its views that read settings, without the view of reasons against load rules."""
    views = [sql for name, sql in views_read_by([statement]).items() if name != "NO_LOAD"]
    return [sql for sql in (statement, *views) if references(sql) & _SETTINGS]
