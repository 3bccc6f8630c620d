"""The pages as a site: each has its place, and no link leads out of it."""

from types import SimpleNamespace
from typing import Any

import pytest
import yaml

from tests.support.paths import DOCS, ROOT
from tools.site.hooks import on_page_markdown


def _placed(entries: list[dict[str, Any]]) -> list[str]:
    """The files of a navigation, at any depth."""
    found: list[str] = []
    for entry in entries:
        for value in entry.values():
            found += _placed(value) if isinstance(value, list) else [value]
    return found


def test_every_page_has_its_place() -> None:
    config = yaml.safe_load((ROOT / "tools" / "site" / "mkdocs.yml").read_text(encoding="utf-8"))
    placed = _placed(config["nav"])
    assert len(placed) == len(set(placed))
    assert set(placed) - {"rules/README.md"} == {path.name for path in DOCS.glob("*.md")}


@pytest.mark.parametrize(
    ("page", "given", "shown"),
    [
        ("a.md", "see [runs](runs.md#kept) and [it](pages/x.png)", "see [runs](runs.md#kept) and [it](pages/x.png)"),
        ("a.md", "[the cases](../tests/rules/x.yml#L3)", "the cases (`tests/rules/x.yml`)"),
        ("a.md", "[`SECURITY.md`](../SECURITY.md)", "`SECURITY.md`"),
        ("rules/x.md", "[what](../site.md), [cases](../../tests/x.yml)", "[what](../site.md), cases (`tests/x.yml`)"),
    ],
)
def test_links_out_of_the_pages_are_names(page: str, given: str, shown: str) -> None:
    assert on_page_markdown(given, SimpleNamespace(file=SimpleNamespace(src_uri=page))) == shown
