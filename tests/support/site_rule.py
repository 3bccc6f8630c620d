"""The example site rule of docs/site-options.md, and variants of it."""

import re

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
