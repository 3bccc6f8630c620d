"""The statements that install schema TUNE, in order, made from the files of sql/ and procedures/.

``db2tune install`` runs the list, and ``tune-install.sql`` contains it for the Db2 command line processor. The list
can run again. It creates missing tables, sequences, variables and columns, and replaces views, procedures and the data
of rules and sources. The site's options, accepted risks and history remain. Site rules are installed like those of the
product, and site rules that are no longer given are disabled.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

from advisor import __version__
from advisor.catalogue.options import option_rows, option_views
from advisor.catalogue.reliance import find_required_views
from advisor.catalogue.rows import Row, rule_rows, rule_text_rows
from advisor.catalogue.rules import Rule, all_rules
from advisor.catalogue.sources import all_sources, read_sources
from advisor.catalogue.sqltext import references, remove_comments
from advisor.catalogue.tables import FINDING_COLUMNS, PER_RUN, kept_tables
from advisor.catalogue.views import CHOICE, advice_views, candidate_views, model_views, next_choice, rank_views
from advisor.headers.settings import setting_text_view
from advisor.install.columns import view_columns
from advisor.quoting import CONTROLS, literal, quoted
from advisor.resources import PROCEDURES, SQL

# Views whose rows are kept for every run; of the others, only those of the last run.
KEPT = {
    *(
        "ADVICE",
        "CLAIM",
        "COMMAND",
        "DATABASE_TIME",
        "METRIC",
        "PLAN",
        "QUESTION",
        "RUN_WINDOW",
        "SUMMARY",
        "TIME_BUCKET",
        "TIME_SPENT",
        "TOP_STATEMENT",
        "SILENCE",
    ),
    "WORKLOAD_CLASS",
}
RUN_RESULTS = ("FINDING", "NOT_RUN", "CHOSEN")  # tables that a run fills row by row
ROWS_A_STATEMENT = 50
_COLUMN = re.compile(r"^ +(?P<name>\w+) (?P<type>\w+(?:\((?P<length>\d+)\))?)(?P<required> NOT NULL)?,?$", re.MULTILINE)
_KEY = re.compile(r"^ +PRIMARY KEY \((?P<names>[^)]+)\)$", re.MULTILINE)

INSTALL_TITLE = (
    "Schema TUNE: tuning advice inside the database. After CONNECT: db2 +c -s -td@ -vf tune-install.sql; db2 rollback"
)
UNINSTALL_TITLE = (
    "Removes schema TUNE and its history. After CONNECT: db2 +c -s -td@ -vf tune-uninstall.sql; db2 rollback"
)

Loaded = dict[str, list[Row]]  # the rows per table that is reloaded

_SYSTEM_PATH = "SET PATH = SYSTEM PATH"  # built-in functions take precedence over the installer's own
_OPTIONS_RUN = "CALL SYSPROC.SET_ROUTINE_OPTS('DYNAMICRULES RUN')"  # required for DDL in SQL PL (SQL0549N)
_OPTIONS_AGAIN = "CALL SYSPROC.SET_ROUTINE_OPTS(CAST(NULL AS VARCHAR(1)))"
_DUPLICATE_OBJECT, _UNDEFINED = "42710", "42704"
_NOT_ALLOWED = "42501"  # if the catalog hides grants from the installer
_FOR_TABLES = "DATATYPE IN ('A', 'L') AND TBSPACE NOT IN ('SYSCATSPACE', 'SYSTOOLSPACE')"


@dataclass(frozen=True)
class Statement:
    """One statement. ``rule`` is the rule whose view it creates; its failure does not stop the installation.

    ``file`` contains the statement. It is None for statements generated for an object with its own file.
    """

    text: str
    rule: str | None = None
    file: Path | None = None


# For the script: if CREATE SCHEMA fails, a later CREATE TABLE would implicitly create the schema for PUBLIC.
STOP_ON_ERROR = Statement("UPDATE COMMAND OPTIONS USING S ON")


def install_statements(tablespace: str | None = None, own: Sequence[Rule] = ()) -> list[Statement]:
    """Return the whole installation, with the site's ``own`` rules.

    ``tablespace`` replaces the user's default table space for tables.
    """
    rules = [*all_rules().values(), *own]
    loaded = _load_rows(rules)
    place = ("" if tablespace is None else f" IN {quoted(tablespace)}") + " ORGANIZE BY ROW"
    return [
        Statement(_SYSTEM_PATH),
        Statement(_OPTIONS_RUN),
        _fill_statement("pages", where=f"TBSPACE = {literal(tablespace)}" if tablespace else _FOR_TABLES),
        _fill_statement("schema"),
        _fill_statement("owned", others=_file(SQL / "doctor" / "owner.sql")),
        _fill_statement("string_units", value="SYSTEM"),
        _create(f"CREATE TABLE TUNE.GRANTED (GRANT_TEXT VARCHAR(900) NOT NULL){place}"),
        _guard(_NOT_ALLOWED, _fill_statement("grants").text),
        _fill_statement("old_tables", rows=_declare_columns(loaded)),
        *_tables(place),
        _fill_statement("kept_columns", rows=_declare_columns(loaded)),
        *_loads(loaded),
        *_options([row for _, row in option_rows(rules, {})]),
        _fill_statement("snapshot_columns"),
        *_views(place, rules),
        *_procedures(),
        *_comments(rules),
        _fill_statement("granted"),
        Statement("DROP TABLE TUNE.GRANTED"),
        Statement(_OPTIONS_AGAIN),
        _finish_load(loaded),
        Statement(
            "INSERT INTO TUNE.VERSION (VERSION, INSTALLED_AT, INSTALLED_BY)"
            f" VALUES ({literal(__version__)}, CURRENT TIMESTAMP, SESSION_USER)"
        ),
    ]


def uninstall_statements() -> list[Statement]:
    """Return statements that drop everything in schema TUNE, including site rules, and then the schema."""
    return [
        Statement(_SYSTEM_PATH),
        Statement(_OPTIONS_RUN),
        *(_read_statement(path) for path in sorted((PROCEDURES / "uninstall").glob("*.sql"))),
        Statement(_OPTIONS_AGAIN),
    ]


def script(statements: Iterable[Statement], title: str, end: str = "COMMIT") -> str:
    """Return the statements for ``db2 +c -s -td@ -vf FILE``, each terminated by @, with ``end`` as the last one."""
    texts = [*(statement.text for statement in statements), end]
    return f"-- {title}\n" + "".join(f"{text}\n@\n" for text in texts)


def _guard(state: str, statement: str) -> Statement:
    return replace(_fill_statement("guarded", state=state, statement=literal(statement)), file=None)


def _create(statement: str) -> Statement:
    return _guard(_DUPLICATE_OBJECT, statement)


def _tables(place: str) -> Iterator[Statement]:
    for sequence in ("SNAPSHOT_NO", "RUN_NO"):
        yield _create(f"CREATE SEQUENCE TUNE.{sequence} AS INTEGER START WITH 1 NO CACHE ORDER")
    yield _create("CREATE VARIABLE TUNE.THIS_RUN INTEGER")
    for name, columns in kept_tables().items():
        yield _create(f"CREATE TABLE TUNE.{name} (\n{columns}\n){place}")
    for source in all_sources().values():
        columns = ", ".join(f"{column.name} {column.type}" for column in source.columns)
        yield from _create_indexed_table(
            f"S_{source.name.upper()}", "SNAP_ID", f"(SNAP_ID INTEGER NOT NULL, {columns})", place
        )
    for name in RUN_RESULTS:
        yield from _create_indexed_table(
            f"M_{name}", "RUN_ID", f"(RUN_ID INTEGER NOT NULL, {_result_columns(name)})", place
        )


def _declare_columns(loaded: Loaded) -> str:
    """Return a row per column that an upgrade keeps.

    It contains table, name, type, length of a text, nullable, reloaded, and position in the primary key.
    """
    tables = kept_tables() | {f"M_{name}": _lines(_result_columns(name)) for name in RUN_RESULTS}
    rows: list[Row] = [
        (table, name, kind, int(length or 0), int(not required), int(table in loaded), _places(columns).get(name, 0))
        for table, columns in tables.items()
        for name, kind, length, required in _COLUMN.findall(columns)
    ]
    return ",\n                ".join(_row(row) for row in rows)


def _places(columns: str) -> dict[str, int]:
    """Return the position of each column in the primary key."""
    key = _KEY.search(columns)
    return {name: place for place, name in enumerate(key["names"].split(", "), 1)} if key else {}


def _result_columns(name: str) -> str:
    """Return the columns of a table that a run fills row by row. Texts that can exceed a page are CLOBs."""
    return re.sub(r"_TEXT VARCHAR\(", "_TEXT CLOB(", PER_RUN[name])


def _lines(columns: str) -> str:
    return "\n".join(f"    {column}" for column in columns.split(", "))


def _create_indexed_table(table: str, key: str, columns: str, place: str) -> Iterator[Statement]:
    """Yield a volatile table with an index on snapshot or run, which Db2 uses regardless of statistics."""
    yield _create(f"CREATE TABLE TUNE.{table} {columns}{place}")
    yield from _create_index(table, key)


def _create_index(table: str, key: str) -> Iterator[Statement]:
    yield _create(f"CREATE INDEX TUNE.X_{table} ON TUNE.{table} ({key})")
    yield Statement(f"ALTER TABLE TUNE.{table} VOLATILE CARDINALITY")


def _load_rows(rules: list[Rule]) -> Loaded:
    """Return the rows per table that is reloaded."""
    rows_of: dict[str, list[Row]] = {"COLLECT": [], "COLLECT_COLUMN": [], "MODEL_STEP": list(_steps())}
    for source in read_sources().values():
        texts = (remove_comments(text) or " " for text in (source.head, source.tail))  # '' is NULL with varchar2_compat
        rows_of["COLLECT"].append((source.name, source.db2_object, *texts))
        rows_of["COLLECT_COLUMN"] += [
            (source.name, number, column.name, column.expression, column.kind, column.type)
            for number, column in enumerate(source.columns, 1)
        ]
    for table, row in (*rule_rows(rules), *rule_text_rows(rules)):
        rows_of.setdefault(table, []).append(row)
    rows_of["RULE_VIEW"] = [
        (rule.name, name) for rule in rules for name in find_required_views(rule) if _is_materialised(name)
    ]
    return rows_of


def _loads(loaded: Loaded) -> Iterator[Statement]:
    for table, values in loaded.items():
        names = ", ".join(name for name, *_ in _COLUMN.findall(kept_tables()[table]))
        yield Statement(f"DELETE FROM TUNE.{table}")
        for first in range(0, len(values), ROWS_A_STATEMENT):
            lines = ",\n    ".join(_row(row) for row in values[first : first + ROWS_A_STATEMENT])
            yield Statement(f"INSERT INTO TUNE.{table} ({names}) VALUES\n    {lines}")


def _finish_load(loaded: Loaded) -> Statement:
    return _fill_statement(
        "complete",
        rules=str(len(loaded["RULE"])),
        columns=str(len(loaded["COLLECT_COLUMN"])),
        steps=str(len(loaded["MODEL_STEP"])),
        procedures=str(len(list(PROCEDURES.glob("*.sql")))),
    )


def _row(row: Row) -> str:
    return "(" + ", ".join(literal(value) for value in row) + ")"


def _type_values(row: Row, types: list[str]) -> str:
    return "(" + ", ".join(f"CAST({literal(value)} AS {kind})" for value, kind in zip(row, types, strict=True)) + ")"


def _options(rows: list[Row]) -> Iterator[Statement]:
    """Set new defaults, keep the site's values, and delete options of removed rules."""
    types = re.findall(r"^ +\w+ (\w+\(\d+\))", kept_tables()["OPTION"], re.MULTILINE)
    for first in range(0, len(rows), ROWS_A_STATEMENT):
        yield _fill_statement(
            "options",
            rows=",\n        ".join(_type_values(row, types) for row in rows[first : first + ROWS_A_STATEMENT]),
        )
    yield Statement("DELETE FROM TUNE.OPTION WHERE RULE <> 'site' AND RULE NOT IN (SELECT RULE FROM TUNE.RULE)")


