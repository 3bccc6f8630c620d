"""The rows that an installation loads: rules, sources, vocabulary, options, and the steps of a run."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from advisor import __version__
from advisor.catalogue.reliance import find_required_views
from advisor.catalogue.rows import Row, rule_rows, rule_text_rows
from advisor.catalogue.rules import Rule
from advisor.catalogue.sources import read_sources
from advisor.catalogue.sqltext import remove_comments
from advisor.catalogue.tables import kept_tables
from advisor.catalogue.views import advice_views, candidate_views, model_views
from advisor.install.compiled import CORE
from advisor.install.statement import Statement, fill_statement
from advisor.quoting import literal

Loaded = dict[str, list[Row]]  # the rows per table that is reloaded

STEPS = "MODEL_STEP"  # loaded last: TUNE.ADVISE refuses to run while it is empty
ROWS_A_STATEMENT = 50
# Views whose rows are kept for every run.
KEPT = {
    *("ADVICE", "CLAIM", "COMMAND", "DATABASE_TIME", "METRIC", "PLAN", "QUESTION", "RUN_WINDOW", "SILENCE", "SUMMARY"),
    *("TIME_BUCKET", "TIME_SPENT", "TOP_STATEMENT", "WORKLOAD_CLASS"),
}
# Views whose rows are kept for the last run: many statements read them, or the choice reads them for each candidate, or
# an error in them must cost nothing else.
_STORED = {
    *("BUFFERPOOL", "CANDIDATE", "CANDIDATE_ACCOUNT", "CANDIDATE_DEPENDENCY", "CANDIDATE_DONOR", "CANDIDATE_KEY"),
    *("CHOICE_CONTENDER", "CHOICE_REJECTION", "COMPILE_WORK", "CONFIG", "CONSTANT", "CONTAINER", "COUNTER_CHECK"),
    *("GATE", "HOST", "HOST_FACT", "LOCK_WORK", "LOG", "MEMBER_TIME", "MEMORY_BUDGET", "MEMORY_PRESSURE", "NO_LOAD"),
    *("OBJECT_PLACE", "O_SITE", "POOL_GROWTH", "PREFETCHING", "RUN_MEMBER", "SETTING", "SETTING_TEXT"),
    *("SETTING_WORD", "SIBLING", "SORT_WORK", "STATEMENT", "STATEMENT_TABLE", "STATEMENT_TEXT", "STMM"),
    *("TABLESPACE", "TABLE_USE"),
}
# Tables with few rows, which only an installation writes: inside Db2, views of their rows.
VOCABULARY = {
    *("CONTRADICTION", "DEPRECATED", "EFFECT", "EVENT_RULE", "FACT_QUESTION", "INTRODUCED", "LANE", "PLATFORM"),
    *("RULE_ASK", "RULE_ORDER", "RULE_STEP", "SEVERITY", "STEP_NEED", "TABLESPACE_STATE"),
}
COLUMN = re.compile(r"^ +(?P<name>\w+) (?P<type>\w+(?:\((?P<length>\d+)\))?)(?P<required> NOT NULL)?,?$", re.MULTILINE)


def is_stored(name: str) -> bool:
    """Return whether a run stores the rows of a view in a table; other views are computed where they are read."""
    return name in KEPT or name in _STORED


def load_rows(rules: list[Rule]) -> Loaded:
    """Return the rows per table that is reloaded."""
    rows_of: Loaded = {"COLLECT": [], "COLLECT_COLUMN": []}
    for source in read_sources().values():
        texts = (remove_comments(text) or " " for text in (source.head, source.tail))  # '' is NULL with varchar2_compat
        rows_of["COLLECT"].append((source.name, source.db2_object, *texts, source.every_s, source.again))
        rows_of["COLLECT_COLUMN"] += [
            (source.name, number, column.name, column.expression, column.kind, column.type)
            for number, column in enumerate(source.columns, 1)
        ]
    for table, row in (*rule_rows(rules), *rule_text_rows(rules)):
        rows_of.setdefault(table, []).append(row)
    rows_of["RULE_VIEW"] = [
        (rule.name, f",{','.join(name for name in find_required_views(rule) if is_stored(name))},") for rule in rules
    ]
    return rows_of | {STEPS: list(list_steps())}


def list_steps() -> Iterator[Row]:
    """Yield the views that a run computes: number, kind and name."""
    number = 0
    for kind, views in (("model", model_views()), ("rank", candidate_views()), ("list", advice_views())):
        for name in views:
            if is_stored(name):
                number += 1
                yield number, kind, name


def load(loaded: Loaded, tables: Iterable[str]) -> Iterator[Statement]:
    """Yield the statements that replace the rows of tables."""
    for table in tables:
        names = ", ".join(_columns(table))
        yield Statement(f"DELETE FROM TUNE.{table}")
        for values in _slices(loaded[table]):
            insert = f"INSERT INTO TUNE.{table} ({names}) VALUES\n    "
            lines = [_row(row) for row in values]
            yield Statement(insert + ",\n    ".join(lines), each=tuple(Statement(insert + line) for line in lines))


def vocabulary_view(table: str, rows: list[Row]) -> str:
    """Return the SELECT of a table of the vocabulary. The types of the first row are those of all."""
    columns = _columns(table)
    first, *others = rows
    lines = [_type_values(first, list(columns.values())), *map(_row, others)]
    names = ", ".join(columns)
    return f"SELECT {names}\nFROM (\n    VALUES\n    " + ",\n    ".join(lines) + f"\n) AS T ({names})"


def _columns(table: str) -> dict[str, str]:
    """Return the type of each column of a kept table by its name."""
    return {name: kind for name, kind, *_ in COLUMN.findall(kept_tables()[table])}


def _slices(rows: list[Row]) -> Iterator[list[Row]]:
    for first in range(0, len(rows), ROWS_A_STATEMENT):
        yield rows[first : first + ROWS_A_STATEMENT]


def finish_load(loaded: Loaded) -> Statement:
    """Return the statement that ends the installation: it lists what the server refused, and writes the version."""
    counts = ",\n                ".join(
        f"({literal(table)}, {len(rows)}, (SELECT COUNT(*) FROM TUNE.{table}))"
        for table, rows in sorted(loaded.items())
    )
    core = ", ".join(literal(name) for name in sorted(CORE))
    return replace(
        fill_statement(
            "schema", "complete", version=literal(__version__), counts=counts, core=core, procedures=str(len(CORE))
        ),
        is_core=True,
    )


def _row(row: Row) -> str:
    return "(" + ", ".join(literal(value) for value in row) + ")"


def _type_values(row: Row, types: list[str]) -> str:
    return "(" + ", ".join(f"CAST({literal(value)} AS {kind})" for value, kind in zip(row, types, strict=True)) + ")"


def set_options(rows: list[Row]) -> Iterator[Statement]:
    """Set new defaults, keep the site's values, and delete options of removed rules."""
    types = list(_columns("OPTION").values())
    for values in _slices(rows):
        first, *others = values
        lines = [_type_values(first, types), *(_row(row) for row in others)]
        yield fill_statement("upgrade", "options", rows=",\n        ".join(lines))
    yield Statement("DELETE FROM TUNE.OPTION WHERE RULE <> 'site' AND RULE NOT IN (SELECT RULE FROM TUNE.RULE)")


def declare_columns(tables: dict[str, str], loaded: Loaded) -> str:
    """Return a row per column that an upgrade keeps.

    It contains table, name, type, length of a text, nullable, reloaded, and position in the primary key.
    """
    rows: list[Row] = [
        (table, name, kind, int(length or 0), int(not required), int(table in loaded), _places(columns).get(name, 0))
        for table, columns in tables.items()
        for name, kind, length, required in COLUMN.findall(columns)
    ]
    return ",\n                ".join(_row(row) for row in rows)


_KEY = re.compile(r"^ +PRIMARY KEY \((?P<names>[^)]+)\)$", re.MULTILINE)


def _places(columns: str) -> dict[str, int]:
    """Return the position of each column in the primary key."""
    key = _KEY.search(columns)
    return {name: place for place, name in enumerate(key["names"].split(", "), 1)} if key else {}
