"""The diagrams of docs/architecture.md match the code: imports of packages, tables that SQL reads."""

import re

import grimp

from advisor.catalogue.options import option_views
from advisor.catalogue.rules import all_rules
from advisor.catalogue.sqltext import references
from advisor.catalogue.views import model_views, rank_views
from tests.support.paths import ROOT
from tools.reference import architecture

PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
FLOW = re.findall(r"```mermaid\n(.*?)```", PAGE, re.DOTALL)[0]
ARROWS = set(re.findall(r"^ *(\w+) -->(?:\|[^|]*\|)? (\w+)$", FLOW, re.MULTILINE))


def test_page_matches_the_packages() -> None:
    assert architecture.page() == PAGE, "run make docs"


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
