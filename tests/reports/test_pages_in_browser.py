"""The HTML pages in Chromium: on a phone, a tablet and a wide screen, in light and dark mode, and in print."""

import re
from importlib.util import find_spec
from pathlib import Path

import pytest

from advisor.ticket.content import ticket
from advisor.ticket.template import fill, find
from tests.support.advised import advised
from tests.support.browser import BROWSER, looked_at, printed
from tests.support.pages import PAGES

_AXE = find_spec("axe_core_python")
WIDTHS = (360, 800, 900, 1400)

pytestmark = [pytest.mark.full, pytest.mark.skipif(BROWSER is None, reason="no Chromium on this machine")]


@pytest.mark.skipif(_AXE is None, reason="axe-core-python is not installed")
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_everybody_can_read_every_page(tmp_path: Path, dark: bool) -> None:
    """The policy blocks nothing, no page is wider than its window, and axe finds no serious accessibility problem."""
    assert _AXE is not None and _AXE.origin is not None
    axe = Path(_AXE.origin).with_name("axe.min.js").read_text(encoding="utf-8")
    pages = {name: page("SALES") for name, page in PAGES.items()}
    found, said = looked_at(pages, WIDTHS, axe, tmp_path, dark)
    assert said == ""
    assert len(found) == len(pages) * len(WIDTHS)
    assert [each for each in found if each["violations"] or each["wider"] > 0] == []


def test_what_is_folded_is_on_paper(tmp_path: Path) -> None:
    """Collapsed content is printed too, so the printed page is longer than without it."""
    lengths = []
    for name, text in (("folded", PAGES["history"]("SALES")), ("without", _without_folded(PAGES["history"]("SALES")))):
        page = tmp_path / f"{name}.html"
        page.write_text(text, encoding="utf-8")
        printed(page, page.with_suffix(".pdf"))
        lengths.append(len(re.findall(rb"/Type\s*/Page\b", page.with_suffix(".pdf").read_bytes())))
    assert lengths[0] > lengths[1] >= 1


@pytest.mark.parametrize(("ranks", "most"), [([1], 1), ([4, 5], 2), ([1, 2], 2)])
def test_ticket_of_two_changes_is_two_printed_pages(tmp_path: Path, ranks: list[int], most: int) -> None:
    page = tmp_path / "ticket.html"
    page.write_text(fill(ticket(advised("webshop"), ranks), find("html")), encoding="utf-8")
    printed(page, page.with_suffix(".pdf"))
    assert len(re.findall(rb"/Type\s*/Page\b", page.with_suffix(".pdf").read_bytes())) <= most


def _without_folded(text: str) -> str:
    return re.sub(r"<details>.*?</details>", "", text, flags=re.DOTALL)
