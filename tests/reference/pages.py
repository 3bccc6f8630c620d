"""All reference pages by their path below docs/."""

from pathlib import Path

from tests.reference import rules, seeds

DOCS = Path(__file__).parent.parent.parent / "docs"


def pages() -> dict[str, str]:
    return {f"rules/{name}": content for name, content in rules.pages().items()} | {"seeds.md": seeds.page()}