def _steps() -> Iterator[Row]:
    number = 0
    for kind, views in (("model", model_views()), ("rank", candidate_views()), ("list", advice_views())):
        for name in views:
            if _is_materialised(name):
                number += 1
                yield number, kind, name, int(name in KEPT), ", ".join(view_columns()[name])


def _is_materialised(name: str) -> bool:
    """Return whether a view gets a table.

    Deltas do not: joining two snapshots again is cheaper than writing all. Nor does a view with the texts of steps,
    whose rows would not fit a page of 8 KB.
    """
    return not name.startswith(("D_", "L_")) and name != "STEP_WAY"


def _views(place: str, rules: list[Rule]) -> Iterator[Statement]:
    """Yield every view after the views that it reads.

    A computed view has three objects: C_X computes it, M_X contains the rows of all runs, and X the rows of the
    session's run. All other objects read X.
    """
    finding = {rule.view.removeprefix("TUNE."): rule for rule in rules}
    ascii_controls = "".join(filter(str.isascii, CONTROLS))  # a script for any code page contains no others
    computed = model_views() | rank_views() | {"SETTING_TEXT": setting_text_view(ascii_controls)}
    texts = {**computed, CHOICE: next_choice()}
    texts |= {path.stem.upper(): path.read_text(encoding="utf-8") for path in (SQL / "run").glob("*.sql")}
    texts |= {name.removeprefix("TUNE."): select for name, select in option_views(rules)}
    texts |= {name: rule.statement for name, rule in finding.items()}
    texts |= {name: _restrict_to_run(name, columns) for name, columns in _read_view_columns().items()}
    for name in _sort_views(texts):
        if name in finding:
            yield _view(name, texts[name], list(FINDING_COLUMNS), finding[name].name)
        elif name in computed and _is_materialised(name):
            yield _view(f"C_{name}", texts[name], view_columns()[name])
            yield from _create_computed_table(name, place)
            yield _view(name, _restrict_to_run(name, view_columns()[name]))
        else:
            yield _view(name, texts[name])


