"""Every Db2 name in the SQL exists in Db2: tests/contract/ lists them with their reference."""

import ast
import csv
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest
import sqlglot
from sqlglot import exp

from advisor.catalogue.rule_file import as_list
from advisor.catalogue.rules import all_rules
from advisor.catalogue.sources import Source, all_sources
from advisor.catalogue.sqltext import code, remove_comments
from advisor.resources import PROCEDURES, ROOT, SQL, data_file, sections
from tests.support.paths import CONTRACT

INTEGERS = ("SMALLINT", "INTEGER", "BIGINT")
# what follows USING in commands that configure nothing
CLAUSES = {"TARGETMAP", "STOGROUP"}
STATEMENTS = [path for folder in ("model", "rules") for path in sorted((SQL / folder).rglob("*.sql"))]

# FROM SYSCAT.TABLES AS T, or FROM TABLE(MON_GET_TABLE(NULL, NULL, -2)) AS T
_VIEW = re.compile(r"\b(?:FROM|JOIN) (?P<object>SYS\w+\.\w+) AS (?P<alias>\w+)")
_FUNCTION = re.compile(
    r"(?:\bFROM|\bJOIN|,) TABLE\((?:SYSPROC\.)?(?P<object>\w+)\((?P<arguments>.*?)\)\) AS (?P<alias>\w+)"
)
_ITEM = re.compile(r"^    (?P<rtrim>RTRIM\()?T\.(?P<column>\w+)\)?(?: AS (?P<name>\w+))?,? +-- \w+ \S+$", re.MULTILINE)


