"""The statements that install schema TUNE, in order, made from the files of sql/ and procedures/.

``db2tune install`` runs the list, and ``tune-install.sql`` contains it for the Db2 command line processor. It consists of
units of work, each with few locks on the catalog. The list can run again, also after an interruption. It creates missing
tables, sequences, variables and columns, and replaces views, procedures and the data of rules and sources. The site's
options, accepted risks and history remain. Site rules are installed like those of the product, and site rules that are
no longer given are disabled.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from graphlib import TopologicalSorter

from advisor.catalogue.options import option_rows
from advisor.catalogue.rules import Rule, all_rules
from advisor.catalogue.settings import setting_views
from advisor.catalogue.sources import all_sources
from advisor.catalogue.sqltext import references, remove_comments, remove_indents, statement_of
from advisor.catalogue.tables import PER_RUN, kept_tables, table_texts
from advisor.catalogue.views import CHOICE, model_views, next_choice, rank_views, run_views
from advisor.install import compiled
from advisor.install.compiled import view_columns
from advisor.install.loading import (
    KEPT,
    STEPS,
    VOCABULARY,
    declare_columns,
    finish_load,
    is_stored,
    load,
    load_rows,
    set_options,
    vocabulary_view,
)
from advisor.install.space import create_spaces
from advisor.install.statement import (
    COMMIT,
    UNDEFINED,
    Statement,
    core,
    create,
    fill_statement,
    guard,
    read_section,
    read_statement,
)
from advisor.quoting import CONTROLS, literal, quoted
from advisor.resources import PROCEDURES

GRANTED_AGAIN = "SELECT GRANT_TEXT FROM TUNE.PRIVILEGE WHERE IS_LOST = 1 ORDER BY GRANT_TEXT"
RUN_RESULTS = ("FINDING", "NOT_RUN", "CHOSEN")  # tables that a run fills row by row
# The tables without which TUNE.ADVISE cannot return a list; compiled.CORE has the procedures.
CORE = {
    *("COLLECT", "COLLECT_COLUMN", "COLUMN_ABSENT", "ERROR", "MISSING", "MODEL_STEP", "OPTION", "RULE", "RULE_NEED"),
    *("RULE_TEXT", "RULE_VIEW", "RUN", "SNAPSHOT", "SNAPSHOT_SOURCE", "VERSION", "M_FINDING", "M_NOT_RUN"),
}
CORE_VIEW = "OMITTED_COLUMN"  # the columns that a site keeps to itself
UNIT = 20  # statements of one unit of work, which lock up to 100 rows of the catalog each
FIRST = "VERSION"  # the table that shows that db2tune owns the schema

INSTALL_TITLE = "Schema TUNE: tuning advice inside the database. After CONNECT: db2 +c -s -td@ -vf tune-install.sql"
UNINSTALL_TITLE = (
    "Removes schema TUNE and its history. After CONNECT: db2 +c -s -td@ -vf tune-uninstall.sql; db2 rollback"
)

_VIEW = re.compile(r"\ACREATE OR REPLACE VIEW TUNE\.(\w+)")
_FOR_CLIENTS = {"STATEMENT_CLASS"}  # a view that advisor/verify reads
_SYSTEM_PATH = "SET PATH = SYSTEM PATH"  # built-in functions take precedence over the installer's own
_OPTIONS_AGAIN = "CALL SYSPROC.SET_ROUTINE_OPTS(CAST(NULL AS VARCHAR(1)))"
_NOT_ALLOWED = "42501"
_FOR_TABLES = "DATATYPE IN ('A', 'L') AND TBSPACE NOT IN ('SYSCATSPACE', 'SYSTOOLSPACE')"

# For the script: if CREATE SCHEMA fails, a later CREATE TABLE would implicitly create the schema for PUBLIC.
STOP_ON_ERROR = Statement("UPDATE COMMAND OPTIONS USING S ON", is_core=True)
GO_ON = Statement("UPDATE COMMAND OPTIONS USING S OFF")
NOT_COMPILED = Statement("SELECT NAME AS NOT_COMPILED FROM TUNE.MISSING WHERE RUN_ID = 0 AND KIND = 'rule'")


def install_statements(
    tablespace: str | None = None, own: Sequence[Rule] = (), creates: bool = False
) -> list[Statement]:
    """Return the whole installation, with the site's ``own`` rules.

    ``tablespace`` replaces the user's default table space for tables; with ``creates`` it is created if it is missing.
    """
    rules = [*all_rules().values(), *own]
    loaded = load_rows(rules)
    place = ("" if tablespace is None else f" IN {quoted(tablespace)}") + " ORGANIZE BY ROW"
    tables = {name: columns for name, columns in kept_tables().items() if name not in VOCABULARY}
    results = {f"M_{name}": _lines(_result_columns(name)) for name in RUN_RESULTS}
    declared = declare_columns(tables | results, loaded)
    vocabulary = {name: vocabulary_view(name, loaded.pop(name)) for name in sorted(VOCABULARY)}
    steps = [str(row[-1]) for row in loaded[STEPS]]
    views = list(_views(place, rules, vocabulary))
    lost = _guard_grants("lost")
    return [
        core(Statement(_SYSTEM_PATH)),
        core(compiled.RUN),
        *(create_spaces(tablespace) if tablespace and creates else ()),
        core(
            fill_statement("schema", "schema", where=f"TBSPACE = {literal(tablespace)}" if tablespace else _FOR_TABLES)
        ),
        core(fill_statement("schema", "owned", others=statement_of("doctor/queries", "owner"))),
        fill_statement("schema", "string_units", value="SYSTEM"),
        create(f"CREATE TABLE TUNE.PRIVILEGE (GRANT_TEXT VARCHAR(900) NOT NULL, IS_LOST SMALLINT NOT NULL){place}"),
        Statement("DELETE FROM TUNE.PRIVILEGE WHERE IS_LOST = 0"),
        _guard_grants("held"),
        guard(UNDEFINED, f"DELETE FROM TUNE.{STEPS}"),
        fill_statement("upgrade", "old_tables", rows=declared),
        fill_statement(
            "upgrade",
            "old_objects",
            tables=_literals(f"M_{name}" for name in (*steps, *RUN_RESULTS)),
            views=_literals(name for view in views for name in _VIEW.findall(view.text)),
            gone=_literals([*vocabulary, "GRANTED"]),
        ),
        lost,
        *_split_units(_tables(tables, place)),
        Statement("DELETE FROM TUNE.MISSING WHERE RUN_ID = 0"),
        fill_statement("upgrade", "kept_columns", rows=declared),
        *_split_units(load(loaded, [name for name in loaded if name != STEPS])),
        *_split_units(set_options([row for _, row in option_rows(rules, {})])),
        fill_statement("upgrade", "snapshot_columns"),
        read_section("upgrade", "old_steps"),
        lost,
        COMMIT,
        *_split_units(views, lost),
        core(compiled.BIND),
        *_split_units(compiled.compute_view(name, name in KEPT) for name in steps),
        *_split_units(map(compiled.find_rule, rules)),
        *list(_split_units(compiled.procedures(compiled.purge_rows(steps, RUN_RESULTS))))[:-1],
        lost,  # not before: until the last procedures, dynamic statements have the rights of BIND
        COMMIT,
        *_split_units(_comments()),
        fill_statement("upgrade", "granted"),
        Statement("DROP TABLE TUNE.PRIVILEGE"),
        Statement(_OPTIONS_AGAIN),
        *load(loaded, [STEPS]),
        finish_load(loaded),
        COMMIT,
    ]


def uninstall_statements() -> list[Statement]:
    """Return statements that drop everything in schema TUNE, including site rules, and then the schema."""
    parts = [read_statement(path) for path in sorted((PROCEDURES / "uninstall").glob("*.sql"))]
    return [*map(core, [Statement(_SYSTEM_PATH), compiled.RUN, *parts, Statement(_OPTIONS_AGAIN)]), COMMIT]


def script(statements: Iterable[Statement], title: str) -> str:
    """Return the statements for ``db2 +c -s -td@ -vf FILE``, each terminated by @.

    The script goes on after a statement that fails, unless it is of the core.
    """
    texts = []
    goes_on = False
    for statement in statements:
        if statement != COMMIT and goes_on == statement.is_core:
            goes_on = not goes_on
            texts.append((GO_ON if goes_on else STOP_ON_ERROR).text)
        texts.append(statement.text)
    return f"-- {title}\n" + "".join(f"{text}\n@\n" for text in texts)


def _guard_grants(section: str) -> Statement:
    """Return a statement about the owner's grants, which some catalogs hide from the installer."""
    grants = statement_of("install/upgrade", "grants")
    return guard(_NOT_ALLOWED, fill_statement("upgrade", section, grants=grants).text)


