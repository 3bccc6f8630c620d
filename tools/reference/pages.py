"""The reference pages by their path below docs/; git ignores those that nobody needs in a checkout.

Those of one template and one table are made here.
"""

import csv
import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from advisor.catalogue.host_items import Item, all_items
from advisor.catalogue.rules import all_rules
from advisor.report.markdown import escape
from advisor.resources import ROOT, data_file
from tools.reference import commands, gates, platforms, rules, sql_map
from tools.reference.markdown import environment

HERE = Path(__file__).parent
DOCS = ROOT / "docs"
SAMPLES = ROOT / "fixtures" / "imports"
CONSTRUCTS = ROOT / "tests" / "sql" / "constructs.csv"
IGNORED = {"constructs.md", "gates.md", "sql-map.md", "text-yields.md"}


def hostfacts_page() -> str:
    made = environment().overlay()
    made.filters = made.filters | {"collected_by": collected_by}
    return made.get_template("hostfacts.md.j2").render(items=list(all_items().values()))


def collected_by(item: Item, system: str) -> str:
    """Return the collector's command for an item on a system, and "manual" if a person adds it."""
    ways = [escape(item.commands[system])] if item.commands[system] else []
    return ", ".join([*ways, *(["manual"] if item.source != "host" else [])])


def text_yields_page() -> str:
    given = json.loads((SAMPLES / "expected.json").read_text(encoding="utf-8"))
    used = {name: item for name, item in given.items() if "refused" not in item}
    refused = {name: item["refused"] for name, item in given.items() if "refused" in item}
    return environment().get_template("text-yields.md.j2").render(used=used, refused=refused, sources=list_sources)


def list_sources(item: dict[str, Any]) -> str:
    """Return the sources with rows in the capture of a sample, and the number of their rows."""
    return ", ".join(f"{source} {len(lines) - 1}" for source, lines in item["capture"].items() if lines[1:])


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


def papers_page() -> str:
    papers = [
        {"title": paper["TITLE"], "rows": [row for row in practices() if row.rules and row.seed == paper["FILE"][:3]]}
        for paper in data_file("schema", "papers")
    ]
    context = [row for row in practices() if not row.rules]
    return environment().get_template("papers.md.j2").render(papers=papers, context=context, all_rules=all_rules())


def _listed(text: str) -> tuple[str, ...]:
    return tuple(item.strip() for item in text.split(";") if item.strip())


def constructs_page() -> str:
    with CONSTRUCTS.open(encoding="utf-8", newline="") as file:
        return environment().get_template("constructs.md.j2").render(rows=list(csv.DictReader(file)))


PAGES: dict[str, Callable[[], str]] = {
    "commands.md": commands.page,
    "constructs.md": constructs_page,
    "db2tune.1": commands.manual,
    "gates.md": gates.page,
    "hostfacts.md": hostfacts_page,
    "papers.md": papers_page,
    "platforms.md": platforms.page,
    "rules/README.md": rules.index,
    "sql-map.md": sql_map.page,
    "text-yields.md": text_yields_page,
}
