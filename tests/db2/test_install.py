"""The statements that install schema TUNE: complete, in order, equal to their files, and readable by the plain CLP."""

import re
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest
import sqlglot

from advisor.catalogue.rules import all_rules
from advisor.catalogue.sources import all_sources
from advisor.catalogue.sqltext import code, references, remove_comments, statement_of
from advisor.catalogue.tables import FINDING_COLUMNS, kept_tables
from advisor.catalogue.views import model_views, rank_views, run_views
from advisor.doctor.installing import INSTALL_LOG_MB
from advisor.install.compiled import view_columns
from advisor.install.loading import VOCABULARY, is_stored
from advisor.install.origins import find_created_object
from advisor.install.space import EXTENT_SIZE, count_objects, estimate_log
from advisor.install.statement import COMMIT, Statement
from advisor.install.statements import INSTALL_TITLE, UNIT, install_statements, script, uninstall_statements
from advisor.quoting import literal, quoted
from advisor.resources import PROCEDURES, SQL
from tests.standin.pl import tree
from tests.standin.pl.parser import parse_procedure, parse_statement
from tests.support.installing import installing
from tests.support.paths import ROOT

STATEMENTS = installing()
TEXTS = [statement.text for statement in STATEMENTS]
PAGE = " ".join((ROOT / "docs" / "in-the-database.md").read_text(encoding="utf-8").split())
MB = 1024**2
PROCEDURE_FILES = sorted(PROCEDURES.rglob("*.sql"))


def _created(kind: str) -> list[str]:
    """Return the names of created objects, in the order of the statements."""
    return re.findall(rf"CREATE (?:OR REPLACE )?{kind} TUNE\.(\w+)", "\n".join(TEXTS))


def test_every_file_is_installed() -> None:
    assert kept_tables().keys() - VOCABULARY <= set(_created("TABLE"))
    assert {f"S_{name.upper()}" for name in all_sources()} <= set(_created("TABLE"))
    assert run_views().keys() | VOCABULARY <= set(_created("VIEW"))
    of_rules = {rule.procedure.removeprefix("TUNE.") for rule in all_rules().values()}
    of_views = {name for name in _created("VIEW") if name.startswith("C_")}
    of_files = {path.stem.upper() for path in PROCEDURES.glob("*.sql")}
    generated = {"PURGE_ROWS", "STEP", "READ_SOURCE"}
    assert set(_created("PROCEDURE")) == of_rules | of_views | of_files | generated


@pytest.mark.parametrize("name", [name for name in model_views() | rank_views() if is_stored(name)])
def test_computed_view_has_a_table_and_a_view_of_this_run(name: str) -> None:
    views = _created("VIEW")
    assert views.index(f"C_{name}") < views.index(name)
    assert f"M_{name}" in _created("TABLE")


def test_no_statement_is_large_with_the_views_that_it_reads() -> None:
    """Db2 merges a view into the statement that reads it (SQL0101N); rows of a computed view are in a table."""
    views = {name: text for text in TEXTS for name in re.findall(r"\ACREATE OR REPLACE VIEW TUNE\.(\w+)", text)}

    @cache
    def tokens(text: str) -> int:
        body = text.partition("\n")[2]
        read = [views[name] for name in re.findall(r"\bTUNE\.(\w+)", body) if name in views]
        return len(re.findall(r"'[^']*'|\w+|[^\w\s]", body)) + sum(map(tokens, read))

    sizes = {text.partition("\n")[0]: tokens(text) for text in TEXTS if text.startswith("CREATE OR REPLACE ")}
    assert {name: size for name, size in sizes.items() if size > 16_000} == {}


def test_nothing_is_created_before_what_it_reads() -> None:
    views = _created("VIEW")
    place = {name: number for number, name in enumerate(views)}
    early = []
    for text in TEXTS:
        if made := re.match(r"CREATE OR REPLACE VIEW TUNE\.(\w+)", text):
            read = references(text) & place.keys()
            early += [f"{made[1]} reads {name}" for name in read if place[name] > place[made[1]]]
    assert early == []


def test_procedures_come_after_those_that_they_call() -> None:
    order = _created("PROCEDURE")
    for path in PROCEDURES.glob("*.sql"):
        for called in re.findall(r"CALL TUNE\.(\w+)\(", code(path.read_text(encoding="utf-8"))):
            assert order.index(called) < order.index(path.stem.upper()), f"{path.stem} calls {called}"


def test_dynamic_statements_run_with_the_rights_of_the_definer() -> None:
    rules = ""
    for text in TEXTS:
        if found := re.search(r"SET_ROUTINE_OPTS\('DYNAMICRULES (\w+) ", text):
            rules = found[1]
        elif text.startswith("CREATE OR REPLACE PROCEDURE"):
            assert rules == "BIND", text[:80]


