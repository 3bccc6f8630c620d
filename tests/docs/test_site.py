"""The documentation site: navigation, links, search from disk."""

from types import SimpleNamespace
from typing import Any

import pytest
import yaml

from tests.support.paths import DOCS, ROOT
from tools.reference.pages import PAGES
from tools.site.hooks import on_page_markdown


def _placed(entries: list[dict[str, Any]]) -> list[str]:
    """Return the files of a navigation, at any depth."""
    found: list[str] = []
    for entry in entries:
        for value in entry.values():
            found += _placed(value) if isinstance(value, list) else [value]
    return found


SITE = ROOT / "tools" / "site"
CONFIG = yaml.safe_load((SITE / "mkdocs.yml").read_text(encoding="utf-8"))


def test_navigation_has_every_page_once() -> None:
    placed = _placed(CONFIG["nav"])
    assert len(placed) == len(set(placed))
    generated = {name for name in PAGES if name.endswith(".md")}
    assert set(placed) == {path.name for path in DOCS.glob("*.md")} | generated


def test_navigation_starts_with_quick_start_and_install() -> None:
    assert _placed(CONFIG["nav"])[:2] == ["quick-start.md", "in-the-database.md"]


def test_search_from_disk_loads_no_other_host() -> None:
    """The offline plugin loads a script from another host unless a polyfill with this name is configured."""
    assert "offline" in CONFIG["plugins"]
    assert CONFIG["extra"]["polyfills"] == ["iframe-worker.js"]
    assert (SITE / CONFIG["theme"]["custom_dir"] / "iframe-worker.js").is_file()


@pytest.mark.parametrize(
    ("page", "given", "shown"),
    [
        ("a.md", "see [runs](runs.md#kept) and [it](pages/x.png)", "see [runs](runs.md#kept) and [it](pages/x.png)"),
        ("a.md", "[the cases](../tests/rules/x.yml#L3)", "the cases (`tests/rules/x.yml`)"),
        ("a.md", "[`SECURITY.md`](../SECURITY.md)", "`SECURITY.md`"),
        ("papers.md", "[lock.x](../sql/rules/lock/x.sql)", "[lock.x](rules/lock.x.md)"),
        ("rules/README.md", "[lock.x](../../sql/rules/lock/x.sql)", "[lock.x](../rules/lock.x.md)"),
        ("rules/x.md", "[what](../site.md), [cases](../../tests/x.yml)", "[what](../site.md), cases (`tests/x.yml`)"),
    ],
)
def test_links_out_of_docs_become_names(page: str, given: str, shown: str) -> None:
    assert on_page_markdown(given, SimpleNamespace(file=SimpleNamespace(src_uri=page))) == shown