def _split_units(statements: Iterable[Statement], *last: Statement) -> Iterator[Statement]:
    """Yield statements, and after each unit of work the ``last`` ones and a COMMIT."""
    number = 0
    for number, statement in enumerate(statements, 1):
        yield statement
        if number % UNIT == 0:
            yield from (*last, COMMIT)
    if number % UNIT:
        yield from (*last, COMMIT)


def _literals(names: Iterable[str]) -> str:
    return ",\n".join(map(literal, names))


def _tables(tables: dict[str, str], place: str) -> Iterator[Statement]:
    for sequence in ("SNAPSHOT_NO", "RUN_NO"):
        yield core(create(f"CREATE SEQUENCE TUNE.{sequence} AS INTEGER START WITH 1 NO CACHE ORDER"))
    yield core(create("CREATE VARIABLE TUNE.THIS_RUN INTEGER"))
    for name in sorted(tables, key=lambda name: name != FIRST):
        yield replace(create(f"CREATE TABLE TUNE.{name} (\n{tables[name]}\n){place}"), is_core=name in CORE)
    for source in all_sources().values():
        columns = ", ".join(f"{column.name} {column.type}" for column in source.columns)
        table = source.table.removeprefix("TUNE.")
        yield create(f"CREATE TABLE {source.table} (SNAP_ID INTEGER NOT NULL, {columns}){place}")
        if not set(source.names("key")) <= {"MEMBER"}:  # a row per member needs no index
            yield from _create_index(table, "SNAP_ID")
    for name in RUN_RESULTS:
        made = create(f"CREATE TABLE TUNE.M_{name} (RUN_ID INTEGER NOT NULL, {_result_columns(name)}){place}")
        yield replace(made, is_core=f"M_{name}" in CORE)
        yield from _create_index(f"M_{name}", "RUN_ID")