def _read_view_columns() -> dict[str, list[str]]:
    return {name: [part.split()[0] for part in PER_RUN[name].split(", ")] for name in RUN_RESULTS}


def _sort_views(texts: dict[str, str]) -> list[str]:
    graph = {}
    for name, text in sorted(texts.items()):
        read = {read.removeprefix("M_") for read in references(text)}
        graph[name] = sorted((read & texts.keys()) - {name})
    return list(TopologicalSorter(graph).static_order())


def _view(name: str, text: str, columns: list[str] | None = None, rule: str | None = None) -> Statement:
    """Return a view. Name the columns of a union: Db2 keeps only names that all branches share."""
    names = f" ({', '.join(columns)})" if columns else ""
    return Statement(f"CREATE OR REPLACE VIEW TUNE.{name}{names} AS\n{remove_comments(text)}", rule)


def _restrict_to_run(name: str, columns: list[str]) -> str:
    return (
        f"SELECT {', '.join(columns)}\nFROM TUNE.M_{name}\n"
        "WHERE RUN_ID = COALESCE(TUNE.THIS_RUN, (SELECT MAX(R.RUN_ID) FROM TUNE.RUN AS R))"
    )


def _create_computed_table(name: str, place: str) -> Iterator[Statement]:
    """Yield the table of a computed view. Recreate tables that are not kept, to update their columns."""
    create = (
        f"CREATE TABLE TUNE.M_{name} AS (SELECT CAST(0 AS INTEGER) AS RUN_ID, X.* FROM TUNE.C_{name} AS X)"
        f" DEFINITION ONLY{place}"
    )
    if name in KEPT:
        yield _create(create)
        yield _fill_statement("computed_columns", view=name)
    else:
        yield _guard(_UNDEFINED, f"DROP TABLE TUNE.M_{name}")
        yield Statement(create)
    yield from _create_index(f"M_{name}", "RUN_ID")


