"""The page docs/text-yields.md: the sources, checks and findings of each sample text."""

import json
from typing import Any

from advisor.resources import ROOT
from tools.reference.markdown import environment

SAMPLES = ROOT / "fixtures" / "imports"


def page() -> str:
    given = json.loads((SAMPLES / "expected.json").read_text(encoding="utf-8"))
    used = {name: item for name, item in given.items() if "refused" not in item}
    refused = {name: item["refused"] for name, item in given.items() if "refused" in item}
    return environment().get_template("text-yields.md.j2").render(used=used, refused=refused, sources=list_sources)


def list_sources(item: dict[str, Any]) -> str:
    """Return the sources with rows in the capture of a sample, and the number of their rows."""
    return ", ".join(f"{source} {len(lines) - 1}" for source, lines in item["capture"].items() if lines[1:])