def test_static_statements_have_isolation_and_class_of_their_own() -> None:
    """r0010945: CURRENT ISOLATION does not apply to static statements; r0005278: class 2 for complex statements."""
    options = [text for text in TEXTS if "DYNAMICRULES" in text and text.startswith("CALL")]
    assert options
    assert [text for text in options if not text.endswith(" ISOLATION UR QUERYOPT 2')")] == []


def test_catalog_is_locked_by_few_statements_at_once() -> None:
    """Each COMMIT releases the locks on the catalog, which other definitions wait for."""
    units = "\n".join(TEXTS).split("\nCOMMIT\n")
    assert len(units) > 30
    numbers = [at for at, text in enumerate(TEXTS) if text == "COMMIT"]
    assert max(after - before for before, after in pairwise(numbers)) <= 2 * UNIT
    assert "INSERT INTO TUNE.VERSION" in TEXTS[-2]


def test_ownership_is_visible_after_the_first_unit_of_work() -> None:
    """An interrupted installation must be recognized as db2tune's own, to be completed or removed."""
    first = TEXTS[: TEXTS.index("COMMIT")]
    assert any("CREATE TABLE TUNE.VERSION" in text for text in first)


def test_schema_has_at_most_300_views() -> None:
    assert len(_created("VIEW")) <= 300


def test_core_is_small_and_needs_nothing_else() -> None:
    """Whatever else a server refuses, these statements are accepted: they name no other object of the schema."""
    essential = [statement for statement in STATEMENTS if statement.is_core and statement.text != "COMMIT"]
    assert len(essential) <= 40
    created = {name for name in map(find_created_object, essential) if name}
    assert {"TUNE.ADVISE", "TUNE.M_FINDING", "TUNE.SNAPSHOT"} <= created
    columns = {"TUNE.THIS_RUN", "TUNE.SNAPSHOT_NO", "TUNE.RUN_NO"}
    for statement in essential:
        if statement.section == "complete":  # it only counts
            continue
        named = {f"TUNE.{name}" for name in re.findall(r"\bTUNE\.(\w+)", code(statement.text))}
        assert named - created - columns == set(), statement.text[:80]


def test_tables_go_where_the_dba_says() -> None:
    placed = [statement.text for statement in install_statements('A "B')]
    created = [text for text in placed if "CREATE TABLE TUNE." in text]
    assert created
    assert [text for text in created if 'IN "A ""B"' not in text] == []


def test_script_has_one_statement_between_terminators() -> None:
    text = script(STATEMENTS, INSTALL_TITLE)
    parts = text.split("\n@\n")
    options = [part for part in parts if part.startswith("UPDATE COMMAND OPTIONS")]
    assert len(parts) == len(STATEMENTS) + len(options) + 1  # nothing after the last one
    assert parts[0].splitlines()[0] == f"-- {INSTALL_TITLE}"
    assert [line for line in text.splitlines()[1:] if line.endswith("@") and line != "@"] == []


@pytest.mark.parametrize("statement", [*STATEMENTS, *uninstall_statements()], ids=lambda s: s.text[:50])
def test_no_comment_is_left_in_a_statement(statement: Statement) -> None:
    assert "--" not in re.sub(r"'[^']*'|\"[^\"]*\"", "", statement.text)
    assert len(statement.text) < 64_000