def _procedures() -> Iterator[Statement]:
    """Yield procedures after those that they call. Their dynamic statements run with the installer's privileges."""
    files = {path.stem.upper(): path for path in PROCEDURES.glob("*.sql")}
    texts = {name: _file(path) for name, path in files.items()}
    graph = {name: sorted(set(re.findall(r"CALL TUNE\.(\w+)", text)) & texts.keys()) for name, text in texts.items()}
    yield Statement("CALL SYSPROC.SET_ROUTINE_OPTS('DYNAMICRULES BIND')")
    for name in TopologicalSorter(dict(sorted(graph.items()))).static_order():
        yield _read_statement(files[name])
    yield Statement(_OPTIONS_RUN)
    counts = ",\n                ".join(f"({literal(name)}, {_parameters(text)})" for name, text in texts.items())
    yield _fill_statement("old_routines", rows=counts)


def _parameters(text: str) -> int:
    """Return the number of a procedure's parameters."""
    return len(re.findall(r"\b(?:IN|OUT|INOUT) P_\w+ ", text[: text.index("LANGUAGE SQL")]))


def _comments(rules: list[Rule]) -> Iterator[Statement]:
    for rule in rules:
        text = literal(f"{rule.name}: {rule.title}"[:254])
        yield Statement(f"COMMENT ON TABLE {rule.view} IS {text}", rule.name)
    for path in sorted((SQL / "schema").glob("*.sql")):
        yield Statement(f"COMMENT ON TABLE TUNE.{path.stem.upper()} IS {literal(_read_first_sentence(path)[:254])}")


def _read_first_sentence(path: Path) -> str:
    lines = [line[3:] for line in path.read_text(encoding="utf-8").splitlines() if line.startswith("-- ")]
    return re.split(r"(?<=\.) ", " ".join(lines))[0]


def _fill_statement(name: str, **filled: str) -> Statement:
    """Return the statement of a file in sql/install/ with its ``{placeholders}`` filled."""
    path = SQL / "install" / f"{name}.sql"
    return Statement(_file(path).format(**filled), file=path)


def _read_statement(path: Path) -> Statement:
    return Statement(_file(path), file=path)


@cache
def _file(path: Path) -> str:
    """Return a statement without comments, some of which the command line processor would treat as code."""
    return remove_comments(path.read_text(encoding="utf-8"))
