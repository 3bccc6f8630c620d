"""The first screen of the README: the summary of the demo."""

import re

from advisor.judge.run import advise
from advisor.report import summary
from advisor.report.selection import select
from advisor.resources import DEMO_CAPTURE, ROOT

README = ROOT / "README.md"
WIDTH = 100
SOURCE = "--capture fixtures/webshop"
_SCREEN = re.compile(r"(?<=```console\n\$ db2tune demo\n).*?(?=```)", re.DOTALL)


def readme() -> str:
    """Return the README with the summary as it is now."""
    return _SCREEN.sub(lambda _: screen(), README.read_text(encoding="utf-8"), count=1)


def screen() -> str:
    """Return the summary of the demo."""
    lines = summary.lines(select(advise(DEMO_CAPTURE)), WIDTH, source=SOURCE)
    return "".join(f"{line.rstrip()}\n" for line in lines)


if __name__ == "__main__":
    README.write_text(readme(), encoding="utf-8")