@pytest.mark.parametrize("path", sorted(PROCEDURES.glob("*.sql")), ids=lambda path: path.stem)
def test_procedures_are_sql_of_db2(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert str(parse_procedure(text).name) == f"TUNE.{path.stem.upper()}"


def test_compound_statements_are_sql_of_db2() -> None:
    compound = [text for text in TEXTS if text.startswith("BEGIN")]
    assert compound
    for text in compound:
        assert isinstance(parse_statement(text), tree.Compound)


@pytest.mark.parametrize("path", PROCEDURE_FILES, ids=lambda path: path.stem)
def test_messages_fit_into_a_signal(path: Path) -> None:
    """SIGNAL truncates its message at 70 bytes; our states start with 70."""
    text = path.read_text(encoding="utf-8")
    signals = re.findall(r"SIGNAL SQLSTATE '(\w+)' SET MESSAGE_TEXT = (?:'((?:[^']|'')*)'|\w+)", text)
    assert len(signals) == len(re.findall(r"\bSIGNAL\b", code(text)))
    assert [message for _, message in signals if len(message.replace("''", "'")) > 70] == []
    assert [state for state, _ in signals if not state.startswith("70")] == []


def test_states_are_distinguished() -> None:
    texts = [path.read_text(encoding="utf-8") for path in PROCEDURES.glob("*.sql")]
    states = [state for text in texts for state in re.findall(r"SIGNAL SQLSTATE '(\w+)'", text)]
    assert len(set(states)) == len(states)


@pytest.mark.parametrize("path", PROCEDURE_FILES, ids=lambda path: path.stem)
def test_procedures_compare_nothing_with_an_empty_text(path: Path) -> None:
    """If the compatibility vector makes an empty text NULL, such a comparison is never true."""
    text = re.sub(r"'(?:[^']|'')+'", "'x'", path.read_text(encoding="utf-8"))
    assert re.findall(r"(?:=|<>|IN \()\s*''", text) == []


def test_columns_of_computed_views_are_known() -> None:
    assert view_columns()["ADVICE"][:3] == ["POSITION", "RULE", "OBJECT_TYPE"]
    assert {name for name, columns in view_columns().items() if not columns} == set()


@pytest.mark.parametrize(("value", "text"), [(None, "NULL"), (3, "3"), (0.5, "0.5"), ("it's", "'it''s'")], ids=str)
def test_literals(value: str | float | None, text: str) -> None:
    assert literal(value) == text
    assert sqlglot.parse_one(text).sql() == text


def test_quoted_identifier() -> None:
    assert quoted('A "B') == '"A ""B"'


def test_every_table_says_that_it_is_organized_by_row() -> None:
    """r0060587: without a clause dft_table_org decides; 10.5 has no indexes and CLOBs in column tables (c0061528)."""
    created = [text for text in TEXTS if "CREATE TABLE TUNE." in text]
    assert created
    assert [text for text in created if "ORGANIZE BY ROW" not in text] == []


def test_what_decides_about_later_statements_comes_first() -> None:
    """r0005877: SQL path; r0011873: SET_ROUTINE_OPTS overrides DB2_SQLROUTINE_PREPOPTS; r0060917, r0000925.

    r0060917 is about string units, r0000925 about schemas. The owner is checked once the schema exists, so no other
    user can create it in between.
    """
    path, options, schema, owner, units, *_ = TEXTS
    assert [path, options] == [one.text for one in uninstall_statements()[:2]]
    assert path == "SET PATH = SYSTEM PATH"
    assert options == "CALL SYSPROC.SET_ROUTINE_OPTS('DYNAMICRULES RUN ISOLATION UR QUERYOPT 2')"
    assert schema.index("70083") < schema.index("SYSCAT.SCHEMATA") < schema.index("CREATE SCHEMA TUNE")
    assert "SIGNAL SQLSTATE '70081'" in owner
    assert "NLS_STRING_UNITS" in units


def test_the_doctor_and_the_installer_ask_for_owners_alike() -> None:
    asked = statement_of("doctor/queries", "owner")
    assert sum(asked in text for text in TEXTS) == 1


@pytest.mark.parametrize("texts", [TEXTS, [one.text for one in uninstall_statements()]], ids=["install", "uninstall"])
def test_definitions_in_sql_pl_have_run_behavior(texts: list[str]) -> None:
    """c0007210: with another behaviour, which DB2_SQLROUTINE_PREPOPTS may set, they are refused (SQL0549N)."""
    rules = "those of the instance"
    for text in texts:
        if "SET_ROUTINE_OPTS" in text:
            rules = "RUN" if "DYNAMICRULES RUN" in text else "others"
        elif text.startswith("BEGIN") and "EXECUTE IMMEDIATE" in text:
            assert rules == "RUN", text[:200]
    assert rules == "others"  # the instance's options, for the rest of the session


def test_no_row_that_is_loaded_has_an_empty_text() -> None:
    """r0052880: it is NULL with varchar2_compat, and the columns are NOT NULL."""
    loads = [text for text in TEXTS if text.startswith("INSERT INTO TUNE.")]
    assert [text[:80] for text in loads if re.search(r"[(,] ''[,)]", text)] == []


def test_nothing_is_compared_with_an_empty_text() -> None:
    """r0052880: with varchar2_compat such a comparison is never true."""
    files = [*SQL.rglob("*.sql"), *PROCEDURES.rglob("*.sql")]
    texts = {
        path.name: re.sub(r"'(?:[^']|'')+'", "text", remove_comments(path.read_text(encoding="utf-8")))
        for path in files
    }
    assert [name for name, text in texts.items() if re.search(r"(=|<>)\s*''", text)] == []


CALLED = ("accept", "advise", "compare", "explain", "purge", "report", "schedule", "set_hostfacts", "set_option")


@pytest.mark.parametrize("name", [*CALLED, "snapshot", "unschedule"])
def test_no_call_waits_for_a_lock_as_long_as_its_caller_would(name: str) -> None:
    """r0008329: a procedure starts with its caller's special registers and does not change the caller's own."""
    text = (PROCEDURES / f"{name}.sql").read_text(encoding="utf-8")
    assert "\n    SET CURRENT LOCK TIMEOUT 10;\n    SET CURRENT ISOLATION UR;\n" in text


def test_findings_are_stored_by_the_names_of_their_columns() -> None:
    """An upgrade adds a column at the end of a table, whatever its position in the list."""
    rule = next(one for one in STATEMENTS if one.rule)
    named = re.search(r"M_FINDING \((.*?)\)", rule.text)
    assert named is not None
    names = named[1].split(", ")
    assert names[:2] == ["RUN_ID", "RULE"]
    assert [name for name in FINDING_COLUMNS if name in names] == names[2:]


def test_trial_compiles_every_statement_of_a_procedure() -> None:
    """c0004154: a character constant has at most 32,672 bytes. The trial stores no Db2 package in the catalog."""
    tried = [one for one in STATEMENTS if one.trial]
    assert {one.rule for one in tried} >= set(all_rules())
    for one in tried:
        assert parse_statement(one.trial or "")
        assert len((one.trial or "").encode()) < 32_672


def test_script_stops_only_after_a_statement_of_the_core() -> None:
    """r0001975: option S stops a script at the first error."""
    stops, essential = True, {statement.text for statement in STATEMENTS if statement.is_core}
    for text in script(STATEMENTS, INSTALL_TITLE).split("\n@\n"):
        if "UPDATE COMMAND OPTIONS" in text:
            stops = text.endswith(" ON")
        elif text.strip() and text != "COMMIT":
            is_essential = re.sub(r"^-- .*\n", "", text) in essential
            assert stops == is_essential or "SET_ROUTINE_OPTS" in text, text[:80]


def _largest_unit() -> float:
    units: list[list[Statement]] = [[]]
    for statement in STATEMENTS:
        units[-1].append(statement)
        if statement == COMMIT:
            units.append([])
    return max(map(estimate_log, units)) / MB


def test_each_storage_object_of_a_table_has_two_extents() -> None:
    statements = [
        Statement("CREATE TABLE TUNE.A (\n    N INTEGER NOT NULL,\n    PRIMARY KEY (N)\n)"),
        Statement("CREATE TABLE TUNE.B (N INTEGER, B_TEXT CLOB(1000))"),
        Statement("CREATE OR REPLACE VIEW TUNE.C_D (N, B_TEXT) AS\nSELECT N, B_TEXT FROM TUNE.B"),
        Statement("CREATE TABLE TUNE.M_D AS (SELECT X.* FROM TUNE.C_D AS X) WITH NO DATA"),
        Statement("CREATE INDEX TUNE.X_M_D ON TUNE.M_D (N)"),
        Statement("INSERT INTO TUNE.A (N) VALUES (1)"),
    ]
    found = count_objects(statements)
    assert (found.tables, found.indexes, found.lobs) == (3, 2, 4)
    assert found.bytes(4096, 2) == (9 * 2 + 1) * 8192


def test_new_schema_is_a_light_guest() -> None:
    found = count_objects(STATEMENTS)
    assert (found.tables <= 122, len(set(_created("VIEW"))) <= 257, found.megabytes() <= 60) == (True, True, True)


@pytest.mark.parametrize(("page_kb", "extent"), [(8, EXTENT_SIZE), (8, 32), (32, 32)])
def test_space_in_the_documentation_is_computed(page_kb: int, extent: int) -> None:
    objects = count_objects(STATEMENTS)
    assert f"{objects.megabytes(page_kb * 1024, extent)} MB at {page_kb} KB and {extent}" in PAGE
    assert f"{objects.tables} tables" in PAGE


def test_unit_of_work_needs_at_most_30_mb_of_log() -> None:
    """By estimate: no manual states the size of the compiled form of views and procedures."""
    assert _largest_unit() <= 30
    assert f"up to {_largest_unit():.0f} MB of log" in PAGE
    assert f"{STATEMENTS.count(COMMIT)} units of work" in PAGE


def test_whole_installation_needs_log_that_doctor_requires() -> None:
    assert estimate_log(STATEMENTS) / MB <= INSTALL_LOG_MB
    assert f"needs {estimate_log(STATEMENTS) // MB} MB of log by estimate" in PAGE


def test_script_creates_the_table_space_before_the_schema() -> None:
    text = script(install_statements("TUNE", creates=True), "title")
    places = [text.index(part) for part in ("CREATE BUFFERPOOL", "CREATE TABLESPACE", "TUNETEMP", "CREATE SCHEMA")]
    assert places == sorted(places)
    assert [text[first:last].count("\nCOMMIT\n") for first, last in pairwise(places)] == [1, 1, 1]
    assert 'TABLESPACE "TUNE"' not in script(install_statements("TUNE"), "title")
