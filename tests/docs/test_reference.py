"""The reference in docs/ is generated from the rules, their cases and the papers' practices."""

import re
import shutil
import subprocess

import pytest

from advisor.catalogue.rules import all_rules
from advisor.cli.main import main
from advisor.resources import data_file
from tools.reference import commands, practices, rules
from tools.reference.pages import DOCS, pages


def test_every_rule_has_a_page() -> None:
    made = rules.pages()
    assert made.keys() == {f"{name}.md" for name in all_rules()}
    for name, rule in all_rules().items():
        assert rule.title in made[f"{name}.md"], name


@pytest.mark.parametrize("name", ["papers.md", "hostfacts.md", "rules/README.md", "sql-map.md"])
def test_reference_page_is_current(name: str) -> None:
    assert (DOCS / name).read_text(encoding="utf-8") == pages()[name], "run make docs"


def test_manual_page_has_every_option_and_is_valid_troff() -> None:
    written = (DOCS / "db2tune.1").read_text(encoding="utf-8")
    assert written == commands.manual(), "run make docs"
    parts = dict(zip(*[iter(re.split(r"^\.SS \\&(.+)\n", written, flags=re.MULTILINE)[1:])] * 2, strict=True))
    assert parts.keys() == {name.replace("-", "\\-") for name in main.commands}
    for name, command in main.commands.items():
        for option in command.params:
            for spelled in option.opts if option.param_type_name == "option" else []:
                assert spelled.replace("-", "\\-") in parts[name.replace("-", "\\-")], (name, spelled)
    if groff := shutil.which("groff"):
        told = subprocess.run(
            [groff, "-man", "-Tutf8", "-ww", "-z", DOCS / "db2tune.1"], capture_output=True, check=True
        )
        assert told.stderr == b""


def test_each_practice_has_rules_or_a_reason() -> None:
    for row in practices.practices():
        assert row.rules or row.note, row.practice
        assert set(row.rules) <= all_rules().keys(), row.practice


def test_every_rule_has_its_paper_or_another_reference() -> None:
    titles = {paper["TITLE"] for paper in data_file("schema", "papers")}
    for rule in all_rules().values():
        named = any(source.startswith(tuple(titles)) for source in rule.sources)
        assert named or all(len(source) > 10 for source in rule.sources), rule.name
