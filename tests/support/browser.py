"""Pages in headless Chromium: checked at several window widths, as pictures, and in print."""

import json
import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from html import escape, unescape
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
_QUIET = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--hide-scrollbars"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync", "--enable-logging=stderr"),
)
_DARK = ("--blink-settings=preferredColorScheme=0",)
_POLICY = re.compile(r'<meta http-equiv="Content-Security-Policy"[^>]*>')
# Each page is loaded once unchanged, and once per width without its policy, so that axe can run in it.
_LOOK = """
const found = [];
addEventListener("load", async () => {
  for (const frame of document.querySelectorAll("iframe[data-width]")) {
    const of = frame.contentDocument;
    for (const folded of of.querySelectorAll("details")) folded.open = true;
    const script = of.createElement("script");
    script.textContent = AXE;
    of.head.append(script);
    const result = await frame.contentWindow.axe.run({resultTypes: ["violations"]});
    const bad = result.violations.filter(each => ["serious", "critical"].includes(each.impact));
    found.push({
      page: frame.dataset.page, width: frame.dataset.width,
      wider: of.documentElement.scrollWidth - frame.contentWindow.innerWidth,
      violations: bad.map(each => each.id + ": " + each.nodes.map(node => node.html).join(" | ").slice(0, 400)),
    });
  }
  document.body.innerHTML = "";
  document.body.append("FOUND" + JSON.stringify(found) + "END");
});
"""


def without_policy(page: str) -> str:
    """Return the page without its content policy, so that other scripts can run in it."""
    return _POLICY.sub("", page)


def run(*options: str) -> subprocess.CompletedProcess[str]:
    """Run Chromium with a new profile until it has done what the options request."""
    assert BROWSER is not None
    with TemporaryDirectory() as profile:
        command = [BROWSER, *_QUIET, f"--user-data-dir={profile}", *options]
        return subprocess.run(command, capture_output=True, text=True, timeout=240, check=True)


def looked_at(
    pages: Mapping[str, str], widths: Sequence[int], axe: str, folder: Path, dark: bool = False
) -> tuple[list[dict[str, Any]], str]:
    """Return the serious axe violations and the overflow per page and width, and the console messages.

    The overflow is the number of pixels by which a page is wider than its window.
    """
    frames = [f'<iframe srcdoc="{escape(page)}"></iframe>' for page in pages.values()]
    frames += [
        f'<iframe data-page="{name}" data-width="{width}" width="{width}" height="900" srcdoc="{escape(without_policy(page))}"></iframe>'
        for name, page in pages.items()
        for width in widths
    ]
    source = json.dumps(axe).replace("</", "<\\/")
    file = folder / "look.html"
    file.write_text(
        f"<!DOCTYPE html><meta charset=utf-8><title>look</title>{''.join(frames)}"
        f"<script>const AXE = {source};{_LOOK}</script>",
        encoding="utf-8",
    )
    wide = ("--window-size=1500,900", "--virtual-time-budget=120000", *(_DARK if dark else ()))
    done = run(*wide, "--dump-dom", file.as_uri())
    found = re.search(r"FOUND(.*)END", done.stdout, re.DOTALL)
    assert found, done.stderr[-2000:]
    said = "\n".join(line for line in done.stderr.splitlines() if "CONSOLE" in line)
    return json.loads(unescape(found[1])), said


def picture(page: Path, target: Path, width: int, height: int, dark: bool = False) -> None:
    """Return the top of the page in a window, as PNG."""
    run(f"--window-size={width},{height}", f"--screenshot={target}", *(_DARK if dark else ()), page.as_uri())


def printed(page: Path, target: Path) -> None:
    """Return the printed page, as PDF."""
    run(f"--print-to-pdf={target}", "--no-pdf-header-footer", page.as_uri())
