"""The first screen of the README: the list of the demo, its long commands and queries cut."""

import re
from itertools import groupby

from advisor.judge.run import advise
from advisor.report import table
from advisor.report.selection import select
from advisor.resources import DEMO_CAPTURE, ROOT

README = ROOT / "README.md"
WIDTH = 100
_LAST = "Together "
_MORE = re.compile(r" {11}\S")  # a further line of a command
_SCREEN = re.compile(r"(?<=```console\n\$ db2tune demo\n).*?(?=```)", re.DOTALL)


def readme() -> str:
    """The README with the list as it is now."""
    return _SCREEN.sub(lambda _: screen(), README.read_text(encoding="utf-8"), count=1)


def screen() -> str:
    """The report as far as what all of the list promises together."""
    lines = table.render(select(advise(DEMO_CAPTURE)), WIDTH).splitlines()
    last = next(number for number, line in enumerate(lines) if line.startswith(_LAST))
    shown: list[str] = []
    for more, run in groupby(lines[: last + 1], key=lambda line: bool(_MORE.match(line))):
        shown += run if not more or "by hand" in shown[-1] else [" " * 11 + "..."]
    return "".join(f"{_cut(line)}\n" for line in shown)


def _cut(line: str) -> str:
    return f"{line[: WIDTH - 4]} ..." if line.startswith("    look ") else line


if __name__ == "__main__":
    README.write_text(readme(), encoding="utf-8")
