"""The first screens of the README and of docs/first-screens.md: the summary of the demo."""

import re

from advisor.judgement.run import advise
from advisor.report import summary
from advisor.report.selection import select
from advisor.resources import DEMO_CAPTURE, ROOT

README, PAGE = ROOT / "README.md", ROOT / "docs" / "first-screens.md"
WIDTH = 100
SOURCE = f"--capture {DEMO_CAPTURE.relative_to(ROOT).as_posix()}"
_SIZED = re.compile(r"(?<=```console\n)(\$ COLUMNS=(\d+) LINES=(\d+) db2tune demo)\n.*?(?=```)", re.DOTALL)
_SCREEN = re.compile(r"(?<=```console\n\$ db2tune demo\n).*?(?=```)", re.DOTALL)


def readme() -> str:
    """Return the README with the summary as it is now."""
    return _SCREEN.sub(lambda _: screen(), README.read_text(encoding="utf-8"), count=1)


def page() -> str:
    """Return the page with the first screen of terminals of its sizes: the command in one line, then the summary."""
    return _SIZED.sub(
        lambda found: f"{found[1]}\n{''.join(screen(int(found[2])).splitlines(keepends=True)[: int(found[3]) - 1])}",
        PAGE.read_text(encoding="utf-8"),
    )


def screen(width: int = WIDTH) -> str:
    """Return the summary of the demo."""
    lines = summary.lines(select(advise(DEMO_CAPTURE)), width, source=SOURCE)
    return "".join(f"{line.rstrip()}\n" for line in lines)


if __name__ == "__main__":
    README.write_text(readme(), encoding="utf-8")
    PAGE.write_text(page(), encoding="utf-8")