def _rows(name: str) -> list[dict[str, str]]:
    with (CONTRACT / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@cache
def _columns() -> dict[tuple[str, str], str]:
    """Return the type by object and column, without unknown ones."""
    return {(row["object"], row["column"]): row["type"] for row in _rows("columns") if row["confidence"] != "memory"}


@cache
def _settings(kind: str) -> set[str]:
    """Return Db2's parameters (db, dbm) or registry variables (reg)."""
    added = {row["name"] for row in _rows("additions") if row["kind"] == kind}
    if kind == "reg":
        return added | {row["name"] for row in _rows("registry_vars")}
    return added | {row["name"] for row in _rows("config_params") if row["scope"] == kind}


def _fits(declared: str, contract: str, trimmed: bool) -> bool:
    """Return whether every value of the contract's type is a value of the declared type."""
    have, have_size = _type(declared)
    want, want_size = _type(contract)
    if want == "CHAR":
        return trimmed and have == "VARCHAR" and have_size >= want_size
    if have in INTEGERS and want in INTEGERS:
        return INTEGERS.index(have) >= INTEGERS.index(want)
    return have == want and have_size >= want_size


def _type(text: str) -> tuple[str, int]:
    name, _, size = text.rstrip(")").partition("(")
    return name, int(size or 0)


def _declaration(source: Source) -> str:
    return (SQL / "collect" / f"{source.name}.sql").read_text(encoding="utf-8")


def _objects(text: str) -> dict[str, str]:
    return {m["alias"]: m["object"] for pattern in (_VIEW, _FUNCTION) for m in pattern.finditer(text)}


def _collected() -> pytest.MarkDecorator:
    sources = [source for source in all_sources().values() if not source.db2_object.startswith("TUNE.")]
    return pytest.mark.parametrize("source", sources, ids=lambda source: source.name)


@_collected()
def test_collected_columns_exist(source: Source) -> None:
    objects = _objects(_declaration(source))
    assert source.db2_object in objects.values()
    used = re.findall(r"\b([A-Z])\.(\w+)", code(_declaration(source)))
    read = {(objects[alias], column) for alias, column in used if alias in objects}
    missing = [f"{name},{column}" for name, column in sorted(read - _columns().keys())]
    assert not missing, f"tests/contract/columns.csv: add {'; '.join(missing)}, with the reference"


@_collected()
def test_collected_types_fit(source: Source) -> None:
    declared = {column.name: column.type for column in source.columns}
    wrong = []
    for item in _ITEM.finditer(_declaration(source)):
        contract = _columns().get((_objects(_declaration(source))["T"], item["column"]))
        kind = declared[item["name"] or item["column"]]
        if contract and not _fits(kind, contract, item["rtrim"] is not None):
            wrong.append(f"{item['column']} is {contract}, declared {kind}")
    assert wrong == []


@_collected()
def test_collected_functions_take_their_arguments(source: Source) -> None:
    for call in _FUNCTION.finditer(_declaration(source)):
        positions = {int(row["position"]) for row in _rows("signatures") if row["function"] == call["object"]}
        assert positions, f"tests/contract/signatures.csv: add the arguments of {call['object']}"
        arguments = [text for text in call["arguments"].split(",") if text.strip()]
        assert len(arguments) == max(positions), call["object"]


def test_types_are_compared() -> None:
    assert _fits("BIGINT", "INTEGER", False)
    assert not _fits("SMALLINT", "INTEGER", False)
    assert _fits("VARCHAR(1)", "CHAR(1)", True)
    assert not _fits("VARCHAR(1)", "CHAR(1)", False)
    assert not _fits("VARCHAR(10)", "VARCHAR(128)", False)
    assert not _fits("BIGINT", "DOUBLE", False)


@pytest.mark.parametrize("path", STATEMENTS, ids=lambda path: str(path.relative_to(SQL)))
def test_settings_exist(path: Path) -> None:
    assert list(_unknown(path.read_text(encoding="utf-8"))) == []


@pytest.mark.parametrize("setting", data_file("schema", "deprecated"), ids=lambda setting: setting["NAME"])
def test_deprecated_settings_exist(setting: dict[str, str]) -> None:
    assert setting["NAME"] in _settings(setting["SCOPE"].lower())


def test_rule_of_deprecated_settings_names_the_last_level() -> None:
    last = max(
        (row["SINCE"] for row in data_file("schema", "deprecated")), key=lambda level: [*map(int, level.split("."))]
    )
    rule = (SQL / "rules" / "config" / "deprecated-in-use.sql").read_text(encoding="utf-8")
    assert f"The list ends at level {last}:" in rule


def _unknown(sql: str) -> Iterator[str]:
    tree = sqlglot.parse_one(sql, read="duckdb")
    for kind, name in [*_compared(tree), *_commanded(tree)]:
        known = _settings(kind) if kind else set.union(*(_settings(each) for each in ("db", "dbm", "reg")))
        if name not in known:
            yield f"{kind or 'setting'} {name}"


def _compared(tree: exp.Expression) -> Iterator[tuple[str, str]]:
    """Return scope and literal of each comparison with NAME of TUNE.CONFIG; the scope is empty if set elsewhere."""
    aliases = {table.alias_or_name for table in tree.find_all(exp.Table) if table.name == "CONFIG"}
    for node in tree.find_all(exp.EQ, exp.In):
        column = node.this
        if (
            not isinstance(column, exp.Column)
            or column.name != "NAME"
            or (column.table and column.table not in aliases)
        ):
            continue
        literals = node.expressions if isinstance(node, exp.In) else [node.expression]
        scope = _scope(node, column.table) if aliases else None
        for literal in literals:
            if aliases and isinstance(literal, exp.Literal):
                yield scope or "", literal.name


def _scope(node: exp.Expression, alias: str) -> str | None:
    """Return the SCOPE that the conditions around a comparison require from the same table."""
    top = node
    while isinstance(top.parent, exp.And | exp.Paren):
        top = top.parent
    for other in top.find_all(exp.EQ):
        if isinstance(other.this, exp.Column) and other.this.name == "SCOPE" and other.this.table == alias:
            return str(other.expression.name).lower()
    return None


def _commanded(tree: exp.Expression) -> Iterator[tuple[str, str]]:
    """Return scope and name of each setting in a command; an inserted value is '?'."""
    for node in tree.find_all(exp.DPipe, exp.Literal):
        if isinstance(node.parent, exp.DPipe):
            continue
        for line in _text(node).split("\n"):
            if line.startswith("-- "):  # for a person
                continue
            for name in re.findall(r"\bdb2set (?:-\w+ \S+ )*(\w+)=", line):
                yield "reg", name
            scope = re.search(r"\bUPDATE (DBM?) CFG\b", line)
            if using := re.search(r"\bUSING (?P<pairs>[A-Z?].*)", line):
                words = using["pairs"].partition(",")[0].split()
                names = words[::2] if scope else words[:1]
                yield from ((scope[1].lower() if scope else "", n.lower()) for n in names if n not in CLAUSES | {"?"})


def _text(node: exp.Expression) -> str:
    if isinstance(node, exp.DPipe):
        return _text(node.left) + _text(node.right)
    if isinstance(node, exp.Literal) and node.is_string:
        return str(node.name)
    return "\n" if isinstance(node, exp.Chr) else "?"


@pytest.mark.parametrize(
    ("select", "unknown"),
    [
        ("SELECT 1 FROM TUNE.CONFIG AS C WHERE C.SCOPE = 'DB' AND C.NAME = 'sortheap'", []),
        ("SELECT 1 FROM TUNE.CONFIG AS C WHERE C.SCOPE = 'DB' AND C.NAME = 'SORTHEAP'", ["db SORTHEAP"]),
        (
            "SELECT 1 FROM TUNE.CONFIG AS C WHERE C.SCOPE = 'DBM' AND C.NAME IN ('sheapthres', 'sortheap')",
            ["dbm sortheap"],
        ),
        ("SELECT 1 FROM TUNE.CONFIG AS C WHERE C.SCOPE = 'REG' AND C.NAME = 'DB2_NOTHING'", ["reg DB2_NOTHING"]),
        (
            "SELECT CASE WHEN NAME = 'sortheapp' THEN 1 END AS A FROM TUNE.CONFIG WHERE SCOPE = 'DB'",
            ["setting sortheapp"],
        ),
        ("SELECT 'UPDATE DB CFG FOR ' || D || ' USING SORTHEAP ' || V || ' SORTHEEP ' || W FROM T", ["db sortheep"]),
        ("SELECT 'UPDATE DBM CFG USING INTRA_PARALLEL YES' || CHR(10) || 'db2set DB2_X=1' FROM T", ["reg DB2_X"]),
        ("SELECT 'REDISTRIBUTE DATABASE PARTITION GROUP G USING TARGETMAP ' || F FROM T", []),
    ],
)
def test_unknown_settings_are_seen(select: str, unknown: list[str]) -> None:
    assert list(_unknown(select)) == unknown


@pytest.mark.parametrize("path", sorted((ROOT / "advisor").glob("**/*.py")), ids=lambda path: path.name)
def test_the_package_does_not_need_the_tests(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        names += [node.value] if isinstance(node, ast.Constant) and isinstance(node.value, str) else []
        assert not [name for name in names if re.match(r"tests\b(?! )", name)], f"line {node.lineno}"


def test_the_sql_does_not_need_the_tests() -> None:
    assert [str(path) for path in SQL.rglob("*.sql") if "tests/" in path.read_text(encoding="utf-8")] == []


INSIDE = {path.stem: path.read_text(encoding="utf-8") for path in sorted(PROCEDURES.rglob("*.sql"))} | {
    f"{path.stem}-{name}": text
    for folder in ("run", "install")
    for path in sorted((SQL / folder).glob("*.sql"))
    for name, text in sections(path).items()
}
# any name of a schema of Db2: a view, a table function, a procedure
_NAME = re.compile(r"\b((?:SYSPROC|SYSCAT|SYSIBM|SYSIBMADM|SYSTOOLS)\.(?:DBMS_ALERT\.)?\w+)")


def _objects_of_db2() -> set[str]:
    known = {name for name, _ in _columns()} | {row["function"] for row in _rows("signatures")}
    return known | {row["name"] for row in _rows("additions") if row["kind"] in ("routine", "view")}


@pytest.mark.parametrize("name", INSIDE)
def test_what_runs_inside_names_only_what_db2_has(name: str) -> None:
    used = set(_NAME.findall(remove_comments(INSIDE[name])))
    assert {
        each for each in used if each.removeprefix("SYSPROC.") not in _objects_of_db2()
    } - _objects_of_db2() == set()


@pytest.mark.parametrize("name", INSIDE)
def test_columns_read_inside_exist(name: str) -> None:
    text = code(INSIDE[name])
    objects = _objects(text)
    read = {(objects[alias], column) for alias, column in re.findall(r"\b([A-Z])\.(\w+)", text) if alias in objects}
    assert {each for each in read if each not in _columns()} == set()


@pytest.mark.parametrize("bucket", data_file("rank", "buckets"), ids=lambda bucket: bucket["BUCKET"])
def test_queries_of_buckets_use_existing_columns(bucket: Mapping[str, str]) -> None:
    """People run these queries unchanged, so each column must belong to the object."""
    query = bucket["LOOK_AT"]
    (object_,) = _objects(query).values()
    known = {column for name, column in _columns() if name == object_}
    tree = sqlglot.parse_one(query.replace(f"TABLE(SYSPROC.{object_}", f"TABLE({object_}"), read="postgres")
    read = {column.name for column in tree.find_all(exp.Column)} - {item.alias for item in tree.selects if item.alias}
    assert read - known == set()
    if function := _FUNCTION.search(query):
        positions = [row for row in _rows("signatures") if row["function"] == object_ and row["position"] != "0"]
        given = [part for part in function["arguments"].split(",") if part.strip()]
        optional = [row for row in positions if "optional" in row["note"]]
        assert len(positions) - len(optional) <= len(given) <= len(positions)


APPLIED = {"immediate": "ON", "reactivate": "RA", "restart": "IR"}
# settings outside the configuration by kind: ALTER BUFFERPOOL (r0000885), ALTER TABLESPACE (r0000890), file system
# caching (c0052377: connections must end first), ALTER STOGROUP (r0058603), registry variables; the host
OBJECT_EFFECTS = {
    ("BUFFERPOOL", "SIZE"): "ON", ("BUFFERPOOL", "DEFERRED_SIZE"): "RA", ("BUFFERPOOL", "NUMBLOCKPAGES"): "RA",
    ("BUFFERPOOL", "BLOCKSIZE"): "RA", ("TABLESPACE", "PREFETCHSIZE"): "ON", ("TABLESPACE", "OVERHEAD"): "ON",
    ("TABLESPACE", "TRANSFERRATE"): "ON", ("TABLESPACE", "AUTORESIZE"): "ON", ("TABLESPACE", "MAXSIZE"): "ON",
    ("TABLESPACE", "STOGROUP"): "ON", ("TABLESPACE", "BUFFERPOOL"): "RA", ("TABLESPACE", "FS_CACHING"): "RA",
    ("STOGROUP", "OVERHEAD"): "ON", ("REGISTRY", "*"): "IR", ("DEVICE", "*"): "HR", ("VOLUME", "*"): "HR",
}  # fmt: skip
# steps of a larger change: they take effect with it
PART_OF = {"tablespace.page-size-bi", "tablespace.page-size-oltp-index", "os.large-pages-aix"}
# steps with more than the setting: a restart after it, memory that the host reserves, connections with their own value
OTHERWISE = {"SHEAPTHRES", "DATABASE_MEMORY", "DFT_QUERYOPT"}


def test_settings_take_effect_as_documented() -> None:
    applied = {(row["scope"], row["name"]): APPLIED[row["apply"]] for row in _rows("config_params")}
    codes, wrong = [row["EFFECT"] for row in data_file("rank", "effects")], []
    for rule in all_rules().values():
        for number, step in enumerate(rule.steps, 1):
            settings = [each for each in as_list(step.get("set")) if each["name"].isidentifier()]
            scopes = {"DBCFG": "db", "DBMCFG": "dbm"}
            known = [
                applied.get((scopes.get(each.get("kind", "")), each["name"].lower()))
                for each in settings
                if each["name"] not in OTHERWISE
            ]
            latest = max(filter(None, known), key=codes.index, default=None)
            if latest not in (None, rule.step_effects.get(number, rule.effect)):
                wrong.append((rule.name, [each["name"] for each in settings], latest))
    assert wrong == []


def test_objects_take_effect_as_documented() -> None:
    """The effect of a step follows from the kind of its settings, in every rule."""
    codes, wrong = [row["EFFECT"] for row in data_file("rank", "effects")], []
    for rule in all_rules().values():
        for number, step in enumerate(rule.steps, 1):
            kinds = [
                (each.get("kind", rule.header["object"].split()[0]), each["name"]) for each in as_list(step.get("set"))
            ]
            known = [OBJECT_EFFECTS.get(each, OBJECT_EFFECTS.get((each[0], "*"))) for each in kinds]
            latest = max(filter(None, known), key=codes.index, default=None)
            if rule.name not in PART_OF and latest not in (None, rule.step_effects.get(number, rule.effect)):
                wrong.append((rule.name, kinds, latest))
    assert wrong == []
