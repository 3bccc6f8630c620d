"""docs/seeds.md: every practice of the papers with the rules that judge it and the tests that show it."""

import csv
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from advisor.catalogue.rules import all_rules
from advisor.resources import data_file
from tests.support.paths import ROOT
from tests.support.written import written
from tools.reference.markdown import environment

HERE = Path(__file__).parent
TESTS = ROOT / "tests"


@dataclass(frozen=True)
class Practice:
    """A row of the coverage table; without rules it is context."""

    seed: str
    practice: str
    rules: tuple[str, ...]
    note: str
    named_tests: tuple[str, ...]

    @property
    def tests(self) -> list[str]:
        """Links to the cases of the rules and to the tests named for the row."""
        return [_cases(rule) for rule in self.rules] + [_named(test) for test in self.named_tests]


@cache
def practices() -> tuple[Practice, ...]:
    with (HERE / "seeds.csv").open(encoding="utf-8", newline="") as file:
        return tuple(
            Practice(row["SEED"], row["PRACTICE"], _listed(row["RULES"]), row["NOTE"], _listed(row["TESTS"]))
            for row in csv.DictReader(file)
        )


def page() -> str:
    papers = [
        {"title": paper["TITLE"], "rows": [row for row in practices() if row.rules and row.seed == paper["FILE"][:3]]}
        for paper in data_file("schema", "papers")
    ]
    context = [row for row in practices() if not row.rules]
    return environment().get_template("seeds.md.j2").render(papers=papers, context=context)


def _listed(text: str) -> tuple[str, ...]:
    return tuple(item.strip() for item in text.split(";") if item.strip())


def _cases(name: str) -> str:
    path = all_rules()[name].path
    file = f"{path.parent.name}/{path.stem}.yml"
    cases: dict[str, Any] = written(TESTS / "rules" / file)
    fires, silent = len(cases["fires"]), len(cases["silent"])
    return f"[{fires} + {silent} cases](../tests/rules/{file})"


def _named(test: str) -> str:
    file, _, function = test.partition("::")
    text = (TESTS / file).read_text(encoding="utf-8")
    if not re.search(rf"^def {function}\(", text, re.MULTILINE):
        raise ValueError(f"{test}: there is no such test")
    return f"[{function.removeprefix('test_').replace('_', ' ')}](../tests/{file})"
