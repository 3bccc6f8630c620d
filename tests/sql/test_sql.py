"""Every statement in sql/: portable, in the right file, and consistent with its header."""

import csv
import re
from collections import Counter
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb
import pytest
import sqlglot
from sqlglot import exp

from advisor.catalogue.reliance import VITAL
from advisor.catalogue.rule_file import check_header
from advisor.catalogue.rules import Rule, all_rules
from advisor.catalogue.sources import all_sources
from advisor.catalogue.sqltext import code, references
from advisor.catalogue.tables import FINDING_COLUMNS
from advisor.catalogue.views import COLUMN, model_views, next_choice, rank_views
from advisor.install.statements import install_statements
from advisor.resources import PROCEDURES, SQL, data_file, sections
from tests.support.portable import Schema, reasons
from tests.support.typed_engine import column_types, plan_rule, typed_tables

if TYPE_CHECKING:
    from sqlfluff.core import Linter

FILES = sorted(SQL.rglob("*.sql"))
READABLE = [path for path in FILES if path.parent.name not in ("install", "scripts")]  # sqlfluff reads no SQL PL
PORTABLE = [path for path in FILES if path.parent.name == "rank" or path.parent.parent.name in ("model", "rules")]
PICTURES = sections(SQL / "pictures" / "queries.sql")
VIEWS = [path for path in FILES if path.parent.parent.name == "model" or path.parent.name == "rank"]
CONSTANTS = "TUNE.CONSTANT AS CONST"
ALIASES = dict(list(csv.reader(Path(__file__).with_name("aliases.csv").open(encoding="utf-8")))[1:])
HOST_ITEMS = {row["ITEM"] for row in data_file("schema", "questions")}


def _name(path: Path) -> str:
    return str(path.relative_to(SQL))


@pytest.fixture(scope="module")
def schema() -> Schema:
    """Return every table of a run with the types of its columns."""
    return {"TUNE": column_types()}


@pytest.mark.parametrize("path", PORTABLE, ids=_name)
def test_portable(path: Path, schema: Schema) -> None:
    assert reasons(path.read_text(encoding="utf-8"), schema) == []


@pytest.mark.parametrize("name", PICTURES)
def test_query_of_a_picture_is_portable(name: str, schema: Schema) -> None:
    assert reasons(PICTURES[name], schema) == []


@pytest.mark.parametrize("path", VIEWS, ids=_name)
def test_columns_defined_in_a_comment_exist(path: Path, schema: Schema) -> None:
    comment = "\n".join(
        re.findall(r"^--(?: (.*))?$", path.read_text(encoding="utf-8").split("\nWITH ")[0], re.MULTILINE)
    )
    defined = {name for found in COLUMN.finditer(comment) for name in found["names"].split(", ")}
    assert defined <= schema["TUNE"].get(path.stem.upper(), {}).keys()


@pytest.mark.parametrize("path", VIEWS, ids=_name)
def test_each_view_has_the_same_alias_everywhere(path: Path) -> None:
    """A view that a file reads twice may need other names for its two roles."""
    text = code(path.read_text(encoding="utf-8"))
    once = {view for view, times in Counter(re.findall(r"\bTUNE\.(\w+)", text)).items() if times == 1}
    found = re.findall(r"\bTUNE\.(\w+) AS (\w+)", text)
    assert [pair for pair in found if pair[0] in once and ALIASES.get(pair[0]) != pair[1]] == []


def test_each_alias_means_one_view() -> None:
    assert len(set(ALIASES.values())) == len(ALIASES)


def test_constants_have_a_unit_a_source_and_a_reason() -> None:
    lines = model_views()["CONSTANT"].split("SELECT\n")[1].splitlines()[:-1]
    found = [re.fullmatch(r" {4}[\d.]+ AS ([A-Z_]+),? +-- ([^;]+); ([^;]+); [^;]+", line) for line in lines]
    assert all(found), lines
    sources = {row["PROVENANCE"] for row in data_file("schema", "provenances")}
    sources |= {row["KEY"] for row in data_file("schema", "papers")}
    assert {match[3] for match in found if match} <= sources
    rules = [rule.select for rule in all_rules().values()]
    readers = "".join(
        sql for sql in (*model_views().values(), *rank_views().values(), next_choice(), *rules) if CONSTANTS in sql
    )
    assert [match[1] for match in found if match and not re.search(rf"\b{match[1]}\b", readers)] == []


