"""Writer of the pictures of docs/html-pages.md with Chromium: ``make pictures``.

docs/pages/pages.csv has the digest of the page that each picture shows; --check names those whose page has changed.
"""

import hashlib
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from advisor.fleet import page as fleet_page
from advisor.fleet.estate import estate, survey_advice
from advisor.judgement.run import advise
from advisor.plan import page as plan_page
from advisor.plan.steps import plan
from advisor.report import page, pictures
from advisor.report.selection import select
from advisor.resources import DEMO_CAPTURE, csv_rows
from tests.support.browser import BROWSER, picture
from tests.support.pages import PAGES
from tests.support.paths import DOCS, FIXTURES

LARGEST = 170_000  # bytes per picture


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


def _fleet() -> str:
    found = [survey_advice(path.stem, advise(path)) for path in sorted(FIXTURES.glob("*.capture"))]
    return fleet_page.render(estate(found))


TAKEN = {
    "advice": Taken(_advice, 900, 1100),
    "plan": Taken(_plan, 900, 900, dark=True),
    "phone": Taken(_plan, 500, 1000),
    "verdict": Taken(lambda: PAGES["verdict"]("SALES"), 900, 1000),
    "history": Taken(lambda: PAGES["history"]("SALES"), 900, 800),
    "fleet": Taken(_fleet, 900, 800),
}

FOLDER = DOCS / "pages"
DIGESTS = FOLDER / "pages.csv"


def list_outdated() -> list[str]:
    """Return the names of the pictures whose page has changed since they were taken."""
    known = {row["PICTURE"]: row["PAGE"] for row in csv_rows(DIGESTS)}
    return [name for name, taken in TAKEN.items() if known.get(name) != _digest(taken.page())]


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _take() -> None:
    FOLDER.mkdir(exist_ok=True)
    lines = ["PICTURE,PAGE"]
    with TemporaryDirectory() as made:
        for name, taken in TAKEN.items():
            file, target = Path(made, f"{name}.html"), FOLDER / f"{name}.png"
            file.write_text(taken.page(), encoding="utf-8")
            picture(file, target, taken.width, taken.height, taken.dark)
            lines.append(f"{name},{_digest(taken.page())}")
            size = target.stat().st_size
            print(f"{target.name} {size} bytes" + (", too large" if size > LARGEST else ""))
    DIGESTS.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    if "--check" in sys.argv:
        sys.exit(f"out of date: {', '.join(old)}; run make pictures" if (old := list_outdated()) else 0)
    if BROWSER is None:
        sys.exit("no Chromium on this machine: install it, or leave the pictures as they are")
    _take()
