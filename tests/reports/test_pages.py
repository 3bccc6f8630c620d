"""Every HTML page: complete, self-contained, accessible without sight, and small enough to send."""

import base64
import hashlib
import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from advisor.report import drawing, pages
from advisor.report.drawing import Mark
from advisor.resources import SQL
from tests.support.browser import BROWSER, run, without_policy
from tests.support.markup import HOSTILE, Page
from tests.support.pages import PAGES, history

SCRIPTS = {"advice": ("copy",), "plan": ("copy",), "fleet": ("copy", "sort")}
every = pytest.mark.parametrize("name", PAGES)


@pytest.fixture(scope="module")
def written() -> Mapping[str, str]:
    return {name: page("SALES") for name, page in PAGES.items()}


@every
def test_it_needs_nothing_from_anywhere(written: Mapping[str, str], name: str) -> None:
    parsed = Page(written[name])
    assert parsed.open == []
    assert not {"link", "img", "iframe", "form", "object", "base"} & set(parsed.tags)
    linked = {of[kind] for _, of in parsed.elements for kind in ("href", "src") if kind in of}
    ids = [f"#{of['id']}" for _, of in parsed.elements if "id" in of]
    assert linked <= set(ids)
    assert len(ids) == len(set(ids))
    assert "style" not in parsed.attributes
    (style,) = re.findall(r"<style>(.*?)</style>", written[name], re.DOTALL)
    (policy,) = [of["content"] for _, of in parsed.elements if of.get("http-equiv") == "Content-Security-Policy"]
    hashed = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    assert policy and policy.startswith(f"default-src 'none'; style-src 'sha256-{hashed}'")
    assert "url(" not in style and "@import" not in style
    scripts = re.findall(r"<script>(.*?)</script>", written[name], re.DOTALL)
    assert len(scripts) == parsed.tags.count("script") == len(SCRIPTS.get(name, ()))
    allowed = [f"'sha256-{base64.b64encode(hashlib.sha256(each.encode()).digest()).decode()}'" for each in scripts]
    assert re.findall(r"script-src (.*?);", policy) == ([" ".join(allowed)] if allowed else [])
    assert not re.search(r"https?:|\b(fetch|import|XMLHttpRequest)\b", "".join(scripts))


@pytest.mark.full
@pytest.mark.skipif(BROWSER is None, reason="no Chromium on this machine")
@pytest.mark.parametrize("clipboard", ["undefined", "{writeText: text => { window.got = text; }}"])
def test_copy_button_copies_commands(tmp_path: Path, written: Mapping[str, str], clipboard: str) -> None:
    """Without a clipboard, as on a page from http, the button selects the commands instead."""
    press = f"""Object.defineProperty(navigator, "clipboard", {{value: {clipboard}}});
    document.querySelector("article button").click();
    setTimeout(() => document.title = (window.got ?? String(getSelection())) + "|" + document.querySelector("article button").textContent);"""
    page = tmp_path / "advice.html"
    page.write_text(without_policy(written["advice"]).replace("</body>", f"<script>{press}</script></body>"))
    found = re.search("<title>(.*?)[|](.*?)</title>", run("--dump-dom", page.as_uri()).stdout, re.DOTALL)
    assert found is not None
    assert found[1].strip() == 'ALTER TABLESPACE "SALES" PREFETCHSIZE 48'
    assert found[2] in {"Copied", "Press Ctrl+C"}