@pytest.mark.parametrize("path", FILES, ids=_name)
def test_a_rounded_double_keeps_its_digits(path: Path) -> None:
    """DOUBLE to DECIMAL truncates, and 0.3 is 0.29999...: digits are made integers first (assignments, r0008479)."""
    direct = r"CAST\((?:ROUND\([^()]+, \d\)|[\w.]+) AS DEC\w*\(\d+, [1-9]"
    assert re.findall(direct, path.read_text(encoding="utf-8")) == []


SEED = "SELECT {} FROM TUNE.BUFFERPOOL AS B CROSS JOIN TUNE.RUN_WINDOW AS W"


@pytest.mark.parametrize(
    ("expression", "reason"),
    [
        ("B.PHYSICAL_READS / NULLIF(B.LOGICAL_READS, 0)", "division without CAST AS DOUBLE"),
        (
            "100 * (B.PHYSICAL_READS / NULLIF(B.LOGICAL_READS, 0)) * CAST(1 AS DOUBLE)",
            "division without CAST AS DOUBLE",
        ),
        (
            "CAST(COALESCE(B.PHYSICAL_READS, 0) AS BIGINT) / NULLIF(B.LOGICAL_READS, 0)",
            "division without CAST AS DOUBLE",
        ),
        ("CAST(B.PHYSICAL_READS AS DOUBLE) / B.LOGICAL_READS", "division without NULLIF"),
        ("CAST(B.PHYSICAL_READS AS DOUBLE) / CAST(0 AS DOUBLE)", "division without NULLIF"),
        ("CAST(B.PHYSICAL_READS AS DOUBLE) / NULLIF(B.LOGICAL_READS, 1)", "division without NULLIF"),
        ("MOD(B.PHYSICAL_READS, B.LOGICAL_READS)", "division without NULLIF"),
        ("CAST(B.SHARE_PCT AS VARCHAR(20))", "a DOUBLE to text"),
        ("CAST(B.PHYSICAL_READS * W.SECONDS AS VARCHAR(20))", "a DOUBLE to text"),
        ("CAST(ROUND(B.PHYSICAL_READS, 2) AS VARCHAR(20))", "a DOUBLE to text"),
        ("CAST(1 - CAST(B.PHYSICAL_READS AS DOUBLE) / NULLIF(B.LOGICAL_READS, 0) AS VARCHAR(20))", "a DOUBLE to text"),
        ("CAST(B.SHARE_PCT AS BIGINT)", "a fraction to an integer without"),
        ("CAST(0.5 * W.SECONDS AS INTEGER)", "a fraction to an integer without"),
        ("CAST(ROUND(W.SECONDS, 1) AS INTEGER)", "a fraction to an integer without"),
        (
            "CAST(CASE WHEN B.PHYSICAL_READS > 1 THEN FLOOR(W.SECONDS) ELSE W.SECONDS END AS BIGINT)",
            "a fraction to an integer without",
        ),
        ("'pages ' || B.PHYSICAL_READS", "a number in a concatenation"),
        ("B.NPAGES * B.PAGESIZE", "a product of INTEGERs"),
        ("4096 * B.NPAGES", "a product of INTEGERs"),
        ("SUM(B.NPAGES)", "a sum of INTEGERs"),
        ("AVG(B.PHYSICAL_READS)", "AVG without"),
        ("NULL AS X", "untyped NULL"),
        ("NULL", "untyped NULL"),
        ("B.PHYSICAL_READS > B.LOGICAL_READS AS X", "a condition is no value"),
        ("SUM(CASE WHEN B.PHYSICAL_READS > 1 THEN B.LOGICAL_READS > 1 END)", "a condition is no value"),
        ("TRUE", "forbidden: boolean"),
        ("B.PHYSICAL_READS::DOUBLE", "forbidden: ::"),
        ("COUNT(*) FILTER (WHERE B.PHYSICAL_READS > 1)", "forbidden: FILTER"),
        ("CURRENT_TIMESTAMP - 3 DAYS", "forbidden: labelled duration"),
        ("CURRENT TIMESTAMP", "forbidden: CURRENT_TIMESTAMP"),
        ("LISTAGG(B.BP_NAME, ',')", "function LISTAGG"),
        ("DEC(B.PHYSICAL_READS, 9, 2)", "function DEC"),
        ("FLOAT(B.PHYSICAL_READS)", "function FLOAT"),
        ("VARCHAR(B.PHYSICAL_READS)", "function VARCHAR"),
        ("CHAR(10)", "function CHAR"),
        ("1 WHERE B.BP_NAME ILIKE 'a'", "forbidden: ILIKE"),
        ("1 WHERE B.PHYSICAL_READS IS DISTINCT FROM B.LOGICAL_READS", "forbidden: IS DISTINCT FROM"),
        ("COALESCE(', ' || B.BP_NAME, '')", "COALESCE(', ' || B.BP_NAME, ''): || of a NULL"),
        ("CASE WHEN ('in ' || B.BP_NAME) IS NULL THEN 1 END", "('in ' || B.BP_NAME) IS NULL: || of a NULL"),
        ("CASE WHEN B.BP_NAME <> '' THEN 1 END", "B.BP_NAME <> '': an empty text"),
        ("CASE WHEN B.BP_NAME IN ('OFF', '') THEN 1 END", "B.BP_NAME IN ('OFF', ''): an empty text"),
        ("LENGTH(REPLACE(B.BP_NAME, '0', ''))", "LENGTH(REPLACE(B.BP_NAME, '0', '')) is NULL"),
    ],
)
def test_what_is_not_portable_is_rejected(expression: str, reason: str, schema: Schema) -> None:
    found = reasons(SEED.format(expression), schema)
    assert [text for text in found if text.startswith(reason)], found


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT B.PHYSICAL_READS FROM TUNE.BUFFERPOOL AS B QUALIFY ROW_NUMBER() OVER (ORDER BY B.PHYSICAL_READS) = 1",
        "WITH RECURSIVE A AS (SELECT 1 AS N) SELECT N FROM A",
        "SELECT B.PHYSICAL_READS FROM TUNE.BUFFERPOOL AS B WITH UR",
        "SELECT B.PHYSICAL_READS FROM TUNE.BUFFERPOOL AS B LIMIT 1",
        "WITH A AS (SELECT P FROM TUNE.BUFFERPOOL GROUP BY P HAVING COUNT(*) > 1) SELECT P FROM A",
        "WITH A AS (SELECT 1 AS N FROM TUNE.RUN_WINDOW UNION ALL SELECT 2 FROM TUNE.RUN_WINDOW) SELECT N FROM A",
    ],
)
def test_statements_of_one_engine_are_rejected(statement: str, schema: Schema) -> None:
    assert reasons(statement, schema)[0].startswith(("forbidden: ", "HAVING ", "a union "))


