"""Each platform, setting kind, source, text format, column and command is in all its files; a failure names the file."""

import json
import re
from collections.abc import Callable, Iterator
from importlib import import_module

import pytest
import yaml
from lark.exceptions import GrammarError

from advisor.catalogue.platforms import HOST
from advisor.catalogue.settings import Kind, Words, all_kinds
from advisor.catalogue.sources import all_sources
from advisor.cli.main import main
from advisor.cli.sections import COMMANDS
from advisor.fleet import show
from advisor.fleet.estate import Surveyed
from advisor.resources import SQL, data_file, sections
from tests.standin.commands.host import facts_of
from tests.standin.commands.interpreter import parse_command
from tests.support.paths import ROOT

VALUES = ("1", "YES", "x", '"X"', "/x/", "NO FILE SYSTEM CACHING", "1 2 3 4")  # each setting accepts one of them


def _read(file: str) -> str:
    return (ROOT / file).read_text(encoding="utf-8")


def _find(file: str, pattern: str) -> tuple[str, set[str]]:
    return file, set(re.findall(pattern, _read(file), re.MULTILINE))


def _row(folder: str, name: str, column: str) -> tuple[str, set[str]]:
    return f"sql/{folder}/{name}.csv", {row[column] for row in data_file(folder, name)}


def _files(pattern: str) -> tuple[str, set[str]]:
    return pattern, {path.stem for path in ROOT.glob(pattern)} - {"__init__"}


def _lacking(thing: str, *holders: tuple[str, set[str]], known: frozenset[str] = frozenset({""})) -> Iterator[str]:
    """Yield the name that one file lacks and another has, except ``known``; ``*`` in a path is the name."""
    every = set.union(*(names for _, names in holders)) - known
    for file, names in holders:
        yield from (f"{file.replace('*', name)}: add the {thing} {name}" for name in sorted(every - names))


def platform() -> Iterator[str]:
    names = {row["RUNS_ON"]: row["NAME"].partition(" (")[0] for row in data_file("schema", "platforms")}
    (option,) = (row["CHOICES"] for row in data_file("schema", "site_options") if row["NAME"] == "runs_on")
    page = _read("tools/reference/platforms.md.j2").partition("| Signs |")[2].partition("## ")[0]
    enums = [
        _find(file, r'"runs_on": .*"enum": \[(.*)\]')
        for file in ("advisor/capture/capture.schema.json", "docs/advice.schema.json")
    ]
    yield from _lacking(
        "platform",
        _row("schema", "platforms", "RUNS_ON"),
        ("sql/schema/site_options.csv", set(option.lower().split())),
        _find("sql/model/workload/runs_on.sql", r"SELECT \d+, '(\w+)'"),
        _row("rank", "ways", "RUNS_ON"),
        _row("plan", "activation", "RUNS_ON"),
        *((file, set(re.findall(r'"(\w+)"', *found))) for file, found in enums),
        _find("tests/standin/commands/platforms.py", r'"(\w+)": self\._\w+'),
        _find("tests/judgement/test_platforms.py", r'(?:\}, |^ +)"(\w+)",(?: "|$)'),
        ("tools/reference/platforms.md.j2", {runs_on for runs_on, name in names.items() if f"| {name} |" in page}),
        known=frozenset({HOST, ""}),
    )
    yield from _lacking(
        "recipient of commands",
        _row("plan", "recipients", "USER"),
        _files("sql/plan/platforms/*.sh"),
        _find("advisor/plan/platform_scripts.py", r'^    "(\w+)": "'),
        known=frozenset({"cluster"}),  # gets no shell script
    )


def kind_of_setting() -> Iterator[str]:
    shown = {kind.shown_by for kind in all_kinds() if kind.typed_by == "database"}
    ways = {need for row in data_file("rank", "ways") for need in row["NEEDS"].split()}
    yield from _lacking("kind", _row("rank", "setting_kinds", "KIND"), _row("rank", "needs", "KIND"))
    needs = sorted(_row("rank", "needs", "NEEDS")[1] - ways - {""})
    yield from (f"sql/rank/ways.csv: add the need {need}" for need in needs)
    yield from _lacking(
        "query",
        ("sql/rank/setting_kinds.csv", shown),
        ("sql/plan/checks.sql", {*sections(SQL / "plan" / "checks.sql")}),
        _row("selftest", "samples", "QUERY"),
    )
    for kind in all_kinds():
        if kind.setting and not kind.left_out:  # with left_out, only together with another setting
            faults = [_fault_of(kind, value) for value in VALUES]
            if all(faults):
                yield max(faults)  # a missing method rather than a value that the grammar does not accept


