"""The advice as one HTML file: whole, by itself, and of a size that can be sent."""

import base64
import hashlib
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from advisor.judge.advice import Advice
from advisor.judge.run import advise
from advisor.report import page
from advisor.report.selection import select
from advisor.report.text import percent
from tests.support.made_up import IDLE, SPENT, advice, item, rule
from tests.support.markup import Page
from tests.support.paths import FIXTURES

BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


def _rendered(given: Advice) -> tuple[str, Page, str]:
    text = page.render(select(given))
    parsed = Page(text)
    assert parsed.open == []
    return text, parsed, " ".join(parsed.text.split())


@pytest.fixture(scope="module")
def demo() -> Advice:
    return advise(FIXTURES / "x445-8way")


def test_everything_that_a_change_needs_is_there(demo: Advice) -> None:
    _, _, said = _rendered(demo)
    for each in demo.ranked:
        assert said.count(f"{each.rank}. ") >= 1
        assert " ".join(each.finding.split()) in said
        for line in (*each.actions, *each.undo):
            assert " ".join(line.removeprefix("-- ").split()) in said
        for name, value in each.evidence.items():
            assert f"{name} {value}" in said
        for source in each.rule.sources:
            assert " ".join(source.split()) in said


def test_it_needs_nothing_from_anywhere(demo: Advice) -> None:
    text, parsed, _ = _rendered(demo)
    assert not {tag for tag, _ in parsed.elements} & {"script", "link", "img", "iframe", "form", "object"}
    linked = [attributes[name] for _, attributes in parsed.elements for name in ("href", "src") if name in attributes]
    ids = {f"#{attributes['id']}" for _, attributes in parsed.elements if "id" in attributes}
    assert linked and set(linked) <= ids
    assert not [attributes for _, attributes in parsed.elements if "style" in attributes]
    (style,) = re.findall(r"<style>(.*?)</style>", text, re.DOTALL)
    (policy,) = [a["content"] for tag, a in parsed.elements if a.get("http-equiv") == "Content-Security-Policy"]
    hashed = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    assert policy and policy.startswith(f"default-src 'none'; style-src 'sha256-{hashed}'")
    assert "url(" not in style and "@import" not in style


def test_what_is_drawn_can_be_read(demo: Advice) -> None:
    """Each drawing stands in a row with its values and is hidden from who cannot see it."""
    text, parsed, said = _rendered(demo)
    drawings = [attributes for tag, attributes in parsed.elements if tag == "svg"]
    assert drawings and all(attributes["aria-hidden"] == "true" for attributes in drawings)
    for row in re.findall(r"<tr>.*?</tr>", text, re.DOTALL):
        if "<svg" in row:
            assert re.search(r'<td class="number">\s*[\d.]+ %', row), row
    assert f"{percent(demo.ranked[0].benefit)} (" in said


@pytest.mark.parametrize(
    ("share", "part", "expected"),
    [(1, 0, ["100.00", "0.00"]), (0.5, 0.25, ["50.00", "25.00"]), (0, 0, ["0.00", "0.00"])],
)
def test_a_bar_is_as_long_as_its_share(share: float, part: float, expected: list[str]) -> None:
    assert re.findall(r'width="([\d.]+)" height="8"', page.bar(share, part)) == expected


def test_a_range_begins_at_its_low_end() -> None:
    drawn = page.span(0.1, 0.25, 0.5)
    assert 'x="10.00" y="4" width="40.00"' in drawn
    assert 'x="24.50" y="1" width="1"' in drawn


def test_names_stay_names() -> None:
    of = rule("prefetch.size-misaligned")
    text, _, said = _rendered(advice(SPENT, item(of, "P", 1, '<b onclick="x">&amp;\u202e')))
    assert '<b onclick="x">&amp;\\u202e' in said
    assert "<b " not in text


def test_a_long_list_is_one_file_that_can_be_sent() -> None:
    of = rule("prefetch.size-misaligned")
    many = [item(of, "P", rank, f"TS{rank:04}" * 8) for rank in range(1, 91)]
    apart = [item(of, "P", None, f"TS{rank:04}", superseded_by=of.name) for rank in range(91, 2091)]
    text, parsed, _ = _rendered(advice(SPENT, *many, *apart))
    assert len(text.encode()) < 3_000_000
    assert len([1 for tag, _ in parsed.elements if tag == "article"]) == 90


def test_an_idle_database_says_so() -> None:
    given = advice(IDLE)
    _, _, said = _rendered(given)
    assert select(given).nothing() in said


@pytest.mark.full
@pytest.mark.skipif(BROWSER is None, reason="no Chromium on this machine")
@pytest.mark.parametrize("width", [360, 768, 1400])
def test_a_browser_has_nothing_to_complain_of(demo: Advice, tmp_path: Path, width: int) -> None:
    """No refused style, no request, nothing wider than the window."""
    text = page.render(select(demo))
    file = tmp_path / "advice.html"
    file.write_text(text, encoding="utf-8")
    assert BROWSER is not None
    command = [
        *(BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
        *("--disable-background-networking", "--disable-component-update", "--disable-sync", "--enable-logging=stderr"),
        *(
            f"--user-data-dir={tmp_path / 'profile'}",
            f"--window-size={width},900",
            f"--screenshot={tmp_path / 'a.png'}",
        ),
        file.as_uri(),
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    assert "CONSOLE" not in done.stderr, done.stderr
    assert (tmp_path / "a.png").stat().st_size > 10_000