@pytest.mark.parametrize(
    "expression",
    [
        "100 * CAST(B.PHYSICAL_READS AS DOUBLE) / NULLIF(B.LOGICAL_READS, 0)",
        "(B.P_BI + 1) / CAST(2 AS DOUBLE)",
        "(1024 * CAST(B.PHYSICAL_READS AS DOUBLE) - 1) / CAST(NULLIF(B.LOGICAL_READS, 0) AS DOUBLE)",
        "MOD(B.PHYSICAL_READS, 2)",
        "FLOOR(LN(CAST(B.PHYSICAL_READS AS DOUBLE)) / LN(CAST(10 AS DOUBLE)))",
        "CAST(FLOOR(B.SHARE_PCT) AS BIGINT)",
        "CAST(GREATEST(1, CEIL(B.SHARE_PCT)) AS BIGINT)",
        "CAST(CAST(ROUND(B.SHARE_PCT, 2) AS DECIMAL(9, 2)) AS VARCHAR(20))",
        "'TRUE :: ' || CAST(CAST(FLOOR(W.SECONDS) AS BIGINT) AS VARCHAR(20)) || ' 3 DAYS'",
        "CAST(B.NPAGES AS BIGINT) * B.PAGESIZE",
        "CASE WHEN NOT (B.PHYSICAL_READS > 1 OR B.LOGICAL_READS IS NULL) THEN 1 END",
        "CAST(NULL AS SMALLINT) AS MEMBER",
        "COALESCE(MAX(CASE WHEN B.PHYSICAL_READS = 1 THEN ', ' || B.BP_NAME END), '')",
        "LENGTH('x' || REPLACE(B.BP_NAME, '0', '')) - LENGTH(B.BP_NAME)",
    ],
)
def test_what_is_portable_is_let_through(expression: str, schema: Schema) -> None:
    assert reasons(SEED.format(expression), schema) == []