@every
def test_what_is_drawn_can_be_read(written: Mapping[str, str], name: str) -> None:
    """A drawing is hidden next to its values in a row, or it has a name and a table of its values after it."""
    text, parsed = written[name], Page(written[name])
    ids = {of["id"] for _, of in parsed.elements if "id" in of}
    drawings = [of for tag, of in parsed.elements if tag == "svg" and of.get("overflow") != "visible"]
    assert drawings
    for of in drawings:
        assert of.get("aria-hidden") == "true" or (of["role"] == "img" and of["aria-labelledby"] in ids)
    for row in re.findall(r"<tr>.*?</tr>", text, re.DOTALL):
        if "<svg" in row:
            assert re.search(r'class="number">\s*[-+]?[\d.]+', row), row
    if 'role="img"' in text:
        assert re.search(r"</svg>.*<table.*</table>", text, re.DOTALL)
    for table in re.findall(r"<table.*?</table>", text, re.DOTALL):
        heads, cells = (len(re.findall(f"<{tag}[ >]", part)) for tag, part in (("th", table.split("</thead>")[0]), ("t[hd]", table.split("<tr>")[2])))  # fmt: skip
        assert heads == cells, table


@every
def test_names_stay_names(written: Mapping[str, str], name: str) -> None:
    plain = Page(written[name])
    for hostile in HOSTILE:
        text = PAGES[name](hostile)
        odd = Page(text)
        assert odd.open == []
        assert set(odd.tags) <= set(plain.tags)
        assert odd.attributes <= plain.attributes
        assert all(line.isprintable() for line in text.splitlines())
        shown = hostile if hostile.isprintable() else hostile.encode("unicode_escape").decode()
        assert shown in odd.text


def test_every_picture_names_its_place_and_is_shown(written: Mapping[str, str]) -> None:
    for name, text in written.items():
        said = Page(text).text
        for of in pages.pictures(name):
            if of["READ_FROM"].startswith("sql/"):
                assert (SQL.parent / of["READ_FROM"]).is_file()
            else:
                assert of["HEADING"] in said, of
    assert {row["PAGE"] for name in PAGES for row in pages.pictures(name)} == set(PAGES)


def test_a_page_of_many_nights_can_be_sent() -> None:
    assert len(history(nights=400).encode()) < 400_000


# --- drawings -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("share", "part", "expected"),
    [(1, 0, ["100.00", "0.00"]), (0.5, 0.25, ["50.00", "25.00"]), (0, 0, ["0.00", "0.00"])],
)
def test_a_bar_is_as_long_as_its_share(share: float, part: float, expected: list[str]) -> None:
    assert re.findall(r'width="([\d.]+)" height="8"', drawing.bar(share, part)) == expected


def test_a_range_begins_at_its_low_end() -> None:
    drawn = drawing.span(0.1, 0.25, 0.5)
    assert 'x="10.00" y="4" width="40.00"' in drawn
    assert 'x="24.50" y="1" width="1"' in drawn


def test_trend_begins_at_zero() -> None:
    assert 'd="M0.00 11.00L50.00 1.00L100.00 6.00"' in drawing.trend([0, 10, 5])
    assert 'd="M0.00 1.00L100.00 1.00"' in drawing.trend([7, 7])


def test_change_is_on_its_side_of_zero() -> None:
    drawn = drawing.change(-50, -25, 0, 100)
    assert 'x="25.00" y="4" width="25.00"' in drawn
    assert drawing.change(-500, -25, 900, 100).count('x="0.00" y="4" width="100.00"') == 1


def test_curve_rises_with_values_and_breaks_at_gaps() -> None:
    drawn = drawing.course([0, 10, None, 5], [0, 0.25, 0.5, 1], ("a", "b"), [Mark(0.5, 1, "bad")], "id")
    assert 'd="M0.00 100.00L25.00 0.00M100.00 50.00"' in drawn
    assert '<text class="mark bad" x="50.00%"' in drawn
    assert drawn.count("<circle") == 3
    assert drawing.course([None], [0], ("a", "b")) == ""


def test_course_of_small_changes_begins_at_zero() -> None:
    flat, high = (drawing.course(values, [0, 1], ("", ""), named="id") for values in ([7, 7], [1166.66625, 1166.6667]))
    assert 'd="M0.00 0.00L100.00 0.00"' in flat
    assert 'd="M0.00 0.00L100.00 0.00"' in high
