"""Writer of the pictures of docs/html-pages.md with Chromium: ``make pictures``."""

import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from advisor.judgement.run import advise
from advisor.plan import page as plan_page
from advisor.plan.steps import plan
from advisor.report import page, pictures
from advisor.report.selection import select
from advisor.resources import DEMO_CAPTURE
from tests.support.browser import BROWSER, picture
from tests.support.pages import PAGES
from tests.support.paths import DOCS, FIXTURES

LARGEST = 150_000  # bytes per picture


class Taken(NamedTuple):
    """A picture: its page, its window size, and whether in dark mode."""

    page: Callable[[], str]
    width: int
    height: int
    dark: bool = False


def _advice() -> str:
    return page.render(select(advise(DEMO_CAPTURE, also=pictures.statements())))


def _plan() -> str:
    advice = advise(FIXTURES / "vm-oltp-before.capture")
    return plan_page.render(plan(advice), advice)


TAKEN = {
    "advice": Taken(_advice, 900, 1100),
    "plan": Taken(_plan, 900, 900, dark=True),
    "phone": Taken(_plan, 500, 1000),
    "verdict": Taken(lambda: PAGES["verdict"]("SALES"), 900, 1000),
    "history": Taken(lambda: PAGES["history"]("SALES"), 900, 800),
    "fleet": Taken(lambda: PAGES["fleet"]("SALES"), 900, 800),
}

if __name__ == "__main__":
    if BROWSER is None:
        sys.exit("no Chromium on this machine: install it, or leave the pictures as they are")
    folder = DOCS / "pages"
    folder.mkdir(exist_ok=True)
    with TemporaryDirectory() as made:
        for name, taken in TAKEN.items():
            file, target = Path(made, f"{name}.html"), folder / f"{name}.png"
            file.write_text(taken.page(), encoding="utf-8")
            picture(file, target, taken.width, taken.height, taken.dark)
            size = target.stat().st_size
            print(f"{target.name} {size} bytes" + (", too large" if size > LARGEST else ""))