@pytest.mark.parametrize("path", FILES, ids=_name)
def test_file_starts_with_its_purpose(path: Path) -> None:
    assert path.read_text(encoding="utf-8").startswith(("-- ", "/*---\n"))


def _violations(sql: str) -> list[str]:
    """Return sqlfluff's errors for a statement: Db2 would reject it, or its layout differs from the others'."""
    return [violation.desc() for violation in _linter().lint_string(sql).violations]


@cache
def _linter() -> "Linter":
    from sqlfluff.core import FluffConfig, Linter

    return Linter(config=FluffConfig.from_path(str(SQL.parent)))


FOLDERS = {
    folder: [path for path in READABLE if path.parent == folder]
    for folder in sorted({path.parent for path in READABLE})
}


@pytest.mark.full
@pytest.mark.parametrize("folder", FOLDERS, ids=_name)
def test_sqlfluff_reads_it_as_db2_and_finds_nothing(folder: Path) -> None:
    texts = {
        f"{path.name} {name}": text
        for path in FOLDERS[folder]
        for name, text in (sections(path) or {"": path.read_text(encoding="utf-8").strip()}).items()
    }
    # it knows no parameter markers
    found = {name: _violations(text.replace("?", "0") + "\n") for name, text in texts.items()}
    assert {name: texts for name, texts in found.items() if texts} == {}


@pytest.mark.full
def test_the_db2_parser_objects() -> None:
    assert _violations("SELECT A FROM T AS\n")
    assert not _violations("SELECT B.A FROM T AS B\n")


def _tables(sql: str) -> set[str]:
    """Return the objects that a statement reads outside schema TUNE, without its common table expressions."""
    tree = sqlglot.parse_one(sql, read="duckdb")
    own = {cte.alias for cte in tree.find_all(exp.CTE)}
    return {table.sql() for table in tree.find_all(exp.Table) if table.db != "TUNE" and table.name not in own}


@pytest.mark.parametrize("path", PORTABLE, ids=_name)
def test_view_reads_only_lower_views(path: Path) -> None:
    sql = path.read_text(encoding="utf-8")
    read = references(sql)
    snapshot = {name for name in read if name.startswith("S_")}
    assert _tables(sql) == set()
    assert not {name for name in read if name.startswith("R_")}
    if path.parent.parent.name == "model":
        assert not read & {*rank_views(), "FINDING"}
        # old and new values, and counts since activation; all others read the interval's counts
        since = ("run_member", "gate", "changed", "workload_window", "tablespace_space", "since_activation")
        assert path.stem in since or not snapshot
    elif path.parent.name != "rank":
        rule = next(rule for rule in all_rules().values() if rule.path == path)
        own = {rule.option_view.removeprefix("TUNE."), "O_SITE", "RUN_DATABASE", "RUN_SNAPSHOT"}
        own |= {"PROPOSED_INDEX", "PROPOSED_INDEX_USE"} if rule.name == "sql.missing-index" else set()
        assert read <= model_views().keys() | own


@pytest.mark.parametrize("name", PICTURES)
def test_picture_reads_only_views(name: str) -> None:
    assert _tables(PICTURES[name]) == set()
    assert not {read for read in references(PICTURES[name]) if read.startswith(("R_", "S_"))}


def test_inside_db2_the_same_views_are_vital() -> None:
    named = re.search(r"AND NAME IN \(([^)]*)\)", (PROCEDURES / "evaluate.sql").read_text(encoding="utf-8"))
    assert named is not None
    assert set(re.findall(r"'([A-Z_]+)'", named[1])) == VITAL - {"SUMMARY"}  # which no rule reads


def _rules() -> Any:
    return pytest.mark.parametrize("rule", all_rules().values(), ids=lambda rule: rule.name)


@cache
def _tree(statement: str) -> exp.Expr:
    return sqlglot.parse_one(statement, read="duckdb")


