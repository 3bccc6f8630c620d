"""Rules that are not the project's own: the example of docs/site-options.md with its variants, and a made-up one."""

import re
from pathlib import Path

from advisor.catalogue.rules import Rule
from tests.support.paths import DOCS

PAGE = (DOCS / "site-options.md").read_text(encoding="utf-8").partition("## Rules of a site")[2]
RULE, CASES, SITE, SHOWN = (
    re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)[0]
    for language in ("sql", "yaml", "toml", "console")
)
NAME = "house.optimization-class"


def named(name: str, rule: str = RULE) -> str:
    """Return the rule under another name."""
    view = re.sub(r"\W", "_", name).upper()
    return rule.replace(NAME, name).replace("HOUSE_OPTIMIZATION_CLASS", view)


def strange_rule(select: str) -> Rule:
    """Return a rule with a SELECT of one column, X."""
    header = {
        "rule": "made.strange", "title": "Made up", "lane": "housekeeping", "takes_effect": "immediately",
        "judged_by": "config", "confidence": 0.6, "object": "DATABASE", "actions": [{"manual": "Look at it."}],
        "finding": "It is made up.", "references": ["nobody"], "why": "Nobody knows.", "not_if": "Never.",
    }  # fmt: skip
    return Rule("made.strange", header, select, Path("strange.sql"))
