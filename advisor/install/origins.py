"""Origins of the installation's statements: file and line in the project."""

import re
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path

from advisor.catalogue.rule_file import header_lines
from advisor.catalogue.rules import Rule, all_rules
from advisor.catalogue.sources import all_sources
from advisor.catalogue.sqltext import remove_comments
from advisor.catalogue.tables import PER_RUN
from advisor.catalogue.views import model_files
from advisor.install.statement import Statement
from advisor.resources import ROOT, SQL, sections

_CODE = Path(__file__).parents[2]
_MADE = re.compile(
    r"\bCREATE (?:OR REPLACE )?(?P<kind>TABLE|VIEW|PROCEDURE|INDEX|SEQUENCE|VARIABLE) TUNE\.(?P<name>\w+)"
)
_NAMED = re.compile(r"\bTUNE\.(?:[CMX]_)?(?:M_)?(?P<name>\w+)")
_AT_LINE = re.compile(r"LINE NUMBER=(\d+)")
_OF_CODE = {  # objects that code generates, with their module
    **dict.fromkeys(PER_RUN, "advisor/catalogue/tables.py"),
    "COUNTER_CHECK": "advisor/catalogue/deltas.py",
    "SETTING_WORD": "advisor/catalogue/settings.py",
    "SETTING_TEXT": "advisor/catalogue/settings.py",
}
_REST = "advisor/install/statements.py"


def find_created_object(statement: Statement) -> str | None:
    """Return the object that a statement creates, as TUNE.NAME, or None."""
    found = _MADE.search(statement.text)
    return found and f"TUNE.{found['name']}"


def origin(statement: Statement, own: Sequence[Rule] = (), message: str = "") -> str:
    """Return file and line of a statement, such as sql/rank/advice.sql:2. Use the line in Db2's ``message``, if any."""
    named = _NAMED.search(statement.text)
    name = named["name"] if named else ""
    files = _files() | _list_rule_files(own)
    path = statement.file or files.get(name) or _CODE / _OF_CODE.get(name, _REST)
    lines = _lines(path, statement.section or name)
    at = _AT_LINE.search(message)
    number = int(at[1]) if at and statement.file else 1
    return f"{_format_path(path)}:{lines[min(number, len(lines)) - 1]}"


@cache
def _files() -> dict[str, Path]:
    """Return the product's files by the names of the objects that they define."""
    files = {path.stem.upper(): path for path in (SQL / "rank").glob("*.sql")}
    files |= model_files()
    files |= {
        name.upper(): path
        for folder in ("run", "schema")
        for path in (SQL / folder).glob("*.sql")
        for name in sections(path)
    }
    files |= {f"{letter}_{name.upper()}": SQL / "collect" / f"{name}.sql" for name in all_sources() for letter in "SDL"}
    return files | _list_rule_files(all_rules().values()) | {"O_SITE": SQL / "schema" / "site_options.csv"}


def _list_rule_files(rules: Iterable[Rule]) -> dict[str, Path]:
    return {name.removeprefix("TUNE."): rule.path for rule in rules for name in (rule.procedure, rule.option_view)}


@cache
def _lines(path: Path, name: str) -> list[int]:
    """Return the line numbers of a statement in its SQL file, or of the lines with ``name`` in another file."""
    text = path.read_text(encoding="utf-8")
    lines = text.splitlines()
    begin = f"-- name: {name.lower()}"
    if path.suffix == ".sql":
        header = lines.index(begin) + 1 if begin in lines else header_lines(text)
        kept = [n for n, line in enumerate(lines, 1) if n > header and remove_comments(line).strip()]
    else:
        kept = [number for number, line in enumerate(lines, 1) if name in line]
    return kept or [1]


def _format_path(path: Path) -> str:
    for folder in (ROOT, _CODE):
        if path.is_relative_to(folder):
            return path.relative_to(folder).as_posix()
    return str(path)