@_rules()
def test_a_rule_has_the_columns_of_a_finding(rule: Rule) -> None:
    tree = _tree(rule.statement)
    assert tuple(item.alias_or_name.upper() for item in tree.selects) == FINDING_COLUMNS
    for select in tree.find_all(exp.Union):
        assert len(select.left.selects) == len(select.right.selects)


@_rules()
def test_rule_is_planned_by_a_typed_engine(rule: Rule) -> None:
    plan_rule(rule)


def test_typed_engine_rejects_what_sqlite_forgives() -> None:
    rule = all_rules()["config.monitoring-off"]
    wrong = replace(rule, select=f"SELECT F.* FROM (\n{rule.select}\n) AS F WHERE 'a' > 1")
    with pytest.raises(duckdb.Error, match="Could not convert string 'a'"):
        typed_tables().execute(wrong.select).fetchall()


@_rules()
def test_header_matches_the_schema(rule: Rule) -> None:
    check_header(rule.header, rule.path.name)


@_rules()
def test_a_header_names_what_there_is(rule: Rule) -> None:
    assert rule.name == f"{rule.path.parent.name}.{rule.path.stem}"
    assert rule.area == rule.path.parent.name
    assert {claim.bucket for claim in rule.claims} <= _buckets()
    for need in rule.get_list("needs"):
        source, _, item = need.partition(".")
        known = HOST_ITEMS if source == "host" else {column.name for column in all_sources()[source].columns}
        assert item in known, need
    assert {ask.removeprefix("host.") for ask in rule.get_list("asks")} <= HOST_ITEMS
    assert {other["rule"] for other in rule.get_list("defers_to")} <= all_rules().keys()


def _buckets() -> set[str]:
    return {row["BUCKET"] for row in data_file("rank", "buckets")} - {"NOT_CPU"}  # that is a part of PROCESSING


@_rules()
def test_thresholds_are_used(rule: Rule) -> None:
    tree = _tree(rule.statement)
    used = {column.name.upper() for column in tree.find_all(exp.Column) if column.table.upper() == "O"}
    assert used == {threshold.name.upper() for threshold in rule.thresholds}
    views = {table.name for table in tree.find_all(exp.Table) if table.alias.upper() == "O"}
    assert views <= {rule.option_view.removeprefix("TUNE.")}


def test_numbers_of_the_site_are_used() -> None:
    texts = "\n".join(path.read_text(encoding="utf-8") for path in [*FILES, *PROCEDURES.glob("*.sql")])
    numbers = [row["NAME"] for row in data_file("schema", "site_options") if row["TYPE"] == "number"]
    assert [name for name in numbers if not re.search(rf"\.{name.upper()}\b|'{name}'", texts)] == []


# What sqlfluff cannot parse: how such a statement starts, and the page of IBM's SQL reference that documents it.
UNPARSED = {
    "Compound SQL (compiled)": (r"BEGIN\b", "r0004239"),
    "CREATE PROCEDURE (SQL)": (r"CREATE OR REPLACE PROCEDURE\b", "r0008329"),
    "CREATE TABLE ... AS (fullselect), WITH NO DATA, ORGANIZE BY ROW": (r"CREATE TABLE \S+ AS \(", "r0000927"),
    "SET PATH": (r"SET PATH\b", "r0001014"),
}


@cache
def _by_kind() -> dict[str, set[str]]:
    """Return the statements of each kind; those that sqlfluff must parse have the kind ''."""
    kinds: dict[str, set[str]] = {"": set()} | {kind: set() for kind in UNPARSED}
    for statement in install_statements():
        kind = next((kind for kind, (start, _) in UNPARSED.items() if re.match(start, statement.text)), "")
        kinds[kind].add(statement.text)
    return kinds


def _errors(text: str) -> list[str]:
    return [error.desc() for error in _linter().parse_string(text).violations]


@pytest.mark.full
def test_install_statements_parse_as_db2() -> None:
    texts = _by_kind()[""]
    assert len(texts) > 400
    assert {text: errors for text in texts if (errors := _errors(text))} == {}


@pytest.mark.full
@pytest.mark.parametrize("kind", UNPARSED)
def test_statement_of_an_exempt_kind_does_not_parse(kind: str) -> None:
    """A kind that sqlfluff learns leaves the table."""
    assert _errors(min(_by_kind()[kind], key=len))