def _fault_of(kind: Kind, value: str) -> str:
    """Return what the fake server lacks for a command of a kind; empty if nothing."""
    of = {"name": '"S"."T"' if kind.kind == "TABLE" else '"X"', "host": "X"}.get(kind.object)
    start = re.sub(r"\{(?!OBJECT)\w+\}", "", kind.statement.replace("{DB_ALIAS}", "X"))
    words = Words(kind.name.replace("*", "X"), of, None, value)
    line = " ".join(kind.fill(text, words) for text in (start, kind.setting) if text)
    if kind.typed_by == "root":
        return "" if facts_of(line) else f"tests/standin/commands/host.py: add the command {line}"
    try:
        parse_command(line)
    except GrammarError as error:
        return str(error).splitlines()[0]
    return ""


def source() -> Iterator[str]:
    settings = frozenset({"dbcfg", "dbmcfg", "registry"})  # cases have them as config, dbm and registry_values
    values = set(yaml.safe_load(_read("sql/cases/base.yml"))["defaults"])
    yield from _lacking(
        "source", ("sql/collect/*.sql", {*all_sources()}), ("sql/cases/base.yml", values), known=settings
    )


def text_format() -> Iterator[str]:
    package, read = "advisor/imports/formats", json.loads(_read("fixtures/imports/expected.json"))
    modules = {name: import_module(f"advisor.imports.formats.{name}") for name in _files(f"{package}/*.py")[1]}
    names = {
        name: {each.name for each in module.FORMATS} for name, module in modules.items() if hasattr(module, "FORMATS")
    }
    known, page = (
        {each for sample in read.values() for each in sample.get("formats", ())},
        _read("docs/text-formats.md").lower(),
    )
    listed = " ".join(_find(f"{package}/__init__.py", r'^_\w+ = "(.*)"$')[1]).split()
    yield from _lacking("format", (f"{package}/*.py", {*names}), (f"{package}/__init__.py", {*listed}))
    for name, formats in names.items():
        if not formats & known and not (ROOT / "tests" / "imports" / f"test_{name}.py").exists():
            yield f"fixtures/imports/expected.json: add a sample of {name}.py, or add tests/imports/test_{name}.py"
        if not any(part in page for each in formats for part in each.lower().split(", ")):
            yield f"docs/text-formats.md: add a row for {min(formats)}"
    samples = {path.name for path in (ROOT / "fixtures" / "imports").iterdir()} - {"expected.json"}
    yield from _lacking("sample", ("fixtures/imports/*", samples), ("fixtures/imports/expected.json", {*read}))
    _, (printers,) = _find("tests/imports/test_round_trip.py", r"^PRINTERS = \((.*)\)")
    used = {*printers.split(", "), "tune_collect"}
    yield from _lacking("printer", _files("tests/imports/printers/*.py"), ("tests/imports/test_round_trip.py", used))


def fleet_column() -> Iterator[str]:
    file = "advisor/fleet/show.py"
    schema = json.loads(_read("docs/fleet.schema.json"))["properties"]["databases"]["items"]["properties"]
    explained = re.findall(r"\*\*(\w+)\*\*", re.findall(r"\*\*Risks\*\*.*?\n\n", _read("docs/fleet.md"), re.DOTALL)[0])
    yield from _lacking(
        "column", (file, {*show.COLUMNS}), ("docs/fleet.md", {"database", "health", *map(str.lower, explained)})
    )
    yield from _lacking(
        "property", _find(file, r'^        "(\w+)": (?!\[).*\bone\.'), ("docs/fleet.schema.json", {*schema})
    )
    known = {*dir(Surveyed), *Surveyed.__dataclass_fields__}
    yield from _lacking("figure", ("advisor/fleet/estate.py", known), (file, known | _find(file, r"\bone\.(\w+)")[1]))


def command() -> Iterator[str]:
    yield from _lacking(
        "command",
        ("advisor/cli/main.py", {*main.commands}),
        ("advisor/cli/sections.py", {*" ".join(COMMANDS.values()).split()}),
        _find("docs/commands.md", r"^## (\w+)$"),
        _find("docs/db2tune.1", r"^\.SS \\&(\w+)$"),
    )


@pytest.mark.parametrize(
    "part", [platform, kind_of_setting, source, text_format, fleet_column, command], ids=lambda part: part.__name__
)
def test_each_is_in_all_files(part: Callable[[], Iterator[str]]) -> None:
    missing = list(part())
    assert not missing, "\n".join(missing)


@pytest.mark.parametrize("table", ["sql/rank/setting_kinds.csv", *sorted(_files("advisor/imports/columns/*.csv")[1])])
def test_each_column_of_a_table_is_explained(table: str) -> None:
    rows = re.findall(r"^\| (`[^|]+\.csv`.*) \| (.*) \|$", _read("docs/architecture.md"), re.MULTILINE)
    explained = {
        file: set(re.findall(r"`([A-Z_]+)`", text)) for files, text in rows for file in re.findall(r"`([^`]+)`", files)
    }
    file = table if "/" in table else f"advisor/imports/columns/{table}.csv"
    missing = set(_read(file).partition("\n")[0].split(",")) - explained.get(
        file.rpartition("columns/")[2], explained["<format>.csv"]
    )
    assert not missing, f"docs/architecture.md, Columns of tables: explain {', '.join(sorted(missing))} of {file}"
