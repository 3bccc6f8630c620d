"""The page docs/architecture.md matches the code: the way of a row, imports of packages, tables that SQL reads."""

import ast
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import grimp

from advisor import capture
from advisor.catalogue.options import option_views
from advisor.catalogue.rules import all_rules
from advisor.catalogue.sqltext import references
from advisor.catalogue.views import model_views, rank_views
from advisor.judgement.run import judge_state
from advisor.resources import DEMO_CAPTURE
from tests.support.paths import ROOT

PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
FLOW = re.findall(r"```mermaid\n(.*?)```", PAGE, re.DOTALL)[0]
ARROWS = set(re.findall(r"^ *(\w+) -->(?:\|[^|]*\|)? (\w+)$", FLOW, re.MULTILINE))


STATIONS = re.findall(r"^\| [^|]*\| `(advisor/[\w/.]+):([\w.]+)` \| ?([^|]*)\|$", PAGE, re.MULTILINE)

# Print the functions of advisor/ that a command calls, in the order of their first call.
CALLED = """import sys
from advisor.cli.main import main
called = {}
def note(frame, event, _):
    if event == "call" and "/advisor/" in frame.f_code.co_filename:
        called.setdefault(f"{frame.f_code.co_filename.rpartition('/advisor/')[2]}:{frame.f_code.co_qualname}")
sys.setprofile(note)
try:
    main()
finally:
    sys.setprofile(None)
    print(*called, sep="\\n")
"""


def test_stations_of_a_row_are_called_in_this_order() -> None:
    command = [sys.executable, "-c", CALLED, "advise", DEMO_CAPTURE]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    called = done.stdout.splitlines()
    wanted = [f"{file.removeprefix('advisor/')}:{function}" for file, function, _ in STATIONS]
    assert sorted(wanted, key=called.index) == wanted
    assert not {name for name in called if name.startswith("imports/texts")}, "a capture is not a text"
    assert STATIONS[-1][2].strip(" `") in done.stdout


def test_values_of_the_row_are_those_of_each_table() -> None:
    wanted = [
        (*re.findall(r"`(\w+)\.(\w+)` =", row), re.findall(r"`([^`]+)`", row)[1:]) for *_, row in STATIONS if "=" in row
    ]
    assert len(wanted) > 6
    with capture.open_capture(DEMO_CAPTURE) as opened, judge_state(opened, all_rules().values()) as (_, tables):
        for (table, column), values in wanted:
            found = {str(value) for (value,) in tables.fetch(f"SELECT {column} FROM TUNE.{table}")}
            assert set(values) <= found, (table, column)


def test_layers_and_purposes_of_packages_are_those_of_the_code() -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    layers = next(contract for contract in contracts if contract.get("containers") == ["advisor"])["layers"]
    wanted = [(number, name) for number, layer in enumerate(layers, 1) for name in layer.split(" | ")]
    rows = re.findall(r"^\| (\d+) \| \[`(\w+)`\]\(\.\./(\S+)\) \| (.+) \|$", PAGE, re.MULTILINE)
    assert rows == [(str(number), name, *_describe(ROOT / "advisor" / name)) for number, name in wanted]


def test_each_folder_has_a_sentence() -> None:
    there = [path for top in ("sql", "docs", "fixtures", "tests", "tools") for path in (ROOT / top).iterdir()]
    folders = {
        f"{path.parent.name}/{path.name}/" for path in there if any(file.suffix != ".pyc" for file in path.rglob("*.*"))
    }
    shown = re.findall(r"`((?:sql|docs|fixtures|tests|tools)/[\w-]+/)`", PAGE)
    assert folders == {*shown}


def test_tests_of_the_table_run_every_day() -> None:
    """Those after ``make test-all`` need not."""
    rows = re.findall(r"^\| .* \| (.*) \|$", PAGE.partition("## Where to change what")[2], re.MULTILINE)
    named = {file for row in rows for file in re.findall(r"\btests/[\w/]+\.py", row.partition("`make test-all`")[0])}
    assert len(named) > 30
    assert [
        file for file in named if "\npytestmark = pytest.mark.full\n" in (ROOT / file).read_text(encoding="utf-8")
    ] == []


def _describe(package: Path) -> tuple[str, str]:
    """Return the path of a package or module, and the first paragraph of its docstring."""
    is_folder = package.is_dir()
    file = package / "__init__.py" if is_folder else package.with_suffix(".py")
    text = ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or ""
    path = f"advisor/{package.name}/" if is_folder else f"advisor/{package.name}.py"
    return path, " ".join(text.split("\n\n")[0].split()).replace("``", "`")


def _stage(name: str) -> str | None:
    """Return the diagram box of an object of schema TUNE; None for objects that every stage reads."""
    if name.startswith(("S_", "O_")):
        return "snapshot" if name.startswith("S_") else "option"
    if name.startswith(("D_", "L_")) or name == "COUNTER_CHECK":
        return "delta"
    known = {"FINDING": "finding"} | dict.fromkeys(model_views(), "model") | dict.fromkeys(rank_views(), "rank")
    return known.get(name)


def test_arrows_between_stages_are_what_their_sql_reads() -> None:
    rules = list(all_rules().values())
    texts = [(_stage(name), sql) for name, sql in (model_views() | rank_views()).items()]
    texts += [("option", sql) for _, sql in option_views(rules)]
    texts += [("rule", rule.statement) for rule in rules]
    read = {(_stage(name), stage) for stage, sql in texts for name in references(sql)}
    # findings are not a view: advisor/judgement/run.py and procedures/find.sql insert the rules' rows
    between = {(one, other) for one, other in read if one and one != other} | {("rule", "finding")}
    stages = {stage for arrow in between for stage in arrow}
    assert {arrow for arrow in ARROWS if set(arrow) <= stages} == between


def test_packages_behind_advice_match_the_imports() -> None:
    importing = grimp.build_graph("advisor", cache_dir=None).find_modules_that_directly_import(
        "advisor.judgement.advice"
    )
    packages = {module.split(".")[1] for module in importing}
    # its producer, and the stages that pass it on
    assert {package for stage, package in ARROWS if stage == "advice"} == packages - {"judgement", "db2", "api", "cli"}


def test_packages_before_capture_write_a_manifest() -> None:
    writing = {
        path.relative_to(ROOT / "advisor").parts[0]
        for path in (ROOT / "advisor").rglob("*.py")
        if "Manifest(" in path.read_text(encoding="utf-8")
    }
    into = re.findall(r"^ *\w+ -->\|([^|]*)\| (?:capture|away)$", FLOW, re.MULTILINE)
    assert {found for label in into for found in re.findall(r"advisor/(\w+)", label)} == writing - {"capture"}