def _result_columns(name: str) -> str:
    """Return the columns of a table that a run fills row by row. Texts that can exceed a page are CLOBs."""
    return re.sub(r"_TEXT VARCHAR\(", "_TEXT CLOB(", PER_RUN[name])


def _lines(columns: str) -> str:
    return "\n".join(f"    {column}" for column in columns.split(", "))


def _create_index(table: str, key: str) -> Iterator[Statement]:
    """Yield an index on snapshot or run and the statement that makes Db2 use it, whatever the statistics are."""
    yield create(f"CREATE INDEX TUNE.X_{table} ON TUNE.{table} ({key})")
    yield Statement(f"ALTER TABLE TUNE.{table} VOLATILE CARDINALITY")


def _views(place: str, rules: list[Rule], vocabulary: dict[str, str]) -> Iterator[Statement]:
    """Yield every view after the views that it reads, and the tables of computed views.

    A model or ranking view that nothing reads is left out.
    """
    # A script for any code page contains no others, and CHR(0) is a blank on Db2.
    ascii_controls = "".join(filter(str.isascii, CONTROLS)).removeprefix("\0")
    computed = model_views() | rank_views() | setting_views(ascii_controls)
    texts = {**computed, CHOICE: next_choice()}
    texts |= run_views() | vocabulary
    texts |= {name: _restrict_to_run(name, columns) for name, columns in _read_view_columns().items()}
    texts["NOT_RUN"] += " AND REASON IS NOT NULL"  # other rules do not apply
    reading = frozenset[str]().union(*map(references, (*texts.values(), *(rule.select for rule in rules))))
    called = re.findall(
        r"\bTUNE\.(\w+)", "".join(path.read_text(encoding="utf-8") for path in PROCEDURES.glob("*.sql"))
    )
    read = {name.removeprefix("M_") for name in (*reading, *called)} | _FOR_CLIENTS
    for name in _sort_views({name: text for name, text in texts.items() if name not in computed or name in read}):
        if name in computed and is_stored(name):
            yield _view(f"C_{name}", texts[name], view_columns()[name])
            yield from _create_computed_table(name, place)
            yield _view(name, _restrict_to_run(name, view_columns()[name]))
        else:
            yield replace(_view(name, texts[name], view_columns().get(name)), is_core=name == CORE_VIEW)


def _read_view_columns() -> dict[str, list[str]]:
    return {name: [part.split()[0] for part in PER_RUN[name].split(", ")] for name in RUN_RESULTS}


def _sort_views(texts: dict[str, str]) -> list[str]:
    graph = {}
    for name, text in sorted(texts.items()):
        read = {read.removeprefix("M_") for read in references(text)}
        graph[name] = sorted((read & texts.keys()) - {name})
    return list(TopologicalSorter(graph).static_order())


def _view(name: str, text: str, columns: list[str] | None = None) -> Statement:
    """Return a view. Name the columns of a union: Db2 keeps only names that all branches share."""
    names = f" ({', '.join(columns)})" if columns else ""
    return Statement(f"CREATE OR REPLACE VIEW TUNE.{name}{names} AS\n{remove_indents(remove_comments(text))}")


def _restrict_to_run(name: str, columns: list[str]) -> str:
    return (
        f"SELECT {', '.join(columns)}\nFROM TUNE.M_{name}\n"
        "WHERE RUN_ID = COALESCE(TUNE.THIS_RUN, (SELECT MAX(R.RUN_ID) FROM TUNE.RUN AS R))"
    )


def _create_computed_table(name: str, place: str) -> Iterator[Statement]:
    """Yield the table of a computed view. Recreate tables that are not kept, to update their columns."""
    made = (
        f"CREATE TABLE TUNE.M_{name} AS (SELECT CAST(0 AS INTEGER) AS RUN_ID, X.* FROM TUNE.C_{name} AS X)"
        f" WITH NO DATA{place}"
    )
    if name in KEPT:
        yield create(made)
        yield fill_statement("upgrade", "computed_columns", view=name, place=place.replace("'", "''"))
    else:
        yield guard(UNDEFINED, f"DROP TABLE TUNE.M_{name}")
        yield Statement(made)
    yield from _create_index(f"M_{name}", "RUN_ID")


def _comments() -> Iterator[Statement]:
    for name, text in sorted(table_texts().items()):
        yield Statement(f"COMMENT ON TABLE TUNE.{name.upper()} IS {literal(_first_sentence(text)[:254])}")


def _first_sentence(text: str) -> str:
    lines = [line[3:] for line in text.splitlines() if line.startswith("-- ")]
    return re.split(r"(?<=\.) ", " ".join(lines))[0]
