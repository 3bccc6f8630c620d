"""The page docs/papers.md: each practice of the papers with the rules that check it."""

import csv
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from advisor.catalogue.rules import all_rules
from advisor.resources import data_file
from tools.reference.markdown import environment

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Practice:
    """A practice of a paper; without rules it is context."""

    seed: str
    practice: str
    rules: tuple[str, ...]
    note: str


@cache
def practices() -> tuple[Practice, ...]:
    with (HERE / "practices.csv").open(encoding="utf-8", newline="") as file:
        return tuple(
            Practice(row["SEED"], row["PRACTICE"], _listed(row["RULES"]), row["NOTE"]) for row in csv.DictReader(file)
        )


def page() -> str:
    papers = [
        {"title": paper["TITLE"], "rows": [row for row in practices() if row.rules and row.seed == paper["FILE"][:3]]}
        for paper in data_file("schema", "papers")
    ]
    context = [row for row in practices() if not row.rules]
    return environment().get_template("papers.md.j2").render(papers=papers, context=context, all_rules=all_rules())


def _listed(text: str) -> tuple[str, ...]:
    return tuple(item.strip() for item in text.split(";") if item.strip())
